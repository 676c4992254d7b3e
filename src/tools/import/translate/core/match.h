// Reads the arguments of a call by the parameters of a function.
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
struct Takes {
  std::string_view name;         ///< after a `*`, only a name gives it
  std::vector<Kind> kinds{};     ///< those of its argument; none if any will do; any number if float is first
  bool optional = false;         ///< a call may leave it out
  std::string_view otherwise{};  ///< what C++ gets then: a number or name; empty for nothing

  bool is_by_name() const { return name.starts_with('*'); }
  /// Returns the name in Python.
  std::string_view bare_name() const { return name.substr(is_by_name() ? 1 : 0); }
  bool is_floating() const { return !kinds.empty() && kinds[0] == Kind::floating; }
  bool fits(const Type& type) const {
    return kinds.empty() || (is_floating() && type.is_number()) ||
           std::find(kinds.begin(), kinds.end(), type.kind()) != kinds.end();
  }
};

/// Finds the arguments, in the order of the parameters; nullptr for one that is left out. Refuses a call that
/// lacks one, has others, or gives another kind. `function` is its name for the reason.
void match(std::string_view function, const Arguments& arguments, std::span<const Takes> parameters,
           std::span<const Value*> found);

/// The same for a row of a table.
inline std::vector<const Value*> match_row(std::string_view function, const Arguments& arguments,
                                           const std::vector<Takes>& parameters) {
  std::vector<const Value*> found(parameters.size());
  match(function, arguments, parameters, found);
  return found;
}

/// `const auto [input, dim] = match("F.softmax", arguments, {{"input", {Kind::tensor}}, {"dim"}});`
template <std::size_t count>
std::array<const Value*, count> match(std::string_view function, const Arguments& arguments,
                                      const Takes (&parameters)[count]) {
  std::array<const Value*, count> found{};
  match(function, arguments, parameters, found);
  return found;
}

}  // namespace torchbook::translate
