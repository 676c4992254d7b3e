// Rejects fields whose type differs from nbformat's.
#include <fmt/format.h>
#include <tools/import/ipynb_json.h>
#include <tools/import/source.h>

#include <utility>

namespace torchbook::importing {

void Part::fail(const std::string& what) const { throw ImportError(0, fmt::format("{}: {}", place, what)); }

const Json* Part::field(const char* name) const {
  const auto found = json.find(name);
  return found == json.end() || found->is_null() ? nullptr : &*found;
}

void Part::require(const char* name) const {
  if (field(name) == nullptr) {
    fail(fmt::format("the field \"{}\" is {}", name, json.contains(name) ? "null" : "missing"));
  }
}

std::string Part::text(const char* name) const {
  const Json* value = field(name);
  return value == nullptr ? std::string() : joined_text(*value, fmt::format("{}: its {}", place, name));
}

const Json::array_t& Part::list(const char* name) const {
  static const Json::array_t none;
  const Json* value = field(name);
  if (value == nullptr) return none;
  if (!value->is_array()) fail(fmt::format("its {} must be of type array, not {}", name, value->type_name()));
  return value->get_ref<const Json::array_t&>();
}

Part object_part(const Json& json, std::string place) {
  Part part{json, std::move(place)};
  if (!json.is_object()) part.fail(fmt::format("it must be of type object, not {}", json.type_name()));
  return part;
}

std::string joined_text(const Json& value, const std::string& place) {
  if (value.is_string()) return value.get<std::string>();
  std::string text;
  if (value.is_array()) {
    for (const Json& line : value) {
      if (!line.is_string()) {
        throw ImportError(
            0, fmt::format("{} must be an array of strings; an item is of type {}", place, line.type_name()));
      }
      text += line.get_ref<const std::string&>();
    }
    return text;
  }
  throw ImportError(
      0, fmt::format("{} must be of type string or array of strings, not {}", place, value.type_name()));
}

}  // namespace torchbook::importing
