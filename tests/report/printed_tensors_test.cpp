// Where the elements of printed tensors are found, and where none are.
#include <gtest/gtest.h>
#include <torchbook/report/printed_tensors.h>

#include <string>

namespace torchbook::test {
namespace {

using Shape = std::vector<std::int64_t>;

/// The elements as they stand in the text, with spaces before them where a width pads them.
std::vector<std::string> words(std::string_view text, const report::PrintedTensor& tensor) {
  std::vector<std::string> found;
  for (const auto& [begin, end] : tensor.elements) found.emplace_back(text.substr(begin, end - begin));
  return found;
}

TEST(PrintedTensors, OfEveryRank) {
  const std::string text = "tensor(3) then tensor([1., 2.]) then tensor([[1, 2],\n        [3, 4]]) end";
  const auto tensors = report::printed_tensors(text);
  ASSERT_EQ(tensors.size(), 3U);
  EXPECT_EQ(tensors[0].shape, Shape{});
  EXPECT_EQ(words(text, tensors[0]), std::vector<std::string>{"3"});
  EXPECT_EQ(tensors[1].shape, Shape{2});
  EXPECT_EQ(words(text, tensors[1]), (std::vector<std::string>{"1.", "2."}));
  EXPECT_EQ(tensors[2].shape, (Shape{2, 2}));
  EXPECT_EQ(words(text, tensors[2]), (std::vector<std::string>{"1", "2", "3", "4"}));
  EXPECT_EQ(text.substr(tensors[2].range.end), ") end");
}

TEST(PrintedTensors, OfRankThreeWithBlankLines) {
  const std::string text =
      "tensor([[[ 1.0000e+00, -2.0000e-01]],\n\n        [[        inf,         nan]]], dtype=torch.float64)";
  const auto tensors = report::printed_tensors(text);
  ASSERT_EQ(tensors.size(), 1U);
  EXPECT_EQ(tensors[0].shape, (Shape{2, 1, 2}));
  EXPECT_EQ(words(text, tensors[0]), (std::vector<std::string>{"1.0000e+00", "-2.0000e-01", "inf", "nan"}));
}

TEST(PrintedTensors, InATuple) {
  const auto tensors = report::printed_tensors("(tensor([1, 0]), tensor([True, False]))");
  ASSERT_EQ(tensors.size(), 2U);
  EXPECT_EQ(tensors[1].shape, Shape{2});
}

TEST(PrintedTensors, NoneInASummaryOrInAnythingElse) {
  EXPECT_TRUE(report::printed_tensors("tensor([0., 0., 0.,  ..., 0., 0., 0.])").empty());
  EXPECT_TRUE(report::printed_tensors("tensor([[1, 2],\n        ...,\n        [3, 4]])").empty());
  EXPECT_TRUE(report::printed_tensors("tensor([])").empty());
  EXPECT_TRUE(report::printed_tensors("tensor([[1, 2], [3]])").empty());
  EXPECT_TRUE(report::printed_tensors("tensor([1, [2]])").empty());
  EXPECT_TRUE(report::printed_tensors("tensor([[1], 2])").empty());
  EXPECT_TRUE(report::printed_tensors("tensor([1, 2").empty());
  EXPECT_TRUE(report::printed_tensors("tensor(").empty());
  EXPECT_TRUE(report::printed_tensors("torch.Size([2, 3])").empty());
}

TEST(PrintedTensors, BehindOneThatIsTorn) {
  const auto tensors = report::printed_tensors("tensor([1, tensor([2])");
  ASSERT_EQ(tensors.size(), 1U);
  EXPECT_EQ(tensors[0].shape, Shape{1});
}

}  // namespace
}  // namespace torchbook::test
