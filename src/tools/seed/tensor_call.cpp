#include <c10/util/accumulate.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/seed/tensor_call.h>
#include <torchbook/pyrepr/dtype.h>
#include <torchbook/pyrepr/release.h>

#include <map>
#include <nlohmann/json.hpp>

namespace torchbook::seeds {
namespace {

using rng::Dtype, rng::Function;

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

/// Throws SeedError for calls that this LibTorch draws in a way that cannot be searched.
void refuse_unsearched(const rng::Call& call) {
  if (call.function == Function::randint && rng::draws_pairs(call) && rng::range_of(call) % 2 != 0) {
    throw SeedError(
        fmt::format("randint of {} integers takes two draws for each, which a remainder by an odd number "
                    "does not determine",
                    rng::range_of(call)));
  }
  const bool half = call.dtype == Dtype::float16 || call.dtype == Dtype::bfloat16;
  if (half && rng::draws_in_blocks(call)) {
    throw SeedError("randn of sixteen or more elements of 16 bits is not searched");
  }
#if TORCHBOOK_LIBTORCH_AT_LEAST(2, 7)
  if (half && call.function == Function::rand) {  // 2.6 draws eleven or eight bits, 2.14 rounds 24
    throw SeedError("rand of 16 bits is not searched with LibTorch 2.7 and later, which round it");
  }
#endif
}

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

}  // namespace

TensorCall call_of(const nlohmann::json& described) {
  static const std::map<std::string, Function> functions = {
      {"rand", Function::rand},         {"randn", Function::randn},         {"randint", Function::randint},
      {"randperm", Function::randperm}, {"bernoulli", Function::bernoulli}, {"mask", Function::mask}};
  static const std::map<std::string, at::ScalarType> dtypes = {
      {"float16", at::kHalf},   {"bfloat16", at::kBFloat16}, {"float32", at::kFloat},
      {"float64", at::kDouble}, {"uint8", at::kByte},        {"int8", at::kChar},
      {"int16", at::kShort},    {"int32", at::kInt},         {"int64", at::kLong}};
  if (described.contains("why")) throw SeedError(described.at("why").get<std::string>());
  TensorCall result{.shape = described.at("shape").get<std::vector<std::int64_t>>(),
                    .dtype = dtypes.at(described.at("dtype").get<std::string>()),
                    .dropout = described.value("dropout", false)};
  result.call = {.function = functions.at(described.at("function").get<std::string>()),
                 .dtype = drawn_as(result.dtype),
                 .count = c10::multiply_integers(result.shape),
                 .low = described.value("low", std::int64_t{0}),
                 .high = described.value("high", std::int64_t{0}),
                 .probability = described.value("probability", 0.0)};
#if TORCHBOOK_LIBTORCH_AT_LEAST(2, 7)
  result.call.wide_range = std::uint64_t{1} << 28;
#endif
  refuse_unsearched(result.call);
  return result;
}

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

}  // namespace torchbook::seeds
