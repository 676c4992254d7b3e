// Tests the parser of printed text, where it finds the elements of tensors, and which texts agree.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <torchbook/golden/printed.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::golden {
namespace {

/// Returns the tokens as one text: words as they are, and numbers in <>.
std::string read(std::string_view text) {
  std::vector<std::string> parts;
  const Printed printed = read_printed(text);
  for (const auto& token : printed.tokens) {
    const std::string word(piece(text, token.range));
    parts.push_back(token.number ? "<" + word + ">" : word);
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

/// Returns the elements of the first printed tensor, each after its place in row-major order: `0=1. 1=2.`.
/// Returns `none` if it has not that shape.
std::string elements(std::string_view text, const std::vector<std::int64_t>& shape) {
  const auto found = elements_of(read_printed(text), 0, shape);
  if (!found) return "none";
  std::vector<std::string> parts;
  for (const auto& one : *found) parts.push_back(fmt::format("{}={}", one.index, piece(text, one.range)));
  return fmt::format("{}", fmt::join(parts, " "));
}

TEST(ElementsOf, ATensorOfEveryRank) {
  EXPECT_EQ(elements("a tensor(3) b", {}), "0=3");
  EXPECT_EQ(elements("tensor([ True, False])", {2}), "0=True 1=False");
  EXPECT_EQ(elements("tensor([[1., 2.],\n        [3., 4.]], grad_fn=<A>)", {2, 2}), "0=1. 1=2. 2=3. 3=4.");
  EXPECT_EQ(elements("tensor([[[ 1.0000e+00, -2.0000e-01]],\n\n        [[        inf,         nan]]], "
                     "dtype=torch.float64)",
                     {2, 1, 2}),
            "0=1.0000e+00 1=-2.0000e-01 2=inf 3=nan");
  EXPECT_EQ(elements("tensor([10.-3.5000j, nan+infj])", {2}), "0=10.-3.5000j 1=nan+infj");
  EXPECT_EQ(elements("tensor([])", {0}), "");
  EXPECT_EQ(elements("tensor([], size=(2, 0))", {2, 0}), "");
}

TEST(ElementsOf, ASummaryAreThoseAtItsEnds) {
  EXPECT_EQ(elements("tensor([0,  ..., 9])", {10}), "0=0 9=9");
  EXPECT_EQ(elements("tensor([[0, ..., 1],\n        ...,\n        [2, ..., 3]])", {4, 5}),
            "0=0 4=1 15=2 19=3");
  EXPECT_EQ(elements("tensor([[1, 2],\n        ...,\n        [3, 4]])", {9, 2}), "0=1 1=2 16=3 17=4");
  EXPECT_EQ(elements("tensor([...])", {5}), "");
}

TEST(ElementsOf, AreNoneOfAnotherShape) {
  for (const char* text :
       {"tensor([1, 2, 3])", "tensor([[1, 2]])", "tensor([1, [2]])", "tensor([1, 2", "tensor(", "tensor()",
        "tensor([1 2])", "tensor([1,, 2])", "tensor([1,])", "tensor([one, 2])", "tensor([1, (2)])",
        "tensor([1, 2)]", "tensor(1])", "tensor(..., device='meta', size=(2,))", "tensor([1, ..., 2])",
        "tensor([1, 2]]", "tensor([1j, 2])", "tensor([])"}) {
    EXPECT_EQ(elements(text, {2}), "none") << text;
  }
  EXPECT_EQ(elements("tensor([], size=(0, 3))", {0, 2}), "none");
  EXPECT_EQ(elements("tensor([0, ..., ..., 9])", {10}), "none");
  EXPECT_EQ(elements("tensor([1+2])", {1}), "none");
  EXPECT_EQ(elements("tensor([1 2])", {1}), "none");
}

TEST(ElementsOf, TheTensorThatIsAskedFor) {
  const auto inner = read_printed("tensor(indices=tensor([[0]]), values=tensor([5.]), size=(3,), nnz=1)");
  ASSERT_EQ(inner.tensors.size(), 3U);
  const std::vector<std::int64_t> one = {1};
  EXPECT_FALSE(elements_of(inner, 0, one));
  EXPECT_FALSE(elements_of(inner, 1, one));
  EXPECT_EQ(elements_of(inner, 2, one).value().size(), 1U);
  EXPECT_TRUE(read_printed("torch.Size([2, 3])").tensors.empty());
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

/// Returns the first pair as one text, after its place in the actual one, or `nothing` if there is none.
std::string first(std::string_view golden, std::string_view actual) {
  const auto pair = compare_printed(golden, actual).first;
  if (!pair) return "nothing";
  const auto& values = pair->values;
  if (values.mismatch)
    return fmt::format("{}: {} here, {} in the golden", pair->place.begin, values.mismatch->actual,
                       values.mismatch->golden);
  const auto error = [](const std::optional<double>& value) {
    if (!value) return std::string("-");
    return std::isnan(*value) ? "nan" : fmt::format("{}", *value);
  };
  return fmt::format("{}: {} {} {} {}", pair->place.begin, values.golden, values.actual,
                     error(values.absolute), error(values.relative));
}

TEST(FirstValue, IsThatWhichDoesNotAgree) {
  EXPECT_EQ(first("a 0.5 tensor([0.25, 4.0])", "a 0.5 tensor([0.75, 5.0])"), "14: 0.25 0.75 0.5 2");
  EXPECT_EQ(first("mean 0.4321", "mean 0.4322").substr(0, 23), "5: 0.4321 0.4322 0.0001");
  EXPECT_EQ(first("tensor([True, True])", "tensor([True, False])"), "14: True False - -");
  EXPECT_EQ(first("tensor(0.)", "tensor(1.)"), "7: 0. 1. 1 inf");
  EXPECT_EQ(first("tensor(nan)", "tensor(1.)"), "7: nan 1. nan nan");
  EXPECT_EQ(first("torch.Size([3, 3])", "torch.Size([2, 3])"), "12: 3 2 1 0.3333333333333333");
}

TEST(FirstValue, IsNoneWhereTheTextsPartBefore) {
  EXPECT_EQ(first("mean 1.0", "sum 2.0"), "nothing");
  EXPECT_EQ(first("a b", "a"), "nothing");
  EXPECT_EQ(first("tensor([1.", "tensor([[1."), "nothing");
  EXPECT_EQ(first("x=(1, 2)", "x=[1, 2]"), "nothing");
}

TEST(FirstValue, IsTheKindBeforeTheDigits) {
  EXPECT_EQ(first("4.0", "4"), "0: 4 is an int here, 4.0 a float in the golden");
  EXPECT_EQ(first("x = nan", "x = -3"), "4: -3 is an int here, nan a float in the golden");
  EXPECT_EQ(first("tensor([1., 2.])", "tensor([1, 3])"), "8: 1 is an int here, 1. a float in the golden");
  EXPECT_EQ(first("tensor([0])", "tensor([True])"), "8: True is a bool here, 0 an int in the golden");
  EXPECT_EQ(first("1.0", "tensor(1.0000)"), "0: a tensor here, 1.0 a float in the golden");
  EXPECT_EQ(first("tensor([[1.], [2.]])", "2.5"), "0: 2.5 is a float here, a tensor in the golden");
  EXPECT_EQ(first("1.0", "None"), "0: None here, 1.0 a float in the golden");
  EXPECT_EQ(first("torch.Size([3])", "3"), "0: 3 is an int here, a torch.Size in the golden");
}

TEST(FirstValue, OfTextsThatAgreeIsTheFirstThatIsNotEqual) {
  EXPECT_EQ(first("tensor([1., 0.12])", "tensor([1.0000, 0.125])").substr(0, 14), "16: 0.12 0.125");
  EXPECT_EQ(first("tensor([1., 2.])", "tensor([1.0000, 2.0000])"), "nothing");
  EXPECT_EQ(first("a\n", "a"), "nothing");
}

TEST(HostileTexts, OfAnyDepthHaveNoElements) {
  constexpr std::size_t depth = 200'000;  // read in linear time and memory
  const std::string deep = "tensor(" + std::string(depth, '[') + "1" + std::string(depth, ']') + ")";
  const auto printed = read_printed(deep);
  EXPECT_EQ(printed.tokens.size(), 2 * depth + 4);
  const std::vector<std::int64_t> shapes[] = {{}, {1}, {1, 1, 1}};
  for (const auto& shape : shapes) EXPECT_FALSE(elements_of(printed, 0, shape));
  std::string calls;
  for (std::size_t i = 0; i < depth; ++i) calls += "tensor(";
  EXPECT_EQ(read_printed(calls).tensors.size(), depth);
}

}  // namespace
}  // namespace torchbook::golden
