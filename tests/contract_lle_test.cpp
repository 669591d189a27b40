#include <tuple>

#include "unfurl/lle.hpp"

using Estimators = std::tuple<unfurl::LLE<float>, unfurl::LLE<double>>;

#include "support/estimator_contract.hpp"
