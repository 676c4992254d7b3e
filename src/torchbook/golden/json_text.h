// Reads JSON that others wrote: bounded in depth, and each field with the type that it must have.
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

/// Parses a JSON text in linear time. Throws GoldenError with line and column if the text is no JSON, if it
/// is nested deeper than any recording, if an object has one name twice, or more names than any recording
/// has.
Json parse_json(std::string_view text);

/// How large a JSON text may be.
struct JsonBounds {
  int depth;           ///< of brackets
  std::size_t values;  ///< names, brackets, texts, numbers …
};

/// Parses a JSON text of any form in linear time, up to the logarithm of the number of an object's names.
/// Throws GoldenError with line and column if the text is no JSON or exceeds the bounds. Of a name that
/// stands twice in one object, the last one counts, as in Python.
nlohmann::json parse_json(std::string_view text, const JsonBounds& bounds);

/// An object of a JSON text, and the words that name it in errors. Every function throws GoldenError unless
/// the field is there and is what the function returns. The object must outlive this view of it.
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
