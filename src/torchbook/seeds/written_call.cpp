// Writes calls and states in Python and C++.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/seeds/call_text.h>

#include <map>

namespace torchbook::seeds {
namespace {

using rng::Dtype, rng::Function;

std::string dtype_name(Dtype dtype) {
  switch (dtype) {
    case Dtype::float16:
      return "float16";
    case Dtype::bfloat16:
      return "bfloat16";
    case Dtype::float64:
      return "float64";
    default:
      return "";
  }
}

std::string leaves_out(const rng::State& state) {
  return fmt::format("leaves out {} draw{}", state.offset, state.offset == 1 ? "" : "s");
}

}  // namespace

std::string python_of(const TensorCall& tensor) {
  const auto& call = tensor.call;
  const auto sizes = fmt::format("{}", fmt::join(tensor.shape, ", "));
  const auto tuple = fmt::format("({}{})", sizes, tensor.shape.size() == 1 ? "," : "");
  const auto name = dtype_name(call.dtype) + tensor.integers;
  const auto dtype = name.empty() ? "" : ", dtype=torch." + name;
  switch (call.function) {
    case Function::rand:
      return fmt::format("torch.rand({}{})", sizes, dtype);
    case Function::randn:
      return fmt::format("torch.randn({}{})", sizes, dtype);
    case Function::randint:
      return fmt::format("torch.randint({}, {}, {}{})", call.low, call.high, tuple, dtype);
    case Function::randperm:
      return fmt::format("torch.randperm({}{})", sizes, dtype);
    case Function::bernoulli:
      return fmt::format("torch.bernoulli(torch.full({}, {}))", tuple, call.probability);
    default:
      break;
  }
  if (!tensor.dropout) return fmt::format("torch.empty({}).bernoulli_({})", sizes, call.probability);
  return fmt::format("torch.nn.functional.dropout(torch.ones({}), {:.12g})", sizes, 1 - call.probability);
}

std::string cpp_of(const TensorCall& tensor) {
  const auto& call = tensor.call;
  const auto shape = fmt::format("{{{}}}", fmt::join(tensor.shape, ", "));
  static const std::map<std::string, std::string> names = {
      {"float16", "Half"}, {"bfloat16", "BFloat16"}, {"float64", "Double"}, {"int32", "Int"},
      {"int16", "Short"},  {"int8", "Char"},         {"uint8", "Byte"}};
  const auto name = dtype_name(call.dtype) + tensor.integers;
  const auto dtype = name.empty() ? "" : ", torch::k" + names.at(name);
  switch (call.function) {
    case Function::rand:
      return fmt::format("torch::rand({}{})", shape, dtype);
    case Function::randn:
      return fmt::format("torch::randn({}{})", shape, dtype);
    case Function::randint:
      return fmt::format("torch::randint({}, {}, {}{})", call.low, call.high, shape, dtype);
    case Function::randperm:
      return fmt::format("torch::randperm({}{})", call.count, dtype);
    case Function::bernoulli:
      return fmt::format("torch::bernoulli(torch::full({}, {}))", shape, call.probability);
    default:
      break;
  }
  if (!tensor.dropout) return fmt::format("torch::empty({}).bernoulli_({})", shape, call.probability);
  return fmt::format("torch::dropout(torch::ones({}), {:.12g}, /*train=*/true)", shape, 1 - call.probability);
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
