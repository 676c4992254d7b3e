// Defines the main of a notebook's executable, or of a program that contains several notebooks.
#include <torchbook/cli/main/notebooks_main.h>
#include <torchbook/cli/shared/main.h>
#include <torchbook/notebook/ported_notebook.h>

#include <string>

int main(int argc, char** argv) {
  const std::string name(torchbook::notebook::program_name());
  const auto notebooks = torchbook::notebook::linked_notebooks();
  const bool several = notebooks.size() != 1 || notebooks.front().slug != name;
  torchbook::cli::end_program(torchbook::cli::notebooks_main(
      {.name = name, .path = argv[0], .several = several}, torchbook::cli::commands(), argc, argv));
}
