// Translates indices and slices.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/translate/translator.h>

namespace torchbook::translate {
namespace {

/// Whether an index is a whole number as it is written: `2`, `-1`.
bool is_written_number(const Node& node) {
  if (node.is("UnaryOp")) return node.child("op").is("USub") && is_written_number(node.child("operand"));
  return node.is("Constant") && node.text("type") == "int";
}

}  // namespace

/// Whether `x[…]` takes one element or row: its index is an int.
bool Translator::is_one_index(const Node& slice) {
  if (slice.is("Slice") || slice.is("Tuple") || slice.is("List")) return false;
  if (is_written_number(slice)) return true;
  if (slice.is("Constant")) return false;
  return captured_value(slice).is(Kind::integer);
}

Value Translator::captured_value(const Node& node) {
  Value value;
  const auto scope_before = scope();
  captured([&] { value = expression(node); });
  scope() = scope_before;
  return value;
}

std::string Translator::slice_bound(const Node& node, const char* name) {
  if (!node.has(name)) return "None";
  const auto value = expression(node.child(name));
  if (!value.is(Kind::integer)) throw NotPorted(fmt::format("a slice has {} as its end", in_words(value.type)));
  return value.code;
}

std::string Translator::index(const Node& node) {
  if (node.is("Slice")) {
    need("using torch::indexing::Slice;");
    const auto start = slice_bound(node, "lower");
    const auto stop = slice_bound(node, "upper");
    const auto step = slice_bound(node, "step");
    if (start == "None" && stop == "None" && step == "None") return "Slice()";
    if (start == "None" || stop == "None") need("using torch::indexing::None;");
    if (step != "None") return fmt::format("Slice({}, {}, {})", start, stop, step);
    return stop == "None" ? fmt::format("Slice({}, None)", start) : fmt::format("Slice({}, {})", start, stop);
  }
  if (node.is("Constant") && node.text("type") == "ellipsis") {
    need("using torch::indexing::Ellipsis;");
    return "Ellipsis";
  }
  const auto value = expression(node);
  if (value.is(Kind::none)) {
    need("using torch::indexing::None;");
    return "None";
  }
  if (value.is(Kind::integer) || value.is(Kind::tensor) || value.is(Kind::boolean)) return value.code;
  const bool numbers = value.is(Kind::list) && !value.type.items.empty() &&
                       (value.type.items[0].is(Kind::integer) || value.type.items[0].is(Kind::boolean));
  if (numbers) {
    return fmt::format("torch::tensor({})", value.literal ? in_braces(value.elements) : value.code);
  }
  throw NotPorted(fmt::format("it indexes with {}", in_words(value.type)));
}

std::string Translator::index_list(const Node& slice) {
  if (!slice.is("Tuple")) return fmt::format("{{{}}}", index(slice));
  std::vector<std::string> indices;
  for (const auto& each : slice.list("elts")) indices.push_back(index(each));
  return fmt::format("{{{}}}", fmt::join(indices, ", "));
}

Value Translator::subscript(const Node& node) {
  const auto slice = node.child("slice");
  const auto from = expression(node.child("value"));
  if (from.is(Kind::tensor)) {
    const auto base = from.in(Binding::postfix);
    auto value = tensor_of(is_one_index(slice) ? fmt::format("{}[{}]", base, index(slice))
                                               : fmt::format("{}.index({})", base, index_list(slice)));
    value.acts = from.acts;
    return value;
  }
  if (from.is(Kind::record) && slice.is("Constant") && slice.text("type") == "str") {
    const auto key = slice.text("value");
    for (const auto& [name, type] : records_.at(from.type.name).fields) {
      if (name == key) return value_of(type, fmt::format("{}.{}", from.in(Binding::postfix), name));
    }
    throw NotPorted(fmt::format("the dict has no key {}", key));
  }
  if (from.is(Kind::size) && is_one_index(slice)) {
    const auto at = index(slice);
    constexpr std::string_view sizes = ".sizes()";
    if (from.sizes.ends_with(sizes)) {
      const auto tensor = from.sizes.substr(0, from.sizes.size() - sizes.size());
      return value_of(Kind::integer, fmt::format("{}.size({})", tensor, at));
    }
    if (!at.starts_with('-')) return value_of(Kind::integer, fmt::format("{}[{}]", from.sizes, at));
    return value_of(Kind::integer, fmt::format("{0}[{0}.size() - {1}]", from.sizes, at.substr(1)));
  }
  if (!is_written_number(slice)) {
    const bool plain = from.is(Kind::list) && !from.type.items.empty() && is_one_index(slice);
    if (!plain) throw NotPorted(fmt::format("an index of {} is not translated", in_words(from.type)));
    const auto at = index(slice);
    if (slice.is("Name")) return value_of(from.type.items[0], fmt::format("{}.at({})", from.code, at));
    throw NotPorted("the index of a list may be negative");
  }
  const auto at = index(slice);
  if (from.is(Kind::module) && !from.type.items.empty()) {
    if (at.starts_with('-')) throw NotPorted("a list of modules has a negative index");
    const auto& item = from.type.items[0].name;
    return value_of({.kind = Kind::module, .items = {}, .name = "*" + item},
                    fmt::format("{}->ptr<{}Impl>({})", from.code, item, at));
  }
  if (from.is(Kind::list) && !from.type.items.empty() && !from.literal) {
    const auto code = at.starts_with('-') ? fmt::format("{0}[{0}.size() - {1}]", from.code, at.substr(1))
                                          : fmt::format("{}[{}]", from.code, at);
    return value_of(from.type.items[0], code);
  }
  if (from.is(Kind::tuple) && !from.literal && !at.starts_with('-')) {
    const auto place = std::stoul(at);
    if (place < from.type.items.size()) {
      need("#include <tuple>");
      return value_of(from.type.items[place], fmt::format("std::get<{}>({})", at, from.code));
    }
  }
  throw NotPorted(fmt::format("an index of {} is not translated", in_words(from.type)));
}

}  // namespace torchbook::translate
