#pragma once

#include <cmath>
#include <limits>
#include <sstream>
#include <string>

#include "fuzz/checks.hpp"
#include "unfurl/estimator.hpp"
#include "unfurl/every_estimator.hpp"

// What every fitted or loaded model must stand.
namespace fuzz {

using unfurl::Index;
using unfurl::Matrix;

template <class E>
using ScalarOf = typename unfurl::detail::EstimatorTraits<E>::Scalar;

template <class E>
std::string saved(const E& estimator) {
  std::ostringstream out;
  estimator.save(out);
  return out.str();
}

template <class E>
E loaded(const std::string& bytes) {
  std::istringstream in(bytes);
  return E::load(in);
}

/// A result is finite and has a row for each new point, or there is an error.
template <class Place>
void place_finitely(Index n_new, Place&& place) {
  succeeds([&] {
    const auto Y = place();
    require(Y.rows() == n_new, "a new point has no place");
    require(Y.allFinite(), "a new point has no finite place");
  });
}

/// New points: the origin, ordinary ones, far ones, tiny ones.
template <class Scalar>
Matrix<Scalar> new_points(Index n_features) {
  Matrix<Scalar> X(5, n_features);
  if (n_features == 0) return X;
  X.row(0).setZero();
  X.row(1).setConstant(Scalar(1));
  X.row(2).setConstant(Scalar(-1e3));
  X.row(3).setConstant(sizeof(Scalar) == 8 ? Scalar(1e120) : Scalar(1e12));
  X.row(4).setConstant(std::numeric_limits<Scalar>::denorm_min());
  return X;
}

template <class E>
void place_by_distances(const E& model) {
  using Scalar = ScalarOf<E>;
  place_finitely(4, [&] {
    Matrix<Scalar> D = Matrix<Scalar>::Ones(4, model.n_samples());
    D.row(1).setZero();
    D.row(2) *= Scalar(1e12);
    for (Index j = 0; j < D.cols(); ++j) D(3, j) = static_cast<Scalar>(j);
    return model.transform_distances(D);
  });
}

template <class Scalar>
void read_members(const unfurl::PCA<Scalar>& pca) {
  require(pca.explained_variance_ratio().allFinite() && pca.singular_values().allFinite(),
          "PCA: a variance is not finite");
  succeeds([&] { pca.spectrum_test(); });
  succeeds([&] { pca.spectrum_test(1.0); });
  place_finitely(
      2, [&] { return pca.inverse_transform(Matrix<Scalar>::Ones(2, pca.n_components())); });
}

template <class Scalar>
void read_members(const unfurl::ClassicalMDS<Scalar>& mds) {
  require(mds.embedding().allFinite() && mds.eigenvalues().allFinite(), "MDS: not finite");
  require(mds.landmarks().size() <= static_cast<std::size_t>(mds.n_samples()), "MDS: landmarks");
  place_by_distances(mds);
}

template <class Scalar>
void read_members(const unfurl::Isomap<Scalar>& isomap) {
  require(isomap.embedding().allFinite() && isomap.eigenvalues().allFinite() &&
              isomap.residual_variance().allFinite(),
          "Isomap: not finite");
  require(isomap.geodesic_distances().allFinite(), "Isomap: a path has no finite length");
  place_by_distances(isomap);
}

template <class Scalar>
void read_members(const unfurl::LLE<Scalar>& lle) {
  require(lle.embedding().allFinite() && lle.eigenvalues().allFinite(), "LLE: not finite");
  require(lle.weights().rows() == lle.n_samples(), "LLE: weights of other samples");
}

template <class Scalar>
void read_members(const unfurl::LaplacianEigenmap<Scalar>& map) {
  require(map.embedding().allFinite() && map.eigenvalues().allFinite() &&
              map.degrees().allFinite() && map.bandwidth() >= 0,
          "LaplacianEigenmap: not finite");
  place_by_distances(map);
}

template <class Scalar>
void read_members(const unfurl::DiffusionMap<Scalar>& map) {
  require(map.embedding().allFinite() && map.eigenvalues().allFinite() &&
              map.degrees().allFinite() && map.stationary_distribution().allFinite(),
          "DiffusionMap: not finite");
  for (const double time : {0.0, 0.5, 3.0, 1e300})
    succeeds([&] { require(map.embedding_at(time).allFinite(), "DiffusionMap: at another time"); });
  succeeds([&] { map.diffusion_distance(0, map.n_samples() - 1, 2); });
  place_by_distances(map);
}

template <class Scalar>
void read_members(const unfurl::TSNE<Scalar>& tsne) {
  require(tsne.embedding().allFinite() && std::isfinite(tsne.kl_divergence()), "TSNE: not finite");
  place_by_distances(tsne);
}

/// Its members can be read, new points are placed finitely or refused, and it comes back from a
/// file to the byte.
template <class E>
void examine(const E& model) {
  require(model.is_fitted(), "a model is not fitted");
  read_members(model);
  place_finitely(5, [&] { return model.transform(new_points<ScalarOf<E>>(model.n_features())); });
  const std::string bytes = saved(model);
  require(saved(loaded<E>(bytes)) == bytes, "a model changes when it is saved and loaded");
}

}  // namespace fuzz
