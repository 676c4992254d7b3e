// Printed text read back, and what agrees as printed.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <torchbook/golden/golden.h>
#include <torchbook/golden/printed.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace torchbook::golden {
namespace {

/// The tokens as one text: words as they are, numbers in <>, elements with `tensor:index=` before them.
std::string read(std::string_view text) {
  std::vector<std::string> parts;
  for (const auto& token : read_printed(text).tokens) {
    const auto place =
        token.tensor == 0 ? "" : fmt::format("{}:{}=", token.tensor, fmt::join(token.index, ","));
    parts.push_back(place + (token.number ? "<" + token.text + ">" : token.text));
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
  EXPECT_EQ(read_printed("torch.Size([2]) 1.0").tensors, 0U);
  EXPECT_EQ(read_printed("(tensor([1]), tensor(2))").tensors, 2U);
}

struct Texts {
  const char* golden;
  const char* actual;
};

class Agree : public testing::TestWithParam<Texts> {};

TEST_P(Agree, AsPrintedInBothDirections) {
  EXPECT_TRUE(compare_printed(GetParam().golden, GetParam().actual).agree);
  EXPECT_TRUE(compare_printed(GetParam().actual, GetParam().golden).agree);
}

INSTANTIATE_TEST_SUITE_P(
    Printed, Agree,
    testing::Values(Texts{"a", "a"}, Texts{"a\n", "a\n\n"}, Texts{"tensor([1.])", "tensor( [ 1. ] )"},
                    Texts{"tensor([1., 2.])", "tensor([1.0000,\n        2.0000])"},
                    Texts{"tensor([1.0000e+00, 1.2346e-01])", "tensor([1.0000, 0.1235])"},
                    Texts{"tensor([0, ..., 2])", "tensor([0,  ...,\n 2])"},
                    Texts{"tensor(-0.)", "tensor(0.)"},
                    Texts{"tensor([nan, inf])", "tensor([   nan,   inf])"},
                    Texts{"tensor([1.+2.j])", "tensor([1.0000+2.0000j])"}));

class Disagree : public testing::TestWithParam<Texts> {};

TEST_P(Disagree, InBothDirections) {
  EXPECT_FALSE(compare_printed(GetParam().golden, GetParam().actual).agree);
  EXPECT_FALSE(compare_printed(GetParam().actual, GetParam().golden).agree);
}

INSTANTIATE_TEST_SUITE_P(
    Printed, Disagree,
    testing::Values(Texts{"a", "b"}, Texts{"ab", "a b"}, Texts{"a", ""}, Texts{"1.0", ""},
                    Texts{"tensor([0.4321])", "tensor([0.4322])"}, Texts{"tensor([1])", "tensor([1.])"},
                    Texts{"tensor([1.])", "tensor([1.], dtype=torch.float64)"},
                    Texts{"tensor([1.], dtype=torch.float16)", "tensor([1.], dtype=torch.float64)"},
                    Texts{"tensor([[1., 2.]])", "tensor([1., 2.])"},
                    Texts{"tensor([[1.], [2.]])", "tensor([[1., 2.]])"}, Texts{"x_2", "x_3"},
                    Texts{"x_1.0", "x_1.00"}, Texts{"In [2]", "In [3]"}, Texts{"2026-11-20", "2026-11-21"},
                    Texts{"torch 1.13.1", "torch 1.13.10"}, Texts{"tensor(nan)", "tensor(inf)"},
                    Texts{"tensor(inf)", "tensor(-inf)"}, Texts{"tensor([True])", "tensor([False])"},
                    Texts{"tensor([True])", "tensor([1.])"}, Texts{"tensor([1.+2.j])", "tensor([1.-2.j])"},
                    Texts{"tensor([1., ..., 2.])", "tensor([1., 2.])"}, Texts{"1,000", "1,00"},
                    Texts{"torch.Size([2])", "torch.Size([3])"}, Texts{"tensor([1., 2.])", "tensor([1.])"}));

TEST(Goldens, WithAnyDigitChangedDisagree) {
  std::size_t changed = 0;
  for (const char* slug : {"attention_by_hand", "keys_queries_values", "self_attention_in_three_steps",
                           "attention_as_alignment", "mathematical_trick"}) {
    std::ifstream file(fmt::format("{}/tests/golden/{}.txt", TORCHBOOK_SOURCE, slug));
    std::ostringstream text;
    text << file.rdbuf();
    for (const auto& cell : parse_golden(text.str()).cells) {
      const std::string output = cell.out + cell.result.value_or("");
      EXPECT_TRUE(compare_printed(output, output).agree);
      for (std::size_t i = 0; i < output.size(); ++i) {
        if (output[i] < '0' || output[i] > '9') continue;
        std::string other = output;
        other[i] = output[i] == '9' ? '0' : static_cast<char>(output[i] + 1);
        EXPECT_FALSE(compare_printed(output, other).agree) << slug << " " << other;
        ++changed;
      }
    }
  }
  EXPECT_GT(changed, 3000U);
}

/// The first pair as one text, `nothing` where there is none.
std::string first(std::string_view golden, std::string_view actual) {
  const auto pair = compare_printed(golden, actual).first;
  if (!pair) return "nothing";
  const auto error = [](const std::optional<double>& value) {
    if (!value) return std::string("-");
    return std::isnan(*value) ? "nan" : fmt::format("{}", *value);
  };
  return fmt::format("{}:[{}] {} {} {} {}", pair->golden.tensor, fmt::join(pair->golden.index, ","),
                     pair->golden.text, pair->actual.text, error(pair->absolute), error(pair->relative));
}

TEST(FirstValue, IsThatWhichDoesNotAgree) {
  EXPECT_EQ(first("a 0.5 tensor([[1.0, 0.5], [0.25, 4.0]])", "a 0.5 tensor([[1.0, 0.5], [0.75, 5.0]])"),
            "1:[1,0] 0.25 0.75 0.5 2");
  EXPECT_EQ(first("tensor(1) tensor([4., 6.])", "tensor(1) tensor([4., 9.])"), "2:[1] 6. 9. 3 0.5");
  EXPECT_EQ(first("mean 0.4321", "mean 0.4322").substr(0, 25), "0:[] 0.4321 0.4322 0.0001");
  EXPECT_EQ(first("tensor([True, True])", "tensor([True, False])"), "1:[1] True False - -");
  EXPECT_EQ(first("tensor([1, ..., 4, 8])", "tensor([1, ..., 6, 8])"), "1:[-2] 4 6 2 0.5");
  EXPECT_EQ(first("tensor(0.)", "tensor(1.)"), "1:[] 0. 1. 1 inf");
  EXPECT_EQ(first("tensor(nan)", "tensor(1.)"), "1:[] nan 1. nan nan");
}

TEST(FirstValue, IsNoneWhereTheTextsPartBefore) {
  EXPECT_EQ(first("mean 1.0", "sum 2.0"), "nothing");
  EXPECT_EQ(first("tensor([1.0000])", "tensor([1.0001], dtype=torch.float64)"),
            "1:[0] 1.0000 1.0001 0.0001 0.0001");
  EXPECT_EQ(first("tensor([0.12345], dtype=torch.float64)", "tensor([0.1234])"), "nothing");
  EXPECT_EQ(first("tensor([[1.]])", "tensor([2.])"), "nothing");
}

TEST(FirstValue, OfTextsThatAgreeIsTheFirstThatIsNotEqual) {
  EXPECT_EQ(first("tensor([1., 0.12])", "tensor([1.0000, 0.125])").substr(0, 16), "1:[1] 0.12 0.125");
  EXPECT_EQ(first("tensor([1., 2.])", "tensor([1.0000, 2.0000])"), "nothing");
  EXPECT_EQ(first("a\n", "a"), "nothing");
}

}  // namespace
}  // namespace torchbook::golden
