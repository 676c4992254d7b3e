// Tests the text of activations.
#include <gtest/gtest.h>
#include <torch/nn/modules/activation.h>
#include <torchbook/pyrepr/module.h>
#include <torchbook/pyrepr/release.h>

#include "judged.h"

namespace torchbook::pyrepr {
namespace {

namespace nn = torch::nn;

TEST(ModuleActivation, WithoutOptionsShowsNone) {
  EXPECT_REPR("nn.LogSigmoid()", nn::LogSigmoid(), "LogSigmoid()");
  EXPECT_REPR("nn.Mish()", nn::Mish(), "Mish()");
  EXPECT_REPR("nn.SiLU()", nn::SiLU(), "SiLU()");
  EXPECT_REPR("nn.Sigmoid()", nn::Sigmoid(), "Sigmoid()");
  EXPECT_REPR("nn.Softmax2d()", nn::Softmax2d(), "Softmax2d()");
  EXPECT_REPR("nn.Softsign()", nn::Softsign(), "Softsign()");
  EXPECT_REPR("nn.Tanh()", nn::Tanh(), "Tanh()");
  EXPECT_REPR("nn.Tanhshrink()", nn::Tanhshrink(), "Tanhshrink()");
}

TEST(ModuleActivation, ShowsInplaceOnlyIfItIs) {
  EXPECT_REPR("nn.ReLU()", nn::ReLU(), "ReLU()");
  EXPECT_REPR("nn.ReLU(inplace=True)", nn::ReLU(nn::ReLUOptions(true)), "ReLU(inplace=True)");
  EXPECT_REPR("nn.ReLU6()", nn::ReLU6(), "ReLU6()");
  EXPECT_REPR("nn.ReLU6(inplace=True)", nn::ReLU6(nn::ReLU6Options(true)), "ReLU6(inplace=True)");
  EXPECT_REPR("nn.SELU()", nn::SELU(), "SELU()");
  EXPECT_REPR("nn.SELU(inplace=True)", nn::SELU(nn::SELUOptions(true)), "SELU(inplace=True)");
}

TEST(ModuleActivation, ShowsItsDimension) {
  EXPECT_REPR("nn.GLU()", nn::GLU(), "GLU(dim=-1)");
  EXPECT_REPR("nn.GLU(1)", nn::GLU(nn::GLUOptions(1)), "GLU(dim=1)");
  EXPECT_REPR("nn.LogSoftmax(1)", nn::LogSoftmax(1), "LogSoftmax(dim=1)");
  EXPECT_REPR("nn.Softmax(-1)", nn::Softmax(-1), "Softmax(dim=-1)");
  EXPECT_REPR("nn.Softmin(0)", nn::Softmin(nn::SoftminOptions(0)), "Softmin(dim=0)");
}

TEST(ModuleActivation, ShowsItsParameters) {
  EXPECT_REPR("nn.CELU()", nn::CELU(), "CELU(alpha=1.0)");
  EXPECT_REPR("nn.CELU(0.5, inplace=True)", nn::CELU(nn::CELUOptions().alpha(0.5).inplace(true)),
              "CELU(alpha=0.5, inplace=True)");
  EXPECT_REPR("nn.ELU()", nn::ELU(), "ELU(alpha=1.0)");
  EXPECT_REPR("nn.ELU(1e-5, True)", nn::ELU(nn::ELUOptions().alpha(1e-5).inplace(true)),
              "ELU(alpha=1e-05, inplace=True)");
  EXPECT_REPR("nn.Hardshrink()", nn::Hardshrink(), "Hardshrink(0.5)");
  EXPECT_REPR("nn.Hardshrink(0.25)", nn::Hardshrink(nn::HardshrinkOptions(0.25)), "Hardshrink(0.25)");
  EXPECT_REPR("nn.Softshrink()", nn::Softshrink(), "Softshrink(0.5)");
  EXPECT_REPR("nn.Softshrink(2.0)", nn::Softshrink(nn::SoftshrinkOptions(2.0)), "Softshrink(2.0)");
  EXPECT_REPR("nn.LeakyReLU()", nn::LeakyReLU(), "LeakyReLU(negative_slope=0.01)");
  EXPECT_REPR("nn.LeakyReLU(0.2, True)",
              nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2).inplace(true)),
              "LeakyReLU(negative_slope=0.2, inplace=True)");
  EXPECT_REPR("nn.PReLU()", nn::PReLU(), "PReLU(num_parameters=1)");
  EXPECT_REPR("nn.PReLU(3, 0.1)", nn::PReLU(nn::PReLUOptions().num_parameters(3).init(0.1)),
              "PReLU(num_parameters=3)");
}

TEST(ModuleActivation, ShowsItsBounds) {
  EXPECT_REPR("nn.Hardtanh()", nn::Hardtanh(), "Hardtanh(min_val=-1.0, max_val=1.0)");
  EXPECT_REPR("nn.Hardtanh(-2.0, 0.5, inplace=True)",
              nn::Hardtanh(nn::HardtanhOptions().min_val(-2).max_val(0.5).inplace(true)),
              "Hardtanh(min_val=-2.0, max_val=0.5, inplace=True)");
  EXPECT_REPR("nn.RReLU()", nn::RReLU(), "RReLU(lower=0.125, upper=0.3333333333333333)");
  EXPECT_REPR("nn.RReLU(0.1, 0.2, True)", nn::RReLU(nn::RReLUOptions().lower(0.1).upper(0.2).inplace(true)),
              "RReLU(lower=0.1, upper=0.2, inplace=True)");
  EXPECT_REPR("nn.Threshold(0.1, 20.0)", nn::Threshold(0.1, 20), "Threshold(threshold=0.1, value=20.0)");
  EXPECT_REPR("nn.Threshold(0.1, -1.0, True)", nn::Threshold(nn::ThresholdOptions(0.1, -1).inplace(true)),
              "Threshold(threshold=0.1, value=-1.0, inplace=True)");
}

TEST(ModuleActivation, GeluQuotesItsApproximation) {
  EXPECT_REPR("nn.GELU()", nn::GELU(), "GELU(approximate='none')");
  EXPECT_REPR("nn.GELU('tanh')", nn::GELU(nn::GELUOptions().approximate("tanh")), "GELU(approximate='tanh')");
}

TEST(ModuleActivation, SoftplusShowsItsDefaultsAsPythonHasThem) {
  const bool ints = release::softplus_has_int_defaults;
  EXPECT_REPR("nn.Softplus()", nn::Softplus(),
              ints ? "Softplus(beta=1, threshold=20)" : "Softplus(beta=1.0, threshold=20.0)");
  EXPECT_REPR("nn.Softplus(beta=2.0)", nn::Softplus(nn::SoftplusOptions().beta(2)),
              ints ? "Softplus(beta=2.0, threshold=20)" : "Softplus(beta=2.0, threshold=20.0)");
  EXPECT_REPR("nn.Softplus(0.5, 10.5)", nn::Softplus(nn::SoftplusOptions().beta(0.5).threshold(10.5)),
              "Softplus(beta=0.5, threshold=10.5)");
}

}  // namespace
}  // namespace torchbook::pyrepr
