// What a user meets in any build of Eigen, with or without its assertions, OpenMP and wide vectors:
// the same errors (printed, to be compared with those of the other builds), right embeddings, and
// the same bytes for any number of threads.
#include <cmath>
#include <cstdio>
#include <exception>
#include <limits>
#include <typeinfo>

#include "unfurl/laplacian_eigenmap.hpp"
#include "unfurl/pca.hpp"

using namespace unfurl;

namespace {

using Rows = Matrix<double>;

/// The kind of the error and its text.
template <class Action>
void print_error(const char* what, Action&& action) {
  try {
    action();
    std::printf("%s: no error\n", what);
  } catch (const std::exception& error) {
    std::printf("%s: %s: %s\n", what, typeid(error).name(), error.what());
  }
}

/// Points on an arc of a circle, unevenly spaced.
Rows arc(Index n) {
  Rows X(n, 3);
  for (Index i = 0; i < n; ++i) {
    const double t = 3 * std::pow(static_cast<double>(i + 1) / static_cast<double>(n), 1.2);
    X.row(i) << std::cos(t), std::sin(t), 0.5 * t;
  }
  return X;
}

Rows with(Rows X, Index i, Index j, double value) {
  X(i, j) = value;
  return X;
}

template <class Estimator, class Options>
void print_errors(const char* name, Options options) {
  const Rows X = arc(30);
  const Estimator unfitted(options);
  std::printf("%s\n", name);
  print_error("before fit", [&] { unfitted.embedding(); });
  print_error("no samples", [&] { Estimator(options).fit_transform(Rows(0, 3)); });
  print_error("no features", [&] { Estimator(options).fit_transform(Rows(30, 0)); });
  print_error("one sample", [&] { Estimator(options).fit_transform(Rows(X.topRows(1))); });
  print_error("NaN", [&] { Estimator(options).fit_transform(with(X, 4, 1, std::nan(""))); });
  print_error("Inf", [&] {
    Estimator(options).fit_transform(with(X, 4, 1, std::numeric_limits<double>::infinity()));
  });
  print_error("huge", [&] { Estimator(options).fit_transform(with(X, 4, 1, 1e200)); });
  print_error("wrong features", [&] {
    Estimator fitted(options);
    fitted.fit(X);
    fitted.transform(Rows(5, 2));
  });
  print_error("NaN in new points", [&] {
    Estimator fitted(options);
    fitted.fit(X);
    fitted.transform(with(X, 0, 0, std::nan("")));
  });
  print_error("no components", [&] {
    Options none = options;
    none.n_components = 0;
    Estimator(none).fit_transform(X);
  });
  print_error("too many components", [&] {
    Options many = options;
    many.n_components = 1000;
    Estimator(many).fit_transform(X);
  });
}

/// The embedding by one thread, after a comparison with others.
template <class Estimator, class Options>
Rows same_for_threads(Options options, const Rows& X, bool& same) {
  options.n_threads = 1;
  const Rows Y = Estimator(options).fit_transform(X);
  for (const int n_threads : {2, 3}) {
    options.n_threads = n_threads;
    same = same && Estimator(options).fit_transform(X) == Y;
  }
  return Y;
}

bool increasing(const Rows& Y) {
  const double sign = Y(1, 0) > Y(0, 0) ? 1 : -1;
  for (Index i = 0; i + 1 < Y.rows(); ++i)
    if (sign * (Y(i + 1, 0) - Y(i, 0)) <= 0) return false;
  return true;
}

}  // namespace

int main() {
  PCAOptions pca;
  pca.n_components = 2;
  print_errors<PCA<>>("PCA", pca);
  LaplacianEigenmapOptions eigenmap;
  eigenmap.n_components = 1;
  eigenmap.n_neighbors = 4;
  print_errors<LaplacianEigenmap<>>("LaplacianEigenmap", eigenmap);
  print_error("too many neighbours", [&] {
    LaplacianEigenmapOptions many = eigenmap;
    many.n_neighbors = 30;
    LaplacianEigenmap<>(many).fit_transform(arc(30));
  });

  bool same = true;
  const Rows X = arc(200);
  const Rows scores = same_for_threads<PCA<>>(pca, X, same);
  const Rows line = same_for_threads<LaplacianEigenmap<>>(eigenmap, X, same);
  // Two principal axes of the arc hold what they hold in the covariance matrix, whose trace is
  // known.
  const Rows centered = X.rowwise() - X.colwise().mean();
  const bool projected = scores.squaredNorm() < centered.squaredNorm() &&
                         scores.squaredNorm() > 0.9 * centered.squaredNorm();
  std::printf("same bytes for any number of threads: %d\nprojected: %d\nin order: %d\n", same,
              projected, increasing(line));
  return same && projected && increasing(line) ? 0 : 1;
}
