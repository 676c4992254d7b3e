#include <fmt/format.h>
#include <torchbook/cli/commands/import/carried_file.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/notebook/carried.h>

#include <map>

namespace torchbook::cli {
namespace {

using golden::Json;

/// Converts a value from the JSON that carry.py writes.
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

/// Returns `place.from` if it is set, or else the last cell, up to `place.cell`, that changed the
/// carried value according to `has`. Throws std::runtime_error if there is none.
template <class Has>
std::string changed_by(const Json& cells, const CarriedPlace& place, const Has& has) {
  if (place.from != 0) return std::to_string(place.from);
  for (auto cell = place.cell; cell > 0; --cell) {
    const auto found = cells.find(std::to_string(cell));
    if (found != cells.end() && has(*found)) return found.key();
  }
  throw std::runtime_error(fmt::format("up to cell @{} nothing sets {}", place.cell,
                                       place.name.empty() ? "the generator" : place.name));
}

/// Returns the value that carry.py saved for a name. Throws std::runtime_error if it cannot be
/// carried.
const Json& kept_value(const Json& cell, const std::string& name) {
  const auto& kept = cell.at("names").at(name);
  if (kept.contains("why"))
    throw std::runtime_error(fmt::format("{}: {}", name, kept.at("why").get<std::string>()));
  return kept.at("value");
}

}  // namespace

std::string carried_file(const CarriedPlaces& places, const std::string& types, std::string_view values,
                         const std::vector<std::string>& twin) try {
  const auto json = golden::parse_json(types);
  const auto& cells = json.at("cells");
  const auto tensors = notebook::tensors_in(values);
  notebook::CarriedValues carried;
  for (const auto& place : places.values) {
    const auto& name = place.name;
    const auto from =
        changed_by(cells, place, [&](const Json& cell) { return cell.at("names").contains(name); });
    carried.values[fmt::format("{}/{}", place.cell, name)] =
        ivalue_of(kept_value(cells.at(from), name), tensors);
  }
  for (const auto& place : places.generators) {
    const auto from =
        changed_by(cells, place, [](const Json& cell) { return !cell.at("generator").is_null(); });
    carried.generators[std::to_string(place.cell)] =
        tensors.at(cells.at(from).at("generator").get<std::string>());
  }
  const std::vector<std::string_view> python(twin.begin(), twin.end());
  return notebook::carried_file(carried, notebook::hash_of_python(python));
} catch (const std::exception& error) {  // a notebook may write into these files
  throw UsageError(fmt::format("what the notebook left cannot be carried: {}", error.what()));
}

}  // namespace torchbook::cli
