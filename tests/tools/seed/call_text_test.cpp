// Tests that calls are read, and written as they are in Python and C++.
#include <gtest/gtest.h>
#include <support/message_of.h>
#include <tools/seed/call_text.h>
#include <torchbook/pyrepr/release.h>

#include <string>

namespace torchbook::test {
namespace {

std::string refusal_of(const std::string& text) {
  return message_of<seeds::SeedError>([&] { static_cast<void>(seeds::read_call(text)); });
}

TEST(CallText, IsReadInManyForms) {
  const auto python = [](const char* text) { return seeds::python_of(seeds::read_call(text)); };
  for (const auto* text : {"rand(2, 3)", "torch.rand((2, 3))", " torch . rand ( [2,3] ) ",
                           "torch.rand(2, 3,)", "torch.rand(2, 3, dtype=torch.float32, requires_grad=True)",
                           "rand(size=(2, 3))", "torch.rand(size=[2, 3], device='cpu')",
                           "rand((1 + 1), 2**2 - 1)", "rand(4 // 2, 1 * 3, device=device)",
                           "torch.empty(2, 3).uniform_()", "torch.zeros((2, 3)).uniform_(0, 1)"}) {
    EXPECT_EQ(python(text), "torch.rand(2, 3)") << text;
  }
  EXPECT_EQ(python("randn(20, dtype=torch.double)"), "torch.randn(20, dtype=torch.float64)");
  EXPECT_EQ(python("torch.empty(20, dtype=torch.float64).normal_()"), "torch.randn(20, dtype=torch.float64)");
  for (const auto* text :
       {"randint(10, (4,))", "torch.randint(0, 10, (4,))", "randint(high=10, size=(4,))",
        "randint(10, size=[4])", "randint(0, 10, size=(4,))", "randint(0, high=10, size=(4,))",
        "torch.randint(low=0, high=10, size=(4,), dtype=torch.int64)"}) {
    EXPECT_EQ(python(text), "torch.randint(0, 10, (4,))") << text;
  }
  EXPECT_EQ(python("randint(2**40, (4,))"), "torch.randint(0, 1099511627776, (4,))");
  EXPECT_EQ(python("randint(-2**3, 2**3, (4,))"), "torch.randint(-8, 8, (4,))");
  EXPECT_EQ(python("randint(-5, 1_000, (4, 2))"), "torch.randint(-5, 1000, (4, 2))");
  EXPECT_EQ(python("randperm(10)"), "torch.randperm(10)");
  EXPECT_EQ(python("randperm(n=10)"), "torch.randperm(10)");
  for (const auto* text : {"bernoulli(torch.full((4, 5), 0.3))", "torch.bernoulli(torch.full((4,5), .3))",
                           "torch.full(size=(4, 5), fill_value=3e-1).bernoulli()"}) {
    EXPECT_EQ(python(text), "torch.bernoulli(torch.full((4, 5), 0.3))") << text;
  }
  EXPECT_EQ(python("torch.empty(4, 5).bernoulli_(0.3)"), "torch.empty(4, 5).bernoulli_(0.3)");
  for (const auto* text :
       {"F.dropout(torch.ones(4, 5), p=0.1)", "torch.dropout(torch.ones(4, 5), 0.1, True)",
        "F.dropout(torch.ones(4, 5), 0.1, training=True)", "nn.Dropout(0.1)(torch.ones(4, 5))",
        "torch.nn.Dropout(p=.1)(torch.ones((4, 5)))"}) {
    EXPECT_EQ(python(text), "torch.nn.functional.dropout(torch.ones(4, 5), 0.1)") << text;
  }
}

TEST(CallText, KnowsTheNamesOfConstants) {
  const seeds::Constants names = {{"B", 4}, {"T", 8}};
  EXPECT_EQ(seeds::python_of(seeds::read_call("torch.randn(B, T * 2, 3)", names)), "torch.randn(4, 16, 3)");
  EXPECT_EQ(seeds::python_of(seeds::read_call("randint(T, size=(B, T))", names)),
            "torch.randint(0, 8, (4, 8))");
}

TEST(CallText, IsWrittenInCpp) {
  const auto cpp = [](const char* text) { return seeds::cpp_of(seeds::read_call(text)); };
#if TORCHBOOK_LIBTORCH_AT_LEAST(2, 7)
  EXPECT_EQ(refusal_of("rand(2, dtype=torch.half)"),
            "rand of 16 bits is not searched with LibTorch 2.7 and later, which round it");
#else
  EXPECT_EQ(cpp("rand(2, 3, dtype=torch.float16)"), "torch::rand({2, 3}, torch::kHalf)");
#endif
  EXPECT_EQ(cpp("randn(20)"), "torch::randn({20})");
  EXPECT_EQ(cpp("randint(10, (4,))"), "torch::randint(0, 10, {4})");
  EXPECT_EQ(cpp("randint(10, (4,), dtype=torch.uint8)"), "torch::randint(0, 10, {4}, torch::kByte)");
  EXPECT_EQ(cpp("randperm(10)"), "torch::randperm(10)");
  EXPECT_EQ(cpp("dropout(ones(3), 0.1)"), "torch::dropout(torch::ones({3}), 0.1, /*train=*/true)");
}

TEST(CallText, IsRefusedWithItsReason) {
  EXPECT_EQ(refusal_of("rand(B, 3)"), "\"B\" in the call must be a number");
  EXPECT_EQ(refusal_of("rand(2"), "the call ends too early");
  EXPECT_EQ(refusal_of("rand"), "\"rand\" is no call");
  EXPECT_EQ(refusal_of("rand(0)"), "the call draws no elements");
  EXPECT_EQ(refusal_of("rand(100000, 100000, 100000)"), "the call draws too many elements");
  EXPECT_EQ(refusal_of("rand(2) + 1"), "the call has \"rand + 1\", which is no whole number here");
  EXPECT_EQ(refusal_of("rand(2) @ x"), "the call cannot be read from \"@ x\" on; it takes numbers only");
  EXPECT_EQ(refusal_of("rand(2**64)"), "the call has \"2 ** 64\", which is no whole number here");
  EXPECT_EQ(refusal_of("rand(2 // 0)"), "the call has \"2 // 0\", which is no whole number here");
  EXPECT_EQ(refusal_of("rand(3, device='cuda')"),
            "device=cuda has a generator of its own, which is not searched");
  EXPECT_EQ(refusal_of("rand(3, device='cuda"), "a string in the call has no end");
  EXPECT_EQ(refusal_of("rand(3, generator=g)"), "generator= in the call is not known here");
  EXPECT_EQ(refusal_of("rand(2, size=(3,))"), "rand in the call has two shapes");
  EXPECT_EQ(refusal_of("randperm(2, 3)"), "randperm in the call has too many arguments");
  EXPECT_EQ(refusal_of("randint(10)"), "randint takes low, high and a shape");
  EXPECT_EQ(refusal_of("randint(2**40 + 1, (9,))"),
            "randint of 1099511627777 integers takes two draws for each, which the rest of a division by an "
            "odd number does not tell");
  EXPECT_EQ(refusal_of("empty(3).uniform_(-1, 1)"), "uniform_ is searched only with 0 and 1, its defaults");
  EXPECT_EQ(refusal_of("empty(3).normal_(0, 0.02)"), "normal_ is searched only with 0 and 1, its defaults");
  EXPECT_EQ(refusal_of("F.dropout(x, 0.5)"), "dropout needs ones(…), zeros(…) or empty(…) with its shape");
  EXPECT_EQ(refusal_of("nn.Dropout(0.5)"), "Dropout needs ones(…), zeros(…) or empty(…) with its shape");
  EXPECT_EQ(refusal_of("F.dropout(ones(3), 0.5, training=False)"),
            "dropout draws nothing without training=True");
  EXPECT_EQ(refusal_of("F.dropout(ones(3, dtype=torch.float64), 0.5)"),
            "dtype=float64 in the call is not known here");
  EXPECT_EQ(refusal_of("exponential(2)").substr(0, 27), "exponential is not searched");
  EXPECT_EQ(refusal_of("rand(2, dtype=torch.int8)"), "dtype=int8 in the call is not known here");
  EXPECT_EQ(refusal_of("randint(5, 5, (2,))"), "randint needs a high that is above low");
  EXPECT_EQ(refusal_of("empty(3).bernoulli_(1.5)"), "the probability must be between 0 and 1");
  EXPECT_EQ(refusal_of("randn(16, dtype=torch.half)"),
            "randn of sixteen or more elements of 16 bits is not searched");
  EXPECT_EQ(refusal_of(std::string(100000, '(')), "the call is nested too deeply");
  EXPECT_EQ(refusal_of(std::string(100000, '-')),
            "the call cannot be read from \"--------------------\" on; it takes numbers only");
  std::string chain = "f()";
  for (int i = 0; i < 100000; ++i) chain += ".f()";
  EXPECT_EQ(refusal_of(chain), "the call is nested too deeply");
}

}  // namespace
}  // namespace torchbook::test
