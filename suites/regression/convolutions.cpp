// Convolutions in C++: with strides, dilation, groups and padding, transposed, as products of patches;
// pooling, padding, interpolation, and a small network. Tensors have the sizes N (batch), C (channels), H, W,
// or L (length).
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/training/nn.h>

#include <string>
#include <tuple>
#include <vector>

using torch::Tensor;
using torch::indexing::None;
using torch::indexing::Slice;
using torchbook::f;
namespace F = torch::nn::functional;

void convolutions(torchbook::Notebook& nb) {
  nb.cell("1");
  // Nothing to do: the headers were included above.

  nb.note(
      "A convolution in one dimension is a product of its weights with windows of the signal. `unfold` of a "
      "tensor makes these windows.");

  nb.cell("2");
  torch::manual_seed(7);
  const Tensor signal = torch::randn({2, 3, 10});  // (N, C, L)
  torch::nn::Conv1d conv1d(3, 4, 3);
  Tensor y = conv1d(signal);  // (N, 4, 8)
  nb.print(torchbook::shape(y), y.to(torch::kDouble).sum().detach());
  nb.display(y[0].detach());

  nb.cell("3");
  const Tensor windows = signal.unfold(2, 3, 1);  // (N, C, 8, 3)
  Tensor by_hand = torch::einsum("bctk,ock->bot", {windows, conv1d->weight}) +
                   conv1d->bias.index({Slice(), None});  // (N, 4, 8)
  nb.print(torchbook::shape(windows), torch::allclose(by_hand, y, /*rtol=*/1e-5, 1e-5));

  nb.cell("4");
  torch::nn::Conv1d strided(torch::nn::Conv1dOptions(3, 2, 4).stride(2).padding(1));
  y = strided(signal);  // (N, 2, 5)
  nb.print(torchbook::shape(y));
  nb.display(y[1].detach());

  nb.cell("5");
  torch::nn::Conv1d dilated(torch::nn::Conv1dOptions(3, 2, 3).padding(3).dilation(3));
  y = dilated(signal);  // (N, 2, 10)
  nb.print(torchbook::shape(y));
  nb.display(y[0].detach());

  nb.note(
      "With as many groups as channels, each channel has kernels of its own. A causal convolution pads on "
      "the left only.");

  nb.cell("6");
  torch::nn::Conv1d depthwise(torch::nn::Conv1dOptions(3, 6, 3).groups(3).bias(false));
  nb.print(torchbook::shape(depthwise->weight));
  nb.display(depthwise(signal)[0].detach());

  nb.cell("7");
  // (N, 4, 10)
  const Tensor causal = torch::conv1d(torch::pad(signal, {2, 0}), conv1d->weight, conv1d->bias);
  nb.print(torchbook::shape(causal));
  nb.display(causal.index({0, Slice(), Slice(None, 4)}).detach());

  nb.note("The same in two dimensions, with gradients of the weights, the bias and the image.");

  nb.cell("8");
  torch::manual_seed(8);
  const Tensor image = torch::randn({2, 3, 6, 6});  // (N, C, H, W)
  torch::nn::Conv2d conv2d(torch::nn::Conv2dOptions(3, 4, 3).padding(1));
  y = conv2d(image);  // (N, 4, H, W)
  nb.print(torchbook::shape(y), y.to(torch::kDouble).sum().detach());
  nb.display(y.index({0, 1}).detach());

  nb.cell("9");
  Tensor learned = image.clone().requires_grad_();  // (N, C, H, W)
  Tensor loss = conv2d(learned).square().mean();    // ()
  loss.backward();
  nb.print(f("loss {:.4f}", loss.item()));
  nb.print(conv2d->bias.grad());
  nb.print(conv2d->weight.grad().index({2, 1}));
  nb.display(learned.grad().index({1, 0}) * 10);

  nb.note(
      "`F::unfold` copies the patches of an image to columns, so that a convolution is a matrix product. "
      "`F::fold` adds them up again, each pixel as often as patches contain it.");

  nb.cell("10");
  const Tensor patches = F::unfold(image, F::UnfoldFuncOptions(3).padding(1));  // (N, 27, H * W)
  by_hand = torch::matmul(conv2d->weight.view({4, -1}), patches).view({2, 4, 6, 6}) +
            conv2d->bias.index({Slice(), None, None});  // (N, 4, H, W)
  nb.print(torchbook::shape(patches), torch::allclose(by_hand, y, /*rtol=*/1e-5, 1e-5));
  nb.display(patches.index({0, Slice(None, 9), Slice(None, 4)}));

  nb.cell("11");
  const auto fold = F::FoldFuncOptions({6, 6}, 3).padding(1);
  const Tensor patches_of_ones =
      F::unfold(torch::ones({1, 1, 6, 6}), F::UnfoldFuncOptions(3).padding(1));  // (1, 9, H * W)
  const Tensor counts = F::fold(patches_of_ones, fold);                          // (1, 1, 6, 6)
  const Tensor folded = F::fold(patches, fold);                                  // (N, C, H, W)
  nb.print(torch::allclose(folded, image * counts, /*rtol=*/1e-5, 1e-5));
  nb.display(counts.index({0, 0}));

  nb.note(
      "Strides, padding and dilation may differ for height and width. In C++, the modes of padding are "
      "constants such as `torch::kReflect`. A name of the padding, as 'same', is an overload of "
      "`torch::conv2d`.");

  nb.cell("12");
  const auto options =
      F::Conv2dFuncOptions().bias(conv2d->bias).stride({2, 1}).padding({0, 1}).dilation({1, 2});
  nb.display(F::conv2d(image, conv2d->weight, options).index({0, 0}).detach());

  nb.cell("13");
  const auto pad_by = [&](const std::string& name, const auto& padding_mode) {
    torch::manual_seed(9);
    torch::nn::Conv2d padded(torch::nn::Conv2dOptions(3, 2, 3).padding(1).padding_mode(padding_mode));
    y = padded(image);  // (N, 2, H, W)
    nb.print(name, torchbook::shape(y), y.to(torch::kDouble).sum().detach());
    nb.print(y.index({0, 0, 0}).detach());
  };
  pad_by("reflect", torch::kReflect);
  pad_by("replicate", torch::kReplicate);
  pad_by("circular", torch::kCircular);

  nb.cell("14");
  // (N, 1, H, W)
  const Tensor same =
      torch::conv2d(image, torch::ones({1, 3, 3, 3}) / 27, /*bias=*/c10::nullopt, /*stride=*/{1, 1}, "same");
  nb.print(torchbook::shape(same));
  nb.display(same.index({0, 0, Slice(None, 3)}));

  nb.cell("15");
  torch::nn::Sequential separable{torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 3, 3).groups(3)),
                                  torch::nn::Conv2d(3, 5, 1)};
  y = separable->forward(image);  // (N, 5, 4, 4)
  int64_t total = 0;
  for (const Tensor& p : separable->parameters()) {
    total += p.numel();
  }
  nb.print(torchbook::shape(y), total);
  nb.display(y.index({1, 4}).detach());

  nb.note(
      "A transposed convolution computes what the gradient of a convolution for its input is. Here both are "
      "compared.");

  nb.cell("16");
  torch::manual_seed(10);
  torch::nn::ConvTranspose1d transposed1d(torch::nn::ConvTranspose1dOptions(3, 2, 4).stride(2).padding(1));
  y = transposed1d(signal);  // (N, 2, 20)
  nb.print(torchbook::shape(y));
  nb.display(y.index({0, Slice(), Slice(None, 8)}).detach());

  nb.cell("17");
  torch::nn::ConvTranspose2d transposed(
      torch::nn::ConvTranspose2dOptions(3, 2, 3).stride(2).padding(1).output_padding(1));
  y = transposed(image);  // (N, 2, 12, 12)
  nb.print(torchbook::shape(y), y.to(torch::kDouble).sum().detach());
  nb.display(y.index({0, 1, Slice(None, 4), Slice(None, 8)}).detach());

  nb.cell("18");
  learned = image.clone().requires_grad_();  // (N, C, H, W)
  y = transposed(learned);                   // (N, 2, 12, 12)
  y.square().mean().backward();
  nb.print(transposed->bias.grad());
  nb.print(transposed->weight.grad().index({0, 1}));
  nb.display(learned.grad().index({0, 2, Slice(None, 3)}) * 10);

  nb.cell("19");
  const Tensor kernel = torch::randn({3, 2, 3, 3});  // (3, 2, 3, 3)
  // (N, 2, 8, 8)
  const Tensor forward = F::conv_transpose2d(image, kernel);
  learned = torch::zeros({2, 2, 8, 8}, torch::requires_grad());  // (N, 2, 8, 8)
  torch::conv2d(learned, kernel).backward(image);
  nb.print(torch::allclose(forward, learned.grad(), /*rtol=*/1e-5, 1e-5));
  nb.display(forward.index({0, 0, Slice(None, 3)}));

  nb.note(
      "Pooling takes the largest element or the mean of windows. Adaptive pooling chooses the windows by the "
      "size of the result. The gradient of a maximum counts how often an element was the largest one.");

  nb.cell("20");
  const auto [pooled, at] =
      F::max_pool2d_with_indices(image, F::MaxPool2dFuncOptions(2));  // (N, 3, 3, 3), twice
  nb.print(at.index({0, 0}));
  nb.display(pooled[0]);

  nb.cell("21");
  nb.print(F::max_unpool2d(pooled, at, F::MaxUnpool2dFuncOptions(2)).index({0, 0}));
  nb.display(torch::max_pool2d(image, 3, 2, 1, 1).index({1, 0}));

  nb.cell("22");
  learned = image.clone().requires_grad_();  // (N, C, H, W)
  torch::max_pool2d(learned, 3, 1).sum().backward();
  nb.display(learned.grad().index({0, 0}));

  nb.cell("23");
  nb.print(torch::avg_pool2d(image, 2).index({0, 0}));
  nb.print(torch::avg_pool2d(image, 3, 2, 1).index({0, 0}));
  nb.display(
      torch::avg_pool2d(image, 3, 2, 1, /*ceil_mode=*/false, /*count_include_pad=*/false).index({0, 0}));

  nb.cell("24");
  nb.print(torch::adaptive_avg_pool2d(image, {2, 4}).index({0, 0}));
  nb.print(F::adaptive_max_pool2d(image, F::AdaptiveMaxPool2dFuncOptions(4)).index({0, 0}));
  nb.display(torch::adaptive_avg_pool2d(image, {1, 1}).flatten(1));

  nb.cell("25");
  nb.print(torch::max_pool1d(signal, 3, 2)[0]);
  nb.print(torch::avg_pool1d(signal, 4, 3)[1]);
  nb.display(F::lp_pool1d(signal.abs(), F::LPPool1dFuncOptions(2.0, 3))[0]);

  nb.cell("26");
  learned = signal.clone().requires_grad_();  // (N, C, L)
  (torch::adaptive_avg_pool1d(learned, 4) * torch::arange(4)).sum().backward();
  nb.display(learned.grad().index({0, 0}));

  nb.note("Padding and interpolation of a small image show which elements are read.");

  nb.cell("27");
  const Tensor small = torch::arange(6.0).view({1, 1, 2, 3});  // (1, 1, 2, 3)
  for (const std::string& mode : std::vector<std::string>{"reflect", "replicate", "circular"}) {
    nb.print(mode);
    nb.print(torch::pad(small, {1, 2, 1, 0}, mode).index({0, 0}));
  }
  nb.display(torch::pad(small, {1, 1, 0, 1}, /*mode=*/"constant", -1.0).index({0, 0}));

  nb.cell("28");
  using Sizes = std::vector<int64_t>;
  const auto nearest =
      F::InterpolateFuncOptions().scale_factor(std::vector<double>{2.0, 2.0}).mode(torch::kNearest);
  nb.print(F::interpolate(small, nearest).index({0, 0}));
  auto bilinear = F::InterpolateFuncOptions().size(Sizes{3, 5}).mode(torch::kBilinear).align_corners(false);
  nb.print(F::interpolate(small, bilinear).index({0, 0}));
  nb.print(F::interpolate(small, bilinear.align_corners(true)).index({0, 0}));
  const auto bicubic =
      F::InterpolateFuncOptions().size(Sizes{4, 4}).mode(torch::kBicubic).align_corners(false);
  nb.display(F::interpolate(small, bicubic).index({0, 0}));

  nb.cell("29");
  const auto area = F::InterpolateFuncOptions().size(Sizes{1, 2}).mode(torch::kArea);
  nb.print(F::interpolate(small, area).index({0, 0}));
  const auto linear = F::InterpolateFuncOptions().size(Sizes{7}).mode(torch::kLinear).align_corners(false);
  nb.print(F::interpolate(signal.index({Slice(None, 1), Slice(None, 1), Slice(None, 4)}), linear));
  learned = small.clone().requires_grad_();  // (1, 1, 2, 3)
  const Tensor larger =
      F::interpolate(learned, bilinear.size(Sizes{3, 4}).align_corners(false));  // (1, 1, 3, 4)
  (larger * torch::arange(12.0).view({3, 4})).sum().backward();
  nb.display(learned.grad().index({0, 0}));

  nb.cell("30");
  nb.print(
      F::pixel_shuffle(torch::arange(8.0).view({1, 4, 1, 2}), F::PixelShuffleFuncOptions(2)).index({0, 0}));
  const Tensor theta = torch::tensor({{{0.8, 0.2, 0.1}, {-0.2, 0.8, 0.0}}});         // (1, 2, 3)
  const Tensor grid = F::affine_grid(theta, {1, 1, 3, 3}, /*align_corners=*/false);  // (1, 3, 3, 2)
  nb.print(grid.index({0, 0}));
  const auto sample =
      F::GridSampleFuncOptions().mode(torch::kBilinear).padding_mode(torch::kZeros).align_corners(false);
  nb.display(F::grid_sample(image.index({Slice(None, 1), Slice(None, 1)}), grid, sample).index({0, 0}));

  nb.note("A convolution in three dimensions, and a small network that is trained.");

  nb.cell("31");
  const Tensor volume = torch::randn({1, 2, 4, 4, 4});  // (1, 2, 4, 4, 4)
  torch::nn::Conv3d conv3d(torch::nn::Conv3dOptions(2, 1, 3).stride(2).padding(1));
  y = conv3d(volume);  // (1, 1, 2, 2, 2)
  nb.print(torchbook::shape(y), F::max_pool3d(volume, F::MaxPool3dFuncOptions(2)).to(torch::kDouble).sum());
  nb.display(y.index({0, 0}).detach());

  nb.cell("32");
  torch::manual_seed(11);
  torch::nn::Sequential network{torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 6, 3).padding(1)),
                                torch::nn::ReLU(),
                                torch::nn::MaxPool2d(2),
                                torch::nn::Conv2d(torch::nn::Conv2dOptions(6, 4, 3).padding(1)),
                                torch::nn::ReLU(),
                                torch::nn::AdaptiveAvgPool2d(1),
                                torch::nn::Flatten(),
                                torchbook::nn::Linear(4, 3)};
  const Tensor labels = torch::tensor({0, 2});  // (N)
  torch::optim::SGD optimizer(network->parameters(), torch::optim::SGDOptions(0.5));
  for (int64_t step = 0; step < 4; ++step) {
    loss = F::cross_entropy(network->forward(image), labels);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    nb.print(f("step {}: loss {:.4f}", step, loss.item()));
  }
  nb.display(network->forward(image).detach());
}
