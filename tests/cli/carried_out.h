// Does in this process what a command line asks `torchbook` for, and writes nothing.
#pragma once

#include <torchbook/cli/options.h>
#include <torchbook/cli/reports.h>

#include <string>
#include <variant>
#include <vector>

namespace torchbook::test {

/// Returns the options of a command line. `arguments` lacks the name of the program.
inline cli::Options parsed(const std::vector<std::string>& arguments) {
  std::vector<const char*> words = {"torchbook"};
  for (const auto& argument : arguments) words.push_back(argument.c_str());
  return std::get<cli::Options>(cli::parse_torchbook_options(static_cast<int>(words.size()), words.data()));
}

/// Returns what `torchbook` would write and its exit code.
inline cli::Outcome carried_out(const std::vector<std::string>& arguments) {
  return cli::carry_out(parsed(arguments), true);
}

/// Returns why `torchbook` refuses a command line, or an empty text if it does not.
inline std::string refusal(const std::vector<std::string>& arguments) {
  try {
    static_cast<void>(carried_out(arguments));
    return "";
  } catch (const cli::UsageError& error) {
    return error.what();
  }
}

}  // namespace torchbook::test
