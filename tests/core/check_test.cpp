#include "unfurl/core/check.hpp"

#include <cmath>
#include <locale>
#include <string>

#include "support/catch.hpp"
#include "support/matrix.hpp"

using namespace unfurl;

namespace {

template <class Action>
std::string message(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

Matrix<double> distances() {
  Matrix<double> D(3, 3);
  D << 0, 1, 2, 1, 0, 3, 2, 3, 0;
  return D;
}

}  // namespace

TEST_CASE("samples are checked before anything is made of them",
          "[check][contract3][contract4][contract6][contract7][contract8]") {
  const Parallel parallel;
  const auto fit = [&](const Matrix<double>& X) {
    return message([&] { detail::check_training_samples<double>("E", X, parallel); });
  };
  const auto transform = [&](const Matrix<double>& X) {
    return message([&] { detail::check_new_samples<double>("E::transform", X, 4, parallel); });
  };
  const Matrix<double> X = test::gaussian<double>(300, 4);
  CHECK(fit(X) == "nothing was thrown");
  CHECK(transform(X) == "nothing was thrown");
  CHECK(transform(Matrix<double>(0, 4)) == "nothing was thrown");
  CHECK(fit(Matrix<double>(0, 4)).find("0 samples") != std::string::npos);
  CHECK(fit(Matrix<double>::Ones(1, 4)).find("1 sample ") != std::string::npos);
  CHECK(fit(Matrix<double>(9, 0)).find("0 features") != std::string::npos);
  CHECK(transform(X.leftCols(3)).find("X has 3 features, expecting 4") != std::string::npos);
  CHECK(transform(Matrix<double>::Ones(2, 5)).find("X has 5 features") != std::string::npos);
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    Matrix<double> spoiled = X;
    spoiled(17, 2) = spoiled(40, 1) = bad;
    for (const std::string& said : {fit(spoiled), transform(spoiled)}) {
      CHECK(said.find(std::isnan(bad) ? "NaN" : "Inf") != std::string::npos);
      CHECK(said.find("(row 17, column 2)") != std::string::npos);
    }
  }
  for (const std::string& said : {fit(X * 1e154), transform(X * 1e154)})
    CHECK(said.find("magnitude too large") != std::string::npos);
  CHECK(fit(X * 1e-151).find("magnitude too small") != std::string::npos);
  CHECK(fit(X * 1e-148) == "nothing was thrown");
  CHECK(transform(X * 1e-300) == "nothing was thrown");
  CHECK(fit(Matrix<double>::Zero(9, 4)) == "nothing was thrown");
}

TEST_CASE("a distance matrix must be one", "[check][contract24]") {
  const Parallel parallel;
  const auto said = [&](const Matrix<double>& D) {
    return message([&] { detail::check_distances<double>("E", D, parallel); });
  };
  CHECK(said(distances()) == "nothing was thrown");
  CHECK(said(Matrix<double>::Zero(2, 3)) ==
        "E: the distance matrix must be square, got shape (2, 3)");
  auto D = distances();
  D(0, 2) = 2.5;
  CHECK(
      said(D) ==
      "E: the distance matrix must be symmetric, but entries (0, 2) and (2, 0) are 2.5 and 2; use "
      "(D + D^T) / 2 if that is what you mean");
  D = distances();
  D(0, 2) *= 1 + 1e-12;
  CHECK(said(D) == "nothing was thrown");
  D = distances();
  D(1, 0) = D(0, 1) = -1;
  CHECK(said(D) == "E: distances must be non-negative, got -1");
  D = distances();
  D(1, 1) = 0.5;
  CHECK(said(D) == "E: the diagonal of a distance matrix must be 0, got 0.5");
  CHECK(said(distances() * 1e-160).find("magnitude too small") != std::string::npos);
  CHECK(said(Matrix<double>::Zero(1, 1)).find("1 sample") != std::string::npos);
}

TEST_CASE("the worst asymmetry is found in any tile", "[check][contract24]") {
  const Index n = 200;
  Matrix<double> X = test::gaussian<double>(n, 3);
  const Matrix<double> D = test::pairwise_distances(X);
  for (const auto& [i, j] : {std::pair<Index, Index>{3, 190}, {199, 0}, {64, 63}, {70, 69}}) {
    auto bad = D;
    bad(i, j) += 0.25;
    const std::string text =
        message([&] { detail::check_distances<double>("E", bad, Parallel(3)); });
    const std::string place = detail::text("(", std::min(i, j), ", ", std::max(i, j), ") and (");
    INFO(text);
    CHECK(text.find(place) != std::string::npos);
  }
}

TEST_CASE("messages do not follow the program's locale", "[check][contract68]") {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const std::string text = detail::text(1234567, " ", 0.5);
  std::locale::global(before);
  CHECK(text == "1234567 0.5");
}

TEST_CASE("ranges catch NaN", "[check][contract9]") {
  CHECK(message([] {
          detail::check_range("E", "p", std::nan(""), 0.0, 1.0);
        }).find("E: p must be in [0, 1]") == 0);
  CHECK(message([] { detail::check_range<Index>("E", "k", 12, 1, 9, "n = 10"); }) ==
        "E: k must be in [1, 9], got 12 (n = 10)");
}
