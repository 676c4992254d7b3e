// Tests where elements of printed tensors are found, and where they are not.
#include <gtest/gtest.h>
#include <torchbook/golden/printed.h>

#include <optional>
#include <string>
#include <vector>

namespace torchbook::golden {
namespace {

using Shape = std::vector<std::int64_t>;

/// Returns the elements as they are in the text.
std::vector<std::string> words(std::string_view text, const PrintedTensor& tensor) {
  std::vector<std::string> found;
  for (const auto& [begin, end] : tensor.elements) found.emplace_back(text.substr(begin, end - begin));
  return found;
}

TEST(PrintedTensors, OfEveryRank) {
  const std::string text = "tensor(3) then tensor([1., 2.]) then tensor([[1, 2],\n        [3, 4]]) end";
  const auto tensors = read_printed(text).tensors;
  ASSERT_EQ(tensors.size(), 3U);
  EXPECT_EQ(tensors[0].shape, Shape{});
  EXPECT_EQ(words(text, tensors[0]), std::vector<std::string>{"3"});
  EXPECT_EQ(tensors[1].shape, Shape{2});
  EXPECT_EQ(words(text, tensors[1]), (std::vector<std::string>{"1.", "2."}));
  EXPECT_EQ(tensors[2].shape, (Shape{2, 2}));
  EXPECT_EQ(words(text, tensors[2]), (std::vector<std::string>{"1", "2", "3", "4"}));
  EXPECT_EQ(piece(text, tensors[1].range), "tensor([1., 2.])");
  EXPECT_EQ(text.substr(tensors[2].range.end), " end");
}

TEST(PrintedTensors, OfRankThreeWithBlankLines) {
  const std::string text =
      "tensor([[[ 1.0000e+00, -2.0000e-01]],\n\n        [[        inf,         nan]]], dtype=torch.float64)";
  const auto tensors = read_printed(text).tensors;
  ASSERT_EQ(tensors.size(), 1U);
  EXPECT_EQ(tensors[0].shape, (Shape{2, 1, 2}));
  EXPECT_EQ(words(text, tensors[0]), (std::vector<std::string>{"1.0000e+00", "-2.0000e-01", "inf", "nan"}));
}

TEST(PrintedTensors, InATuple) {
  const auto tensors = read_printed("(tensor([1, 0]), tensor([True, False]))").tensors;
  ASSERT_EQ(tensors.size(), 2U);
  EXPECT_EQ(tensors[1].shape, Shape{2});
}

using Shapes = std::vector<std::optional<Shape>>;

Shapes shapes(std::string_view text) {
  Shapes shapes;
  for (const auto& tensor : read_printed(text).tensors) shapes.push_back(tensor.shape);
  return shapes;
}

bool first_is_whole(std::string_view text) { return read_printed(text).tensors.at(0).whole; }

TEST(PrintedTensors, AreWholeWhereEveryElementIsShown) {
  for (const char* text :
       {"tensor(1.)", "tensor([True])", "tensor([[1., 2.], [3., 4.]], dtype=torch.float64)", "tensor([])",
        "tensor([], size=(2, 0))", "tensor([1.+2.j, 3.-4.j])"}) {
    EXPECT_TRUE(first_is_whole(text)) << text;
  }
  for (const char* text :
       {"tensor([0., 0., 0.,  ..., 0., 0., 0.])", "tensor([[1, 2],\n        ...,\n        [3, 4]])",
        "tensor([[1, 2], [3]])", "tensor([1, [2]])", "tensor([[1], 2])", "tensor([1, 2", "tensor(",
        "tensor()", "tensor([1 2])", "tensor([1,, 2])", "tensor([1,])", "tensor([one])", "tensor([1)]",
        "tensor(1])", "tensor(..., device='meta', size=(2, 2))", "tensor([[], [1]])", "tensor([[[]], []])"}) {
    EXPECT_FALSE(first_is_whole(text)) << text;
  }
  EXPECT_TRUE(read_printed("torch.Size([2, 3])").tensors.empty());
}

TEST(PrintedTensors, HaveTheShapeThatTheirBracketsTell) {
  EXPECT_EQ(shapes("tensor([[0, ..., 1],\n        ...,\n        [2, ..., 3]])"), (Shapes{Shape{-1, -1}}));
  EXPECT_EQ(shapes("tensor([[1, 2],\n        ...,\n        [3, 4]])"), (Shapes{Shape{-1, 2}}));
  EXPECT_EQ(shapes("tensor([], size=(0, 3)) tensor([])"), (Shapes{Shape{0, 3}, Shape{0}}));
  EXPECT_EQ(shapes("tensor(..., device='meta', size=(2, 5))"), (Shapes{Shape{2, 5}}));
  EXPECT_EQ(shapes("tensor(indices=tensor([[0]]), values=tensor([5.]), size=(3,), nnz=1)"),
            (Shapes{Shape{3}, Shape{1, 1}, Shape{1}}));
  EXPECT_EQ(shapes("tensor([[1, 2], [3]]) tensor([1, 2"), (Shapes{std::nullopt, std::nullopt}));
  EXPECT_EQ(shapes("tensor([], size=(99999999999999999999, 0))"), (Shapes{Shape{0}}));
}

TEST(PrintedTensors, NameTheirDtype) {
  const std::string text =
      "tensor([1], dtype=torch.int32) tensor([2]) tensor(1., dtype=torch.float64, grad_fn=<A>)";
  std::vector<std::string> dtypes;
  for (const auto& tensor : read_printed(text).tensors) dtypes.emplace_back(piece(text, tensor.dtype));
  EXPECT_EQ(dtypes, (std::vector<std::string>{"torch.int32", "", "torch.float64"}));
}

TEST(PrintedTensors, HaveAnElementForEachComplexNumber) {
  const std::string text = "tensor([10.-3.5000j, nan+infj])";
  EXPECT_EQ(words(text, read_printed(text).tensors.at(0)),
            (std::vector<std::string>{"10.-3.5000j", "nan+infj"}));
}

TEST(PrintedTensors, BehindOneThatIsTorn) {
  const auto tensors = read_printed("tensor([1, tensor([2])").tensors;
  ASSERT_EQ(tensors.size(), 2U);
  EXPECT_FALSE(tensors[0].whole);
  EXPECT_TRUE(tensors[1].whole);
  EXPECT_EQ(tensors[1].shape, Shape{1});
}

}  // namespace
}  // namespace torchbook::golden
