#pragma once

#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "unfurl/core/archive.hpp"
#include "unfurl/core/error.hpp"
#include "unfurl/core/replay.hpp"
#include "unfurl/core/report.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/estimator.hpp"

namespace unfurl {

/// The list of all estimators; unfurl/every_estimator.hpp defines it.
template <class Scalar>
struct EveryEstimator;

template <class Scalar>
class AnyEstimator;

namespace detail {

template <class Scalar, class = void>
inline constexpr bool knows_every_estimator = false;
template <class Scalar>
inline constexpr bool
    knows_every_estimator<Scalar, std::void_t<decltype(sizeof(EveryEstimator<Scalar>))>> = true;

/// What AnyEstimator asks of what it holds.
template <class Scalar>
struct HeldEstimator {
  virtual ~HeldEstimator() = default;
  virtual std::unique_ptr<HeldEstimator> copy() const = 0;
  virtual std::unique_ptr<HeldEstimator> unfitted() const = 0;
  /// The options, if they are of this type.
  virtual const void* options(const std::type_info& type) const = 0;
  virtual void fit(const ConstMatrixRef<Scalar>& X) = 0;
  virtual Matrix<Scalar> transform(const ConstMatrixRef<Scalar>& X) const = 0;
  virtual const Matrix<Scalar>& embedding() const = 0;
  virtual bool is_fitted() const = 0;
  virtual Index n_samples() const = 0;
  virtual Index n_features() const = 0;
  virtual const FitReport& report() const = 0;
  virtual void save(std::ostream& out) const = 0;
};

template <class Scalar, class E>
struct HeldAs final : HeldEstimator<Scalar> {
  using Base = HeldEstimator<Scalar>;
  E estimator;

  explicit HeldAs(E held) : estimator(std::move(held)) {}
  std::unique_ptr<Base> copy() const override { return std::make_unique<HeldAs>(estimator); }
  std::unique_ptr<Base> unfitted() const override {
    return std::make_unique<HeldAs>(E(estimator.options()));
  }
  const void* options(const std::type_info& type) const override {
    const auto& held = estimator.options();
    return type == typeid(held) ? &held : nullptr;
  }
  void fit(const ConstMatrixRef<Scalar>& X) override { estimator.fit(X); }
  Matrix<Scalar> transform(const ConstMatrixRef<Scalar>& X) const override {
    return estimator.transform(X);
  }
  const Matrix<Scalar>& embedding() const override { return estimator.embedding(); }
  bool is_fitted() const override { return estimator.is_fitted(); }
  Index n_samples() const override { return estimator.n_samples(); }
  Index n_features() const override { return estimator.n_features(); }
  const FitReport& report() const override { return estimator.report(); }
  void save(std::ostream& out) const override { estimator.save(out); }
};

}  // namespace detail

/// The options of what an AnyEstimator holds, and its kind: enough to make another like it.
template <class Scalar>
class AnyOptions {
 public:
  /// The options, if they are of this type; else nullptr.
  ///
  ///     if (const auto* options = any.options().get_if<unfurl::IsomapOptions>()) …
  template <class Options>
  const Options* get_if() const {
    return static_cast<const Options*>(made_ ? made_->options(typeid(Options)) : nullptr);
  }

 private:
  friend class AnyEstimator<Scalar>;
  explicit AnyOptions(std::shared_ptr<const detail::HeldEstimator<Scalar>> made)
      : made_(std::move(made)) {}

  std::shared_ptr<const detail::HeldEstimator<Scalar>> made_;  // not fitted
};

/// An estimator whose kind is chosen while the program runs:
///
///     unfurl::AnyEstimator<double> map = unfurl::PCA<double>();
///     if (bent) map = unfurl::Isomap<double>(options);
///     Eigen::MatrixXd Y = map.fit_transform(X);
///
/// It behaves as what it holds, by its own errors and reports, at the cost of a virtual call. It is
/// an estimator itself (is_estimator_v), a value that is copied with what it holds, and takes any
/// estimator of the same Scalar, a user's own included. What only one kind has is reached through
/// `target`. This header includes no estimator: only those are compiled that are put in.
///
/// One that was made without an estimator, or moved from, throws NotFittedError when used.
template <class Scalar = double>
class AnyEstimator {
  static_assert(is_scalar_v<Scalar>, "AnyEstimator<Scalar>: Scalar must be float or double");

  template <class E>
  static constexpr bool takes() {
    if constexpr (std::is_same_v<E, AnyEstimator> || std::is_same_v<E, AnyOptions<Scalar>>)
      return false;
    else if constexpr (is_estimator_v<E>)
      return std::is_same_v<typename detail::EstimatorTraits<E>::Scalar, Scalar>;
    else
      return false;
  }

 public:
  /// Holds nothing yet.
  AnyEstimator() = default;

  /// Holds a copy of the estimator, fitted or not, or the estimator itself where it is moved in.
  template <class E, class = std::enable_if_t<takes<std::decay_t<E>>()>>
  AnyEstimator(E&& estimator)  // NOLINT: AnyEstimator<> e = PCA<>();
      : held_(
            std::make_unique<detail::HeldAs<Scalar, std::decay_t<E>>>(std::forward<E>(estimator))) {
  }

  /// Of the same kind with the same options, not fitted.
  explicit AnyEstimator(const AnyOptions<Scalar>& options)
      : held_(options.made_ ? options.made_->copy() : nullptr) {}

  /// Copies what is held, the fitted state included.
  AnyEstimator(const AnyEstimator& other) : held_(other.held_ ? other.held_->copy() : nullptr) {}
  /// Leaves the other one holding nothing.
  AnyEstimator(AnyEstimator&&) noexcept = default;
  /// Holds a copy of what the other one holds, or takes it over where that is moved in.
  AnyEstimator& operator=(AnyEstimator other) noexcept {
    held_ = std::move(other.held_);
    return *this;
  }
  ~AnyEstimator() = default;

  /// Fits what is held. \param X n_samples x n_features.
  /// \throws as its own `fit`; NotFittedError when nothing is held
  AnyEstimator& fit(const ConstMatrixRef<Scalar>& X) & {
    held("fit");
    held_->fit(X);
    return *this;
  }
  /// `fit(X)`, and a copy of the embedding.
  Matrix<Scalar> fit_transform(const ConstMatrixRef<Scalar>& X) { return fit(X).embedding(); }
  /// Places new points, in the way of what is held.
  Matrix<Scalar> transform(const ConstMatrixRef<Scalar>& X) const {
    return held("transform").transform(X);
  }
  /// Of the samples fitted on, one a row.
  const Matrix<Scalar>& embedding() const { return held("embedding").embedding(); }
  /// An estimator is held, and it is fitted.
  bool is_fitted() const { return held_ && held_->is_fitted(); }
  /// Number of embedded samples.
  Index n_samples() const { return held("n_samples").n_samples(); }
  /// Number of columns of the data fitted on; 0 where that was not points.
  Index n_features() const { return held("n_features").n_features(); }
  /// What the last `fit` did: path, certificate, seconds a stage.
  const FitReport& report() const { return held("report").report(); }
  /// The kind and the options of what is held, for making another one like it.
  AnyOptions<Scalar> options() const { return AnyOptions<Scalar>(held("options").unfitted()); }

  /// What it holds, if it is an E; else nullptr.
  ///
  ///     if (const auto* pca = any.target<unfurl::PCA<>>()) draw(pca->explained_variance());
  template <class E>
  const E* target() const {
    const auto* as = dynamic_cast<const detail::HeldAs<Scalar, E>*>(held_.get());
    return as ? &as->estimator : nullptr;
  }

  /// As what it holds writes itself, so that either can load it. \throws IoError
  void save(std::ostream& out) const { held("save").save(out); }

  /// Loads a model of one of these kinds, whichever the stream holds:
  ///
  ///     auto map = unfurl::AnyEstimator<>::load<unfurl::PCA<>, unfurl::Isomap<>>(in);
  ///
  /// Without a list it loads any of the library's, with their default policies, and needs
  /// <unfurl/every_estimator.hpp> (or <unfurl/unfurl.hpp>).
  ///
  /// \throws FormatError when it is of another kind or scalar, or damaged; IoError.
  template <class... Kinds>
  static AnyEstimator load(std::istream& in) {
    if constexpr (sizeof...(Kinds) > 0) {
      return load_one_of(in, static_cast<std::tuple<Kinds...>*>(nullptr));
    } else {
      static_assert(detail::knows_every_estimator<Scalar>,
                    "AnyEstimator::load: include <unfurl/every_estimator.hpp> to load any kind of "
                    "model, or name the kinds: AnyEstimator<>::load<PCA<>, Isomap<>>(in)");
      return load_one_of(in, static_cast<typename EveryEstimator<Scalar>::types*>(nullptr));
    }
  }

 private:
  const detail::HeldEstimator<Scalar>& held(const char* member) const {
    if (!held_)
      throw NotFittedError(detail::text(
          "AnyEstimator::", member, ": it holds no estimator; assign one, for example PCA<>()"));
    return *held_;
  }

  template <class... Kinds>
  static AnyEstimator load_one_of(std::istream& in, std::tuple<Kinds...>*) {
    const ModelKind kind = detail::ArchiveReader::kind(in, "AnyEstimator::load");
    detail::ArchiveWriter head;
    head.kind(kind);
    AnyEstimator loaded;
    if ((loaded.load_if_it_is<Kinds>(head.bytes(), in) || ...)) return loaded;
    const std::size_t at = head.bytes().size();
    if (kind.scalar_size != sizeof(Scalar))
      throw FormatError(detail::text("AnyEstimator::load: expected scalars of ", sizeof(Scalar),
                                     " bytes, found ", kind.scalar_size, " (byte ", at, ")"),
                        at);
    throw FormatError(detail::text("AnyEstimator::load: none of the ", sizeof...(Kinds),
                                   " kinds expected is ", kind.estimator, " (byte ", at, ")"),
                      at);
  }

  /// An estimator refuses another's model when it has seen the head, and takes not a byte more.
  template <class E>
  bool load_if_it_is(const std::string& head, std::istream& in) {
    static_assert(takes<E>(), "AnyEstimator::load: each kind must be an estimator of its Scalar");
    detail::Replay again(head, *in.rdbuf());
    std::istream model(&again);
    try {
      *this = AnyEstimator(E::load(model));
    } catch (const FormatError&) {
      if (again.went_on()) throw;
    }
    return held_ != nullptr;
  }

  std::unique_ptr<detail::HeldEstimator<Scalar>> held_ = nullptr;
};

}  // namespace unfurl
