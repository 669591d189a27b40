#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "unfurl/core/archive.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/kernels/radial.hpp"
#include "unfurl/kernels/requirements.hpp"

namespace unfurl::detail {

template <class Kernel, class = void>
struct HasName : std::false_type {};
template <class Kernel>
struct HasName<Kernel, std::void_t<decltype(std::string(Kernel::name))>> : std::true_type {};

/// A file may hold a number that a kernel of floats cannot have had.
template <class Scalar>
bool is_scalar_value(double value) {
  constexpr double most = (std::numeric_limits<Scalar>::max)();
  return std::isinf(value) ||
         (std::abs(value) <= most && static_cast<double>(static_cast<Scalar>(value)) == value);
}

/// What a model file says of a kernel: its name, which `load` compares, and the one parameter that
/// makes the kernels of the library what they are. Of a kernel of the user's own the bandwidth is
/// kept beside; it may have a `static constexpr const char* name`, else it has none, and any two
/// without a name are taken for the same.
template <class Kernel>
struct SavedKernel {
  static std::string name() {
    if constexpr (HasName<Kernel>::value)
      return Kernel::name;
    else
      return "";
  }
  static double parameter(const Kernel&) { return 0; }
  static bool is_valid(double parameter) { return parameter == 0; }

  template <class Scalar>
  static Kernel restored(double, Scalar bandwidth) {
    if constexpr (has_bandwidth_v<Kernel, Scalar>)
      if (bandwidth > 0) return Kernel().with_bandwidth(bandwidth);
    return Kernel();
  }
};

template <class Scalar>
struct SavedKernel<GaussianKernel<Scalar>> {
  using Kernel = GaussianKernel<Scalar>;
  static std::string name() { return "GaussianKernel"; }
  static double parameter(const Kernel& kernel) { return kernel.bandwidth(); }
  static bool is_valid(double bandwidth) {
    return is_scalar_value<Scalar>(bandwidth) && bandwidth >= 0 && std::isfinite(bandwidth);
  }
  static Kernel restored(double bandwidth, Scalar) {
    return Kernel(static_cast<Scalar>(bandwidth));
  }
};

/// t itself: the square of the bandwidth is not the same to the bit.
template <class Scalar>
struct SavedKernel<HeatKernel<Scalar>> {
  using Kernel = HeatKernel<Scalar>;
  static std::string name() { return "HeatKernel"; }
  static double parameter(const Kernel& kernel) { return kernel.t(); }
  static bool is_valid(double t) {
    return is_scalar_value<Scalar>(t) && t >= 0 && std::isfinite(t);
  }
  static Kernel restored(double t, Scalar) { return Kernel(static_cast<Scalar>(t)); }
};

template <class Scalar>
struct SavedKernel<BinaryKernel<Scalar>> {
  using Kernel = BinaryKernel<Scalar>;
  static std::string name() { return "BinaryKernel"; }
  static double parameter(const Kernel& kernel) { return kernel.epsilon(); }
  static bool is_valid(double epsilon) { return is_scalar_value<Scalar>(epsilon) && epsilon > 0; }
  static Kernel restored(double epsilon, Scalar) { return Kernel(static_cast<Scalar>(epsilon)); }
};

template <class Kernel>
void write_kernel(ArchiveWriter& archive, const Kernel& kernel) {
  archive.string(SavedKernel<Kernel>::name());
  archive.number(SavedKernel<Kernel>::parameter(kernel));
}

/// To be read as the last field: files from before kernels were named end here. Of them the kernel
/// is the default one at the saved bandwidth, which is all that they tell.
/// \throws FormatError when the file has another kernel
template <class Kernel, class Scalar>
Kernel read_kernel(ArchiveReader& archive, Scalar bandwidth) {
  using Saved = SavedKernel<Kernel>;
  if (!archive.holds(1, 1)) {
    if constexpr (has_bandwidth_v<Kernel, Scalar>)
      if (bandwidth > 0) return Kernel().with_bandwidth(bandwidth);
    return Kernel();
  }
  const auto called = [](const std::string& name) {
    return name.empty() ? std::string("a kernel without a name") : name;
  };
  const std::string found = archive.string(), wanted = Saved::name();
  if (found != wanted)
    archive.require(false, text("the model was saved with ", called(found),
                                ", it cannot be loaded "
                                "with ",
                                called(wanted), "; name the kernel in the estimator's type")
                               .c_str());
  const double parameter = archive.template number<double>();
  archive.require(Saved::is_valid(parameter), "the parameter of the kernel is out of range");
  return Saved::restored(parameter, bandwidth);
}

}  // namespace unfurl::detail
