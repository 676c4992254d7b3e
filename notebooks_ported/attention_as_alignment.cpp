// Notebook 003 in C++: attention scores as the alignment of two vectors, then weights and context vectors.
// Every cell carries the original's label and keeps its operations, in their order.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>

using torch::Tensor;

void attention_as_alignment(torchbook::Notebook& nb) {
  nb.note(
      "A sentence of six words, each a point in three dimensions. The dot product of two of them is large "
      "when they are long and point the same way: it measures their alignment, and alignment is what "
      "attention calls a score.");

  nb.cell("17");
  // A nested initializer list is C++'s list of lists; torch::tensor makes float32 of its doubles.
  const Tensor inputs = torch::tensor({{0.43, 0.15, 0.89},
                                       {0.55, 0.87, 0.66},
                                       {0.57, 0.85, 0.64},
                                       {0.22, 0.58, 0.33},
                                       {0.77, 0.25, 0.10},
                                       {0.05, 0.80, 0.55}});  // (6, 3): a token in each row
  nb.display(inputs);

  nb.cell("5");
  const Tensor attn_score = torch::dot(inputs[0], inputs[1]);  // () from (3) and (3)
  nb.display(attn_score);

  nb.note(
      "The next loop sets up a query and never uses it: it scores each token with itself, which gives the "
      "squared lengths. The port does the same, because it has to print the same. In the matrix of all "
      "scores these six numbers stand again, on the diagonal, and the score just above is the entry of row 0 "
      "and column 1.");

  nb.cell("12");
  const Tensor query = inputs[1];                     // (3): unused, as in the original
  Tensor attn_scores = torch::empty(inputs.size(0));  // (6)
  for (int64_t i = 0; i < inputs.size(0); ++i) {
    attn_scores[i] = torch::dot(inputs[i], inputs[i]);  // () from (3) and (3)
  }
  nb.display(attn_scores);

  nb.cell("13");
  attn_scores = torch::matmul(inputs, inputs.t());  // (6, 6) = (6, 3) @ (3, 6)
  nb.display(attn_scores);

  nb.note(
      "Softmax along the last dimension makes each row of scores a row of weights: all positive, summing to "
      "1. A row of weights times the inputs is then an average of the six tokens, in which the well aligned "
      "ones count for more. These averages are the context vectors.");

  nb.cell("14");
  const Tensor attn_weights = torch::softmax(attn_scores, -1);  // (6, 6)
  nb.display(attn_weights);

  nb.cell("15");
  const Tensor context_vectors = torch::matmul(attn_weights, inputs);  // (6, 3) = (6, 6) @ (6, 3)
  nb.display(context_vectors);
}
