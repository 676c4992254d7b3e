// Translates the methods of lists.
#include <fmt/format.h>
#include <torchbook/translate/translator.h>

namespace torchbook::translate {
namespace {

bool is_dict(const Variable* variable) { return variable != nullptr && variable->type.is(Kind::dict); }

/// Returns the type of a variable whose list, or the lists of whose dict, hold such items.
Type holding(const Variable& variable, const Type& item) {
  if (!is_dict(&variable)) return list_of(item);
  return {.kind = Kind::dict, .items = {variable.type.items[0], list_of(item)}};
}

void refuse_method(const Type& list, std::string_view name) {
  if (list.name == "set") throw NotPorted("a set has an order of its own");
  if (is_tuple_of_any_size(list) && name != "index" && name != "count")
    throw NotPorted(fmt::format("the method {} of a tuple is not translated", name));
}

}  // namespace

const Variable* Writer::refuse_unless_changeable(const Value& list) {
  auto code = list.code;
  const auto entry = code.find(".at(");
  if (entry != code.npos && is_dict(scope().with_code(code.substr(0, entry)))) code.resize(entry);
  const auto* variable = scope().with_code(code);
  if (variable == nullptr || variable->is_constant)
    throw NotPorted("it changes a list that has another name, too");
  return variable;
}

const Variable* Writer::variable_of_list(const Value& list) {
  auto* made = frame_->of_class;
  const bool may = made != nullptr && (made->is_module || made->is_shared || frame_->is_constructor);
  if (!may || scope().with_code(list.code) != nullptr) return refuse_unless_changeable(list);
  for (const auto& [name, type] : made->members) {
    if ((!type.is(Kind::list) && !type.is(Kind::dict)) || member_code(name) != list.code) continue;
    auto& variable = made->lists[name];
    variable.type = type;
    variable.definition = fmt::format("{}:{}", made->key, name);
    return &variable;
  }
  return refuse_unless_changeable(list);
}

bool Writer::is_own_list(const Variable& variable) {
  const auto* own = scope().with_code(variable.code);
  return own == &variable && !frame_->is_notebook;
}

/// `values.append(item)`, and also tells what a list holds that was empty until now.
void Translator::refuse_other_items(const Value& list, const Type& item) {
  const auto* variable = variable_of_list(list);
  if (list.type.items.empty()) {
    facts_->becomes(variable->definition, holding(*variable, item));
    throw NotPorted("an empty list tells not what it will hold");
  }
  const auto& held = list.type.items[0];
  const bool modules = held.is(Kind::module) && item.is(Kind::module);
  if (modules && held != item && held.name != any_module)
    facts_->becomes(variable->definition, *common_type(list.type, list_of(item)));
  const bool numbers =
      held.is_number() && item.is_number() && (held.is(Kind::scalar) || item.is(Kind::scalar));
  if (numbers) facts_->becomes(variable->definition, holding(*variable, item));
  const bool takes_any = held.is(Kind::scalar) && (item.is(Kind::floating) || item.is(Kind::integer));
  const bool wraps = modules && held.name == any_module;
  if (held != item && !wraps && !takes_any) throw NotPorted("a list holds values of different types");
  note_numbers(*variable, holding(*variable, item));
}

/// `values.sort()`, `values.reverse()` and `values.extend(others)`: the list is made anew.
Value Translator::change_list(const Value& list, std::string_view name, const Node& call) {
  const auto given = call.list("args");
  auto changed = value_of(list.type, "");
  if (name == "sort" && given.empty()) changed = ordered("sorted", list, call);
  if (name == "reverse" && given.empty()) {
    need("#include <torchbook/notebook/sequences.h>");
    changed.code = fmt::format("torchbook::reversed({})", list.code);
  }
  if (name == "extend" && given.size() == 1) {
    const auto others = rows_of(expression(given[0]));
    refuse_other_items(list, others.type.items[0]);
    changed = *list_binary("Add", list, others);
  }
  note_resize(is_own_list(*variable_of_list(list)));
  changed.code = fmt::format("{} = {}", list.code, changed.code);
  changed.type = {.kind = Kind::none};
  changed.acts = true;
  return changed;
}

Value Translator::copy_of_list(const Value& list) {
  refuse_shared_items(list);
  return value_of(list.type, list.code);
}

Value Translator::call_list_method(const Value& list, std::string_view name, const Arguments& arguments) {
  refuse_method(list.type, name);
  const auto& values = arguments.positional;
  const bool one = values.size() == 1 && arguments.named.empty();
  const bool has_item = one && !list.type.items.empty() && values[0].type == list.type.items[0];
  const auto value = [&](Kind kind, std::string_view code) {
    return value_of(kind, fmt::format(fmt::runtime(code), list.code, one ? values[0].code : ""));
  };
  if ((name == "index" || name == "count") && has_item && !list.temporary) {
    need("#include <algorithm>");
    return name == "index" ? value(Kind::integer, "std::find({0}.begin(), {0}.end(), {1}) - {0}.begin()")
                           : value(Kind::integer, "std::count({0}.begin(), {0}.end(), {1})");
  }
  if (name == "copy" && values.empty()) return copy_of_list(list);
  auto changed = value_of(Kind::none, "");
  if (name == "append" && one && !list.temporary) {
    refuse_other_items(list, values[0].type);
    if (holds_named_list(values[0]) && !(values[0].lasting && values[0].is(Kind::list)))
      throw NotPorted("a list gets a second name");
    const bool wraps = list.type.items[0].name == any_module;
    changed = wraps ? value_of(Kind::none,
                               fmt::format("{}.push_back({}({}))", list.code, any_module, in_row(values[0])))
                    : value(Kind::none, "{}.push_back({})");
  } else if (name == "pop" && arguments.named.empty() && values.size() < 2 && !list.type.items.empty()) {
    need("#include <torchbook/notebook/sequences.h>");
    changed = value(Kind::none, one ? "torchbook::pop({}, {})" : "torchbook::pop({})");
    changed.type = list.type.items[0];
  } else if (name == "insert" && values.size() == 2 && values[0].code == "0") {
    refuse_other_items(list, values[1].type);
    changed = value_of(Kind::none, fmt::format("{0}.insert({0}.begin(), {1})", list.code, values[1].code));
  } else if (name == "clear" && values.empty()) {
    changed = value(Kind::none, "{}.clear()");
  } else {
    throw NotPorted(fmt::format("the method {} of a list is not translated", name));
  }
  note_resize(is_own_list(*variable_of_list(list)));
  changed.acts = true;
  return changed;
}

}  // namespace torchbook::translate
