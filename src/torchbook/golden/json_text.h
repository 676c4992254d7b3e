// Writes JSON, and reads untrusted JSON: limits its depth and checks the type of each field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::golden {

/// A JSON value whose objects keep the order of their names.
using Json = nlohmann::ordered_json;

/// Parses a JSON text in linear time. Throws GoldenError with line and column if the text is not
/// JSON, is nested deeper than any recording, or has an object that repeats a name or has more
/// names than any recording.
Json parse_json(std::string_view text);

/// Returns JSON as text that is UTF-8: bytes that are not become U+FFFD. An `indent` of -1 puts all in one
/// line; otherwise the text ends with a newline.
template <class AnyJson>
std::string text_of_json(const AnyJson& json, int indent) {
  return json.dump(indent, ' ', false, AnyJson::error_handler_t::replace) + (indent < 0 ? "" : "\n");
}

/// How large a JSON text may be.
struct JsonBounds {
  int depth;           ///< of brackets
  std::size_t values;  ///< names, brackets, texts, numbers …
};

/// Parses any JSON text in linear time, apart from a factor log n for an object of n names. Throws
/// GoldenError with line and column if the text is not JSON or exceeds the bounds. If an object
/// repeats a name, the last value counts, as in Python.
nlohmann::json parse_json(std::string_view text, const JsonBounds& bounds);

/// A view of a JSON object, with the words that name it in errors. The object must outlive the
/// view. Unless a function says otherwise, it throws GoldenError if the field is missing or has
/// another type.
class JsonObject {
 public:
  /// `place` is before each error: `cell In [4] (@3)`. It may be empty.
  JsonObject(const Json& json, std::string place);

  std::string text(const char* name) const;
  /// Returns nullopt for `null`.
  std::optional<std::string> text_or_null(const char* name) const;
  /// Returns nullopt if there is no such field.
  std::optional<std::string> text_if_any(const char* name) const;
  bool truth_or(const char* name, bool otherwise) const;
  /// A whole number from 0 to `most`.
  std::int64_t number(const char* name, std::int64_t most) const;
  std::int64_t number_or(const char* name, std::int64_t most, std::int64_t otherwise) const;
  /// Whole numbers from 0 on.
  std::vector<std::int64_t> numbers(const char* name) const;
  /// A list of texts; empty if there is no such field.
  std::vector<std::string> texts_if_any(const char* name) const;
  /// A list of anything.
  const Json& list(const char* name) const;
  /// A field of any type.
  const Json& field(const char* name) const;

  const std::string& place() const { return place_; }
  [[noreturn]] void fail(const std::string& what) const;

 private:
  [[noreturn]] void refuse(const char* name, const Json& value, const std::string& wanted) const;

  const Json& json_;
  std::string place_;
};

}  // namespace torchbook::golden
