// Names the values of options as the command line does.
#pragma once

#include <torchbook/cli/options.h>

#include <string>
#include <string_view>

namespace torchbook::cli {

/// Returns the word for a value of `--format`.
std::string_view option_word(Format format);

/// Returns the word for a value of `--source`.
std::string_view option_word(report::Sources sources);

/// Returns the word for a value of `--color`.
std::string_view option_word(Colour colour);

/// Returns the word for a value of `--accept`.
std::string_view option_word(golden::Accept accept);

/// Stores the value of `--reference`: a folder, or `built-in`.
void set_reference(CompareOptions& options, const std::string& word);

/// Returns the value of `--reference`, or an empty text if it was not given.
std::string reference_word(const CompareOptions& options);

}  // namespace torchbook::cli
