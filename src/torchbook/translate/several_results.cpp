// Translates the functions that give a tuple in Python and something else in C++.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/translate/translator.h>

namespace torchbook::translate {

Value tuple_of_tensors(const std::vector<std::string>& codes, const Type& type) {
  auto tuple = value_of(Kind::tuple, "");
  tuple.literal = true;
  for (const auto& code : codes) {
    tuple.elements.push_back(value_of(type, code));
    tuple.type.items.push_back(type);
  }
  tuple.code = printable(tuple);
  return tuple;
}

/// `torch.unique(x, return_inverse=True, return_counts=True)`
Value Translator::unique_of(const Arguments& arguments) {
  std::map<std::string_view, std::string_view> given = {
      {"sorted", "true"}, {"return_inverse", "false"}, {"return_counts", "false"}};
  for (const auto& [name, value] : arguments.named) {
    const auto found = given.find(name);
    if (found == given.end() || !value.literal || !value.is(Kind::boolean))
      throw NotPorted("unique is called in a form that is not translated");
    found->second = value.code;
  }
  if (arguments.positional.size() != 1) throw NotPorted("unique is called in a form that is not translated");
  const auto& tensor = arguments.positional[0];
  const auto call =
      fmt::format("at::_unique2({}, /*sorted=*/{}, /*return_inverse=*/{}, /*return_counts=*/{})", tensor.code,
                  given.at("sorted"), given.at("return_inverse"), given.at("return_counts"));
  need("#include <tuple>");
  const bool inverse = given.at("return_inverse") == "true";
  const bool counts = given.at("return_counts") == "true";
  Type type{.kind = Kind::tensor, .numbers = tensor.type.numbers, .dimensions = 1};
  if (!inverse && !counts) {
    auto values = value_of(type, fmt::format("std::get<0>({})", call));
    values.acts = tensor.acts;
    return values;
  }
  auto parts = value_of(Kind::tuple, call);
  parts = hold(parts, "unique");
  std::vector<std::string> codes = {fmt::format("std::get<0>({})", parts.code)};
  if (inverse) codes.push_back(fmt::format("std::get<1>({})", parts.code));
  if (counts) codes.push_back(fmt::format("std::get<2>({})", parts.code));
  auto tuple = tuple_of_tensors(codes, {.kind = Kind::tensor, .numbers = Numbers::integer});
  tuple.elements[0].type = tuple.type.items[0] = type;
  if (counts) tuple.elements.back().type.dimensions = tuple.type.items.back().dimensions = 1;
  return tuple;
}

/// `torch.meshgrid(a, b, indexing="ij")`
Value Translator::meshgrid_of(const Arguments& arguments) {
  const bool list = arguments.positional.size() == 1 && arguments.positional[0].literal;
  const auto& tensors = list ? arguments.positional[0].elements : arguments.positional;
  for (const auto& tensor : tensors) {
    if (!tensor.is(Kind::tensor))
      throw NotPorted("torch.meshgrid is called in a form that is not translated");
  }
  std::string order;
  for (const auto& [name, value] : arguments.named) {
    if (name != "indexing" || !value.is(Kind::string))
      throw NotPorted("torch.meshgrid is called in a form that is not translated");
    order = ", " + value.code;
  }
  auto grids = value_of(list_of({.kind = Kind::tensor}),
                        fmt::format("torch::meshgrid({}{})", in_braces(tensors), order));
  grids = hold(grids, "grids");
  std::vector<std::string> codes;
  for (std::size_t i = 0; i < tensors.size(); ++i) codes.push_back(fmt::format("{}[{}]", grids.code, i));
  return tuple_of_tensors(codes, {.kind = Kind::tensor});
}

}  // namespace torchbook::translate
