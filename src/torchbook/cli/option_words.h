// The words by which the command line names the values of options.
#pragma once

#include <torchbook/cli/options.h>

#include <string>
#include <string_view>

namespace torchbook::cli {

/// The word for a value of `--format`.
std::string_view option_word(Format format);

/// The word for a value of `--source`.
std::string_view option_word(report::Sources sources);

/// The word for a value of `--accept`.
std::string_view option_word(golden::Accept accept);

/// Stores what `--reference` was given: a folder, or `built-in`.
void set_reference(CompareOptions& options, const std::string& word);

/// Returns what `--reference` was given; empty if it was not.
std::string reference_word(const CompareOptions& options);

}  // namespace torchbook::cli
