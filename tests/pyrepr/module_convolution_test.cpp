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
  EXPECT_PYTHON("repr(nn.Conv1d(2, 3, 5))", repr(nn::Conv1d(2, 3, 5)),
                "Conv1d(2, 3, kernel_size=(5,), stride=(1,))");
  EXPECT_PYTHON("repr(nn.Conv2d(2, 3, 5))", repr(nn::Conv2d(2, 3, 5)),
                "Conv2d(2, 3, kernel_size=(5, 5), stride=(1, 1))");
  EXPECT_PYTHON("repr(nn.Conv3d(2, 3, (1, 2, 3), stride=2))",
                repr(nn::Conv3d(nn::Conv3dOptions(2, 3, {1, 2, 3}).stride(2))),
                "Conv3d(2, 3, kernel_size=(1, 2, 3), stride=(2, 2, 2))");
}

TEST(ModuleConvolution, ShowsOnlyWhatIsNotTheDefault) {
  EXPECT_PYTHON("repr(nn.Conv2d(4, 6, 3, (2, 1), (0, 1), 2, 2, False, 'reflect'))",
                repr(nn::Conv2d(nn::Conv2dOptions(4, 6, 3)
                                    .stride({2, 1})
                                    .padding({0, 1})
                                    .dilation(2)
                                    .groups(2)
                                    .bias(false)
                                    .padding_mode(torch::kReflect))),
                "Conv2d(4, 6, kernel_size=(3, 3), stride=(2, 1), padding=(0, 1), dilation=(2, 2), groups=2, "
                "bias=False, padding_mode=reflect)");
  EXPECT_PYTHON("repr(nn.Conv1d(1, 1, 3, padding=1, padding_mode='circular'))",
                repr(nn::Conv1d(nn::Conv1dOptions(1, 1, 3).padding(1).padding_mode(torch::kCircular))),
                "Conv1d(1, 1, kernel_size=(3,), stride=(1,), padding=(1,), padding_mode=circular)");
  EXPECT_PYTHON("repr(nn.Conv1d(1, 1, 3, padding_mode='replicate'))",
                repr(nn::Conv1d(nn::Conv1dOptions(1, 1, 3).padding_mode(torch::kReplicate))),
                "Conv1d(1, 1, kernel_size=(3,), stride=(1,), padding_mode=replicate)");
}

TEST(ModuleConvolution, NamesItsPadding) {
  EXPECT_PYTHON("repr(nn.Conv2d(1, 1, 3, padding='same'))",
                repr(nn::Conv2d(nn::Conv2dOptions(1, 1, 3).padding(torch::kSame))),
                "Conv2d(1, 1, kernel_size=(3, 3), stride=(1, 1), padding=same)");
  EXPECT_PYTHON("repr(nn.Conv3d(1, 1, 3, padding='valid'))",
                repr(nn::Conv3d(nn::Conv3dOptions(1, 1, 3).padding(torch::kValid))),
                "Conv3d(1, 1, kernel_size=(3, 3, 3), stride=(1, 1, 1), padding=valid)");
}

TEST(ModuleConvolution, TransposedShowsItsOutputPadding) {
  EXPECT_PYTHON("repr(nn.ConvTranspose1d(2, 3, 4))", repr(nn::ConvTranspose1d(2, 3, 4)),
                "ConvTranspose1d(2, 3, kernel_size=(4,), stride=(1,))");
  EXPECT_PYTHON("repr(nn.ConvTranspose2d(2, 4, 3, 2, 1, 1, 2, False, 2))",
                repr(nn::ConvTranspose2d(nn::ConvTranspose2dOptions(2, 4, 3)
                                             .stride(2)
                                             .padding(1)
                                             .output_padding(1)
                                             .groups(2)
                                             .bias(false)
                                             .dilation(2))),
                "ConvTranspose2d(2, 4, kernel_size=(3, 3), stride=(2, 2), padding=(1, 1), dilation=(2, 2), "
                "output_padding=(1, 1), groups=2, bias=False)");
  EXPECT_PYTHON("repr(nn.ConvTranspose3d(1, 1, (1, 2, 2), stride=(1, 2, 2), output_padding=(0, 1, 1)))",
                repr(nn::ConvTranspose3d(
                    nn::ConvTranspose3dOptions(1, 1, {1, 2, 2}).stride({1, 2, 2}).output_padding({0, 1, 1}))),
                "ConvTranspose3d(1, 1, kernel_size=(1, 2, 2), stride=(1, 2, 2), output_padding=(0, 1, 1))");
}

TEST(ModulePadding, ShowsATuple) {
  EXPECT_PYTHON("repr(nn.ReflectionPad1d(2))", repr(nn::ReflectionPad1d(2)), "ReflectionPad1d((2, 2))");
  EXPECT_PYTHON("repr(nn.ReflectionPad2d((1, 2, 0, 1)))",
                repr(nn::ReflectionPad2d(nn::ReflectionPad2dOptions({1, 2, 0, 1}))),
                "ReflectionPad2d((1, 2, 0, 1))");
  EXPECT_PYTHON("repr(nn.ReflectionPad3d(1))", repr(nn::ReflectionPad3d(1)),
                "ReflectionPad3d((1, 1, 1, 1, 1, 1))");
  EXPECT_PYTHON("repr(nn.ReplicationPad1d((3, 1)))",
                repr(nn::ReplicationPad1d(nn::ReplicationPad1dOptions({3, 1}))), "ReplicationPad1d((3, 1))");
  EXPECT_PYTHON("repr(nn.ReplicationPad2d(2))", repr(nn::ReplicationPad2d(2)),
                "ReplicationPad2d((2, 2, 2, 2))");
  EXPECT_PYTHON("repr(nn.ReplicationPad3d((1, 2, 3, 4, 5, 6)))",
                repr(nn::ReplicationPad3d(nn::ReplicationPad3dOptions({1, 2, 3, 4, 5, 6}))),
                "ReplicationPad3d((1, 2, 3, 4, 5, 6))");
  EXPECT_PYTHON("repr(nn.ZeroPad2d(1))", repr(nn::ZeroPad2d(1)), "ZeroPad2d((1, 1, 1, 1))");
  EXPECT_PYTHON("repr(nn.ConstantPad1d(2, 3.5))", repr(nn::ConstantPad1d(2, 3.5)),
                "ConstantPad1d(padding=(2, 2), value=3.5)");
  EXPECT_PYTHON("repr(nn.ConstantPad2d((1, 0, 2, 0), 1.0))",
                repr(nn::ConstantPad2d(nn::ConstantPad2dOptions({1, 0, 2, 0}, 1))),
                "ConstantPad2d(padding=(1, 0, 2, 0), value=1.0)");
  EXPECT_PYTHON("repr(nn.ConstantPad3d(1, -0.5))", repr(nn::ConstantPad3d(1, -0.5)),
                "ConstantPad3d(padding=(1, 1, 1, 1, 1, 1), value=-0.5)");
}

#if TORCHBOOK_LIBTORCH_AT_LEAST(2, 6)
TEST(ModulePadding, WithZerosShowsATuple) {
  EXPECT_PYTHON("repr(nn.ZeroPad1d((1, 2)))", repr(nn::ZeroPad1d(nn::ZeroPad1dOptions({1, 2}))),
                "ZeroPad1d((1, 2))");
  EXPECT_PYTHON("repr(nn.ZeroPad3d(1))", repr(nn::ZeroPad3d(1)), "ZeroPad3d((1, 1, 1, 1, 1, 1))");
}
#endif

}  // namespace
}  // namespace torchbook::pyrepr
