#include <istream>
#include <ostream>
#include <tuple>
#include <utility>

#include "unfurl/tsne.hpp"

namespace {

/// Few iterations and neighbours, for small data.
struct QuickOptions : unfurl::TSNEOptions {
  QuickOptions() {
    perplexity = 9;
    max_iter = 100;
    early_exaggeration_iter = 50;
    learning_rate = 20;
  }
};

template <class Scalar>
class QuickTSNE {
 public:
  using Rows = unfurl::ConstMatrixRef<Scalar>;
  explicit QuickTSNE(QuickOptions options = {}) : tsne_(options), options_(options) {}
  QuickTSNE& fit(const Rows& X) & {
    tsne_.fit(X);
    return *this;
  }
  unfurl::Matrix<Scalar> fit_transform(const Rows& X) { return tsne_.fit_transform(X); }
  unfurl::Matrix<Scalar> transform(const Rows& X) const { return tsne_.transform(X); }
  const unfurl::Matrix<Scalar>& embedding() const { return tsne_.embedding(); }
  double kl_divergence() const { return tsne_.kl_divergence(); }
  bool stopped_early() const { return tsne_.stopped_early(); }
  bool is_fitted() const { return tsne_.is_fitted(); }
  unfurl::Index n_samples() const { return tsne_.n_samples(); }
  unfurl::Index n_features() const { return tsne_.n_features(); }
  const QuickOptions& options() const { return options_; }
  const unfurl::FitReport& report() const { return tsne_.report(); }
  void save(std::ostream& out) const { tsne_.save(out); }
  static QuickTSNE load(std::istream& in) {
    QuickTSNE quick;
    quick.tsne_ = unfurl::TSNE<Scalar>::load(in);
    return quick;
  }

 private:
  unfurl::TSNE<Scalar> tsne_;
  QuickOptions options_;
};

}  // namespace

using Estimators = std::tuple<QuickTSNE<float>, QuickTSNE<double>>;

#include "support/estimator_contract.hpp"
