// Takes the arguments of calls.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/seeds/call_text.h>
#include <torchbook/seeds/expression.h>

#include <charconv>
#include <utility>

namespace torchbook::seeds {
namespace {

using Kind = Expression::Kind;
using rng::Dtype, rng::Function;

/// No call draws more elements. A search looks at the first ones only.
constexpr std::int64_t most_elements = 1'000'000'000;

template <typename Number>
Number number_of(const Expression& expression) {
  Number number{};
  const auto* end = expression.text.data() + expression.text.size();
  const auto read = std::from_chars(expression.text.data(), end, number);
  if (expression.kind != Kind::number || read.ec != std::errc() || read.ptr != end) {
    throw SeedError(fmt::format("\"{}\" in the call must be a number", expression.text));
  }
  return number;
}

/// Takes a shape: a sequence of sizes, or the sizes themselves from `from` on.
void take_shape(TensorCall& to, const std::vector<Expression>& items, std::size_t from = 0) {
  const bool nested = items.size() == from + 1 && items[from].kind == Kind::sequence;
  const auto& sizes = nested ? items[from].items : items;
  to.call.count = 1;
  for (std::size_t i = nested ? 0 : from; i < sizes.size(); ++i) {
    const auto size = number_of<std::int64_t>(sizes[i]);
    if (size < 1 || size > most_elements / to.call.count) {
      throw SeedError(fmt::format("the call draws {} elements", size < 1 ? "no" : "too many"));
    }
    to.shape.push_back(size);
    to.call.count *= size;
  }
}

void take_dtype(TensorCall& to, const Expression& call) {
  static const std::map<std::string, Dtype> floating = {
      {"float16", Dtype::float16}, {"half", Dtype::float16},  {"bfloat16", Dtype::bfloat16},
      {"float32", Dtype::float32}, {"float", Dtype::float32}, {"float64", Dtype::float64},
      {"double", Dtype::float64}};
  static const std::map<std::string, std::string> integer = {
      {"int64", ""},      {"long", ""},       {"int32", "int32"}, {"int", "int32"},
      {"int16", "int16"}, {"short", "int16"}, {"int8", "int8"},   {"uint8", "uint8"}};
  const bool integers = to.call.function == Function::randint || to.call.function == Function::randperm;
  if (integers) to.call.dtype = Dtype::integer;
  for (const auto& [name, value] : call.named) {
    if (name == "requires_grad" || name == "device") continue;
    if (const auto known = integer.find(value.text); integers && name == "dtype" && known != integer.end()) {
      to.integers = known->second;
      continue;
    }
    const auto dtype = floating.find(value.text);
    if (name != "dtype" || integers || dtype == floating.end()) {
      throw SeedError(fmt::format("{}={} in the call is not known here", name, value.text));
    }
    to.call.dtype = dtype->second;
  }
}

void take_randint(TensorCall& to, const Expression& call) {
  const auto& items = call.items;
  if (items.size() < 2 || items.size() > 3) throw SeedError("randint takes low, high and a shape");
  to.call.low = items.size() == 3 ? number_of<std::int64_t>(items[0]) : 0;
  to.call.high = number_of<std::int64_t>(items[items.size() - 2]);
  take_shape(to, items, items.size() - 1);
  if (to.call.high <= to.call.low) throw SeedError("randint needs a high that is above low");
  if (rng::range_of(to.call) >> 32 != 0) {
    throw SeedError("randint of 2^32 integers or more takes two draws for each, which are not searched");
  }
}

/// Takes the shape of the call that makes the tensor, and the probability behind it.
void take_probability(TensorCall& to, const Expression& call, bool of_zero) {
  const auto inner = call.items.empty() ? Expression() : call.items[0];
  const auto given = call.named.find("p");
  const auto& p = given != call.named.end() ? given->second
                  : call.items.size() > 1   ? call.items[1]
                                            : Expression();
  if (inner.kind != Kind::call || (inner.text != "ones" && inner.text != "empty" && inner.text != "zeros")) {
    throw SeedError(fmt::format("{} needs ones(…), zeros(…) or empty(…) with its shape", call.text));
  }
  take_shape(to, inner.items);
  const auto probability = p.text.empty() ? 0.5 : number_of<double>(p);
  to.call.probability = of_zero ? 1 - probability : probability;
}

void take_bernoulli(TensorCall& to, const Expression& call) {
  if (call.items.size() != 1 || call.items[0].text != "full" || call.items[0].items.size() != 2) {
    throw SeedError("bernoulli needs full((…), p) with shape and probability");
  }
  take_shape(to, {call.items[0].items[0]});
  to.call.probability = number_of<double>(call.items[0].items[1]);
}

void take_arguments(TensorCall& to, const Expression& call) {
  if (call.text == "rand" || call.text == "randn") {
    to.call.function = call.text == "rand" ? Function::rand : Function::randn;
    take_shape(to, call.items);
  } else if (call.text == "randint") {
    to.call.function = Function::randint;
    take_randint(to, call);
  } else if (call.text == "randperm") {
    to.call.function = Function::randperm;
    take_shape(to, call.items);
  } else if (call.text == "bernoulli") {
    to.call.function = Function::bernoulli;
    take_bernoulli(to, call);
  } else if (call.text == "bernoulli_" || call.text == "dropout") {
    to.call.function = Function::mask;
    to.dropout = call.text == "dropout";
    take_probability(to, call, to.dropout);
  } else {
    throw SeedError(fmt::format(
        "{} is not searched; rand, randn, randint, randperm, bernoulli, bernoulli_ and dropout are",
        call.text));
  }
}

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

}  // namespace

TensorCall read_call(std::string_view text) {
  const auto call = read_expression(text);
  if (call.kind != Kind::call) throw SeedError(fmt::format("\"{}\" is no call", text.substr(0, 40)));
  TensorCall result;
  take_arguments(result, call);
  if (!call.named.contains("p")) take_dtype(result, call);
  const auto& p = result.call.probability;
  if (!(p >= 0 && p <= 1)) throw SeedError("the probability must be between 0 and 1");
  const bool half = result.call.dtype == Dtype::float16 || result.call.dtype == Dtype::bfloat16;
  if (half && rng::draws_in_blocks(result.call)) {
    throw SeedError("randn of sixteen or more elements of 16 bits is not searched");
  }
  return result;
}

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

}  // namespace torchbook::seeds
