#include "faults/fits.hpp"

#include <sstream>
#include <utility>

#include "support/catch.hpp"

namespace {

/// Classical scaling that takes points for their distances.
class ScaledDistances : public unfurl::ClassicalMDS<double> {
 public:
  using Base = unfurl::ClassicalMDS<double>;
  using Rows = unfurl::ConstMatrixRef<double>;
  explicit ScaledDistances(const unfurl::ClassicalMDSOptions& options,
                           const unfurl::AutoSolver& solver = {})
      : Base(options, solver) {}
  explicit ScaledDistances(Base base) : Base(std::move(base)) {}
  ScaledDistances& fit(const Rows& D) & {
    fit_distances(D);
    return *this;
  }
  unfurl::Matrix<double> fit_transform(const Rows& D) { return fit(D).embedding(); }
  unfurl::Matrix<double> transform(const Rows& D) const { return transform_distances(D); }
  static ScaledDistances load(std::istream& in) { return ScaledDistances(Base::load(in)); }
};

}  // namespace

namespace test {

using namespace unfurl;

Any estimator(const PCAOptions& options) { return PCA<double>(options); }
Any estimator(const ClassicalMDSOptions& options, const AutoSolver& solver) {
  return ClassicalMDS<double>(options, solver);
}
Any scaled_distances(const ClassicalMDSOptions& options, const AutoSolver& solver) {
  return ScaledDistances(options, solver);
}
Any estimator(const IsomapOptions& options, const AutoSearch& search, const AutoSolver& solver) {
  return Isomap<double>(options, search, solver);
}
Any estimator(const LLEOptions& options, const AutoSearch& search, const AutoSolver& solver) {
  return LLE<double>(options, search, solver);
}
Any estimator(const LaplacianEigenmapOptions& options, const AutoSearch& search,
              const AutoSolver& solver) {
  return LaplacianEigenmap<double>(options, GaussianKernel<double>(), search, solver);
}
Any estimator(const DiffusionMapOptions& options, const AutoSearch& search,
              const AutoSolver& solver) {
  return DiffusionMap<double>(options, GaussianKernel<double>(), search, solver);
}
Any estimator(const TSNEOptions& options, const AutoSearch& search) {
  return TSNE<double>(options, search);
}

Any load_any(std::istream& in) { return Any::load(in); }

std::string saved(const Any& estimator) {
  std::ostringstream out;
  estimator.save(out);
  return out.str();
}

Matrix<double> Route::input(const Matrix<double>& points, const Matrix<double>& samples) const {
  if (!takes_distances) return points;
  Matrix<double> D(points.rows(), samples.rows());
  for (Index i = 0; i < D.rows(); ++i)
    for (Index j = 0; j < D.cols(); ++j) D(i, j) = (points.row(i) - samples.row(j)).norm();
  return D;
}

Matrix<double> sheet(Index n, std::uint64_t seed) {
  Random random(seed);
  Matrix<double> X(n, 3);
  for (Index i = 0; i < n; ++i) {
    const double u = 3 * random.uniform(), v = random.uniform();
    X.row(i) << u, v, 0.2 * u * u;
  }
  return X;
}

std::vector<Route> small_routes(int n_threads, const ProgressFunction& progress) {
  std::vector<Route> routes;
  const auto common = [&](auto options) {
    options.n_threads = n_threads;
    options.progress = progress;
    return options;
  };
  AutoSolver factor, lanczos;  // not dense, however few the samples are
  factor.dense_up_to = lanczos.dense_up_to = 0;
  factor.max_pattern_dimension = 1e9;
  lanczos.max_pattern_dimension = 0;
  const AutoSearch tree{SearchMethod::kd_tree};

  auto pca = common(PCAOptions());
  routes.push_back({"PCA by SVD", estimator(pca), "SVD"});
  pca.solver = PCASolver::lanczos;
  routes.push_back({"PCA by Lanczos", estimator(pca), "on the data"});
  pca.solver = PCASolver::randomized;
  routes.push_back({"PCA by projection", estimator(pca), "randomized"});

  const auto mds = common(ClassicalMDSOptions());
  routes.push_back({"ClassicalMDS", estimator(mds), "SVD"});
  routes.push_back({"ClassicalMDS of distances", scaled_distances(mds, lanczos), "Lanczos", true});

  auto isomap = common(IsomapOptions());
  isomap.n_neighbors = 6;
  routes.push_back({"Isomap", estimator(isomap, tree, lanczos), "Lanczos"});
  isomap.n_landmarks = 12;
  routes.push_back({"Isomap with landmarks", estimator(isomap), "dense"});

  auto lle = common(LLEOptions());
  lle.n_neighbors = 6;
  routes.push_back({"LLE, dense", estimator(lle), "dense"});
  routes.push_back({"LLE by a factor", estimator(lle, tree, factor), "shift-invert"});

  auto map = common(LaplacianEigenmapOptions());
  map.n_neighbors = 6;
  routes.push_back({"LaplacianEigenmap, dense", estimator(map), "dense"});
  routes.push_back({"LaplacianEigenmap by a factor", estimator(map, tree, factor), "shift-invert"});
  routes.push_back({"LaplacianEigenmap by Lanczos", estimator(map, {}, lanczos), "Lanczos"});

  auto diffusion = common(DiffusionMapOptions());
  diffusion.alpha = 1;
  routes.push_back({"DiffusionMap", estimator(diffusion, {}, lanczos), "Lanczos"});
  diffusion.bandwidth = 0.7;
  routes.push_back({"DiffusionMap of a bandwidth", estimator(diffusion), "dense"});
  diffusion.n_neighbors = 6;
  routes.push_back({"DiffusionMap, sparse", estimator(diffusion, {}, factor), "shift-invert"});

  auto tsne = common(TSNEOptions());
  tsne.perplexity = 4;
  tsne.max_iter = 2;
  tsne.progress_every = 1;
  tsne.learning_rate = 10;
  routes.push_back({"TSNE, exact", estimator(tsne), "exact"});
  tsne.method = TSNEMethod::barnes_hut;
  tsne.init = TSNEInit::spectral;
  routes.push_back({"TSNE by Barnes-Hut", estimator(tsne, tree), "Barnes-Hut gradient"});
  tsne.method = TSNEMethod::fft;
  tsne.init = TSNEInit::random;
  routes.push_back({"TSNE on a grid", estimator(tsne), "grid"});
  return routes;
}

}  // namespace test

TEST_CASE("the routes that faults are tried on are those they are called", "[faults]") {
  const auto X = test::sheet(30, 5);
  for (test::Route& route : test::small_routes(1)) {
    CAPTURE(route.name);
    const std::string solver = route.blank.fit(route.input(X, X)).report().solver;
    CAPTURE(solver);
    CHECK(solver.find(route.solver) != std::string::npos);
  }
}
