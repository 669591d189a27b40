#include <tuple>

#include "unfurl/laplacian_eigenmap.hpp"

using Estimators = std::tuple<unfurl::LaplacianEigenmap<float>, unfurl::LaplacianEigenmap<double>>;

#include "support/estimator_contract.hpp"
