// Quotes words for a shell.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::cli {

/// Quotes a word for a POSIX shell. Returns it unchanged if it needs no quotes, otherwise in single
/// quotes.
std::string shell_quoted(std::string_view word);

}  // namespace torchbook::cli
