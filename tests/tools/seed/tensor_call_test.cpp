// Tests that calls are written in Python and C++. calls_test.py tests how they are read.
#include <gtest/gtest.h>
#include <support/message_of.h>
#include <tools/seed/read_call.h>
#include <torchbook/pyrepr/release.h>

#include <string>

namespace torchbook::test {
namespace {

seeds::TensorCall read(const std::string& text) { return seeds::read_call(text, TORCHBOOK_PYTHON); }

std::string refusal_of(const std::string& text) {
  return message_of<seeds::SeedError>([&] { static_cast<void>(read(text)); });
}

TEST(TensorCall, IsWrittenInPython) {
  for (const std::string text :
       {"torch.rand(2, 3)", "torch.randn(20, dtype=torch.float64)", "torch.randint(-5, 1000, (4,))",
        "torch.randperm(10)", "torch.bernoulli(torch.full((4, 5), 0.3))", "torch.empty(4, 5).bernoulli_(0.3)",
        "torch.nn.functional.dropout(torch.ones(4, 5), 0.1)"}) {
    EXPECT_EQ(seeds::python_of(read(text)), text);
  }
}

TEST(TensorCall, IsWrittenInCpp) {
  const auto cpp = [](const char* text) { return seeds::cpp_of(read(text)); };
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

TEST(TensorCall, IsRefusedIfItsDrawsCannotBeSearched) {
  EXPECT_EQ(refusal_of("randint(2**40 + 1, (9,))"),
            "randint of 1099511627777 integers takes two draws for each, which a remainder by an odd "
            "number does not determine");
  EXPECT_EQ(refusal_of("randn(16, dtype=torch.half)"),
            "randn of sixteen or more elements of 16 bits is not searched");
  EXPECT_EQ(refusal_of("rand"), "\"rand\" is no call that draws a tensor");
}

}  // namespace
}  // namespace torchbook::test
