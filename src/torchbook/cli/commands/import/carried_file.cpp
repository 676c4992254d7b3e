#include <fmt/format.h>
#include <torchbook/cli/commands/import/carried_file.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/notebook/carried.h>

#include <map>

namespace torchbook::cli {
namespace {

using golden::Json;

/// Returns a value as carry.py writes it.
c10::IValue ivalue_of(const Json& json, const std::map<std::string, at::Tensor>& tensors) {
  if (json.is_null()) return {};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_string()) return json.get<std::string>();
  if (json.contains("floating")) return std::stod(json.at("floating").get<std::string>());
  if (json.contains("tensor")) return tensors.at(json.at("tensor").get<std::string>());
  if (json.contains("dict")) {
    c10::impl::GenericDict dict(c10::AnyType::get(), c10::AnyType::get());
    for (const auto& pair : json.at("dict"))
      dict.insert(ivalue_of(pair.at(0), tensors), ivalue_of(pair.at(1), tensors));
    return dict;
  }
  const bool tuple = json.contains("tuple");
  std::vector<c10::IValue> items;
  for (const auto& item : json.at(tuple ? "tuple" : "list")) items.push_back(ivalue_of(item, tensors));
  if (tuple) return c10::ivalue::Tuple::create(std::move(items));
  c10::impl::GenericList list(c10::AnyType::get());
  for (auto& item : items) list.push_back(std::move(item));
  return list;
}

}  // namespace

std::string carried_file(const CarriedPlaces& places, const std::string& types, std::string_view values,
                         const std::vector<std::string>& twin) try {
  const auto json = golden::parse_json(types);
  const auto& cells = json.at("cells");
  const auto tensors = notebook::tensors_in(values);
  notebook::CarriedValues carried;
  for (const auto& [cell, name, from] : places.values) {
    const auto& value = cells.at(std::to_string(from)).at("names").at(name).at("value");
    carried.values[fmt::format("{}/{}", cell, name)] = ivalue_of(value, tensors);
  }
  for (const auto& [cell, name, from] : places.generators) {
    const auto& state = cells.at(std::to_string(from)).at("generator");
    carried.generators[std::to_string(cell)] = tensors.at(state.get<std::string>());
  }
  const std::vector<std::string_view> python(twin.begin(), twin.end());
  return notebook::carried_file(carried, notebook::hash_of_python(python));
} catch (const std::exception& error) {  // a notebook may write into these files
  throw UsageError(fmt::format("what the notebook left cannot be carried: {}", error.what()));
}

}  // namespace torchbook::cli
