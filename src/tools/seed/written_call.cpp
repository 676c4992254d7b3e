// Writes calls and states in Python and C++.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/seed/call_text.h>
#include <torchbook/pyrepr/dtype.h>

namespace torchbook::seeds {
namespace {

using rng::Function;

/// How a language writes the parts of a call.
struct Language {
  const char *scope, *functional, *train;
  std::string sizes, shape;  ///< as arguments of their own, and as one argument
  std::string dtype;         ///< as the last argument; empty if it is the default
};

std::string written(const TensorCall& tensor, const Language& in) {
  const auto& call = tensor.call;
  switch (call.function) {
    case Function::rand:
      return fmt::format("{}rand({}{})", in.scope, in.sizes, in.dtype);
    case Function::randn:
      return fmt::format("{}randn({}{})", in.scope, in.sizes, in.dtype);
    case Function::randint:
      return fmt::format("{}randint({}, {}, {}{})", in.scope, call.low, call.high, in.shape, in.dtype);
    case Function::randperm:
      return fmt::format("{}randperm({}{})", in.scope, call.count, in.dtype);
    case Function::bernoulli:
      return fmt::format("{0}bernoulli({0}full({1}, {2}))", in.scope, in.shape, call.probability);
    case Function::mask:
      break;
  }
  if (!tensor.dropout) return fmt::format("{}empty({}).bernoulli_({})", in.scope, in.sizes, call.probability);
  return fmt::format("{}dropout({}ones({}), {:.12g}{})", in.functional, in.scope, in.sizes,
                     1 - call.probability, in.train);
}

bool is_default(at::ScalarType dtype) { return dtype == at::kFloat || dtype == at::kLong; }

std::string leaves_out(const rng::State& state) {
  return fmt::format("leaves out {} draw{}", state.offset, state.offset == 1 ? "" : "s");
}

}  // namespace

std::string python_of(const TensorCall& tensor) {
  const auto sizes = fmt::format("{}", fmt::join(tensor.shape, ", "));
  return written(tensor,
                 {.scope = "torch.",
                  .functional = "torch.nn.functional.",
                  .train = "",
                  .sizes = sizes,
                  .shape = fmt::format("({}{})", sizes, tensor.shape.size() == 1 ? "," : ""),
                  .dtype = is_default(tensor.dtype) ? "" : ", dtype=" + pyrepr::dtype_name(tensor.dtype)});
}

std::string cpp_of(const TensorCall& tensor) {
  const auto shape = fmt::format("{{{}}}", fmt::join(tensor.shape, ", "));
  return written(
      tensor,
      {.scope = "torch::",
       .functional = "torch::",
       .train = ", /*train=*/true",
       .sizes = shape,
       .shape = shape,
       .dtype = is_default(tensor.dtype) ? "" : fmt::format(", torch::k{}", c10::toString(tensor.dtype))});
}

std::vector<std::string> cpp_of(const rng::State& state) {
  std::vector<std::string> lines = {fmt::format("torch::manual_seed({});", state.seed)};
  if (state.offset > 0)
    lines.push_back(fmt::format("torch::rand({{{}}});  // {}", state.offset, leaves_out(state)));
  return lines;
}

std::vector<std::string> python_of(const rng::State& state) {
  std::vector<std::string> lines = {fmt::format("torch.manual_seed({})", state.seed)};
  if (state.offset > 0)
    lines.push_back(fmt::format("_ = torch.rand({})  # {}", state.offset, leaves_out(state)));
  return lines;
}

}  // namespace torchbook::seeds
