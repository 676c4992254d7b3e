// Activations in C++: values and gradients of the usual functions at a few points, softmax and its relatives,
// and gated units. Each has its options in an object, as `F::ELUFuncOptions`.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>

#include <cmath>
#include <vector>

using torch::Tensor;
using torch::indexing::None;
using torch::indexing::Slice;
namespace F = torch::nn::functional;

namespace {

constexpr double pi = 3.14159265358979323846;

}  // namespace

void activations(torchbook::Notebook& nb) {
  nb.cell("1");
  // Nothing to do: the headers were included above.

  nb.cell("2");
  const Tensor x = torch::tensor({-2.0, -1.0, -0.5, -0.3, 0.2, 0.7, 1.5, 3.5});  // (8)
  const Tensor points = torch::linspace(-2.5, 3.5, 7);                           // (7)
  nb.display(points);

  nb.cell("3");
  const auto gradient = [&](const auto& function) {
    const Tensor variable = x.clone().requires_grad_();  // (8)
    function(variable).sum().backward();
    return variable.grad();  // (8)
  };

  nb.note(
      "The gradient of a function is taken at eight points. No point is where a derivative jumps, except 0.5 "
      "and -0.5 in functions that cut there. In C++, the function is a lambda, because `F::relu` has default "
      "arguments.");

  nb.cell("4");
  nb.print(F::relu(x));
  nb.print(F::relu6(x * 2));
  nb.display(gradient([](const Tensor& t) { return F::relu(t); }));

  nb.cell("5");
  nb.print(F::gelu(x));
  nb.print(gradient([](const Tensor& t) { return F::gelu(t); }));
  nb.display(x * 0.5 * (1 + torch::erf(x / std::sqrt(2.0))));

  nb.cell("6");
  const auto by_tanh = F::GELUFuncOptions().approximate("tanh");
  nb.print(F::gelu(x, by_tanh));
  nb.print(gradient([&](const Tensor& t) { return F::gelu(t, by_tanh); }));
  nb.display(0.5 * x * (1 + torch::tanh(std::sqrt(2 / pi) * (x + 0.044715 * x.pow(3)))));

  nb.cell("7");
  nb.print(F::silu(x));
  nb.print(gradient([](const Tensor& t) { return F::silu(t); }));
  nb.display(torch::allclose(F::silu(x), x * torch::sigmoid(x)));

  nb.cell("8");
  nb.print(F::mish(x));
  nb.print(gradient([](const Tensor& t) { return F::mish(t); }));
  nb.display(torch::allclose(F::mish(x), x * torch::tanh(F::softplus(x))));

  nb.note(
      "These have a branch for negative numbers: exponential, or a straight line with a slope that PReLU "
      "learns.");

  nb.cell("9");
  nb.print(F::elu(x));
  nb.print(F::elu(x, F::ELUFuncOptions().alpha(0.5)));
  nb.display(gradient([](const Tensor& t) { return F::elu(t, F::ELUFuncOptions().alpha(0.5)); }));

  nb.cell("10");
  nb.print(F::selu(x));
  nb.print(F::celu(x, F::CELUFuncOptions().alpha(2.0)));
  nb.print(gradient([](const Tensor& t) { return F::selu(t); }));
  nb.display(gradient([](const Tensor& t) { return F::celu(t, F::CELUFuncOptions().alpha(2.0)); }));

  nb.cell("11");
  const auto leaky = F::LeakyReLUFuncOptions().negative_slope(0.2);
  nb.print(F::leaky_relu(x));
  nb.print(F::leaky_relu(x, leaky));
  nb.display(gradient([&](const Tensor& t) { return F::leaky_relu(t, leaky); }));

  nb.cell("12");
  const Tensor weight = torch::tensor({0.25}, torch::requires_grad());  // (1)
  const Tensor y = F::prelu(x, weight);                                 // (8)
  y.sum().backward();
  nb.print(y.detach(), weight.grad());
  torch::nn::PReLU prelu(torch::nn::PReLUOptions().num_parameters(2).init(0.1));
  const Tensor channels = points.index({Slice(None, 6)}).view({1, 2, 3});  // (1, 2, 3)
  prelu(channels).square().sum().backward();
  nb.display(prelu->weight.grad());

  nb.note(
      "Functions that saturate, smoothly or with corners. hardswish and hardsigmoid are functions of torch "
      "in C++, not of `F`.");

  nb.cell("13");
  const auto steep = F::SoftplusFuncOptions().beta(2).threshold(5);
  nb.print(F::softplus(x));
  nb.print(F::softplus(x, steep));
  nb.display(gradient([&](const Tensor& t) { return F::softplus(t, steep); }));

  nb.cell("14");
  nb.print(F::hardtanh(x));
  nb.print(F::hardtanh(x, F::HardtanhFuncOptions().min_val(-2.0).max_val(0.5)));
  nb.display(gradient([](const Tensor& t) { return F::hardtanh(t); }));

  nb.cell("15");
  nb.print(torch::hardswish(x));
  nb.print(torch::hardsigmoid(x));
  nb.print(gradient([](const Tensor& t) { return torch::hardswish(t); }));
  nb.display(gradient([](const Tensor& t) { return torch::hardsigmoid(t); }));

  nb.cell("16");
  nb.print(torch::sigmoid(x));
  nb.print(F::logsigmoid(x));
  nb.print(gradient([](const Tensor& t) { return torch::sigmoid(t); }));
  nb.display(gradient([](const Tensor& t) { return F::logsigmoid(t); }));

  nb.cell("17");
  nb.print(torch::tanh(points));
  nb.print(gradient([](const Tensor& t) { return torch::tanh(t); }));
  nb.display(torch::allclose(torch::tanh(points), 2 * torch::sigmoid(2 * points) - 1, /*rtol=*/1e-5, 1e-6));

  nb.cell("18");
  nb.print(F::softsign(x));
  nb.print(F::tanhshrink(x));
  nb.print(F::softshrink(x, F::SoftshrinkFuncOptions(0.5)) + 0);
  nb.print(F::hardshrink(x, F::HardshrinkFuncOptions(0.5)));
  nb.display(gradient([](const Tensor& t) { return F::softsign(t); }));

  nb.cell("19");
  const auto threshold = F::ThresholdFuncOptions(0.5, -1.0);
  nb.print(F::threshold(x, threshold));
  nb.print(gradient([&](const Tensor& t) { return F::threshold(t, threshold); }));
  nb.display(gradient([](const Tensor& t) { return F::tanhshrink(t); }));

  nb.note(
      "Softmax, its logarithm, and their gradients. Softmax subtracts the largest score first, so scores of "
      "a thousand do no harm.");

  nb.cell("20");
  torch::manual_seed(18);
  const Tensor scores = torch::randn({3, 5});                                  // (3, 5)
  const Tensor probabilities = F::softmax(scores, F::SoftmaxFuncOptions(-1));  // (3, 5)
  nb.print(probabilities);
  nb.print(F::softmin(scores, F::SoftminFuncOptions(0)));
  nb.display(F::log_softmax(scores, F::LogSoftmaxFuncOptions(-1)));

  nb.cell("21");
  const Tensor difference = scores - torch::log_softmax(scores, -1);  // (3, 5)
  nb.print(torch::allclose(torch::logsumexp(scores, -1, /*keepdim=*/true), difference, /*rtol=*/1e-5, 1e-6));
  const Tensor large = torch::tensor({1000.0, 1001.0, 1002.0});  // (3)
  nb.print(F::softmax(large, F::SoftmaxFuncOptions(0)));
  nb.display(F::log_softmax(large - 500, F::LogSoftmaxFuncOptions(0)));

  nb.cell("22");
  Tensor learned = scores.clone().requires_grad_();  // (3, 5)
  F::softmax(learned, F::SoftmaxFuncOptions(-1)).index({Slice(), 2}).sum().backward();
  nb.display(learned.grad());

  nb.cell("23");
  learned = scores.clone().requires_grad_();  // (3, 5)
  F::log_softmax(learned, F::LogSoftmaxFuncOptions(-1)).index({Slice(), 2}).sum().backward();
  nb.display(learned.grad());

  nb.cell("24");
  const Tensor row = probabilities[0];                                // (5)
  const Tensor jacobian = torch::diag(row) - torch::outer(row, row);  // (5, 5)
  nb.display(jacobian);

  nb.note(
      "Gumbel noise makes a softmax a draw. The same seed draws the same noise for the soft and the hard "
      "result.");

  nb.cell("25");
  torch::manual_seed(19);
  nb.print(F::gumbel_softmax(scores, F::GumbelSoftmaxFuncOptions().tau(2.0)));
  torch::manual_seed(19);
  nb.display(F::gumbel_softmax(scores, F::GumbelSoftmaxFuncOptions().tau(2.0).hard(true)));

  nb.note("A gated unit multiplies one half of the channels by a function of the other half.");

  nb.cell("26");
  const Tensor halves = scores.index({Slice(), Slice(None, 4)});  // (3, 4)
  nb.print(F::glu(halves, F::GLUFuncOptions(-1)));
  learned = halves.clone().requires_grad_();  // (3, 4)
  F::glu(learned, F::GLUFuncOptions(1)).sum().backward();
  nb.display(learned.grad());

  nb.cell("27");
  const auto swiglu = [](const Tensor& both) {
    const auto gate_and_value = both.chunk(2, /*dim=*/-1);
    return F::silu(gate_and_value[0]) * gate_and_value[1];
  };
  nb.display(swiglu(halves));

  nb.note("As layers, they have one interface. In C++, `torch::nn::AnyModule` holds any of them.");

  nb.cell("28");
  const std::vector<torch::nn::AnyModule> layers{
      torch::nn::AnyModule(torch::nn::ReLU()),     torch::nn::AnyModule(torch::nn::GELU()),
      torch::nn::AnyModule(torch::nn::SiLU()),     torch::nn::AnyModule(torch::nn::Mish()),
      torch::nn::AnyModule(torch::nn::ELU()),      torch::nn::AnyModule(torch::nn::Softplus()),
      torch::nn::AnyModule(torch::nn::Hardtanh()), torch::nn::AnyModule(torch::nn::LogSigmoid()),
      torch::nn::AnyModule(torch::nn::Tanh()),     torch::nn::AnyModule(torch::nn::Sigmoid())};
  for (torch::nn::AnyModule layer : layers) {
    nb.print(layer.forward(points).to(torch::kDouble).sum());
  }

  nb.cell("29");
  torch::manual_seed(20);
  nb.print(F::rrelu(x, F::RReLUFuncOptions().lower(0.1).upper(0.3).training(true)));
  nb.print(F::rrelu(x, F::RReLUFuncOptions().lower(0.1).upper(0.3)));
  Tensor clamped = x.clone();  // (8)
  torch::relu_(clamped);
  nb.display(clamped);

  nb.note("At last, the second derivative of tanh.");

  nb.cell("30");
  const Tensor second = torch::tensor({-1.0, 0.5, 2.0}, torch::requires_grad());  // (3)
  const Tensor total = torch::tanh(second).sum();                                 // ()
  const Tensor first_order = torch::autograd::grad({total}, {second}, /*grad_outputs=*/{},
                                                   /*retain_graph=*/true, /*create_graph=*/true)[0];
  const Tensor second_order = torch::autograd::grad({first_order.sum()}, {second})[0];  // (3)
  nb.print(first_order.detach());
  nb.display(second_order);
}
