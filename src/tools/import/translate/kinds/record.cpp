#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/printing.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/record.h>
#include <tools/import/translate/kinds/sequences.h>
#include <tools/import/translate/statements/changes.h>

#include <algorithm>
#include <cctype>

namespace torchbook::translate {
namespace {

/// Returns the name in C++ of a field for a key.
std::string field_name(std::string key) {
  std::replace_if(
      key.begin(), key.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  if (is_plain_name(key)) return key;
  if (!is_plain_name(key + "_")) refuse("the key {} of a dict is not a name in C++", key);
  return key + "_";
}

/// Whether C++ writes a text with escapes.
bool has_escapes(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return c == '"' || c == '\\' || std::iscntrl(c) != 0; });
}

/// Whether a struct can hold a value of a dict. A list must have no other name, and never change.
bool is_field(const Value& value) {
  const auto plain = [](const Type& type) { return type.is_number() || type.is(Kind::string); };
  const auto& type = value.type;
  if (type.is(Kind::list) || type.is(Kind::tuple)) {
    return value.literal && !type.items.empty() &&
           (type.is(types::Sequence::list) || type.is(types::Group::tuple)) &&
           std::all_of(type.items.begin(), type.items.end(), plain);
  }
  return plain(type) || type.is(Kind::tensor) || type.is(Kind::dtype);
}

/// Whether an IValue shows values of the type as Python does.
bool shows_as_ivalue(const Type& type) {
  if (type.is(Kind::list) || type.is(Kind::tuple))
    return !type.items[0].is(Kind::boolean) &&
           std::all_of(type.items.begin(), type.items.end(), shows_as_ivalue);
  return type.is(Kind::boolean) || type.is(Kind::integer) || type.is(Kind::floating) || type.is(Kind::string);
}

}  // namespace

/// Returns the struct with these fields. Emits its definition if there was none.
static std::string record_name(Builder& b, const Record& record) {
  for (const auto& [name, known] : b.state.records) {
    if (known.fields == record.fields) return name;
  }
  if (!b.frame->is_notebook || b.scope().depth() > 0) refuse("a dict is made inside of a function or block");
  auto name = b.scope().fresh("Record");
  cpp::Struct made{.head = "struct " + name};
  for (const auto& [field, type] : record.fields)
    made.body.push_back({cpp::Declare{.type = cpp_type(type), .name = field_name(field)}});
  std::string fields;
  for (const auto& [field, type] : record.fields) fields += proved_member(field, field_name(field));
  made.proved =
      fmt::format("std::string proved() const {{ return torchbook::proof::dict({{{}}}); }}", fields);
  b.emit(std::move(made));
  b.state.records[name] = record;
  return name;
}

Value record_of(Builder& b, const std::vector<Value>& keys, const std::vector<Value>& values) {
  auto value = value_of(Kind::record, {});
  value.literal = true;
  Record record;
  std::vector<std::string> fields;
  std::vector<cpp::Expr> parts;
  std::set<std::string> names;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!keys[i].is(Kind::string) || !keys[i].literal || has_escapes(keys[i].expr.text()))
      refuse("a dict has keys that are not strs");
    const auto& name = keys[i].expr.text();
    const auto& element = values[i];
    if (!is_field(element)) refuse("a dict holds {}", in_words(element.type));
    if (!names.insert(field_name(name)).second) refuse("a dict has two keys that are alike");
    record.fields.emplace_back(name, without_numbers(element.type));
    fields.push_back(field_name(name));
    parts.push_back(element.is(Kind::list)    ? typed(b, element, element.type).expr
                    : element.is(Kind::tuple) ? printable(element)
                                              : element.expr);
  }
  value.type = named_type(Kind::record, record_name(b, record));
  value.expr = cpp::fields(value.type.name(), std::move(fields), std::move(parts));
  return value;
}

Value record_item(Builder& b, const Value& record, const Node& slice) {
  if (!slice.is(Ast::Constant) || slice.type() != "str") refuse("the key of a dict is not written out");
  const auto key = slice.constant();
  for (const auto& [name, value] : fields_of(b, record)) {
    if (name == key) return value;
  }
  refuse("the dict has no key {}", key);
}

std::vector<std::pair<std::string, Value>> fields_of(Builder& b, const Value& record) {
  std::vector<std::pair<std::string, Value>> fields;
  const auto found = b.state.records.find(record.type.name());
  if (found == b.state.records.end()) refuse("a function reads a dict that a later cell defines");
  for (const auto& [name, type] : found->second.fields) {
    auto value = value_of(type, cpp::member(record.expr, field_name(name)));
    value.temporary = !value.is(Kind::list) && !value.is(Kind::tuple);
    fields.emplace_back(name, std::move(value));
  }
  return fields;
}

/// Returns the type of any value of a dict that is a struct. If the values have several types, it
/// is an IValue, which can only be shown.
static Type value_type(Builder& b, const Value& record) {
  const auto fields = fields_of(b, record);
  const auto& first = fields.at(0).second.type;
  const auto same = [&](const auto& field) { return field.second.type == first; };
  if (std::all_of(fields.begin(), fields.end(), same)) return first;
  for (const auto& [name, value] : fields) {
    if (!shows_as_ivalue(value.type))
      refuse("it loops over a dict that has values of several types, such as {}", in_words(value.type));
  }
  return shown_type("torch::IValue");
}

Value record_method(Builder& b, const Value& record, std::string_view name, const Arguments& arguments) {
  const auto& given = arguments.positional;
  if (record.temporary || !arguments.named.empty() || given.size() > 2)
    refuse("the method {} of a dict is not translated", name);
  const bool gets = name == "get" && !given.empty() && given[0].is(Kind::string) && given[0].literal;
  std::vector<cpp::Expr> parts;
  for (const auto& [field, value] : fields_of(b, record)) {
    const auto key = string_literal(field);
    if (gets && given[0].is_text(field)) return value;
    parts.push_back(name == "keys" ? key : name == "values" ? value.expr : cpp::braces({key, value.expr}));
  }
  if (gets && given.size() == 2) return given[1];
  if (!given.empty() || (name != "keys" && name != "values" && name != "items"))
    refuse("the method {} of a dict is not translated", name);
  Type item = Kind::string;
  if (name != "keys") item = value_type(b, record);
  if (name == "items") item = tuple_type({Kind::string, item});
  return value_of(view_of(item),
                  cpp::braces(std::move(parts), fmt::format("std::vector<{}>", cpp_type(item))));
}

Value record_text(Builder& b, const Value& record) {
  if (record.temporary) refuse("it prints a dict");
  std::string format;
  std::vector<Value> values;
  for (const auto& [key, value] : fields_of(b, record)) {
    if (key.find_first_of("'{}\\") != key.npos) refuse("it prints a dict");
    format += fmt::format("{}'{}': {{!r}}", format.empty() ? "{{" : ", ", key);
    values.push_back(value);
  }
  return filled(b, format + "}}", values);
}

Value record_as_dict(Builder& b, const Value& record) {
  const auto shown = record.temporary ? b.hold(record, "shown") : record;
  std::vector<cpp::Expr> entries;
  for (const auto& [key, value] : fields_of(b, shown))
    entries.push_back(cpp::braces({string_literal(key), value.expr}));
  const auto type = fmt::format("torchbook::Dict<std::string, {}>", cpp_type(value_type(b, shown)));
  return value_of(shown_type(type), cpp::braces(std::move(entries), type));
}

Value record_rows(Builder& b, const Value& record) {
  return rows_of(b, record_method(b, record, "keys", {}));
}

Value record_length(Builder& b, const Value& record) {
  if (record.temporary) refuse("the length of a dict is not translated");
  return counted(fields_of(b, record).size());
}

Value record_contains(Builder& b, const Value& record, const Value& value) {
  if (!value.is(Kind::string) || !value.literal || record.temporary) return found_in_rows(b, value, record);
  const auto fields = fields_of(b, record);
  return value_of(Kind::boolean,
                  cpp::boolean(std::any_of(fields.begin(), fields.end(),
                                           [&](const auto& field) { return value.is_text(field.first); })));
}

}  // namespace torchbook::translate
