// Defines the main of the program that contains every notebook.
#include <torchbook/cli/options.h>
#include <torchbook/cli/program.h>

int main(int argc, char** argv) {
  return torchbook::cli::program_main("torchbook", true,
                                      [&] { return torchbook::cli::parse_torchbook_options(argc, argv); });
}
