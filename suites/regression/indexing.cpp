// Reading and writing parts of tensors: embeddings, gather and scatter, masks, advanced indices, views and
// copies. Whole numbers show each element that moved; gradients show where each of them came from.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>

using torch::Tensor;
using torch::indexing::Ellipsis;
using torch::indexing::None;
using torch::indexing::Slice;
namespace F = torch::nn::functional;

void indexing(torchbook::Notebook& nb) {
  nb.cell("1");
  // The headers at the top of this file stand for both imports.

  nb.note(
      "An embedding is a table of vectors that is read by row numbers. The row of padding is zero, and "
      "gets no gradient, however often it is read.");

  nb.cell("2");
  torch::manual_seed(1);
  torch::nn::Embedding embedding(torch::nn::EmbeddingOptions(6, 4).padding_idx(0));
  const Tensor words = torch::tensor({{1, 3, 0}, {3, 5, 0}});  // (2, 3)
  const Tensor embedded = embedding(words);                    // (2, 3, 4)
  nb.print(torchbook::shape(embedded));
  nb.display(embedded[0]);

  nb.cell("3");
  (embedded * torch::arange(1.0, 5.0)).sum().backward();
  nb.display(embedding->weight.grad());

  nb.cell("4");
  const Tensor table = torch::arange(12.0).view({4, 3}).requires_grad_();  // (4, 3)
  const Tensor rows =
      F::embedding(torch::tensor({2, 2, 0}), table, F::EmbeddingFuncOptions().padding_idx(0));  // (3, 3)
  rows.pow(2).sum().backward();
  nb.print(rows);
  nb.print(table.grad());

  nb.note(
      "Whole rows and columns are selected by index_select. gather takes one element for each element "
      "of its index, along a dimension, and take_along_dim does the same with broadcasting.");

  nb.cell("5");
  const Tensor x = torch::arange(20).view({4, 5});  // (4, 5)
  nb.print(torch::index_select(x, 0, torch::tensor({3, 1, 1})));
  nb.print(x.index_select(1, torch::tensor({4, 0})));

  nb.cell("6");
  const Tensor order = torch::tensor({{4, 3, 2}, {0, 0, 1}, {2, 2, 2}, {1, 4, 0}});  // (4, 3)
  nb.print(torch::gather(x, 1, order));
  nb.print(x.gather(0, torch::tensor({{0, 1, 2, 3, 0}})));

  nb.cell("7");
  // (2, 3)
  const Tensor scores = torch::tensor({{0.5, -1.0, 2.0}, {3.0, 0.25, -0.75}}, torch::requires_grad());
  const Tensor target = torch::tensor({2, 0});                             // (2)
  const Tensor picked = scores.gather(1, target.unsqueeze(1)).squeeze(1);  // (2)
  nb.print(picked.detach());
  (picked * torch::tensor({1.0, 10.0})).sum().backward();
  nb.print(scores.grad());

  nb.cell("8");
  const Tensor by_column = torch::argsort(torch::remainder(x, 7), /*dim=*/int64_t{1});  // (4, 5)
  nb.print(by_column);
  nb.print(torch::take_along_dim(x, by_column, 1));
  nb.print(torch::take_along_dim(x, torch::tensor({{2}, {0}, {1}, {3}}), 1));
  nb.print(torch::take(x, torch::tensor({0, 19, 7})));

  nb.note(
      "Several writes to the same place either replace each other or add up. Here, scatter writes to "
      "each place once. scatter_add, index_add and index_put with accumulate add up values with the "
      "same place.");

  nb.cell("9");
  const Tensor placed = torch::zeros({3, 5}, torch::kInt64);  // (3, 5)
  placed.scatter_(1, torch::tensor({{0, 2}, {4, 1}, {3, 0}}), torch::tensor({{1, 2}, {3, 4}, {5, 6}}));
  nb.print(placed);
  nb.print(placed.scatter(0, torch::tensor({{2, 2, 0, 1, 1}}), -1));

  nb.cell("10");
  const Tensor positions_added = torch::tensor({{0, 0, 3}, {1, 2, 1}});                         // (2, 3)
  const Tensor counted = torch::tensor({{1.0, 2.0, 4.0}, {8.0, 16.0, 32.0}});                   // (2, 3)
  const Tensor counts = torch::zeros({2, 4}).scatter_add(/*dim=*/1, positions_added, counted);  // (2, 4)
  nb.display(counts);

  nb.cell("11");
  const Tensor addends = torch::tensor({{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}});  // (3, 2)
  const Tensor added =
      torch::ones({4, 2}).index_add(/*dim=*/0, torch::tensor({0, 3, 0}), addends, /*alpha=*/0.5);  // (4, 2)
  nb.print(added);
  nb.print(added.index_copy(0, torch::tensor({2}), torch::zeros({1, 2})));
  nb.print(added.index_fill(1, torch::tensor({1}), 7.0));

  nb.cell("12");
  Tensor grid = torch::zeros({3, 3});  // (3, 3)
  grid.index_put_({torch::tensor({0, 1, 0, 2}), torch::tensor({1, 1, 1, 0})},
                  torch::tensor({1.0, 2.0, 3.0, 4.0}), /*accumulate=*/true);
  nb.print(grid);
  grid.index_put_({torch::tensor({2, 2})}, torch::ones(3), /*accumulate=*/true);
  nb.print(grid);

  nb.note(
      "Masks select, replace and choose. masked_select copies into a vector. The gradient of where "
      "flows only into the operand that was chosen.");

  nb.cell("13");
  torch::manual_seed(7);
  const Tensor noise = torch::randint(-5, 6, {3, 4});  // (3, 4)
  nb.print(noise);
  nb.print(torch::masked_select(noise, noise > 1));
  nb.print(noise.masked_fill(noise < 0, 0));
  nb.print(noise.masked_scatter(noise < 0, torch::arange(100, 112)));

  nb.cell("14");
  const Tensor left = torch::tensor({1.0, -2.0, 3.0}, torch::requires_grad());     // (3)
  const Tensor right = torch::tensor({10.0, 20.0, 30.0}, torch::requires_grad());  // (3)
  const Tensor chosen = torch::where(left > 0, left * 2, right * 3);               // (3)
  chosen.sum().backward();
  nb.print(chosen.detach(), left.grad(), right.grad());

  nb.cell("15");
  const Tensor positions = torch::nonzero(noise > 1);  // (4, 2)
  nb.print(positions);
  const auto low = torch::where(noise < -3);
  const Tensor row = low[0];     // (2)
  const Tensor column = low[1];  // (2)
  nb.print(row, column);
  nb.print(torch::count_nonzero(noise, torch::IntArrayRef{0}));

  nb.note(
      "Advanced indices broadcast against each other, and mix with slices, masks and None. If a slice "
      "is between two of them, their dimensions come first in the result.");

  nb.cell("16");
  const Tensor y = torch::arange(24).view({2, 3, 4});  // (2, 3, 4)
  nb.print(torchbook::shape(y.index({Slice(), torch::tensor({0, 2})})),
           torchbook::shape(y.index({torch::tensor({1, 0}), Slice(), torch::tensor({3, 2})})));
  nb.print(y.index({torch::tensor({1, 0}), Slice(), torch::tensor({3, 2})}));
  nb.print(y.index({torch::tensor({{0}, {1}}), torch::tensor({2, 0}), 1}));
  nb.print(torchbook::shape(y.index({Ellipsis, None, -1})), y.index({1, Slice(None, None, 2), Slice(1, 3)}));

  nb.cell("17");
  Tensor z = y.clone();  // (2, 3, 4)
  z.index_put_({Slice(), 1}, 0);
  z.index_put_({1, Slice(), torch::tensor({0, 3})}, torch::tensor({-1, -2}));
  z.index_put_({z > 20}, 99);
  z.index_put_({0, 0, Slice(None, None, 2)}, z.index({0, 0, Slice(None, None, 2)}) + 50);
  nb.display(z);

  nb.cell("18");
  const Tensor weight = torch::tensor({0.5, 1.5, 2.5}, torch::requires_grad());  // (3)
  const Tensor used = weight.index({torch::tensor({2, 0, 2, 2})});               // (4)
  (used * torch::tensor({1.0, 2.0, 3.0, 4.0})).sum().backward();
  nb.display(weight.grad());

  nb.note(
      "Views of parts: narrow, unbind, chunk and split take a tensor apart without copies, so what is "
      "written to a part shows in the whole.");

  nb.cell("19");
  const Tensor whole = torch::arange(14).view({2, 7});  // (2, 7)
  nb.print(whole.narrow(1, 2, 3));
  for (const Tensor& part : torch::chunk(whole, 3, 1)) {
    nb.print(torchbook::shape(part), part.sum());
  }
  for (const Tensor& part : whole.split({1, 4, 2}, 1)) {
    nb.print(part);
  }

  nb.cell("20");
  const auto parts = whole.unbind(0);
  const Tensor first = parts[0];  // (7)
  Tensor second = parts[1];       // (7)
  second[0] = 100;
  whole.select(1, 6).fill_(-6);
  nb.print(first, second);
  nb.display(whole);

  nb.note("The last group rearranges and repeats.");

  nb.cell("21");
  const Tensor small = torch::arange(6).view({2, 3});  // (2, 3)
  nb.print(small.flip(1), small.flip({0, 1}));
  nb.print(torch::roll(small, 1), torch::roll(small, {1, -1}, {0, 1}));
  nb.print(torch::rot90(small, 1, {0, 1}));

  nb.cell("22");
  nb.print(small.repeat_interleave(2, 1));
  nb.print(torch::repeat_interleave(small, torch::tensor({1, 3}), 0));
  nb.print(small.repeat({2, 2}), torchbook::shape(small.tile({1, 2})));
  nb.print(small.index({Slice(), Slice(None, 1)}).expand({2, 4}));

  nb.cell("23");
  nb.print(torch::one_hot(torch::tensor({{0, 2}, {1, 0}})));
  nb.print(torch::matmul(torch::one_hot(torch::tensor({3, 1}), 5).to(torch::kFloat), torch::arange(5.0)));

  nb.cell("24");
  nb.print(torch::diagonal(x, 1), torch::diag(torch::tensor({1, 2, 3})));
  nb.print(torch::tril_indices(3, 3));
  nb.print(x.unfold(1, 3, 2));
  nb.print(x.movedim(0, 1)[1], x.t().swapaxes(0, 1).equal(x));
}
