#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "unfurl/core/types.hpp"

namespace unfurl::detail {

/// Discrete Fourier transforms of length 2^a 3^b of several sequences side by side: element i of
/// sequence s is at [i * width + s], real and imaginary parts apart, so that every step is a loop
/// over contiguous numbers. Stockham's self-sorting algorithm (Cochran et al. 1967), radix 4, 3, 2.
class FourierTransform {
 public:
  explicit FourierTransform(Index length) : length_(length) {
    Index rest = length;
    for (const int radix : {4, 3, 2})
      for (; rest % radix == 0 && rest > 1; rest /= radix) radices_.push_back(radix);
    const double turn = -2 * std::acos(-1.0) / static_cast<double>(length);
    cosine_.resize(static_cast<std::size_t>(length));
    sine_.resize(static_cast<std::size_t>(length));
    for (std::size_t i = 0; i < cosine_.size(); ++i) {
      cosine_[i] = static_cast<float>(std::cos(turn * static_cast<double>(i)));
      sine_[i] = static_cast<float>(std::sin(turn * static_cast<double>(i)));
    }
  }

  /// The least length of this kind that is at least n.
  static Index length_from(Index n) {
    for (Index length = n;; ++length) {
      Index rest = length;
      while (rest % 2 == 0) rest /= 2;
      while (rest % 3 == 0) rest /= 3;
      if (rest == 1 && length % 4 == 0) return length;
    }
  }

  Index length() const { return length_; }

  /// Room for the sequences and for the steps between.
  struct Buffer {
    Buffer(Index length, Index width_) : width(width_) {
      for (auto* part : {&re, &im, &next_re, &next_im})
        part->resize(static_cast<std::size_t>(length * width_));
    }
    Index width;
    std::vector<float> re, im, next_re, next_im;
  };

  /// In place. The inverse is not divided by the length.
  void transform(Buffer& buffer, bool inverse) const {
    // The inverse is the transform with real and imaginary parts exchanged.
    if (inverse) buffer.re.swap(buffer.im);
    Index n = length_, stride = 1;
    for (const int radix : radices_) {
      const Index m = n / radix;
      for (Index p = 0; p < m; ++p) step(buffer, radix, n, m, p, stride);
      buffer.re.swap(buffer.next_re);
      buffer.im.swap(buffer.next_im);
      n = m;
      stride *= radix;
    }
    if (inverse) buffer.re.swap(buffer.im);
  }

 private:
  struct Turn {
    float cosine, sine;
  };

  /// One group of butterflies: outputs j are the sums over the inputs k with the powers of a root
  /// of unity, turned by p j.
  void step(Buffer& buffer, int radix, Index n, Index m, Index p, Index stride) const {
    const Index count = stride * buffer.width;
    std::array<const float*, 4> re{}, im{};
    std::array<float*, 4> to_re{}, to_im{};
    std::array<Turn, 4> turn{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(radix); ++k) {
      const auto at = static_cast<Index>(k);
      re[k] = buffer.re.data() + (p + m * at) * count;
      im[k] = buffer.im.data() + (p + m * at) * count;
      to_re[k] = buffer.next_re.data() + (p * radix + at) * count;
      to_im[k] = buffer.next_im.data() + (p * radix + at) * count;
      const auto angle = static_cast<std::size_t>((length_ / n) * p * at % length_);
      turn[k] = {cosine_[angle], sine_[angle]};
    }
    if (radix == 2)
      two(count, re[0], im[0], re[1], im[1], to_re[0], to_im[0], to_re[1], to_im[1], turn[1]);
    else if (radix == 3)
      three(count, re[0], im[0], re[1], im[1], re[2], im[2], to_re[0], to_im[0], to_re[1], to_im[1],
            to_re[2], to_im[2], turn[1], turn[2]);
    else
      four(count, re[0], im[0], re[1], im[1], re[2], im[2], re[3], im[3], to_re[0], to_im[0],
           to_re[1], to_im[1], to_re[2], to_im[2], to_re[3], to_im[3], turn[1], turn[2], turn[3]);
  }

// The arrays do not overlap; told so, compilers turn the loops into vector instructions.
#define UNFURL_IN const float* __restrict
#define UNFURL_OUT float* __restrict

  static void two(Index count, UNFURL_IN ar, UNFURL_IN ai, UNFURL_IN br, UNFURL_IN bi,
                  UNFURL_OUT xr, UNFURL_OUT xi, UNFURL_OUT yr, UNFURL_OUT yi, Turn t) {
    for (Index i = 0; i < count; ++i) {
      const float dr = ar[i] - br[i], di = ai[i] - bi[i];
      xr[i] = ar[i] + br[i], xi[i] = ai[i] + bi[i];
      yr[i] = dr * t.cosine - di * t.sine, yi[i] = dr * t.sine + di * t.cosine;
    }
  }

  static void three(Index count, UNFURL_IN ar, UNFURL_IN ai, UNFURL_IN br, UNFURL_IN bi,
                    UNFURL_IN cr, UNFURL_IN ci, UNFURL_OUT xr, UNFURL_OUT xi, UNFURL_OUT yr,
                    UNFURL_OUT yi, UNFURL_OUT zr, UNFURL_OUT zi, Turn t, Turn u) {
    const float half_root = 0.86602540378443864676f;
    for (Index i = 0; i < count; ++i) {
      const float sr = br[i] + cr[i], si = bi[i] + ci[i];
      const float mr = ar[i] - 0.5f * sr, mi = ai[i] - 0.5f * si;
      const float dr = half_root * (bi[i] - ci[i]), di = -half_root * (br[i] - cr[i]);
      const float gr = mr + dr, gi = mi + di, qr = mr - dr, qi = mi - di;
      xr[i] = ar[i] + sr, xi[i] = ai[i] + si;
      yr[i] = gr * t.cosine - gi * t.sine, yi[i] = gr * t.sine + gi * t.cosine;
      zr[i] = qr * u.cosine - qi * u.sine, zi[i] = qr * u.sine + qi * u.cosine;
    }
  }

  static void four(Index count, UNFURL_IN ar, UNFURL_IN ai, UNFURL_IN br, UNFURL_IN bi,
                   UNFURL_IN cr, UNFURL_IN ci, UNFURL_IN dr, UNFURL_IN di, UNFURL_OUT wr,
                   UNFURL_OUT wi, UNFURL_OUT xr, UNFURL_OUT xi, UNFURL_OUT yr, UNFURL_OUT yi,
                   UNFURL_OUT zr, UNFURL_OUT zi, Turn t, Turn u, Turn v) {
    for (Index i = 0; i < count; ++i) {
      const float sr = ar[i] + cr[i], si = ai[i] + ci[i], er = ar[i] - cr[i], ei = ai[i] - ci[i];
      const float or_ = br[i] + dr[i], oi = bi[i] + di[i], fr = br[i] - dr[i], fi = bi[i] - di[i];
      const float gr = er + fi, gi = ei - fr, qr = sr - or_, qi = si - oi;
      const float rr = er - fi, ri = ei + fr;
      wr[i] = sr + or_, wi[i] = si + oi;
      xr[i] = gr * t.cosine - gi * t.sine, xi[i] = gr * t.sine + gi * t.cosine;
      yr[i] = qr * u.cosine - qi * u.sine, yi[i] = qr * u.sine + qi * u.cosine;
      zr[i] = rr * v.cosine - ri * v.sine, zi[i] = rr * v.sine + ri * v.cosine;
    }
  }

#undef UNFURL_IN
#undef UNFURL_OUT

  Index length_;
  std::vector<int> radices_;
  std::vector<float> cosine_, sine_;
};

}  // namespace unfurl::detail
