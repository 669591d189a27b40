#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/datasets/blobs.hpp"
#include "unfurl/datasets/circle.hpp"
#include "unfurl/datasets/s_curve.hpp"
#include "unfurl/datasets/sphere.hpp"
#include "unfurl/datasets/spiked_covariance.hpp"
#include "unfurl/datasets/spiral.hpp"
#include "unfurl/datasets/swiss_roll.hpp"
#include "unfurl/datasets/swiss_roll_with_hole.hpp"
#include "unfurl/datasets/torus.hpp"
#include "unfurl/datasets/trefoil.hpp"
#include "unfurl/datasets/two_disks.hpp"

// What all generators promise; the shape of each is tested in a file of its own.

using namespace unfurl;
using test::same_bytes;

namespace {

struct Setting {
  Index n = 0;
  std::uint64_t seed = 0;
  double noise = 0;
};

struct Generator {
  std::string name;
  bool random;  // without noise
  bool has_noise;
  std::function<Dataset<double>(Setting)> make;
  std::function<Dataset<float>(Setting)> make_float;
};

/// `make` is called with the setting and a scalar of the wanted type.
template <class Make>
Generator generator(std::string name, bool random, bool has_noise, Make make) {
  return {name, random, has_noise, [make](Setting s) { return make(s, 0.0); },
          [make](Setting s) { return make(s, 0.0f); }};
}

/// A setting as the options of a generator.
template <class Options>
Options as(Setting setting) {
  Options options;
  options.seed = setting.seed;
  options.noise = setting.noise;
  return options;
}

std::vector<Generator> generators() {
  return {
      generator("spiral", true, true,
                [](Setting s, auto zero) { return spiral<decltype(zero)>(s.n, s.seed, s.noise); }),
      generator("s_curve", true, true,
                [](Setting s, auto zero) { return s_curve<decltype(zero)>(s.n, s.seed, s.noise); }),
      generator("sphere", true, true,
                [](Setting s, auto zero) { return sphere<decltype(zero)>(s.n, s.seed, s.noise); }),
      generator(
          "torus", true, true,
          [](Setting s, auto zero) { return torus<decltype(zero)>(s.n, as<TorusOptions>(s)); }),
      generator(
          "swiss_roll", true, true,
          [](Setting s, auto zero) { return swiss_roll<decltype(zero)>(s.n, s.seed, s.noise); }),
      generator("swiss_roll_with_hole", true, true,
                [](Setting s, auto zero) {
                  return swiss_roll_with_hole<decltype(zero)>(s.n, s.seed, s.noise);
                }),
      generator("spiked_covariance", true, true,
                [](Setting s, auto zero) {
                  SpikedCovarianceOptions options = as<SpikedCovarianceOptions>(s);
                  options.n_features = 7;
                  return spiked_covariance<decltype(zero)>(s.n, options);
                }),
      generator("two_disks", true, false,
                [](Setting s, auto zero) {
                  TwoDisksOptions options;
                  options.seed = s.seed;
                  return two_disks<decltype(zero)>(s.n, options);
                }),
      generator("blobs", true, false,
                [](Setting s, auto zero) {
                  BlobsOptions options;
                  options.seed = s.seed;
                  return blobs<decltype(zero)>(s.n, options);
                }),
      generator(
          "circle", false, true,
          [](Setting s, auto zero) { return circle<decltype(zero)>(s.n, as<CircleOptions>(s)); }),
      generator("trefoil", false, true,
                [](Setting s, auto zero) { return trefoil<decltype(zero)>(s.n, s.seed, s.noise); }),
      generator("fibonacci_sphere", false, false,
                [](Setting s, auto zero) { return fibonacci_sphere<decltype(zero)>(s.n); }),
  };
}

bool same(const Dataset<double>& a, const Dataset<double>& b) {
  return same_bytes(a.points, b.points) && same_bytes(a.coordinates, b.coordinates) &&
         a.labels == b.labels;
}

std::string message(const Generator& generator, Setting setting) {
  try {
    generator.make(setting);
  } catch (const ParameterError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a seed gives the same data again, another seed gives other data", "[datasets]") {
  for (const Generator& generator : generators()) {
    CAPTURE(generator.name);
    const Dataset<> data = generator.make({100, 7, 0});
    REQUIRE(data.points.rows() == 100);
    REQUIRE(data.coordinates.rows() == 100);
    CHECK((data.labels.empty() || data.labels.size() == 100));
    CHECK(same(data, generator.make({100, 7, 0})));
    CHECK(same_bytes(data.points, generator.make({100, 8, 0}).points) != generator.random);
    if (generator.has_noise)
      CHECK_FALSE(
          same_bytes(generator.make({100, 7, 0.1}).points, generator.make({100, 8, 0.1}).points));
  }
}

TEST_CASE("more random points continue fewer", "[datasets]") {
  for (const Generator& generator : generators()) {
    if (!generator.random) continue;
    CAPTURE(generator.name);
    const Dataset<> few = generator.make({100, 7, 0}), many = generator.make({250, 7, 0});
    CHECK(same_bytes(few.points, many.points.topRows(100)));
    CHECK(same_bytes(few.coordinates, many.coordinates.topRows(100)));
  }
}

TEST_CASE("noise moves the points by its standard deviation and leaves the coordinates",
          "[datasets]") {
  for (const Generator& generator : generators()) {
    if (!generator.has_noise) continue;
    CAPTURE(generator.name);
    const Dataset<> clean = generator.make({2000, 7, 0}), noisy = generator.make({2000, 7, 0.5});
    CHECK(same_bytes(noisy.coordinates, clean.coordinates));
    const Matrix<double> moved = noisy.points - clean.points;
    const double size = static_cast<double>(moved.size());
    CHECK(std::abs(moved.mean()) < 4 * 0.5 / std::sqrt(size));
    CHECK(std::abs(moved.norm() / std::sqrt(size) - 0.5) < 4 * 0.5 / std::sqrt(2 * size));
  }
}

TEST_CASE("data in float is the data in double, rounded", "[datasets]") {
  for (const Generator& generator : generators()) {
    CAPTURE(generator.name);
    const Setting setting{100, 7, 0.25};
    const Dataset<> data = generator.make(setting);
    const Dataset<float> rounded = generator.make_float(setting);
    CHECK(same_bytes(rounded.points, data.points.cast<float>().eval()));
    CHECK(same_bytes(rounded.coordinates, data.coordinates.cast<float>().eval()));
    CHECK(rounded.labels == data.labels);
  }
}

TEST_CASE("no points are an empty dataset, one point is one", "[datasets]") {
  for (const Generator& generator : generators()) {
    CAPTURE(generator.name);
    const Dataset<> none = generator.make({}), one = generator.make({1, 0, 0});
    CHECK(none.points.rows() == 0);
    CHECK(none.points.cols() == one.points.cols());
    CHECK(none.labels.empty());
    CHECK(one.points.rows() == 1);
    CHECK(one.points.allFinite());
    CHECK(one.coordinates.allFinite());
  }
}

TEST_CASE("a generator names itself and what it cannot make", "[datasets]") {
  for (const Generator& generator : generators()) {
    CAPTURE(generator.name);
    CHECK(message(generator, {-1, 0, 0}) == generator.name + ": n must be at least 0, got -1");
    if (!generator.has_noise) continue;
    CHECK(message(generator, {5, 0, -0.5}) ==
          generator.name + ": noise must be finite and at least 0, got -0.5");
    CHECK_THROWS_AS(generator.make({5, 0, std::nan("")}), ParameterError);
    CHECK_THROWS_AS(generator.make({5, 0, std::numeric_limits<double>::infinity()}),
                    ParameterError);
  }
}
