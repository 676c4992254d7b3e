// Trains random layers: layers CASES OUT. Each line of CASES describes one, as layers_test.py writes it. What
// a layer computes goes to OUT, where layers_test.py compares it with what Python computes.
#include <torch/torch.h>
#include <torchbook/pyrepr/module.h>
#include <torchbook/training/attention.h>
#include <torchbook/training/normalization.h>
#include <torchbook/training/transformer.h>

#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using torch::Tensor;
namespace nn = torchbook::nn;

struct Case {
  explicit Case(const std::string& line) {
    std::istringstream words(line);
    for (std::string word; words >> word;)
      values[word.substr(0, word.find('='))] = std::stod(word.substr(word.find('=') + 1));
  }
  double operator[](const std::string& name) const { return values.at(name); }
  int64_t size(const std::string& name) const { return static_cast<int64_t>(values.at(name)); }
  bool has(const std::string& name) const { return values.at(name) != 0; }

  std::map<std::string, double> values;
};

/// A module, and a function that calls it with query, key, value, mask and padding.
struct Layer {
  using Outputs = std::vector<Tensor>;
  std::shared_ptr<torch::nn::Module> module;
  std::function<Outputs(torch::nn::Module&, const std::vector<Tensor>&)> call;
};

nn::TransformerEncoderLayer encoder_layer(const Case& given) {
  nn::TransformerEncoderLayerOptions options(given.size("embed"), given.size("heads"));
  options.dim_feedforward(given.size("feedforward")).dropout(given["dropout"]).layer_norm_eps(given["eps"]);
  options.batch_first(given.has("batch_first")).norm_first(given.has("norm_first")).bias(given.has("bias"));
  if (given.has("gelu")) options.activation(torch::kGELU);
  return nn::TransformerEncoderLayer(options);
}

Layer make_encoder(const Case& given) {
  const auto layer = encoder_layer(given);
  for (auto& parameter : layer->parameters()) parameter.requires_grad_(!given.has("frozen"));
  nn::TransformerEncoderOptions options(layer, given.size("layers"));
  options.enable_nested_tensor(given.has("nested")).mask_check(given.has("mask_check"));
  if (given.has("norm"))
    options.norm(torch::nn::AnyModule(torch::nn::LayerNorm(std::vector{given.size("embed")})));
  return {nn::TransformerEncoder(options).ptr(),
          [given](torch::nn::Module& module, const std::vector<Tensor>& x) {
            const auto causal = given.size("causal");
            return Layer::Outputs{module.as<nn::TransformerEncoder>()->forward(
                x[0], x[3], x[4], causal == 2 ? c10::nullopt : c10::make_optional(causal == 1))};
          }};
}

Layer make_attention(const Case& given) {
  nn::MultiheadAttentionOptions options(given.size("embed"), given.size("heads"));
  options.dropout(given["dropout"]).bias(given.has("bias")).batch_first(given.has("batch_first"));
  return {nn::MultiheadAttention(options).ptr(),
          [given](torch::nn::Module& module, const std::vector<Tensor>& x) {
            auto [output, weights] = module.as<nn::MultiheadAttention>()->forward(
                x[0], x[1], x[2], x[4], given.has("weights"), x[3], given.has("average"),
                given.size("causal") == 1);
            return given.has("weights") ? Layer::Outputs{output, weights} : Layer::Outputs{output};
          }};
}

Layer make_layer(const Case& given) {
  if (given.size("kind") == 0) return make_attention(given);
  if (given.size("kind") == 2) return make_encoder(given);
#if TORCH_VERSION_MAJOR >= 2
  if (given.size("kind") == 3) {
    nn::RMSNormOptions options({given.size("embed")});
    options.elementwise_affine(given.has("bias"));
    if (given.has("gelu")) options.eps(given["eps"]);
    return {nn::RMSNorm(options).ptr(), [](torch::nn::Module& module, const std::vector<Tensor>& x) {
              return Layer::Outputs{module.as<nn::RMSNorm>()->forward(x[0])};
            }};
  }
#endif
  return {encoder_layer(given).ptr(), [given](torch::nn::Module& module, const std::vector<Tensor>& x) {
            auto& layer = *module.as<nn::TransformerEncoderLayer>();
            return Layer::Outputs{layer.forward(x[0], x[3], x[4], given.size("causal") == 1)};
          }};
}

/// Draws a mask that hides no first key. Its kind is 0, none; 1, bool; 2, float; 3 and 4, the same, causal or
/// of the last keys only.
Tensor draw_mask(int64_t kind, at::IntArrayRef shape, const Tensor& query) {
  if (kind == 0) return {};
  Tensor hidden = torch::rand(shape) < 0.3;
  if (kind >= 3 && shape.size() > 1 && shape[0] == shape[1]) {
    hidden = torch::ones(shape).triu(1).to(torch::kBool);
  } else if (kind >= 3) {
    hidden = torch::arange(shape.back()) > torch::rand(shape).select(-1, 0).unsqueeze(-1) * shape.back();
  }
  hidden.select(-1, 0).fill_(false);
  if (kind % 2 == 1) return hidden;
  const Tensor numbers =
      kind == 2 ? torch::randn(shape, query.options()) : torch::zeros(shape, query.options());
  return numbers.masked_fill(hidden, -std::numeric_limits<double>::infinity());
}

std::vector<Tensor> draw_inputs(const Case& given) {
  const auto batch = given.size("batch"), target = given.size("target"), source = given.size("source");
  const auto type = given.has("double") ? torch::kFloat64 : torch::kFloat32;
  const auto draw = [&](int64_t length) {
    std::vector<int64_t> shape = {length, batch, given.size("embed")};
    if (given.has("batch_first")) std::swap(shape[0], shape[1]);
    if (batch == 0) shape = {length, given.size("embed")};
    return torch::randn(shape, type).requires_grad_(given.has("input_grad"));
  };
  const auto inputs = given.size("inputs");
  Tensor query = draw(target);
  const Tensor key = inputs == 0 || inputs == 3 ? query : draw(source);
  const Tensor value = inputs <= 1 ? key : draw(source);
  std::vector<int64_t> shape = {target, source}, padding = {batch, source};
  if (given.has("mask_by_head"))
    shape.insert(shape.begin(), std::max<int64_t>(batch, 1) * given.size("heads"));
  if (batch == 0) padding = {source};
  const Tensor mask = draw_mask(given.size("mask"), shape, query.detach());
  return {query, key, value, mask, draw_mask(given.size("padding"), padding, query.detach())};
}

/// Appends the names of the nodes of a graph, each once.
void describe(const torch::autograd::Node* node, std::set<const void*>& seen, std::string& text) {
  if (node == nullptr || !seen.insert(node).second) return;
  text += node->name() + '\n';
  for (const auto& edge : node->next_edges()) describe(edge.function.get(), seen, text);
}

struct Seen {
  std::string text;
  std::vector<c10::IValue> tensors;
  void add(const Tensor& tensor) { tensors.push_back(tensor.detach().clone()); }
};

/// Takes a step of gradient descent.
void step(torch::nn::Module& module, const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs,
          Seen& seen) {
  Tensor loss;
  for (const auto& output : outputs) {
    seen.add(output);
    std::set<const void*> nodes;
    describe(output.grad_fn().get(), nodes, seen.text);
    const Tensor part = (output * torch::randn_like(output)).sum();
    loss = loss.defined() ? loss + part : part;
  }
  if (!loss.requires_grad()) return;
  loss.backward();
  for (std::size_t i = 0; i < 3; ++i) {
    if (inputs[i].grad().defined()) seen.add(inputs[i].grad());
  }
  const torch::NoGradGuard guard;
  for (auto& parameter : module.parameters()) {
    if (!parameter.grad().defined()) continue;
    seen.add(parameter.grad());
    parameter.sub_(parameter.grad() * 0.1);
    parameter.mutable_grad().reset();
  }
}

void run(const Case& given, Seen& seen) {
  torch::manual_seed(given.size("seed"));
  const Layer layer = make_layer(given);
  auto& module = *layer.module;
  seen.text = torchbook::pyrepr::repr(module) + '\n';
  for (const auto& parameter : module.named_parameters()) {
    seen.text += parameter.key() + (parameter.value().requires_grad() ? "\n" : " frozen\n");
    seen.add(parameter.value());
    parameter.value().requires_grad_(!given.has("frozen"));
  }
  if (given.has("double")) module.to(torch::kFloat64);
  module.train(given.has("training"));
  std::vector<Tensor> inputs;
  const torch::AutoGradMode mode(given.has("grad"));
  for (int i = 0; i < 3; ++i) {
    inputs = draw_inputs(given);
    step(module, inputs, layer.call(module, inputs), seen);
  }
  const torch::NoGradGuard guard;
  const auto copy = module.clone();
  for (auto& parameter : copy->parameters())
    parameter.requires_grad_(!given.has("frozen"));  // clone() forgets it
  for (auto* each : {&module, copy.get()}) {
    each->eval();
    for (const auto& output : layer.call(*each, inputs)) seen.add(output);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: layers CASES OUT\n";
    return 2;
  }
  torch::set_num_threads(1);
  std::ifstream cases(arguments[1]);
  std::vector<c10::IValue> results;
  for (std::string line; std::getline(cases, line);) {
    Seen seen;
    try {
      run(Case(line), seen);
    } catch (const c10::Error& error) {
      seen.text += "error";
      std::cerr << error.what_without_backtrace() << '\n';
    }
    results.push_back(c10::ivalue::Tuple::create({seen.text, c10::ivalue::Tuple::create(seen.tensors)}));
  }
  const auto bytes = torch::pickle_save(c10::ivalue::Tuple::create(results));
  std::ofstream(arguments[2], std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}
