// Tests that texts that no tensor prints (deep, torn, long and random ones) are read in linear time and
// memory.
#include <gtest/gtest.h>
#include <torchbook/golden/printed_comparison.h>

#include <random>
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

/// Returns a text of pieces that a reader of tensors reacts to.
std::string random_text(std::mt19937& random) {
  constexpr std::string_view pieces[] = {"tensor(", "tensor", "(",     ")",          "[",          "]",
                                         ",",       "...",    "1",     "-2.50",      "1e9",        "1.+2.j",
                                         "j",       "nan",    "True",  "None",       " ",          "\n",
                                         "size",    "=",      "dtype", "torch.Size", "torch.int8", "\xff"};
  std::uniform_int_distribution<std::size_t> pick(0, std::size(pieces) - 1);
  std::uniform_int_distribution<std::size_t> length(0, 60);
  std::string text;
  for (std::size_t i = length(random); i > 0; --i) text += pieces[pick(random)];
  return text;
}

/// Checks what must hold for any text that was read.
void check_reading(const std::string& text) {
  const Printed printed = read_printed(text);
  std::size_t end = 0;
  for (const auto& token : printed.tokens) {
    ASSERT_GE(token.range.begin, end) << text;
    ASSERT_LT(token.range.begin, token.range.end) << text;
    end = token.range.end;
    ASSERT_LE(token.tensor, printed.tensors.size()) << text;
    const auto depth = token.element ? printed.index_of(token).size() : 0;
    ASSERT_LE(depth, text.size()) << text;
  }
  ASSERT_LE(end, text.size()) << text;
  for (const auto& tensor : printed.tensors) {
    ASSERT_LE(tensor.range.end, text.size()) << text;
    if (!tensor.whole) continue;
    std::int64_t product = 1;
    for (const auto length : *tensor.shape) product *= length;
    ASSERT_EQ(static_cast<std::size_t>(product), tensor.elements.size()) << text;
  }
}

TEST(HostileTexts, AtRandomAreReadAndAgreeWithThemselvesOnly) {
  std::mt19937 random(20240611);
  for (int i = 0; i < 20000; ++i) {
    const std::string text = random_text(random);
    check_reading(text);
    EXPECT_TRUE(compare_printed(text, text).agree) << text;
    EXPECT_FALSE(compare_printed(text, text + " end").agree) << text;
    const std::string other = random_text(random);
    const auto there = compare_printed(text, other);
    const auto back = compare_printed(other, text);
    EXPECT_EQ(there.agree, back.agree) << text << " | " << other;
    EXPECT_EQ(there.first.has_value(), back.first.has_value()) << text << " | " << other;
  }
}

}  // namespace
}  // namespace torchbook::golden
