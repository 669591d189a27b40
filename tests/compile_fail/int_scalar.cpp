// expect: Scalar must be float or double
#include <unfurl/pca.hpp>

unfurl::PCA<int> pca;
