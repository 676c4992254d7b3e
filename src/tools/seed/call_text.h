// Reads a Python call that draws a tensor.
#pragma once

#include <c10/core/ScalarType.h>
#include <tools/seed/expression.h>
#include <tools/seed/rng/call.h>
#include <tools/seed/rng/scan.h>

#include <stdexcept>
#include <string>
#include <string_view>
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

/// Reads a call such as `torch.rand(4, 8, dtype=torch.float64)`, `randint(0, 10, (3, 4))`, `randperm(10)`,
/// `bernoulli(torch.full((3, 4), 0.3))`, `empty(3, 4).bernoulli_(0.3)` and `F.dropout(torch.ones(3, 4),
/// 0.5)`. Sizes are whole numbers, or names of `constants`. Throws SeedError.
TensorCall read_call(std::string_view text, const Constants& constants = {});

/// Returns the call in Python.
std::string python_of(const TensorCall& tensor);

/// Returns the call in C++.
std::string cpp_of(const TensorCall& tensor);

/// Returns the C++ statements that set the generator to a state.
std::vector<std::string> cpp_of(const rng::State& state);

/// Returns the Python statements that set the generator to a state.
std::vector<std::string> python_of(const rng::State& state);

}  // namespace torchbook::seeds
