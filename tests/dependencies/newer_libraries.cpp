// Every header, and what reaches into the libraries, against their later interfaces.
#include "all_headers.inc"
#include "support/graphs.hpp"

#if EIGEN_MAJOR_VERSION != 5 || NANOFLANN_VERSION < 0x010A00 || defined(assert)
#error "this is not the newer end"
#endif

namespace {

using unfurl::Index;

int failures = 0;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "with newer libraries: %s\n", what);
  ++failures;
}

/// Many ties and repeated points.
unfurl::Matrix<double> lattice() {
  unfurl::Matrix<double> X(300, 3);
  for (Index i = 0; i < X.rows(); ++i) {
    const Index j = i % 150;
    X.row(i) << static_cast<double>(j % 5), static_cast<double>(j / 5 % 5),
        static_cast<double>(j / 25);
  }
  return X;
}

void check_nanoflann() {
  const auto X = lattice();
  const Index k = 9, n = X.rows();
  const auto tree = unfurl::knn(X, k, unfurl::KdTree{4});
  const auto plain = unfurl::knn(X, k, unfurl::BruteForce{});
  require(tree.total() == n * k &&
              std::equal(tree.indices(0), tree.indices(0) + n * k, plain.indices(0)),
          "the tree finds other neighbours than brute force");
  require(std::equal(tree.distances(0), tree.distances(0) + n * k, plain.distances(0)),
          "the tree finds other distances than brute force");

  std::vector<Index> found, expected;
  std::vector<double> distances;
  const unfurl::Matrix<double> points = X.transpose();
  unfurl::KdTree{4}.build(points).radius(points.data(), 2, found, distances);
  unfurl::BruteForce{}.build(points).radius(points.data(), 2, expected, distances);
  require(!found.empty() && found == expected, "the tree finds other points within a radius");
}

/// The normalised Laplacian of a cycle: 1 - cos(2 pi j / n), each twice.
void check_spectra() {
  const Index n = 60;
  unfurl::SparseMatrix<double> L = test::normalized_laplacian(test::cycle(n));
  const auto pairs = unfurl::LanczosSolver{}(L, 5, unfurl::Which::smallest);
  for (Index j = 0; j < 5; ++j) {
    const double angle = 2 * std::acos(-1.0) * static_cast<double>((j + 1) / 2) / n;
    require(std::abs(pairs.values(j) - (1 - std::cos(angle))) < 1e-10, "wrong eigenvalues");
  }
}

}  // namespace

int main() {
  check_nanoflann();
  check_spectra();
  return failures == 0 ? 0 : 1;
}
