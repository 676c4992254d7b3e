// Tests that texts that no tensor prints, deep, torn and long ones, are read in linear time and memory.
#include <gtest/gtest.h>
#include <torchbook/golden/printed_comparison.h>

#include <string>
#include <string_view>

namespace torchbook::golden {
namespace {

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

/// Returns how many items the reader keeps of a text, a measure of its memory.
std::size_t kept(std::string_view text) {
  const Printed printed = read_printed(text);
  std::size_t sum = printed.tokens.size() + printed.brackets.size() + printed.tensors.size();
  for (const auto& tensor : printed.tensors) {
    sum += tensor.elements.size() + (tensor.shape ? tensor.shape->size() : 0);
  }
  return sum;
}

TEST(HostileTexts, AreReadWhateverTheirDepth) {
  constexpr std::size_t depth = 200'000;
  const std::string deep = "tensor(" + repeated("[", depth);
  EXPECT_EQ(read_printed(deep).brackets.size(), depth + 1);
  EXPECT_FALSE(read_printed(deep + "1" + repeated("]", depth - 1)).tensors.at(0).shape);
  const std::string closed = deep + "1" + repeated("]", depth) + ")";
  EXPECT_EQ(read_printed(closed).tensors.at(0).shape->size(), depth);
  EXPECT_EQ(read_printed(repeated("tensor(", depth)).tensors.size(), depth);
  EXPECT_EQ(read_printed(repeated("tensor([", depth)).tensors.size(), depth);
  EXPECT_EQ(read_printed(repeated("(", depth)).tokens.size(), depth);
  EXPECT_EQ(read_printed("tensor([" + repeated("...,[", depth)).brackets.size(), depth + 2);
}

TEST(HostileTexts, OfTwiceTheLengthKeepNoMoreThanTwice) {
  for (const char* piece :
       {"tensor(", "tensor([", "[", "]", "tensor([1, ", "tensor([[1], ...,", "tensor([...,[", "size=(1,", "1",
        "1+1j,", "tensor([1])", "torch.Size([1,", "\n", "\xff"}) {
    for (const char* before : {"", "tensor([", "tensor([[[[["}) {
      const auto once = kept(before + repeated(piece, 2000));
      const auto twice = kept(before + repeated(piece, 4000));
      EXPECT_LE(twice, 2 * once + 2) << before << piece;
      EXPECT_LE(once, 5 * 2000 * std::string_view(piece).size() + 20) << before << piece;
    }
  }
}

}  // namespace
}  // namespace torchbook::golden
