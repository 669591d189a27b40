#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "unfurl/core/archive.hpp"
#include "unfurl/core/check.hpp"
#include "unfurl/core/finite_places.hpp"
#include "unfurl/core/progress.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/run.hpp"
#include "unfurl/spectral/auto_solver.hpp"
#include "unfurl/spectral/centered_squares.hpp"
#include "unfurl/spectral/centering.hpp"
#include "unfurl/spectral/classical_scaling.hpp"
#include "unfurl/spectral/euclidean_test.hpp"
#include "unfurl/spectral/principal_axes.hpp"

namespace unfurl {

/// Options of ClassicalMDS. Set fields by name; new ones may be added at any place.
struct ClassicalMDSOptions {
  /// Dimension of the embedding, 1 to n_samples - 1.
  Index n_components = 2;
  /// Number of samples, chosen at random, that determine the map; the others are placed by their
  /// distances to these (de Silva and Tenenbaum 2004). 0: all. Fewer are faster and less accurate;
  /// more than n_components are needed.
  Index n_landmarks = 0;
  std::uint64_t seed = 0;               ///< of landmarks, start vectors and sampled stress
  int n_threads = 0;                    ///< 0: all cores; the result is the same for any number
  ProgressFunction progress = nullptr;  ///< see Progress; stopping throws CancelledError
  std::size_t memory_limit = 0;         ///< bytes; 0: four fifths of the machine's memory
};

/// Classical multidimensional scaling: points whose distances fit a given distance matrix D best.
/// With B = -1/2 J D^(2) J = V Lambda V^T the embedding is V_k sqrt(Lambda_k^+), which minimises |J
/// (D^(2) - D^(2)(Y)) J| (Torgerson 1952; Mathar 1997).
///
/// Use it for tables of distances or dissimilarities. For points, `fit(X)` gives the same embedding
/// through the equivalence with the inner products of the centred points, at the cost of PCA and
/// without an n x n matrix.
///
/// `transform` and `transform_distances` place new points by their distances to the training points
/// (Gower 1968); training points come back to their places.
///
/// Time O(n^2 k) from distances, O(n p min(n, p)) from points. Peak of memory beside the input:
/// from distances 2000 n bytes, or 32 for each of up to 200000 pairs that the stress is taken from
/// if that is more (n^2 numbers more with a Solver of your own), from points that of PCA. A saved
/// model holds the embedding, and after `fit(X)` the p x k map.
///
/// Signs: in each column of the embedding the entry of largest modulus is positive.
///
/// \tparam Solver finds the eigenpairs of B after fit_distances; see spectral/requirements.hpp.
/// \see \ref page_classical_mds, examples/classical_mds.cpp
template <class Scalar = double, class Solver = AutoSolver>
class ClassicalMDS {
  static_assert(is_scalar_v<Scalar>, "ClassicalMDS<Scalar>: Scalar must be float or double");
  static_assert(is_eigen_solver_v<Solver, Matrix<Scalar>>,
                "ClassicalMDS<Scalar, Solver>: Solver must return EigenPairs<Scalar> when called "
                "with (const Matrix<Scalar>&, Index k, Which); see spectral/requirements.hpp");

 public:
  /// Not fitted yet. The options are checked by `fit`.
  explicit ClassicalMDS(ClassicalMDSOptions options = {}, Solver solver = {})
      : options_(std::move(options)), solver_(std::move(solver)) {}

  /// Embeds points: the map of their distances, found without the distances.
  /// \param X n_samples x n_features.
  /// \throws ParameterError, DataError, SizeLimitError, CancelledError, ConvergenceError; the
  ///   estimator then stays as it was.
  ClassicalMDS& fit(const ConstMatrixRef<Scalar>& X) &;

  /// Embeds a table of distances.
  /// \param D n_samples x n_samples distances or dissimilarities (not squared), symmetric with a
  ///   zero diagonal.
  /// \throws as `fit`, and NumericalError when fewer than n_components eigenvalues are positive.
  ClassicalMDS& fit_distances(const ConstMatrixRef<Scalar>& D) &;

  /// `fit(X)`, and a copy of the embedding.
  Matrix<Scalar> fit_transform(const ConstMatrixRef<Scalar>& X) { return fit(X).embedding(); }

  /// Places new points; after `fit(X)` only.
  Matrix<Scalar> transform(const ConstMatrixRef<Scalar>& X) const;

  /// Places new points by their distances (not squared) to the training points.
  /// \param D m x n_samples, or m x n_landmarks in the order of landmarks().
  Matrix<Scalar> transform_distances(const ConstMatrixRef<Scalar>& D) const;

  /// n_samples x n_components.
  const Matrix<Scalar>& embedding() const { return fitted("embedding").embedding; }
  /// The n_components largest eigenvalues of B (of the landmarks' B where there are landmarks).
  const Vector<Scalar>& eigenvalues() const { return fitted("eigenvalues").eigenvalues; }
  /// Kruskal's stress-1 of the embedding, sqrt(sum (d - delta)^2 / sum delta^2) over the pairs;
  /// over 200000 seeded random pairs where there are more.
  double stress() const { return fitted("stress").stress; }
  /// Sum of the moduli of the negative eigenvalues over the sum of all moduli: how far D is from
  /// Euclidean. 0 for points. Exact up to 600 samples, then an estimate (the report says so).
  double negative_mass() const { return fitted("negative_mass").negative_mass; }
  /// Row numbers of the landmarks, ascending; empty when all points were used.
  const std::vector<Index>& landmarks() const { return fitted("landmarks").landmarks; }

  /// A `fit` or `load` has succeeded.
  bool is_fitted() const { return fitted_.has_value(); }
  /// Number of samples embedded.
  Index n_samples() const { return fitted("n_samples").n_samples; }
  /// 0 after fit_distances.
  Index n_features() const { return fitted("n_features").mean.size(); }
  /// As given; after `load` those that the stream holds.
  const ClassicalMDSOptions& options() const { return options_; }
  /// What `fit` did: path, certificate, seconds a stage. Empty after `load`.
  const FitReport& report() const { return fitted("report").report; }

  /// Writes what the transforms need. \throws IoError
  void save(std::ostream& out) const;

  /// Reads what `save` wrote.
  /// \throws FormatError when the stream does not hold a ClassicalMDS<Scalar>; IoError when it
  ///   fails.
  static ClassicalMDS load(std::istream& in);

 private:
  struct Fitted {
    Index n_samples = 0;
    std::vector<Index> landmarks;
    Matrix<Scalar> embedding;
    Vector<Scalar> eigenvalues;
    Vector<double> mean_squares;  // over i of d^2(x_i, x_j), for each reference point j
    Vector<Scalar> mean;          // after fit(X): new points are placed by (x - mean) axes
    Matrix<Scalar> axes;
    double stress = 0, negative_mass = 0;
    FitReport report;
  };

  /// The coordinates of points at distances D. The library's own solver reads D; another one is
  /// given the double-centred matrix.
  /// \param n_samples more than D has rows where that is of landmarks only
  detail::Scaling<Scalar> scale(const ConstMatrixRef<Scalar>& D, Index n_samples,
                                Vector<double>& mean_squares, Run& run) const {
    const Index n = D.rows();
    const int n_threads = run.parallel().n_threads();
    const double size = sizeof(Scalar), stress = detail::stress_bytes(n_samples);
    const double kept = n < n_samples ? static_cast<double>(n) * static_cast<double>(n_samples) : 0;
    if constexpr (std::is_same_v<Solver, AutoSolver>) {
      run.foresee("the Krylov space", size * kept,
                  detail::block_lanczos_bytes(n, options_.n_components, n_threads), stress);
      const CenteredSquares<Scalar> B(D, run.parallel());
      mean_squares = B.means();
      return detail::classical_scaling<Scalar>(B, B, options_.n_components, solver_, options_.seed,
                                               run);
    } else {
      const double rows = static_cast<double>(n);
      run.foresee("the double-centred matrix", size * (kept + rows * rows),
                  detail::block_lanczos_bytes(n, options_.n_components, n_threads), stress);
      mean_squares = column_mean_squares(D, run.parallel());
      Matrix<Scalar> B = D;
      double_center(B, mean_squares, run.parallel());
      return detail::classical_scaling<Scalar>(B, DenseOperator<Scalar>(B, run.parallel()),
                                               options_.n_components, solver_, options_.seed, run);
    }
  }

  const Fitted& fitted(const char* member) const {
    detail::require_fitted(is_fitted(), "ClassicalMDS", member);
    return *fitted_;
  }

  Fitted begin(Index n) const {
    const std::string samples = detail::text("n_samples = ", n);
    detail::check_range<Index>("ClassicalMDS", "n_components", options_.n_components, 1, n - 1,
                               samples);
    Fitted f;
    f.n_samples = n;
    if (options_.n_landmarks == 0) return f;
    detail::check_range<Index>("ClassicalMDS", "n_landmarks", options_.n_landmarks,
                               options_.n_components + 1, n, samples + ", 0 = all");
    if (options_.n_landmarks == n) return f;
    f.landmarks = Random(options_.seed, 2).sample(n, options_.n_landmarks);
    std::sort(f.landmarks.begin(), f.landmarks.end());
    return f;
  }

  /// \param lengths_of the distances that were to be kept, of these pairs of samples
  template <class LengthsOf>
  void set_stress(Fitted& f, Run& run, LengthsOf&& lengths_of) const {
    const Index n = f.embedding.rows();
    const auto pairs = detail::sample_pairs(n, options_.seed);
    if (static_cast<Index>(pairs.size()) < n * (n - 1) / 2)
      run.report().notes.push_back(detail::text("stress from ", pairs.size(), " random pairs"));
    f.stress = detail::stress_1(lengths_of(pairs),
                                detail::pair_lengths<Scalar>(f.embedding, pairs, run.parallel()));
  }

  ClassicalMDS& commit(Fitted&& f, Run& run) {
    if (!f.landmarks.empty())
      run.report().notes.push_back(
          detail::text(f.landmarks.size(), " landmarks, the other points placed by distance"));
    run.report().negative_mass = f.negative_mass;
    f.report = run.finish();
    fitted_ = std::move(f);
    return *this;
  }

  static Matrix<Scalar> rows_of(const ConstMatrixRef<Scalar>& X, const std::vector<Index>& rows) {
    Matrix<Scalar> chosen(static_cast<Index>(rows.size()), X.cols());
    for (Index i = 0; i < chosen.rows(); ++i)
      chosen.row(i) = X.row(rows[static_cast<std::size_t>(i)]);
    return chosen;
  }

  static Matrix<Scalar> columns_of(const ConstMatrixRef<Scalar>& X,
                                   const std::vector<Index>& columns) {
    Matrix<Scalar> chosen(X.rows(), static_cast<Index>(columns.size()));
    for (Index j = 0; j < chosen.cols(); ++j)
      chosen.col(j) = X.col(columns[static_cast<std::size_t>(j)]);
    return chosen;
  }

  ClassicalMDSOptions options_;
  Solver solver_;
  std::optional<Fitted> fitted_;
};

template <class Scalar, class Solver>
auto ClassicalMDS<Scalar, Solver>::fit(const ConstMatrixRef<Scalar>& X) & -> ClassicalMDS& {
  Run run("ClassicalMDS", options_);
  run.stage("checks");
  detail::check_training_samples<Scalar>(run.name(), X, run.parallel());
  Fitted f = begin(X.rows());

  run.stage("mean");
  const Matrix<Scalar> chosen = f.landmarks.empty() ? Matrix<Scalar>() : rows_of(X, f.landmarks);
  const ConstMatrixRef<Scalar> reference =
      f.landmarks.empty() ? ConstMatrixRef<Scalar>(X) : ConstMatrixRef<Scalar>(chosen);
  f.mean = column_means<Scalar>(reference, run.parallel());
  const CenteredRows<Scalar> Xc(reference, f.mean, run.parallel());
  detail::AxesOptions wanted;
  wanted.k = std::min({options_.n_components, reference.rows(), reference.cols()});
  wanted.seed = options_.seed;
  wanted.bytes_later =
      detail::stress_bytes(X.rows()) + 2 * sizeof(Scalar) * static_cast<double>(X.rows()) *
                                           static_cast<double>(options_.n_components);
  const detail::PrincipalAxes<Scalar> found = detail::principal_axes(Xc, wanted, run);

  // B = Xc Xc^T = U S^2 U^T, so V sqrt(Lambda) = U S = Xc V: coordinates beyond the rank are 0.
  run.stage("embedding");
  f.axes = Matrix<Scalar>::Zero(X.cols(), options_.n_components);
  f.axes.leftCols(wanted.k) = found.axes;
  const Matrix<Scalar> placed = Xc.times(f.axes);
  f.eigenvalues =
      placed.template cast<double>().colwise().squaredNorm().transpose().template cast<Scalar>();
  detail::drop_zero_eigenvalues(f.eigenvalues, f.axes);
  f.embedding = CenteredRows<Scalar>(X, f.mean, run.parallel()).times(f.axes);
  const Vector<Scalar> signs = column_signs(f.embedding);
  f.embedding *= signs.asDiagonal();
  f.axes *= signs.asDiagonal();
  // The mean over i of |x_i - x_j|^2 is |x_j - mean|^2 plus the total variance.
  f.mean_squares = Xc.squared_row_norms();
  f.mean_squares.array() += Xc.squared_norm() / static_cast<double>(reference.rows());
  report_spectrum(EigenPairs<double>{found.squared_values.head(wanted.k), {}, found.info},
                  run.report());
  set_stress(f, run, [&](const auto& pairs) {
    return detail::pair_lengths<Scalar>(X, pairs, run.parallel());
  });
  return commit(std::move(f), run);
}

template <class Scalar, class Solver>
auto ClassicalMDS<Scalar, Solver>::fit_distances(
    const ConstMatrixRef<Scalar>& D) & -> ClassicalMDS& {
  Run run("ClassicalMDS", options_);
  run.stage("checks");
  detail::check_distances<Scalar>(run.name(), D, run.parallel());
  Fitted f = begin(D.rows());

  run.stage("eigenpairs", true);
  const auto scaling = f.landmarks.empty() ? scale(D, D.rows(), f.mean_squares, run)
                                           : scale(rows_of(columns_of(D, f.landmarks), f.landmarks),
                                                   D.rows(), f.mean_squares, run);
  f.eigenvalues = scaling.eigenvalues;
  f.negative_mass = scaling.negative_mass;

  run.stage("embedding");
  f.embedding = scaling.coordinates;
  if (!f.landmarks.empty())
    f.embedding =
        detail::place_by_distances<Scalar>(columns_of(D, f.landmarks), scaling.coordinates,
                                           f.eigenvalues, f.mean_squares, run.parallel());
  fix_signs(f.embedding);
  set_stress(f, run, [&](const auto& pairs) {
    Vector<double> lengths(static_cast<Index>(pairs.size()));
    run.parallel().for_each(
        lengths.size(),
        [&](Index p) {
          const auto [i, j] = pairs[static_cast<std::size_t>(p)];
          lengths(p) = static_cast<double>(D(i, j));
        },
        8192);
    return lengths;
  });
  return commit(std::move(f), run);
}

template <class Scalar, class Solver>
Matrix<Scalar> ClassicalMDS<Scalar, Solver>::transform(const ConstMatrixRef<Scalar>& X) const {
  const Fitted& f = fitted("transform");
  if (f.mean.size() == 0)
    throw NotFittedError(
        "ClassicalMDS::transform: this model was fitted on distances; call "
        "transform_distances with the distances from the new points to the training points");
  const Parallel parallel(options_.n_threads);
  detail::check_new_samples<Scalar>("ClassicalMDS::transform", X, f.mean.size(), parallel);
  return detail::finite_places<Scalar>("ClassicalMDS::transform",
                                       CenteredRows<Scalar>(X, f.mean, parallel).times(f.axes));
}

template <class Scalar, class Solver>
Matrix<Scalar> ClassicalMDS<Scalar, Solver>::transform_distances(
    const ConstMatrixRef<Scalar>& D) const {
  const Fitted& f = fitted("transform_distances");
  const Parallel parallel(options_.n_threads);
  const Index n_landmarks = static_cast<Index>(f.landmarks.size());
  detail::check_new_distances<Scalar>(
      "ClassicalMDS::transform_distances", D,
      n_landmarks > 0 && D.cols() == n_landmarks ? n_landmarks : f.n_samples, parallel);
  const Matrix<Scalar> reference =
      n_landmarks == 0 ? f.embedding : rows_of(f.embedding, f.landmarks);
  return detail::finite_places<Scalar>(
      "ClassicalMDS::transform_distances",
      detail::place_by_distances<Scalar>(n_landmarks > 0 && D.cols() == f.n_samples
                                             ? columns_of(D, f.landmarks)
                                             : Matrix<Scalar>(D),
                                         reference, f.eigenvalues, f.mean_squares, parallel));
}

template <class Scalar, class Solver>
void ClassicalMDS<Scalar, Solver>::save(std::ostream& out) const {
  const Fitted& f = fitted("save");
  detail::ArchiveWriter archive;
  archive.matrix(f.embedding);
  archive.matrix(f.eigenvalues);
  archive.matrix(f.mean_squares);
  archive.matrix(f.mean);
  archive.matrix(f.axes);
  archive.indices(f.landmarks);
  archive.number(f.stress);
  archive.number(f.negative_mass);
  archive.write_to(out, "ClassicalMDS", sizeof(Scalar));
}

template <class Scalar, class Solver>
auto ClassicalMDS<Scalar, Solver>::load(std::istream& in) -> ClassicalMDS {
  detail::ArchiveReader archive(in, "ClassicalMDS", sizeof(Scalar));
  Fitted f;
  f.embedding = archive.template matrix<Scalar>();
  f.eigenvalues = archive.template vector<Scalar>();
  f.mean_squares = archive.template vector<double>();
  f.mean = archive.template vector<Scalar>();
  f.axes = archive.template matrix<Scalar>();
  f.n_samples = f.embedding.rows();
  f.landmarks = archive.indices(f.n_samples);
  const auto n_landmarks = static_cast<Index>(f.landmarks.size());
  f.stress = archive.template number<double>();
  f.negative_mass = archive.template number<double>();
  archive.finish();
  const Index k = f.embedding.cols(), p = f.mean.size();
  archive.require(f.n_samples >= 2 && k >= 1 && f.eigenvalues.size() == k &&
                      f.mean_squares.size() == (n_landmarks > 0 ? n_landmarks : f.n_samples) &&
                      f.axes.rows() == p && f.axes.cols() == (p > 0 ? k : 0),
                  "the shapes disagree");
  archive.require(f.embedding.allFinite() && f.eigenvalues.allFinite() &&
                      f.mean_squares.allFinite() && f.mean.allFinite() && f.axes.allFinite() &&
                      std::isfinite(f.stress) && std::isfinite(f.negative_mass),
                  "a value is NaN or Inf");
  archive.require((f.eigenvalues.array() >= 0).all(), "an eigenvalue is negative");
  ClassicalMDSOptions options;
  options.n_components = k;
  options.n_landmarks = n_landmarks;
  ClassicalMDS mds(options);
  mds.fitted_ = std::move(f);
  return mds;
}

#ifdef UNFURL_COMPILED
extern template class ClassicalMDS<float>;
extern template class ClassicalMDS<double>;
#endif

}  // namespace unfurl
