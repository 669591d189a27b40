// The spectrum of a sphere from points at random, and how its error falls with their number.
//
// The diffusion map's walk tends to heat on the manifold as samples grow many and the kernel narrow
// (Belkin and Niyogi 2007, Coifman and Lafon 2006): -2 log(lambda) / sigma^2 tends to an eigenvalue
// of the Laplace-Beltrami operator. On the unit sphere these are known: 2 three times, 6 five
// times. The points lie three times as dense at the north pole as at the south pole. With alpha = 1
// that does not matter; with alpha = 0 the limit is another operator, and an error stays.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "support/format.hpp"
#include "support/table.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/diffusion_map.hpp"

/// n points of the unit sphere, with a density of 1 + z / 2 at height z.
Eigen::MatrixXd uneven_sphere(Eigen::Index n, std::uint64_t seed) {
  unfurl::Random random(seed);
  Eigen::MatrixXd X(n, 3);
  for (Eigen::Index i = 0; i < n;) {
    const double angle = random.uniform(0, 2 * 3.14159265358979323846), z = random.uniform(-1, 1);
    if (1.5 * random.uniform() > 1 + z / 2) continue;
    const double r = std::sqrt(1 - z * z);
    X.row(i++) << r * std::cos(angle), r * std::sin(angle), z;
  }
  return X;
}

/// The first eight eigenvalues that the samples tell.
Eigen::ArrayXd spectrum(const Eigen::MatrixXd& X, double sigma, double alpha) {
  unfurl::DiffusionMapOptions options;
  options.n_components = 8;
  options.bandwidth = sigma;
  options.radius = 4 * sigma;  // where the kernel has fallen to 1 / 3000
  options.alpha = alpha;
  unfurl::DiffusionMap<> map(options);
  return -2 / (sigma * sigma) * map.fit(X).eigenvalues().array().log();
}

int main() {
  const Eigen::ArrayXd truth = (Eigen::ArrayXd(8) << 2, 2, 2, 6, 6, 6, 6, 6).finished();
  const std::uint64_t n_trials = 3;
  example::Table table{{"points", "sigma", "2 three times", "6 five times", "error", "alpha = 0"}};
  std::vector<double> errors, uncorrected;
  for (const Eigen::Index n : {200, 400, 800, 1600}) {
    const double sigma = 1.2 * std::pow(static_cast<double>(n), -0.25);
    Eigen::ArrayXd mean = Eigen::ArrayXd::Zero(8);
    double squares = 0, squares_uncorrected = 0;  // of the relative errors
    for (std::uint64_t seed = 0; seed < n_trials; ++seed) {
      const Eigen::MatrixXd X = uneven_sphere(n, seed);
      const Eigen::ArrayXd found = spectrum(X, sigma, 1);
      mean += found / static_cast<double>(n_trials);
      squares += (found / truth - 1).square().mean();
      squares_uncorrected += (spectrum(X, sigma, 0) / truth - 1).square().mean();
    }
    errors.push_back(std::sqrt(squares / static_cast<double>(n_trials)));
    uncorrected.push_back(std::sqrt(squares_uncorrected / static_cast<double>(n_trials)));
    table.rows.push_back({std::to_string(n), example::fixed(sigma, 3),
                          example::fixed(mean(0), 2) + " to " + example::fixed(mean(2), 2),
                          example::fixed(mean(3), 2) + " to " + example::fixed(mean(7), 2),
                          example::fixed(100 * errors.back(), 1) + " %",
                          example::fixed(100 * uncorrected.back(), 1) + " %"});
  }
  table.print(std::cout);

  // The slope of the least-squares line through (i, log2 error), where n doubles with each i.
  double slope = 0;
  for (std::size_t i = 0; i < 4; ++i)
    slope += (static_cast<double>(i) - 1.5) * std::log2(errors[i]) / 5;
  std::cout << "the error falls like n to the power of " << example::fixed(slope, 2)
            << " (the bias of a kernel, of order sigma^2, like n^-0.5)\n";

  const bool right = errors[1] < errors[0] && errors[2] < errors[1] && errors[3] < errors[2] &&
                     slope < -0.4 && uncorrected[3] > 2 * errors[3];
  std::cout << (right ? "as expected\n" : "not what was expected\n");
  return right ? 0 : 1;
}
