// Tests the text of None, texts of C, complex numbers, containers and what describes tensors.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/api/include/torch/ordered_dict.h>
#include <torchbook/pyrepr/pyrepr.h>
#include <torchbook/pyrepr/release.h>

#include <limits>
#include <sstream>
#include <string>

#include "judged.h"

namespace torchbook::pyrepr {
namespace {

TEST(PythonNone, IsWhatHoldsNothing) {
  EXPECT_PYTHON("repr(None)", repr(nullptr), "None");
  EXPECT_PYTHON("repr(None)", repr(std::monostate()), "None");
  EXPECT_PYTHON("repr(None)", repr(at::Tensor()), "None");
  EXPECT_PYTHON("repr(None)", repr(static_cast<const char*>(nullptr)), "None");
  EXPECT_PYTHON("repr([None, 1])", repr(std::vector<std::optional<int>>{std::nullopt, 1}), "[None, 1]");
  EXPECT_PYTHON("f'{None}'", fmt::format("{}", at::Tensor()), "None");
  EXPECT_PYTHON("f'{None}'", format(c10::optional<at::Tensor>(), ""), "None");
  EXPECT_PYTHON_RAISES("f'{None:.2f}'", "TypeError", fmt::format("{:.2f}", at::Tensor()), fmt::format_error);
}

TEST(PythonNone, IsTheGradientBeforeBackward) {
  const auto weight = at::ones({2}).requires_grad_();
  EXPECT_PYTHON("repr(torch.ones(2, requires_grad=True).grad)", repr(weight.grad()), "None");
  weight.sum().backward();
  EXPECT_PYTHON("repr(torch.ones(2))", repr(weight.grad()), "tensor([1., 1.])");
}

TEST(PythonText, IsAnyTextOfC) {
  const char* const pointer = "it's";
  EXPECT_PYTHON("repr(\"it's\")", repr(pointer), "\"it's\"");
  EXPECT_PYTHON("repr('hello')", repr("hello"), "'hello'");
  EXPECT_PYTHON("str('hello')", str("hello"), "hello");
  EXPECT_PYTHON("format('hello', '')", format("hello", ""), "hello");
  EXPECT_PYTHON("repr('a')", repr('a'), "'a'");
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
  for (const char* spec : {"d", "=10", "+", "#", ",", "_", "z", "0=10"}) {
    EXPECT_PYTHON_RAISES("format('abc', '" + std::string(spec) + "')", "ValueError", format("abc", spec),
                         fmt::format_error);
  }
}

TEST(PythonComplex, OmitsAPositiveZero) {
  using Complex = std::complex<double>;
  EXPECT_PYTHON("repr(1 + 2j)", repr(Complex(1, 2)), "(1+2j)");
  EXPECT_PYTHON("repr(2j)", repr(Complex(0, 2)), "2j");
  EXPECT_PYTHON("repr(complex(-0.0, 1))", repr(Complex(-0.0, 1)), "(-0+1j)");
  EXPECT_PYTHON("repr(complex(0, -0.0))", repr(Complex(0, -0.0)), "-0j");
  EXPECT_PYTHON("repr(complex(1e16, math.nan))",
                repr(Complex(1e16, std::numeric_limits<double>::quiet_NaN())), "(1e+16+nanj)");
  EXPECT_PYTHON("repr(complex(1.5, -0.25))", repr(c10::complex<float>(1.5f, -0.25f)), "(1.5-0.25j)");
  EXPECT_PYTHON("format(1 + 2j, '.2f')", format(std::complex<float>(1, 2), ".2f"), "1.00+2.00j");
}

TEST(PythonInt, TakesEveryWidth) {
  EXPECT_PYTHON("repr(2**64 - 1)", repr(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_PYTHON("format(2**64 - 1, ',')", format(std::numeric_limits<std::uint64_t>::max(), ","),
                "18,446,744,073,709,551,615");
  EXPECT_PYTHON("format(3, 'd')", format(3, "d"), "3");
  EXPECT_PYTHON("format(-3, 'b')", format(static_cast<signed char>(-3), "b"), "-11");
  EXPECT_PYTHON("repr(200)", repr(static_cast<unsigned char>(200)), "200");
}

TEST(PythonContainer, OfEveryKind) {
  EXPECT_PYTHON("repr((1, 'a'))", repr(std::pair(1, "a")), "(1, 'a')");
  EXPECT_PYTHON("repr([1.0, 2.5])", repr(std::array{1.0, 2.5}), "[1.0, 2.5]");
  EXPECT_PYTHON("repr([True, False])", repr(std::vector<bool>{true, false}), "[True, False]");
  const std::vector<int> numbers{1, 2};
  EXPECT_PYTHON("repr([1, 2])", repr(std::span(numbers)), "[1, 2]");
  EXPECT_PYTHON("repr([torch.ones(1)])", repr(at::TensorList({at::ones({1})})), "[tensor([1.])]");
  EXPECT_PYTHON("repr(set())", repr(std::set<int>()), "set()");
  EXPECT_PYTHON("repr({1, 2})", repr(std::set{2, 1}), "{1, 2}");
  EXPECT_PYTHON("repr({1, 2})", repr(std::unordered_set{2, 1}), "{1, 2}");
  EXPECT_PYTHON("repr({})", repr(std::map<int, int>()), "{}");
  EXPECT_PYTHON("repr({'a': torch.ones(2, 2)})",
                repr(std::map<std::string, at::Tensor>{{"a", at::ones({2, 2})}}),
                "{'a': tensor([[1., 1.],\n        [1., 1.]])}");
  EXPECT_PYTHON("repr({'a': [1], 'b': []})",
                repr(std::unordered_map<std::string, std::vector<int>>{{"b", {}}, {"a", {1}}}),
                "{'a': [1], 'b': []}");
  EXPECT_PYTHON("repr([(1, {2: None})])",
                repr(std::vector{std::tuple(1, std::map<int, std::nullptr_t>{{2, nullptr}})}),
                "[(1, {2: None})]");
  const std::variant<int, std::string> either("x");
  EXPECT_PYTHON("repr('x')", repr(either), "'x'");
  EXPECT_PYTHON("str('x')", str(either), "x");
  EXPECT_PYTHON("format([1, 2], '')", format(numbers, ""), "[1, 2]");
}

TEST(PythonContainer, RefusesSpecsByItsName) {
  EXPECT_PYTHON_RAISES("format([1], 'd')", "TypeError", format(std::vector{1}, "d"), fmt::format_error);
  try {
    format(std::vector{1}, "d");
  } catch (const fmt::format_error& error) {
    EXPECT_PYTHON("message_of(lambda: format([1], 'd'))", std::string(error.what()),
                  "unsupported format string passed to list.__format__");
  }
}

TEST(PythonContainer, OfLibTorch) {
  torch::OrderedDict<std::string, at::Tensor> named;
  EXPECT_PYTHON("repr(OrderedDict())", repr(named), "OrderedDict()");
  named.insert("weight", at::ones({1}).requires_grad_());
  named.insert("mean", at::zeros({1}));
  EXPECT_PYTHON(
      "repr(OrderedDict(weight=torch.nn.Parameter(torch.ones(1)), mean=torch.zeros(1)))", repr(named),
      release::ordered_dicts_show_a_dict
          ? "OrderedDict({'weight': Parameter containing:\ntensor([1.], requires_grad=True), 'mean': "
            "tensor([0.])})"
          : "OrderedDict([('weight', Parameter containing:\ntensor([1.], requires_grad=True)), ('mean', "
            "tensor([0.]))])");
  EXPECT_PYTHON("repr(('weight', torch.nn.Parameter(torch.ones(1))))", repr(*named.begin()),
                "('weight', Parameter containing:\ntensor([1.], requires_grad=True))");
  EXPECT_PYTHON("repr(None)", repr(c10::nullopt), "None");
  c10::Dict<std::string, std::int64_t> ages;
  ages.insert("z", 1);
  ages.insert("a", 2);
  EXPECT_PYTHON("repr({'z': 1, 'a': 2})", repr(ages), "{'z': 1, 'a': 2}");
  EXPECT_PYTHON("repr([1.5])", repr(c10::List<double>({1.5})), "[1.5]");
}

TEST(PythonTorchValue, OfWhatDescribesATensor) {
  const auto t = at::ones({2, 3});
  EXPECT_PYTHON("repr(torch.ones(2, 3).shape)", repr(t.sizes()), "torch.Size([2, 3])");
  EXPECT_PYTHON("repr(torch.ones(2, 3).stride())", repr(tuple(t.strides())), "(3, 1)");
  EXPECT_PYTHON("repr(torch.float32)", repr(t.scalar_type()), "torch.float32");
  EXPECT_PYTHON("repr(torch.float32)", repr(t.dtype()), "torch.float32");
  EXPECT_PYTHON("repr(torch.device('cpu'))", repr(t.device()), "device(type='cpu')");
  EXPECT_PYTHON("repr(torch.device('cuda:1'))", repr(at::Device("cuda:1")), "device(type='cuda', index=1)");
  EXPECT_PYTHON("str(torch.device('cuda:1'))", str(at::Device("cuda:1")), "cuda:1");
  EXPECT_PYTHON("f'{torch.device(\"cpu\")}'", format(t.device(), ""), "cpu");
  EXPECT_PYTHON("repr(torch.strided)", repr(t.layout()), "torch.strided");
  EXPECT_PYTHON("repr(torch.sparse_coo)", repr(at::kSparse), "torch.sparse_coo");
  EXPECT_PYTHON("repr(torch.sparse_csr)", repr(at::kSparseCsr), "torch.sparse_csr");
  EXPECT_PYTHON("repr(torch.sparse_bsc)", repr(at::kSparseBsc), "torch.sparse_bsc");
  EXPECT_PYTHON("repr(torch._mkldnn)", repr(at::kMkldnn), "torch._mkldnn");
  EXPECT_PYTHON("repr(torch.channels_last_3d)", repr(at::MemoryFormat::ChannelsLast3d),
                "torch.channels_last_3d");
  EXPECT_PYTHON("repr(torch.per_channel_symmetric)", repr(at::kPerChannelSymmetric),
                "torch.per_channel_symmetric");
  EXPECT_PYTHON("repr(2.5)", repr(at::Scalar(2.5)), "2.5");
  EXPECT_PYTHON("repr(True)", repr(at::Scalar(true)), "True");
  EXPECT_PYTHON("format(7, '03d')", format(at::Scalar(7), "03d"), "007");
  EXPECT_PYTHON("repr(1j)", repr(at::Scalar(c10::complex<double>(0, 1))), "1j");
}

TEST(PythonTorchValue, OfAGeneratorIsItsAddress) {
  const std::string text = repr(at::detail::getDefaultCPUGenerator());
  EXPECT_TRUE(text.starts_with("<torch._C.Generator object at 0x")) << text;
  EXPECT_EQ(repr(at::Generator()), "None");
}

TEST(Python, KeepsATemporary) {
  const auto kept = python(std::string("it's ") + "here");
  std::ostringstream out;
  out << kept;
  EXPECT_EQ(out.str(), "it's here");
  EXPECT_EQ(fmt::format("{}", python(std::vector{at::ones({1})})), "[tensor([1.])]");
}

}  // namespace
}  // namespace torchbook::pyrepr
