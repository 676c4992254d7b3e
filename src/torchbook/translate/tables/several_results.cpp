// Translates the functions that return a tuple in Python and something else in C++.
#include <fmt/format.h>
#include <torchbook/translate/lower/translator.h>

namespace torchbook::translate {

Value tuple_of_tensors(const std::vector<cpp::Expr>& tensors, const Type& type) {
  auto tuple = value_of(Kind::tuple, {});
  tuple.literal = true;
  for (const auto& tensor : tensors) {
    tuple.elements.push_back(value_of(type, tensor));
    tuple.type.items.push_back(type);
  }
  tuple.expr = printable(tuple);
  return tuple;
}

/// Returns the first `count` elements of a list of tensors as a tuple. `wish` is the name of the list.
Value Translator::tuple_of_list(std::string_view wish, const cpp::Expr& list, std::size_t count) {
  return named(tensor_of(list), wish, [&](const Value& tensors) {
    std::vector<cpp::Expr> elements;
    for (std::size_t i = 0; i < count; ++i) elements.push_back(cpp::subscript(tensors.expr, cpp::number(i)));
    return tuple_of_tensors(elements, Type(Kind::tensor));
  });
}

/// `torch.unique(x, return_inverse=True, return_counts=True)`
Value Translator::unique_of(const Arguments& arguments) {
  std::map<std::string_view, bool> given = {
      {"sorted", true}, {"return_inverse", false}, {"return_counts", false}};
  for (const auto& [name, value] : arguments.named) {
    const auto found = given.find(name);
    if (found == given.end() || !value.literal || !value.is(Kind::boolean))
      throw NotPorted("unique is called in a form that is not translated");
    found->second = value.expr.is(cpp::Kind::boolean, "true");
  }
  if (arguments.positional.size() != 1) throw NotPorted("unique is called in a form that is not translated");
  const auto& tensor = arguments.positional[0];
  std::vector<cpp::Expr> parts = {tensor.expr};
  for (const auto* name : {"sorted", "return_inverse", "return_counts"})
    parts.push_back(cpp::labelled(name, cpp::boolean(given.at(name))));
  const auto call = cpp::call("at::_unique2", std::move(parts));
  const bool inverse = given.at("return_inverse");
  const bool counts = given.at("return_counts");
  const Type type(types::Tensor{.known = {.numbers = tensor.type.numbers(), .dimensions = 1}});
  if (!inverse && !counts) return value_of(type, cpp::call("std::get<0>", {call}));
  return named(tensor_of(call), "unique", [&](const Value& results) {
    std::vector<cpp::Expr> tensors = {cpp::call("std::get<0>", {results.expr})};
    if (inverse) tensors.push_back(cpp::call("std::get<1>", {results.expr}));
    if (counts) tensors.push_back(cpp::call("std::get<2>", {results.expr}));
    auto tuple = tuple_of_tensors(tensors, Type(types::Tensor{.known = {.numbers = Numbers::integer}}));
    tuple.elements[0].type = tuple.type.items[0] = type;
    if (counts) {
      tuple.elements.back().type.know_dimensions(1);
      tuple.type.items.back().know_dimensions(1);
    }
    return tuple;
  });
}

/// `torch.meshgrid(a, b, indexing="ij")`
Value Translator::meshgrid_of(const Arguments& arguments) {
  const bool list = arguments.positional.size() == 1 && arguments.positional[0].literal;
  const auto& tensors = list ? arguments.positional[0].elements : arguments.positional;
  for (const auto& tensor : tensors) {
    if (!tensor.is(Kind::tensor))
      throw NotPorted("torch.meshgrid is called in a form that is not translated");
  }
  std::vector<cpp::Expr> parts = {list ? braces_of(arguments.positional[0]) : in_braces(tensors)};
  for (const auto& [name, value] : arguments.named) {
    if (name != "indexing" || !value.is(Kind::string))
      throw NotPorted("torch.meshgrid is called in a form that is not translated");
    parts.push_back(value.expr);
  }
  return tuple_of_list("grids", cpp::call("torch::meshgrid", std::move(parts)), tensors.size());
}

}  // namespace torchbook::translate
