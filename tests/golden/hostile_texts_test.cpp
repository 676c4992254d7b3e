// Tests that texts that no tensor prints (deep, torn and random ones) are read.
#include <gtest/gtest.h>
#include <torchbook/golden/printed.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::golden {
namespace {

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(HostileTexts, OfAnyDepthHaveNoElements) {
  constexpr std::size_t depth = 200'000;
  const std::string deep = "tensor(" + repeated("[", depth) + "1" + repeated("]", depth) + ")";
  const auto printed = read_printed(deep);
  EXPECT_EQ(printed.tokens.size(), 2 * depth + 4);
  const std::vector<std::int64_t> shapes[] = {{}, {1}, {1, 1, 1}};
  for (const auto& shape : shapes) EXPECT_FALSE(elements_of(printed, 0, shape));
  EXPECT_EQ(read_printed(repeated("tensor(", depth)).tensors.size(), depth);
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
  }
  ASSERT_LE(end, text.size()) << text;
  const std::vector<std::int64_t> shapes[] = {{}, {1}, {3}, {1, 1}, {2, 0}};
  for (std::size_t i = 0; i < printed.tensors.size(); ++i) {
    for (const auto& shape : shapes) {
      for (const auto& element : elements_of(printed, i, shape).value_or(std::vector<PrintedElement>()))
        ASSERT_LE(element.range.end, text.size()) << text;
    }
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
