// Tests the parser of printed text, and where it finds the elements of tensors.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <torchbook/golden/printed.h>

#include <optional>
#include <string>
#include <vector>

namespace torchbook::golden {
namespace {

/// Returns the tokens as one text: words as they are, numbers in <>, and `tensor:index=` before elements.
std::string read(std::string_view text) {
  std::vector<std::string> parts;
  const Printed printed = read_printed(text);
  for (const auto& token : printed.tokens) {
    const auto place = token.element
                           ? fmt::format("{}:{}=", token.tensor, fmt::join(printed.index_of(token), ","))
                           : std::string();
    const std::string word(piece(text, token.range));
    parts.push_back(place + (token.number ? "<" + word + ">" : word));
  }
  return fmt::format("{}", fmt::join(parts, " "));
}

struct Reading {
  const char* text;
  const char* tokens;
};

class ReadPrinted : public testing::TestWithParam<Reading> {};

TEST_P(ReadPrinted, GivesTheTokens) { EXPECT_EQ(read(GetParam().text), GetParam().tokens); }

INSTANTIATE_TEST_SUITE_P(
    Words, ReadPrinted,
    testing::Values(Reading{"", ""}, Reading{" \n\t ", ""}, Reading{"x_2: 1.0", "x_2 : <1.0>"},
                    Reading{"In [2]", "In [ <2> ]"}, Reading{"2026-11-20", "2026-11-20"},
                    Reading{"torch 1.13.1", "torch 1.13.1"}, Reading{"x2 2x 0x1F 1_000", "x2 2x 0x1F 1_000"},
                    Reading{"a-0.5 5-3 1.5.", "a-0.5 5-3 1.5."}, Reading{"a=-0.5", "a = <-0.5>"},
                    Reading{"info nano -inf nan inf", "info nano <-inf> <nan> <inf>"},
                    Reading{"1e-05 1e+20 1e5 1e 1e+", "<1e-05> <1e+20> <1e5> 1e 1e+"},
                    Reading{"1e99999999999 1e1234", "1e99999999999 1e1234"},
                    Reading{"1 1. 1.0000e+00 +2 -nan 1.e+03", "<1> <1.> <1.0000e+00> <+2> <-nan> <1.e+03>"},
                    Reading{"1e-05x .5 e5 x1 1.5.2 -in 1E5", "1e-05x .5 e5 x1 1.5.2 -in 1E5"},
                    Reading{"... . - +", "... . - +"}, Reading{"'it''s'", "' it ' ' s '"},
                    Reading{"größe 3", "größe <3>"},
                    Reading{"torch.Size([2, 3])", "torch.Size ( [ <2> , <3> ] )"},
                    Reading{"(1, 2.5)", "( <1> , <2.5> )"}, Reading{"(1+2.5j)", "( <1> <+2.5> j )"},
                    Reading{"7j", "<7> j"}, Reading{"7jj 1+2", "7jj 1+2"}));

INSTANTIATE_TEST_SUITE_P(
    Tensors, ReadPrinted,
    testing::Values(
        Reading{"tensor(4.)", "tensor ( 1:=<4.> )"}, Reading{"tensor([])", "tensor ( [ ] )"},
        Reading{"tensor([], size=(0, 3))", "tensor ( [ ] , size = ( <0> , <3> ) )"},
        Reading{"tensor([1, -2])", "tensor ( [ 1:0=<1> , 1:1=<-2> ] )"},
        Reading{"tensor([[1., 2.],\n        [3., 4.]])",
                "tensor ( [ [ 1:0,0=<1.> , 1:0,1=<2.> ] , [ 1:1,0=<3.> , 1:1,1=<4.> ] ] )"},
        Reading{"tensor([[[1],\n\n         [2]]])", "tensor ( [ [ [ 1:0,0,0=<1> ] , [ 1:0,1,0=<2> ] ] ] )"},
        Reading{"tensor([1.0000e+00,\n        2.0000e-03], dtype=torch.float64)",
                "tensor ( [ 1:0=<1.0000e+00> , 1:1=<2.0000e-03> ] , dtype = torch.float64 )"},
        Reading{"tensor([ True, False])", "tensor ( [ 1:0=True , 1:1=False ] )"},
        Reading{"tensor([10.-3.5000j, nan+infj])",
                "tensor ( [ 1:0=<10.> 1:0=<-3.5000> j , 1:1=<nan> "
                "1:1=<+inf> j ] )"},
        Reading{"tensor([0,  ..., 8, 9])", "tensor ( [ 1:0=<0> , ... , 1:-2=<8> , 1:-1=<9> ] )"},
        Reading{"tensor([[0, ..., 1],\n        ...,\n        [2, ..., 3]])",
                "tensor ( [ [ 1:0,0=<0> , ... , 1:0,-1=<1> ] , ... , [ 1:-1,0=<2> , ... , 1:-1,-1=<3> ] ] )"},
        Reading{"tensor([...])", "tensor ( [ ... ] )"},
        Reading{"tensor([one, 2])", "tensor ( [ one , 1:1=<2> ] )"},
        Reading{"tensor(..., device='meta', size=(2, 2))",
                "tensor ( ... , device = ' meta ' , size = ( <2> , <2> ) )"},
        Reading{"(tensor([1]), tensor([2, 3]))",
                "( tensor ( [ 1:0=<1> ] ) , tensor ( [ 2:0=<2> , 2:1=<3> ] ) )"},
        Reading{"a = tensor(1.) 2", "a = tensor ( 1:=<1.> ) <2>"},
        Reading{"tensor(1., grad_fn=<MulBackward0>)", "tensor ( 1:=<1.> , grad_fn = < MulBackward0 > )"},
        Reading{
            "tensor(indices=tensor([[0]]),\n values=tensor([5.]), size=(3,), nnz=1)",
            "tensor ( indices = tensor ( [ [ 2:0,0=<0> ] ] ) , values = tensor ( [ 3:0=<5.> ] ) , size = ( "
            "<3> , ) , nnz = <1> )"}));

TEST(ReadPrinted, TakesBracketsThatDoNotMatch) {
  EXPECT_EQ(read("tensor([1"), "tensor ( [ 1:0=<1>");
  EXPECT_EQ(read("]) tensor(1]) 2)"), "] ) tensor ( 1:=<1> ] ) <2> )");
  EXPECT_EQ(read("tensor([1)) 3]"), "tensor ( [ 1:0=<1> ) ) <3> ]");
  EXPECT_EQ(read_printed("tensor([..., ..., 1, ...])").tokens.size(), 12U);
}

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
        "tensor()", "tensor([1 2])", "tensor([1,, 2])", "tensor([1,])", "tensor([one])", "tensor([1, (2)])",
        "tensor([1)]", "tensor(1])", "tensor(..., device='meta', size=(2, 2))", "tensor([[], [1]])",
        "tensor([[[]], []])"}) {
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
  EXPECT_EQ(shapes("tensor([[1, 2], [3]]) tensor([1, [...]]) tensor([1, 2"),
            (Shapes{std::nullopt, std::nullopt, std::nullopt}));
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
  const std::string text = "tensor([1, tensor([2])";
  const auto tensors = read_printed(text).tensors;
  ASSERT_EQ(tensors.size(), 2U);
  EXPECT_EQ(piece(text, tensors[0].range), text);
  EXPECT_FALSE(tensors[0].whole);
  EXPECT_TRUE(tensors[1].whole);
  EXPECT_EQ(tensors[1].shape, Shape{1});
}

}  // namespace
}  // namespace torchbook::golden
