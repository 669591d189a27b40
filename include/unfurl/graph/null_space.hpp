#pragma once

#include <algorithm>
#include <cmath>

#include "unfurl/core/lanes.hpp"
#include "unfurl/core/run.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/components.hpp"

/// The null vectors of a matrix of a graph are known: one for each component. A connected graph has
/// one, the constant, which an embedding leaves out; where there are several none is left out,
/// because they tell the components apart.
namespace unfurl::detail {

/// D^(1/2) 1 on each component, of norm 1.
inline Matrix<double> null_vectors(const Vector<double>& degrees, const Components& components) {
  Matrix<double> vectors = Matrix<double>::Zero(degrees.size(), components.count());
  for (Index i = 0; i < degrees.size(); ++i)
    vectors(i, components.label[static_cast<std::size_t>(i)]) = std::sqrt(degrees(i));
  for (Index j = 0; j < vectors.cols(); ++j) {
    double* const column = vectors.data() + vectors.rows() * j;
    scale(vectors.rows(), 1 / norm(vectors.rows(), column), column);
  }
  return vectors;
}

/// How many of them are coordinates of an embedding in k dimensions.
inline Index null_vectors_kept(const Components& components, Index k) {
  return components.count() > 1 ? std::min(components.count(), k) : 0;
}

inline void report_null_vectors(const Components& components, Run& run) {
  if (components.count() > 1)
    run.report().notes.push_back(
        text("the graph is disconnected: eigenvalue 0 has multiplicity ", components.count(),
             ", and its vectors, which tell the components apart, are the first coordinates"));
}

/// Nothing had to be computed.
inline void report_exact_null_space(Run& run) {
  run.report().solver = "components of the graph";
  run.report().certified = true;
  run.report().certificate = "the null space is known exactly";
}

}  // namespace unfurl::detail
