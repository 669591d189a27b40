#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <istream>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "unfurl/core/archive.hpp"
#include "unfurl/core/check.hpp"
#include "unfurl/core/progress.hpp"
#include "unfurl/core/run.hpp"
#include "unfurl/core/sparse.hpp"
#include "unfurl/graph/affinity.hpp"
#include "unfurl/graph/kernel_model.hpp"
#include "unfurl/graph/neighbor_bandwidth.hpp"
#include "unfurl/graph/neighborhoods.hpp"
#include "unfurl/graph/new_points.hpp"
#include "unfurl/graph/walk_spectrum.hpp"
#include "unfurl/kernels/bandwidth.hpp"
#include "unfurl/kernels/radial.hpp"
#include "unfurl/neighbors/auto_search.hpp"

namespace unfurl {

/// Options of LaplacianEigenmap. Set fields by name; new ones may be added at any place.
struct LaplacianEigenmapOptions {
  /// Dimension of the embedding, 1 to n_samples - 1.
  Index n_components = 2;
  /// Each sample is joined to this many nearest ones (an edge if either is among the other's).
  Index n_neighbors = 10;
  /// Join samples at most this far apart instead (the epsilon graph); n_neighbors is then not used.
  std::optional<double> radius = std::nullopt;
  /// sigma of exp(-d^2 / (2 sigma^2)), a length. Empty: the kernel's own, or else the median
  /// distance of a sample to its last neighbour.
  std::optional<double> bandwidth = std::nullopt;
  /// What to do when the graph has several components. With `allow` nothing is dropped: the first
  /// coordinates tell the components apart.
  OnDisconnected on_disconnected = OnDisconnected::error;
  std::uint64_t seed = 0;               ///< of start vectors
  int n_threads = 0;                    ///< 0: all cores; the result is the same for any number
  ProgressFunction progress = nullptr;  ///< see Progress; stopping throws CancelledError
  std::size_t memory_limit = 0;         ///< bytes; 0: four fifths of the machine's memory
};

/// Laplacian eigenmap: the slowest vectors of a random walk on the neighbourhood graph. With
/// weights W = K(|x_i - x_j|^2) on the edges, no self-loops, and degrees D, the coordinates are the
/// eigenvectors psi of L_rw = I - D^-1 W with the smallest eigenvalues beside 0, through the
/// symmetric problem: psi = D^(-1/2) u, Psi^T D Psi = I (Belkin and Niyogi 2003).
///
/// Use it to find clusters and to order samples along a manifold; a closed curve becomes a circle.
/// It is fast and has no n x n matrix. Distances are not kept.
///
/// `transform` extends the eigenvectors (Nyström; Bengio et al. 2004): the mean of psi over the
/// neighbours of a new point, weighted by the kernel, over 1 - lambda. Coordinates with lambda near
/// 1 have no smooth extension and are refused. A training sample is returned as it was embedded.
///
/// Time: a sparse factorisation on graphs of curves and surfaces, products with W in higher
/// dimension. Peak of memory beside the data, n samples of d features: n (400 + 20 d + 145
/// n_neighbors) bytes on surfaces, n (400 + 20 d + 225 n_neighbors) on MNIST. A fitted or saved
/// model holds the samples and the embedding.
///
/// Signs: in each column of the embedding the entry of largest modulus is positive.
///
/// \tparam Kernel of squared distances: GaussianKernel, HeatKernel, BinaryKernel or your own; see
///   kernels/requirements.hpp.
/// \tparam Search finds neighbours; see neighbors/requirements.hpp.
/// \tparam Solver finds the smallest eigenpairs of a sparse matrix; see spectral/requirements.hpp.
/// \see \ref page_laplacian_eigenmap, examples/laplacian_eigenmap.cpp
template <class Scalar = double, class Kernel = GaussianKernel<Scalar>, class Search = AutoSearch,
          class Solver = AutoSolver>
class LaplacianEigenmap {
  static_assert(is_scalar_v<Scalar>, "LaplacianEigenmap<Scalar>: Scalar must be float or double");
  static_assert(
      is_kernel_v<Kernel, Scalar>,
      "LaplacianEigenmap<Scalar, Kernel>: Kernel must be callable with a squared distance: "
      "Scalar operator()(Scalar) const; see kernels/requirements.hpp");
  static_assert(is_neighbor_search_v<Search, Scalar>,
                "LaplacianEigenmap<Scalar, Kernel, Search>: Search must be a neighbour search; see "
                "neighbors/requirements.hpp");
  static_assert(
      is_eigen_solver_v<Solver, SparseMatrix<double>>,
      "LaplacianEigenmap<Scalar, Kernel, Search, Solver>: Solver must return "
      "EigenPairs<double> when called with (const SparseMatrix<double>&, Index k, Which); "
      "see spectral/requirements.hpp");

 public:
  /// Not fitted yet. The options are checked by `fit`.
  explicit LaplacianEigenmap(LaplacianEigenmapOptions options = {}, Kernel kernel = Kernel(),
                             Search search = {}, Solver solver = {})
      : options_(std::move(options)),
        kernel_(std::move(kernel)),
        search_(std::move(search)),
        solver_(std::move(solver)) {}

  /// Embeds points, joined to their nearest neighbours.
  /// \param X n_samples x n_features.
  /// \throws ParameterError, DataError, DisconnectedGraphError, NumericalError, SizeLimitError,
  ///   CancelledError, ConvergenceError; the estimator then stays as it was.
  LaplacianEigenmap& fit(const ConstMatrixRef<Scalar>& X) &;

  /// Embeds a table of distances.
  /// \param D n_samples x n_samples distances (not squared), symmetric with a zero diagonal.
  /// \throws as `fit`
  LaplacianEigenmap& fit_distances(const ConstMatrixRef<Scalar>& D) &;

  /// From neighbour lists, of any metric; n_neighbors and radius are used for new points only.
  /// \throws as `fit`; ParameterError for on_disconnected = bridge when there is something to
  /// bridge
  LaplacianEigenmap& fit_neighbors(const NeighborList<Scalar>& neighbors) &;

  /// From a symmetric matrix of affinities, taken as it is, a diagonal included. There is then no
  /// kernel, so new points cannot be placed.
  /// \throws as `fit`; ParameterError for on_disconnected = bridge when there is something to
  /// bridge
  LaplacianEigenmap& fit_affinity(const SparseMatrix<Scalar>& W) &;

  /// `fit(X)`, and a copy of the embedding.
  Matrix<Scalar> fit_transform(const ConstMatrixRef<Scalar>& X) { return fit(X).embedding(); }

  /// Places new points; after `fit(X)` only.
  /// \throws NumericalError when an eigenvalue is within 1e-3 of 1
  Matrix<Scalar> transform(const ConstMatrixRef<Scalar>& X) const;

  /// Places new points by their distances (not squared) to the training samples.
  /// \param D m x n_samples
  Matrix<Scalar> transform_distances(const ConstMatrixRef<Scalar>& D) const;

  /// n_samples x n_components.
  const Matrix<Scalar>& embedding() const { return fitted("embedding").embedding; }
  /// Of L_rw, ascending, the 0 of the constant vector left out.
  const Vector<Scalar>& eigenvalues() const { return fitted("eigenvalues").eigenvalues; }
  /// The sigma used; 0 for a kernel without one and after fit_affinity.
  Scalar bandwidth() const { return fitted("bandwidth").model.bandwidth; }
  /// The row sums of the affinities.
  const Vector<Scalar>& degrees() const { return fitted("degrees").degrees; }
  /// With on_disconnected = largest_component: the rows of the input that were embedded, ascending;
  /// row i of the embedding is kept_samples()[i]. Empty when all of them were.
  const std::vector<Index>& kept_samples() const { return fitted("kept_samples").model.kept; }

  /// A `fit` or `load` has succeeded.
  bool is_fitted() const { return fitted_.has_value(); }
  /// Number of embedded samples.
  Index n_samples() const { return fitted("n_samples").embedding.rows(); }
  /// 0 unless fitted on points.
  Index n_features() const { return fitted("n_features").model.points.dimension(); }
  /// As given; after `load` those that the stream holds.
  const LaplacianEigenmapOptions& options() const { return options_; }
  /// What `fit` did: path, certificate, seconds a stage. Empty after `load`.
  const FitReport& report() const { return fitted("report").report; }

  /// Writes samples, embedding and the kernel by its name. Of a kernel of your own the bandwidth is
  /// kept and, if it has one, its `static constexpr const char* name`; two without a name are taken
  /// for the same. \throws IoError
  void save(std::ostream& out) const;

  /// Reads what `save` wrote.
  /// \throws FormatError when the stream does not hold a LaplacianEigenmap<Scalar>; IoError when it
  ///   fails.
  static LaplacianEigenmap load(std::istream& in);

 private:
  using Model = detail::KernelModel<Scalar, Kernel, Search>;

  struct Fitted {
    Model model = {};
    Vector<Scalar> degrees = {}, eigenvalues = {};
    Matrix<Scalar> embedding = {};
    FitReport report = {};
  };

  const Fitted& fitted(const char* member) const {
    detail::require_fitted(is_fitted(), "LaplacianEigenmap", member);
    return *fitted_;
  }

  detail::NeighborRule rule() const { return {options_.n_neighbors, options_.radius}; }

  void check_options(Index n) const {
    if (n < 2)
      throw DataError(
          detail::text("LaplacianEigenmap: found ", n, " samples, a minimum of 2 is required"));
    detail::check_range<Index>("LaplacianEigenmap", "n_components", options_.n_components, 1, n - 1,
                               detail::text("n_samples = ", n));
  }

  void foresee(Index n, Index d, double n_neighbors, Run& run) const {
    detail::foresee_walk<Scalar>(n, d, n_neighbors, options_.n_components, 0, run);
  }

  LaplacianEigenmap& fit_graph(detail::Neighborhoods<Scalar, Search> found, Run& run) {
    if (!found.kept.empty()) check_options(found.graph.n_vertices());
    run.stage("affinities");
    const auto scaled = scale_kernel<Scalar>(run.name(), kernel_, options_.bandwidth,
                                             [&] { return median_bandwidth(found.list); });
    detail::foresee_walk(found.graph, found.points.dimension(), options_.n_components, 0, run);
    const SparseMatrix<Scalar> W =
        affinity(found.graph, scaled.kernel, SelfLoops::none, run.parallel(), run.name());
    Fitted f;
    f.model.take(found);
    f.model.take(scaled, run);
    return finish(std::move(f), W, run);
  }

  LaplacianEigenmap& finish(Fitted&& f, const SparseMatrix<Scalar>& W, Run& run) {
    run.stage("eigenpairs", true);
    const Components components = detail::walk_components(W, options_.on_disconnected, run);
    const detail::WalkSpectrum walk =
        detail::walk_spectrum(detail::in_precision<double>(W), components, options_.n_components,
                              solver_, options_.seed, run);
    run.stage("embedding");
    f.degrees = walk.degrees.template cast<Scalar>();
    f.eigenvalues = walk.values.template cast<Scalar>();
    f.embedding = walk.vectors.template cast<Scalar>();
    f.report = run.finish();
    fitted_ = std::move(f);
    return *this;
  }

  Matrix<Scalar> extend(const Fitted& f, const NeighborList<Scalar>& neighbors, const char* where,
                        const Parallel& parallel) const {
    Matrix<Scalar> psi = f.embedding;
    for (Index k = 0; k < psi.cols(); ++k) {
      const Scalar rest = 1 - f.eigenvalues(k);
      if (!(std::abs(rest) > Scalar(1e-3)))
        throw NumericalError(
            detail::text(where, ": coordinate ", k + 1, " has eigenvalue ", f.eigenvalues(k),
                         ", too near 1 to be extended to new points; ask for fewer n_components"));
      psi.col(k) /= rest;
    }
    return detail::step_averages(where, neighbors, f.model.kernel, psi, f.embedding, parallel,
                                 [](Index) { return Scalar(1); });
  }

  LaplacianEigenmapOptions options_;
  Kernel kernel_;
  Search search_;
  Solver solver_;
  std::optional<Fitted> fitted_;
};

template <class Scalar, class Kernel, class Search, class Solver>
auto LaplacianEigenmap<Scalar, Kernel, Search, Solver>::fit(
    const ConstMatrixRef<Scalar>& X) & -> LaplacianEigenmap& {
  Run run("LaplacianEigenmap", options_);
  run.stage("checks");
  detail::check_training_samples<Scalar>(run.name(), X, run.parallel());
  check_options(X.rows());
  rule().check(run.name(), X.rows());
  foresee(X.rows(), X.cols(), static_cast<double>(rule().typical_count(X.rows())), run);
  return fit_graph(
      detail::neighborhoods_of_points(X, rule(), options_.on_disconnected, search_, run), run);
}

template <class Scalar, class Kernel, class Search, class Solver>
auto LaplacianEigenmap<Scalar, Kernel, Search, Solver>::fit_distances(
    const ConstMatrixRef<Scalar>& D) & -> LaplacianEigenmap& {
  Run run("LaplacianEigenmap", options_);
  run.stage("checks");
  detail::check_distances<Scalar>(run.name(), D, run.parallel());
  check_options(D.rows());
  rule().check(run.name(), D.rows());
  foresee(D.rows(), 0, static_cast<double>(rule().typical_count(D.rows())), run);
  return fit_graph(
      detail::neighborhoods_of_distances<Search>(D, rule(), options_.on_disconnected, run), run);
}

template <class Scalar, class Kernel, class Search, class Solver>
auto LaplacianEigenmap<Scalar, Kernel, Search, Solver>::fit_neighbors(
    const NeighborList<Scalar>& neighbors) & -> LaplacianEigenmap& {
  Run run("LaplacianEigenmap", options_);
  run.stage("checks");
  check_options(neighbors.size());
  return fit_graph(
      detail::neighborhoods_of_lists<Search>(neighbors, rule(), options_.on_disconnected, run),
      run);
}

template <class Scalar, class Kernel, class Search, class Solver>
auto LaplacianEigenmap<Scalar, Kernel, Search, Solver>::fit_affinity(
    const SparseMatrix<Scalar>& W) & -> LaplacianEigenmap& {
  Run run("LaplacianEigenmap", options_);
  run.stage("checks");
  check_affinity(run.name(), W);
  check_options(W.rows());
  Fitted f;
  f.model.level = Model::Level::affinities;
  run.stage("graph");
  foresee(W.rows(), 0, detail::typical_neighbors(W.nonZeros(), W.rows()), run);
  const SparseMatrix<Scalar> part =
      detail::resolve_affinity(W, options_.on_disconnected, f.model.kept, run);
  if (!f.model.kept.empty()) check_options(part.rows());
  return finish(std::move(f), part, run);
}

template <class Scalar, class Kernel, class Search, class Solver>
Matrix<Scalar> LaplacianEigenmap<Scalar, Kernel, Search, Solver>::transform(
    const ConstMatrixRef<Scalar>& X) const {
  const Fitted& f = fitted("transform");
  f.model.require_points("LaplacianEigenmap");
  const char* const where = "LaplacianEigenmap::transform";
  const Parallel parallel(options_.n_threads);
  detail::check_new_samples<Scalar>(where, X, f.model.points.dimension(), parallel);
  return extend(f, detail::neighbors_of_new(f.model.points, X, f.model.rule, parallel, where),
                where, parallel);
}

template <class Scalar, class Kernel, class Search, class Solver>
Matrix<Scalar> LaplacianEigenmap<Scalar, Kernel, Search, Solver>::transform_distances(
    const ConstMatrixRef<Scalar>& D) const {
  const Fitted& f = fitted("transform_distances");
  const char* const where = "LaplacianEigenmap::transform_distances";
  f.model.require_kernel("LaplacianEigenmap");
  const Parallel parallel(options_.n_threads);
  detail::check_new_distances<Scalar>(where, D, f.embedding.rows(), parallel);
  return extend(f, detail::neighbors_of_new<Scalar>(D, f.model.rule, parallel), where, parallel);
}

template <class Scalar, class Kernel, class Search, class Solver>
void LaplacianEigenmap<Scalar, Kernel, Search, Solver>::save(std::ostream& out) const {
  const Fitted& f = fitted("save");
  detail::ArchiveWriter archive;
  archive.matrix(f.embedding);
  archive.matrix(f.eigenvalues);
  archive.matrix(f.degrees);
  f.model.write(archive);
  archive.write_to(out, "LaplacianEigenmap", sizeof(Scalar));
}

template <class Scalar, class Kernel, class Search, class Solver>
auto LaplacianEigenmap<Scalar, Kernel, Search, Solver>::load(std::istream& in)
    -> LaplacianEigenmap {
  detail::ArchiveReader archive(in, "LaplacianEigenmap", sizeof(Scalar));
  LaplacianEigenmapOptions options;
  Fitted f;
  f.embedding = archive.template matrix<Scalar>();
  const Index n = f.embedding.rows();
  options.n_components = f.embedding.cols();
  f.eigenvalues = archive.template vector<Scalar>();
  f.degrees = archive.template vector<Scalar>();
  f.model.read(archive, n);
  archive.finish();
  archive.require(n >= 2 && f.embedding.cols() >= 1 && f.eigenvalues.size() == f.embedding.cols() &&
                      f.degrees.size() == n,
                  "the shapes disagree");
  archive.require(f.embedding.allFinite() && f.eigenvalues.allFinite() && f.degrees.allFinite(),
                  "a value is NaN or Inf");
  archive.require((f.degrees.array() > 0).all(), "a degree is not positive");
  options.n_neighbors = f.model.rule.n_neighbors;
  options.radius = f.model.rule.radius;
  if (f.model.bandwidth > 0) options.bandwidth = static_cast<double>(f.model.bandwidth);
  LaplacianEigenmap map(options);
  map.fitted_ = std::move(f);
  return map;
}

#ifdef UNFURL_COMPILED
extern template class LaplacianEigenmap<float>;
extern template class LaplacianEigenmap<double>;
#endif

}  // namespace unfurl
