// Writes the program of each notebook into a folder, as its page has it: FOLDER LIBRARY, which records
// operations. The tests of the engine run them.
#include <tools/site/computing/page_program.h>
#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/notebook/transcript.h>

#include <fstream>
#include <string>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  for (const auto& notebook : torchbook::notebook::linked_notebooks()) {
    const auto transcript = torchbook::notebook::run_traced(notebook, argv[2]);
    const auto program = torchbook::site::program_of(transcript, {});
    std::ofstream out(std::string(argv[1]) + "/" + transcript.slug + ".json", std::ios::binary);
    if (!(out << program.json)) return 2;
  }
  return 0;
}
