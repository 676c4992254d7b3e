// Ports where_they_part.py, and records what it computes: where_they_part FILE, or where_they_part FILE
// mended for the port without its mistake.
#include <torch/torch.h>
#include <torchbook/trace/trace.h>

#include <cmath>
#include <cstdio>

namespace {

using torch::Tensor;

struct Attention : torch::nn::Module {
  Attention(std::int64_t channels, bool mended)
      : W_query(register_module("W_query", torch::nn::Linear(channels, channels))),
        W_key(register_module("W_key", torch::nn::Linear(channels, channels))),
        W_value(register_module("W_value", torch::nn::Linear(channels, channels))),
        mended_(mended) {}

  Tensor forward(const Tensor& x) {
    const Tensor query = apply(W_query, x);                           // (B, T, C)
    const Tensor key = apply(W_key, x);                               // (B, T, C)
    const Tensor value = apply(W_value, x);                           // (B, T, C)
    const Tensor scores = torch::matmul(query, key.transpose(1, 2));  // (B, T, T)
    const Tensor weights =
        torch::softmax(scores / std::sqrt(static_cast<double>(key.size(-1))), -1);  // (B, T, T)
    return torch::matmul(weights, value);                                           // (B, T, C)
  }

  torch::nn::Linear W_query;
  torch::nn::Linear W_key;
  torch::nn::Linear W_value;

 private:
  Tensor apply(torch::nn::Linear& layer, const Tensor& x) const {
    return mended_ ? torch::linear(x, layer->weight, layer->bias) : layer->forward(x);
  }

  bool mended_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("where_they_part: name the file of the trace\n", stderr);
    return 2;
  }
  torch::manual_seed(123);
  Attention attention(768, argc > 2);
  const Tensor x = torch::rand({2, 6, 768});  // (B, T, C)
  const torchbook::Trace trace(argv[1], attention);
  attention.forward(x);
}
