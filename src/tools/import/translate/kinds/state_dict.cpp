#include <tools/import/translate/kinds/dict.h>
#include <tools/import/translate/kinds/state_dict.h>

#include <set>
#include <string_view>

namespace torchbook::translate {

Value copy_of_state(const Arguments& arguments) {
  const auto& given = arguments.positional;
  if (given.size() != 1 || !arguments.named.empty() || !given[0].is(Kind::state_dict))
    refuse("copy.deepcopy copies something other than a state_dict");
  return value_of(given[0].type, cpp::call("torchbook::nn::copy", {given[0].expr}));
}

static Value dict_of_state(const Value& state) {
  auto dict = state;
  dict.type = dict_of_tensors();
  return dict;
}

Value state_dict_method(Builder& b, const Value& state, std::string_view name, const Arguments& arguments) {
  static const std::set<std::string_view> of_dicts = {"keys", "values", "items"};
  if (!of_dicts.contains(name)) refuse("the method {} of a state_dict is not translated", name);
  return dict_method(b, dict_of_state(state), name, arguments);
}

Value state_dict_item(Builder& b, const Value& state, const Node& slice) {
  return dict_item(b, dict_of_state(state), slice);
}

Value state_dict_rows(Builder& b, const Value& state) { return dict_rows(b, dict_of_state(state)); }

}  // namespace torchbook::translate
