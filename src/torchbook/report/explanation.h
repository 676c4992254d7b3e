// Why bits differ, as far as it is known, and whether settings that would make them the same do.
#pragma once

#include <torchbook/golden/causes.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::report {

/// What another run gave, in which the settings of all causes were set.
struct Trial {
  std::size_t outputs = 0;  ///< how many it compared
  std::size_t equal = 0;    ///< how many of them were equal
  std::string failure{};    ///< why it gave nothing; empty if it did
};

/// Why bits differ.
struct Explanation {
  std::vector<golden::Cause> causes;  ///< empty if nothing that is known explains it
  std::optional<Trial> trial{};       ///< nullopt if there was none
};

/// Returns the settings of all causes, each `VARIABLE=value`.
std::vector<std::string> settings(const std::vector<golden::Cause>& causes);

/// Returns a line for each cause, and one for the trial. Each ends with a newline.
std::string explanation_text(const Explanation& explanation);

}  // namespace torchbook::report
