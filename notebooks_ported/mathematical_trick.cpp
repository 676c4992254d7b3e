// Notebook 004 in C++: each token averages itself and its past, by loops, by a matrix product and by softmax.
// Every cell has the original's label, and its operations in the same order.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>

#include <limits>

using torch::Tensor;
using torch::indexing::None;
using torch::indexing::Slice;
using torchbook::f;

void mathematical_trick(torchbook::Notebook& nb) {
  nb.note(
      "A token that predicts the next one may look at the past but not at the future. The simplest way to "
      "look at the past is to average it. This notebook computes that running average three times: in loops, "
      "as one product with a triangular matrix, and with a masked softmax, which is the form that attention "
      "uses.");

  nb.cell("62");
  // C++ includes its headers at the top of the file.

  nb.restored(
      "The next cell draws x without setting a seed, in a kernel that had already run other cells. The CPU "
      "generator keeps only 32 bits of its seed, so every seed could be compared with the printed values. "
      "With this seed and one earlier draw of the same size, the document's x[0] and xbow[0] come out digit "
      "for digit.");
  torch::manual_seed(1431708788);
  torch::randn({4, 8, 2});  // (4, 8, 2): drawn and dropped

  nb.cell("3");
  const int64_t B = 4, T = 8, C = 2;         // batch, time, channels
  const Tensor x = torch::randn({B, T, C});  // (B, T, C)
  const auto times = {"t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"};
  nb.axis(x, 1, times);
  nb.display(torchbook::shape(x));

  nb.cell("13");
  nb.display(x[0]);  // (T, C): the first sequence of the batch

  nb.note(
      "The first way uses loops. For each sequence and each time t, they compute the mean over the times 0 "
      "to t.");
  nb.note(
      "In C++, Python's `x[b, :t+1]` is `x.index` with an integer and a `Slice`, whose end is exclusive, "
      "too.");

  nb.cell("22");
  // x as a bag of words, because an average has no order
  Tensor xbow = torch::zeros({B, T, C});  // (B, T, C): filled by the loops
  for (int64_t b = 0; b < B; ++b) {
    for (int64_t t = 0; t < T; ++t) {
      const Tensor xprev = x.index({b, Slice(None, t + 1)});  // (t + 1, C)
      xbow[b][t] = torch::mean(xprev, /*dim=*/0);             // (C), copied into xbow
    }
  }
  nb.axis(xbow, 1, times);

  nb.cell("23");
  nb.display(x[0]);  // (T, C)

  nb.cell("25");
  nb.display(xbow[0]);  // (T, C): row t is the mean of rows 0 to t above

  nb.note(
      "The second way is the trick. `tril` keeps the lower triangle of a matrix of ones, so row t has ones "
      "up to column t. Times x, it adds up the past. If each row is divided by its own sum, it averages "
      "instead. The sums keep their dimension, as a (3, 1), so that broadcasting repeats them along the "
      "columns and divides rows. As a (3) they would divide columns.");

  nb.cell("26");
  nb.display(torch::tril(torch::ones({3, 3})));  // (3, 3)

  nb.cell("35");
  Tensor a = torch::tril(torch::ones({3, 3}));                      // (3, 3)
  const Tensor a_sum = torch::sum(a, /*dim=*/1, /*keepdim=*/true);  // (3, 1)
  nb.print(torchbook::shape(a));
  nb.print(torchbook::shape(a_sum));

  nb.cell("40");
  nb.print(f("a = {}", a));                // (3, 3)
  nb.print(f("a_sum = {}", a_sum));        // (3, 1)
  nb.print(f("a/a_sum = {}", a / a_sum));  // (3, 3) / (3, 1)

  nb.note(
      "Here is the same with an example that is small enough for mental arithmetic. Row 0 of c is row 0 of "
      "b, row 1 is the mean of two rows, and row 2 is the mean of all three. `randint` returns int64. A "
      "product needs one type on both sides, so b becomes float32.");

  nb.cell("45");
  torch::manual_seed(42);
  a = torch::tril(torch::ones({3, 3}));                              // (3, 3)
  a = a / torch::sum(a, /*dim=*/1, /*keepdim=*/true);                // (3, 3) / (3, 1)
  const Tensor b = torch::randint(0, 10, {3, 2}).to(torch::kFloat);  // (3, 2)
  const Tensor c = torch::matmul(a, b);                              // (3, 2) = (3, 3) @ (3, 2)
  nb.print(f("b = {}", b));                                          // (3, 2)
  nb.print("below c metrix is a cumulative avg of all the rows above of mat b");
  nb.print(f("c = {}", c));  // (3, 2)

  nb.note(
      "On the whole batch, `matmul` repeats the (T, T) weights for each of the B sequences. The product "
      "multiplies each row before it adds, while the mean divides afterwards, so some last bits differ. "
      "`allclose` allows for that.");
  nb.note("In C++, `allclose` is a plain bool, which is displayed as Python's True.");

  nb.cell("49");
  Tensor wei = torch::tril(torch::ones({T, T}));             // (T, T): the weights
  wei = wei / torch::sum(wei, /*dim=*/1, /*keepdim=*/true);  // (T, T) / (T, 1)
  nb.axis(wei, 0, times);
  nb.axis(wei, 1, times);
  const Tensor xbow2 = torch::matmul(wei, x);  // (B, T, C) = (T, T) @ (B, T, C)
  nb.display(torch::allclose(xbow, xbow2));

  nb.cell("54");
  nb.print(f("x's first input : \n {}", x[0]));  // (T, C)
  nb.print("xbow is essentially a cumulative avg of x for each row");
  nb.print(f("xbow's first input : \n {}", xbow[0]));  // (T, C)

  nb.note(
      "The third way is the form that attention uses. All scores start at 0, so they are equal. Those of the "
      "future become minus infinity, whose exponential is exactly 0, and softmax spreads the weight evenly "
      "over the others. That is the same average. The gain is that scores which depend on the tokens can "
      "replace the zeros, while the mask stays.");

  nb.cell("78");
  constexpr float inf = std::numeric_limits<float>::infinity();
  const Tensor tril = torch::tril(torch::ones({T, T}));  // (T, T)
  wei = torch::zeros({T, T});                            // (T, T)
  wei = wei.masked_fill(tril == 0, -inf);                // (T, T): row t sees columns 0 to t
  nb.axis(wei, 0, times);
  nb.axis(wei, 1, times);
  wei = torch::softmax(wei, 1);                // (T, T): each row sums to 1
  const Tensor xbow3 = torch::matmul(wei, x);  // (B, T, C) = (T, T) @ (B, T, C)
  nb.display(torch::allclose(xbow, xbow3));

  nb.note(
      "The original ends with a remark that is a string, not a comment. Jupyter displays a string that ends "
      "a cell as Python's repr: quoted, with its line ends and its apostrophe escaped.");

  nb.cell("76");
  nb.display(
      " \n"
      "- dim 0 means across the rows, and 1 means across the columns \n"
      "- so here, we think we want the softmax \"across the rows\", meaning take the first row, "
      "and then perform softmax on each of it's element\n"
      "- now, that is actually across the columns in pytorch language \n"
      "- what is happening is that you want a softmax for the element of each of the columns "
      "in the first row\n"
      "- hence, this is actually a operation column wise / across the columns, "
      "and so the dim would be 1 not 0 \n");
}
