// What the estimators on neighbourhood graphs need for many points: seconds and memory for a Swiss
// roll of 100000 points (or as many as asked for) by LLE, LaplacianEigenmap, sparse DiffusionMap
// and landmark Isomap, none of which makes an n x n matrix; and for all of Isomap's n^2 geodesics
// on 20000.
//
//   hundred_thousand [n] [estimator]      estimator: lle, laplacian, diffusion, landmarks, isomap

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include "unfurl/datasets/swiss_roll.hpp"
#include "unfurl/diffusion_map.hpp"
#include "unfurl/isomap.hpp"
#include "unfurl/laplacian_eigenmap.hpp"
#include "unfurl/lle.hpp"

namespace {

/// The most memory this process has had, in MB; 0 where the system does not tell.
double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmHWM:") {
      double kilobytes = 0;
      status >> kilobytes;
      return kilobytes / 1024;
    }
  return 0;
}

template <class Estimator>
void run(const char* name, Estimator estimator, Eigen::Index n) {
  const Eigen::MatrixXd X = unfurl::swiss_roll(n).points;
  const double before = peak_megabytes();
  const auto began = std::chrono::steady_clock::now();
  estimator.fit(X);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began;
  std::cout << name << ", n = " << n << ": " << elapsed.count() << " s, "
            << peak_megabytes() - before << " MB above the data\n  " << estimator.report().solver
            << "\n  " << (estimator.report().certified ? "certified: " : "")
            << estimator.report().certificate << '\n';
  for (const auto& stage : estimator.report().stages)
    std::cout << "  " << stage.name << ' ' << stage.seconds << '\n';
  std::cout << std::flush;
}

}  // namespace

int main(int argc, char** argv) {
  const Eigen::Index n = argc > 1 ? std::atoll(argv[1]) : 100000;
  const std::string which = argc > 2 ? argv[2] : "";
  const auto wanted = [&](const char* name) { return which.empty() || which == name; };
  if (wanted("laplacian")) run("LaplacianEigenmap", unfurl::LaplacianEigenmap<>(), n);
  if (wanted("diffusion")) {
    unfurl::DiffusionMapOptions options;
    options.n_neighbors = 10;
    run("DiffusionMap", unfurl::DiffusionMap<>(options), n);
  }
  if (wanted("lle")) run("LLE", unfurl::LLE<>(), n);
  if (wanted("landmarks")) {
    unfurl::IsomapOptions options;
    options.n_landmarks = 1000;
    run("Isomap with 1000 landmarks", unfurl::Isomap<>(options), n);
  }
  if (wanted("isomap")) run("Isomap", unfurl::Isomap<>(), argc > 1 ? n : 20000);
}
