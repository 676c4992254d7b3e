#include <fmt/format.h>
#include <tools/seed/call_text.h>
#include <tools/seed/expression.h>
#include <torchbook/pyrepr/release.h>

#include <charconv>
#include <optional>
#include <utility>

namespace torchbook::seeds {
namespace {

using Kind = Expression::Kind;
using rng::Dtype, rng::Function;

/// Calls that draw more elements are rejected. A search uses only the first ones.
constexpr std::int64_t most_elements = 100'000'000;

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

/// Removes a keyword argument of a call and returns it.
std::optional<Expression> take_named(Expression& call, const std::string& name) {
  auto node = call.named.extract(name);
  return node.empty() ? std::nullopt : std::optional(std::move(node.mapped()));
}

/// Removes and returns the argument `name`, given by keyword or as the first positional argument.
std::optional<Expression> take_first(Expression& call, const std::string& name) {
  if (auto named = take_named(call, name)) return named;
  if (call.items.empty()) return std::nullopt;
  auto first = std::move(call.items.front());
  call.items.erase(call.items.begin());
  return first;
}

void refuse_more(const Expression& call) {
  if (!call.items.empty()) throw SeedError(fmt::format("{} in the call has too many arguments", call.text));
}

void take_shape(TensorCall& to, const std::vector<Expression>& sizes) {
  to.call.count = 1;
  for (const auto& one : sizes) {
    const auto size = number_of<std::int64_t>(one);
    if (size < 1 || size > most_elements / to.call.count) {
      throw SeedError(fmt::format("the call draws {} elements", size < 1 ? "no" : "too many"));
    }
    to.shape.push_back(size);
    to.call.count *= size;
  }
}

/// Takes a shape: `size=`, a sequence of sizes, or all arguments.
void take_shape_of(TensorCall& to, Expression& call) {
  const auto named = take_named(call, "size");
  if (named && !call.items.empty()) throw SeedError(fmt::format("{} in the call has two shapes", call.text));
  auto sizes = named ? std::vector{*named} : std::exchange(call.items, {});
  if (sizes.size() == 1 && sizes[0].kind == Kind::sequence) sizes = std::vector(sizes[0].items);
  take_shape(to, sizes);
}

void take_device(const Expression& device) {
  if (device.text == "cpu" || device.kind == Kind::name) return;
  throw SeedError(fmt::format("device={} has a generator of its own, which is not searched", device.text));
}

/// Returns how a dtype is drawn. Integers of all sizes are drawn alike.
Dtype drawn_as(at::ScalarType dtype) {
  switch (dtype) {
    case at::kHalf:
      return Dtype::float16;
    case at::kBFloat16:
      return Dtype::bfloat16;
    case at::kFloat:
      return Dtype::float32;
    case at::kDouble:
      return Dtype::float64;
    default:
      return Dtype::integer;
  }
}

void take_dtype(TensorCall& to, const std::string& name) {
  static const std::map<std::string, at::ScalarType> dtypes = {
      {"float16", at::kHalf}, {"half", at::kHalf},     {"bfloat16", at::kBFloat16}, {"float32", at::kFloat},
      {"float", at::kFloat},  {"double", at::kDouble}, {"float64", at::kDouble},    {"int64", at::kLong},
      {"long", at::kLong},    {"int32", at::kInt},     {"int", at::kInt},           {"int16", at::kShort},
      {"short", at::kShort},  {"int8", at::kChar},     {"uint8", at::kByte}};
  const auto known = dtypes.find(name);
  const bool mask = to.call.function == Function::mask || to.call.function == Function::bernoulli;
  if (known == dtypes.end() || (to.dtype == at::kLong) != (drawn_as(known->second) == Dtype::integer) ||
      (mask && known->second != at::kFloat)) {
    throw SeedError(fmt::format("dtype={} in the call is not known here", name));
  }
  to.dtype = known->second;
}

/// Takes the keyword arguments that all calls have. Throws SeedError if others remain.
void take_options(TensorCall& to, Expression& call) {
  refuse_more(call);
  take_named(call, "requires_grad");
  if (const auto device = take_named(call, "device")) take_device(*device);
  if (const auto dtype = take_named(call, "dtype")) take_dtype(to, dtype->text);
  if (call.named.empty()) return;
  throw SeedError(fmt::format("{}= in the call is not known here", call.named.begin()->first));
}

/// Takes `randint(high, size)` and `randint(low, high, size)`, whose arguments may be named.
void take_randint(TensorCall& to, Expression& call) {
  auto size = take_named(call, "size");
  if (!size && !call.items.empty()) {
    size = std::move(call.items.back());
    call.items.pop_back();
  }
  const auto low = take_named(call, "low");
  if (low) to.call.low = number_of<std::int64_t>(*low);
  if (!low && call.items.size() + call.named.count("high") == 2) {
    to.call.low = number_of<std::int64_t>(*take_first(call, "low"));
  }
  const auto high = take_first(call, "high");
  if (!high || !size || size->kind != Kind::sequence) throw SeedError("randint takes low, high and a shape");
  to.call.high = number_of<std::int64_t>(*high);
  take_shape(to, size->items);
  if (to.call.high <= to.call.low) throw SeedError("randint needs a high that is above low");
#if TORCHBOOK_LIBTORCH_AT_LEAST(2, 7)
  to.call.wide_range = std::uint64_t{1} << 28;
#endif
  const auto range = rng::range_of(to.call);
  if (rng::draws_pairs(to.call) && range % 2 != 0) {
    throw SeedError(
        fmt::format("randint of {} integers takes two draws for each, which the rest of a division by "
                    "an odd number does not tell",
                    range));
  }
}

/// Takes the shape of the call that makes the tensor.
void take_made(TensorCall& to, Expression& call) {
  auto inner = take_first(call, "input").value_or(Expression());
  if (inner.kind != Kind::call || (inner.text != "ones" && inner.text != "empty" && inner.text != "zeros")) {
    throw SeedError(fmt::format("{} needs ones(…), zeros(…) or empty(…) with its shape", call.text));
  }
  take_shape_of(to, inner);
  take_options(to, inner);
}

void take_mask(TensorCall& to, Expression& call) {
  to.call.function = Function::mask;
  to.dropout = call.text != "bernoulli_";
  take_made(to, call);
  const auto p = take_first(call, "p");
  const auto probability = p ? number_of<double>(*p) : 0.5;
  to.call.probability = to.dropout ? 1 - probability : probability;
  const auto training = take_first(call, "training");
  if (training && training->text != "True") throw SeedError("dropout draws nothing without training=True");
  if (to.dropout) take_first(call, "inplace");
}

void take_bernoulli(TensorCall& to, Expression& call) {
  to.call.function = Function::bernoulli;
  auto full = take_first(call, "input").value_or(Expression());
  const auto shape = take_first(full, "size"), p = take_first(full, "fill_value");
  if (full.text != "full" || !shape || shape->kind != Kind::sequence || !p) {
    throw SeedError("bernoulli needs full((…), p) with shape and probability");
  }
  take_shape(to, shape->items);
  to.call.probability = number_of<double>(*p);
  take_options(to, full);
}

/// Takes `uniform_` and `normal_` with their default ranges, which draw as `rand` and `randn` do.
void take_in_place(TensorCall& to, Expression& call) {
  const bool uniform = call.text == "uniform_";
  to.call.function = uniform ? Function::rand : Function::randn;
  take_made(to, call);
  const auto first = take_first(call, uniform ? "from" : "mean"),
             second = take_first(call, uniform ? "to" : "std");
  if ((first && number_of<double>(*first) != 0) || (second && number_of<double>(*second) != 1)) {
    throw SeedError(fmt::format("{} is searched only with 0 and 1, its defaults", call.text));
  }
}

void take_arguments(TensorCall& to, Expression& call) {
  const auto& name = call.text;
  if (name == "rand" || name == "randn") {
    to.call.function = name == "rand" ? Function::rand : Function::randn;
    take_shape_of(to, call);
  } else if (name == "randint") {
    to.call.function = Function::randint;
    to.dtype = at::kLong;
    take_randint(to, call);
  } else if (name == "randperm") {
    to.call.function = Function::randperm;
    to.dtype = at::kLong;
    take_shape(to, {take_first(call, "n").value_or(Expression())});
  } else if (name == "bernoulli") {
    take_bernoulli(to, call);
  } else if (name == "bernoulli_" || name == "dropout" || name == "Dropout") {
    take_mask(to, call);
  } else if (name == "uniform_" || name == "normal_") {
    take_in_place(to, call);
  } else {
    throw SeedError(fmt::format(
        "{} is not searched; rand, randn, randint, randperm, bernoulli, bernoulli_, dropout, uniform_ "
        "and normal_ are",
        name));
  }
}

}  // namespace

TensorCall read_call(std::string_view text, const Constants& constants) {
  auto call = read_expression(text, constants);
  if (call.kind != Kind::call) throw SeedError(fmt::format("\"{}\" is no call", text.substr(0, 40)));
  TensorCall result;
  take_arguments(result, call);
  take_options(result, call);
  result.call.dtype = drawn_as(result.dtype);
  const auto& p = result.call.probability;
  if (!(p >= 0 && p <= 1)) throw SeedError("the probability must be between 0 and 1");
  const bool half = result.call.dtype == Dtype::float16 || result.call.dtype == Dtype::bfloat16;
  if (half && rng::draws_in_blocks(result.call)) {
    throw SeedError("randn of sixteen or more elements of 16 bits is not searched");
  }
#if TORCHBOOK_LIBTORCH_AT_LEAST(2, 7)
  if (half && result.call.function == Function::rand) {  // 2.6 draws eleven or eight bits, 2.14 rounds 24
    throw SeedError("rand of 16 bits is not searched with LibTorch 2.7 and later, which round it");
  }
#endif
  return result;
}

}  // namespace torchbook::seeds
