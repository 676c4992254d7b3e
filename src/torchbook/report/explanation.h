// Explains in words why bits differ, and whether settings would make them the same.
#pragma once

#include <torchbook/golden/causes.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::report {

/// The result of another run with the settings of all causes.
struct Trial {
  std::size_t outputs = 0;  ///< how many outputs it compared
  std::size_t equal = 0;    ///< how many of them were equal
  std::string failure{};    ///< why the run failed; empty if it did not
};

/// The known reasons why bits differ.
struct Explanation {
  std::vector<golden::Cause> causes;  ///< empty if no known cause explains it
  std::optional<Trial> trial{};       ///< nullopt if there was no such run
};

/// Returns the settings of all causes, each `VARIABLE=value`.
std::vector<std::string> settings(const std::vector<golden::Cause>& causes);

/// Returns a line for each cause, and one for the trial. Each ends with a newline.
std::string explanation_text(const Explanation& explanation);

}  // namespace torchbook::report
