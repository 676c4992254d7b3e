// Translates a state_dict: the weights of a module by name.
#include <fmt/format.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/state_dict.h>
#include <tools/import/translate/rows/row.h>

namespace torchbook::translate {

Value copy_of_state(const Arguments& arguments) {
  const auto& given = arguments.positional;
  if (given.size() != 1 || !arguments.named.empty() || !given[0].is(Kind::state_dict))
    refuse("copy.deepcopy copies something else than a state_dict");
  return value_of(given[0].type, cpp::call("torchbook::nn::copy", {given[0].expr}));
}

static const std::vector<Row> methods_of_state = {
    {"keys", {the_object}, ".keys", view_of(Type(Kind::string))},
    {"values", {the_object}, ".values", view_of(Type(Kind::tensor))},
    {"items", {the_object}, ".pairs", pairs_of(Type(Kind::tensor))}};

Value state_dict_method(Builder& b, const Value& state, std::string_view name, const Arguments& arguments) {
  return call_table(b, methods_of_state, name, fmt::format("the method {} of a state_dict", name),
                    arguments.of(state));
}

Value state_dict_item(Builder& b, const Value& state, const Node& slice) {
  const auto key = expression(b, slice);
  if (!key.is(Kind::string)) refuse("a state_dict is asked for {}", in_words(key.type));
  return tensor_of(cpp::subscript(state.expr, key.expr));
}

Value state_dict_rows(Builder& b, const Value& state) {
  return rows_of(b, state_dict_method(b, state, "keys", {}));
}

}  // namespace torchbook::translate
