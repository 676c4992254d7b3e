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
  EXPECT_PYTHON("repr(nn.LogSigmoid())", repr(nn::LogSigmoid()), "LogSigmoid()");
  EXPECT_PYTHON("repr(nn.Mish())", repr(nn::Mish()), "Mish()");
  EXPECT_PYTHON("repr(nn.SiLU())", repr(nn::SiLU()), "SiLU()");
  EXPECT_PYTHON("repr(nn.Sigmoid())", repr(nn::Sigmoid()), "Sigmoid()");
  EXPECT_PYTHON("repr(nn.Softmax2d())", repr(nn::Softmax2d()), "Softmax2d()");
  EXPECT_PYTHON("repr(nn.Softsign())", repr(nn::Softsign()), "Softsign()");
  EXPECT_PYTHON("repr(nn.Tanh())", repr(nn::Tanh()), "Tanh()");
  EXPECT_PYTHON("repr(nn.Tanhshrink())", repr(nn::Tanhshrink()), "Tanhshrink()");
}

TEST(ModuleActivation, ShowsInplaceOnlyIfItIs) {
  EXPECT_PYTHON("repr(nn.ReLU())", repr(nn::ReLU()), "ReLU()");
  EXPECT_PYTHON("repr(nn.ReLU(inplace=True))", repr(nn::ReLU(nn::ReLUOptions(true))), "ReLU(inplace=True)");
  EXPECT_PYTHON("repr(nn.ReLU6())", repr(nn::ReLU6()), "ReLU6()");
  EXPECT_PYTHON("repr(nn.ReLU6(inplace=True))", repr(nn::ReLU6(nn::ReLU6Options(true))),
                "ReLU6(inplace=True)");
  EXPECT_PYTHON("repr(nn.SELU())", repr(nn::SELU()), "SELU()");
  EXPECT_PYTHON("repr(nn.SELU(inplace=True))", repr(nn::SELU(nn::SELUOptions(true))), "SELU(inplace=True)");
}

TEST(ModuleActivation, ShowsItsDimension) {
  EXPECT_PYTHON("repr(nn.GLU())", repr(nn::GLU()), "GLU(dim=-1)");
  EXPECT_PYTHON("repr(nn.GLU(1))", repr(nn::GLU(nn::GLUOptions(1))), "GLU(dim=1)");
  EXPECT_PYTHON("repr(nn.LogSoftmax(1))", repr(nn::LogSoftmax(1)), "LogSoftmax(dim=1)");
  EXPECT_PYTHON("repr(nn.Softmax(-1))", repr(nn::Softmax(-1)), "Softmax(dim=-1)");
  EXPECT_PYTHON("repr(nn.Softmin(0))", repr(nn::Softmin(nn::SoftminOptions(0))), "Softmin(dim=0)");
}

TEST(ModuleActivation, ShowsItsParameters) {
  EXPECT_PYTHON("repr(nn.CELU())", repr(nn::CELU()), "CELU(alpha=1.0)");
  EXPECT_PYTHON("repr(nn.CELU(0.5, inplace=True))",
                repr(nn::CELU(nn::CELUOptions().alpha(0.5).inplace(true))), "CELU(alpha=0.5, inplace=True)");
  EXPECT_PYTHON("repr(nn.ELU())", repr(nn::ELU()), "ELU(alpha=1.0)");
  EXPECT_PYTHON("repr(nn.ELU(1e-5, True))", repr(nn::ELU(nn::ELUOptions().alpha(1e-5).inplace(true))),
                "ELU(alpha=1e-05, inplace=True)");
  EXPECT_PYTHON("repr(nn.Hardshrink())", repr(nn::Hardshrink()), "Hardshrink(0.5)");
  EXPECT_PYTHON("repr(nn.Hardshrink(0.25))", repr(nn::Hardshrink(nn::HardshrinkOptions(0.25))),
                "Hardshrink(0.25)");
  EXPECT_PYTHON("repr(nn.Softshrink())", repr(nn::Softshrink()), "Softshrink(0.5)");
  EXPECT_PYTHON("repr(nn.Softshrink(2.0))", repr(nn::Softshrink(nn::SoftshrinkOptions(2.0))),
                "Softshrink(2.0)");
  EXPECT_PYTHON("repr(nn.LeakyReLU())", repr(nn::LeakyReLU()), "LeakyReLU(negative_slope=0.01)");
  EXPECT_PYTHON("repr(nn.LeakyReLU(0.2, True))",
                repr(nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2).inplace(true))),
                "LeakyReLU(negative_slope=0.2, inplace=True)");
  EXPECT_PYTHON("repr(nn.PReLU())", repr(nn::PReLU()), "PReLU(num_parameters=1)");
  EXPECT_PYTHON("repr(nn.PReLU(3, 0.1))", repr(nn::PReLU(nn::PReLUOptions().num_parameters(3).init(0.1))),
                "PReLU(num_parameters=3)");
}

TEST(ModuleActivation, ShowsItsBounds) {
  EXPECT_PYTHON("repr(nn.Hardtanh())", repr(nn::Hardtanh()), "Hardtanh(min_val=-1.0, max_val=1.0)");
  EXPECT_PYTHON("repr(nn.Hardtanh(-2.0, 0.5, inplace=True))",
                repr(nn::Hardtanh(nn::HardtanhOptions().min_val(-2).max_val(0.5).inplace(true))),
                "Hardtanh(min_val=-2.0, max_val=0.5, inplace=True)");
  EXPECT_PYTHON("repr(nn.RReLU())", repr(nn::RReLU()), "RReLU(lower=0.125, upper=0.3333333333333333)");
  EXPECT_PYTHON("repr(nn.RReLU(0.1, 0.2, True))",
                repr(nn::RReLU(nn::RReLUOptions().lower(0.1).upper(0.2).inplace(true))),
                "RReLU(lower=0.1, upper=0.2, inplace=True)");
  EXPECT_PYTHON("repr(nn.Threshold(0.1, 20.0))", repr(nn::Threshold(0.1, 20)),
                "Threshold(threshold=0.1, value=20.0)");
  EXPECT_PYTHON("repr(nn.Threshold(0.1, -1.0, True))",
                repr(nn::Threshold(nn::ThresholdOptions(0.1, -1).inplace(true))),
                "Threshold(threshold=0.1, value=-1.0, inplace=True)");
}

TEST(ModuleActivation, GeluQuotesItsApproximation) {
  EXPECT_PYTHON("repr(nn.GELU())", repr(nn::GELU()), "GELU(approximate='none')");
  EXPECT_PYTHON("repr(nn.GELU('tanh'))", repr(nn::GELU(nn::GELUOptions().approximate("tanh"))),
                "GELU(approximate='tanh')");
}

TEST(ModuleActivation, SoftplusShowsItsDefaultsAsPythonHasThem) {
  const bool ints = release::softplus_has_int_defaults;
  EXPECT_PYTHON("repr(nn.Softplus())", repr(nn::Softplus()),
                ints ? "Softplus(beta=1, threshold=20)" : "Softplus(beta=1.0, threshold=20.0)");
  EXPECT_PYTHON("repr(nn.Softplus(beta=2.0))", repr(nn::Softplus(nn::SoftplusOptions().beta(2))),
                ints ? "Softplus(beta=2.0, threshold=20)" : "Softplus(beta=2.0, threshold=20.0)");
  EXPECT_PYTHON("repr(nn.Softplus(0.5, 10.5))",
                repr(nn::Softplus(nn::SoftplusOptions().beta(0.5).threshold(10.5))),
                "Softplus(beta=0.5, threshold=10.5)");
}

}  // namespace
}  // namespace torchbook::pyrepr
