#pragma once

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "unfurl/core/report.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/io/npy.hpp"

/// What the programs under cases/ share: their arguments are `data.npy out.npy name=value …`, and
/// they print one line of JSON. compare.py runs them beside their rivals.
namespace bench {

using Eigen::Index;

class Arguments {
 public:
  Arguments(int argc, char** argv) {
    if (argc < 3) throw std::runtime_error("arguments: data.npy out.npy [name=value …]");
    data_ = argv[1];
    out_ = argv[2];
    for (int i = 3; i < argc; ++i) {
      const std::string word = argv[i];
      const auto cut = word.find('=');
      values_[word.substr(0, cut)] = cut == std::string::npos ? "1" : word.substr(cut + 1);
    }
  }

  bool has(const std::string& name) const { return values_.count(name) > 0; }
  std::string text(const std::string& name, const std::string& otherwise = "") const {
    const auto found = values_.find(name);
    return found == values_.end() ? otherwise : found->second;
  }
  Index count(const std::string& name, Index otherwise) const {
    return has(name) ? std::stol(text(name)) : otherwise;
  }

  /// The first `n` rows of the data (all without n).
  template <class Scalar>
  unfurl::Matrix<Scalar> data() const {
    unfurl::Matrix<Scalar> X = unfurl::read_npy<Scalar>(data_);
    const Index n = count("n", X.rows());
    return X.topRows(n);
  }
  template <class Derived>
  void write(const Eigen::MatrixBase<Derived>& Y) const {
    unfurl::write_npy(out_, Y);
  }

 private:
  std::string data_, out_;
  std::map<std::string, std::string> values_;
};

/// A line of /proc/self/status in MB; 0 where the system does not tell. VmHWM is the peak.
inline double megabytes(const std::string& which) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == which + ":") {
      double kilobytes = 0;
      status >> kilobytes;
      return kilobytes / 1024;
    }
  return 0;
}

/// Seconds of `work`, and the peak of memory above what there was before.
class Measured {
 public:
  template <class Work>
  explicit Measured(Work&& work) {
    std::ofstream("/proc/self/clear_refs") << 5;  // forgets the peak of loading
    const double before = megabytes("VmRSS");
    const auto began = std::chrono::steady_clock::now();
    work();
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    megabytes_ = std::max(megabytes("VmHWM") - before, 0.0);
  }
  double seconds() const { return seconds_; }
  double peak() const { return megabytes_; }

 private:
  double seconds_ = 0, megabytes_ = 0;
};

inline void print(const Measured& fit) {
  std::cout << "\"seconds\": " << fit.seconds() << ", \"megabytes\": " << fit.peak();
}

inline void print(const unfurl::FitReport& report) {
  std::cout << ", \"certified\": " << (report.certified ? "true" : "false") << ", \"solver\": \""
            << report.solver
            << "\", \"estimate\": " << static_cast<double>(report.peak_bytes) / (1 << 20)
            << ", \"stages\": {";
  const char* comma = "";
  for (const auto& stage : report.stages) {
    std::cout << comma << '"' << stage.name << "\": " << stage.seconds;
    comma = ", ";
  }
  std::cout << '}';
}

/// Fits, writes the embedding and prints the line; with new=m the last m rows are left out of the
/// fit and then mapped.
template <class Scalar, class Estimator>
void fit(const Arguments& arguments, Estimator estimator) {
  const unfurl::Matrix<Scalar> all = arguments.data<Scalar>();
  const Index n_new = arguments.count("new", 0);
  const unfurl::Matrix<Scalar> X = all.topRows(all.rows() - n_new);
  const Measured fitting([&] { estimator.fit(X); });
  std::cout << '{';
  print(fitting);
  print(estimator.report());
  if (n_new > 0) {
    unfurl::Matrix<Scalar> Z;
    const Measured mapping([&] { Z = estimator.transform(all.bottomRows(n_new)); });
    std::cout << ", \"transform\": " << mapping.seconds();
    unfurl::Matrix<Scalar> both(all.rows(), Z.cols());
    both << estimator.embedding(), Z;
    arguments.write(both);
  } else {
    arguments.write(estimator.embedding());
  }
  std::cout << "}\n";
}

/// main of a case.
template <class Work>
int run(int argc, char** argv, Work&& work) try {
  work(Arguments(argc, argv));
  return 0;
} catch (const std::exception& error) {
  std::cerr << argv[0] << ": " << error.what() << '\n';
  return 1;
}

}  // namespace bench
