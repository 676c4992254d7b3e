// Reads and writes JSON, with errors in one line.
#pragma once

#include <torchbook/golden/golden.h>

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace torchbook::golden {

/// A JSON value whose objects keep the order of their names.
using Json = nlohmann::ordered_json;

/// Parses JSON that torchbook wrote. Throws GoldenError with line and column if the text is not JSON.
Json parse_json(std::string_view text);

/// Returns JSON as text that is UTF-8: bytes that are not become U+FFFD. An `indent` of -1 puts all in one
/// line; otherwise the text ends with a newline.
template <class AnyJson>
std::string text_of_json(const AnyJson& json, int indent) {
  return json.dump(indent, ' ', false, AnyJson::error_handler_t::replace) + (indent < 0 ? "" : "\n");
}

/// Returns JSON as text that people read and compare line by line: lists and objects of at most 100 bytes are
/// on one line. It ends with a newline. The JSON must be UTF-8.
std::string readable_text(const Json& json);

/// How large a JSON text may be.
struct JsonBounds {
  std::size_t depth;   ///< of brackets
  std::size_t values;  ///< names, brackets, texts, numbers …
};

/// Parses JSON of strangers. Throws GoldenError with line and column if the text is not JSON or exceeds the
/// bounds.
nlohmann::json parse_json(std::string_view text, const JsonBounds& bounds);

/// Returns a field of an object. Throws GoldenError, which names the field, if there is none.
const Json& part_of(const Json& json, const char* name);

/// Throws GoldenError, which names the field, if a value is no whole number that a T holds. The library would
/// round 1.5, and cannot convert 1e30.
template <class T>
void demand_whole(const Json& value, const char* name) {
  const bool fits = value.is_number_unsigned()
                        ? std::in_range<T>(value.get<std::uint64_t>())
                        : value.is_number_integer() && std::in_range<T>(value.get<std::int64_t>());
  if (!fits)
    throw GoldenError(0, '"' + std::string(name) + "\" is no number that is possible here: " + value.dump());
}

/// Returns a field of an object as a T. Throws GoldenError, which names the field, if there is none or it is
/// no T.
template <class T>
T field(const Json& json, const char* name) {
  const Json& value = part_of(json, name);
  try {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) demand_whole<T>(value, name);
    if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
      for (const Json& each : value) {
        if (value.is_array() && each.is_number()) demand_whole<std::int64_t>(each, name);
      }
    }
    return value.get<T>();
  } catch (const Json::exception&) {
    throw GoldenError(0, '"' + std::string(name) + "\" has the wrong type: " + value.type_name());
  }
}

/// Returns a field of an object, or `otherwise` if there is none.
template <class T>
T field_or(const Json& json, const char* name, T otherwise) {
  return json.contains(name) ? field<T>(json, name) : otherwise;
}

/// Returns a text of an object, or nullopt if it is null or there is none.
std::optional<std::string> text_if_any(const Json& json, const char* name);

}  // namespace torchbook::golden
