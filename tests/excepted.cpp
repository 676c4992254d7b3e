// A notebook with exceptions of every kind, for the tests of the command line. Those of the first five cells
// are true, the others are not.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>

void excepted(torchbook::Notebook& nb) {
  nb.cell("1");
  nb.print("one");

  nb.cell("2");
  nb.print("printed by C++");

  nb.cell("3");
  nb.display(torch::tensor(0.5));

  nb.cell("4");

  nb.cell("5");
  nb.not_ported("needs a tokenizer");

  nb.cell("6");
  nb.print("six");

  nb.cell("7");
  nb.print("seven");

  nb.cell("8");
  nb.print("eight");

  nb.cell("9");
  nb.print("so far");
  nb.not_ported("nobody has written it");

  nb.cell("10");
  nb.not_ported("draws");
}
