// Matches the arguments of a call with the parameters of a function.
#pragma once

#include <tools/import/translate/core/definitions.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace torchbook::translate {

/// A parameter of a function of Python.
struct CallParameter {
  std::string_view name;            ///< it is keyword-only if it begins with `*`
  std::vector<Kind> kinds{};        ///< of its argument; empty: any; first one float: any number
  bool optional = false;            ///< a call may leave it out
  std::string_view default_code{};  ///< the default value in C++, a number or name; empty: no argument

  bool is_by_name() const { return name.starts_with('*'); }
  /// Returns the name in Python.
  std::string_view bare_name() const { return name.substr(is_by_name() ? 1 : 0); }
  bool is_floating() const { return !kinds.empty() && kinds[0] == Kind::floating; }
  bool fits(const Type& type) const {
    return kinds.empty() || (is_floating() && type.is_number()) ||
           std::find(kinds.begin(), kinds.end(), type.kind()) != kinds.end();
  }
};

/// Finds the argument for each parameter; nullptr for one that is left out. Refuses a call with a missing
/// argument, an unknown one, or one of a wrong kind. Messages call the function `function`.
void match(std::string_view function, const Arguments& arguments, std::span<const CallParameter> parameters,
           std::span<const Value*> found);

/// match() for the parameters of a row.
inline std::vector<const Value*> match_row(std::string_view function, const Arguments& arguments,
                                           const std::vector<CallParameter>& parameters) {
  std::vector<const Value*> found(parameters.size());
  match(function, arguments, parameters, found);
  return found;
}

/// `const auto [input, dim] = match("F.softmax", arguments, {{"input", {Kind::tensor}}, {"dim"}});`
template <std::size_t count>
std::array<const Value*, count> match(std::string_view function, const Arguments& arguments,
                                      const CallParameter (&parameters)[count]) {
  std::array<const Value*, count> found{};
  match(function, arguments, parameters, found);
  return found;
}

/// Returns a bool that a call writes out, or `otherwise` if it has none. Refuses others.
bool written_flag(const Value* flag, std::string_view name, bool otherwise = false);

}  // namespace torchbook::translate
