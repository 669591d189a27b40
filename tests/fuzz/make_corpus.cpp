// Writes small valid models of every kind, for the fuzzers to start from:
//   g++ -std=c++17 -Iinclude -Itests -I/usr/include/eigen3 tests/fuzz/make_corpus.cpp -o
//   make_corpus
//   ./make_corpus tests/fuzz/corpus
// To be run again when the format of model files changes. The other seeds are files that numpy and
// people have written.
#include <filesystem>
#include <string>

#include "fuzz/input.hpp"
#include "unfurl/every_estimator.hpp"
#include "unfurl/io/model.hpp"

namespace {

using unfurl::Index;
using unfurl::Matrix;

template <class Options>
Options small_options() {
  Options options;
  options.n_components = 2;
  return options;
}

template <class Scalar>
Matrix<Scalar> points() {
  return fuzz::Input("").matrix<Scalar>(8, 3);
}

template <class Scalar>
Matrix<Scalar> distances() {
  const Matrix<Scalar> X = points<Scalar>();
  Matrix<Scalar> D(X.rows(), X.rows());
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.rows(); ++j) D(i, j) = (X.row(i) - X.row(j)).norm();
  return D;
}

template <class Scalar>
void write_models(const std::filesystem::path& corpus) {
  const std::string scalar = sizeof(Scalar) == 4 ? "float" : "double";
  const auto keep = [&](const char* target, const std::string& name, const auto& model) {
    std::filesystem::create_directories(corpus / target);
    unfurl::save_model(corpus / target / (name + "_" + scalar), model);
  };
  const Matrix<Scalar> X = points<Scalar>(), D = distances<Scalar>();

  unfurl::PCA<Scalar> pca;
  keep("model_pca", "plain", pca.fit(X));
  auto whiten = small_options<unfurl::PCAOptions>();
  whiten.whiten = true;
  unfurl::PCA<Scalar> white(whiten);
  keep("model_pca", "white", white.fit(X));

  unfurl::ClassicalMDS<Scalar> mds;
  keep("model_classical_mds", "points", mds.fit(X));
  keep("model_classical_mds", "distances", mds.fit_distances(D));
  auto few = small_options<unfurl::ClassicalMDSOptions>();
  few.n_landmarks = 5;
  unfurl::ClassicalMDS<Scalar> landmarks(few);
  keep("model_classical_mds", "landmarks", landmarks.fit(X));

  auto of_isomap = small_options<unfurl::IsomapOptions>();
  of_isomap.n_neighbors = 3;
  unfurl::Isomap<Scalar> isomap(of_isomap);
  keep("model_isomap", "points", isomap.fit(X));
  keep("model_isomap", "distances", isomap.fit_distances(D));
  of_isomap.radius = 4;
  of_isomap.n_landmarks = 4;
  of_isomap.path = unfurl::Path::hops;
  unfurl::Isomap<Scalar> hops(of_isomap);
  keep("model_isomap", "hops", hops.fit(X));

  auto of_lle = small_options<unfurl::LLEOptions>();
  of_lle.n_neighbors = 4;
  unfurl::LLE<Scalar> lle(of_lle);
  keep("model_lle", "points", lle.fit(X));

  auto of_laplacian = small_options<unfurl::LaplacianEigenmapOptions>();
  of_laplacian.n_neighbors = 3;
  unfurl::LaplacianEigenmap<Scalar> laplacian(of_laplacian);
  keep("model_laplacian_eigenmap", "points", laplacian.fit(X));
  keep("model_laplacian_eigenmap", "distances", laplacian.fit_distances(D));

  auto of_diffusion = small_options<unfurl::DiffusionMapOptions>();
  unfurl::DiffusionMap<Scalar> dense(of_diffusion);
  keep("model_diffusion_map", "dense", dense.fit(X));
  keep("model_diffusion_map", "distances", dense.fit_distances(D));
  of_diffusion.n_neighbors = 4;
  of_diffusion.alpha = 1;
  of_diffusion.time = 2;
  unfurl::DiffusionMap<Scalar> sparse(of_diffusion);
  keep("model_diffusion_map", "sparse", sparse.fit(X));

  auto of_tsne = small_options<unfurl::TSNEOptions>();
  of_tsne.perplexity = 2;
  of_tsne.max_iter = 20;
  unfurl::TSNE<Scalar> tsne(of_tsne);
  keep("model_tsne", "plane", tsne.fit(X));
  keep("model_tsne", "distances", tsne.fit_distances(D));
  of_tsne.n_components = 4;
  of_tsne.degrees_of_freedom = 0.5;
  unfurl::TSNE<Scalar> high(of_tsne);
  keep("model_tsne", "high", high.fit(X));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  write_models<double>(argv[1]);
  write_models<float>(argv[1]);
}
