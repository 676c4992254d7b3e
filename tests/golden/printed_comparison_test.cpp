// Tests which texts agree as printed, and which values are named if they do not agree.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <torchbook/golden/printed_comparison.h>

#include <cmath>
#include <string>

namespace torchbook::golden {
namespace {

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

/// Returns the first pair as one text, or `nothing` if there is none.
std::string first(std::string_view golden, std::string_view actual) {
  const auto pair = compare_printed(golden, actual).first;
  if (!pair) return "nothing";
  if (pair->mismatch) {
    return fmt::format("{}: {} here, {} in the golden", pair->tensor, pair->mismatch->actual,
                       pair->mismatch->golden);
  }
  const auto error = [](const std::optional<double>& value) {
    if (!value) return std::string("-");
    return std::isnan(*value) ? "nan" : fmt::format("{}", *value);
  };
  return fmt::format("{}:[{}] {} {} {} {}", pair->tensor, fmt::join(pair->index, ","), pair->golden,
                     pair->actual, error(pair->absolute), error(pair->relative));
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
  EXPECT_EQ(first("tensor([1, 2", "tensor([1, 3])"), "1:[1] 2 3 1 0.5");  // one has no shape
}

TEST(FirstValue, IsNoneWhereTheTextsPartBefore) {
  EXPECT_EQ(first("mean 1.0", "sum 2.0"), "nothing");
  EXPECT_EQ(first("a b", "a"), "nothing");
  EXPECT_EQ(first("tensor([1.", "tensor([[1."), "nothing");
}

TEST(FirstValue, IsTheShapeAndTheDtypeBeforeTheDigits) {
  EXPECT_EQ(first("tensor([[1.]])", "tensor([2.])"), "1: shape (1,) here, (1, 1) in the golden");
  EXPECT_EQ(first("tensor(1) tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]])",
                  "tensor(1) tensor([[1, 2, 3], [4, 5, 7]])"),
            "2: shape (2, 3) here, (3, 3) in the golden");
  EXPECT_EQ(first("tensor(1.)", "tensor([1., 2.])"), "1: shape (2,) here, () in the golden");
  EXPECT_EQ(first("tensor([], size=(0, 3))", "tensor([])"), "1: shape (0,) here, (0, 3) in the golden");
  EXPECT_EQ(first("tensor([0, ..., 9])", "tensor([0, 9])"), "1: shape (2,) here, (...,) in the golden");
  EXPECT_EQ(first("tensor([1.0000])", "tensor([1.0001], dtype=torch.float64)"),
            "1: dtype torch.float64 here, the default in the golden");
  EXPECT_EQ(first("tensor([0.12345], dtype=torch.float64)", "tensor([0.1234])"),
            "1: dtype the default here, torch.float64 in the golden");
  EXPECT_EQ(first("tensor([1], dtype=torch.int32)", "tensor([1], dtype=torch.uint8)"),
            "1: dtype torch.uint8 here, torch.int32 in the golden");
  EXPECT_EQ(first("tensor(indices=tensor([[0]]), values=tensor([1.]), size=(3,), nnz=1)",
                  "tensor(indices=tensor([[0]]), values=tensor([1.]), size=(4,), nnz=1)"),
            "1: shape (4,) here, (3,) in the golden");
}

TEST(FirstValue, IsTheKindBeforeTheDigits) {
  EXPECT_EQ(first("4.0", "4"), "0: 4 is an int here, 4.0 a float in the golden");
  EXPECT_EQ(first("x = nan", "x = -3"), "0: -3 is an int here, nan a float in the golden");
  EXPECT_EQ(first("tensor([1., 2.])", "tensor([1, 3])"), "1: 1 is an int here, 1. a float in the golden");
  EXPECT_EQ(first("tensor([0])", "tensor([True])"), "1: True is a bool here, 0 an int in the golden");
  EXPECT_EQ(first("1.0", "tensor(1.0000)"), "0: a tensor of shape () here, 1.0 a float in the golden");
  EXPECT_EQ(first("tensor([[1.], [2.]])", "2.5"),
            "0: 2.5 is a float here, a tensor of shape (2, 1) in the golden");
  EXPECT_EQ(first("1.0", "None"), "0: None here, 1.0 a float in the golden");
  EXPECT_EQ(first("1+2j", "None"), "0: None here, 1 part of a complex number in the golden");
  EXPECT_EQ(first("[2j]", "[3]"), "0: 3 is an int here, 2 part of a complex number in the golden");
  EXPECT_EQ(first("2 j", "None"), "0: None here, 2 an int in the golden");
  EXPECT_EQ(first("None", "tensor([1"), "0: a tensor here, None in the golden");
  EXPECT_EQ(first("tensor([1, 2])", "[1, 2]"), "0: a list here, a tensor of shape (2,) in the golden");
  EXPECT_EQ(first("x=(1, 2)", "x=[1, 2]"), "0: a list here, a tuple in the golden");
  EXPECT_EQ(first("f(1)", "f[1]"), "nothing");
}

TEST(FirstValue, OfSizesIsNoTensors) {
  EXPECT_EQ(first("torch.Size([3, 3])", "torch.Size([2, 3])"), "0: size (2, 3) here, (3, 3) in the golden");
  EXPECT_EQ(first("1, torch.Size([3])", "1, torch.Size([3, 4])"), "0: size (3, 4) here, (3,) in the golden");
  EXPECT_EQ(first("torch.Size([3, 2])", "torch.Size([3, 4])"), "0: size (3, 4) here, (3, 2) in the golden");
  EXPECT_EQ(first("torch.Size([])", "torch.Size([1])"), "0: size (1,) here, () in the golden");
  EXPECT_EQ(first("(2, 3)", "torch.Size([2, 3])"), "0: a torch.Size of (2, 3) here, a tuple in the golden");
  EXPECT_EQ(first("torch.Size([2, 3])", "(2, 3)"), "0: a tuple here, a torch.Size of (2, 3) in the golden");
  EXPECT_EQ(first("torch.Size: [2, 4]", "torch.Size: [2, 3]"), "0:[] 4 3 1 0.25");
}

TEST(FirstValue, OfTextsThatAgreeIsTheFirstThatIsNotEqual) {
  EXPECT_EQ(first("tensor([1., 0.12])", "tensor([1.0000, 0.125])").substr(0, 16), "1:[1] 0.12 0.125");
  EXPECT_EQ(first("tensor([1., 2.])", "tensor([1.0000, 2.0000])"), "nothing");
  EXPECT_EQ(first("a\n", "a"), "nothing");
}

}  // namespace
}  // namespace torchbook::golden
