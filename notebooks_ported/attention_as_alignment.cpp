// Notebook 003 in C++: attention scores as the alignment of two vectors, then weights and context vectors.
// Every cell has the original's label, and its operations in the same order.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>

using torch::Tensor;

void attention_as_alignment(torchbook::Notebook& nb) {
  nb.note(
      "A sentence has six words, and each word is a point in three dimensions. The dot product of two words "
      "is large if they are long and point the same way. So it measures their alignment, and alignment is "
      "what attention calls a score.");

  nb.cell("17");
  // A nested initializer list is C++'s list of lists; torch::tensor makes float32 of its doubles.
  const Tensor inputs = torch::tensor({{0.43, 0.15, 0.89},
                                       {0.55, 0.87, 0.66},
                                       {0.57, 0.85, 0.64},
                                       {0.22, 0.58, 0.33},
                                       {0.77, 0.25, 0.10},
                                       {0.05, 0.80, 0.55}});  // (6, 3): a token in each row
  nb.axis(inputs, 0, {"Your", "journey", "starts", "with", "one", "step"});
  nb.display(inputs);

  nb.cell("5");
  const Tensor attn_score = torch::dot(inputs[0], inputs[1]);  // () from (3) and (3)
  nb.display(attn_score);

  nb.note(
      "The next loop sets up a query but never uses it. It scores each token with itself, so the scores are "
      "the squared lengths. These six numbers occur again on the diagonal of the matrix of all scores. The "
      "score above is the matrix's entry in row 0 and column 1.");

  nb.cell("12");
  const Tensor query = inputs[1];                     // (3): unused, as in the original
  Tensor attn_scores = torch::empty(inputs.size(0));  // (6): filled by the loop
  for (int64_t i = 0; const Tensor& x_i : inputs.unbind()) {
    attn_scores[i] = torch::dot(x_i, inputs[i]);  // () from (3) and (3)
    ++i;
  }
  nb.display(attn_scores);

  nb.cell("13");
  attn_scores = torch::matmul(inputs, inputs.t());  // (6, 6) = (6, 3) @ (3, 6)
  nb.display(attn_scores);

  nb.note(
      "Softmax along the last dimension turns each row of scores into a row of weights: they are all "
      "positive and sum to 1. So a row of weights times the inputs is an average of the six tokens, in which "
      "the well aligned ones count for more. These averages are the context vectors.");

  nb.cell("14");
  const Tensor attn_weights = torch::softmax(attn_scores, -1);  // (6, 6)
  nb.display(attn_weights);

  nb.cell("15");
  const Tensor context_vectors = torch::matmul(attn_weights, inputs);  // (6, 3) = (6, 6) @ (6, 3)
  nb.display(context_vectors);
}
