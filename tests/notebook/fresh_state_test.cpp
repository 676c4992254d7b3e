// Tests that a run leaves no state that another run could observe.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/notebook/transcript.h>

#include <stdexcept>
#include <string>

namespace torchbook::notebook {
namespace {

constexpr TableEntry only_cell[] = {{.label = "1", .line = 2}};

/// Shows everything that another notebook may have changed.
void looks(Notebook& nb) {
  nb.cell("1");
  nb.print(at::tensor({10000.5, 0.001}), at::full({1}, 1e-40) * at::ones({1}));
  nb.print(at::rand({2}), at::randn({3}), at::ones({1}));
  nb.print(c10::GradMode::is_enabled(), at::globalContext().deterministicAlgorithms(), at::get_num_threads());
  nb.display(at::ones({1}, at::TensorOptions().requires_grad(true)) * 2);
}

void changes_everything(Notebook& nb) {
  nb.cell("1");
  pyrepr::set_print_options({.precision = 2, .sci_mode = false});
  c10::set_default_dtype(caffe2::TypeMeta::Make<double>());
  c10::GradMode::set_enabled(false);
  at::globalContext().setDeterministicAlgorithms(true, false);
  at::globalContext().setFloat32MatmulPrecision("medium");
  at::globalContext().setFlushDenormal(true);
  at::set_num_threads(at::get_num_threads() + 1);
  at::manual_seed(1);
  at::randn({1});
}

void changes_and_throws(Notebook& nb) {
  changes_everything(nb);
  throw std::runtime_error("in the middle");
}

std::string shown_by(void (*define)(Notebook&)) {
  const Transcript transcript = run({.slug = "one", .document = "", .define = define, .table = only_cell});
  const Cell& cell = *transcript.cells()[0];
  return cell.out + cell.result.value_or("");
}

TEST(FreshState, ARunSeesNothingOfTheRunsBefore) {
  const auto first = shown_by(looks);
  EXPECT_EQ(shown_by(looks), first);
  shown_by(changes_everything);
  EXPECT_EQ(shown_by(looks), first);
  shown_by(changes_and_throws);
  EXPECT_EQ(shown_by(looks), first);
}

TEST(FreshState, AProgramSeesNothingOfARun) {
  shown_by(looks);
  shown_by(changes_everything);
  EXPECT_EQ(pyrepr::print_options().precision, 4);
  EXPECT_TRUE(c10::GradMode::is_enabled());
  EXPECT_EQ(at::ones({1}).scalar_type(), at::kFloat);
  EXPECT_EQ(at::globalContext().float32MatmulPrecision(), at::Float32MatmulPrecision::HIGHEST);
  EXPECT_FALSE(at::globalContext().deterministicAlgorithms());
  EXPECT_FALSE(at::globalContext().deterministicAlgorithmsWarnOnly());
}

/// This is PyTorch's default seed, which run_twins.py also uses. PyTorch printed these values:
/// `python3 -c 'import torch; torch.manual_seed(67280421310721); print(torch.rand(2))'`
TEST(FreshState, TheGeneratorBeginsWithPyTorchsDefaultSeed) {
  EXPECT_EQ(shown_by([](Notebook& nb) {
              nb.cell("1");
              nb.display(at::rand({2}));
            }),
            "tensor([0.2673, 0.8725])");
}

}  // namespace
}  // namespace torchbook::notebook
