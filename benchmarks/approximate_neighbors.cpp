// Approximate neighbours beside exact ones, by the clock:
//   approximate_neighbors [data.npy | blobs | uniform] [n=…] [d=…] [k=15] [recall=0.99] [exact=1]
//     [scalar=float] [new=1000]
// Recall is that of all lists (exact=1), or of the search's own sample.
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "support/measure.hpp"
#include "support/recall.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/neighbors/knn.hpp"
#include "unfurl/neighbors/nn_descent.hpp"

namespace {

using bench::Arguments;
using bench::recall;
using unfurl::Index;
using unfurl::Matrix;

/// One point a column.
template <class Scalar>
Matrix<Scalar> make_points(const std::string& data, const Arguments& arguments) {
  const Index n = arguments.count("n", 70000), d = arguments.count("d", 50);
  unfurl::Random random(1);
  if (data == "blobs") {  // 200 touching clusters
    const Matrix<Scalar> centers = 3 * random.normal_matrix<Scalar>(d, 200);
    Matrix<Scalar> points = random.normal_matrix<Scalar>(d, n);
    for (Index i = 0; i < n; ++i) points.col(i) += centers.col(i % 200);
    return points;
  }
  if (data == "uniform") {
    Matrix<Scalar> points(d, n);
    for (Index i = 0; i < points.size(); ++i)
      points.data()[i] = static_cast<Scalar>(random.uniform());
    return points;
  }
  return arguments.data<float>().cast<Scalar>().transpose();
}

template <class Scalar>
void compare(const std::string& data, const Arguments& arguments) {
  Matrix<Scalar> all = make_points<Scalar>(data, arguments);
  const Index n_new = arguments.count("new", 1000), n = all.cols() - n_new;
  const Index k = arguments.count("k", 15);
  const Matrix<Scalar> queries = all.rightCols(n_new);
  all.conservativeResize(Eigen::NoChange, n);
  const unfurl::Parallel parallel;
  const unfurl::NnDescent search{std::stod(arguments.text("recall", "0.99"))};

  using ApproximateIndex = unfurl::NeighborIndexOf<unfurl::NnDescent, Scalar>;
  std::optional<ApproximateIndex> approximate;
  unfurl::NeighborList<Scalar> found, found_new;
  const bench::Measured building([&] { approximate = search.build(all, k, parallel); });
  const bench::Measured listing([&] { found = unfurl::knn_self(*approximate, k, parallel); });
  const bench::Measured asking(
      [&] { found_new = unfurl::knn_query(*approximate, queries, k, parallel); });
  std::printf("%s: %lld x %lld, k = %lld\n", data.c_str(), static_cast<long long>(n),
              static_cast<long long>(all.rows()), static_cast<long long>(k));
  std::printf("  %s\n", approximate->note().c_str());
  std::printf("  build %.2f s, lists %.2f s, %lld new points %.3f s, peak %.0f MB above the data\n",
              building.seconds(), listing.seconds(), static_cast<long long>(n_new),
              asking.seconds(), building.peak());
  std::fflush(stdout);

  const auto exact = unfurl::AutoSearch{}.build(all, k);
  const auto exact_new = unfurl::knn_query(exact, queries, k, parallel);
  std::printf("  recall of new points %.4f\n", recall(found_new, exact_new));
  if (arguments.count("exact", 1) == 0) return;
  unfurl::NeighborList<Scalar> exact_lists;
  const bench::Measured searching([&] { exact_lists = unfurl::knn_self(exact, k, parallel); });
  std::printf("  recall of all lists %.4f, exact %.2f s (%s), %.2f times as long\n",
              recall(found, exact_lists), searching.seconds(), exact.reason().c_str(),
              searching.seconds() / (building.seconds() + listing.seconds()));
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<char*> words(argv, argv + argc);
  std::string blobs = "blobs", nowhere = "";
  if (argc < 2) words.push_back(&blobs[0]);
  words.insert(words.begin() + 2, &nowhere[0]);  // nothing is written
  return bench::run(static_cast<int>(words.size()), words.data(), [&](const Arguments& arguments) {
    if (arguments.text("scalar") == "float")
      compare<float>(words[1], arguments);
    else
      compare<double>(words[1], arguments);
  });
}
