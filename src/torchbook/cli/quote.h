// Words for a shell.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::cli {

/// The word as a POSIX shell reads it back: as it is where that is safe, else in single quotes.
std::string shell_quoted(std::string_view word);

}  // namespace torchbook::cli
