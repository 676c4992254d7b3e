// A notebook whose second cell throws, for the tests of the command line.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>

void throwing(torchbook::Notebook& nb) {
  nb.cell("1");
  const torch::Tensor rows = torch::ones({2, 3});  // (2, 3)
  nb.display(torchbook::shape(rows));

  nb.cell("5");
  nb.print("two rows of three");
  nb.display(torch::matmul(rows, rows));

  nb.cell("6");
  nb.display(rows.sum());
}
