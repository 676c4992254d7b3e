// Returns the message of what a call throws.
#pragma once

#include <string>

namespace torchbook::test {

/// Returns the message of the `Error` that `act` throws, with the line before it if it has one: "3: it has no
/// name". Returns "nothing" if it throws none.
template <class Error, class Act>
std::string message_of(const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    if constexpr (requires { error.line; }) {
      if (error.line != 0) return std::to_string(error.line) + ": " + error.what();
    }
    return error.what();
  }
  return "nothing";
}

}  // namespace torchbook::test
