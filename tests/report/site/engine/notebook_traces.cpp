// Writes the trace of each notebook into the named folder, as the pages get it. The tests of the engine read
// them.
#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/notebook/transcript.h>

#include <fstream>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (const auto& notebook : torchbook::notebook::linked_notebooks()) {
    const auto transcript = torchbook::notebook::run_traced(notebook);
    std::ofstream out(std::string(argv[1]) + "/" + transcript.slug + ".trace", std::ios::binary);
    if (!(out << transcript.trace)) return 2;
  }
  return 0;
}
