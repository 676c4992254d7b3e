// Reads the fields of a notebook's JSON and checks their types.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace torchbook::importing {

using Json = nlohmann::json;

/// A part of a notebook, and the words that name it in errors: `cell 3 of the file`.
struct Part {
  const Json& json;
  std::string place;

  /// Returns a field, or nullptr if it is missing or null.
  const Json* field(const char* name) const;
  /// Returns a text that may be stored as a list of its lines; empty if it is missing. Throws ImportError.
  std::string text(const char* name) const;
  /// Returns the parts of a list, which may be missing. Throws ImportError.
  const Json::array_t& list(const char* name) const;
  [[noreturn]] void fail(const std::string& what) const;
  /// Throws ImportError unless field() returns something.
  void require(const char* name) const;
};

/// Returns the part if it is an object. Otherwise throws ImportError.
Part object_part(const Json& json, std::string place);

/// Returns a text, or the joined texts of a list. Otherwise throws ImportError, which begins with
/// `place`.
std::string joined_text(const Json& value, const std::string& place);

}  // namespace torchbook::importing
