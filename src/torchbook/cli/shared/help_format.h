// Formats the help of a program for a screen of 80 columns.
#pragma once

namespace CLI {
class App;
}

namespace torchbook::cli {

/// Makes the help of `app`, and of the commands that are added to it afterwards, at most 80 columns wide.
void format_help(CLI::App& app);

}  // namespace torchbook::cli
