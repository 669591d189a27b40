#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"

// Data on which two ways to the same answer part when one of them is wrong.
namespace test {

using unfurl::Index;
using unfurl::Matrix;

struct NastyData {
  std::string name;
  Matrix<double> X;  ///< a sample a row
};

/// A gently bent sheet: connected, simple spectra.
inline Matrix<double> bent_sheet(Index n, std::uint64_t seed = 5) {
  unfurl::Random random(seed);
  Matrix<double> X(n, 4);
  for (Index i = 0; i < n; ++i) {
    const double u = 3 * random.uniform(), v = random.uniform();
    X.row(i) << u, v, 0.2 * u * u, 0.1 * random.normal();
  }
  return X;
}

/// Some tens of samples each, of ordinary size; see `scaled` for the others.
inline std::vector<NastyData> nasty_data() {
  const Matrix<double> sheet = bent_sheet(72);
  std::vector<NastyData> sets = {{"sheet", sheet}};

  Matrix<double> duplicates = sheet;
  for (Index i = 0; i < 36; ++i) duplicates.row(2 * i) = duplicates.row(71 - i / 3);
  sets.push_back({"duplicates", duplicates});

  Matrix<double> lattice(77, 3);  // ties everywhere, in float as in double
  for (Index i = 0; i < 77; ++i)
    lattice.row(i) << static_cast<double>(i % 11) / 8, static_cast<double>(i / 11) / 8, 0;
  sets.push_back({"lattice", lattice});

  Matrix<double> line(60, 3);
  for (Index i = 0; i < 60; ++i) {
    const double at = static_cast<double>((i * 37) % 60) + 0.01 * static_cast<double>(i % 7);
    line.row(i) << at, 2 * at, -at / 2;
  }
  sets.push_back({"collinear", line});

  Matrix<double> pieces = sheet;
  pieces.middleRows(24, 24).array() += 40;
  pieces.bottomRows(24).array() -= 50;
  sets.push_back({"three pieces", pieces});

  Matrix<double> outlier = sheet;
  outlier.row(17).setConstant(1e7);
  sets.push_back({"one far outlier", outlier});

  sets.push_back({"far from the origin", (sheet.array() + 1e6).matrix()});
  return sets;
}

}  // namespace test
