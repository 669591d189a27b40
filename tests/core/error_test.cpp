#include "unfurl/core/error.hpp"

#include <stdexcept>
#include <string>

#include "support/catch.hpp"

using namespace unfurl;

namespace {

template <class Expected, class Thrown>
bool caught_as(const Thrown& thrown) {
  try {
    throw thrown;
  } catch (const Expected& error) {
    return std::string(error.what()) == "text";
  } catch (...) {
    return false;
  }
}

}  // namespace

TEST_CASE("every error is an Error and the standard class of its kind", "[error]") {
  CHECK(caught_as<Error>(ParameterError("text")));
  CHECK(caught_as<std::invalid_argument>(ParameterError("text")));
  CHECK(caught_as<std::invalid_argument>(DataError("text")));
  CHECK(caught_as<DataError>(DimensionError("text")));
  CHECK(caught_as<Error>(DimensionError("text")));
  CHECK(caught_as<std::logic_error>(NotFittedError("text")));
  CHECK(caught_as<std::runtime_error>(NumericalError("text")));
  CHECK(caught_as<NumericalError>(ConvergenceError("text", 5, 3, 100, 0.5)));
  CHECK(caught_as<NumericalError>(DisconnectedGraphError("text", {4, 2})));
  CHECK(caught_as<std::runtime_error>(CancelledError("text")));
  CHECK(caught_as<std::runtime_error>(IoError("text")));
  CHECK(caught_as<IoError>(FormatError("text", 12)));
  CHECK(caught_as<std::length_error>(SizeLimitError("text", 10, 5)));
  CHECK(caught_as<Error>(SizeLimitError("text", 10, 5)));
  CHECK(caught_as<std::exception>(SizeLimitError("text", 10, 5)));
}

TEST_CASE("errors tell their code and their figures", "[error]") {
  CHECK(ParameterError("").code() == ErrorCode::parameter);
  CHECK(DataError("").code() == ErrorCode::data);
  CHECK(DimensionError("").code() == ErrorCode::dimension);
  CHECK(NotFittedError("").code() == ErrorCode::not_fitted);
  CHECK(NumericalError("").code() == ErrorCode::numerical);
  CHECK(CancelledError("").code() == ErrorCode::cancelled);
  CHECK(IoError("").code() == ErrorCode::io);
  const ConvergenceError convergence("", 5, 3, 100, 0.5);
  CHECK(convergence.code() == ErrorCode::convergence);
  CHECK(convergence.requested() == 5);
  CHECK(convergence.converged() == 3);
  CHECK(convergence.iterations() == 100);
  CHECK(convergence.worst_residual() == 0.5);
  const DisconnectedGraphError graph("", {4, 2, 1});
  CHECK(graph.code() == ErrorCode::disconnected_graph);
  CHECK(graph.n_components() == 3);
  CHECK(graph.sizes()[1] == 2);
  CHECK(FormatError("", 12).offset() == 12);
  CHECK(FormatError("", 12).code() == ErrorCode::format);
  const SizeLimitError size("", 10, 5);
  CHECK(size.code() == ErrorCode::size_limit);
  CHECK(size.needed() == 10);
  CHECK(size.limit() == 5);
}
