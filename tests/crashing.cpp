// A notebook whose second cell ends its process, for the tests of the command line.
#include <torchbook/notebook/notebook.h>

#include <csignal>

void crashing(torchbook::Notebook& nb) {
  nb.cell("1");
  nb.print("one");

  nb.cell("5");
  nb.print("two");
  std::raise(SIGSEGV);

  nb.cell("6");
  nb.print("three");
}
