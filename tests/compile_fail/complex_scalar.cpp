// expect: Scalar must be float or double
#include <complex>
#include <unfurl/pca.hpp>

unfurl::PCA<std::complex<double>> pca;
