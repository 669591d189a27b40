#include "unfurl/graph/affinity.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "graph/sample_graphs.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/graph/neighbor_bandwidth.hpp"
#include "unfurl/kernels/radial.hpp"

using namespace unfurl;

namespace {

struct ConstantKernel {
  double value = 1;
  double operator()(double) const { return value; }
};
struct ThrowingKernel {
  double operator()(double squared_distance) const {
    if (squared_distance > 0.81) throw std::domain_error("mine");
    return 1;
  }
};

template <class Error, class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEMPLATE_TEST_CASE("Affinities are the kernel on the edges", "[graph][affinity]", float, double) {
  using S = TestType;
  const auto graph = sample::random_graph<S>(60, 0.1, 3, false);
  const GaussianKernel<S> kernel(S(0.4));
  for (const auto loops : {SelfLoops::none, SelfLoops::kernel}) {
    const SparseMatrix<S> W = affinity(graph, kernel, loops, Parallel(2));
    CHECK(W.isCompressed());
    CHECK(W.nonZeros() == graph.n_entries() + (loops == SelfLoops::kernel ? 60 : 0));
    Matrix<S> expected = Matrix<S>::Zero(60, 60);
    for (Index i = 0; i < 60; ++i)
      for (Index j = 0; j < 60; ++j) {
        if (i == j && loops == SelfLoops::kernel) expected(i, j) = 1;
        if (const auto length = graph.length(i, j)) expected(i, j) = kernel(*length * *length);
      }
    CHECK(test::same_bytes(Matrix<S>(W), expected));
    bool sorted = true;
    for (Index j = 0; j < 60; ++j)
      for (int e = W.outerIndexPtr()[j] + 1; e < W.outerIndexPtr()[j + 1]; ++e)
        sorted = sorted && W.innerIndexPtr()[e - 1] < W.innerIndexPtr()[e];
    CHECK(sorted);
  }
}

TEST_CASE("An edge of length zero has affinity one", "[graph][affinity][contract33]") {
  const auto graph = graph_from_edges<double>(3, {{0, 1, 0.0}, {1, 2, 0.5}}, Parallel(1));
  const auto W = affinity(graph, GaussianKernel<double>(0.5), SelfLoops::none, Parallel(1));
  CHECK(W.coeff(0, 1) == 1);
  CHECK(W.coeff(1, 2) == W.coeff(2, 1));
  CHECK(W.coeff(0, 0) == 0);
}

TEMPLATE_TEST_CASE("Dense affinities are the kernel on every pair", "[graph][affinity]", float,
                   double) {
  using S = TestType;
  const Matrix<S> D = test::pairwise_distances(test::gaussian<S>(50, 3, 2));
  const GaussianKernel<S> kernel(S(0.8));
  for (const auto loops : {SelfLoops::none, SelfLoops::kernel}) {
    const Matrix<S> K = dense_affinity(D, kernel, loops, Parallel(3));
    Matrix<S> expected = D.unaryExpr([&](S d) { return kernel(d * d); });
    expected.diagonal().setConstant(loops == SelfLoops::kernel ? S(1) : S(0));
    CHECK(test::same_bytes(K, expected));
    CHECK(test::same_bytes(K, K.transpose().eval()));
  }
  CHECK_THROWS_AS(dense_affinity<S>(Matrix<S>(2, 3), kernel, SelfLoops::none, Parallel(1)),
                  DataError);
}

TEMPLATE_TEST_CASE("A bandwidth that cuts a point off is refused", "[graph][affinity][contract38]",
                   float, double) {
  using S = TestType;
  const auto graph =
      graph_from_edges<S>(4, {{0, 1, S(0.01)}, {1, 2, S(5)}, {2, 3, S(4)}}, Parallel(1));
  const auto sparse = [&](S bandwidth) {
    affinity(graph, GaussianKernel<S>(bandwidth), SelfLoops::kernel, Parallel(2), "DiffusionMap");
  };
  const auto message = message_of<NumericalError>([&] { sparse(S(0.01)); });
  CHECK(contains(message, "DiffusionMap: bandwidth too small"));
  CHECK(contains(message, "point 2"));
  CHECK(contains(message, "0.4"));  // the suggestion: a tenth of the nearest distance
  CHECK_NOTHROW(sparse(S(0.4)));    // and it helps

  Matrix<S> D(3, 3);
  D << 0, 1, 9, 1, 0, 9, 9, 9, 0;
  const auto dense = [&](S bandwidth) {
    dense_affinity(D, GaussianKernel<S>(bandwidth), SelfLoops::kernel, Parallel(2), "DiffusionMap");
  };
  CHECK(contains(message_of<NumericalError>([&] { dense(S(0.1)); }), "point 2"));
  CHECK_NOTHROW(dense(S(0.9)));
}

TEST_CASE("A kernel must give weights and have a scale", "[graph][affinity][contract25]") {
  const auto graph = sample::random_graph<double>(20, 0.4, 1, true);
  const auto use = [&](auto kernel) {
    affinity(graph, kernel, SelfLoops::none, Parallel(2), "LaplacianEigenmap");
  };
  for (const double bad : {-0.5, std::nan(""), HUGE_VAL})
    CHECK(contains(message_of<DataError>([&] { use(ConstantKernel{bad}); }),
                   "LaplacianEigenmap: a kernel must be finite and non-negative"));
  CHECK_NOTHROW(use(ConstantKernel{2}));
  CHECK_THROWS_AS(use(GaussianKernel<double>()), ParameterError);
  CHECK_NOTHROW(use(BinaryKernel<double>()));
}

TEST_CASE("What a kernel throws reaches the caller", "[graph][affinity][contract53]") {
  const auto graph = sample::random_graph<double>(300, 0.1, 1, true);
  for (const int threads : {1, 4})
    CHECK(message_of<std::domain_error>([&] {
            affinity(graph, ThrowingKernel{}, SelfLoops::none, Parallel(threads));
          }) == "mine");
}

TEST_CASE("Affinities have the same bytes for any number of threads",
          "[graph][affinity][contract56]") {
  const auto graph = sample::random_graph<float>(700, 0.02, 4, false);
  const GaussianKernel<float> kernel(0.3f);
  const Matrix<float> one(affinity(graph, kernel, SelfLoops::kernel, Parallel(1)));
  for (const int threads : {2, 3, 8})
    CHECK(test::same_bytes(
        one, Matrix<float>(affinity(graph, kernel, SelfLoops::kernel, Parallel(threads)))));
}

TEST_CASE("Sparse sizes beyond 32 bits are refused before anything is allocated",
          "[graph][affinity][contract59]") {
  const Index most = std::numeric_limits<int>::max();
  CHECK_NOTHROW(detail::check_sparse_size("E", 1000, most));
  CHECK_THROWS_AS(detail::check_sparse_size("E", 1000, most + 1), SizeLimitError);
  CHECK_THROWS_AS(detail::check_sparse_size("E", most + 1, 0), SizeLimitError);
  try {
    detail::check_sparse_size("E", 1000, most + 1);
    FAIL("accepted");
  } catch (const SizeLimitError& error) {
    CHECK(error.needed() == static_cast<std::size_t>(most) + 1);
    CHECK(error.limit() == static_cast<std::size_t>(most));
  }
}

TEST_CASE("A matrix of affinities from outside is checked", "[graph][affinity][contract24]") {
  const auto refusal = [](const Matrix<double>& dense) {
    const SparseMatrix<double> W = dense.sparseView();
    return message_of<DataError>([&] { check_affinity("DiffusionMap", W); });
  };
  Matrix<double> W(3, 3);
  W << 1, 0.5, 0, 0.5, 1, 0.2, 0, 0.2, 1;
  CHECK(refusal(W) == "nothing thrown");
  W(0, 1) = 0.6;
  CHECK(contains(refusal(W), "DiffusionMap: the affinity matrix must be symmetric"));
  W(0, 1) = 0;
  CHECK(contains(refusal(W), "symmetric"));
  W(0, 1) = 0.5 + 1e-14;
  CHECK(refusal(W) == "nothing thrown");
  W(0, 1) = W(1, 0) = -0.5;
  CHECK(contains(refusal(W), "non-negative, got -0.5"));
  W(0, 1) = W(1, 0) = std::nan("");
  CHECK(contains(refusal(W), "finite"));
  CHECK(contains(refusal(Matrix<double>::Ones(2, 3)), "square"));
}

TEMPLATE_TEST_CASE("The median rule reads a neighbour list", "[graph][bandwidth]", float, double) {
  NeighborList<TestType> list(std::vector<Index>{3, 3, 1, 0});
  const TestType distances[2][3] = {{1, 2, 3}, {4, 5, 6}};
  for (Index i = 0; i < 2; ++i)
    for (Index e = 0; e < 3; ++e) {
      list.indices(i)[e] = static_cast<int>((i + e + 1) % 4);
      list.distances(i)[e] = distances[i][e];
    }
  list.indices(2)[0] = 0;
  list.distances(2)[0] = 7;
  CHECK(median_bandwidth(list).value == 6);     // of 3, 6, 7
  CHECK(median_bandwidth(list, 2).value == 5);  // of 2, 5, 7
  CHECK(median_bandwidth(list, 1).value == 4);  // of 1, 4, 7
  CHECK(contains(median_bandwidth(list, 2).source, "neighbour 2"));
}

TEST_CASE("The slope rule on a complete graph is the slope rule on all pairs",
          "[graph][bandwidth]") {
  const Matrix<double> X = test::gaussian<double>(80, 2, 12);
  std::vector<Edge<double>> edges;
  for (Index i = 0; i < 80; ++i)
    for (Index j = i + 1; j < 80; ++j) edges.push_back({i, j, (X.row(i) - X.row(j)).norm()});
  const auto by_graph = slope_bandwidth(graph_from_edges<double>(80, edges, Parallel(1)));
  const auto by_pairs = slope_bandwidth<double>(
      80, [&](Index i, Index j) { return (X.row(i) - X.row(j)).squaredNorm(); }, Parallel(1));
  CHECK(by_graph.value == by_pairs.value);
  CHECK(std::abs(by_graph.dimension - by_pairs.dimension) < 1e-3);
}
