// Every header, and two estimators that between them use every layer, instantiated: what clang-tidy
// reads.
#include "unfurl/unfurl.hpp"

namespace unfurl {

template class LLE<double>;
template class TSNE<double>;

}  // namespace unfurl
