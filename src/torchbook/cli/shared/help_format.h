// Formats the help of a program for a screen of 80 columns.
#pragma once

namespace CLI {
class App;
}

namespace torchbook::cli {

/// Limits the help of `app`, and of commands added to it later, to 80 columns.
void format_help(CLI::App& app);

}  // namespace torchbook::cli
