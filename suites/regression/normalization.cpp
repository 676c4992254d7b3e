// Normalization in C++: over layers, batches, groups, instances and by the root mean square, in training and
// in evaluation, with the gradients. Tensors have the sizes N (batch), C (channels), H and W (height and
// width).
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/training/nn.h>

#include <optional>
#include <tuple>

using torch::Tensor;
using torch::indexing::None;
using torch::indexing::Slice;
using torchbook::f;
namespace F = torch::nn::functional;

void normalization(torchbook::Notebook& nb) {
  nb.cell("1");
  // Nothing to do: the headers were included above.

  nb.cell("2");
  torch::manual_seed(4);
  const Tensor x = torch::randn({4, 6}) * 3 + 1;  // (N, C)
  nb.display(x);

  nb.note(
      "A layer norm makes the mean of each row 0 and its variance 1. Then it scales and shifts each channel "
      "by parameters, which are 1 and 0 at first.");

  nb.cell("3");
  torch::nn::LayerNorm norm(torch::nn::LayerNormOptions({6}));
  Tensor y = norm(x);  // (N, C)
  nb.print(torch::allclose(y.mean(-1), torch::zeros(4), /*rtol=*/1e-5, 1e-6));
  nb.print(torch::allclose(y.var(-1, /*unbiased=*/false), torch::ones(4), /*rtol=*/1e-5, 1e-4));
  nb.display(y.detach());

  nb.cell("4");
  const Tensor mean = x.mean(-1, /*keepdim=*/true);                         // (N, 1)
  const Tensor variance = x.var(-1, /*unbiased=*/false, /*keepdim=*/true);  // (N, 1)
  Tensor by_hand = (x - mean) / torch::sqrt(variance + 1e-5);               // (N, C)
  nb.print(torch::allclose(by_hand, y, /*rtol=*/1e-5, 1e-6));
  nb.display(torch::cat({mean, variance}, 1));

  nb.cell("5");
  {
    torch::NoGradGuard no_grad;
    norm->weight.copy_(torch::tensor({1.0, 2.0, 0.5, 1.5, 1.0, 3.0}));
    norm->bias.copy_(torch::tensor({0.1, 0.2, 0.3, 0.4, 0.5, 0.6}));
  }
  nb.display(norm(x).detach().index({Slice(None, 2)}));

  nb.note(
      "The gradients of the parameters are sums over the rows. A shift of a whole row changes nothing after "
      "a layer norm, so the gradient of each row of the input sums to 0.");

  nb.cell("6");
  const Tensor target = torch::randn({4, 6});        // (N, C)
  Tensor learned = x.clone().requires_grad_();       // (N, C)
  Tensor loss = F::mse_loss(norm(learned), target);  // ()
  loss.backward();
  nb.print(f("loss {:.4f}", loss.item<double>()));
  nb.print(norm->weight.grad());
  nb.print(norm->bias.grad());
  nb.display(learned.grad().index({Slice(None, 2)}));

  nb.cell("7");
  nb.print(torch::allclose(learned.grad().sum(-1), torch::zeros(4), /*rtol=*/1e-5, 1e-5));
  const Tensor images = torch::randn({2, 4, 3, 5}) * 2 - 0.5;  // (N, C, H, W)
  const Tensor over_two = torch::layer_norm(images, {3, 5});   // (N, C, H, W)
  nb.print(torchbook::shape(over_two), over_two.abs().to(torch::kDouble).sum());
  nb.display(over_two.index({0, 1}));

  nb.cell("8");
  nb.display(torch::layer_norm(x, {6}, torch::full({6}, 2.0), torch::ones(6), 0.1)[1]);

  nb.note(
      "A batch norm computes the mean and the variance of each channel over the batch. It keeps running "
      "values of both: each step moves them by a tenth towards those of the batch. The running variance is "
      "the unbiased one.");

  nb.cell("9");
  torch::nn::BatchNorm1d batch_norm(3);
  torch::manual_seed(5);
  const Tensor batch =
      torch::randn({6, 3}) * torch::tensor({1.0, 2.0, 4.0}) + torch::tensor({0.0, 1.0, -2.0});  // (N, C)
  y = batch_norm(batch);                                                                        // (N, C)
  nb.print(batch_norm->running_mean, batch_norm->running_var, batch_norm->num_batches_tracked);
  nb.display(y.detach());

  nb.cell("10");
  for (int64_t step = 0; step < 3; ++step) {
    batch_norm(torch::randn({6, 3}) + step);
    nb.print(step, batch_norm->running_mean, batch_norm->running_var);
  }
  nb.display(batch_norm->num_batches_tracked);

  nb.note(
      "In evaluation, the running values are used, so each row is normalized by itself. The gradients are "
      "then simpler, too.");

  nb.cell("11");
  batch_norm->eval();
  nb.print(batch_norm->is_training());
  y = batch_norm(batch);                                                                       // (N, C)
  by_hand = (batch - batch_norm->running_mean) / torch::sqrt(batch_norm->running_var + 1e-5);  // (N, C)
  nb.print(torch::allclose(y, by_hand, /*rtol=*/1e-5, 1e-5));
  nb.display(y.detach());

  nb.cell("12");
  learned = batch.clone().requires_grad_();  // (N, C)
  batch_norm(learned).square().mean().backward();
  nb.print(batch_norm->weight.grad(), batch_norm->bias.grad());
  nb.display(learned.grad().index({Slice(None, 2)}));

  nb.cell("13");
  batch_norm->train();
  batch_norm->zero_grad();
  learned = batch.clone().requires_grad_();  // (N, C)
  batch_norm(learned).pow(3).mean().backward();
  nb.print(batch_norm->weight.grad(), batch_norm->bias.grad());
  nb.display(learned.grad());

  nb.note(
      "Python's `momentum=None` is `c10::nullopt` in C++: the running values are averages of all batches. A "
      "batch norm without running values uses those of the batch in evaluation, too.");

  nb.cell("14");
  torch::nn::BatchNorm1d averaged(torch::nn::BatchNorm1dOptions(3).momentum(c10::nullopt));
  for (int64_t step = 0; step < 3; ++step) {
    averaged(batch * (step + 1));
  }
  nb.display(std::make_tuple(averaged->running_mean, averaged->running_var));

  nb.cell("15");
  torch::nn::BatchNorm1d plain(torch::nn::BatchNorm1dOptions(3).affine(false).track_running_stats(false));
  nb.print(static_cast<int64_t>(plain->parameters().size()));
  const Tensor sequence = torch::randn({2, 3, 4});  // (N, C, 4)
  nb.display(plain(sequence)[0]);

  nb.cell("16");
  nb.display(F::batch_norm(batch, torch::zeros(3), torch::full({3}, 4.0), F::BatchNormFuncOptions().eps(0.01))
                 .index({Slice(None, 3)}));

  nb.note("BatchNorm2d computes its values over the batch, the height and the width of images.");

  nb.cell("17");
  torch::nn::BatchNorm2d batch_norm2d(torch::nn::BatchNorm2dOptions(4).momentum(0.3));
  y = batch_norm2d(images);  // (N, C, H, W)
  nb.print(torchbook::shape(y), batch_norm2d->running_mean, batch_norm2d->running_var);
  nb.print(y.abs().to(torch::kDouble).sum().detach());
  nb.display(y.index({1, 2}).detach());

  nb.cell("18");
  batch_norm2d->eval();
  y = batch_norm2d(images);  // (N, C, H, W)
  nb.print(y.to(torch::kDouble).sum().detach());
  nb.display(y.index({1, 2}).detach());

  nb.note(
      "A group norm divides the channels into groups and normalizes each group of each image. One group is a "
      "layer norm over all but the batch. As many groups as channels make an instance norm.");

  nb.cell("19");
  torch::nn::GroupNorm group_norm(2, 4);
  y = group_norm(images);                         // (N, C, H, W)
  const Tensor groups = images.view({2, 2, -1});  // (N, groups, elements)
  by_hand =
      (groups - groups.mean(-1, /*keepdim=*/true)) /
      torch::sqrt(groups.var(-1, /*unbiased=*/false, /*keepdim=*/true) + 1e-5);  // (N, groups, elements)
  nb.print(torch::allclose(by_hand.view_as(images), y, /*rtol=*/1e-5, 1e-5));
  nb.display(y.index({1, Slice(), 0}).detach());

  nb.cell("20");
  learned = images.clone().requires_grad_();          // (N, C, H, W)
  const Tensor weights = torch::randn({2, 4, 3, 5});  // (N, C, H, W)
  (group_norm(learned) * weights).sum().backward();
  nb.print(group_norm->weight.grad(), group_norm->bias.grad());
  nb.display(learned.grad().index({0, Slice(), 1}));

  nb.cell("21");
  const Tensor one_group = F::group_norm(images, F::GroupNormFuncOptions(1));    // (N, C, H, W)
  const Tensor four_groups = F::group_norm(images, F::GroupNormFuncOptions(4));  // (N, C, H, W)
  nb.print(torch::allclose(one_group, torch::layer_norm(images, {4, 3, 5}), /*rtol=*/1e-5, 1e-5));
  nb.print(torch::allclose(four_groups, over_two, /*rtol=*/1e-5, 1e-5));
  nb.display(one_group.index({1, 3}));

  nb.cell("22");
  torch::nn::InstanceNorm2d instance_norm(torch::nn::InstanceNorm2dOptions(4).affine(true));
  y = instance_norm(images);  // (N, C, H, W)
  nb.print(torch::allclose(y, four_groups, /*rtol=*/1e-5, 1e-5));
  nb.display(y.index({1, 0}).detach());

  nb.cell("23");
  torch::nn::InstanceNorm1d tracked(torch::nn::InstanceNorm1dOptions(3).track_running_stats(true));
  tracked(sequence);
  nb.print(tracked->running_mean, tracked->running_var);
  tracked->eval();
  nb.display(tracked(sequence)[1]);

  nb.note(
      "An RMS norm subtracts no mean. LibTorch 1.13 has none, so both languages have a module of their own.");

  nb.cell("24");
  struct RMSNormImpl : torch::nn::Module {
    explicit RMSNormImpl(int64_t channels, double eps = 1e-6) : eps(eps) {
      weight = register_parameter("weight", torch::ones(channels));
    }

    Tensor forward(const Tensor& input) {
      const Tensor scale = torch::rsqrt(input.pow(2).mean(-1, /*keepdim=*/true) + eps);  // (N, 1)
      return input * scale * weight;                                                     // (N, C)
    }

    double eps;
    Tensor weight;
  };
  TORCH_MODULE(RMSNorm);

  nb.cell("25");
  RMSNorm rms_norm(6);
  y = rms_norm(x);  // (N, C)
  nb.print(torch::allclose(y.pow(2).mean(-1), torch::ones(4), /*rtol=*/1e-5, 1e-5));
  nb.display(y.detach());

  nb.cell("26");
  learned = x.clone().requires_grad_();           // (N, C)
  loss = F::mse_loss(rms_norm(learned), target);  // ()
  loss.backward();
  nb.print(f("loss {:.4f}", loss.item<double>()));
  nb.print(rms_norm->weight.grad());
  nb.display(learned.grad().index({Slice(None, 3)}));

  nb.note(
      "Local response normalization divides by a sum of squares over the neighbouring channels. `normalize` "
      "divides by a norm.");

  nb.cell("27");
  nb.display(F::local_response_norm(images, F::LocalResponseNormFuncOptions(3).alpha(0.5).beta(0.75).k(1.0))
                 .index({0, Slice(), 0}));

  nb.cell("28");
  const Tensor lengths = F::normalize(x, F::NormalizeFuncOptions().dim(-1));  // (N, C)
  nb.print(torch::allclose(torchbook::nn::norm(lengths, std::nullopt, {-1}), torch::ones(4)));
  nb.display(F::normalize(x, F::NormalizeFuncOptions().p(1.0).dim(0)));

  nb.note(
      "At last, a network with a layer norm and a batch norm is trained, and its loss is computed again in "
      "evaluation.");

  nb.cell("29");
  torch::manual_seed(6);
  torch::nn::Sequential model{
      torchbook::nn::Linear(6, 8), torch::nn::LayerNorm(torch::nn::LayerNormOptions({8})),
      torch::nn::ReLU(),           torchbook::nn::Linear(8, 8),
      torch::nn::BatchNorm1d(8),   torch::nn::Tanh(),
      torchbook::nn::Linear(8, 6)};
  torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(0.2));
  for (int64_t step = 0; step < 5; ++step) {
    loss = F::mse_loss(model->forward(x), target);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    nb.print(f("step {}: loss {:.4f}", step, loss.item<double>()));
  }

  nb.cell("30");
  model->eval();
  nb.print(f("loss in eval {:.4f}", F::mse_loss(model->forward(x), target).item<double>()));
  nb.display(model->forward(x).detach().index({Slice(None, 2)}));
}
