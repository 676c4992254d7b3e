// Tests the parser of printed text.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <torchbook/golden/printed.h>

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
                    Reading{"1e99999999999", "1e99999999999"}, Reading{"... . - +", "... . - +"},
                    Reading{"'it''s'", "' it ' ' s '"}, Reading{"größe 3", "größe <3>"},
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

TEST(ReadPrinted, CountsTensors) {
  EXPECT_EQ(read_printed("torch.Size([2]) 1.0").tensors.size(), 0U);
  EXPECT_EQ(read_printed("(tensor([1]), tensor(2))").tensors.size(), 2U);
}

}  // namespace
}  // namespace torchbook::golden
