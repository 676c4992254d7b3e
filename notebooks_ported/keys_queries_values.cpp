// Notebook 001 in C++: keys, queries and values of three words, one vector at a time and then as matrix
// products. Every cell carries the original's label, in the document's order, which is not the order of the
// labels.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>

#include <functional>
#include <tuple>

using torch::Tensor;
using torch::TensorList;
namespace F = torch::nn::functional;

void keys_queries_values(torchbook::Notebook& nb) {
  nb.note(
      "Three examples, from weighting states to keys, queries and values. The first has three hidden states "
      "of an encoder. Their numbers lie so far apart that PyTorch prints them in scientific notation: the "
      "largest is more than a thousand times the smallest.");

  nb.cell("1", [&] {
    // Nothing to do: the header <torch/torch.h> was included above.
  });
  nb.cell("7", [&] {
    // The alias F of torch::nn::functional stands at the top of this file.
  });

  Tensor encoder_hidden_states;
  nb.cell("3", [&] {
    encoder_hidden_states =
        torch::tensor({{0.21, 0.51, 1.25}, {4.13, -41.3, 0.31}, {3.2, 0.02, 9.44}});  // (3, 3)
  });
  nb.cell("4", [&] { return encoder_hidden_states; });

  nb.note(
      "Softmax turns three scores into three weights: 13 against 9 and 9 takes more than nine tenths. "
      "Python's `F.softmax(scores, dim=0)` is `F::softmax` with its dim in an options object. Mind the "
      "broadcasting in the product: a (3) lies along the last dimension of a (3, 3), so the weights scale "
      "the columns, that is the channels, and not the states. `softmax_scores.unsqueeze(1)` would weight the "
      "states.");

  Tensor scores;
  nb.cell("9", [&] {
    scores = torch::tensor({13, 9, 9}, torch::kFloat);  // (3): of integers alone, PyTorch would make int64
  });

  Tensor softmax_scores;
  nb.cell("11", [&] {
    softmax_scores = F::softmax(scores, F::SoftmaxFuncOptions(0));  // (3)
  });

  Tensor output;
  nb.cell("14", [&] {
    output = softmax_scores * encoder_hidden_states;  // (3, 3) = (3) * (3, 3)
  });
  nb.cell("15", [&] { return output; });
  nb.cell("16", [&] {
    return output.sum(-1);  // (3): the last dimension is summed away
  });

  nb.note(
      "The second example: three words, embedded in four whole numbers each, and three vectors of weights, "
      "one for each number of a key. Integer literals make int64 tensors in both languages, and they print "
      "without a dot.");

  Tensor v_1, v_2, v_3;
  nb.cell("54", [&] {
    v_1 = torch::tensor({1, 0, 1, 0});  // (4)
  });
  nb.cell("55", [&] {
    v_2 = torch::tensor({0, 2, 0, 2});  // (4)
  });
  nb.cell("56", [&] {
    v_3 = torch::tensor({1, 1, 1, 1});  // (4)
  });

  Tensor W_k1, W_k2, W_k3;
  nb.cell("60", [&] {
    W_k1 = torch::tensor({0, 1, 0, 1});  // (4)
  });
  nb.cell("61", [&] {
    W_k2 = torch::tensor({0, 1, 1, 1});  // (4)
  });
  nb.cell("62", [&] {
    W_k3 = torch::tensor({1, 0, 0, 0});  // (4)
  });

  Tensor W_k;
  nb.restored(
      "The next cell displays W_k, which the document defines only further down, in the cell labelled 110: "
      "the original kernel already held it. The values displayed are those that cell 110 assigns, and their "
      "columns are W_k1, W_k2 and W_k3, so stacking these three restores it.",
      [&] {
        W_k = torch::stack({W_k1, W_k2, W_k3}, /*dim=*/1);  // (4, 3)
      });
  nb.cell("59", [&] { return W_k; });

  nb.note(
      "A Python tuple of tensors is a `std::tuple`. Displayed, it shows each of its tensors between "
      "parentheses.");

  nb.cell("95", [&] { return std::make_tuple(v_1, v_2, v_3); });
  nb.cell("96", [&] { return std::make_tuple(W_k1, W_k2, W_k3); });

  nb.note(
      "A key is made of dot products: number j of the key of word i is the word's vector times weight vector "
      "j. Words stacked as rows and weights stacked as columns turn all of them into one matrix product. The "
      "parameters are TensorLists, views that live as long as the braces at the call: good for a parameter, "
      "not to be kept.");

  std::function<Tensor(TensorList, TensorList)> compute_keys;
  nb.cell("97", [&] {
    compute_keys = [](TensorList vs, TensorList ws) {
      const Tensor v = torch::stack(vs);             // (words, 4): a word in each row
      const Tensor w = torch::stack(ws, /*dim=*/1);  // (4, 3): a weight vector in each column
      return torch::matmul(v, w);                    // (words, 3)
    };
  });

  Tensor keys;
  nb.cell("98", [&] {
    keys = compute_keys({v_1, v_2, v_3}, {W_k1, W_k2, W_k3});  // (3, 3)
  });
  nb.cell("99", [&] { return keys; });
  nb.cell("100", [&] {
    return keys[0];  // (3): the key of the first word
  });

  nb.note(
      "The third example writes the same as matrices from the start. The query says what a word looks for, "
      "the key what it offers to others, the value what it hands on; each is the word's vector times a "
      "matrix of its own.");

  nb.cell("101", [&] {
    keys = compute_keys({v_1, v_2, v_3}, {W_k1, W_k2, W_k3});  // (3, 3)
  });

  Tensor v;
  nb.cell("108", [&] {
    v = torch::stack({v_1, v_2, v_3});  // (3, 4): three words, four channels
  });
  nb.cell("110", [&] {
    W_k = torch::tensor({{0, 0, 1}, {1, 1, 0}, {0, 1, 0}, {1, 1, 0}});  // (4, 3)
  });

  Tensor W_q, W_v;
  nb.cell("111", [&] {
    W_q = torch::tensor({{1, 0, 1}, {1, 0, 0}, {0, 0, 1}, {0, 1, 1}});  // (4, 3)
  });
  nb.cell("112", [&] {
    W_v = torch::tensor({{0, 2, 0}, {0, 3, 0}, {1, 0, 3}, {1, 1, 0}});  // (4, 3)
  });
  nb.cell("113", [&] {
    keys = torch::matmul(v, W_k);  // (3, 3) = (3, 4) @ (4, 3)
  });
  nb.cell("114", [&] { return keys; });

  Tensor queries, values;
  nb.cell("115", [&] {
    queries = torch::matmul(v, W_q);  // (3, 3) = (3, 4) @ (4, 3)
  });
  nb.cell("119", [&] { return queries; });
  nb.cell("116", [&] {
    values = torch::matmul(v, W_v);  // (3, 3) = (3, 4) @ (4, 3)
  });
  nb.cell("118", [&] { return values; });

  nb.note(
      "What `*` does beside `@`: it multiplies element by element and adds nothing up. The first query, laid "
      "along the last dimension of the transposed keys, gives products out of which no score has been "
      "summed. With `@` the three sums appear: the scores of the first word's query with each word's key.");

  nb.cell("123", [&] {
    return queries[0] * keys.t();  // (3, 3) = (3) * (3, 3)
  });
  nb.cell("158", [&] { return queries; });
  nb.cell("147", [&] {
    return keys.t();  // (3, 3): a key in each column
  });
  nb.cell("143", [&] {
    return queries[0][1] * keys[0];  // (3) = () * (3)
  });

  Tensor attention_score;
  nb.cell("153", [&] {
    attention_score = torch::matmul(queries[0], keys.t());  // (3) = (3) @ (3, 3)
  });
  nb.cell("154", [&] { return attention_score; });
  nb.cell("156", [&] {
    return torch::matmul(queries[0], keys.t());  // (3) = (3) @ (3, 3)
  });

  nb.note(
      "Softmax has no kernel for integers, so the scores become float32 first; Python's `.float()` is "
      "`.to(torch::kFloat)` in C++.");

  nb.cell("157", [&] {
    return F::softmax(attention_score.to(torch::kFloat), F::SoftmaxFuncOptions(0));  // (3)
  });

  nb.note(
      "Once more with floats throughout. A C++ Tensor has no element type of its own, so the variable that "
      "held int64 takes float32, as Python's does. In what is displayed, only the dots are new.");

  nb.cell("161", [&] {
    v = torch::tensor({{1, 0, 1, 0}, {0, 2, 0, 2}, {1, 1, 1, 1}}, torch::kFloat);  // (3, 4)
  });
  nb.cell("163", [&] { return v; });
  nb.cell("176", [&] {
    return v[0];  // (4)
  });

  Tensor w_key, w_query, w_value;
  nb.cell("174", [&] {
    w_key = torch::tensor({{0, 0, 1}, {1, 1, 0}, {0, 1, 0}, {1, 1, 0}}, torch::kFloat);  // (4, 3)
  });
  nb.cell("175", [&] {
    w_query = torch::tensor({{1, 0, 1}, {1, 0, 0}, {0, 0, 1}, {0, 1, 1}}, torch::kFloat);  // (4, 3)
  });
  nb.cell("170", [&] {
    w_value = torch::tensor({{0, 2, 0}, {0, 3, 0}, {1, 0, 3}, {1, 1, 0}}, torch::kFloat);  // (4, 3)
  });
  nb.cell("178", [&] {
    keys = torch::matmul(v, w_key);  // (3, 3) = (3, 4) @ (4, 3)
  });
  nb.cell("179", [&] {
    queries = torch::matmul(v, w_query);  // (3, 3) = (3, 4) @ (4, 3)
  });
  nb.cell("180", [&] {
    values = torch::matmul(v, w_value);  // (3, 3) = (3, 4) @ (4, 3)
  });
  nb.cell("181", [&] { return queries; });
  nb.cell("182", [&] { return keys; });

  nb.note(
      "The last product leaves the transposition out. It runs, because both matrices are square, but it "
      "pairs the rows of the queries with the columns of the keys; the scores of all words would be `queries "
      "@ keys.t()`. The port keeps what the original computed.");

  nb.cell("183", [&] {
    return torch::matmul(queries, keys);  // (3, 3) = (3, 3) @ (3, 3)
  });
}
