#pragma once

#include <algorithm>

#include "unfurl/core/lanes.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl::detail {

/// y_c = sum_j W_jc (m_j - d_j²) over the sources j. They come in pieces, which make sixteen parts
/// that are summed up each alone: the same bytes wherever the distances come from.
class PlacementSums {
 public:
  static constexpr Index piece = 64;  ///< sources

  /// \param W sources x coordinates; see `placement`
  /// \param means m, of the squared distances between the sources
  PlacementSums(const Matrix<double>& W, const Vector<double>& means)
      : n_sources_(W.rows()),
        weights_(Matrix<double>::Zero((W.rows() + piece - 1) / piece * piece, W.cols())),
        means_(Vector<double>::Zero(weights_.rows())) {
    for (Index c = 0; c < W.cols(); ++c)
      std::copy_n(W.data() + c * W.rows(), W.rows(), weights_.data() + c * weights_.rows());
    std::copy_n(means.data(), means.size(), means_.data());
  }

  Index n_sources() const { return n_sources_; }
  Index n_coordinates() const { return weights_.cols(); }
  /// So many sources, a multiple of `piece`, make a part.
  Index per_part() const { return (means_.size() / piece + 15) / 16 * piece; }
  Index n_parts() const { return (n_sources_ + per_part() - 1) / per_part(); }

  /// Takes a piece of the sources.
  /// \param first number of its first source, a multiple of `piece`
  /// \param more so much farther than `shortest` they are; 0 beyond the last source
  /// \param sums of the part, one for each coordinate
  template <class Real>
  void add(Index first, double shortest, const Real* more, double* sums) const {
    const double* const means = means_.data() + first;
    double gaps[piece];
    for (Index i = 0; i < piece; ++i) {
      const double distance = shortest + static_cast<double>(more[i]);
      gaps[i] = means[i] - distance * distance;
    }
    using Pack = Lanes<double>;
    for (Index c = 0; c < n_coordinates(); ++c) {
      const double* const weights = weights_.data() + c * weights_.rows() + first;
      Pack sum = Pack::all(0);
      for (Index i = 0; i < piece; i += Pack::size)
        sum = sum.plus(Pack::load(weights + i), Pack::load(gaps + i));
      sums[c] += sum.sum();
    }
  }

 private:
  Index n_sources_;
  Matrix<double> weights_;
  Vector<double> means_;
};

}  // namespace unfurl::detail
