#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "unfurl/core/columns.hpp"
#include "unfurl/core/error.hpp"
#include "unfurl/core/lanes.hpp"
#include "unfurl/core/run.hpp"
#include "unfurl/core/sparse.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/components.hpp"
#include "unfurl/graph/disconnected.hpp"
#include "unfurl/graph/graph.hpp"
#include "unfurl/graph/graph_memory.hpp"
#include "unfurl/graph/laplacian.hpp"
#include "unfurl/graph/null_space.hpp"
#include "unfurl/spectral/operators.hpp"
#include "unfurl/spectral/pairs_beside.hpp"

/// The eigenvectors of a random walk P = D⁻¹ W, through the symmetric matrix that is similar to it.
namespace unfurl::detail {

/// P Ψ = Ψ (I - M), Ψᵀ D Ψ = I.
struct WalkSpectrum {
  Vector<double> degrees = {};
  Vector<double> values = {};   ///< M: eigenvalues of L_rw = I - P, ascending from 0
  Matrix<double> vectors = {};  ///< Ψ
};

/// Foresees the memory of an estimator by the walk on a sparse graph of n samples of d features.
/// \param n_neighbors of a sample, by which the graph was or could have been made
/// \param n_copies of the affinities that are held beside them
template <class Scalar>
void foresee_walk(Index n, Index d, double n_neighbors, Index n_components, int n_copies,
                  Run& run) {
  const double affinities = (4.0 + sizeof(Scalar) + 12 * n_copies) * entries_per_neighbor;
  const double laplacian = 13;
  run.foresee("the eigenpairs",
              neighborhood_bytes<Scalar>(n, d, n_neighbors) +
                  static_cast<double>(n) * n_neighbors * (affinities + laplacian),
              AutoSolver{}.bytes(n, n_components, surface_fill(n, n_neighbors)));
}

/// The same of a graph that is there.
template <class Scalar>
void foresee_walk(const Graph<Scalar>& graph, Index d, Index n_components, int n_copies, Run& run) {
  const Index n = graph.n_vertices();
  foresee_walk<Scalar>(n, d, typical_neighbors(graph.n_entries(), n), n_components, n_copies, run);
}

/// The components of a matrix of affinities, which may be more than those of the graph when a
/// kernel underflows. What the policy allows goes into the report.
/// \throws DisconnectedGraphError for more than one unless the policy is `allow`
template <class WeightMatrix>
Components walk_components(const WeightMatrix& W, OnDisconnected policy, Run& run) {
  Components components = connected_components(W);
  run.report().graph_components = std::max(run.report().graph_components, components.count());
  if (components.count() == 1) return components;
  if (policy != OnDisconnected::allow)
    throw disconnected_graph_error(
        run.name(), components,
        "affinities between them are 0: raise bandwidth, n_neighbors or radius, or set "
        "on_disconnected to allow");
  report_null_vectors(components, run);
  return components;
}

/// Applies the policy to affinities that come from the user.
/// \param kept becomes the rows that are left; stays empty when all of them are
template <class Scalar>
SparseMatrix<Scalar> resolve_affinity(const SparseMatrix<Scalar>& W, OnDisconnected policy,
                                      std::vector<Index>& kept, Run& run) {
  const Components components = connected_components(W);
  run.report().graph_components = components.count();
  if (components.count() < 2) return sparse_copy(W);
  if (policy == OnDisconnected::bridge)
    throw ParameterError(text(run.name(),
                              ": affinities do not tell how far the components of the graph are "
                              "apart; on_disconnected must be error, largest_component or allow"));
  if (policy != OnDisconnected::largest_component) return sparse_copy(W);
  std::vector<int> position(static_cast<std::size_t>(W.cols()), -1);
  for (Index i = 0; i < W.cols(); ++i)
    if (components.label[static_cast<std::size_t>(i)] == components.largest()) {
      position[static_cast<std::size_t>(i)] = static_cast<int>(kept.size());
      kept.push_back(i);
    }
  const auto n = static_cast<Index>(kept.size());
  SparseMatrix<Scalar> part(n, n);
  for (Index j = 0; j < n; ++j) {
    part.startVec(j);
    for (typename SparseMatrix<Scalar>::InnerIterator it(W, kept[static_cast<std::size_t>(j)]); it;
         ++it)
      if (position[static_cast<std::size_t>(it.row())] >= 0)  // an explicit 0 connects nothing
        part.insertBack(position[static_cast<std::size_t>(it.row())], j) = it.value();
  }
  part.finalize();
  run.report().notes.push_back(text("only the largest component was embedded: ", n, " of ",
                                    W.cols(), " samples, see kept_samples()"));
  return part;
}

/// Puts null vectors and computed pairs together.
/// \throws NumericalError when an eigenvalue cannot be one of a walk, or the graph falls apart
inline WalkSpectrum assemble_walk(Vector<double> degrees, const Matrix<double>& null, Index n_null,
                                  EigenPairs<double> pairs, double tolerance,
                                  std::string_view where) {
  WalkSpectrum result;
  const Index k = pairs.values.size();
  for (Index j = 0; j < k; ++j)
    if (!(pairs.values(j) >= -tolerance && pairs.values(j) <= 2 + tolerance))
      throw NumericalError(text(where, ": eigenvalue ", 1 - pairs.values(j),
                                " of the walk lies outside of [-1, 1]; please report this"));
  if (null.cols() == 1 && k > 0 && pairs.values(0) < 1e-14)
    throw NumericalError(
        text(where,
             ": bandwidth too small: the graph falls apart numerically, eigenvalue "
             "1 of the walk is not simple to rounding; raise bandwidth"));
  result.values.resize(n_null + k);
  for (Index j = 0; j < n_null; ++j) result.values(j) = 0;
  for (Index j = 0; j < k; ++j)
    result.values(n_null + j) = std::min(2.0, std::max(0.0, pairs.values(j)));
  result.vectors.resize(degrees.size(), n_null + k);
  set_columns(result.vectors, 0, null, n_null);
  set_columns(result.vectors, n_null, pairs.vectors, k);
  for (Index i = 0; i < degrees.size(); ++i) {
    const double root = std::sqrt(degrees(i));
    for (Index j = 0; j < n_null + k; ++j) result.vectors(i, j) /= root;
  }
  fix_signs(result.vectors);
  result.degrees = std::move(degrees);
  return result;
}

/// The k slowest vectors of the walk on sparse affinities: the smallest eigenvalues of L_sym, which
/// a factorisation finds on graphs where products alone would take thousands of steps.
template <class Solver>
WalkSpectrum walk_spectrum(const SparseMatrix<double>& W, const Components& components, Index k,
                           const Solver& solver, std::uint64_t seed, Run& run) {
  Vector<double> d = degrees(W, run.parallel());
  require_positive_degrees(run.name(), W, d);
  const Matrix<double> null = null_vectors(d, components);
  const Index n_null = null_vectors_kept(components, k);
  EigenPairs<double> pairs{Vector<double>(0), Matrix<double>(d.size(), 0)};
  if (k > n_null) {
    const SparseMatrix<double> L = symmetric_laplacian(W, run.parallel(), run.name());
    const SparseOperator<double> op(L, run.parallel());
    pairs = pairs_beside(L, op, k - n_null, Which::smallest, null, 2.0, solver, seed, run);
  } else {
    report_exact_null_space(run);
  }
  return assemble_walk(std::move(d), null, n_null, std::move(pairs), 1e-10, run.name());
}

/// The same on dense affinities, which are overwritten: the largest eigenvalues of
/// D^(-1/2) W D^(-1/2).
template <class Scalar, class Solver>
WalkSpectrum walk_spectrum(Matrix<Scalar>&& W, const Components& components, Index k,
                           const Solver& solver, std::uint64_t seed, Run& run) {
  Vector<double> d(W.cols());
  run.parallel().for_each(
      W.cols(),
      [&](Index j) {
        const Scalar* const column = W.data() + W.rows() * j;
        d(j) = sum_in_double(W.rows(), [&](Index i) { return static_cast<double>(column[i]); });
      },
      64);
  Vector<double> s(d.size());
  for (Index i = 0; i < d.size(); ++i) s(i) = 1 / std::sqrt(d(i));
  run.parallel().for_each(
      W.cols(),
      [&](Index j) {
        Scalar* const column = W.data() + W.rows() * j;
        for (Index i = 0; i < W.rows(); ++i)
          column[i] = static_cast<Scalar>(static_cast<double>(column[i]) * (s(i) * s(j)));
      },
      64);
  const Matrix<double> null = null_vectors(d, components);
  const Index n_null = null_vectors_kept(components, k);
  EigenPairs<double> pairs{Vector<double>(0), Matrix<double>(d.size(), 0)};
  if (k > n_null) {
    const DenseOperator<Scalar> op(W, run.parallel());
    pairs = pairs_beside(W, op, k - n_null, Which::largest, null, 1.0, solver, seed, run);
    for (Index j = 0; j < pairs.values.size(); ++j) pairs.values(j) = 1 - pairs.values(j);
  } else {
    report_exact_null_space(run);
  }
  return assemble_walk(std::move(d), null, n_null, std::move(pairs),
                       std::is_same_v<Scalar, double> ? 1e-10 : 1e-5, run.name());
}

/// lambda^t for the eigenvalues of a walk.
/// \throws ParameterError unless t is at least 0 and finite, and whole where a lambda is negative
template <class Scalar>
Vector<Scalar> walk_powers(const Vector<Scalar>& eigenvalues, double t, std::string_view where) {
  if (!(t >= 0) || std::isinf(t))
    throw ParameterError(text(where, ": time must be at least 0 and finite, got ", t));
  if (t != std::floor(t) && (eigenvalues.array() < 0).any())
    throw ParameterError(text(where, ": time must be whole where an eigenvalue is negative (",
                              eigenvalues.minCoeff(), "), got ", t));
  Vector<Scalar> powers(eigenvalues.size());
  for (Index k = 0; k < powers.size(); ++k)
    powers(k) = static_cast<Scalar>(std::pow(static_cast<double>(eigenvalues(k)), t));
  return powers;
}

#ifdef UNFURL_COMPILED
UNFURL_TEMPLATE WalkSpectrum walk_spectrum(const SparseMatrix<double>&, const Components&, Index,
                                           const AutoSolver&, std::uint64_t, Run&);
#endif

}  // namespace unfurl::detail
