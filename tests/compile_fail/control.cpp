#include <unfurl/core/types.hpp>

unfurl::Matrix<double> matrix;
