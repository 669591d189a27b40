// Times the exact neighbour searches (kNN of a set in itself) over sizes, dimensions and intrinsic
// dimensions, and shows how close the automatic choice comes to the best of them. Times are
// processor seconds of all threads together.
//
//   neighbor_search            the table of NEIGHBORS.md (some minutes)
//   neighbor_search quick      a few seconds
//   neighbor_search constants  what AutoSearch's rule was fitted to
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
using unfurl::BoxTree;
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
      [&] { unfurl::knn_self(unfurl::build_index(search, points, k, parallel), k, parallel); });
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
  const bool few = c.d <= BoxTree::most_features;
  const double boxes = few ? time_search(BoxTree{}, points, c.k) : 0;
  const double products = time_search(BruteForce{}, points, c.k);
  const double chosen = time_search(AutoSearch{}, points, c.k);
  const std::string shape = c.intrinsic == 0     ? "clusters"
                            : c.intrinsic == c.d ? "full"
                                                 : "sheet " + std::to_string(c.intrinsic);
  const double best = std::min({tree, products, few ? boxes : products});
  std::printf("| %s | %lld | %lld | %s | %lld | %s | %.2f%s | %.2f | %.2f | %.2f | %s |\n",
              sizeof(Scalar) == 4 ? "float" : "double", static_cast<long long>(c.n),
              static_cast<long long>(c.d), shape.c_str(), static_cast<long long>(c.k),
              few ? std::to_string(boxes).substr(0, 4).c_str() : "", tree, part > 1 ? "*" : "",
              products, chosen, chosen / best, index.reason().c_str());
  std::fflush(stdout);
}

void print_head() {
  std::puts(
      "| scalar | n | d | data | k | BoxTree s | KdTree s | BruteForce s | AutoSearch s | "
      "auto/best "
      "| reason |");
  std::puts("|---|---|---|---|---|---|---|---|---|---|---|");
}

/// One thread: microseconds of a query, beside what AutoSearch's rule says.
template <class Scalar>
void print_costs(const Case& c) {
  const Matrix<Scalar> points = make_points<Scalar>(c);
  const Parallel one(1);
  const auto n = static_cast<double>(c.n);
  const auto print = [&](const char* name, auto index, double met, const AutoSearch::Cost& rule) {
    const double seconds = processor_seconds([&] { unfurl::knn_self(index, c.k, one); });
    std::printf("| %s | %s | %lld | %lld | %lld | %lld | %.0f | %.2f | %.2f |\n", name,
                sizeof(Scalar) == 4 ? "float" : "double", static_cast<long long>(c.n),
                static_cast<long long>(c.d), static_cast<long long>(c.intrinsic),
                static_cast<long long>(c.k), met, 1e6 * seconds / n, 1e-3 * rule.of(met));
    std::fflush(stdout);
  };
  const auto met = [&](auto& tree) {
    double sum = 0;
    for (Index q = 0; q < c.n; q += 20)
      sum += 20 * static_cast<double>(tree.count_evaluations(tree.point(q), c.k + 1));
    return sum / n;
  };
  if (c.d <= BoxTree::most_features) {
    const auto boxes = BoxTree{}.build(points);
    print("BoxTree", boxes, met(boxes), AutoSearch::box_cost(c.k, sizeof(Scalar)));
  }
  auto tree = KdTree{}.build(points);
  print("KdTree", tree, met(tree), AutoSearch::tree_cost(c.d, c.k, sizeof(Scalar)));
  print("BruteForce", BruteForce{}.build(points), n, AutoSearch::product_cost(c.d, c.k));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "constants") {
    std::puts("| search | scalar | n | d | sheet | k | points met | us a query | by the rule |");
    std::puts("|---|---|---|---|---|---|---|---|---|");
    for (const Index k : {10, 90})
      for (const Index d : {2, 4, 7, 8, 16, 50, 200})
        for (const Index intrinsic : {2, 4})
          for (const Index n : {2000, 10000}) {
            const Case c{n, d, std::min(intrinsic, d), k};
            print_costs<double>(c);
            print_costs<float>(c);
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
  for (const Case& c :
       {Case{100000, 3, 3, 10}, Case{1000, 10, 10, 10}, Case{1000, 7, 7, 60}, Case{5000, 6, 6, 15},
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
