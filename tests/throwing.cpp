// A notebook whose second cell throws, for the tests of the command line.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>

void throwing(torchbook::Notebook& nb) {
  const torch::Tensor rows = torch::ones({2, 3});  // (2, 3)
  nb.cell("1", [&] { return torchbook::shape(rows); });
  nb.cell("5", [&] {
    nb.print("two rows of three");
    return torch::matmul(rows, rows);
  });
  nb.cell("6", [&] { return rows.sum(); });
}
