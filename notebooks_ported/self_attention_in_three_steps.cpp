// Notebook 002 in C++: scores, weights and context, for one token in loops and then for all tokens in
// matrices. Every cell has the original's label. Three cells show none, so only their position identifies
// them.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>

#include <tuple>

using torch::Tensor;

void self_attention_in_three_steps(torchbook::Notebook& nb) {
  nb.note(
      "Self-attention has three steps: scores, weights, context. Six words, each embedded in three made-up "
      "numbers, take the steps one token at a time and then all together.");

  nb.cell("1");
  // Double literals make a float32 tensor, the default type, as floats do in Python.
  const Tensor inputs =
      torch::tensor({{0.21, 0.47, 0.91},
                     {0.52, 0.11, 0.65},
                     {0.03, 0.85, 0.19},
                     {0.73, 0.64, 0.39},
                     {0.13, 0.55, 0.68},
                     {0.22, 0.77, 0.08}});  // (6, 3): a token in each row, 'light' in the fifth
  nb.axis(inputs, 0, {"I", "can't", "find", "the", "light", "switch"});

  nb.cell("27");
  nb.display(torchbook::shape(inputs));

  nb.note(
      "Step one is shown for the word 'light'. Its vector is the query, and the dot product with each token "
      "is that token's score. Two vectors that point the same way have a high score.");

  nb.cell("None");
  const Tensor query = inputs[4];                                    // (3)
  Tensor attention_scores_for_light = torch::empty(inputs.size(0));  // (6): filled by the loop
  for (int64_t i = 0; const Tensor& token_embedding : inputs.unbind()) {
    attention_scores_for_light[i] = torch::dot(query, token_embedding);  // () from (3) and (3)
    ++i;
  }

  nb.cell("3");
  nb.display(attention_scores_for_light);

  nb.note(
      "In step two, softmax makes the scores positive and makes them sum to 1. The check uses Python's own "
      "`sum`, which starts from 0 and adds one weight after the other. The total is one last bit above 1, so "
      "it prints as `tensor(1.0000)` and not as `tensor(1.)`.");
  nb.note(
      "In C++, a loop keeps Python's order. `torch::sum` may add in another order and so produce another "
      "last bit.");

  nb.cell("5");
  const Tensor attention_weights_for_light = torch::softmax(attention_scores_for_light, 0);  // (6)
  Tensor total = torch::zeros({});                                                           // ()
  for (const Tensor& weight : attention_weights_for_light.unbind()) {
    total = total + weight;  // ()
  }
  nb.display(total);

  nb.note(
      "In step three, the context vector of 'light' is the sum of all tokens, each times its weight. `+=` "
      "works in place.");

  nb.cell("15");
  Tensor context_vector_for_light = torch::zeros_like(query);  // (3)
  for (int64_t i = 0; const Tensor& token_embedding : inputs.unbind()) {
    context_vector_for_light += attention_weights_for_light[i] * token_embedding;  // (3) += () * (3)
    ++i;
  }
  nb.display(context_vector_for_light);

  nb.note(
      "Now all tokens take the steps at once. Every token is a query, so the scores are the product of the "
      "inputs with their own transpose. The transpose costs nothing: it is the same memory, read with the "
      "two strides exchanged.");
  nb.note(
      "In C++, a shape is returned as `torchbook::shape(t)`, which owns its numbers; `sizes()` of a "
      "temporary such as `inputs.t()` would dangle.");

  nb.cell("31");
  nb.display(torchbook::shape(inputs));

  nb.cell("32");
  nb.display(torchbook::shape(inputs.t()));

  nb.cell("None");
  const Tensor attention_scores = torch::matmul(inputs, inputs.t());  // (6, 6) = (6, 3) @ (3, 6)
  nb.display(attention_scores);

  nb.note(
      "Row i belongs to token i as the query, so softmax runs along the last dimension and each row sums to "
      "1. One more product computes all context vectors. The fifth row of each matrix is what the loops "
      "computed for 'light'.");

  nb.cell("None");
  const Tensor attention_weights = torch::softmax(attention_scores, -1);  // (6, 6)
  nb.display(attention_weights);

  nb.cell("35");
  const Tensor context_vectors = torch::matmul(attention_weights, inputs);  // (6, 3) = (6, 6) @ (6, 3)
  nb.display(context_vectors);

  nb.cell("36");
  nb.display(std::make_tuple(torchbook::shape(attention_weights), torchbook::shape(inputs),
                             torchbook::shape(context_vectors)));
}
