// Defines the main of every notebook executable.
#include <torchbook/cli/options.h>
#include <torchbook/cli/program.h>
#include <torchbook/notebook/ported_notebook.h>

#include <string>

int main(int argc, char** argv) {
  const std::string slug(torchbook::notebook::program_name());
  torchbook::cli::end_program(torchbook::cli::program_main(
      slug, false, [&] { return torchbook::cli::parse_notebook_options(argc, argv, slug); }));
}
