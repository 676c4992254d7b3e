// Tests the text of normalizations.
#include <gtest/gtest.h>
#include <torch/nn/functional/instancenorm.h>  // modules/instancenorm.h needs it and does not include it
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/instancenorm.h>
#include <torch/nn/modules/normalization.h>
#include <torchbook/pyrepr/module.h>
#include <torchbook/pyrepr/release.h>

#include "judged.h"

namespace torchbook::pyrepr {
namespace {

namespace nn = torch::nn;

/// Returns how a norm shows whether it has a bias, in the releases that show it.
std::string bias(bool has) {
  if (!release::norms_show_bias) return "";
  return has ? ", bias=True" : ", bias=False";
}

TEST(ModuleNormalization, OfBatchesShowsItsOptions) {
  EXPECT_REPR(
      "nn.BatchNorm1d(4)", nn::BatchNorm1d(4),
      "BatchNorm1d(4, eps=1e-05, momentum=0.1, affine=True" + bias(true) + ", track_running_stats=True)");
  EXPECT_REPR(
      "nn.BatchNorm2d(4, eps=0.001, momentum=None)",
      nn::BatchNorm2d(nn::BatchNorm2dOptions(4).eps(0.001).momentum(c10::nullopt)),
      "BatchNorm2d(4, eps=0.001, momentum=None, affine=True" + bias(true) + ", track_running_stats=True)");
  EXPECT_REPR(
      "nn.BatchNorm3d(4, momentum=0.5, affine=False, track_running_stats=False)",
      nn::BatchNorm3d(nn::BatchNorm3dOptions(4).momentum(0.5).affine(false).track_running_stats(false)),
      "BatchNorm3d(4, eps=1e-05, momentum=0.5, affine=False" + bias(false) + ", track_running_stats=False)");
}

TEST(ModuleNormalization, OfInstancesShowsItsOptions) {
  EXPECT_REPR("nn.InstanceNorm1d(4)", nn::InstanceNorm1d(4),
              "InstanceNorm1d(4, eps=1e-05, momentum=0.1, affine=False" + bias(false) +
                  ", track_running_stats=False)");
  EXPECT_REPR(
      "nn.InstanceNorm2d(4, affine=True)", nn::InstanceNorm2d(nn::InstanceNorm2dOptions(4).affine(true)),
      "InstanceNorm2d(4, eps=1e-05, momentum=0.1, affine=True" + bias(true) + ", track_running_stats=False)");
  EXPECT_REPR(
      "nn.InstanceNorm3d(4, eps=1e-3, momentum=0.2, track_running_stats=True)",
      nn::InstanceNorm3d(nn::InstanceNorm3dOptions(4).eps(1e-3).momentum(0.2).track_running_stats(true)),
      "InstanceNorm3d(4, eps=0.001, momentum=0.2, affine=False" + bias(false) +
          ", track_running_stats=True)");
}

TEST(ModuleNormalization, OfLayersShowsItsShape) {
  EXPECT_REPR("nn.LayerNorm(4)", nn::LayerNorm(nn::LayerNormOptions({4})),
              "LayerNorm((4,), eps=1e-05, elementwise_affine=True" + bias(true) + ")");
  EXPECT_REPR("nn.LayerNorm((2, 3), eps=1e-12, elementwise_affine=False)",
              nn::LayerNorm(nn::LayerNormOptions({2, 3}).eps(1e-12).elementwise_affine(false)),
              "LayerNorm((2, 3), eps=1e-12, elementwise_affine=False" + bias(false) + ")");
}

TEST(ModuleNormalization, OfGroupsShowsItsGroups) {
  EXPECT_REPR("nn.GroupNorm(2, 4)", nn::GroupNorm(2, 4),
              "GroupNorm(2, 4, eps=1e-05, affine=True" + bias(true) + ")");
  EXPECT_REPR("nn.GroupNorm(1, 4, 0.5, False)",
              nn::GroupNorm(nn::GroupNormOptions(1, 4).eps(0.5).affine(false)),
              "GroupNorm(1, 4, eps=0.5, affine=False" + bias(false) + ")");
}

TEST(ModuleNormalization, OfResponsesShowsItsCoefficients) {
  EXPECT_REPR("nn.LocalResponseNorm(2)", nn::LocalResponseNorm(2),
              "LocalResponseNorm(2, alpha=0.0001, beta=0.75, k=1.0)");
  EXPECT_REPR("nn.LocalResponseNorm(2, 0.1, 0.5, 2.0)",
              nn::LocalResponseNorm(nn::LocalResponseNormOptions(2).alpha(0.1).beta(0.5).k(2)),
              "LocalResponseNorm(2, alpha=0.1, beta=0.5, k=2.0)");
  EXPECT_REPR("nn.CrossMapLRN2d(3)", nn::CrossMapLRN2d(3), "CrossMapLRN2d(3, alpha=0.0001, beta=0.75, k=1)");
  EXPECT_REPR("nn.CrossMapLRN2d(3, 0.1, 0.5, 2)",
              nn::CrossMapLRN2d(nn::CrossMapLRN2dOptions(3).alpha(0.1).beta(0.5).k(2)),
              "CrossMapLRN2d(3, alpha=0.1, beta=0.5, k=2)");
}

}  // namespace
}  // namespace torchbook::pyrepr
