// Layers of attention in C++: scaled dot products with masks, by hand and fused, several heads, positions,
// and an encoder layer that is trained. Tensors have the sizes B (batch), H (heads), T (tokens), C and D
// (channels).
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/training/attention.h>
#include <torchbook/training/nn.h>

#include <cmath>
#include <limits>
#include <tuple>

using torch::Tensor;
using torch::indexing::None;
using torch::indexing::Slice;
using torchbook::f;
namespace F = torch::nn::functional;

// Only PyTorch 1.13 scales the queries in another place than LibTorch.
#if TORCH_VERSION_MAJOR >= 2
using torch::nn::MultiheadAttention;
#else
using torchbook::nn::MultiheadAttention;
#endif

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

}  // namespace

void attention_layers(torchbook::Notebook& nb) {
  nb.cell("1");
  // Nothing to do: the headers were included above.

  nb.note(
      "A query is compared with all keys. The product of the two grows with the number of channels, so it is "
      "divided by the root of that number before softmax makes weights of it.");

  nb.cell("2");
  torch::manual_seed(1);
  const int64_t B = 2, H = 4, T = 5, D = 8;
  const Tensor q = torch::randn({B, H, T, D});  // (B, H, T, D)
  const Tensor k = torch::randn({B, H, T, D});  // (B, H, T, D)
  const Tensor v = torch::randn({B, H, T, D});  // (B, H, T, D)
  nb.display(std::make_tuple(torchbook::shape(q), q.index({0, 0, 0, Slice(None, 4)})));

  nb.cell("3");
  // (B, H, T, T)
  const Tensor scores = torch::matmul(q, k.transpose(-2, -1)) / std::sqrt(static_cast<double>(D));
  nb.display(scores.index({0, 0}));

  nb.cell("4");
  const Tensor weights = torch::softmax(scores, -1);  // (B, H, T, T)
  nb.print(torch::allclose(weights.sum(-1), torch::ones({B, H, T})));
  nb.display(weights.index({0, 0}));

  nb.cell("5");
  const Tensor output = torch::matmul(weights, v);  // (B, H, T, D)
  nb.print(torchbook::shape(output), output.to(torch::kDouble).sum());
  nb.display(output.index({1, 3, Slice(None, 2)}));

  nb.note(
      "LibTorch 2.0 and later have one function for all of this. The port calls it if the release has it, as "
      "the twin does. Its last bits are not those of the three operations, but four decimals are the same.");

  nb.cell("6");
  static const auto by_hand = [](const Tensor& query, const Tensor& key, const Tensor& value,
                                 const Tensor& mask) {
    const Tensor products = torch::matmul(query, key.transpose(-2, -1));               // (B, H, T, T)
    const Tensor scaled = products / std::sqrt(static_cast<double>(query.size(-1)));   // (B, H, T, T)
    return torch::matmul(torch::softmax(scaled.masked_fill(~mask, -inf), -1), value);  // (B, H, T, D)
  };

  nb.cell("7");
  const auto fused = [](const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& mask) {
#if TORCH_VERSION_MAJOR >= 2
    return torch::scaled_dot_product_attention(query, key, value, mask);
#else
    return by_hand(query, key, value, mask);
#endif
  };

  nb.cell("8");
  const Tensor everything = torch::ones({T, T}, torch::kBool);  // (T, T)
  const Tensor result = fused(q, k, v, everything);             // (B, H, T, D)
  nb.print(torch::allclose(result, output, /*rtol=*/1e-5, 1e-6));
  nb.display(result.index({0, 2, Slice(None, 2)}));

  nb.note(
      "A causal mask hides the tokens that follow. So the first token sees only itself, and its output is "
      "its own value. A padding mask hides what fills up the shorter sequences of a batch.");

  nb.cell("9");
  const Tensor causal = torch::tril(torch::ones({T, T}, torch::kBool));  // (T, T)
  nb.display(causal);

  nb.cell("10");
  // (B, H, T, T)
  const Tensor causal_weights = torch::softmax(scores.masked_fill(~causal, -inf), -1);
  nb.display(causal_weights.index({0, 0, Slice(2, None)}));

  nb.cell("11");
  const Tensor causal_output = by_hand(q, k, v, causal);  // (B, H, T, D)
  nb.print(torch::equal(causal_output.index({Slice(), Slice(), 0}), v.index({Slice(), Slice(), 0})));
  nb.display(causal_output.index({0, 0, Slice(3, None)}));

  nb.cell("12");
  nb.print(torch::allclose(fused(q, k, v, causal), causal_output, /*rtol=*/1e-5, 1e-6));
  nb.display(fused(q, k, v, causal).to(torch::kDouble).sum());

  nb.cell("13");
  const Tensor lengths = torch::tensor({5, 3});                           // (B)
  const Tensor real = torch::arange(T) < lengths.index({Slice(), None});  // (B, T)
  nb.display(real);

  nb.cell("14");
  const Tensor padded_output = by_hand(q, k, v, real.index({Slice(), None, None, Slice()}));  // (B, H, T, D)
  nb.print(padded_output.to(torch::kDouble).sum());
  nb.print(torch::allclose(padded_output[0], output[0], /*rtol=*/1e-5, 1e-6));
  nb.display(padded_output.index({1, 0, Slice(3, None)}));

  nb.cell("15");
  const Tensor both = torch::bitwise_and(real.index({Slice(), None, None, Slice()}), causal);  // (B, 1, T, T)
  nb.print(torchbook::shape(both), both.sum());
  nb.display(fused(q, k, v, both).index({1, 2, Slice(3, None), Slice(None, 6)}));

  nb.note(
      "Gradients flow through the weights to the queries. The first query has one key to look at, so its "
      "weight is 1 and its gradient is 0.");

  nb.cell("16");
  const Tensor learned = q.clone().requires_grad_();             // (B, H, T, D)
  Tensor loss = by_hand(learned, k, v, causal).square().mean();  // ()
  loss.backward();
  nb.print(f("loss {:.4f}", loss.item()));
  nb.display(learned.grad().index({0, 0, Slice(2, None)}) * 100);

  nb.note(
      "`nn.MultiheadAttention` splits the channels into heads and returns the output and the weights, "
      "averaged over the heads or not. Its masks are true where a token is hidden, so they are negated here. "
      "LibTorch's own layer scales the queries in another place than PyTorch 1.13, which torchbook's layer "
      "does not.");

  nb.cell("17");
  torch::manual_seed(2);
  MultiheadAttention attention(16, 4);
  const Tensor x = torch::randn({T, B, 16});  // (T, B, C)
  auto [y, attended] = attention(x, x, x);    // (T, B, C), (B, T, T)
  nb.print(torchbook::shape(y), torchbook::shape(attended));
  nb.display(y[0].detach().index({Slice(), Slice(None, 6)}));

  nb.cell("18");
  nb.display(attended[1].detach());

  nb.cell("19");
  Tensor heads;  // (B, H, T, T)
  std::tie(y, heads) =
      attention(x, x, x, Tensor(), /*need_weights=*/true, Tensor(), /*average_attn_weights=*/false);
  nb.print(torchbook::shape(heads), torch::allclose(heads.mean(1), attended));
  nb.display(heads.index({0, Slice(), 0}).detach());

  nb.cell("20");
  const Tensor hidden = torch::zeros({T, T}).masked_fill(~causal, -inf);  // (T, T); LibTorch takes no bools
  std::tie(y, attended) =
      attention(x, x, x, /*key_padding_mask=*/~real, /*need_weights=*/true, /*attn_mask=*/hidden);
  nb.print(y.to(torch::kDouble).sum().detach());
  nb.display(attended[1].detach());

  nb.cell("21");
  attention->zero_grad();
  y.square().mean().backward();
  nb.print(torchbook::nn::norm(attention->in_proj_weight.grad()),
           torchbook::nn::norm(attention->out_proj->weight.grad()));
  nb.display(attention->out_proj->bias.grad().index({Slice(None, 5)}) * 100);

  nb.cell("22");
  const Tensor encoder = torch::randn({3, B, 16});         // (3, B, C)
  std::tie(y, attended) = attention(x, encoder, encoder);  // (T, B, C), (B, T, 3)
  nb.print(torchbook::shape(y), torchbook::shape(attended));
  nb.display(attended[0].detach());

  nb.note(
      "Attention does not know the order of tokens. Sinusoidal positions are added to the tokens. Rotary "
      "positions turn pairs of channels of queries and keys, so that a score depends only on the distance of "
      "the two.");

  nb.cell("23");
  const auto sinusoidal = [](int64_t length, int64_t channels) {
    const Tensor position = torch::arange(length).to(torch::kFloat).index({Slice(), None});  // (T, 1)
    // (C / 2)
    const Tensor frequency = torch::exp(torch::arange(0, channels, 2).to(torch::kFloat) *
                                        (-std::log(10000.0) / static_cast<double>(channels)));
    Tensor table = torch::zeros({length, channels});  // (T, C)
    table.index_put_({Slice(), Slice(0, None, 2)}, torch::sin(position * frequency));
    table.index_put_({Slice(), Slice(1, None, 2)}, torch::cos(position * frequency));
    return table;
  };

  nb.cell("24");
  const Tensor positions = sinusoidal(T, 16);  // (T, C)
  nb.display(positions.index({Slice(1, None), Slice(None, 6)}));

  nb.cell("25");
  const Tensor x_at = x + positions.index({Slice(), None});  // (T, B, C)
  nb.print(torchbook::shape(x_at), x_at.to(torch::kDouble).sum());
  nb.display(torch::matmul(positions, positions.t()));

  nb.cell("26");
  const auto rotate = [](const Tensor& vectors, int64_t start) {
    const int64_t length = vectors.size(-2), channels = vectors.size(-1);
    const Tensor position =
        torch::arange(start, start + length).to(torch::kFloat).index({Slice(), None});  // (T, 1)
    const Tensor exponent = torch::arange(0, channels / 2).to(torch::kFloat);           // (D / 2)
    const Tensor angle = position / torch::pow(10.0, exponent);                         // (T, D / 2)
    const auto halves = vectors.chunk(2, -1);
    const Tensor& first = halves[0];   // (B, H, T, D / 2)
    const Tensor& second = halves[1];  // (B, H, T, D / 2)
    const Tensor turned = first * angle.cos() - second * angle.sin();
    return torch::cat({turned, second * angle.cos() + first * angle.sin()}, /*dim=*/-1);
  };

  nb.cell("27");
  const Tensor rotated = rotate(q, 0);  // (B, H, T, D)
  nb.print(torch::equal(rotated.index({Slice(), Slice(), 0}), q.index({Slice(), Slice(), 0})));
  nb.print(torch::allclose(torchbook::nn::norm(rotated, std::nullopt, {-1}),
                           torchbook::nn::norm(q, std::nullopt, {-1})));
  nb.display(rotated.index({0, 0, Slice(1, 3)}));

  nb.cell("28");
  const Tensor near = torch::matmul(rotate(q, 0), rotate(k, 0).transpose(-2, -1));  // (B, H, T, T)
  const Tensor far = torch::matmul(rotate(q, 7), rotate(k, 7).transpose(-2, -1));   // (B, H, T, T)
  nb.print(torch::allclose(near, far, /*rtol=*/1e-5, 1e-4));
  nb.display(near.index({0, 0}));

  nb.note(
      "An encoder layer adds attention and a small network to the tokens, each behind a layer norm. One "
      "linear layer makes queries, keys and values. A change of token 3 must not reach the tokens before "
      "it.");

  nb.cell("29");
  struct EncoderLayerImpl : torch::nn::Module {
    EncoderLayerImpl(int64_t channels, int64_t heads, int64_t hidden) : heads(heads) {
      norm1 = register_module("norm1", torch::nn::LayerNorm(torch::nn::LayerNormOptions({channels})));
      norm2 = register_module("norm2", torch::nn::LayerNorm(torch::nn::LayerNormOptions({channels})));
      qkv = register_module("qkv", torchbook::nn::Linear(channels, 3 * channels));
      proj = register_module("proj", torchbook::nn::Linear(channels, channels));
      up = register_module("up", torchbook::nn::Linear(channels, hidden));
      down = register_module("down", torchbook::nn::Linear(hidden, channels));
    }

    Tensor forward(Tensor x, const Tensor& mask) {
      const int64_t B = x.size(0), T = x.size(1), C = x.size(2);
      // (3, B, H, T, C / H)
      const auto parts = qkv(norm1(x)).view({B, T, 3, heads, C / heads}).permute({2, 0, 3, 1, 4}).unbind();
      const Tensor y = by_hand(parts[0], parts[1], parts[2], mask);  // (B, H, T, C / H)
      // (B, T, C)
      x = x + proj(y.transpose(1, 2).reshape({B, T, C}));
      return x + down(torch::gelu(up(norm2(x))));
    }

    int64_t heads;
    torch::nn::LayerNorm norm1{nullptr};
    torch::nn::LayerNorm norm2{nullptr};
    torchbook::nn::Linear qkv{nullptr};
    torchbook::nn::Linear proj{nullptr};
    torchbook::nn::Linear up{nullptr};
    torchbook::nn::Linear down{nullptr};
  };
  TORCH_MODULE(EncoderLayer);

  nb.cell("30");
  torch::manual_seed(3);
  EncoderLayer layer(16, 4, 32);
  int64_t total = 0;
  for (const Tensor& p : layer->parameters()) {
    total += p.numel();
  }
  nb.print(total);
  const Tensor tokens = torch::randn({B, T, 16});  // (B, T, C)
  const Tensor out = layer(tokens, causal);        // (B, T, C)
  nb.print(torchbook::shape(out), out.to(torch::kDouble).sum().detach());
  nb.display(out.index({0, Slice(), Slice(None, 5)}).detach());

  nb.cell("31");
  Tensor changed = tokens.clone();  // (B, T, C)
  changed.index_put_({Slice(), 3}, 0.5);
  nb.print((layer(changed, causal) - out).abs().sum(torch::IntArrayRef{0, 2}).detach());

  nb.cell("32");
  const Tensor target = torch::randn({B, T, 16});  // (B, T, C)
  torch::optim::SGD optimizer(layer->parameters(), torch::optim::SGDOptions(0.1));
  for (int64_t step = 0; step < 4; ++step) {
    loss = F::mse_loss(layer(tokens, causal), target);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    nb.print(f("step {}: loss {:.4f}", step, loss.item()));
  }
  nb.display(std::make_tuple(torchbook::nn::norm(layer->qkv->weight.grad()),
                             layer->norm1->weight.grad().index({Slice(None, 4)})));
}
