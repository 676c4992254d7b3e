// Tests the text of poolings.
#include <gtest/gtest.h>
#include <torch/nn/modules/pooling.h>
#include <torchbook/pyrepr/module.h>
#include <torchbook/pyrepr/release.h>

#include "judged.h"

namespace torchbook::pyrepr {
namespace {

namespace nn = torch::nn;

TEST(ModulePooling, OfMaximaShowsEqualSizesAsOneNumber) {
  EXPECT_REPR("nn.MaxPool1d(3)", nn::MaxPool1d(3),
              "MaxPool1d(kernel_size=3, stride=3, padding=0, dilation=1, ceil_mode=False)");
  EXPECT_REPR("nn.MaxPool2d(3, 2, 1, 2, ceil_mode=True)",
              nn::MaxPool2d(nn::MaxPool2dOptions(3).stride(2).padding(1).dilation(2).ceil_mode(true)),
              "MaxPool2d(kernel_size=3, stride=2, padding=1, dilation=2, ceil_mode=True)");
  EXPECT_REPR("nn.MaxPool2d((3, 2))", nn::MaxPool2d(nn::MaxPool2dOptions({3, 2})),
              "MaxPool2d(kernel_size=(3, 2), stride=(3, 2), padding=0, dilation=1, ceil_mode=False)");
  EXPECT_REPR(
      "nn.MaxPool3d((4, 2, 2), stride=(2, 1, 1), padding=(1, 0, 1))",
      nn::MaxPool3d(nn::MaxPool3dOptions({4, 2, 2}).stride({2, 1, 1}).padding({1, 0, 1})),
      "MaxPool3d(kernel_size=(4, 2, 2), stride=(2, 1, 1), padding=(1, 0, 1), dilation=1, ceil_mode=False)");
}

TEST(ModulePooling, OfMeansShowsTuplesInOneDimension) {
  EXPECT_REPR("nn.AvgPool1d(3)", nn::AvgPool1d(3), "AvgPool1d(kernel_size=(3,), stride=(3,), padding=(0,))");
  EXPECT_REPR(
      "nn.AvgPool1d(3, 2, 1, True, False)",
      nn::AvgPool1d(nn::AvgPool1dOptions(3).stride(2).padding(1).ceil_mode(true).count_include_pad(false)),
      "AvgPool1d(kernel_size=(3,), stride=(2,), padding=(1,))");
  EXPECT_REPR("nn.AvgPool2d(3, divisor_override=7)",
              nn::AvgPool2d(nn::AvgPool2dOptions(3).divisor_override(7)),
              "AvgPool2d(kernel_size=3, stride=3, padding=0)");
  EXPECT_REPR("nn.AvgPool3d((3, 2, 2), stride=(2, 1, 2), padding=1)",
              nn::AvgPool3d(nn::AvgPool3dOptions({3, 2, 2}).stride({2, 1, 2}).padding(1)),
              "AvgPool3d(kernel_size=(3, 2, 2), stride=(2, 1, 2), padding=1)");
}

TEST(ModulePooling, UndoneShowsTuples) {
  EXPECT_REPR("nn.MaxUnpool1d(3)", nn::MaxUnpool1d(3),
              "MaxUnpool1d(kernel_size=(3,), stride=(3,), padding=(0,))");
  EXPECT_REPR("nn.MaxUnpool2d(3, 2, 1)", nn::MaxUnpool2d(nn::MaxUnpool2dOptions(3).stride(2).padding(1)),
              "MaxUnpool2d(kernel_size=(3, 3), stride=(2, 2), padding=(1, 1))");
  EXPECT_REPR("nn.MaxUnpool3d(2)", nn::MaxUnpool3d(2),
              "MaxUnpool3d(kernel_size=(2, 2, 2), stride=(2, 2, 2), padding=(0, 0, 0))");
}

TEST(ModulePooling, OfPowersShowsAStrideThatIsNotTheKernel) {
  EXPECT_REPR("nn.LPPool1d(2.0, 3)", nn::LPPool1d(2, 3),
              "LPPool1d(norm_type=2.0, kernel_size=3, stride=None, ceil_mode=False)");
  EXPECT_REPR("nn.LPPool2d(1.5, (3, 2), stride=(2, 1), ceil_mode=True)",
              nn::LPPool2d(nn::LPPool2dOptions(1.5, {3, 2}).stride({2, 1}).ceil_mode(true)),
              "LPPool2d(norm_type=1.5, kernel_size=(3, 2), stride=(2, 1), ceil_mode=True)");
  EXPECT_REPR("nn.LPPool2d(2.0, 3, stride=2)", nn::LPPool2d(nn::LPPool2dOptions(2, 3).stride(2)),
              "LPPool2d(norm_type=2.0, kernel_size=3, stride=2, ceil_mode=False)");
}

#if TORCHBOOK_LIBTORCH_AT_LEAST(2, 6)
TEST(ModulePooling, OfPowersInThreeDimensions) {
  EXPECT_REPR("nn.LPPool3d(2.0, 3)", nn::LPPool3d(2, 3),
              "LPPool3d(norm_type=2.0, kernel_size=3, stride=None, ceil_mode=False)");
}
#endif

TEST(ModulePooling, AdaptiveShowsItsOutputSize) {
  EXPECT_REPR("nn.AdaptiveAvgPool1d(5)", nn::AdaptiveAvgPool1d(5), "AdaptiveAvgPool1d(output_size=5)");
  EXPECT_REPR("nn.AdaptiveAvgPool2d((5, 7))", nn::AdaptiveAvgPool2d(nn::AdaptiveAvgPool2dOptions({5, 7})),
              "AdaptiveAvgPool2d(output_size=(5, 7))");
  EXPECT_REPR("nn.AdaptiveAvgPool3d((5, None, 2))",
              nn::AdaptiveAvgPool3d(nn::AdaptiveAvgPool3dOptions({5, c10::nullopt, 2})),
              "AdaptiveAvgPool3d(output_size=(5, None, 2))");
  EXPECT_REPR("nn.AdaptiveMaxPool1d(5)", nn::AdaptiveMaxPool1d(5), "AdaptiveMaxPool1d(output_size=5)");
  EXPECT_REPR("nn.AdaptiveMaxPool2d(3)", nn::AdaptiveMaxPool2d(3), "AdaptiveMaxPool2d(output_size=3)");
  EXPECT_REPR("nn.AdaptiveMaxPool3d((None, None, 1))",
              nn::AdaptiveMaxPool3d(nn::AdaptiveMaxPool3dOptions({c10::nullopt, c10::nullopt, 1})),
              "AdaptiveMaxPool3d(output_size=(None, None, 1))");
}

TEST(ModulePooling, FractionalShowsNothing) {
  EXPECT_REPR("nn.FractionalMaxPool2d(3, output_size=2)",
              nn::FractionalMaxPool2d(nn::FractionalMaxPool2dOptions(3).output_size(2)),
              "FractionalMaxPool2d()");
  EXPECT_REPR("nn.FractionalMaxPool3d(3, output_ratio=0.5)",
              nn::FractionalMaxPool3d(nn::FractionalMaxPool3dOptions(3).output_ratio(0.5)),
              "FractionalMaxPool3d()");
}

}  // namespace
}  // namespace torchbook::pyrepr
