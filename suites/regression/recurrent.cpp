// Recurrent layers in C++: RNN, LSTM and GRU, by hand, in layers, in both directions and over packed
// sequences, and a tagger that is trained. Tensors have the sizes T (time), B (batch), C (channels) and H
// (hidden).
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/training/nn.h>
#include <torchbook/training/optim.h>

#include <optional>
#include <tuple>

using torch::Tensor;
using torch::indexing::None;
using torch::indexing::Slice;
using torchbook::f;
namespace F = torch::nn::functional;
namespace rnn_utils = torch::nn::utils::rnn;

void recurrent(torchbook::Notebook& nb) {
  nb.cell("1");
  // Nothing to do: the headers were included above.

  nb.note(
      "A recurrent layer returns its hidden state after each step, and the last one. In C++, both are a "
      "`std::tuple`. The layers of LibTorch keep their weights in `named_parameters()`.");

  nb.cell("2");
  torch::manual_seed(12);
  const int64_t T = 5, B = 3, C = 4, H = 6;
  const Tensor x = torch::randn({T, B, C});  // (T, B, C)
  torch::nn::RNN rnn(C, H);
  auto [output, hidden] = rnn(x);  // (T, B, H), (1, B, H)
  nb.print(torchbook::shape(output), torchbook::shape(hidden));
  nb.display(output.index({Slice(None, 2), 0}).detach());

  nb.cell("3");
  nb.print(torch::equal(output[-1], hidden[0]));
  const auto of_rnn = rnn->named_parameters();
  Tensor h = torch::zeros({B, H});  // (B, H)
  for (int64_t t = 0; t < T; ++t) {
    const Tensor from_input =
        torch::matmul(x[t], of_rnn["weight_ih_l0"].t()) + of_rnn["bias_ih_l0"];  // (B, H)
    h = torch::tanh(from_input + torch::matmul(h, of_rnn["weight_hh_l0"].t()) +
                    of_rnn["bias_hh_l0"]);  // (B, H)
  }
  nb.print(torch::allclose(h, hidden[0], /*rtol=*/1e-5, 1e-6));
  nb.display(h.detach());

  nb.cell("4");
  torch::nn::RNN rectified(torch::nn::RNNOptions(C, H).nonlinearity(torch::kReLU).bias(false));
  std::tie(output, hidden) = rectified(x, torch::ones({1, B, H}));  // (T, B, H)
  nb.print(output.to(torch::kDouble).sum().detach());
  nb.display(hidden[0].detach());

  nb.note(
      "An LSTM has a second state, the cell. Its four gates are computed in one product. By hand, they give "
      "the same states.");

  nb.cell("5");
  torch::manual_seed(13);
  torch::nn::LSTM lstm(C, H);
  std::tuple<Tensor, Tensor> state;
  std::tie(output, state) = lstm(x);  // (T, B, H)
  Tensor cell;
  std::tie(hidden, cell) = state;  // (1, B, H), (1, B, H)
  nb.print(torchbook::shape(output), torchbook::shape(hidden), torchbook::shape(cell));
  nb.print(output.to(torch::kDouble).sum().detach());
  nb.display(cell[0].detach());

  nb.cell("6");
  const auto lstm_cell = [](const Tensor& input, const Tensor& old_h, const Tensor& old_c, const Tensor& w_ih,
                            const Tensor& w_hh, const Tensor& b_ih, const Tensor& b_hh) {
    // (B, 4 * H)
    const Tensor gates = torch::matmul(input, w_ih.t()) + b_ih + torch::matmul(old_h, w_hh.t()) + b_hh;
    const auto gate = gates.chunk(4, /*dim=*/1);               // (B, H) each: input, forget, cell, output
    const Tensor forgotten = torch::sigmoid(gate[1]) * old_c;  // (B, H)
    const Tensor new_c = forgotten + torch::sigmoid(gate[0]) * torch::tanh(gate[2]);  // (B, H)
    return std::make_tuple(torch::sigmoid(gate[3]) * torch::tanh(new_c), new_c);
  };

  nb.cell("7");
  h = torch::zeros({B, H});  // (B, H)
  const auto of_lstm = lstm->named_parameters();
  Tensor c = torch::zeros({B, H});  // (B, H)
  for (int64_t t = 0; t < T; ++t) {
    std::tie(h, c) = lstm_cell(x[t], h, c, of_lstm["weight_ih_l0"], of_lstm["weight_hh_l0"],
                               of_lstm["bias_ih_l0"], of_lstm["bias_hh_l0"]);
    nb.print(t, h[0].detach());
  }
  nb.print(torch::allclose(h, hidden[0], /*rtol=*/1e-5, 1e-6),
           torch::allclose(c, cell[0], /*rtol=*/1e-5, 1e-6));

  nb.cell("8");
  torch::nn::LSTMCell one_step(C, H);
  std::tie(h, c) = one_step(x[0]);                         // (B, H)
  std::tie(h, c) = one_step(x[1], std::make_tuple(h, c));  // (B, H)
  nb.print(torchbook::shape(h), torchbook::shape(c));
  nb.display(c.detach());

  nb.note(
      "The states before the first step may be given. The gradient of the last output gets smaller from step "
      "to step.");

  nb.cell("9");
  const Tensor initial_h = torch::randn({1, B, H});                          // (1, B, H)
  const Tensor initial_c = torch::randn({1, B, H});                          // (1, B, H)
  std::tie(output, state) = lstm(x, std::make_tuple(initial_h, initial_c));  // (T, B, H)
  std::tie(hidden, cell) = state;
  nb.print(output[0].to(torch::kDouble).sum().detach(), cell.to(torch::kDouble).sum().detach());
  nb.display(output.index({Slice(), 1, Slice(None, 3)}).detach());

  nb.cell("10");
  Tensor learned = x.clone().requires_grad_();                                     // (T, B, C)
  std::tie(output, state) = lstm(learned, std::make_tuple(initial_h, initial_c));  // (T, B, H)
  std::tie(hidden, cell) = state;
  output[-1].square().mean().backward();
  nb.print(torchbook::nn::norm(lstm->named_parameters()["weight_ih_l0"].grad()),
           torchbook::nn::norm(lstm->named_parameters()["weight_hh_l0"].grad()));
  nb.print(torch::allclose(lstm->named_parameters()["bias_ih_l0"].grad(),
                           lstm->named_parameters()["bias_hh_l0"].grad()));
  nb.print(torchbook::nn::norm(learned.grad(), std::nullopt, {1, 2}) * 100);
  nb.display(learned.grad()[-1] * 100);

  nb.note(
      "With two layers and both directions, there are four states: layer by layer, forward and backward. The "
      "backward direction of the top layer ends at the first step.");

  nb.cell("11");
  torch::manual_seed(14);
  torch::nn::LSTM deep(torch::nn::LSTMOptions(C, H).num_layers(2).bidirectional(true));
  int64_t total = 0;
  for (const Tensor& p : deep->parameters()) {
    total += p.numel();
  }
  nb.print(static_cast<int64_t>(deep->parameters().size()), total);
  std::tie(output, state) = deep(x);  // (T, B, 2 * H)
  std::tie(hidden, cell) = state;
  nb.print(torchbook::shape(output), torchbook::shape(hidden), torchbook::shape(cell));
  nb.display(output.index({2, Slice(), Slice(None, 8)}).detach());

  nb.cell("12");
  nb.print(torch::equal(output.index({-1, Slice(), Slice(None, H)}), hidden[2]),
           torch::equal(output.index({0, Slice(), Slice(H, None)}), hidden[3]));
  nb.display(hidden.index({Slice(), 0}).detach());

  nb.cell("13");
  const Tensor states = torch::randn({4, B, H});                             // (4, B, H)
  std::tie(output, state) = deep(x, std::make_tuple(states, states * 0.5));  // (T, B, 2 * H)
  std::tie(hidden, cell) = state;
  nb.print(output.to(torch::kDouble).sum().detach(), hidden.to(torch::kDouble).sum().detach());
  nb.display(cell[3].detach());

  nb.cell("14");
  F::mse_loss(output, torch::ones({T, B, 2 * H})).backward();
  nb.print(torchbook::nn::norm(deep->named_parameters()["weight_ih_l0_reverse"].grad()),
           torchbook::nn::norm(deep->named_parameters()["weight_hh_l1"].grad()));
  nb.display(deep->named_parameters()["bias_ih_l0"].grad().index({Slice(None, 5)}) * 100);

  nb.note(
      "A GRU has three gates and one state. It applies its reset gate after the product with the hidden "
      "state.");

  nb.cell("15");
  torch::manual_seed(15);
  torch::nn::GRU gru(C, H);
  std::tie(output, hidden) = gru(x);  // (T, B, H)
  nb.print(torchbook::shape(output), torchbook::shape(hidden));
  nb.display(output.index({Slice(), 1}).detach());

  nb.cell("16");
  const auto of_gru = gru->named_parameters();
  h = torch::zeros({B, H});  // (B, H)
  Tensor z;
  for (int64_t t = 0; t < T; ++t) {
    // (B, H), three times: reset, update, new
    const auto i =
        (torch::matmul(x[t], of_gru["weight_ih_l0"].t()) + of_gru["bias_ih_l0"]).chunk(3, /*dim=*/1);
    const auto r_z_n =
        (torch::matmul(h, of_gru["weight_hh_l0"].t()) + of_gru["bias_hh_l0"]).chunk(3, /*dim=*/1);
    const Tensor r = torch::sigmoid(i[0] + r_z_n[0]);   // (B, H)
    z = torch::sigmoid(i[1] + r_z_n[1]);                // (B, H)
    const Tensor n = torch::tanh(i[2] + r * r_z_n[2]);  // (B, H)
    h = (1 - z) * n + z * h;                            // (B, H)
  }
  nb.print(torch::allclose(h, hidden[0], /*rtol=*/1e-5, 1e-6));
  nb.display(z.detach());

  nb.cell("17");
  torch::nn::GRUCell cell_of_gru(C, H);
  h = cell_of_gru(x[0], torch::ones({B, H}));  // (B, H)
  nb.print(cell_of_gru(x[1], h).to(torch::kDouble).sum().detach());
  nb.display(h.detach());

  nb.cell("18");
  torch::nn::GRU stacked(torch::nn::GRUOptions(C, H).num_layers(3).batch_first(true));
  const Tensor batch = x.transpose(0, 1).contiguous();  // (B, T, C)
  std::tie(output, hidden) = stacked(batch);            // (B, T, H)
  nb.print(torchbook::shape(output), torchbook::shape(hidden));
  nb.display(output[1].detach());

  nb.cell("19");
  learned = batch.clone().requires_grad_();                                  // (B, T, C)
  std::tie(output, hidden) = stacked(learned, torch::full({3, B, H}, 0.5));  // (B, T, H)
  output.index({Slice(), -1}).pow(2).sum().backward();
  nb.print(torchbook::nn::norm(stacked->named_parameters()["weight_hh_l2"].grad()),
           torchbook::nn::norm(stacked->named_parameters()["weight_ih_l0"].grad()));
  nb.display(learned.grad()[0] * 10);

  nb.note(
      "With `batch_first`, the batch is the first dimension of input and output, but not of the states. In "
      "Python, an input without a batch may have two dimensions. In C++, it needs a batch of one.");

  nb.cell("20");
  torch::nn::RNN both_ways(torch::nn::RNNOptions(C, H).num_layers(1).batch_first(true).bidirectional(true));
  std::tie(output, hidden) = both_ways(batch);  // (B, T, 2 * H)
  nb.print(torchbook::shape(output));
  nb.display(torch::cat({output.index({0, -1, Slice(None, 3)}), output.index({0, 0, Slice(6, 9)})}).detach());

  nb.cell("21");
  nb.print(torch::allclose(std::get<0>(both_ways(batch.index({Slice(None, 1)}))),
                           output.index({Slice(None, 1)}), /*rtol=*/1e-5, 1e-6));
  const auto [of_one, last_of_one] = rnn(x.index({Slice(), 0}).unsqueeze(1));  // (T, 1, H), (1, 1, H)
  const Tensor single = of_one.squeeze(1), last = last_of_one.squeeze(1);      // (T, H), (1, H)
  nb.print(torchbook::shape(single), torchbook::shape(last));
  nb.display(last[0].detach());

  nb.note(
      "Packed sequences have lengths of their own: `batch_sizes` says how many of them have a step t. In "
      "C++, they have a function of their own, `forward_with_packed_input`.");

  nb.cell("22");
  const rnn_utils::PackedSequence packed = rnn_utils::pack_padded_sequence(x, torch::tensor({5, 3, 2}));
  nb.print(torchbook::shape(packed.data()), packed.batch_sizes());
  const auto of_packed = lstm->forward_with_packed_input(packed);
  const rnn_utils::PackedSequence& packed_output = std::get<0>(of_packed);
  std::tie(hidden, cell) = std::get<1>(of_packed);
  nb.display(hidden[0].detach());

  nb.cell("23");
  const auto [padded, lengths] = rnn_utils::pad_packed_sequence(packed_output);  // (T, B, H), (B)
  nb.print(torchbook::shape(padded), lengths);
  nb.display(padded.index({Slice(), 1, Slice(None, 4)}).detach());

  nb.cell("24");
  // (3, 4)
  const Tensor rows = torch::pad_sequence(
      {x.index({Slice(None, 2), 0, 0}), x.index({Slice(None, 4), 1, 0}), x.index({Slice(None, 3), 2, 0})},
      /*batch_first=*/true);
  nb.display(rows);

  nb.note("Dropout between the layers draws numbers in training only.");

  nb.cell("25");
  torch::nn::LSTM dropped(torch::nn::LSTMOptions(C, H).num_layers(2).dropout(0.5));
  torch::manual_seed(16);
  std::tie(output, state) = dropped(x);  // (T, B, H)
  nb.print(output.to(torch::kDouble).sum().detach());
  dropped->eval();
  std::tie(output, state) = dropped(x);  // (T, B, H)
  nb.print(output.to(torch::kDouble).sum().detach());
  nb.display(output[0].detach());

  nb.note(
      "A tagger embeds words, and an LSTM and a linear layer score a tag for each. Gradients are clipped "
      "before each step.");

  nb.cell("26");
  struct TaggerImpl : torch::nn::Module {
    TaggerImpl(int64_t words, int64_t channels, int64_t tags) {
      embedding = register_module("embedding", torch::nn::Embedding(words, channels));
      lstm = register_module(
          "lstm", torch::nn::LSTM(torch::nn::LSTMOptions(channels, 2 * channels).batch_first(true)));
      linear = register_module("linear", torchbook::nn::Linear(2 * channels, tags));
    }

    Tensor forward(const Tensor& input) {
      return linear(std::get<0>(lstm(embedding(input))));  // (N, T, tags)
    }

    torch::nn::Embedding embedding{nullptr};
    torch::nn::LSTM lstm{nullptr};
    torchbook::nn::Linear linear{nullptr};
  };
  TORCH_MODULE(Tagger);

  nb.cell("27");
  torch::manual_seed(17);
  Tagger tagger(10, 4, 3);
  const Tensor words = torch::randint(0, 10, {2, 6});  // (2, 6)
  const Tensor tags = torch::remainder(words, 3);      // (2, 6)
  nb.print(words);
  nb.display(tagger(words)[0].detach());

  nb.cell("28");
  torchbook::optim::Adam optimizer(tagger->parameters(), torch::optim::AdamOptions(0.05));
  for (int64_t epoch = 0; epoch < 6; ++epoch) {
    const Tensor loss = F::cross_entropy(tagger(words).flatten(0, 1), tags.flatten());
    optimizer.zero_grad();
    loss.backward();
    const Tensor norm = torchbook::nn::clip_grad_norm_(tagger->parameters(), 1.0);
    optimizer.step();
    nb.print(f("epoch {}: loss {:.3f}, norm {:.3f}", epoch, loss.item<double>(), norm.item()));
  }
  nb.display(tagger(words).argmax(-1));
}
