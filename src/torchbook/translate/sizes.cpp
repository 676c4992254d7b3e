// Translates what is done with a torch.Size: `x.shape[:-1]`, `x.shape + (2,)`, `view(*x.shape, 2)`.
#include <fmt/format.h>
#include <torchbook/translate/translator.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

constexpr std::string_view joins = "#include <torchbook/notebook/sequences.h>";

/// Whether a value holds a number of ints that shows only when it runs.
bool holds_ints(const Value& value) {
  return value.is(Kind::size) || (is_tuple_of_any_size(value.type) && value.type.items[0].is(Kind::integer));
}

/// Returns ints as a std::vector.
std::string vector_of(const Value& value) {
  if (value.is(Kind::size)) return sizes_as_vector(value);
  return value.literal ? fmt::format("std::vector<int64_t>{}", in_braces(value.elements)) : value.code;
}

std::string joined_code(const Value& left, const Value& right) {
  const auto second = right.literal ? in_braces(right.elements) : vector_of(right);
  return fmt::format("torchbook::joined({}, {})", vector_of(left), second);
}

bool is_ints(const Value& value) {
  return value.is(Kind::tuple) && value.literal && !value.elements.empty() &&
         std::all_of(value.elements.begin(), value.elements.end(),
                     [](const Value& each) { return each.is(Kind::integer); });
}

}  // namespace

/// `x.shape[:-1]`
Value Translator::part_of_size(const Value& size, const Node& slice) {
  auto ints = value_of(list_of({.kind = Kind::integer}), vector_of(size));
  const auto part = slice_of(ints, slice);
  auto value = value_of(Kind::size, fmt::format("torchbook::Size{{{}}}", part.code));
  value.sizes = fmt::format("torch::IntArrayRef({})", part.code);
  return value;
}

/// `x.shape[:-1] + (2,)`: a torch.Size if it begins with one; nullopt if it is another operator, or of other
/// values.
std::optional<Value> Writer::joined_sizes(std::string_view operation, const Value& left, const Value& right) {
  const bool fits = operation == "Add" && (holds_ints(left) || is_ints(left)) &&
                    (holds_ints(right) || is_ints(right)) && (holds_ints(left) || holds_ints(right));
  if (!fits) return std::nullopt;
  need(joins);
  const auto code = joined_code(left, right);
  if (!left.is(Kind::size)) return value_of(tuple_of_any_size({.kind = Kind::integer}), code);
  auto value = value_of(Kind::size, fmt::format("torchbook::Size{{{}}}", code));
  value.sizes = fmt::format("torch::IntArrayRef({})", code);
  return value;
}

/// Puts `*x.shape` in a call together with the ints beside it: PyTorch takes them for one list.
void Writer::add_starred(const Value& starred, std::vector<Value>& positional) {
  if (!holds_ints(starred)) throw NotPorted("a call has a starred argument");
  auto value = value_of({.kind = Kind::list, .items = {{.kind = Kind::integer}}, .name = starred_ints},
                        vector_of(starred));
  std::vector<Value> before;
  while (!positional.empty() && positional.back().is(Kind::integer)) {
    before.insert(before.begin(), positional.back());
    positional.pop_back();
  }
  if (!before.empty()) {
    need(joins);
    auto first = value_of(Kind::tuple, "");
    first.literal = true;
    first.elements = before;
    value.code = joined_code(first, value);
  }
  positional.push_back(value);
}

/// Adds an int behind such a list.
void Writer::add_to_starred(const Value& number, Value& list) {
  if (!number.is(Kind::integer)) throw NotPorted("a call has a starred argument");
  need(joins);
  if (list.code.ends_with("})") && list.code.starts_with("torchbook::joined("))
    list.code.insert(list.code.size() - 2, ", " + number.code);
  else
    list.code = fmt::format("torchbook::joined({}, {{{}}})", list.code, number.code);
  list.acts = list.acts || number.acts;
}

}  // namespace torchbook::translate
