// Notebook 000 in C++: attention scores, weights and context vectors, each computed by hand and then by the
// library. Every cell has the original's label, and its operations in the same order.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>

using torch::Tensor;
using torch::indexing::Slice;
using torchbook::f;

void attention_by_hand(torchbook::Notebook& nb) {
  nb.note(
      "This notebook computes attention step by step. Six tokens of three random numbers each go from scores "
      "to weights to context vectors. Each step is first written out, then done by the library.");
  nb.note(
      "In C++, the same seed draws exactly the numbers that Python drew: both languages call the same "
      "generator.");

  nb.cell("1");
  // C++ includes its headers at the top of the file.

  nb.cell("2");
  torch::manual_seed(123);
  const Tensor inputs = torch::rand({6, 3});  // (6, 3): six tokens, three channels each
  nb.axis(inputs, 0, {"your", "journey", "starts", "with", "one", "step"});

  nb.note(
      "How much does one token matter to another? It matters as much as their vectors point the same way, "
      "and a dot product measures that. The second token is the query. Its six scores are computed three "
      "times: vector by vector with `@`, with `dot`, and as one product of a matrix and a vector.");
  nb.note("In C++, Python's `@` is `torch::matmul`.");

  nb.cell("3");
  Tensor x_2 = inputs[1];  // (3): the query
  nb.print(f("shape of x_2: {}", torchbook::shape(x_2)));
  Tensor attention_scores1 = torch::empty(inputs.size(0));  // (6): filled by the loop
  for (int64_t i = 0; const Tensor& inp : inputs.unbind()) {
    // An assignment to the temporary attention_scores1[i] writes into the memory that it views.
    attention_scores1[i] = torch::matmul(x_2, inp);  // () = (3) @ (3)
    ++i;
  }

  nb.cell("4");
  nb.display(attention_scores1);

  nb.cell("5");
  x_2 = inputs[1];                                          // (3)
  Tensor attention_scores2 = torch::empty(inputs.size(0));  // (6): filled by the loop
  for (int64_t i = 0; const Tensor& inp : inputs.unbind()) {
    attention_scores2[i] = torch::dot(x_2, inp);  // () from (3) and (3)
    ++i;
  }

  nb.cell("6");
  nb.display(attention_scores2);

  nb.cell("7");
  const Tensor attention_scores3 = torch::matmul(inputs, x_2);  // (6) = (6, 3) @ (3)
  nb.print(attention_scores3);

  nb.note(
      "Here one score is computed again, channel by channel: multiply, then add up. An f-string formats a "
      "tensor without dimensions as its number, while Python's print of it says `tensor(...)`.");
  nb.note(
      "In C++, these are `nb.print(f(\"{}\", t))` and `nb.print(t)`. And `sizes()` is only a view, which "
      "dangles without its tensor; `torchbook::shape` is a copy that can be kept.");

  nb.cell("8");
  nb.display(inputs[0]);  // (3)

  nb.cell("9");
  nb.print(f("inputs[0]: {}", inputs[0]));  // (3)
  nb.print(f("x_2: {}", x_2));              // (3)
  Tensor res = torch::zeros({});            // (): Python starts from the int 0
  for (int64_t idx = 0; [[maybe_unused]] const Tensor& val : inputs[0].unbind()) {
    res += inputs[0][idx] * x_2[idx];  // ()
    ++idx;
  }
  nb.print(res);

  nb.cell("10");
  nb.display(torchbook::shape(inputs[0]));

  nb.cell("11");
  nb.display(torchbook::shape(x_2));

  nb.cell("12");
  nb.display(torch::matmul(inputs, x_2));  // (6) = (6, 3) @ (3)

  nb.cell("13");
  nb.display(torchbook::shape(inputs));

  nb.note(
      "Scores become weights if they sum to 1. The simplest way is to divide them by their sum. It works "
      "while every score is positive. Then the scores of all six tokens are computed at once: row i of the "
      "product holds the scores of token i as the query. Token i scores j as j scores i, so the matrix is "
      "symmetric.");

  nb.cell("14");
  const Tensor attention_weights = attention_scores3 / attention_scores3.sum();  // (6) / ()
  nb.print(f("attention scores: {}", attention_weights));
  nb.print(f("attention scores sum to one: {}", attention_weights.sum()));  // ()

  nb.cell("15");
  const Tensor attn_scores = torch::matmul(inputs, inputs.t());  // (6, 6) = (6, 3) @ (3, 6)
  nb.display(attn_scores);

  nb.note(
      "Softmax takes the exponential first, which makes any score positive, and then divides by the sum. "
      "Here it is written out as a function of the tensor and of the dimension to sum over.");

  nb.cell("16");
  nb.print(inputs[0]);                                             // (3)
  nb.print(torch::exp(inputs[0]) / torch::exp(inputs[0]).sum(0));  // (3) / ()

  nb.cell("17");
  const auto softmax_naive = [](const Tensor& x, int64_t dim = 0) {
    return torch::exp(x) / torch::exp(x).sum(dim);
  };

  nb.cell("18");
  const Tensor attention_weights_naive_soft = softmax_naive(attention_scores3);  // (6)

  nb.cell("19");
  nb.print(attention_weights_naive_soft);

  nb.note(
      "This is a trap. `sum(dim)` drops the dimension that it sums over, and broadcasting aligns the six "
      "sums with the last dimension. So column j is divided by sum j, whichever dim was given, and the "
      "columns sum to 1, not the rows. Both calls print the same only because the scores are symmetric: row "
      "j and column j have the same sum, except for a last bit. To normalise rows, keep the dimension with "
      "`keepdim`. The sum of a column prints as `tensor(1.0000)`, not as `tensor(1.)`, because its last bit "
      "differs from 1.");
  nb.note("In C++, the sum that keeps its dimension is `sum(1, /*keepdim=*/true)`.");

  nb.cell("20");
  const Tensor attention_weights_naive_soft_inputs1 = softmax_naive(attn_scores, 1);  // (6, 6) / (6)
  nb.print(attention_weights_naive_soft_inputs1);

  nb.cell("21");
  nb.display(torchbook::shape(attention_weights_naive_soft_inputs1));

  nb.cell("22");
  nb.print(attention_weights_naive_soft_inputs1.index({Slice(), 0}));        // (6): the first column
  nb.print(attention_weights_naive_soft_inputs1.index({Slice(), 0}).sum());  // ()

  nb.cell("23");
  const Tensor attention_weights_naive_soft_inputs2 = softmax_naive(attn_scores, 0);  // (6, 6) / (6)

  nb.cell("24");
  nb.print(attention_weights_naive_soft_inputs2.index({Slice(), 0}));        // (6)
  nb.print(attention_weights_naive_soft_inputs2.index({Slice(), 0}).sum());  // ()

  nb.cell("25");
  nb.display(torch::exp(attn_scores) / torch::exp(attn_scores).sum(1));  // (6, 6) / (6)

  nb.cell("26");
  nb.display(torch::exp(attn_scores) / torch::exp(attn_scores).sum(0));  // (6, 6) / (6)

  nb.note(
      "Here the parts are shown: the scores, the sums of their exponentials over each dimension, and the "
      "exponentials. The three quotients after them use rounded numbers. They are entries of the weights.");
  nb.note(
      "In C++, `std::round` rounds only to whole numbers, while Python's `round(x, 4)` rounds to four "
      "decimals. So the port uses `torchbook::round`.");

  nb.cell("27");
  nb.print(attn_scores);

  nb.cell("28");
  nb.display(torch::exp(attn_scores).sum(1));  // (6): one sum for each row

  nb.cell("29");
  nb.display(torch::exp(attn_scores).sum(0));  // (6): one sum for each column

  nb.cell("30");
  nb.display(torch::exp(attn_scores));  // (6, 6)

  nb.cell("31");
  nb.display(torchbook::round(1.5187 / 8.688, 4));

  nb.cell("32");
  nb.display(torchbook::round(1.5844 / 8.6883, 4));

  nb.cell("33");
  nb.display(torchbook::round(1.5844 / 13.4997, 4));

  nb.note(
      "The library's softmax subtracts the largest score before it takes exponentials, so that none can "
      "overflow. The quotient stays the same. It also aligns its sums with the dimension that was given, so "
      "with dim 0 each column is normalised.");

  nb.cell("34");
  const Tensor attention_weights1 = torch::softmax(attention_scores3, 0);  // (6)
  nb.print(attention_weights1);

  nb.cell("35");
  const Tensor attention_weights2 = torch::softmax(attn_scores, 0);  // (6, 6)
  nb.print(attention_weights2);

  nb.note(
      "A context vector is the sum of all tokens, each times its weight. The product with the matrix takes "
      "the weights of a row, but the columns were normalised. The second row of weights sums to 1.27. So its "
      "context vector is larger than the one in the next cell, which uses the second token's own weights. "
      "With dim 1 they would agree. The loop adds the tokens one by one, in place.");

  nb.cell("36");
  nb.print(torchbook::shape(attention_weights2));
  nb.print(torchbook::shape(inputs));
  nb.display(torch::matmul(attention_weights2, inputs));  // (6, 3) = (6, 6) @ (6, 3)

  nb.cell("37");
  nb.display(torch::matmul(attention_weights1, inputs));  // (3) = (6) @ (6, 3)

  nb.cell("38");
  // The view of the temporary's sizes lives to the end of this statement; stored, it would dangle.
  Tensor context_vec = torch::zeros(inputs[0].sizes());  // (3)
  for (int64_t idx = 0; const Tensor& x_i : inputs.unbind()) {
    context_vec += attention_weights1[idx] * x_i;  // (3) += () * (3)
    ++idx;
  }

  nb.cell("39");
  nb.display(context_vec);
}
