#include <tuple>

#include "unfurl/pca.hpp"

using Estimators = std::tuple<unfurl::PCA<float>, unfurl::PCA<double>>;

#include "support/estimator_contract.hpp"
