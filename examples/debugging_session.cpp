// Debugs a small network by printing: why do some weights not learn? debugging_session.py prints the same
// text.
#include <torch/nn.h>
#include <torchbook/pyrepr/module.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <cstdint>
#include <map>

namespace nn = torch::nn;
namespace py = torchbook::pyrepr;

struct NetImpl : nn::Module {
  nn::Sequential body = register_module("body", nn::Sequential(nn::Linear(3, 4), nn::ReLU()));
  nn::Linear head = register_module("head", nn::Linear(4, 1));

  at::Tensor forward(const at::Tensor& x) { return head(body->forward(x)); }
};
TORCH_MODULE(Net);

namespace {

/// Prints what a gradient is, for each parameter.
void show_gradients(Net& net) {
  for (const auto& parameter : net->named_parameters()) {
    const at::Tensor& grad = parameter.value().grad();
    py::print(py::f("{:<14}", parameter.key() + ".grad"), grad);
  }
}

}  // namespace

int main() {
  torch::manual_seed(0);
  Net net;
  {
    torch::NoGradGuard no_grad;
    net->body[0]->as<nn::Linear>()->bias[1] = -100;  // the fault: this unit never fires
  }
  const at::Tensor batch = torch::randn({5, 3});  // (5, 3)
  const at::Tensor target = torch::ones({5, 1});  // (5, 1)

  py::print("The network:", net, py::sep("\n"));

  py::print("\nIts parameters:");
  std::int64_t count = 0;
  for (const auto& parameter : net->named_parameters()) {
    const at::Tensor& value = parameter.value();
    py::print(
        py::f("{!r:<16} {} requires_grad={}", parameter.key(), py::shape(value), value.requires_grad()));
    count += value.numel();
  }
  py::print(py::f("{:,} numbers in {}", count, net->parameters()[0].dtype()));
  py::print(net->head->named_parameters());

  py::print(py::f("\nThe batch, {} on {}:", py::shape(batch), batch.device()), batch, py::sep("\n"));

  const at::Tensor hidden = net->body->forward(batch);  // (5, 4)
  py::print("\nThe hidden units:", hidden, py::sep("\n"));
  const at::Tensor loss = nn::functional::mse_loss(net->head(hidden), target);
  py::print(py::f("loss {:.4f}, or {!r}", loss, loss));

  py::print("\nThe gradients before backward():");
  show_gradients(net);
  loss.backward();
  py::print("\nThe gradients after backward():");
  show_gradients(net);

  const at::Tensor fired = (hidden > 0).sum(0);  // (4)
  std::map<int, bool> dead;
  for (int unit = 0; unit < 4; ++unit) dead[unit] = fired[unit].item<bool>() == false;
  py::print("\nHow often each unit fires:", fired, "and whether it is dead:", dead);
}
