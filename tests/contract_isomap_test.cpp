#include <tuple>

#include "unfurl/isomap.hpp"

using Estimators = std::tuple<unfurl::Isomap<float>, unfurl::Isomap<double>>;

#include "support/estimator_contract.hpp"
