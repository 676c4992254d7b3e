#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/dict.h>
#include <tools/import/translate/kinds/list.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/record.h>
#include <tools/import/translate/kinds/sequences.h>
#include <tools/import/translate/rows/row.h>
#include <tools/import/translate/statements/assignments.h>

#include <algorithm>

namespace torchbook::translate {
bool is_key(const Type& type) {
  if (type.is(types::Group::tuple)) return std::all_of(type.items.begin(), type.items.end(), is_key);
  return type.is(Kind::integer) || type.is(Kind::string);
}

namespace {

/// Whether all values of a dict can be of the type. A dict of others is a record.
bool is_value_of_dict(const Type& type) {
  const auto is_plain = [](const Type& each) {
    return (each.is_number() && !each.is(Kind::scalar)) || each.is(Kind::string);
  };
  const auto is_part = [&](const Type& item) { return is_plain(item) || item.is(Kind::tensor); };
  if (type.is(types::Group::tuple)) return std::all_of(type.items.begin(), type.items.end(), is_part);
  return is_plain(type) || type.is(Kind::list) || is_function_of_torch(type);
}

}  // namespace

Type dict_of(const Type& key, const Type& value) {
  if (!is_key(key)) refuse("the keys of a dict are {}", in_words(key));
  return dict_type(key, value);
}

static Value dict_with(Builder& b, const std::vector<Value>& keys, const std::vector<Value>& values) {
  auto value = value_of(Kind::dict, cpp::braces({}));
  value.literal = true;
  if (keys.empty()) return value;
  const auto same = [](const std::vector<Value>& all) {
    return std::all_of(all.begin(), all.end(), [&](const Value& each) { return each.type == all[0].type; });
  };
  if (!same(keys) || !same(values) || !is_value_of_dict(values[0].type)) return record_of(b, keys, values);
  const auto type = dict_of(keys[0].type, values[0].type);
  std::vector<cpp::Expr> entries;
  const bool open =
      values[0].is(Kind::list) && values[0].type.items.empty();  // an append determines their items
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto entry = open ? cpp::braces({}) : typed(b, values[i], values[i].type).expr;
    entries.push_back(cpp::braces({printable(keys[i]), entry}));
  }
  if (open) {
    value.type = type;
    value.expr = cpp::braces(std::move(entries));
    return value;
  }
  return value_of(type, cpp::braces(std::move(entries), cpp_type(type)));
}

Value dictionary(Builder& b, const Node& node) {
  std::vector<Value> keys;
  std::vector<Value> values;
  const auto elements = node.values();
  std::vector<Node> given;
  try {
    given = node.keys();  // ** has a null key
  } catch (const NotPorted&) {
    refuse("a dict takes over another one with **");
  }
  for (const auto& key : given) {
    keys.push_back(expression(b, key));
    values.push_back(expression(b, elements[values.size()]));
  }
  return dict_with(b, keys, values);
}

Value dict_of_names(Builder& b, const Arguments& arguments) {
  if (!arguments.positional.empty()) refuse("dict() takes something other than names");
  std::vector<Value> keys;
  std::vector<Value> values;
  for (const auto& [name, value] : arguments.named) {
    keys.push_back(value_of(Kind::string, string_literal(name)));
    keys.back().literal = true;
    values.push_back(value);
  }
  return dict_with(b, keys, values);
}

Value default_dict(Builder& b, const Node& node) {
  static const std::map<std::string_view, Kind> kinds = {
      {"int", Kind::integer}, {"float", Kind::floating}, {"str", Kind::string}, {"list", Kind::list}};
  const auto given = node.args();
  const auto name = given.size() == 1 && given[0].is(Ast::Name) ? given[0].id() : "";
  const auto found = kinds.find(name);
  if (found == kinds.end() || b.scope().find(name) != nullptr || !node.keywords().empty())
    refuse("defaultdict takes something other than int, float, str or list");
  return {.type = Type(types::Dict{found->second}), .expr = cpp::braces({}), .literal = true};
}

/// Returns `counts[key]` of a defaultdict, which adds a missing key.
static Value added_entry(const Value& dict, const Value& key) {
  if (dict.type.items.empty()) refuse_empty(dict.type);
  if (!(dict.type.items[0] == key.type)) refuse("the key of a dict is {}", in_words(key.type));
  const auto name = dict.expr.is(cpp::Kind::name) ? dict.expr.text() : std::string();
  auto value = value_of(dict.type.items[1],
                        cpp::subscript(dict.expr, key.expr).with(cpp::writes(cpp::Place::contents, name)));
  if (!value.is(Kind::list)) return value;
  value.temporary = false;
  value.expr = value.expr.held_as("auto&");
  return value;
}

Value dict_item(Builder& b, const Value& dict, const Node& slice) {
  auto key = expression(b, slice);
  if (dict.type.missing() != Kind::none) return added_entry(dict, key);
  const bool whole = !dict.type.items.empty() && dict.type.items[0].is(Kind::integer);
  if (whole && key.is(Kind::scalar))
    key = value_of(Kind::integer, cpp::call("torchbook::key", {as_any_number(key)}));
  if (dict.type.items.empty() || !(dict.type.items[0] == key.type))
    refuse("the key of a dict is {}", in_words(key.type));
  const auto name = dict.expr.is(cpp::Kind::name) ? dict.expr.text() : std::string();
  const auto reads = cpp::reads(cpp::Place::contents, name);  // not the memory of tensors
  auto value = value_of(dict.type.items[1], cpp::method(dict.expr, "at", {key.expr}).with_only(reads));
  const bool changes = value.is(Kind::list) || value.is(Kind::dict);
  value.temporary = !changes;
  if (changes) value.expr = value.expr.held_as("auto&");
  if (holds_open_lists(dict.type)) b.here.open = "the items of the lists of a dict are not known";
  return value;
}

void assign_dict_item(Builder& b, const Value& dict, const Node& target, const Value& given) {
  const auto key = expression(b, target.slice());
  const bool empties = given.literal && given.is(Kind::list) && is_empty(given.type) && !is_open(dict.type) &&
                       dict.type.items[1].is(Kind::list);
  const auto value = empties ? typed(b, given, dict.type.items[1]) : given;
  refuse_unless_changeable(b, dict);
  if (dict.type.items.empty()) refuse_empty(dict.type);
  if (!(dict.type.items[0] == key.type) || !assignable(dict.type.items[1], value.type))
    refuse("a dict holds values of different types");
  const bool adds = !value.sign.empty() && dict.type.missing() == Kind::none;  // to an entry that is there
  b.emit(assignment(adds ? cpp::method(dict.expr, "at", {key.expr}) : cpp::subscript(dict.expr, key.expr),
                    value));
}

void delete_entry(Builder& b, const Node& target) {
  const auto dict = expression(b, target.value());
  if (dict.type.is(types::Sequence::list) && !dict.type.items.empty() && !target.slice().is(Ast::Slice)) {
    refuse_unless_changeable(b, dict);
    const auto at = expression(b, target.slice());
    if (!at.is(Kind::integer)) refuse("an index of a list is {}", in_words(at.type));
    return b.emit(cpp::Evaluate{cpp::call("python::pop", {dict.expr, at.expr})});
  }
  if (!dict.is(Kind::dict) || dict.type.items.empty())
    refuse("it deletes an element of {}", in_words(dict.type));
  const auto key = expression(b, target.slice());
  if (!(dict.type.items[0] == key.type)) refuse("the key of a dict is {}", in_words(key.type));
  refuse_unless_changeable(b, dict);
  b.emit(cpp::Evaluate{cpp::method(dict.expr, "erase", {key.expr})});
}

/// `counts.update(others)`
static Value update_dict(Builder& b, const RowCall& given) {
  const auto [dict, other] = given.as<2>();
  refuse_unless_changeable(b, *dict);
  if (!other->is(Kind::dict) || other->type.items.empty())
    refuse("a dict is updated with {}", in_words(other->type));
  if (dict->type.items.empty()) refuse_empty(dict->type);
  if (!(dict->type == other->type)) refuse("a dict holds values of different types");
  return value_of(Kind::none, cpp::method(dict->expr, "update", {other->expr}));
}

/// `counts.get(word, 0)`
static Value entry_of_dict(Builder& /*b*/, const RowCall& given) {
  const auto [dict, key, fallback] = given.as<3>();
  const auto& items = dict->type.items;
  if (items.empty()) refuse_empty(dict->type);
  if (items.empty() || !(key->type == items[0]) || !(fallback->type == items[1]))
    refuse("get() of {} has the key {} and the default {}", in_words(dict->type), in_words(key->type),
           in_words(fallback->type));
  return value_of(items[1], cpp::method(dict->expr, given.name, {key->expr, fallback->expr}));
}

/// `counts.pop(word)`, `groups.setdefault(key, [])`
static Value changed_entry(Builder& b, const RowCall& given) {
  const auto [dict, key, fallback] = given.as<3>();
  refuse_unless_changeable(b, *dict);
  if (dict->type.items.empty() && fallback != nullptr) refuse_empty(dict->type);
  const auto& items = dict->type.items;
  const bool fits = fallback == nullptr || fallback->type == items[1] ||
                    (fallback->literal && is_empty(fallback->type) && items[1].is(fallback->type.kind()));
  if (!(key->type == items[0]) || !fits || (given.name == "setdefault" && fallback == nullptr))
    given.refuse_form();
  std::vector<cpp::Expr> parts = {dict->expr, key->expr};
  if (fallback != nullptr) parts.push_back(typed(b, *fallback, items[1]).expr);
  auto value = value_of(items[1], cpp::call(fmt::format("python::{}", given.name), std::move(parts))
                                      .with(cpp::writes(cpp::Place::contents)));
  if (given.name == "setdefault" && items[1].is(Kind::list)) {
    value.temporary = false;
    value.expr = value.expr.held_as("auto&");
  }
  return value;
}

static Value same_dict(Builder& /*b*/, const RowCall& given) {
  const auto [dict] = given.as<1>();
  return value_of(dict->type, dict->expr);
}

static const std::vector<Row> methods_of_dict = {
    {.names = "keys",
     .parameters = {self_parameter},
     .becomes = ".{}",
     .result_of = [](const Type& dict) { return view_of(dict.items[0]); }},
    {.names = "values",
     .parameters = {self_parameter},
     .becomes = ".{}",
     .result_of = [](const Type& dict) { return view_of(dict.items[1]); }},
    {.names = "items",
     .parameters = {self_parameter},
     .becomes = ".{}",
     .result_of = [](const Type& dict) { return view_of(tuple_type(dict.items)); }},
    {"copy", {self_parameter}, same_dict},
    {"get", {self_parameter, {"key"}, {"default"}}, entry_of_dict},
    {"pop setdefault", {self_parameter, {"key"}, {"default", {}, true}}, changed_entry},
    {"update", {self_parameter, {"other"}}, update_dict}};

Value dict_method(Builder& b, const Value& dict, std::string_view name, const Arguments& arguments) {
  if (dict.type.items.empty() && name != "get" && name != "update" && name != "setdefault")
    cpp_type(dict.type);  // refuses one whose items are not known
  return call_table(b, methods_of_dict, name, fmt::format("the method {} of a dict", name),
                    arguments.of(dict));
}

/// `dict(enumerate(words))` and `dict(zip(keys, values))`
static Value dict_of_pairs(Builder& b, const Value& pairs) {
  const auto rows = rows_of(b, pairs);
  const auto& pair = rows.type.items[0];
  if (!pair.is(types::Group::tuple) || pair.items.size() != 2 || !is_value_of_dict(pair.items[1]) ||
      pair.items[1].is(Kind::list))
    refuse("dict() takes something other than a dict, pairs or names");
  const auto type = dict_of(pair.items[0], pair.items[1]);
  return value_of(type, cpp::call(cpp_type(type) + "::of", {rows.expr}));
}

Value copy_of_dict(Builder& b, const Value& dict) {
  if (dict.is(Kind::list)) return dict_of_pairs(b, dict);
  if (!dict.is(Kind::dict) || dict.type.items.empty())
    refuse("dict() takes something other than a dict, pairs or names");
  const auto type = dict_type(dict.type.items[0], dict.type.items[1]);
  const bool copies = dict.type.missing() != Kind::none;  // so that what the other one adds is not in it
  return value_of(type, copies ? cpp::call(cpp_type(type), {dict.expr}) : dict.expr);
}

Value dict_rows(Builder& b, const Value& dict) { return rows_of(b, dict_method(b, dict, "keys", {})); }

Value dict_contains(Builder& b, const Value& dict, const Value& value) {
  const bool has_keys = !dict.type.items.empty() && dict.type.items[0] == value.type;
  return has_keys ? found_by_method(value, dict) : found_in_rows(b, value, dict);
}

}  // namespace torchbook::translate
