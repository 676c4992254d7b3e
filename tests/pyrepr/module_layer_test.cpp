// Tests the text of linear, recurrent, embedding and dropout layers, and of layers that only move elements.
#include <gtest/gtest.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/fold.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/pixelshuffle.h>
#include <torch/nn/modules/rnn.h>
#include <torch/nn/modules/upsampling.h>
#include <torchbook/pyrepr/module.h>
#include <torchbook/pyrepr/release.h>

#include "judged.h"

namespace torchbook::pyrepr {
namespace {

namespace nn = torch::nn;

TEST(ModuleLinear, ShowsItsFeatures) {
  EXPECT_PYTHON("repr(nn.Linear(3, 4))", repr(nn::Linear(3, 4)),
                "Linear(in_features=3, out_features=4, bias=True)");
  EXPECT_PYTHON("repr(nn.Linear(3, 4, bias=False))", repr(nn::Linear(nn::LinearOptions(3, 4).bias(false))),
                "Linear(in_features=3, out_features=4, bias=False)");
  EXPECT_PYTHON("repr(nn.Bilinear(2, 3, 4))", repr(nn::Bilinear(2, 3, 4)),
                "Bilinear(in1_features=2, in2_features=3, out_features=4, bias=True)");
  EXPECT_PYTHON("repr(nn.Bilinear(2, 3, 4, False))",
                repr(nn::Bilinear(nn::BilinearOptions(2, 3, 4).bias(false))),
                "Bilinear(in1_features=2, in2_features=3, out_features=4, bias=False)");
  EXPECT_PYTHON("repr(nn.Identity())", repr(nn::Identity()), "Identity()");
}

TEST(ModuleShape, ShowsItsDimensions) {
  EXPECT_PYTHON("repr(nn.Flatten())", repr(nn::Flatten()), "Flatten(start_dim=1, end_dim=-1)");
  EXPECT_PYTHON("repr(nn.Flatten(0, 2))", repr(nn::Flatten(nn::FlattenOptions().start_dim(0).end_dim(2))),
                "Flatten(start_dim=0, end_dim=2)");
  EXPECT_PYTHON("repr(nn.Unflatten(1, (2, 5)))", repr(nn::Unflatten(nn::UnflattenOptions(1, {2, 5}))),
                "Unflatten(dim=1, unflattened_size=(2, 5))");
  EXPECT_PYTHON("repr(nn.Unflatten(-1, (6,)))", repr(nn::Unflatten(nn::UnflattenOptions(-1, {6}))),
                "Unflatten(dim=-1, unflattened_size=(6,))");
  EXPECT_PYTHON("repr(nn.PixelShuffle(3))", repr(nn::PixelShuffle(3)), "PixelShuffle(upscale_factor=3)");
  EXPECT_PYTHON("repr(nn.PixelUnshuffle(2))", repr(nn::PixelUnshuffle(2)),
                "PixelUnshuffle(downscale_factor=2)");
}

#if !TORCHBOOK_LIBTORCH_AT_LEAST(2, 7)
TEST(ModuleShape, ShowsNamedDimensions) {
  EXPECT_PYTHON("repr(nn.Unflatten('features', (('C', 2), ('W', 5))))",
                repr(nn::Unflatten("features", nn::UnflattenOptions::namedshape_t{{"C", 2}, {"W", 5}})),
                "Unflatten(dim=features, unflattened_size=(('C', 2), ('W', 5)))");
}
#endif

TEST(ModuleFold, ShowsEqualSizesAsOneNumber) {
  EXPECT_PYTHON("repr(nn.Fold((4, 5), 2))", repr(nn::Fold(nn::FoldOptions({4, 5}, 2))),
                "Fold(output_size=(4, 5), kernel_size=2, dilation=1, padding=0, stride=1)");
  EXPECT_PYTHON("repr(nn.Fold(4, (2, 3), dilation=(1, 2), padding=1, stride=2))",
                repr(nn::Fold(nn::FoldOptions(4, {2, 3}).dilation({1, 2}).padding(1).stride(2))),
                "Fold(output_size=4, kernel_size=(2, 3), dilation=(1, 2), padding=1, stride=2)");
  EXPECT_PYTHON("repr(nn.Unfold(2))", repr(nn::Unfold(nn::UnfoldOptions(2))),
                "Unfold(kernel_size=2, dilation=1, padding=0, stride=1)");
  EXPECT_PYTHON("repr(nn.Unfold((2, 3), dilation=2, padding=(0, 1), stride=3))",
                repr(nn::Unfold(nn::UnfoldOptions({2, 3}).dilation(2).padding({0, 1}).stride(3))),
                "Unfold(kernel_size=(2, 3), dilation=2, padding=(0, 1), stride=3)");
}

TEST(ModuleUpsample, ShowsItsScaleOrItsSize) {
  const std::string quote = release::quotes_modes ? "'" : "";
  const auto mode = [&](const std::string& name) { return ", mode=" + quote + name + quote + ")"; };
  using Factors = std::vector<double>;
  using Sizes = std::vector<std::int64_t>;
  EXPECT_PYTHON("repr(nn.Upsample(scale_factor=2))",
                repr(nn::Upsample(nn::UpsampleOptions().scale_factor(Factors{2}))),
                "Upsample(scale_factor=2.0" + mode("nearest"));
  EXPECT_PYTHON(
      "repr(nn.Upsample(scale_factor=(2, 1.5), mode='bilinear'))",
      repr(nn::Upsample(nn::UpsampleOptions().scale_factor(Factors{2, 1.5}).mode(torch::kBilinear))),
      "Upsample(scale_factor=(2.0, 1.5)" + mode("bilinear"));
  EXPECT_PYTHON(
      "repr(nn.Upsample(7, mode='linear', align_corners=True))",
      repr(nn::Upsample(nn::UpsampleOptions().size(Sizes{7}).mode(torch::kLinear).align_corners(true))),
      "Upsample(size=7" + mode("linear"));
  EXPECT_PYTHON("repr(nn.Upsample(size=(3, 4), mode='bicubic'))",
                repr(nn::Upsample(nn::UpsampleOptions().size(Sizes{3, 4}).mode(torch::kBicubic))),
                "Upsample(size=(3, 4)" + mode("bicubic"));
  EXPECT_PYTHON("repr(nn.Upsample(size=2, mode='trilinear'))",
                repr(nn::Upsample(nn::UpsampleOptions().size(Sizes{2, 2, 2}).mode(torch::kTrilinear))),
                "Upsample(size=2" + mode("trilinear"));
  EXPECT_PYTHON("repr(nn.Upsample())", repr(nn::Upsample()), "Upsample(size=None" + mode("nearest"));
}

TEST(ModuleEmbedding, ShowsOnlyWhatIsNotTheDefault) {
  EXPECT_PYTHON("repr(nn.Embedding(10, 3))", repr(nn::Embedding(10, 3)), "Embedding(10, 3)");
  EXPECT_PYTHON("repr(nn.Embedding(10, 3, padding_idx=-1))",
                repr(nn::Embedding(nn::EmbeddingOptions(10, 3).padding_idx(-1))),
                "Embedding(10, 3, padding_idx=9)");
  EXPECT_PYTHON(
      "repr(nn.Embedding(10, 3, 0, 1.5, 1.0, True, True))",
      repr(nn::Embedding(nn::EmbeddingOptions(10, 3)
                             .padding_idx(0)
                             .max_norm(1.5)
                             .norm_type(1)
                             .scale_grad_by_freq(true)
                             .sparse(true))),
      "Embedding(10, 3, padding_idx=0, max_norm=1.5, norm_type=1.0, scale_grad_by_freq=True, sparse=True)");
}

TEST(ModuleEmbedding, OfBagsShowsItsMode) {
  const auto mode = [](const std::string& name) {
    return ", mode=" + (release::quotes_modes ? "'" + name + "'" : name);
  };
  EXPECT_PYTHON("repr(nn.EmbeddingBag(10, 3))", repr(nn::EmbeddingBag(10, 3)),
                "EmbeddingBag(10, 3" + mode("mean") + ")");
  EXPECT_PYTHON(
      "repr(nn.EmbeddingBag(10, 3, mode='max', padding_idx=2, include_last_offset=True))",
      repr(nn::EmbeddingBag(
          nn::EmbeddingBagOptions(10, 3).mode(torch::kMax).padding_idx(2).include_last_offset(true))),
      "EmbeddingBag(10, 3" + mode("max") + ", padding_idx=2)");
  EXPECT_PYTHON(
      "repr(nn.EmbeddingBag(10, 3, 2.0, 3.0, True, 'sum', True))",
      repr(nn::EmbeddingBag(nn::EmbeddingBagOptions(10, 3)
                                .max_norm(2)
                                .norm_type(3)
                                .scale_grad_by_freq(true)
                                .mode(torch::kSum)
                                .sparse(true))),
      "EmbeddingBag(10, 3, max_norm=2.0, norm_type=3.0, scale_grad_by_freq=True" + mode("sum") + ")");
}

TEST(ModuleRecurrent, ShowsOnlyWhatIsNotTheDefault) {
  EXPECT_PYTHON("repr(nn.RNN(3, 4))", repr(nn::RNN(3, 4)), "RNN(3, 4)");
  EXPECT_PYTHON("repr(nn.RNN(3, 4, nonlinearity='relu'))",
                repr(nn::RNN(nn::RNNOptions(3, 4).nonlinearity(torch::kReLU))), "RNN(3, 4)");
  EXPECT_PYTHON("repr(nn.GRU(3, 4))", repr(nn::GRU(3, 4)), "GRU(3, 4)");
  EXPECT_PYTHON("repr(nn.LSTM(3, 4))", repr(nn::LSTM(3, 4)), "LSTM(3, 4)");
  EXPECT_PYTHON("repr(nn.LSTM(3, 4, 2, False, True, 0.25, True, 2))",
                repr(nn::LSTM(nn::LSTMOptions(3, 4)
                                  .num_layers(2)
                                  .bias(false)
                                  .batch_first(true)
                                  .dropout(0.25)
                                  .bidirectional(true)
                                  .proj_size(2))),
                "LSTM(3, 4, proj_size=2, num_layers=2, bias=False, batch_first=True, dropout=0.25, "
                "bidirectional=True)");
  EXPECT_PYTHON("repr(nn.GRU(3, 4, 2, batch_first=True))",
                repr(nn::GRU(nn::GRUOptions(3, 4).num_layers(2).batch_first(true))),
                "GRU(3, 4, num_layers=2, batch_first=True)");
}

TEST(ModuleRecurrent, CellsShowOnlyWhatIsNotTheDefault) {
  EXPECT_PYTHON("repr(nn.RNNCell(3, 4))", repr(nn::RNNCell(3, 4)), "RNNCell(3, 4)");
  EXPECT_PYTHON("repr(nn.RNNCell(3, 4, False, 'relu'))",
                repr(nn::RNNCell(nn::RNNCellOptions(3, 4).bias(false).nonlinearity(torch::kReLU))),
                "RNNCell(3, 4, bias=False, nonlinearity=relu)");
  EXPECT_PYTHON("repr(nn.LSTMCell(3, 4))", repr(nn::LSTMCell(3, 4)), "LSTMCell(3, 4)");
  EXPECT_PYTHON("repr(nn.LSTMCell(3, 4, False))", repr(nn::LSTMCell(nn::LSTMCellOptions(3, 4).bias(false))),
                "LSTMCell(3, 4, bias=False)");
  EXPECT_PYTHON("repr(nn.GRUCell(3, 4))", repr(nn::GRUCell(3, 4)), "GRUCell(3, 4)");
  EXPECT_PYTHON("repr(nn.GRUCell(3, 4, False))", repr(nn::GRUCell(nn::GRUCellOptions(3, 4).bias(false))),
                "GRUCell(3, 4, bias=False)");
}

TEST(ModuleDropout, ShowsItsProbability) {
  EXPECT_PYTHON("repr(nn.Dropout())", repr(nn::Dropout()), "Dropout(p=0.5, inplace=False)");
  EXPECT_PYTHON("repr(nn.Dropout(0.1, True))", repr(nn::Dropout(nn::DropoutOptions(0.1).inplace(true))),
                "Dropout(p=0.1, inplace=True)");
  EXPECT_PYTHON("repr(nn.Dropout2d(0.2))", repr(nn::Dropout2d(0.2)), "Dropout2d(p=0.2, inplace=False)");
  EXPECT_PYTHON("repr(nn.Dropout3d())", repr(nn::Dropout3d()), "Dropout3d(p=0.5, inplace=False)");
  EXPECT_PYTHON("repr(nn.AlphaDropout(1e-5))", repr(nn::AlphaDropout(1e-5)),
                "AlphaDropout(p=1e-05, inplace=False)");
  EXPECT_PYTHON("repr(nn.FeatureAlphaDropout(0.25, True))",
                repr(nn::FeatureAlphaDropout(nn::FeatureAlphaDropoutOptions(0.25).inplace(true))),
                "FeatureAlphaDropout(p=0.25, inplace=True)");
}

}  // namespace
}  // namespace torchbook::pyrepr
