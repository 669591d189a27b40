// The targets of one estimator: -DFUZZ_ESTIMATOR=Isomap
#include "fuzz/fit_any.hpp"
#include "fuzz/model.hpp"

template void fuzz::model<unfurl::FUZZ_ESTIMATOR>(const std::string& bytes);
template void fuzz::fit<unfurl::FUZZ_ESTIMATOR>(const std::string& bytes);
