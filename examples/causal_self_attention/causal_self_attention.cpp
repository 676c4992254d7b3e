// The notebook causal_self_attention.ipynb in C++: attention with trained weights predicts the next word.
#include <fmt/ranges.h>
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/training/nn.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

using torch::Tensor;
using torch::indexing::None;
using torch::indexing::Slice;
using torchbook::f;
using torchbook::shape;
using torchbook::nn::Linear;
namespace F = torch::nn::functional;

constexpr float inf = std::numeric_limits<float>::infinity();

void causal_self_attention(torchbook::Notebook& nb) {
  nb.note(
      "# Causal self-attention\n"
      "\n"
      "Self-attention without weights can only compare words. Here it gets weights that can be "
      "trained, and a task: it reads \"to be or not to be\" and predicts each next word. It must not "
      "look ahead, because the next word is the answer.");

  nb.cell("1");
  const std::vector<std::string> words = {"to", "be", "or", "not", "to", "be"};
  const std::set<std::string> sorted(words.begin(), words.end());
  const std::vector<std::string> vocabulary(sorted.begin(), sorted.end());
  nb.display(vocabulary);

  nb.note("A model computes with numbers, so each word becomes its number in the vocabulary.");

  nb.cell("2");
  std::vector<int64_t> numbers;
  for (const std::string& word : words) {
    numbers.push_back(std::ranges::find(vocabulary, word) - vocabulary.begin());
  }
  const Tensor ids = torch::tensor(numbers);           // (6)
  const Tensor inputs = ids.index({Slice(None, -1)});  // (5)
  const Tensor targets = ids.index({Slice(1, None)});  // (5)
  nb.display(std::make_tuple(inputs, targets));
  nb.words(ids, {"be", "not", "or", "to"});

  nb.note("Six words make five tasks. Each predicts the word on the right from those on the left.");

  nb.cell("3");
  for (auto next = words.begin() + 1; next != words.end(); ++next) {
    nb.print(fmt::format("{}", fmt::join(words.begin(), next, " ")), "->", *next);
  }

  nb.note(
      "## Words and places\n"
      "\n"
      "Each word gets a vector of four numbers, and so does each place in the sentence. Their sum "
      "tells the first \"to\" from the second. The seed makes the draws the same in every run.");

  nb.cell("4");
  torch::manual_seed(7);
  torch::nn::Embedding tokens(vocabulary.size(), 4);
  torch::nn::Embedding places(inputs.size(0), 4);
  const Tensor x = tokens(inputs) + places(torch::arange(5));  // (5, 4)
  nb.display(x);

  nb.note(
      "The last line says `grad_fn`: PyTorch keeps how `x` was computed, so a loss can send gradients "
      "back to both tables. The cells below show values only, with `detach`.\n"
      "\n"
      "## Queries, keys and values\n"
      "\n"
      "A query says what a word looks for, a key what it offers, and a value what it gives. Each comes "
      "from a linear layer, and its weights can be trained.");

  nb.cell("5");
  const auto square = torch::nn::LinearOptions(4, 4).bias(false);
  Linear query(square), key(square), value(square);
  nb.display(query->weight.detach());

  nb.cell("6");
  const Tensor q = query(x), k = key(x), v = value(x);  // (5, 4) each
  const Tensor scores = torch::matmul(q, k.t());  // (5, 5): row i has the scores of word i with each word
  nb.display(scores.detach());

  nb.note(
      "## Scaling\n"
      "\n"
      "Dot products of random vectors spread like the root of the number of channels.");

  nb.cell("7");
  for (const int64_t channels : {4, 64, 1024}) {
    const Tensor a = torch::randn({500, channels});
    const Tensor b = torch::randn({500, channels});
    nb.print(
        f("{:4} channels: spread {:.1f}, root {:.1f}", channels, (a * b).sum(-1).std(), std::sqrt(channels)));
  }

  nb.note(
      "With large scores, softmax chooses one word, and hardly any gradient flows. So that root "
      "divides them.");

  nb.cell("8");
  const Tensor scaled = scores / std::sqrt(k.size(-1));  // (5, 5)
  nb.display(scaled.detach());

  nb.note(
      "## The mask\n"
      "\n"
      "Above the diagonal is the future. A score of minus infinity becomes a weight of zero.");

  nb.cell("9");
  const Tensor future = torch::ones({5, 5}, torch::kBool).triu(1);  // (5, 5)
  nb.display(future);

  nb.cell("10");
  const Tensor masked = scaled.masked_fill(future, -inf);                // (5, 5)
  const Tensor weights = F::softmax(masked, F::SoftmaxFuncOptions(-1));  // (5, 5)
  nb.display(weights.detach());

  nb.note("The first word can only look at itself. Each row of the context mixes values up to its own.");

  nb.cell("11");
  const Tensor context = torch::matmul(weights, v);  // (5, 4)
  nb.display(context.detach());

  nb.note(
      "## Dropout\n"
      "\n"
      "In training, dropout sets some weights to zero, so no word relies on one other word only. If a "
      "quarter is dropped, the others grow by 4/3. Outside of training, dropout does nothing.");

  nb.cell("12");
  torch::manual_seed(6);
  torch::nn::Dropout dropout(0.25);
  nb.display(dropout(weights).detach());

  nb.note(
      "## Several heads\n"
      "\n"
      "One softmax gives one mix. With several heads, each has some of the channels and its own mix.");

  nb.cell("13");
  struct CausalSelfAttentionImpl : torch::nn::Module {
    CausalSelfAttentionImpl(int64_t channels, int64_t heads, int64_t length, double p = 0.0)
        : heads(heads),
          query(register_module("query", Linear(square(channels)))),
          key(register_module("key", Linear(square(channels)))),
          value(register_module("value", Linear(square(channels)))),
          dropout(register_module("dropout", torch::nn::Dropout(p))),
          output(register_module("output", Linear(square(channels)))),
          future(register_buffer("future", torch::ones({length, length}, torch::kBool).triu(1))) {}

    static torch::nn::LinearOptions square(int64_t n) { return torch::nn::LinearOptions(n, n).bias(false); }

    // (T, C) to (heads, T, C / heads)
    Tensor split(const Tensor& x) const { return x.view({x.size(0), heads, -1}).transpose(0, 1); }

    Tensor forward(const Tensor& x) {
      const int64_t T = x.size(0), C = x.size(1);
      const Tensor q = split(query(x)), k = split(key(x)), v = split(value(x));
      Tensor scores = torch::matmul(q, k.transpose(1, 2)) / std::sqrt(k.size(-1));  // (heads, T, T)
      scores = scores.masked_fill(future.index({Slice(None, T), Slice(None, T)}), -inf);
      const Tensor weights = dropout(F::softmax(scores, F::SoftmaxFuncOptions(-1)));
      const Tensor context = torch::matmul(weights, v).transpose(0, 1).reshape({T, C});
      return output(context);
    }

    int64_t heads;
    Linear query, key, value;
    torch::nn::Dropout dropout;
    Linear output;
    Tensor future;  // (length, length)
  };
  TORCH_MODULE(CausalSelfAttention);

  nb.note("With one head, the same weights and an identity at its end, the module gives the same context.");

  nb.cell("14");
  CausalSelfAttention single(/*channels=*/4, /*heads=*/1, /*length=*/5);
  {
    torch::NoGradGuard no_grad;
    single->query->weight.copy_(query->weight);
    single->key->weight.copy_(key->weight);
    single->value->weight.copy_(value->weight);
    single->output->weight.copy_(torch::eye(4));
  }
  nb.display(torch::allclose(single(x), context));

  nb.cell("15");
  torch::manual_seed(11);
  CausalSelfAttention attention(/*channels=*/4, /*heads=*/2, /*length=*/5);
  nb.display(attention(x).detach());  // (5, 4)

  nb.note("Does it really not look ahead? If the last word changes, only the last row may change.");

  nb.cell("16");
  const Tensor changed = x.detach().clone();
  changed[-1] = 0;
  const Tensor same = torch::isclose(attention(changed), attention(x)).all(-1);  // (5)
  nb.display(same);

  nb.note(
      "## PyTorch's own attention\n"
      "\n"
      "`nn.MultiheadAttention` keeps the three weights in one matrix, and takes a batch as its second "
      "dimension. Its mask is added to the scores. With the same weights it gives the same.");

  nb.cell("17");
  torch::nn::MultiheadAttention theirs(torch::nn::MultiheadAttentionOptions(4, 2).bias(false));
  {
    torch::NoGradGuard no_grad;
    theirs->in_proj_weight.copy_(
        torch::cat({attention->query->weight, attention->key->weight, attention->value->weight}));
    theirs->out_proj->weight.copy_(attention->output->weight);
  }
  const Tensor batch = x.unsqueeze(1);  // (5, 1, 4)
  // LibTorch adds a mask of bools as zeros and ones, so the mask is one of floats.
  const Tensor mask = torch::zeros({5, 5}).masked_fill(future, -inf);  // (5, 5)
  const auto [output, average] =
      theirs->forward(batch, batch, batch, {}, /*need_weights=*/true, mask);  // (5, 1, 4), (1, 5, 5)
  nb.print(shape(output), shape(average));
  nb.display(torch::allclose(output.squeeze(1), attention(x), /*rtol=*/1e-5, /*atol=*/1e-6));

  nb.note(
      "## One step of training\n"
      "\n"
      "The whole model has two tables, attention with dropout, and a layer that scores each word.");

  nb.cell("18");
  struct NextWordImpl : torch::nn::Module {
    NextWordImpl(int64_t size, int64_t channels, int64_t heads, int64_t length, double dropout)
        : tokens(register_module("tokens", torch::nn::Embedding(size, channels))),
          places(register_module("places", torch::nn::Embedding(length, channels))),
          attention(register_module("attention", CausalSelfAttention(channels, heads, length, dropout))),
          scores(register_module("scores", Linear(channels, size))) {}

    Tensor forward(const Tensor& ids) {
      const Tensor x = tokens(ids) + places(torch::arange(ids.size(0)));  // (T, C)
      return scores(x + attention(x));                                    // (T, size)
    }

    torch::nn::Embedding tokens, places;
    CausalSelfAttention attention;
    Linear scores;
  };
  TORCH_MODULE(NextWord);

  torch::manual_seed(1);
  NextWord model(vocabulary.size(), /*channels=*/4, /*heads=*/2, /*length=*/5, /*dropout=*/0.1);
  int64_t count = 0;
  for (const Tensor& parameter : model->parameters()) count += parameter.numel();
  nb.display(count);

  nb.note("A model that guesses one of four words has a loss of 1.3863, the logarithm of four.");

  nb.cell("19");
  const Tensor logits = model(inputs);  // (5, 4)
  Tensor loss = F::cross_entropy(logits, targets);
  nb.display(loss);

  nb.cell("20");
  loss.backward();
  nb.display(model->attention->query->weight.grad());  // (4, 4)

  nb.note("A step moves each weight against its gradient. Dropout is off while the loss is measured.");

  nb.cell("21");
  torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(0.2));
  model->eval();
  nb.print(f("before: {:.4f}", F::cross_entropy(model(inputs), targets)));
  optimizer.step();
  nb.print(f("after:  {:.4f}", F::cross_entropy(model(inputs), targets)));

  nb.note("More steps teach it all five answers.");

  nb.cell("22");
  model->train();
  for (int64_t step = 1; step <= 60; ++step) {
    optimizer.zero_grad();
    loss = F::cross_entropy(model(inputs), targets);
    loss.backward();
    optimizer.step();
    if (step % 15 == 0) nb.print(f("step {:2}: {:.2f}", step, loss));
  }

  nb.note("Now the model starts with \"to\", and each word that it predicts becomes its next input.");

  nb.cell("23");
  model->eval();
  Tensor said = ids.index({Slice(None, 1)});
  for (int i = 0; i < 5; ++i) {
    said = torch::cat({said, model(said).index({Slice(-1, None)}).argmax(-1)});
  }
  std::vector<std::string> spoken;
  for (const Tensor& id : said.unbind()) spoken.push_back(vocabulary[id.item<int64_t>()]);
  nb.display(fmt::format("{}", fmt::join(spoken, " ")));
}
