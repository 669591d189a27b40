#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "unfurl/core/archive.hpp"
#include "unfurl/core/error.hpp"
#include "unfurl/core/run.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/neighborhoods.hpp"
#include "unfurl/graph/saved_kernel.hpp"
#include "unfurl/kernels/bandwidth.hpp"

namespace unfurl::detail {

/// What an estimator on kernel weights keeps of its training samples.
template <class Scalar, class Kernel, class Search>
struct KernelModel {
  /// What it was fitted on, which decides how new points can be given.
  enum class Level { points, distances, affinities };

  Level level = Level::points;
  NeighborRule rule = {};
  IndexedPoints<Scalar, Search> points = {};
  std::vector<Index> kept = {};
  Kernel kernel = Kernel();
  Scalar bandwidth = 0;

  void take(Neighborhoods<Scalar, Search>& found) {
    level = found.points.empty() ? Level::distances : Level::points;
    rule = found.rule;
    points = std::move(found.points);
    kept = std::move(found.kept);
  }

  void take(const ScaledKernel<Scalar, Kernel>& scaled, Run& run) {
    kernel = scaled.kernel;
    bandwidth = scaled.bandwidth.value;
    run.report().notes.push_back(text("bandwidth ", bandwidth, " (", scaled.bandwidth.source, ")"));
  }

  /// \throws NotFittedError
  void require_points(const std::string& estimator) const {
    if (level != Level::points)
      throw NotFittedError(text(estimator,
                                "::transform: this model was not fitted on points; call "
                                "transform_distances with the distances from the new points to the "
                                "training points"));
  }
  void require_kernel(const std::string& estimator) const {
    if (level == Level::affinities)
      throw NotFittedError(text(estimator,
                                "::transform_distances: this model was fitted on affinities and "
                                "has no kernel; use fit, fit_distances or fit_neighbors"));
  }

  void write(ArchiveWriter& archive) const {
    archive.count(static_cast<Index>(level));
    archive.count(rule.n_neighbors);
    archive.optional(rule.radius);
    archive.number(bandwidth);
    archive.indices(kept);
    archive.matrix(points.points());
    write_kernel(archive, kernel);
  }

  /// To be read last. \throws FormatError
  void read(ArchiveReader& archive, Index n_samples) {
    const Index number = archive.count();
    archive.require(number <= static_cast<Index>(Level::affinities), "an unknown kind of model");
    level = static_cast<Level>(number);
    rule.n_neighbors = archive.count();
    rule.radius = archive.optional();
    archive.require(rule.valid(), "n_neighbors or radius is out of range");
    bandwidth = archive.template number<Scalar>();
    archive.require(bandwidth >= 0 && std::isfinite(bandwidth), "the bandwidth is no length");
    kept = archive.indices(std::numeric_limits<Index>::max());
    archive.require(kept.empty() || static_cast<Index>(kept.size()) == n_samples,
                    "the kept samples disagree with the embedding");
    Matrix<Scalar> saved = archive.template matrix<Scalar>();
    archive.require(
        level == Level::points ? saved.cols() == n_samples && saved.rows() >= 1 : saved.size() == 0,
        "the samples disagree with the embedding");
    archive.require(saved.allFinite(), "a value is NaN or Inf");
    if (saved.size() > 0)
      archive.attempt([&] {
        points = {Search(), std::move(saved), rule.typical_count(n_samples)};
      });
    kernel = read_kernel<Kernel>(archive, bandwidth);
  }
};

}  // namespace unfurl::detail
