// Describes a call that draws a tensor, and writes it in Python and C++.
#pragma once

#include <c10/core/ScalarType.h>
#include <tools/seed/rng/call.h>

#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace torchbook::seeds {

/// A call or a text that cannot be searched for. what() is one line that says why.
struct SeedError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A call that draws a tensor, and its shape.
struct TensorCall {
  rng::Call call{};
  std::vector<std::int64_t> shape{};
  at::ScalarType dtype = at::kFloat;
  bool dropout = false;  ///< whether ones are drawn that go through dropout
};

/// Returns the call that calls.py describes. Throws SeedError if it cannot be searched for.
TensorCall call_of(const nlohmann::json& described);

/// Returns the call in Python.
std::string python_of(const TensorCall& tensor);

/// Returns the call in C++.
std::string cpp_of(const TensorCall& tensor);

}  // namespace torchbook::seeds
