// t-SNE of a file, for tsne_mnist.py, which compares it with scikit-learn.
//
//   bench_tsne fit X n d new method Y   maps the first n rows, places `new` more, writes all of
//   them bench_tsne evaluate X n d Y         the divergence of a map of the first n rows, exactly
//   bench_tsne error X n d              the error of each method's repulsion, as the map grows
//
// X and Y are files of floats by rows; the method is automatic, exact, barnes_hut or fft. Prints
// one line of JSON.

#include <chrono>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

#include "unfurl/neighbors/knn.hpp"
#include "unfurl/tsne.hpp"

namespace {

using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Rows read(const std::string& path, Eigen::Index rows, Eigen::Index columns) {
  Rows X(rows, columns);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(X.data()),
            static_cast<std::streamsize>(static_cast<std::size_t>(X.size()) * sizeof(float)));
  if (!file) throw std::runtime_error("cannot read so many numbers from " + path);
  return X;
}

double seconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

void fit(char** argv) {
  const Eigen::Index n = std::stol(argv[3]), d = std::stol(argv[4]), n_new = std::stol(argv[5]);
  const std::string method = argv[6];
  const unfurl::Matrix<float> X = read(argv[2], n + n_new, d);
  unfurl::TSNEOptions options;
  if (method == "exact") options.method = unfurl::TSNEMethod::exact;
  if (method == "barnes_hut") options.method = unfurl::TSNEMethod::barnes_hut;
  if (method == "fft") options.method = unfurl::TSNEMethod::fft;
  unfurl::TSNE<float> tsne(options);
  const auto began = std::chrono::steady_clock::now();
  tsne.fit(X.topRows(n));
  const double fitting = seconds_since(began);
  const auto then = std::chrono::steady_clock::now();
  Rows Y(n + n_new, 2);
  Y << tsne.embedding(), tsne.transform(X.bottomRows(n_new));
  std::ofstream(argv[7], std::ios::binary)
      .write(reinterpret_cast<const char*>(Y.data()),
             static_cast<std::streamsize>(static_cast<std::size_t>(Y.size()) * sizeof(float)));
  std::cout << "{\"fit\": " << fitting << ", \"transform\": " << seconds_since(then)
            << ", \"kl\": " << tsne.kl_divergence();
  for (const auto& stage : tsne.report().stages)
    std::cout << ", \"" << stage.name << "\": " << stage.seconds;
  std::cout << "}\n";
}

void evaluate(char** argv) {
  const Eigen::Index n = std::stol(argv[3]), d = std::stol(argv[4]);
  const unfurl::Matrix<double> X = read(argv[2], n, d).cast<double>();
  const unfurl::Matrix<double> Y = read(argv[5], n, 2).transpose().cast<double>();
  const unfurl::Parallel parallel;
  const auto conditional =
      unfurl::detail::conditional_affinities(unfurl::knn(X, 90), {30.0}, parallel);
  const auto P = unfurl::detail::joint_affinities(conditional.lists, parallel, "evaluate");
  unfurl::detail::Repulsion<double> push;
  unfurl::detail::ExactRepulsion{}(Y, push, parallel);
  std::cout << "{\"kl\": " << unfurl::detail::divergence(P, Y, 1, push.normalizer, parallel)
            << "}\n";
}

/// Relative to the repulsion, and to the gradient, in which attraction and repulsion nearly cancel.
void error(char** argv) {
  const Eigen::Index n = std::stol(argv[3]), d = std::stol(argv[4]);
  const unfurl::Matrix<float> X = read(argv[2], n, d);
  const unfurl::Parallel parallel;
  const auto conditional =
      unfurl::detail::conditional_affinities(unfurl::knn(X, 90), {30.0}, parallel);
  const auto P = unfurl::detail::joint_affinities(conditional.lists, parallel, "error");
  for (const int iterations : {100, 400, 1000}) {
    unfurl::TSNEOptions options;
    options.max_iter = iterations;
    const unfurl::Matrix<float> Y = unfurl::TSNE<float>(options).fit_transform(X).transpose();
    unfurl::Matrix<float> pull;
    unfurl::detail::attraction(P, Y, 1, pull, parallel);
    unfurl::detail::Repulsion<float> exact, tree, grid;
    unfurl::detail::ExactRepulsion{}(Y, exact, parallel);
    unfurl::detail::BarnesHut<float, 2>(0.5)(Y, tree, parallel);
    unfurl::detail::MeshRepulsion<2> mesh(0.5);
    mesh(Y, grid, parallel);
    const unfurl::Matrix<float> push = exact.forces / exact.normalizer;
    const auto print = [&](const char* name, const unfurl::detail::Repulsion<float>& found) {
      const float gap = (found.forces / found.normalizer - push).norm();
      std::cout << ", \"" << name << "\": [" << gap / push.norm() << ", "
                << gap / (pull - push).norm() << "]";
    };
    std::cout << "{\"iterations\": " << iterations;
    print("barnes_hut", tree);
    print(mesh.n_on_grid() > 0 ? "grid" : "too wide for the grid", grid);
    std::cout << "}\n";
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "fit" && argc == 8)
    fit(argv);
  else if (mode == "evaluate" && argc == 6)
    evaluate(argv);
  else if (mode == "error" && argc == 5)
    error(argv);
  else
    throw std::runtime_error("see the beginning of benchmarks/tsne.cpp for the arguments");
  return 0;
} catch (const std::exception& error) {
  std::cerr << "bench_tsne: " << error.what() << '\n';
  return 1;
}
