#include <algorithm>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "unfurl/core/error.hpp"
#include "unfurl/core/progress.hpp"
#include "unfurl/core/report.hpp"
#include "unfurl/datasets/swiss_roll.hpp"
#include "unfurl/isomap.hpp"
#include "unfurl/laplacian_eigenmap.hpp"
#include "unfurl/lle.hpp"
#include "unfurl/neighbors/nn_descent.hpp"
#include "unfurl/quality/procrustes.hpp"

using unfurl::Index;
using unfurl::Matrix;
using unfurl::NnDescent;

namespace {

constexpr Index enough = 9000;  // more than are searched exactly

/// Fits on the first samples, maps the others, and compares with the same
/// estimator on exact neighbours: by the residual of the best similarity
/// transformation.
template <class Approximate, class Exact>
void check_close(Approximate approximate, Exact exact, const Matrix<double>& all) {
  const Matrix<double> X = all.topRows(enough), added = all.bottomRows(all.rows() - enough);
  approximate.fit(X);
  exact.fit(X);
  CHECK(unfurl::procrustes_disparity(exact.embedding(), approximate.embedding()) < 1e-3);
  Matrix<double> exact_map(all.rows(), 2), map(all.rows(), 2);
  exact_map << exact.embedding(), exact.transform(added);
  map << approximate.embedding(), approximate.transform(added);
  CHECK(unfurl::procrustes_disparity(exact_map, map) < 1e-3);
}

}  // namespace

TEST_CASE("estimators fit and transform by approximate neighbours", "[neighbors]") {
  const Matrix<double> all = unfurl::swiss_roll(enough + 300).points;
  SECTION("Isomap") {
    unfurl::IsomapOptions options;
    options.n_landmarks = 100;
    check_close(unfurl::Isomap<double, NnDescent>(options), unfurl::Isomap<double>(options), all);
  }
  SECTION("LLE") {
    unfurl::LLEOptions options;
    check_close(unfurl::LLE<double, NnDescent>(options), unfurl::LLE<double>(options), all);
  }
  SECTION("LaplacianEigenmap") {
    using Kernel = unfurl::GaussianKernel<double>;
    unfurl::LaplacianEigenmapOptions options;
    check_close(unfurl::LaplacianEigenmap<double, Kernel, NnDescent>(options),
                unfurl::LaplacianEigenmap<double>(options), all);
  }
}

TEST_CASE("the report of a fit says that neighbours are approximate, and how much", "[neighbors]") {
  const Matrix<double> X = unfurl::swiss_roll(enough).points;
  unfurl::LLE<double, NnDescent> lle;
  lle.fit(X);
  const auto index = NnDescent{}.build(Matrix<double>(X.transpose()), lle.options().n_neighbors);
  REQUIRE_FALSE(index.is_exact());
  const std::vector<std::string>& notes = lle.report().notes;
  CHECK(std::find(notes.begin(), notes.end(), index.note()) != notes.end());
  CHECK(index.note().find("approximate neighbours") == 0);

  unfurl::LLE<double> exact;
  exact.fit(X);
  for (const std::string& note : exact.report().notes)
    CHECK(note.find("approximate") == std::string::npos);
}

TEST_CASE("a fit can be cancelled while approximate neighbours are searched", "[neighbors]") {
  unfurl::LLEOptions options;
  double reached = 0;
  options.progress = [&](const unfurl::Progress& progress) {
    if (progress.stage == "neighbors") reached = std::max(reached, progress.fraction);
    return reached > 0 ? unfurl::Control::stop : unfurl::Control::proceed;
  };
  unfurl::LLE<double, NnDescent> lle(options);
  CHECK_THROWS_AS(lle.fit(unfurl::swiss_roll(40000).points), unfurl::CancelledError);
  CHECK_FALSE(lle.is_fitted());
}
