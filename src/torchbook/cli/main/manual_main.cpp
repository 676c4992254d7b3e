// Writes torchbook's manual page and shell completions, from the tables of its options. Runs during
// the build.
//
// torchbook-manual FOLDER
#include <torchbook/cli/main/manual/command_table.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>

#include <exception>
#include <iostream>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: torchbook-manual FOLDER\n";
    return torchbook::cli::exit_usage;
  }
  try {
    const std::string folder = argv[1];
    const auto table = torchbook::cli::command_table();
    torchbook::cli::write_file(folder + "/torchbook.1", torchbook::cli::man_page(table));
    torchbook::cli::write_file(folder + "/torchbook.bash", torchbook::cli::bash_completion(table));
    torchbook::cli::write_file(folder + "/_torchbook", torchbook::cli::zsh_completion(table));
    torchbook::cli::write_file(folder + "/torchbook.fish", torchbook::cli::fish_completion(table));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "torchbook-manual: " << error.what() << '\n';
    return 1;
  }
}
