// Tests that the state after a printed tensor is found: LibTorch draws it, pyrepr prints it.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>
#include <support/message_of.h>
#include <tools/seed/known_draws.h>
#include <tools/seed/read_call.h>
#include <tools/seed/verify.h>
#include <torchbook/pyrepr/release.h>
#include <torchbook/pyrepr/tensor.h>

#include <functional>
#include <string>
#include <vector>

namespace torchbook::test {
namespace {

seeds::TensorCall call_of(const std::string& text) { return seeds::read_call(text, TORCHBOOK_PYTHON); }

using rng::State;
using Draw = std::function<at::Tensor(const at::Generator&)>;

/// A call in Python, and the same in C++.
struct Planted {
  const char* call;
  Draw draw;
};

at::Tensor drawn(const Draw& draw, const State& state) {
  auto generator = at::detail::createCPUGenerator(state.seed);
  for (std::uint32_t i = 0; i < state.offset; ++i) generator.get<at::CPUGeneratorImpl>()->random();
  return draw(generator);
}

/// Returns the states, among a thousand seeds, from which LibTorch gives the text.
std::vector<State> states_of(const seeds::TensorCall& call, const std::string& text, std::uint32_t around,
                             std::uint32_t first, std::uint32_t last) {
  const auto shown = seeds::read_shown(text, call);
  auto found = rng::scan({seeds::tests_of(call, shown), first, last}, {around - 500, 1000});
  std::erase_if(found, [&](const State& state) { return !seeds::reproduces(call, state, shown); });
  return found;
}

Draw rand(std::vector<std::int64_t> shape, at::ScalarType dtype = at::kFloat) {
  return [=](const auto& generator) { return at::rand(shape, generator, dtype); };
}
Draw randn(std::vector<std::int64_t> shape, at::ScalarType dtype = at::kFloat) {
  return [=](const auto& generator) { return at::randn(shape, generator, dtype); };
}
Draw randint(std::int64_t low, std::int64_t high, std::vector<std::int64_t> shape,
             at::ScalarType dtype = at::kLong) {
  return [=](const auto& generator) { return at::randint(low, high, shape, generator, dtype); };
}
Draw randperm(std::int64_t count) {
  return [=](const auto& generator) { return at::randperm(count, generator, at::kLong); };
}
Draw mask(std::vector<std::int64_t> shape, double p, double divisor = 1) {
  return [=](const auto& generator) { return at::empty(shape).bernoulli_(p, generator).div_(divisor); };
}

const std::vector<Planted> all_calls = {
    {"rand(4, 8, 2)", rand({4, 8, 2})},
    {"rand(5)", rand({5})},
    {"rand(3, 4, dtype=torch.float64)", rand({3, 4}, at::kDouble)},
#if !TORCHBOOK_LIBTORCH_AT_LEAST(2, 7)
    {"rand(30, dtype=torch.float16)", rand({30}, at::kHalf)},
    {"rand(30, dtype=torch.bfloat16)", rand({30}, at::kBFloat16)},
#endif
    {"rand(2000)", rand({2000})},
    {"randn(4, 8, 2)", randn({4, 8, 2})},
    {"randn(16)", randn({16})},
    {"randn(17)", randn({17})},
    {"randn(5, 9)", randn({5, 9})},
    {"randn(3, 5)", randn({3, 5})},
    {"randn(8, dtype=torch.float64)", randn({8}, at::kDouble)},
    {"randn(35, dtype=torch.float64)", randn({35}, at::kDouble)},
    {"randn(14, dtype=torch.float16)", randn({14}, at::kHalf)},
    {"randn(14, dtype=torch.bfloat16)", randn({14}, at::kBFloat16)},
    {"randint(0, 10, (5, 6))", randint(0, 10, {5, 6})},
    {"randint(0, 2, (70,), dtype=torch.uint8)", randint(0, 2, {70}, at::kByte)},
    {"randint(-64, 64, (10,), dtype=torch.int16)", randint(-64, 64, {10}, at::kShort)},
    {"randint(-64, 64, (10,))", randint(-64, 64, {10})},
    {"randint(3000000000, (4,))", randint(0, 3000000000, {4})},
    {"randint(2**40, (5,))", randint(0, std::int64_t{1} << 40, {5})},
    {"randint(-10**12, 10**12, size=(9,))", randint(-1'000'000'000'000, 1'000'000'000'000, {9})},
    {"empty(4, 3).uniform_()",
     [](const auto& g) {
       return at::empty({4, 3}).uniform_(0, 1, g);
     }},
    {"empty(20).normal_()", [](const auto& g) { return at::empty({20}).normal_(0, 1, g); }},
    {"empty(9).normal_()", [](const auto& g) { return at::empty({9}).normal_(0, 1, g); }},
    {"rand(8, requires_grad=True)", [](const auto& g) { return rand({8})(g).requires_grad_(); }},
    {"nn.Dropout(0.1)(ones(20, 15))", mask({20, 15}, 0.9, 0.9)},
    {"randperm(25)", randperm(25)},
    {"randperm(3000)", randperm(3000)},
    {"bernoulli(full((9, 9), 0.3))",
     [](const auto& g) {
       return at::bernoulli(at::full({9, 9}, 0.3), g);
     }},
    {"empty(9, 9).bernoulli_(0.5)", mask({9, 9}, 0.5)},
    {"dropout(ones(9, 9), 0.5)", mask({9, 9}, 0.5, 0.5)},
};

TEST(PlantedState, IsFoundForEveryCall) {
  for (const auto& [text_of_call, draw] : all_calls) {
    const auto call = call_of(text_of_call);
    for (const std::uint32_t offset : {0U, 64U, 500U, 1500U, 9990U}) {
      const State state{1234567U + offset, offset};
      const auto text = pyrepr::Printer<at::Tensor>::repr(drawn(draw, state));
      const auto first = offset > 9 ? offset - 9 : 0;
      EXPECT_EQ(states_of(call, text, state.seed, first, offset + 9), std::vector{state})
          << text_of_call << " after " << offset << ": " << text;
      EXPECT_EQ(states_of(call, text, state.seed, offset + 1, offset + 9), std::vector<State>())
          << text_of_call;
    }
  }
}

TEST(PlantedState, IsFoundByTheBeginningOfATensor) {
  const State state{4000000000, 70};
  const auto tensor = drawn(randn({6, 8, 4}), state);
  const auto whole = pyrepr::Printer<at::Tensor>::repr(tensor);
  const std::vector<std::string> texts = {"x[0] = " + pyrepr::Printer<at::Tensor>::repr(tensor[0]),
                                          pyrepr::Printer<at::Tensor>::repr(tensor.slice(0, 0, 2)),
                                          whole.substr(0, whole.size() / 3)};
  for (const auto& text : texts)
    EXPECT_EQ(states_of(call_of("randn(6, 8, 4)"), text, state.seed, 0, 608), std::vector{state}) << text;
}

TEST(PlantedState, IsNotTheNearestOne) {
  const State state{42424242, 7};
  auto text = pyrepr::Printer<at::Tensor>::repr(drawn(rand({3, 4}), state));
  auto& digit = text[text.rfind(']') - 2];
  digit = digit == '9' ? '8' : static_cast<char>(digit + 1);  // one unit in the last place of one element
  EXPECT_EQ(states_of(call_of("rand(3, 4)"), text, state.seed, 0, 608), std::vector<State>()) << text;
}

TEST(Tests, SayAsManyBitsAsTheDigits) {
  const auto call = call_of("rand(2)");
  // Four digits allow ten thousand values, which is 13.3 bits.
  EXPECT_NEAR(seeds::bits_of(seeds::tests_of(call, seeds::read_shown("tensor([0.1234, 0.5678])", call))),
              26.6, 0.1);
  const auto die = call_of("randint(1, 7, (10,))");
  const auto text = "tensor([1, 2, 3, 4, 5, 6, 1, 2, 3, 4])";
  EXPECT_NEAR(seeds::bits_of(seeds::tests_of(die, seeds::read_shown(text, die))), 25.85, 0.01);
  const auto order = call_of("randperm(4)");
  EXPECT_NEAR(seeds::bits_of(seeds::tests_of(order, seeds::read_shown("tensor([3, 1, 0, 2])", order))), 4.585,
              0.001);
}

std::string refusal_of(const char* call_text, const std::string& text) {
  return message_of<seeds::SeedError>([&] {
    const auto call = call_of(call_text);
    static_cast<void>(seeds::tests_of(call, seeds::read_shown(text, call)));
  });
}

TEST(Shown, IsRefusedIfTheCallNeverGivesIt) {
  EXPECT_EQ(refusal_of("rand(2)", "tensor([0.5000, 1.5000])"), "the call never draws 1.5000");
  EXPECT_EQ(refusal_of("randint(10, (2,))", "tensor([3, 10])"), "the call never draws 10");
  EXPECT_EQ(refusal_of("randperm(3)", "tensor([1, 1, 0])"), "the call never draws 1");
  EXPECT_EQ(refusal_of("rand(2)", "tensor([nan, 0.5])"), "the call never draws nan");
  EXPECT_EQ(refusal_of("rand(2, 3)", "tensor([0.5000, 0.2500, 0.1250, 0.7500])"),
            "the printed tensor of 4 elements is not how a tensor of (2, 3) begins");
  EXPECT_EQ(refusal_of("rand(2)", "0.5"), "the text has 0 printed tensors; give it one, as tensor([…])");
  EXPECT_EQ(refusal_of("rand(2)", "tensor([])"), "the printed tensor shows no elements");
  EXPECT_EQ(refusal_of("rand(2)", "tensor([0.5, 1.5], device='cuda:0')"), "the call never draws 1.5");
  EXPECT_EQ(refusal_of("rand(2)", "tensor([0.1, 0.2, 0.3"),
            "the text shows more elements than the call draws");
}

}  // namespace
}  // namespace torchbook::test
