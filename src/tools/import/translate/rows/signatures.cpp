#include <ATen/core/dispatch/Dispatcher.h>
#include <fmt/format.h>
#include <tools/import/translate/rows/signatures.h>

#include <algorithm>
#include <map>
#include <set>

namespace torchbook::translate {
namespace {

/// Returns a default value in C++.
cpp::Expr cpp_default(const c10::IValue& value) {
  if (value.isNone()) return cpp::name("c10::nullopt");
  if (value.isBool()) return cpp::boolean(value.toBool());
  if (value.isInt()) return cpp::number(value.toInt());
  if (value.isDouble()) return cpp::number(fmt::format("{}", value.toDouble()));
  if (value.isString()) return cpp::string(value.toStringRef());
  std::vector<cpp::Expr> numbers;
  if (value.isIntList()) {
    for (const auto number : value.toIntVector()) numbers.push_back(cpp::number(number));
  }
  return cpp::braces(std::move(numbers));
}

/// Reads a type as schemas write it: `SymInt[1]?`.
void read_type(std::string text, SchemaParameter& parameter) {
  if (text.ends_with('?')) {
    parameter.is_optional = true;
    text.pop_back();
  }
  if (text.ends_with(']')) {
    parameter.is_list = true;
    parameter.takes_one = !text.ends_with("[]");
    text.resize(text.rfind('['));
  }
  if (const auto alias = text.find('('); alias != text.npos) text.resize(alias);
  if (text == "SymInt") text = "int";
  if (text == "number") text = "Scalar";
  parameter.type = text;
}

SchemaParameter read_parameter(const c10::Argument& argument, std::string type) {
  SchemaParameter parameter{.name = argument.name(), .type = {}, .keyword_only = argument.kwarg_only()};
  read_type(std::move(type), parameter);
  parameter.takes_one = parameter.takes_one || (parameter.is_list && argument.N().has_value());
  parameter.required = !argument.default_value();
  if (!parameter.required) {
    parameter.default_value = cpp_default(*argument.default_value());
  } else if (parameter.is_optional) {
    parameter.default_value = cpp::name("c10::nullopt");
  }
  return parameter;
}

Signature read_schema(const c10::FunctionSchema& schema) {
  Signature signature;
  const std::set<std::string_view> options = {"dtype", "layout", "device", "pin_memory"};
  std::size_t found = 0;
  for (const auto& argument : schema.arguments()) {
    // real_type() says `ScalarType?` where type() says `int?`.
    auto parameter = read_parameter(argument, argument.real_type()->str());
    found += options.contains(parameter.name) ? 1 : 0;
    signature.parameters.push_back(std::move(parameter));
  }
  signature.takes_options = found == options.size();
  if (signature.takes_options) {
    std::erase_if(signature.parameters,
                  [&](const auto& parameter) { return options.contains(parameter.name); });
  }
  for (const auto& result : schema.returns()) {
    SchemaParameter type;
    read_type(result.real_type()->str(), type);
    signature.results.push_back(type.is_list ? type.type + "[]" : type.type);
    signature.shares = signature.shares || result.alias_info() != nullptr;
    if (!result.name().empty()) signature.result_names.push_back(result.name());
  }
  if (signature.results.size() == 1) signature.result_names.clear();
  signature.writes = schema.is_mutable();
  return signature;
}

/// Whether notebooks can call an overload. Overloads with named dimensions or `out` are excluded. Functions
/// that open files are excluded because `torchbook import` runs notebooks that nobody may have read.
bool is_called(const c10::FunctionSchema& schema) {
  const auto opens_file = [](const c10::Argument& argument) { return argument.name() == "filename"; };
  if (std::any_of(schema.arguments().begin(), schema.arguments().end(), opens_file)) return false;
  const auto& overload = schema.overload_name();
  return overload.find("name") == overload.npos && overload.find("Name") == overload.npos &&
         overload.find("out") == overload.npos;
}

/// Whether a function draws random numbers: an overload takes a generator, or it is one of
/// `others`.
bool draws(const std::vector<Signature>& signatures, std::string_view name) {
  const std::set<std::string_view> others = {"dropout",  "alpha_dropout", "feature_dropout", "rrelu",
                                             "dropout_", "rand_like",     "randn_like",      "randint_like"};
  return others.contains(name) ||
         std::any_of(signatures.begin(), signatures.end(), [](const auto& signature) {
           return std::any_of(signature.parameters.begin(), signature.parameters.end(),
                              [](const auto& parameter) { return parameter.name == "generator"; });
         });
}

/// Notes the parameters in whose place C++ could choose another overload.
void note_overloads(std::vector<Signature>& signatures) {
  for (auto& signature : signatures) {
    for (const auto& other : signatures) {
      for (std::size_t i = 0; i < std::min(signature.parameters.size(), other.parameters.size()); ++i) {
        auto& mine = signature.parameters[i];
        const auto& its = other.parameters[i];
        if (mine.type != "int") continue;
        mine.beside_bool = mine.beside_bool || (!mine.is_list && its.type == "bool" && !its.is_optional);
        mine.beside_list =
            mine.beside_list || (!mine.is_list && mine.is_optional && its.type == "int" && its.is_list);
        mine.beside_str = mine.beside_str || (mine.is_list && its.type == "str");
      }
    }
  }
}

using Table = std::map<std::string, std::vector<Signature>, std::less<>>;

Table read_all() {
  constexpr std::string_view aten = "aten::";
  Table table;
  std::set<std::string> named;
  std::set<std::string> out;
  auto& dispatcher = c10::Dispatcher::singleton();
  for (const auto& name : dispatcher.getAllOpNames()) {
    if (!name.name.starts_with(aten)) continue;
    const auto handle = dispatcher.findSchema(name);
    if (!handle) continue;
    if (handle->schema().overload_name().find("ame") != std::string::npos)
      named.insert(name.name.substr(aten.size()));
    if (handle->schema().overload_name() == "out") out.insert(name.name.substr(aten.size()));
    if (!is_called(handle->schema())) continue;
    table[name.name.substr(aten.size())].push_back(read_schema(handle->schema()));
  }
  for (auto& [name, signatures] : table) {
    const bool random = draws(signatures, name);
    note_overloads(signatures);
    for (auto& signature : signatures) {
      signature.draws = random;
      signature.has_named_twin = named.contains(name);
      signature.has_out = out.contains(name);
    }
    // The dispatcher has no order. Overloads with fewer parameters are tried first.
    std::stable_sort(signatures.begin(), signatures.end(),
                     [](const auto& a, const auto& b) { return a.parameters.size() < b.parameters.size(); });
  }
  return table;
}

}  // namespace

const std::vector<Signature>& signatures_of(std::string_view name) {
  static const Table table = read_all();
  static const std::vector<Signature> none;
  const auto found = table.find(name);
  return found == table.end() ? none : found->second;
}

std::vector<std::string> result_names_of(std::string_view function) {
  for (const auto& signature : signatures_of(function)) {
    if (!signature.result_names.empty()) return signature.result_names;
  }
  return {};
}

}  // namespace torchbook::translate
