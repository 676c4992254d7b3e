// Tests that texts that no tensor prints, deep, torn and long ones, are read in linear time and memory.
#include <gtest/gtest.h>
#include <torchbook/golden/printed.h>

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

}  // namespace
}  // namespace torchbook::golden
