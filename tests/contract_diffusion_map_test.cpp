#include <tuple>

#include "unfurl/diffusion_map.hpp"

using Estimators = std::tuple<unfurl::DiffusionMap<float>, unfurl::DiffusionMap<double>>;

#include "support/estimator_contract.hpp"
