// Quotes words for a shell.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::cli {

/// Returns the word so that a POSIX shell reads it back: unchanged if that is safe, otherwise in single
/// quotes.
std::string shell_quoted(std::string_view word);

}  // namespace torchbook::cli
