// Training of a small network: gradients, six optimizers, schedulers, clipping, gradients of gradients and
// state_dicts. Every optimizer starts from the same weights.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/training/nn.h>
#include <torchbook/training/optim.h>
#include <torchbook/training/schedulers.h>
#include <torchbook/training/state_dict.h>

using torch::Tensor;
using torch::indexing::None;
using torch::indexing::Slice;
using torchbook::f;

void training_steps(torchbook::Notebook& nb) {
  nb.cell("1");
  // The headers at the top of this file stand for the three imports.

  nb.note(
      "The network has two layers. The data are drawn once: the targets are a smooth function of the "
      "inputs.");

  nb.cell("2");
  struct NetImpl : torch::nn::Module {
    NetImpl(int64_t inputs, int64_t hidden, int64_t outputs) {
      first = register_module("first", torchbook::nn::Linear(inputs, hidden));
      second = register_module("second", torchbook::nn::Linear(hidden, outputs));
    }

    Tensor forward(const Tensor& x) { return second(torch::tanh(first(x))); }

    torchbook::nn::Linear first{nullptr};
    torchbook::nn::Linear second{nullptr};
  };
  TORCH_MODULE(Net);

  nb.cell("3");
  torch::manual_seed(3);
  const Tensor x = torch::randn({32, 3});  // (32, 3)
  const Tensor y = torch::sin(x.index({Slice(), Slice(None, 1)})) +
                   0.5 * x.index({Slice(), Slice(1, 2)}) * x.index({Slice(), Slice(2, None)});  // (32, 1)
  nb.display(y.index({Slice(None, 4)}));

  nb.cell("4");
  torch::manual_seed(1);
  Net net(3, 8, 1);
  Tensor loss = torch::mse_loss(net(x), y);  // ()
  loss.backward();
  nb.print(loss.detach());
  for (const auto& [name, parameter] : net->named_parameters().pairs()) {
    nb.print(name, torchbook::shape(parameter), parameter.grad().flatten().index({Slice(None, 3)}));
  }

  nb.cell("5");
  torch::mse_loss(net(x), y).backward();
  nb.print(net->second->bias.grad());
  net->zero_grad();
  torch::mse_loss(net(x), y).backward();
  nb.print(net->second->bias.grad());

  nb.note("Each optimizer starts from the same weights and takes ten steps.");

  nb.cell("6");
  torch::manual_seed(1);
  net = Net(3, 8, 1);
  torch::optim::SGD sgd(net->parameters(), torch::optim::SGDOptions(0.1));
  for (int64_t step = 0; step < 10; ++step) {
    sgd.zero_grad();
    loss = torch::mse_loss(net(x), y);
    loss.backward();
    sgd.step();
    nb.print(f("{} {:.4f}", step, loss.item<double>()));
  }

  nb.cell("7");
  torch::manual_seed(1);
  net = Net(3, 8, 1);
  torch::optim::SGD heavy_ball(net->parameters(), torch::optim::SGDOptions(0.05).momentum(0.9));
  for (int64_t step = 0; step < 10; ++step) {
    heavy_ball.zero_grad();
    loss = torch::mse_loss(net(x), y);
    loss.backward();
    heavy_ball.step();
    nb.print(f("{} {:.4f}", step, loss.item<double>()));
  }
  nb.display(net->second->weight.detach());

  nb.cell("8");
  torch::manual_seed(1);
  net = Net(3, 8, 1);
  torch::optim::SGD nesterov(net->parameters(),
                             torch::optim::SGDOptions(0.05).momentum(0.9).weight_decay(0.01).nesterov(true));
  for (int64_t step = 0; step < 10; ++step) {
    nesterov.zero_grad();
    loss = torch::mse_loss(net(x), y);
    loss.backward();
    nesterov.step();
    nb.print(f("{} {:.4f}", step, loss.item<double>()));
  }
  nb.display(net->second->weight.detach());

  nb.cell("9");
  torch::manual_seed(1);
  net = Net(3, 8, 1);
  torchbook::optim::Adam adam(net->parameters(), torch::optim::AdamOptions(0.01));
  for (int64_t step = 0; step < 10; ++step) {
    adam.zero_grad();
    loss = torch::mse_loss(net(x), y);
    loss.backward();
    adam.step();
    nb.print(f("{} {:.4f}", step, loss.item<double>()));
  }
  nb.display(net->second->weight.detach());

  nb.cell("10");
  torch::manual_seed(1);
  net = Net(3, 8, 1);
  torchbook::optim::AdamW adamw(net->parameters(), torch::optim::AdamWOptions(0.01).weight_decay(0.1));
  for (int64_t step = 0; step < 10; ++step) {
    adamw.zero_grad();
    loss = torch::mse_loss(net(x), y);
    loss.backward();
    adamw.step();
    nb.print(f("{} {:.4f}", step, loss.item<double>()));
  }
  nb.display(net->second->weight.detach());

  nb.cell("11");
  torch::manual_seed(1);
  net = Net(3, 8, 1);
  torch::optim::RMSprop rmsprop(net->parameters(), torch::optim::RMSpropOptions(0.01).alpha(0.9));
  for (int64_t step = 0; step < 10; ++step) {
    rmsprop.zero_grad();
    loss = torch::mse_loss(net(x), y);
    loss.backward();
    rmsprop.step();
    nb.print(f("{} {:.4f}", step, loss.item<double>()));
  }
  nb.display(net->second->weight.detach());

  nb.cell("12");
  torch::manual_seed(1);
  net = Net(3, 8, 1);
  torch::optim::Adagrad adagrad(net->parameters(), torch::optim::AdagradOptions(0.05));
  for (int64_t step = 0; step < 10; ++step) {
    adagrad.zero_grad();
    loss = torch::mse_loss(net(x), y);
    loss.backward();
    adagrad.step();
    nb.print(f("{} {:.4f}", step, loss.item<double>()));
  }
  nb.display(net->second->weight.detach());

  nb.cell("13");
  torch::manual_seed(1);
  net = Net(3, 8, 1);
  torchbook::optim::Adam amsgrad(
      net->parameters(),
      torch::optim::AdamOptions(0.02).betas({0.8, 0.99}).eps(1e-6).weight_decay(0.05).amsgrad(true));
  for (int64_t step = 0; step < 10; ++step) {
    amsgrad.zero_grad();
    loss = torch::mse_loss(net(x), y);
    loss.backward();
    amsgrad.step();
  }
  nb.print(loss.detach());
  nb.display(net->first->bias.detach());

  nb.note(
      "A scheduler lowers the learning rate as training goes on. Clipping keeps a step small if the "
      "gradients are large.");

  nb.cell("14");
  torch::manual_seed(1);
  net = Net(3, 8, 1);
  torch::optim::SGD decayed(net->parameters(), torch::optim::SGDOptions(0.2));
  torchbook::optim::StepLR scheduler(decayed, 3, 0.5);
  for (int64_t step = 0; step < 10; ++step) {
    decayed.zero_grad();
    loss = torch::mse_loss(net(x), y);
    loss.backward();
    decayed.step();
    nb.print(f("{} {:.4f} {:.4f}", step, decayed.param_groups()[0].options().get_lr(), loss.item<double>()));
    scheduler.step();
  }

  nb.cell("15");
  torch::manual_seed(1);
  net = Net(3, 8, 1);
  torch::optim::SGD clipped(net->parameters(), torch::optim::SGDOptions(0.1));
  torchbook::optim::ExponentialLR decay(clipped, 0.9);
  for (int64_t step = 0; step < 5; ++step) {
    clipped.zero_grad();
    loss = torch::mse_loss(net(x) * 10, y);
    loss.backward();
    const Tensor norm = torchbook::nn::clip_grad_norm_(net->parameters(), 1.0);
    clipped.step();
    decay.step();
    nb.print(f("{:.4f} {:.4f} {:.5f}", loss.item<double>(), norm.item<double>(),
               clipped.param_groups()[0].options().get_lr()));
  }

  nb.cell("16");
  torch::mse_loss(net(x), y * 10).backward();
  torch::nn::utils::clip_grad_value_(net->parameters(), 0.25);
  nb.display(net->second->weight.grad());

  nb.note("With create_graph, a gradient is itself part of a graph and can be differentiated again.");

  nb.cell("17");
  const Tensor t = torch::tensor({0.5, -1.0, 2.0}, torch::requires_grad());  // (3)
  const Tensor slope = torch::autograd::grad({t.pow(4).sum()}, {t}, /*grad_outputs=*/{},
                                             /*retain_graph=*/c10::nullopt, /*create_graph=*/true)[0];  // (3)
  nb.print(slope);
  const Tensor curvature =
      torch::autograd::grad({slope.sum()}, {t}, /*grad_outputs=*/{},
                            /*retain_graph=*/c10::nullopt, /*create_graph=*/true)[0];  // (3)
  nb.print(curvature);
  nb.print(torch::autograd::grad({curvature.sum()}, {t})[0]);

  nb.cell("18");
  torch::manual_seed(2);
  Net critic(3, 4, 1);
  const Tensor points = x.index({Slice(None, 5)}).clone().requires_grad_();  // (5, 3)
  const Tensor slopes =
      torch::autograd::grad({critic(points).sum()}, {points}, /*grad_outputs=*/{},
                            /*retain_graph=*/c10::nullopt, /*create_graph=*/true)[0];         // (5, 3)
  const Tensor penalty = (torchbook::nn::norm(slopes, std::nullopt, {1}) - 1).pow(2).mean();  // ()
  penalty.backward();
  nb.print(penalty.detach());
  nb.print(critic->first->weight.grad());

  nb.note("no_grad and detach keep operations out of the graph.");

  nb.cell("19");
  Tensor silent;
  {
    torch::NoGradGuard no_grad;
    silent = critic(x.index({Slice(None, 2)}));
  }
  const Tensor held = critic(x.index({Slice(None, 2)})).detach();  // (2, 1)
  nb.print(silent.requires_grad(), held.requires_grad(), critic(x.index({Slice(None, 2)})).requires_grad());
  nb.print(torch::equal(silent, held), silent);

  nb.cell("20");
  Tensor s = torch::tensor(3.0, torch::requires_grad());  // ()
  const Tensor product = s * s.detach();                  // (): recorded before the square, as in Python
  (product + s.pow(2)).backward();
  nb.print(s.grad());
  {
    torch::NoGradGuard no_grad;
    s -= 0.1 * s.grad();
    s.grad().zero_();
  }
  nb.print(s, s.grad());

  nb.cell("21");
  torch::manual_seed(6);
  Net frozen(3, 4, 1);
  for (const Tensor& parameter : frozen->first->parameters()) {
    parameter.requires_grad_(false);
  }
  torch::mse_loss(frozen(x), y).backward();
  nb.print(frozen->first->weight.grad(), frozen->second->bias.grad());

  nb.note("A state_dict holds the parameters by name. Another network that loads it computes the same.");

  nb.cell("22");
  torch::manual_seed(4);
  Net source(3, 4, 1);
  torch::manual_seed(5);
  Net copy(3, 4, 1);
  nb.print(torch::equal(source(x), copy(x)));
  torchbook::nn::load_state_dict(*copy, torchbook::nn::state_dict(*source));
  nb.print(torch::equal(source(x), copy(x)));
  nb.display(copy(x.index({Slice(None, 3)})).detach());

  nb.cell("23");
  torch::optim::SGD optimizer(copy->parameters(), torch::optim::SGDOptions(0.1));
  torch::mse_loss(copy(x), y).backward();
  optimizer.step();
  nb.print(torch::equal(source->second->bias, copy->second->bias));
  nb.print(source->second->bias.detach(), copy->second->bias.detach());
  for (const auto& [name, value] : torchbook::nn::state_dict(*source).items()) {
    nb.print(name, torchbook::shape(value));
  }
}
