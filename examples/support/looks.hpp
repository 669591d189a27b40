#pragma once

#include <Eigen/Core>
#include <string>

#include "unfurl/plot/svg.hpp"

namespace example {

inline unfurl::ScatterOptions titled(const std::string& title) {
  unfurl::ScatterOptions look;
  look.title = title;
  return look;
}

/// Coloured by values.
inline unfurl::ScatterOptions colored(const std::string& title, const Eigen::VectorXd& values,
                                      const std::string& name) {
  unfurl::ScatterOptions look = titled(title);
  look.values.assign(values.data(), values.data() + values.size());
  look.values_name = name;
  return look;
}

}  // namespace example
