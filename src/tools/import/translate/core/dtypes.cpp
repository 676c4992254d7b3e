// Applies the rules of PyTorch's dtypes, to find whether x.item() is a bool, an int or a float.
#include <tools/import/translate/core/dtypes.h>

#include <algorithm>
#include <map>

namespace torchbook::translate {
bool is_detached(const Type& type) {
  if (type.is(Kind::tensor)) return type.detached() || type.numbers() == Numbers::integer;
  if (type.is(Kind::list) || type.is(Kind::tuple))
    return std::all_of(type.items.begin(), type.items.end(), is_detached);
  return type.is_number() || type.is(Kind::string) || type.is(Kind::size) || type.is(Kind::dtype) ||
         type.is(Kind::none) || type.is(Kind::device) || type.is(Kind::random);
}

cpp::Expr dtype_of_torch(std::string_view name) {
  static const std::map<std::string_view, std::string_view> dtypes = {{"float", "torch::kFloat"},
                                                                      {"float32", "torch::kFloat32"},
                                                                      {"double", "torch::kDouble"},
                                                                      {"float64", "torch::kFloat64"},
                                                                      {"half", "torch::kHalf"},
                                                                      {"float16", "torch::kFloat16"},
                                                                      {"bfloat16", "torch::kBFloat16"},
                                                                      {"int", "torch::kInt"},
                                                                      {"int32", "torch::kInt32"},
                                                                      {"long", "torch::kLong"},
                                                                      {"int64", "torch::kInt64"},
                                                                      {"short", "torch::kShort"},
                                                                      {"int16", "torch::kInt16"},
                                                                      {"int8", "torch::kInt8"},
                                                                      {"uint8", "torch::kUInt8"},
                                                                      {"bool", "torch::kBool"},
                                                                      {"complex64", "torch::kComplexFloat"},
                                                                      {"cfloat", "torch::kComplexFloat"},
                                                                      {"complex128", "torch::kComplexDouble"},
                                                                      {"cdouble", "torch::kComplexDouble"}};
  const auto found = dtypes.find(name);
  return found == dtypes.end() ? cpp::Expr() : cpp::name(found->second);
}

cpp::Expr dtype_of_numpy(std::string_view name) {
  const bool known = name == "float32" || name == "float64" || name == "int32" || name == "int64";
  return known ? dtype_of_torch(name) : cpp::Expr();
}

Numbers numbers_of_dtype(const cpp::Expr& dtype) {
  const auto& name = dtype.text();
  const auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
  if (!dtype.is(cpp::Kind::name) || !name.starts_with("torch::k") || has("Complex")) return Numbers::unknown;
  if (has("Float") || has("Double") || has("Half")) return Numbers::floating;
  return has("Bool") ? Numbers::boolean : Numbers::integer;
}

Numbers numbers_of(const Type& type) {
  if (type.is(Kind::tensor)) return type.numbers();
  if (type.is(Kind::boolean)) return Numbers::boolean;
  if (type.is(Kind::integer)) return Numbers::integer;
  return type.is(Kind::floating) ? Numbers::floating : Numbers::unknown;
}

/// Returns the kind of an operator's result, except for comparisons and division.
static Numbers promoted(Numbers one, Numbers other) {
  if (one == Numbers::unknown || other == Numbers::unknown) return Numbers::unknown;  // it may be complex
  return std::max(one, other);
}

void set_numbers_of_operator(Type& result, Ast operation, const Type& left, const Type& right) {
  const auto dimensions = [](const Type& type) { return type.is(Kind::tensor) ? type.dimensions() : 0; };
  const auto one = dimensions(left);
  const auto other = dimensions(right);
  result.know_detached(is_detached(left) && is_detached(right));
  result.know_numbers(operation == Ast::Div ? Numbers::floating
                                            : promoted(numbers_of(left), numbers_of(right)));
  if (one >= 0 && other >= 0) result.know_dimensions(std::max(one, other));
  if (operation == Ast::MatMult) result.know_dimensions(one == 2 && other == 2 ? 2 : -1);
}

Type without_numbers(Type type) {
  type.know({});
  for (auto& item : type.items) item = without_numbers(std::move(item));
  return type;
}

Type with_common_numbers(Type one, const Type& other) {
  one.know({.numbers = one.numbers() == other.numbers() ? one.numbers() : Numbers::unknown,
            .dimensions = one.dimensions() == other.dimensions() ? one.dimensions() : -1,
            .detached = one.detached() && other.detached()});
  for (std::size_t i = 0; i < one.items.size(); ++i) {
    one.items[i] = with_common_numbers(std::move(one.items[i]), other.items[i]);
  }
  return one;
}

}  // namespace torchbook::translate
