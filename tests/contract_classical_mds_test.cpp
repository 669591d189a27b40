#include <tuple>

#include "unfurl/classical_mds.hpp"

using Estimators = std::tuple<unfurl::ClassicalMDS<float>, unfurl::ClassicalMDS<double>>;

#include "support/estimator_contract.hpp"
