// Tests the text of None, texts of C, complex numbers, containers and what describes tensors.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/api/include/torch/ordered_dict.h>
#include <torchbook/pyrepr/pyrepr.h>
#include <torchbook/pyrepr/release.h>

#include <limits>
#include <string>

#include "judged.h"

namespace torchbook::pyrepr {
namespace {

TEST(PythonNone, IsWhatHoldsNothing) {
  EXPECT_REPR("None", nullptr, "None");
  EXPECT_REPR("None", std::monostate(), "None");
  EXPECT_REPR("None", at::Tensor(), "None");
  EXPECT_REPR("None", static_cast<const char*>(nullptr), "None");
  EXPECT_PYTHON("f'{None}'", fmt::format("{}", at::Tensor()), "None");
  EXPECT_PYTHON("f'{None}'", format(c10::optional<at::Tensor>(), ""), "None");
  EXPECT_PYTHON_RAISES("f'{None:.2f}'", "TypeError", fmt::format("{:.2f}", at::Tensor()), fmt::format_error);
}

TEST(PythonNone, IsTheGradientBeforeBackward) {
  const auto weight = at::ones({2}).requires_grad_();
  EXPECT_REPR("torch.ones(2, requires_grad=True).grad", weight.grad(), "None");
  weight.sum().backward();
  EXPECT_REPR("torch.ones(2)", weight.grad(), "tensor([1., 1.])");
}

TEST(PythonText, IsAnyTextOfC) {
  const char* const pointer = "it's";
  EXPECT_REPR("\"it's\"", pointer, "\"it's\"");
  EXPECT_REPR("'hello'", "hello", "'hello'");
  EXPECT_PYTHON("str('hello')", str("hello"), "hello");
  EXPECT_PYTHON("format('hello', '')", format("hello", ""), "hello");
  EXPECT_REPR("'a'", 'a', "'a'");
  EXPECT_PYTHON("str('a')", str('a'), "a");
  EXPECT_PYTHON("repr(['a', 'b'])", repr(std::vector<char>{'a', 'b'}), "['a', 'b']");
}

TEST(PythonText, TakesFormatSpecs) {
  EXPECT_PYTHON("format('ab', '>5')", format("ab", ">5"), "   ab");
  EXPECT_PYTHON("format('hello', '.2')", format("hello", ".2"), "he");
  EXPECT_PYTHON("format('h\\u00e9llo', '.2')", format("h\u00e9llo", ".2"), "h\u00e9");
  EXPECT_PYTHON("format('\\u00e9', '*^9s')", format("\u00e9", "*^9s"), "****\u00e9****");
  EXPECT_PYTHON("format('abc', '010')", format("abc", "010"), "abc0000000");
  EXPECT_PYTHON("format('abc', '05.2')", pyrepr::format(std::string("abc"), "05.2"), "ab000");
}

TEST(PythonComplex, OmitsAPositiveZero) {
  using Complex = std::complex<double>;
  EXPECT_REPR("1 + 2j", Complex(1, 2), "(1+2j)");
  EXPECT_REPR("2j", Complex(0, 2), "2j");
  EXPECT_REPR("complex(-0.0, 1)", Complex(-0.0, 1), "(-0+1j)");
  EXPECT_REPR("complex(0, -0.0)", Complex(0, -0.0), "-0j");
  EXPECT_REPR("complex(1e16, math.nan)", Complex(1e16, std::numeric_limits<double>::quiet_NaN()),
              "(1e+16+nanj)");
  EXPECT_REPR("complex(1.5, -0.25)", c10::complex<float>(1.5f, -0.25f), "(1.5-0.25j)");
  EXPECT_PYTHON("format(1 + 2j, '.2f')", format(std::complex<float>(1, 2), ".2f"), "1.00+2.00j");
}

TEST(PythonInt, TakesEveryWidth) {
  EXPECT_PYTHON("format(2**64 - 1, ',')", format(std::numeric_limits<std::uint64_t>::max(), ","),
                "18,446,744,073,709,551,615");
  EXPECT_PYTHON("format(3, 'd')", format(3, "d"), "3");
  EXPECT_PYTHON("format(-3, 'b')", format(static_cast<signed char>(-3), "b"), "-11");
  EXPECT_REPR("200", static_cast<unsigned char>(200), "200");
}

TEST(PythonContainer, OfEveryKind) {
  EXPECT_REPR("(1, 'a')", std::pair(1, "a"), "(1, 'a')");
  EXPECT_PYTHON("repr([1.0, 2.5])", repr(std::array{1.0, 2.5}), "[1.0, 2.5]");
  const std::vector<int> numbers{1, 2};
  EXPECT_REPR("[1, 2]", std::span(numbers), "[1, 2]");
  EXPECT_REPR("[torch.ones(1)]", at::TensorList({at::ones({1})}), "[tensor([1.])]");
  EXPECT_REPR("set()", std::set<int>(), "set()");
  EXPECT_PYTHON("repr({1, 2})", repr(std::set{2, 1}), "{1, 2}");
  EXPECT_PYTHON("repr({1, 2})", repr(std::unordered_set{2, 1}), "{1, 2}");
  EXPECT_PYTHON("repr({})", repr(std::map<int, int>()), "{}");
  EXPECT_PYTHON("repr({'a': torch.ones(2, 2)})",
                repr(std::map<std::string, at::Tensor>{{"a", at::ones({2, 2})}}),
                "{'a': tensor([[1., 1.],\n        [1., 1.]])}");
  EXPECT_PYTHON("repr({'a': [1], 'b': []})",
                repr(std::unordered_map<std::string, std::vector<int>>{{"b", {}}, {"a", {1}}}),
                "{'a': [1], 'b': []}");
  EXPECT_REPR("[[], [1], []]", (std::vector<std::vector<int>>{{}, {1}, {}}), "[[], [1], []]");
  EXPECT_REPR("[(1, {2: None})]", std::vector{std::tuple(1, std::map<int, std::nullptr_t>{{2, nullptr}})},
              "[(1, {2: None})]");
  const std::variant<int, std::string> either("x");
  EXPECT_REPR("'x'", either, "'x'");
  EXPECT_PYTHON("str('x')", str(either), "x");
  EXPECT_PYTHON("format([1, 2], '')", format(numbers, ""), "[1, 2]");
}

TEST(PythonContainer, OfLibTorch) {
  torch::OrderedDict<std::string, at::Tensor> named;
  EXPECT_REPR("OrderedDict()", named, "OrderedDict()");
  named.insert("weight", at::ones({1}).requires_grad_());
  named.insert("mean", at::zeros({1}));
  EXPECT_REPR(
      "OrderedDict(weight=torch.nn.Parameter(torch.ones(1)), mean=torch.zeros(1))", named,
      release::ordered_dicts_show_a_dict
          ? "OrderedDict({'weight': Parameter containing:\ntensor([1.], requires_grad=True), 'mean': "
            "tensor([0.])})"
          : "OrderedDict([('weight', Parameter containing:\ntensor([1.], requires_grad=True)), ('mean', "
            "tensor([0.]))])");
  EXPECT_REPR("('product', torch.ones(1, requires_grad=True) * torch.ones(1))",
              (torch::OrderedDict<std::string, at::Tensor>::Item("product", named["weight"] * at::ones({1}))),
              "('product', tensor([1.], grad_fn=<MulBackward0>))");
  EXPECT_REPR("('weight', torch.nn.Parameter(torch.ones(1)))", *named.begin(),
              "('weight', Parameter containing:\ntensor([1.], requires_grad=True))");
  EXPECT_REPR("None", c10::nullopt, "None");
  c10::Dict<std::string, std::int64_t> ages;
  ages.insert("z", 1);
  ages.insert("a", 2);
  EXPECT_REPR("{'z': 1, 'a': 2}", ages, "{'z': 1, 'a': 2}");
  EXPECT_REPR("[1.5]", c10::List<double>({1.5}), "[1.5]");
}

TEST(PythonTorchValue, OfWhatDescribesATensor) {
  const auto t = at::ones({2, 3});
  EXPECT_REPR("torch.ones(2, 3).shape", t.sizes(), "torch.Size([2, 3])");
  EXPECT_REPR("torch.ones(2, 3).stride()", tuple(t.strides()), "(3, 1)");
  EXPECT_REPR("torch.float32", t.scalar_type(), "torch.float32");
  EXPECT_REPR("torch.float32", t.dtype(), "torch.float32");
  EXPECT_REPR("torch.device('cpu')", t.device(), "device(type='cpu')");
  EXPECT_REPR("torch.device('cuda:1')", at::Device("cuda:1"), "device(type='cuda', index=1)");
  EXPECT_REPR("torch.device('cpu')", at::kCPU, "device(type='cpu')");
  EXPECT_PYTHON("str(torch.device('cpu'))", str(at::kCPU), "cpu");
  EXPECT_PYTHON("str(torch.device('cuda:1'))", str(at::Device("cuda:1")), "cuda:1");
  EXPECT_PYTHON("f'{torch.device(\"cpu\")}'", format(t.device(), ""), "cpu");
  EXPECT_REPR("torch.strided", t.layout(), "torch.strided");
  EXPECT_REPR("torch.sparse_coo", at::kSparse, "torch.sparse_coo");
  EXPECT_REPR("torch.sparse_csr", at::kSparseCsr, "torch.sparse_csr");
  EXPECT_REPR("torch.sparse_bsc", at::kSparseBsc, "torch.sparse_bsc");
  EXPECT_REPR("torch._mkldnn", at::kMkldnn, "torch._mkldnn");
  EXPECT_REPR("torch.channels_last_3d", at::MemoryFormat::ChannelsLast3d, "torch.channels_last_3d");
  EXPECT_REPR("torch.per_channel_symmetric", at::kPerChannelSymmetric, "torch.per_channel_symmetric");
  EXPECT_REPR("2.5", at::Scalar(2.5), "2.5");
  EXPECT_REPR("True", at::Scalar(true), "True");
  EXPECT_PYTHON("format(7, '03d')", format(at::Scalar(7), "03d"), "007");
  EXPECT_REPR("1j", at::Scalar(c10::complex<double>(0, 1)), "1j");
}

TEST(PythonTorchValue, OfAGeneratorIsItsAddress) {
  const std::string text = repr(at::detail::getDefaultCPUGenerator());
  EXPECT_TRUE(text.starts_with("<torch._C.Generator object at 0x")) << text;
  EXPECT_EQ(repr(at::Generator()), "None");
}

struct Derived : at::Tensor {
  using at::Tensor::Tensor;
};

TEST(TensorKinds, PrintAsTheTensor) {
  const at::Tensor t = at::ones({2});
  const at::Tensor item = at::full({}, 0.5);
  EXPECT_REPR("torch.ones(2)", static_cast<const at::TensorBase&>(t), "tensor([1., 1.])");
  EXPECT_REPR("torch.ones(2)", Derived(t), "tensor([1., 1.])");
  EXPECT_REPR("torch.ones(2)", std::make_shared<at::Tensor>(t), "tensor([1., 1.])");
  EXPECT_REPR("None", std::shared_ptr<at::Tensor>(), "None");
  EXPECT_REPR("[torch.ones(2)]", std::vector{c10::MaybeOwned<at::Tensor>::borrowed(t)}, "[tensor([1., 1.])]");
  EXPECT_PYTHON("f'{torch.tensor(0.5):.2f}'", f("{:.2f}", Derived(item)), "0.50");
  EXPECT_PYTHON("f'{torch.tensor(0.5):.2f}'", f("{:.2f}", c10::MaybeOwned<at::Tensor>::borrowed(item)),
                "0.50");
  EXPECT_PYTHON("f'{torch.tensor(0.5):.2f}'", f("{:.2f}", std::make_shared<at::Tensor>(item)), "0.50");
}

TEST(PythonList, IsAnySequence) {
  EXPECT_REPR("[1, 2]", (std::deque{1, 2}), "[1, 2]");
  EXPECT_REPR("['a']", (std::list<std::string>{"a"}), "['a']");
  EXPECT_REPR("[[]]", (std::initializer_list<std::list<int>>{{}}), "[[]]");
}

TEST(TorchSymInt, IsAnInt) {
  EXPECT_REPR("3", c10::SymInt(3), "3");
  EXPECT_PYTHON("f'{3:>2}'", f("{:>2}", c10::SymInt(3)), " 3");
  EXPECT_REPR("torch.ones(2, 3).shape", at::ones({2, 3}).sym_sizes(), "torch.Size([2, 3])");
}

#if __has_include(<ATen/core/Dimname.h>)
TEST(TorchNames, AreATuple) {
  const auto name = at::Dimname::fromSymbol(at::Symbol::dimname("N"));
  EXPECT_REPR("torch.zeros(1, names=('N',)).names", at::zeros({1}, {{name}}, {}).names(), "('N',)");
  EXPECT_REPR("torch.zeros(1, 1, names=('N', None)).names",
              at::zeros({1, 1}, {{name, at::Dimname::wildcard()}}, {}).names(), "('N', None)");
}
#endif

}  // namespace
}  // namespace torchbook::pyrepr
