// Tests the text of convolutions and paddings.
#include <gtest/gtest.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/padding.h>
#include <torchbook/pyrepr/module.h>
#include <torchbook/pyrepr/release.h>

#include "judged.h"

namespace torchbook::pyrepr {
namespace {

namespace nn = torch::nn;

TEST(ModuleConvolution, ShowsSizesAsTuples) {
  EXPECT_REPR("nn.Conv1d(2, 3, 5)", nn::Conv1d(2, 3, 5), "Conv1d(2, 3, kernel_size=(5,), stride=(1,))");
  EXPECT_REPR("nn.Conv2d(2, 3, 5)", nn::Conv2d(2, 3, 5), "Conv2d(2, 3, kernel_size=(5, 5), stride=(1, 1))");
  EXPECT_REPR("nn.Conv3d(2, 3, (1, 2, 3), stride=2)",
              nn::Conv3d(nn::Conv3dOptions(2, 3, {1, 2, 3}).stride(2)),
              "Conv3d(2, 3, kernel_size=(1, 2, 3), stride=(2, 2, 2))");
}

TEST(ModuleConvolution, ShowsOnlyWhatIsNotTheDefault) {
  EXPECT_REPR("nn.Conv2d(4, 6, 3, (2, 1), (0, 1), 2, 2, False, 'reflect')",
              nn::Conv2d(nn::Conv2dOptions(4, 6, 3)
                             .stride({2, 1})
                             .padding({0, 1})
                             .dilation(2)
                             .groups(2)
                             .bias(false)
                             .padding_mode(torch::kReflect)),
              "Conv2d(4, 6, kernel_size=(3, 3), stride=(2, 1), padding=(0, 1), dilation=(2, 2), groups=2, "
              "bias=False, padding_mode=reflect)");
  EXPECT_REPR("nn.Conv1d(1, 1, 3, padding=1, padding_mode='circular')",
              nn::Conv1d(nn::Conv1dOptions(1, 1, 3).padding(1).padding_mode(torch::kCircular)),
              "Conv1d(1, 1, kernel_size=(3,), stride=(1,), padding=(1,), padding_mode=circular)");
  EXPECT_REPR("nn.Conv1d(1, 1, 3, padding_mode='replicate')",
              nn::Conv1d(nn::Conv1dOptions(1, 1, 3).padding_mode(torch::kReplicate)),
              "Conv1d(1, 1, kernel_size=(3,), stride=(1,), padding_mode=replicate)");
}

TEST(ModuleConvolution, NamesItsPadding) {
  EXPECT_REPR("nn.Conv2d(1, 1, 3, padding='same')",
              nn::Conv2d(nn::Conv2dOptions(1, 1, 3).padding(torch::kSame)),
              "Conv2d(1, 1, kernel_size=(3, 3), stride=(1, 1), padding=same)");
  EXPECT_REPR("nn.Conv3d(1, 1, 3, padding='valid')",
              nn::Conv3d(nn::Conv3dOptions(1, 1, 3).padding(torch::kValid)),
              "Conv3d(1, 1, kernel_size=(3, 3, 3), stride=(1, 1, 1), padding=valid)");
}

TEST(ModuleConvolution, TransposedShowsItsOutputPadding) {
  EXPECT_REPR("nn.ConvTranspose1d(2, 3, 4)", nn::ConvTranspose1d(2, 3, 4),
              "ConvTranspose1d(2, 3, kernel_size=(4,), stride=(1,))");
  EXPECT_REPR("nn.ConvTranspose2d(2, 4, 3, 2, 1, 1, 2, False, 2)",
              nn::ConvTranspose2d(nn::ConvTranspose2dOptions(2, 4, 3)
                                      .stride(2)
                                      .padding(1)
                                      .output_padding(1)
                                      .groups(2)
                                      .bias(false)
                                      .dilation(2)),
              "ConvTranspose2d(2, 4, kernel_size=(3, 3), stride=(2, 2), padding=(1, 1), dilation=(2, 2), "
              "output_padding=(1, 1), groups=2, bias=False)");
  EXPECT_REPR("nn.ConvTranspose3d(1, 1, (1, 2, 2), stride=(1, 2, 2), output_padding=(0, 1, 1))",
              nn::ConvTranspose3d(
                  nn::ConvTranspose3dOptions(1, 1, {1, 2, 2}).stride({1, 2, 2}).output_padding({0, 1, 1})),
              "ConvTranspose3d(1, 1, kernel_size=(1, 2, 2), stride=(1, 2, 2), output_padding=(0, 1, 1))");
}

TEST(ModulePadding, ShowsATuple) {
  EXPECT_REPR("nn.ReflectionPad1d(2)", nn::ReflectionPad1d(2), "ReflectionPad1d((2, 2))");
  EXPECT_REPR("nn.ReflectionPad2d((1, 2, 0, 1))",
              nn::ReflectionPad2d(nn::ReflectionPad2dOptions({1, 2, 0, 1})), "ReflectionPad2d((1, 2, 0, 1))");
  EXPECT_REPR("nn.ReflectionPad3d(1)", nn::ReflectionPad3d(1), "ReflectionPad3d((1, 1, 1, 1, 1, 1))");
  EXPECT_REPR("nn.ReplicationPad1d((3, 1))", nn::ReplicationPad1d(nn::ReplicationPad1dOptions({3, 1})),
              "ReplicationPad1d((3, 1))");
  EXPECT_REPR("nn.ReplicationPad2d(2)", nn::ReplicationPad2d(2), "ReplicationPad2d((2, 2, 2, 2))");
  EXPECT_REPR("nn.ReplicationPad3d((1, 2, 3, 4, 5, 6))",
              nn::ReplicationPad3d(nn::ReplicationPad3dOptions({1, 2, 3, 4, 5, 6})),
              "ReplicationPad3d((1, 2, 3, 4, 5, 6))");
  EXPECT_REPR("nn.ZeroPad2d(1)", nn::ZeroPad2d(1), "ZeroPad2d((1, 1, 1, 1))");
  EXPECT_REPR("nn.ConstantPad1d(2, 3.5)", nn::ConstantPad1d(2, 3.5),
              "ConstantPad1d(padding=(2, 2), value=3.5)");
  EXPECT_REPR("nn.ConstantPad2d((1, 0, 2, 0), 1.0)",
              nn::ConstantPad2d(nn::ConstantPad2dOptions({1, 0, 2, 0}, 1)),
              "ConstantPad2d(padding=(1, 0, 2, 0), value=1.0)");
  EXPECT_REPR("nn.ConstantPad3d(1, -0.5)", nn::ConstantPad3d(1, -0.5),
              "ConstantPad3d(padding=(1, 1, 1, 1, 1, 1), value=-0.5)");
}

#if TORCHBOOK_LIBTORCH_AT_LEAST(2, 6)
TEST(ModulePadding, WithZerosShowsATuple) {
  EXPECT_REPR("nn.ZeroPad1d((1, 2))", nn::ZeroPad1d(nn::ZeroPad1dOptions({1, 2})), "ZeroPad1d((1, 2))");
  EXPECT_REPR("nn.ZeroPad3d(1)", nn::ZeroPad3d(1), "ZeroPad3d((1, 1, 1, 1, 1, 1))");
}
#endif

}  // namespace
}  // namespace torchbook::pyrepr
