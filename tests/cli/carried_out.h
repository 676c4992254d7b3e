// Does in this process what a command line asks `torchbook` for, and writes nothing.
#pragma once

#include <torchbook/cli/options.h>
#include <torchbook/cli/reports.h>

#include <string>
#include <variant>
#include <vector>

namespace torchbook::test {

/// Returns what a command line asks for. `arguments` lacks the name of the program.
inline cli::Request requested(const std::vector<std::string>& arguments) {
  std::vector<const char*> words = {"torchbook"};
  for (const auto& argument : arguments) words.push_back(argument.c_str());
  return cli::parse_torchbook_options(static_cast<int>(words.size()), words.data());
}

/// Returns the options of a command line.
inline cli::Options parsed(const std::vector<std::string>& arguments) {
  return std::get<cli::Options>(requested(arguments));
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
