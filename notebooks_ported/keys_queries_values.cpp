// Notebook 001 in C++: keys, queries and values of three words, one vector at a time and then as matrix
// products. Every cell has the original's label. The cells have the document's order, not that of the labels.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>

#include <tuple>

using torch::Tensor;
using torch::TensorList;

void keys_queries_values(torchbook::Notebook& nb) {
  nb.note(
      "This notebook has three examples, which lead from weighted states to keys, queries and values. The "
      "first has three hidden states of an encoder. Their largest number is more than a thousand times the "
      "smallest, so PyTorch prints them in scientific notation.");

  nb.cell("1");
  // C++ includes its headers at the top of the file.

  nb.cell("7");
  // C++ includes its headers at the top of the file.

  nb.cell("3");
  const Tensor encoder_hidden_states =
      torch::tensor({{0.21, 0.51, 1.25}, {4.13, -41.3, 0.31}, {3.2, 0.02, 9.44}});  // (3, 3)

  nb.cell("4");
  nb.display(encoder_hidden_states);

  nb.note(
      "Softmax turns three scores into three weights: 13 against 9 and 9 takes more than nine tenths. Note "
      "the broadcasting in the product: a (3) is aligned with the last dimension of a (3, 3). So the weights "
      "scale the columns, which are the channels, and not the states. `softmax_scores.unsqueeze(1)` would "
      "weight the states.");
  nb.note(
      "In C++, Python's `F.softmax(scores, dim=0)` is `torch::softmax(scores, 0)`. `F::softmax` runs the "
      "same operation, but takes its dim in an options object.");

  nb.cell("9");
  const Tensor scores = torch::tensor({13, 9, 9}, torch::kFloat);  // (3): it would be int64 without kFloat

  nb.cell("11");
  const Tensor softmax_scores = torch::softmax(scores, 0);  // (3)

  nb.cell("14");
  const Tensor output = softmax_scores * encoder_hidden_states;  // (3, 3) = (3) * (3, 3)

  nb.cell("15");
  nb.display(output);

  nb.cell("16");
  nb.display(output.sum(-1));  // (3): the last dimension is summed away

  nb.note(
      "The second example has three words, each embedded in four whole numbers, and three vectors of "
      "weights, one for each number of a key. Integer literals make int64 tensors, which print without a "
      "dot.");
  nb.note("In C++, integer literals make int64 tensors, too.");

  nb.cell("54");
  const Tensor v_1 = torch::tensor({1, 0, 1, 0});  // (4)

  nb.cell("55");
  const Tensor v_2 = torch::tensor({0, 2, 0, 2});  // (4)

  nb.cell("56");
  const Tensor v_3 = torch::tensor({1, 1, 1, 1});  // (4)

  nb.cell("60");
  const Tensor W_k1 = torch::tensor({0, 1, 0, 1});  // (4)

  nb.cell("61");
  const Tensor W_k2 = torch::tensor({0, 1, 1, 1});  // (4)

  nb.cell("62");
  const Tensor W_k3 = torch::tensor({1, 0, 0, 0});  // (4)

  nb.restored(
      "The next cell displays W_k, which the document defines only later, in the cell labelled 110. The "
      "original kernel already held it. The displayed values are those that cell 110 assigns. Their columns "
      "are W_k1, W_k2 and W_k3, so stacking these three restores W_k.");
  Tensor W_k = torch::stack({W_k1, W_k2, W_k3}, /*dim=*/1);  // (4, 3)

  nb.cell("59");
  nb.display(W_k);

  nb.note("The display of a tuple shows each of its tensors, between parentheses.");
  nb.note("In C++, a Python tuple of tensors is a `std::tuple`.");

  nb.cell("95");
  nb.display(std::make_tuple(v_1, v_2, v_3));

  nb.cell("96");
  nb.display(std::make_tuple(W_k1, W_k2, W_k3));

  nb.note(
      "A key is made of dot products: number j of the key of word i is the word's vector times weight vector "
      "j. If words are stacked as rows and weights as columns, one matrix product computes all of them.");
  nb.note(
      "In C++, the parameters are TensorLists. These are views that live only as long as the braces of the "
      "call, so a function may take them but not keep them.");

  nb.cell("97");
  const auto compute_keys = [](TensorList vs, TensorList ws) {
    const Tensor v = torch::stack(vs);             // (words, 4): a word in each row
    const Tensor w = torch::stack(ws, /*dim=*/1);  // (4, 3): a weight vector in each column
    return torch::matmul(v, w);                    // (words, 3)
  };

  nb.cell("98");
  Tensor keys = compute_keys({v_1, v_2, v_3}, {W_k1, W_k2, W_k3});  // (3, 3)
  nb.axis(keys, 0, {"v_1", "v_2", "v_3"});

  nb.cell("99");
  nb.display(keys);

  nb.cell("100");
  nb.display(keys[0]);  // (3): the key of the first word

  nb.note(
      "The third example uses matrices from the start. The query says what a word looks for, the key what it "
      "offers to others, and the value what it gives them. Each is the word's vector times a matrix of its "
      "own.");

  nb.cell("101");
  keys = compute_keys({v_1, v_2, v_3}, {W_k1, W_k2, W_k3});  // (3, 3)

  nb.cell("108");
  Tensor v = torch::stack({v_1, v_2, v_3});  // (3, 4): three words, four channels
  nb.axis(v, 0, {"v_1", "v_2", "v_3"});

  nb.cell("110");
  W_k = torch::tensor({{0, 0, 1}, {1, 1, 0}, {0, 1, 0}, {1, 1, 0}});  // (4, 3)

  nb.cell("111");
  const Tensor W_q = torch::tensor({{1, 0, 1}, {1, 0, 0}, {0, 0, 1}, {0, 1, 1}});  // (4, 3)

  nb.cell("112");
  const Tensor W_v = torch::tensor({{0, 2, 0}, {0, 3, 0}, {1, 0, 3}, {1, 1, 0}});  // (4, 3)

  nb.cell("113");
  keys = torch::matmul(v, W_k);  // (3, 3) = (3, 4) @ (4, 3)

  nb.cell("114");
  nb.display(keys);

  nb.cell("115");
  Tensor queries = torch::matmul(v, W_q);  // (3, 3) = (3, 4) @ (4, 3)

  nb.cell("119");
  nb.display(queries);

  nb.cell("116");
  Tensor values = torch::matmul(v, W_v);  // (3, 3) = (3, 4) @ (4, 3)

  nb.cell("118");
  nb.display(values);

  nb.note(
      "This shows how `*` differs from `@`: it multiplies element by element and adds nothing up. The first "
      "query is aligned with the last dimension of the transposed keys. The products are not yet summed to "
      "scores. `@` computes the three sums: the scores of the first word's query with each word's key.");

  nb.cell("123");
  nb.display(queries[0] * keys.t());  // (3, 3) = (3) * (3, 3)

  nb.cell("158");
  nb.display(queries);

  nb.cell("147");
  nb.display(keys.t());  // (3, 3): a key in each column

  nb.cell("143");
  nb.display(queries[0][1] * keys[0]);  // (3) = () * (3)

  nb.cell("153");
  const Tensor attention_score = torch::matmul(queries[0], keys.t());  // (3) = (3) @ (3, 3)

  nb.cell("154");
  nb.display(attention_score);

  nb.cell("156");
  nb.display(torch::matmul(queries[0], keys.t()));  // (3) = (3) @ (3, 3)

  nb.note("Softmax has no kernel for integers, so the scores become float32 first.");
  nb.note("In C++, Python's `.float()` is `.to(torch::kFloat)`.");

  nb.cell("157");
  nb.display(torch::softmax(attention_score.to(torch::kFloat), 0));  // (3)

  nb.note("The same example follows with floats. In the displayed values, only the dots are new.");
  nb.note("In C++, a Tensor has no element type of its own, so the variable that held int64 takes float32.");

  nb.cell("161");
  v = torch::tensor({{1, 0, 1, 0}, {0, 2, 0, 2}, {1, 1, 1, 1}}, torch::kFloat);  // (3, 4)
  nb.axis(v, 0, {"v_1", "v_2", "v_3"});

  nb.cell("163");
  nb.display(v);

  nb.cell("176");
  nb.display(v[0]);  // (4)

  nb.cell("174");
  const Tensor w_key = torch::tensor({{0, 0, 1}, {1, 1, 0}, {0, 1, 0}, {1, 1, 0}}, torch::kFloat);  // (4, 3)

  nb.cell("175");
  const Tensor w_query =
      torch::tensor({{1, 0, 1}, {1, 0, 0}, {0, 0, 1}, {0, 1, 1}}, torch::kFloat);  // (4, 3)

  nb.cell("170");
  const Tensor w_value =
      torch::tensor({{0, 2, 0}, {0, 3, 0}, {1, 0, 3}, {1, 1, 0}}, torch::kFloat);  // (4, 3)

  nb.cell("178");
  keys = torch::matmul(v, w_key);  // (3, 3) = (3, 4) @ (4, 3)

  nb.cell("179");
  queries = torch::matmul(v, w_query);  // (3, 3) = (3, 4) @ (4, 3)

  nb.cell("180");
  values = torch::matmul(v, w_value);  // (3, 3) = (3, 4) @ (4, 3)

  nb.cell("181");
  nb.display(queries);

  nb.cell("182");
  nb.display(keys);

  nb.note(
      "The last product lacks the transposition. It runs because both matrices are square, but it pairs the "
      "rows of the queries with the columns of the keys. The scores of all words would be `queries @ "
      "keys.t()`.");

  nb.cell("183");
  nb.display(torch::matmul(queries, keys));  // (3, 3) = (3, 3) @ (3, 3)
}
