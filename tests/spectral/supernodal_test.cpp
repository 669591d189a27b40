#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/graphs.hpp"
#include "support/matrix.hpp"
#include "unfurl/spectral/factorization.hpp"

using namespace unfurl;
using detail::ShiftedFactor;

namespace {

using Named = std::pair<std::string, SparseMatrix<double>>;

/// Random values on a pattern, symmetric; every fourth vertex has no entry on the diagonal.
SparseMatrix<double> with_random_values(SparseMatrix<double> pattern, std::uint64_t seed) {
  Random random(seed);
  std::vector<Eigen::Triplet<double>> entries;
  for (Index j = 0; j < pattern.cols(); ++j) {
    if (j % 4 != 3) entries.emplace_back(j, j, random.normal());
    for (SparseMatrix<double>::InnerIterator it(pattern, j); it; ++it) {
      if (it.row() <= j) continue;
      const double value = random.normal();
      entries.emplace_back(it.row(), j, value);
      entries.emplace_back(j, it.row(), value);
    }
  }
  pattern.setFromTriplets(entries.begin(), entries.end());
  return pattern;
}

SparseMatrix<double> random_graph(Index n, Index degree, std::uint64_t seed) {
  Random random(seed);
  std::set<std::pair<Index, Index>> edges;
  for (Index e = 0; e < n * degree / 2; ++e) {
    const auto i = static_cast<Index>(random.below(static_cast<std::uint64_t>(n)));
    const auto j = static_cast<Index>(random.below(static_cast<std::uint64_t>(n)));
    if (i != j) edges.emplace(std::max(i, j), std::min(i, j));
  }
  return test::adjacency(n, test::Edges(edges.begin(), edges.end()));
}

/// Each vertex of a box is joined to those around it: it fills in, so there are wide supernodes.
SparseMatrix<double> box(Index side) {
  test::Edges edges;
  const auto number = [&](Index x, Index y, Index z) { return (x * side + y) * side + z; };
  for (Index x = 0; x < side; ++x)
    for (Index y = 0; y < side; ++y)
      for (Index z = 0; z < side; ++z)
        for (Index to = 0; to < 27; ++to) {
          const Index u = x + to / 9 - 1, v = y + to / 3 % 3 - 1, w = z + to % 3 - 1;
          const bool inside = std::min({u, v, w}) >= 0 && std::max({u, v, w}) < side;
          if (inside && number(u, v, w) > number(x, y, z))
            edges.emplace_back(number(x, y, z), number(u, v, w));
        }
  return test::adjacency(side * side * side, edges);
}

std::vector<Named> matrices() {
  std::vector<Named> all;
  const auto add = [&](const std::string& name, const SparseMatrix<double>& pattern) {
    all.emplace_back(name, with_random_values(pattern, all.size()));
  };
  for (const Index n : {1, 2, 3, 7}) add("no edges", test::adjacency(n, {}));
  add("tridiagonal", test::path(50));
  add("cycle", test::cycle(41));
  add("arrow", test::star(60));
  add("grid", test::grid(13, 11));
  add("blocks", test::copies(test::grid(5, 4), 5));
  add("dense blocks", test::copies(test::complete(9), 6));
  add("box", box(6));
  for (const Index degree : {1, 2, 3, 6, 20})
    add("random of degree " + std::to_string(degree), random_graph(150, degree, 5));
  for (const Index n : {2, 3, 4, 5, 6, 8, 11, 12, 13, 17, 24, 31, 64, 100})
    add("complete " + std::to_string(n), test::complete(n));
  return all;
}

/// |(A - sigma) x - b| / (|A - sigma| |x|) for a right side made of known numbers.
double backward_error(const ShiftedFactor<double>& factor, const Eigen::MatrixXd& shifted) {
  const Eigen::VectorXd b = test::gaussian<double>(shifted.rows(), 1, 3);
  Eigen::VectorXd x(b.size());
  factor.solve(b.data(), x.data());
  return (shifted * x - b).norm() / (shifted.norm() * x.norm());
}

Eigen::MatrixXd minus_shift(const SparseMatrix<double>& A, double sigma) {
  Eigen::MatrixXd dense = A;
  dense.diagonal().array() -= sigma;
  return dense;
}

}  // namespace

TEST_CASE("a definite matrix is factorised and solved", "[spectral]") {
  const Parallel parallel(2);
  for (const auto& [name, A] : matrices()) {
    INFO(name << ", n = " << A.rows());
    double norm = 1;
    for (Index j = 0; j < A.cols(); ++j) norm = std::max(norm, A.col(j).cwiseAbs().sum());
    ShiftedFactor<double> factor(A, parallel);
    CHECK(factor.rows() == A.rows());
    REQUIRE(factor.factorize(-1.5 * norm));
    CHECK(factor.n_below() == 0);
    CHECK(backward_error(factor, minus_shift(A, -1.5 * norm)) < 1e-15);
    REQUIRE(factor.factorize(1.5 * norm));  // the same factor again, with another shift
    CHECK(factor.n_below() == A.rows());
    CHECK(backward_error(factor, minus_shift(A, 1.5 * norm)) < 1e-15);
  }
}

TEST_CASE("the inertia counts the eigenvalues below any shift", "[spectral]") {
  const Parallel parallel(2);
  for (const auto& [name, A] : matrices()) {
    INFO(name << ", n = " << A.rows());
    const Eigen::VectorXd values = test::dense_eigenvalues(Eigen::MatrixXd(A));
    ShiftedFactor<double> factor(A, parallel);
    for (Index below = 1; below < A.rows(); below += std::max<Index>(1, A.rows() / 7)) {
      if (values(below) - values(below - 1) < 1e-6) continue;
      const double sigma = (values(below) + values(below - 1)) / 2;
      REQUIRE(factor.factorize(sigma));
      CHECK(factor.n_below() == below);
      CHECK(backward_error(factor, minus_shift(A, sigma)) < 1e-10);
    }
  }
}

TEST_CASE("a block that is wider than the kernels' own blocks", "[spectral]") {
  // B D B^T with B triangular has the inertia of D.
  const Index n = 700;
  Random random(4);
  Eigen::MatrixXd B = Eigen::MatrixXd::Identity(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = j + 1; i < n; ++i) B(i, j) = 0.02 * random.normal();
  Eigen::VectorXd d(n);
  for (Index i = 0; i < n; ++i) d(i) = static_cast<double>(i % 5 == 2 ? -1 - i : 1 + i);
  const Eigen::MatrixXd dense = B * d.asDiagonal() * B.transpose();
  const SparseMatrix<double> A = dense.sparseView(0.0, 0.0);
  const Parallel parallel(2);
  ShiftedFactor<double> factor(A, parallel);
  REQUIRE(factor.factorize(0));
  CHECK(factor.n_below() == n / 5);
  CHECK(backward_error(factor, dense) < 1e-13);
}

TEST_CASE("the analysis foresees the entries of L exactly", "[spectral]") {
  const Parallel parallel(1);
  for (const auto& [name, A] : matrices()) {
    INFO(name << ", n = " << A.rows());
    const Index n = A.rows();
    const detail::Supernodes<int> nodes{detail::Adjacency<int>(A)};
    REQUIRE(nodes.columns() == n);
    // Elimination on the pattern, entry by entry.
    Eigen::MatrixXi entries = Eigen::MatrixXi::Zero(n, n);
    for (int i = 0; i < n; ++i) {
      REQUIRE(nodes.place(nodes.order(i)) == i);
      for (int j = 0; j < i; ++j) entries(i, j) = A.coeff(nodes.order(i), nodes.order(j)) != 0;
    }
    double fill = 0, flops = 0;
    for (Index k = 0; k < n; ++k) {
      for (Index j = k + 1; j < n; ++j)
        for (Index i = j + 1; i < n; ++i)
          if (entries(i, k) && entries(j, k)) entries(i, j) = 1;
      const double below = entries.col(k).sum();
      fill += below;
      flops += below * below;
    }
    CHECK(nodes.fill() == fill);
    CHECK(nodes.flops() == flops);
    // Supernodes hold every entry, and those of few columns hardly more.
    int end = 0;
    for (int s = 0; s < nodes.size(); ++s) {
      REQUIRE(nodes.begin(s) == end);
      end += nodes.width(s);
      Eigen::MatrixXi stored = Eigen::MatrixXi::Zero(n, 1);
      for (int i = 0; i < nodes.n_rows(s); ++i) {
        REQUIRE(nodes.rows(s)[i] >= end);
        stored(nodes.rows(s)[i]) = 1;
      }
      CHECK(stored.sum() == nodes.n_rows(s));
      for (int k = nodes.begin(s); k < end; ++k)
        for (int i = end; i < n; ++i) REQUIRE(stored(i) >= entries(i, k));
      for (int i = end; i < n; ++i) CHECK(stored(i) == entries(i, end - 1));
    }
    CHECK(end == n);
  }
  // Orders without fill are found where there are any.
  CHECK(ShiftedFactor<double>(test::path(500), parallel).fill() == 499);
  CHECK(ShiftedFactor<double>(test::star(500), parallel).fill() == 499);
  CHECK(ShiftedFactor<double>(test::complete(30), parallel).fill() == 30 * 29 / 2);
  const double grid = ShiftedFactor<double>(test::grid(60, 60), parallel).fill();
  CHECK(grid < 60000);  // a band would have 216000
}

TEST_CASE("only the part on and below the diagonal is read", "[spectral]") {
  const SparseMatrix<double> A = with_random_values(test::grid(6, 7), 3);
  SparseMatrix<double> lower = A.triangularView<Eigen::Lower>();
  const Parallel parallel(1);
  ShiftedFactor<double> factor(lower, parallel);
  REQUIRE(factor.factorize(-9));
  CHECK(backward_error(factor, minus_shift(A, -9)) < 1e-15);
}

TEST_CASE("what cannot be factorised is refused", "[spectral]") {
  const Parallel parallel(2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();

  SparseMatrix<double> zero(3, 3);
  ShiftedFactor<double> of_zero(zero, parallel);
  CHECK_FALSE(of_zero.factorize(0));
  CHECK_FALSE(of_zero.factorize(nan));
  CHECK_FALSE(of_zero.factorize(infinity));
  CHECK(of_zero.factorize(-1));  // and it can be used again
  CHECK(of_zero.n_below() == 0);

  SparseMatrix<double> ones = Eigen::MatrixXd::Ones(20, 20).sparseView();
  CHECK_FALSE(ShiftedFactor<double>(ones, parallel).factorize(0));
  CHECK(ShiftedFactor<double>(ones, parallel).factorize(-1));

  // Wherever the matrix is bad: in a leaf of the tree or at its root, on the diagonal or beside it.
  SparseMatrix<double> good = test::normalized_laplacian(test::grid(12, 12));
  REQUIRE(ShiftedFactor<double>(good, parallel).factorize(-0.1));
  for (const double bad : {nan, infinity})
    for (Index k = 0; k < good.nonZeros(); k += 29) {
      SparseMatrix<double> A = good;
      Index column = 0;
      while (A.outerIndexPtr()[column + 1] <= k) ++column;
      const Index row = A.innerIndexPtr()[k];
      A.coeffRef(row, column) = A.coeffRef(column, row) = bad;
      CHECK_FALSE(ShiftedFactor<double>(A, parallel).factorize(-0.1));
    }
}

TEST_CASE("an empty matrix has a factor", "[spectral]") {
  const Parallel parallel(2);
  ShiftedFactor<double> factor(SparseMatrix<double>(0, 0), parallel);
  CHECK(factor.factorize(1));
  CHECK(factor.n_below() == 0);
  CHECK(factor.fill() == 0);
}

TEST_CASE("factor and solution have the same bytes for any number of threads", "[spectral]") {
  for (const auto& pattern : {box(14), test::grid(90, 80), test::copies(box(7), 9)}) {
    SparseMatrix<double> A = with_random_values(pattern, 8);
    const Eigen::VectorXd b = test::gaussian<double>(A.rows(), 1, 5);
    Eigen::VectorXd expected;
    for (const double sigma : {-70.0, 0.1}) {
      for (const int n_threads : {1, 2, 3, 8}) {
        const Parallel parallel(n_threads);
        ShiftedFactor<double> factor(A, parallel);
        REQUIRE(factor.factorize(sigma));
        Eigen::VectorXd x(b.size());
        factor.solve(b.data(), x.data());
        if (n_threads == 1) {
          expected = x;
          CHECK((A * x - sigma * x - b).norm() < 1e-6 * b.norm());
        }
        CHECK(std::memcmp(x.data(), expected.data(),
                          sizeof(double) * static_cast<std::size_t>(b.size())) == 0);
      }
    }
  }
}
