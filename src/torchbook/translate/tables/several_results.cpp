// Translates the functions that return a tuple in Python and something else in C++.
#include <fmt/format.h>
#include <torchbook/translate/lower/translator.h>

namespace torchbook::translate {

Value tuple_of_tensors(const std::vector<cpp::Expr>& tensors, const Type& type, cpp::Stmts before) {
  auto tuple = value_of(Kind::tuple, {});
  tuple.literal = true;
  for (const auto& tensor : tensors) {
    tuple.elements.push_back(value_of(type, tensor));
    tuple.type.items.push_back(type);
  }
  tuple.expr = printable(tuple);
  if (!before.empty()) tuple.expr = cpp::let(std::move(before), tuple.expr);
  return tuple;
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
  const auto name = scope().fresh("unique");
  auto before = captured([&] { emit(cpp::Declare{.type = "const auto", .name = name, .value = call}); });
  std::vector<cpp::Expr> tensors = {cpp::call("std::get<0>", {cpp::name(name)})};
  if (inverse) tensors.push_back(cpp::call("std::get<1>", {cpp::name(name)}));
  if (counts) tensors.push_back(cpp::call("std::get<2>", {cpp::name(name)}));
  auto tuple = tuple_of_tensors(tensors, Type(types::Tensor{.known = {.numbers = Numbers::integer}}),
                                std::move(before));
  tuple.elements[0].type = tuple.type.items[0] = type;
  if (counts) {
    tuple.elements.back().type.know_dimensions(1);
    tuple.type.items.back().know_dimensions(1);
  }
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
  std::vector<cpp::Expr> parts = {list ? braces_of(arguments.positional[0]) : in_braces(tensors)};
  for (const auto& [name, value] : arguments.named) {
    if (name != "indexing" || !value.is(Kind::string))
      throw NotPorted("torch.meshgrid is called in a form that is not translated");
    parts.push_back(value.expr);
  }
  const auto grids = scope().fresh("grids");
  auto before = captured([&] {
    emit(cpp::Declare{
        .type = "const auto", .name = grids, .value = cpp::call("torch::meshgrid", std::move(parts))});
  });
  std::vector<cpp::Expr> elements;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    elements.push_back(cpp::subscript(cpp::name(grids), cpp::number(static_cast<std::int64_t>(i))));
  return tuple_of_tensors(elements, Type(Kind::tensor), std::move(before));
}

}  // namespace torchbook::translate
