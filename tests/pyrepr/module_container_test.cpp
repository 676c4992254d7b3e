// Tests the text of containers of modules and of parameters.
#include <gtest/gtest.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/functional.h>
#include <torch/nn/modules/container/moduledict.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/container/parameterdict.h>
#include <torch/nn/modules/container/parameterlist.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torchbook/pyrepr/module.h>
#include <torchbook/pyrepr/release.h>

#include "judged.h"

namespace torchbook::pyrepr {
namespace {

namespace nn = torch::nn;

using NamedModules = std::vector<std::pair<std::string, std::shared_ptr<nn::Module>>>;

TEST(ModuleSequential, NumbersItsModules) {
  EXPECT_REPR("nn.Sequential(nn.Linear(2, 3), nn.ReLU())", nn::Sequential(nn::Linear(2, 3), nn::ReLU()),
              "Sequential(\n"
              "  (0): Linear(in_features=2, out_features=3, bias=True)\n"
              "  (1): ReLU()\n"
              ")");
  EXPECT_REPR("nn.Sequential()", nn::Sequential(), "Sequential()");
}

TEST(ModuleSequential, IsNeverFolded) {
  EXPECT_REPR("nn.ModuleList([nn.Sequential(nn.Tanh(), nn.Tanh())])",
              nn::ModuleList(nn::Sequential(nn::Tanh(), nn::Tanh())),
              "ModuleList(\n"
              "  (0): Sequential(\n"
              "    (0): Tanh()\n"
              "    (1): Tanh()\n"
              "  )\n"
              ")");
}

TEST(ModuleSequential, ShowsGivenNames) {
  EXPECT_REPR("nn.Sequential(OrderedDict(first=nn.Tanh(), second=nn.ReLU()))",
              nn::Sequential({{"first", nn::Tanh()}, {"second", nn::ReLU()}}),
              "Sequential(\n"
              "  (first): Tanh()\n"
              "  (second): ReLU()\n"
              ")");
}

TEST(ModuleList, FoldsNeighboursWithEqualTextsInNewerReleases) {
  const nn::ModuleList list(nn::Linear(1, 1), nn::Linear(1, 1), nn::Tanh(), nn::Linear(1, 1),
                            nn::Linear(1, 1), nn::Linear(1, 1));
  const std::string linear = "Linear(in_features=1, out_features=1, bias=True)\n";
  EXPECT_PYTHON(
      "repr(nn.ModuleList([nn.Linear(1, 1), nn.Linear(1, 1), nn.Tanh(), *(nn.Linear(1, 1) for _ in "
      "range(3))]))",
      repr(list),
      release::folds_equal_modules
          ? "ModuleList(\n  (0-1): 2 x " + linear + "  (2): Tanh()\n  (3-5): 3 x " + linear + ")"
          : "ModuleList(\n  (0): " + linear + "  (1): " + linear + "  (2): Tanh()\n  (3): " + linear +
                "  (4): " + linear + "  (5): " + linear + ")");
  EXPECT_REPR("nn.ModuleList()", nn::ModuleList(), "ModuleList()");
  EXPECT_REPR("nn.ModuleList([nn.Tanh()])", nn::ModuleList(nn::Tanh()), "ModuleList(\n  (0): Tanh()\n)");
}

TEST(ModuleList, FoldsWholeBlocksAtAnyDepth) {
  const auto block = [] { return nn::ModuleList(nn::Sequential(nn::Tanh()), nn::Sequential(nn::Tanh())); };
  const nn::ModuleList list(block(), block());
  const std::string folded =
      "ModuleList(\n"
      "  (0-1): 2 x ModuleList(\n"
      "    (0-1): 2 x Sequential(\n"
      "      (0): Tanh()\n"
      "    )\n"
      "  )\n"
      ")";
  const std::string blocks =
      "    (0): Sequential(\n"
      "      (0): Tanh()\n"
      "    )\n"
      "    (1): Sequential(\n"
      "      (0): Tanh()\n"
      "    )\n"
      "  )\n";
  EXPECT_REPR("nn.ModuleList(nn.ModuleList(nn.Sequential(nn.Tanh()) for _ in range(2)) for _ in range(2))",
              list,
              release::folds_equal_modules
                  ? folded
                  : "ModuleList(\n  (0): ModuleList(\n" + blocks + "  (1): ModuleList(\n" + blocks + ")");
}

TEST(ModuleList, ShowsAModuleWhereItWasInserted) {
  nn::ModuleList list{nn::Tanh(), nn::ReLU(), nn::Sigmoid()};
  list->insert(1, nn::Mish());
  EXPECT_REPR("nn.ModuleList([nn.Tanh(), nn.Mish(), nn.ReLU(), nn.Sigmoid()])", list,
              "ModuleList(\n"
              "  (0): Tanh()\n"
              "  (1): Mish()\n"
              "  (2): ReLU()\n"
              "  (3): Sigmoid()\n"
              ")");
}

TEST(ModuleDict, ShowsItsKeysInOrder) {
  nn::ModuleDict dict(NamedModules{{"b", nn::ReLU().ptr()}, {"a", nn::Linear(1, 2).ptr()}});
  EXPECT_REPR("nn.ModuleDict(OrderedDict(b=nn.ReLU(), a=nn.Linear(1, 2)))", dict,
              "ModuleDict(\n"
              "  (b): ReLU()\n"
              "  (a): Linear(in_features=1, out_features=2, bias=True)\n"
              ")");
  EXPECT_REPR("nn.ModuleDict()", nn::ModuleDict(), "ModuleDict()");
  dict->pop("b");
  EXPECT_REPR("nn.ModuleDict({'a': nn.Linear(1, 2)})", dict,
              "ModuleDict(\n"
              "  (a): Linear(in_features=1, out_features=2, bias=True)\n"
              ")");
}

TEST(ModuleParameterList, ShowsDtypesAndSizes) {
  EXPECT_REPR("nn.ParameterList([torch.ones(2, 3), torch.tensor(1, dtype=torch.float64)])",
              nn::ParameterList(at::ones({2, 3}), at::ones({}, at::kDouble)),
              "ParameterList(\n"
              "    (0): Parameter containing: [torch.float32 of size 2x3]\n"
              "    (1): Parameter containing: [torch.float64 of size ]\n"
              ")");
  EXPECT_REPR("nn.ParameterList([torch.ones(2)])", nn::ParameterList(at::ones({2})),
              "ParameterList(  (0): Parameter containing: [torch.float32 of size 2])");
  EXPECT_REPR("nn.ParameterList()", nn::ParameterList(), "ParameterList()");
}

TEST(ModuleParameterDict, ShowsTypesAndSizes) {
  nn::ParameterDict dict;
  dict->insert("w", at::ones({2, 1}, at::kHalf));
  dict->insert("b", at::ones({2}, at::kComplexDouble));
  EXPECT_REPR("nn.ParameterDict(OrderedDict(w=torch.ones(2, 1).half(), b=torch.ones(2).cdouble()))", dict,
              "ParameterDict(\n"
              "    (w): Parameter containing: [torch.HalfTensor of size 2x1]\n"
              "    (b): Parameter containing: [torch.ComplexDoubleTensor of size 2]\n"
              ")");
}

TEST(ModuleParameterList, AsAChildIsIndented) {
  const auto outer = std::make_shared<nn::Module>();
  outer->register_module("weights", nn::ParameterList(at::ones({2}), at::ones({3})));
  EXPECT_REPR("module('Module', {'weights': nn.ParameterList([torch.ones(2), torch.ones(3)])})", outer,
              "Module(\n"
              "  (weights): ParameterList(\n"
              "      (0): Parameter containing: [torch.float32 of size 2]\n"
              "      (1): Parameter containing: [torch.float32 of size 3]\n"
              "  )\n"
              ")");
}

TEST(ModuleFunctional, ShowsItsClassOnly) {  // Python has no counterpart
  EXPECT_EQ(repr(nn::Sequential(nn::Functional([](const at::Tensor& x) { return x; }))),
            "Sequential(\n"
            "  (0): Functional()\n"
            ")");
}

}  // namespace
}  // namespace torchbook::pyrepr
