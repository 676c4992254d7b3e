// Tests the text of a program's own modules: their names, children and extra_repr, and what a container shows
// after it was changed. tests/differential prints modules of all classes.
#include <gtest/gtest.h>
#include <torch/nn/cloneable.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/functional.h>
#include <torch/nn/modules/container/moduledict.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/padding.h>
#include <torch/nn/modules/pooling.h>
#include <torchbook/pyrepr/module.h>
#include <torchbook/pyrepr/module_kinds.h>
#include <torchbook/pyrepr/release.h>

#include "judged.h"

namespace torchbook::pyrepr {
namespace {

namespace nn = torch::nn;

struct Net : nn::Module {
  nn::Linear out = register_module("out", nn::Linear(2, 1));
  nn::Sequential body = register_module("body", nn::Sequential(nn::Linear(3, 2), nn::Tanh()));
};

struct EmptyImpl : nn::Cloneable<EmptyImpl> {
  void reset() override {}
};
TORCH_MODULE(Empty);

/// A module with the given extra_repr.
struct Scaled : nn::Module, ExtraRepr {
  explicit Scaled(std::string text, bool with_child = false) : text_(std::move(text)) {
    if (with_child) register_module("act", nn::ReLU());
  }
  std::string extra_repr() const override { return text_; }

 private:
  std::string text_;
};

struct MyLinearImpl : nn::LinearImpl {
  using nn::LinearImpl::LinearImpl;
};

struct NamedLinearImpl : nn::LinearImpl, ExtraRepr {
  NamedLinearImpl() : nn::LinearImpl(1, 2) {}
  std::string extra_repr() const override { return "name=small"; }
};

struct RenamedImpl : nn::LinearImpl, ClassName {
  RenamedImpl() : nn::LinearImpl(2, 1) {}
  std::string class_name() const override { return "Linear"; }
};

struct BlocksImpl : nn::ModuleListImpl {
  using nn::ModuleListImpl::ModuleListImpl;
};

template <class T>
struct Holding : nn::Module {};

TEST(Module, ShowsItsClassAndChildrenInOrder) {
  EXPECT_REPR("module('Net', {'out': nn.Linear(2, 1), 'body': nn.Sequential(nn.Linear(3, 2), nn.Tanh())})",
              Net(),
              "Net(\n"
              "  (out): Linear(in_features=2, out_features=1, bias=True)\n"
              "  (body): Sequential(\n"
              "    (0): Linear(in_features=3, out_features=2, bias=True)\n"
              "    (1): Tanh()\n"
              "  )\n"
              ")");
  EXPECT_REPR("nn.Module()", nn::Module(), "Module()");
}

TEST(Module, HasNoImplAtTheEndOfItsName) {
  EXPECT_REPR("module('Empty')", Empty(), "Empty()");
  EXPECT_REPR("module('Empty')", EmptyImpl(), "Empty()");
}

TEST(Module, OfALocalClassOrATemplateHasItsLastName) {
  struct LocalImpl : nn::Module {};
  EXPECT_REPR("module('Local')", LocalImpl(), "Local()");
  EXPECT_PYTHON(
      "repr(module('InLambda'))",
      [](const std::string&) {
        struct InLambda : nn::Module {};
        return repr(InLambda());
      }(""),
      "InLambda()");
  EXPECT_PYTHON("repr(module('Holding'))", repr(Holding<std::pair<Net, torch::nn::LinearImpl>>()),
                "Holding()");
}

TEST(Module, ClassNameIsTheLastOfTheDemangledName) {
  EXPECT_EQ(module_class_name("Net"), "Net");
  EXPECT_EQ(module_class_name("a::b::NetImpl"), "Net");
  EXPECT_EQ(module_class_name("a::(anonymous namespace)::Net"), "Net");
  EXPECT_EQ(module_class_name("a::BlockImpl<3ul, b::Type>"), "Block");
  EXPECT_EQ(module_class_name("main::{lambda(a::B)#1}::operator()(a::B) const::Net"), "Net");
  EXPECT_EQ(module_class_name("a::Net[abi:cxx11]"), "Net");
  EXPECT_EQ(module_class_name("Net::Impl"), "Impl");
  EXPECT_EQ(module_class_name("Net::AImpl"), "A");
}

TEST(Module, ShowsItsExtraRepr) {
  EXPECT_REPR("module('Scaled', extra='scale=0.5')", Scaled("scale=0.5"), "Scaled(scale=0.5)");
  EXPECT_REPR("module('Scaled', extra='')", Scaled(""), "Scaled()");
  EXPECT_REPR("module('Scaled', {'act': nn.ReLU()}, extra='scale=0.5')", Scaled("scale=0.5", true),
              "Scaled(\n"
              "  scale=0.5\n"
              "  (act): ReLU()\n"
              ")");
  EXPECT_REPR("module('Scaled', {'act': nn.ReLU()})", Scaled("", true),
              "Scaled(\n"
              "  (act): ReLU()\n"
              ")");
}

TEST(Module, ShowsItsOwnClassName) {
  EXPECT_REPR("nn.Linear(2, 1)", RenamedImpl(), "Linear(in_features=2, out_features=1, bias=True)");
}

TEST(Module, IndentsAnExtraReprOfSeveralLines) {
  EXPECT_REPR("module('Scaled', extra='a=1\\nb=2')", Scaled("a=1\nb=2"),
              "Scaled(\n"
              "  a=1\n"
              "  b=2\n"
              ")");
  EXPECT_REPR("nn.ModuleList([module('Scaled', {'act': nn.ReLU()}, extra='a=1\\n\\n b=2\\n')])",
              nn::ModuleList(Scaled("a=1\n\n b=2\n", true)),
              "ModuleList(\n"
              "  (0): Scaled(\n"
              "    a=1\n"
              "    \n"
              "     b=2\n"
              "    \n"
              "    (act): ReLU()\n"
              "  )\n"
              ")");
}

TEST(Module, DerivedFromAClassOfLibTorchShowsWhatThatShows) {
  EXPECT_REPR("type('MyLinear', (nn.Linear,), {})(1, 2)", MyLinearImpl(1, 2),
              "MyLinear(in_features=1, out_features=2, bias=True)");
  EXPECT_REPR("type('NamedLinear', (nn.Linear,), {'extra_repr': lambda self: 'name=small'})(1, 2)",
              NamedLinearImpl(), "NamedLinear(name=small)");
  EXPECT_REPR("type('Blocks', (nn.ModuleList,), {})([nn.Tanh(), nn.Tanh()])",
              BlocksImpl(nn::Tanh(), nn::Tanh()),
              release::folds_equal_modules ? "Blocks(\n  (0-1): 2 x Tanh()\n)"
                                           : "Blocks(\n  (0): Tanh()\n  (1): Tanh()\n)");
}

TEST(Module, SharedBetweenPlacesIsShownInEach) {
  const nn::Tanh shared;
  EXPECT_PYTHON("(lambda shared: repr(nn.Sequential(shared, shared)))(nn.Tanh())",
                repr(nn::Sequential(shared, shared)),
                "Sequential(\n"
                "  (0): Tanh()\n"
                "  (1): Tanh()\n"
                ")");
}

TEST(Module, ThatIsMissingIsNone) {
  nn::Module outer;
  outer.register_module("act", std::shared_ptr<nn::Module>());
  EXPECT_REPR("module('Module', {'act': None})", outer, "Module(\n  (act): None\n)");
  EXPECT_REPR("None", nn::Linear(nullptr), "None");
  EXPECT_REPR("None", std::shared_ptr<nn::Module>(), "None");
  EXPECT_REPR("None", nn::AnyModule(), "None");
}

TEST(Module, ThatContainsItselfIsRefused) {
  const auto module = std::make_shared<nn::Module>();
  module->register_module("self", module);
  EXPECT_PYTHON_RAISES("(lambda m: repr(m.add_module('self', m) or m))(nn.Module())", "RecursionError",
                       repr(module), std::invalid_argument);
  module->unregister_module("self");
}

TEST(Module, BehindAnyPointerIsShown) {
  EXPECT_REPR("nn.ReLU()", nn::AnyModule(nn::ReLU()), "ReLU()");
  EXPECT_REPR("nn.ReLU()", std::make_shared<nn::ReLUImpl>(), "ReLU()");
  EXPECT_REPR("nn.ReLU()", std::shared_ptr<nn::Module>(nn::ReLU().ptr()), "ReLU()");
  EXPECT_PYTHON("str(nn.ReLU())", str(nn::ReLU()), "ReLU()");
  EXPECT_PYTHON("str(nn.ReLU())", str(nn::ReLUImpl()), "ReLU()");
  EXPECT_PYTHON("str(nn.ReLU())", str(nn::AnyModule(nn::ReLU())), "ReLU()");
}

TEST(Convolution, ShowsWhatIsNotADefault) {
  EXPECT_REPR("nn.Conv1d(1, 2, 3)", nn::Conv1d(1, 2, 3), "Conv1d(1, 2, kernel_size=(3,), stride=(1,))");
  EXPECT_REPR("nn.Conv3d(1, 2, 3)", nn::Conv3d(1, 2, 3),
              "Conv3d(1, 2, kernel_size=(3, 3, 3), stride=(1, 1, 1))");
  EXPECT_REPR("nn.Conv1d(1, 2, 3, padding='same')",
              nn::Conv1d(nn::Conv1dOptions(1, 2, 3).padding(torch::kSame)),
              "Conv1d(1, 2, kernel_size=(3,), stride=(1,), padding=same)");
  EXPECT_REPR("nn.Conv1d(1, 2, 3, padding='valid')",
              nn::Conv1d(nn::Conv1dOptions(1, 2, 3).padding(torch::kValid)),
              "Conv1d(1, 2, kernel_size=(3,), stride=(1,), padding=valid)");
  EXPECT_REPR(
      "nn.Conv2d(4, 6, 3, stride=(1, 2), padding=(0, 1), dilation=2, groups=2, bias=False, "
      "padding_mode='reflect')",
      nn::Conv2d(nn::Conv2dOptions(4, 6, 3)
                     .stride({1, 2})
                     .padding({0, 1})
                     .dilation(2)
                     .groups(2)
                     .bias(false)
                     .padding_mode(torch::kReflect)),
      "Conv2d(4, 6, kernel_size=(3, 3), stride=(1, 2), padding=(0, 1), dilation=(2, 2), groups=2, "
      "bias=False, "
      "padding_mode=reflect)");
  EXPECT_REPR("nn.ConvTranspose1d(1, 2, 3, stride=2, output_padding=1)",
              nn::ConvTranspose1d(nn::ConvTranspose1dOptions(1, 2, 3).stride(2).output_padding(1)),
              "ConvTranspose1d(1, 2, kernel_size=(3,), stride=(2,), output_padding=(1,))");
}

TEST(MultiheadAttention, ShowsItsProjectionByPythonsClass) {
  EXPECT_REPR("nn.MultiheadAttention(4, 2)", nn::MultiheadAttention(4, 2),
              "MultiheadAttention(\n"
              "  (out_proj): NonDynamicallyQuantizableLinear(in_features=4, out_features=4, bias=True)\n"
              ")");
  nn::MultiheadAttention bare(4, 2);
  bare->unregister_module("out_proj");
  EXPECT_PYTHON("(lambda m: repr(delattr(m, 'out_proj') or m))(nn.MultiheadAttention(4, 2))", repr(bare),
                "MultiheadAttention()");
}

TEST(Softplus, ShowsWhatIsNoInt) {
  EXPECT_REPR("nn.Softplus(2.5, 0.5)", nn::Softplus(nn::SoftplusOptions().beta(2.5).threshold(0.5)),
              "Softplus(beta=2.5, threshold=0.5)");
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
  nn::ModuleDict dict(std::vector<std::pair<std::string, std::shared_ptr<nn::Module>>>{
      {"b", nn::ReLU().ptr()}, {"a", nn::Linear(1, 2).ptr()}});
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

TEST(ModuleFunctional, ShowsItsClassOnly) {  // Python has no counterpart
  EXPECT_EQ(repr(nn::Sequential(nn::Functional([](const at::Tensor& x) { return x; }))),
            "Sequential(\n"
            "  (0): Functional()\n"
            ")");
}

#if TORCHBOOK_LIBTORCH_AT_LEAST(2, 6)
TEST(Module, OfNewerReleases) {
  EXPECT_REPR("nn.ZeroPad1d((1, 2))", nn::ZeroPad1d(nn::ZeroPad1dOptions({1, 2})), "ZeroPad1d((1, 2))");
  EXPECT_REPR("nn.ZeroPad3d(1)", nn::ZeroPad3d(1), "ZeroPad3d((1, 1, 1, 1, 1, 1))");
  EXPECT_REPR("nn.LPPool3d(2.0, 3)", nn::LPPool3d(2, 3),
              "LPPool3d(norm_type=2.0, kernel_size=3, stride=None, ceil_mode=False)");
}
#endif

#if !TORCHBOOK_LIBTORCH_AT_LEAST(2, 7)
TEST(Module, OfOlderReleases) {
  EXPECT_REPR("nn.Unflatten('features', (('C', 2), ('W', 5)))",
              nn::Unflatten("features", nn::UnflattenOptions::namedshape_t{{"C", 2}, {"W", 5}}),
              "Unflatten(dim=features, unflattened_size=(('C', 2), ('W', 5)))");
}
#endif

}  // namespace
}  // namespace torchbook::pyrepr
