// Times the exact neighbour searches (kNN of a set in itself) over sizes, dimensions and intrinsic
// dimensions, and shows how close the automatic choice comes to the better of the two. Times are
// processor seconds of all threads together.
//
//   neighbor_search            the table of NEIGHBORS.md (some minutes)
//   neighbor_search quick      a few seconds
//   neighbor_search constants  nanoseconds a point, from which AutoSearch's rule was fitted
//   neighbor_search N D M K    one row: N points in D dimensions on an M-dimensional sheet (M = 0:
//                              50 Gaussian clusters; M = D: one Gaussian), K neighbours
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "unfurl/core/random.hpp"
#include "unfurl/neighbors/knn.hpp"

namespace {

using unfurl::AutoSearch;
using unfurl::BruteForce;
using unfurl::Index;
using unfurl::KdTree;
using unfurl::Matrix;
using unfurl::Parallel;

struct Case {
  Index n, d, intrinsic, k;
};

/// One point a column.
template <class Scalar>
Matrix<Scalar> make_points(const Case& c) {
  unfurl::Random random(7);
  if (c.intrinsic == c.d) return random.normal_matrix<Scalar>(c.d, c.n);
  if (c.intrinsic == 0) {  // as far apart as digits are: clusters touch
    const Matrix<Scalar> centers = random.normal_matrix<Scalar>(c.d, 50);
    Matrix<Scalar> points = random.normal_matrix<Scalar>(c.d, c.n);
    for (Index i = 0; i < c.n; ++i) points.col(i) += 2 * centers.col(i % 50);
    return points;
  }
  const Matrix<Scalar> parameters = random.normal_matrix<Scalar>(c.intrinsic, c.n);
  const Matrix<Scalar> flat = random.normal_matrix<Scalar>(c.d, c.intrinsic) * parameters;
  const Matrix<Scalar> bend = random.normal_matrix<Scalar>(c.d, c.intrinsic) * parameters;
  return flat + bend.array().sin().matrix();
}

/// Processor time of all threads together, which a busy machine disturbs less than a clock.
template <class Work>
double processor_seconds(Work&& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// Build and search, with as many threads as there are cores.
template <class Scalar, class Search>
double time_search(const Search& search, const Matrix<Scalar>& points, Index k) {
  const Parallel parallel;
  return processor_seconds(
      [&] { unfurl::knn_self(unfurl::build_index(search, points, k), k, parallel); });
}

template <class Scalar>
void print_row(const Case& c) {
  const Matrix<Scalar> points = make_points<Scalar>(c);
  const auto index = AutoSearch{}.build(points, c.k);
  // A tree hopeless by a factor of ten is not waited for: timed on a part of the queries.
  const Index part =
      c.d > 8 && c.n > 20000 && index.method() != unfurl::SearchMethod::kd_tree ? 20 : 1;
  double tree;
  if (part == 1) {
    tree = time_search(KdTree{}, points, c.k);
  } else {
    const Parallel parallel;
    const auto built = KdTree{}.build(points);
    Matrix<Scalar> queries(c.d, c.n / part);
    for (Index i = 0; i < queries.cols(); ++i) queries.col(i) = points.col(built.visit_order(i));
    tree = static_cast<double>(part) *
           processor_seconds([&] { unfurl::knn_query(built, queries, c.k + 1, parallel); });
  }
  const double products = time_search(BruteForce{}, points, c.k);
  const double chosen = time_search(AutoSearch{}, points, c.k);
  const std::string shape = c.intrinsic == 0     ? "clusters"
                            : c.intrinsic == c.d ? "full"
                                                 : "sheet " + std::to_string(c.intrinsic);
  std::printf("| %s | %lld | %lld | %s | %lld | %.2f%s | %.2f | %.2f | %.2f | %s |\n",
              sizeof(Scalar) == 4 ? "float" : "double", static_cast<long long>(c.n),
              static_cast<long long>(c.d), shape.c_str(), static_cast<long long>(c.k), tree,
              part > 1 ? "*" : "", products, chosen, chosen / std::min(tree, products),
              index.reason().c_str());
  std::fflush(stdout);
}

void print_head() {
  std::puts(
      "| scalar | n | d | data | k | KdTree s | BruteForce s | AutoSearch s | auto/best | reason "
      "|");
  std::puts("|---|---|---|---|---|---|---|---|---|---|");
}

/// One thread: what a point met in the tree costs, and a point in the product, on data for which
/// the choice is open.
template <class Scalar>
void print_constants(Index intrinsic) {
  for (Index d : {4, 8, 16, 32, 50, 100, 300, 784}) {
    const Case c{d > 100 ? 5000 : 20000, d, std::min(intrinsic, d), 15};
    const Matrix<Scalar> points = make_points<Scalar>(c);
    const Parallel one(1);
    auto tree = KdTree{}.build(points);
    double met = 0;
    for (Index q = 0; q < c.n; q += 20)
      met += 20 * static_cast<double>(tree.count_evaluations(tree.point(q), c.k + 1));
    const double tree_time = processor_seconds([&] { unfurl::knn_self(tree, c.k, one); });
    const auto all = BruteForce{}.build(points);
    const double product_time = processor_seconds([&] { unfurl::knn_self(all, c.k, one); });
    std::printf("| %s | %lld | %lld | %.0f | %.1f | %.1f | %.2f | %.2f |\n",
                sizeof(Scalar) == 4 ? "float" : "double", static_cast<long long>(d),
                static_cast<long long>(c.intrinsic), met / static_cast<double>(c.n),
                1e9 * tree_time / met, AutoSearch::tree_nanoseconds_a_point(d, sizeof(Scalar)),
                1e9 * product_time / static_cast<double>(c.n * c.n),
                AutoSearch::product_nanoseconds_a_point(d));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "constants") {
    std::puts(
        "| scalar | d | sheet | met | tree ns a point met | rule | product ns a point | rule |");
    std::puts("|---|---|---|---|---|---|---|---|");
    for (Index intrinsic : {2, 4, 6}) {
      print_constants<double>(intrinsic);
      print_constants<float>(intrinsic);
    }
    return 0;
  }
  print_head();
  if (argc == 5) {
    const auto number = [&](int i) { return static_cast<Index>(std::atoll(argv[i])); };
    print_row<double>({number(1), number(2), number(3), number(4)});
    return 0;
  }
  if (what == "quick") {
    for (const Case& c : {Case{2000, 3, 3, 10}, Case{2000, 20, 2, 10}, Case{2000, 20, 20, 10},
                          Case{8000, 8, 8, 15}})
      print_row<double>(c);
    return 0;
  }
  for (const Case& c : {Case{100000, 3, 3, 10}, Case{1000, 10, 10, 10}, Case{5000, 6, 6, 15},
                        Case{5000, 50, 2, 15}, Case{20000, 6, 6, 15}, Case{20000, 8, 8, 15},
                        Case{20000, 10, 10, 15}, Case{20000, 50, 4, 15}, Case{20000, 784, 2, 15},
                        Case{70000, 50, 2, 15}, Case{70000, 50, 3, 15}, Case{70000, 50, 4, 15},
                        Case{70000, 50, 5, 15}, Case{70000, 50, 8, 15}, Case{70000, 50, 0, 15},
                        Case{70000, 50, 50, 15}, Case{70000, 50, 3, 90}, Case{70000, 50, 50, 90}})
    print_row<double>(c);
  for (const Case& c : {Case{20000, 8, 8, 15}, Case{70000, 50, 3, 15}, Case{70000, 50, 50, 15}})
    print_row<float>(c);
  return 0;
}
