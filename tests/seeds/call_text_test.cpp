// Tests that calls are read, and written as they are in Python and C++.
#include <gtest/gtest.h>
#include <torchbook/seeds/call_text.h>

#include <string>

namespace torchbook::test {
namespace {

std::string refusal_of(const std::string& text) {
  try {
    static_cast<void>(seeds::read_call(text));
    return "";
  } catch (const seeds::SeedError& error) {
    return error.what();
  }
}

TEST(CallText, IsReadInManyForms) {
  const auto python = [](const char* text) { return seeds::python_of(seeds::read_call(text)); };
  for (const auto* text :
       {"rand(2, 3)", "torch.rand((2, 3))", " torch . rand ( [2,3] ) ", "torch.rand(2, 3,)",
        "torch.rand(2, 3, dtype=torch.float32, requires_grad=True)"}) {
    EXPECT_EQ(python(text), "torch.rand(2, 3)") << text;
  }
  EXPECT_EQ(python("randn(20, dtype=torch.double)"), "torch.randn(20, dtype=torch.float64)");
  EXPECT_EQ(python("randint(10, (4,))"), "torch.randint(0, 10, (4,))");
  EXPECT_EQ(python("randint(-5, 1_000, (4, 2))"), "torch.randint(-5, 1000, (4, 2))");
  EXPECT_EQ(python("randperm(10)"), "torch.randperm(10)");
  EXPECT_EQ(python("bernoulli(torch.full((4, 5), 0.3))"), "torch.bernoulli(torch.full((4, 5), 0.3))");
  EXPECT_EQ(python("torch.empty(4, 5).bernoulli_(0.3)"), "torch.empty(4, 5).bernoulli_(0.3)");
  EXPECT_EQ(python("F.dropout(torch.ones(4, 5), p=0.1)"),
            "torch.nn.functional.dropout(torch.ones(4, 5), 0.1)");
}

TEST(CallText, IsWrittenInCpp) {
  const auto cpp = [](const char* text) { return seeds::cpp_of(seeds::read_call(text)); };
  EXPECT_EQ(cpp("rand(2, 3, dtype=torch.float16)"), "torch::rand({2, 3}, torch::kHalf)");
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
  EXPECT_EQ(refusal_of("rand(2) + 1").substr(0, 42), "the call cannot be read from \"+ 1\" on; its");
  EXPECT_EQ(refusal_of("exponential(2)").substr(0, 27), "exponential is not searched");
  EXPECT_EQ(refusal_of("rand(2, dtype=torch.int8)"), "dtype=int8 in the call is not known here");
  EXPECT_EQ(refusal_of("randint(5, 5, (2,))"), "randint needs a high that is above low");
  EXPECT_EQ(refusal_of("empty(3).bernoulli_(1.5)"), "the probability must be between 0 and 1");
  EXPECT_EQ(refusal_of("randn(16, dtype=torch.half)"),
            "randn of sixteen or more elements of 16 bits is not searched");
  EXPECT_EQ(refusal_of(std::string(100000, '(')), "the call is nested too deeply");
}

}  // namespace
}  // namespace torchbook::test
