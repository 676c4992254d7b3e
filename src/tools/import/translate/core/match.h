// Reads the arguments of a call by the parameters of a function.
#pragma once

#include <tools/import/translate/core/definitions.h>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace torchbook::translate {

/// A parameter of a function of Python.
struct Takes {
  std::string_view name;      ///< after a `*`, only a name gives it
  std::vector<Kind> kinds{};  ///< those of its argument; none if any will do
  bool optional = false;      ///< a call may leave it out
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
