// Tests how the bits of a cell's tensors change a judgement of its texts.
#include <golden/judged_cell.h>
#include <gtest/gtest.h>
#include <support/recorded_tensor.h>
#include <torchbook/golden/judge.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace torchbook::golden {
namespace {

notebook::RecordedTensor recorded(float value) { return test::floats({value}); }
notebook::RecordedTensor scalar(float value) { return test::tensor({}, {value}); }

/// Returns the judgement, with bits, of a cell that shows tensors of these values.
Judgement judged_with_bits(const std::string& out, const Text& result, const std::vector<float>& actual,
                           const Golden& texts, const std::vector<float>& expected) {
  const auto all_recorded = [](const std::vector<float>& values) {
    Tensors tensors;
    for (const float value : values) tensors.push_back(recorded(value));
    return tensors;
  };
  Golden known = texts;
  known.cells[0].tensors = all_recorded(expected);
  return judged(ran(out, result, all_recorded(actual)), known);
}

TEST(Verdict, OfKnownBitsIsEqualOnlyWhereTheyAre) {
  const float up = std::nextafter(1.0F, 2.0F);
  const Golden texts = golden("", "tensor([1.])");
  EXPECT_EQ(judged_with_bits("", "tensor([1.])", {1}, texts, {1}).verdict, Verdict::equal);
  const auto off = judged_with_bits("", "tensor([1.])", {up}, texts, {1});
  EXPECT_EQ(off.verdict, Verdict::equal_as_printed);
  EXPECT_FALSE(off.difference);
  ASSERT_EQ(off.elements.size(), 1U);
  EXPECT_EQ(off.elements[0].where, "result");
  EXPECT_EQ(off.elements[0].tensor, 1U);
  EXPECT_EQ(off.elements[0].values.ulps, 1U);
  EXPECT_EQ(judged_with_bits("", "tensor([2.])", {2}, texts, {1}).verdict, Verdict::different);
  EXPECT_EQ(judged_with_bits("", "tensor([1.0])", {1}, texts, {1}).verdict, Verdict::equal_as_printed);
}

TEST(Verdict, TensorsOfAnotherDtypeShapeOrNumberAreDifferentWhateverTheTextsSay) {
  const Golden texts = golden("", "tensor([1.])");
  EXPECT_EQ(judged_with_bits("", "tensor([1.])", {1}, texts, {}).verdict, Verdict::different);
  EXPECT_EQ(judged_with_bits("", "tensor([1.])", {1}, texts, {1, 1}).verdict, Verdict::different);
  Golden known = texts;
  notebook::RecordedTensor other = recorded(1);
  other.dtype = "torch.int32";
  known.cells[0].tensors = {other};
  const auto transcript = ran("", "tensor([1.])", {recorded(1)});
  EXPECT_EQ(judged(transcript, known).verdict, Verdict::different);
  known.cells[0].result = "tensor([1.0])";
  EXPECT_EQ(judged(transcript, known).verdict, Verdict::different);
}

TEST(Verdict, OfOtherKernelsIsEqualWithinRounding) {
  auto known = golden("", "tensor([1.])", {{recorded(1)}});
  known.closeness = Closeness::rounding;
  auto transcript = ran("", "tensor([1.])", {recorded(std::nextafter(1.0F, 2.0F))});
  EXPECT_EQ(judged(transcript, known).verdict, Verdict::equal);
  cell_of(transcript).tensors[0] = recorded(1.000001F);
  const auto beyond = judged(transcript, known);
  EXPECT_EQ(beyond.verdict, Verdict::equal_as_printed);
  ASSERT_EQ(beyond.elements.size(), 1U);
  EXPECT_TRUE(beyond.elements[0].recorded);
  EXPECT_EQ(beyond.elements[0].values.ulps, 8U);
  known.closeness = Closeness::any;
  EXPECT_EQ(judged(transcript, known).verdict, Verdict::equal);
  known.closeness = Closeness::rounding;
  cell_of(transcript).tensors[0].dtype = "torch.int32";
  EXPECT_EQ(judged(transcript, known).verdict, Verdict::different);
}

TEST(Verdict, OfDifferentTextsIsToldByBitsThatAreWithinRounding) {
  auto known = golden("", "tensor([1.])", {{recorded(1)}});
  known.closeness = Closeness::rounding;
  const auto off = judged(ran("", "tensor([1.0000])", {recorded(std::nextafter(1.0F, 2.0F))}), known);
  EXPECT_EQ(off.verdict, Verdict::equal_as_printed);
  ASSERT_EQ(off.elements.size(), 1U);
  EXPECT_EQ(off.elements[0].values.ulps, 1U);
}

TEST(Passes, UlpsOnlyIfNothingBesideTheElementsDiffers) {
  const auto with = [](const std::string& out, const Text& result) {
    const auto up = std::nextafter(2.5F, 3.0F), below = std::nextafter(1.0F, 0.0F);
    const auto known =
        golden("loss\n", "tensor([ 2.5, 10.0])", {{test::floats({2.5F, 10}), test::floats({1})}});
    return passes(judged(ran(out, result, {test::floats({up, 10}), test::floats({below})}), known),
                  {Accept::ulps, 1});
  };
  EXPECT_TRUE(with("loss\n", "tensor([ 2.5, 10.0])"));
  EXPECT_TRUE(with("loss\n", "tensor([2.5000e+00, 1.0000e+01])"));
  EXPECT_FALSE(with("accuracy 0.99\nloss\n", "tensor([ 2.5, 10.0])"));
  EXPECT_FALSE(with("loss\n\n", "tensor([ 2.5, 10.0])"));
  EXPECT_FALSE(with("loss\n", "tensor([ 2.5, 11.0])"));
  EXPECT_FALSE(with("loss\n", "tensor([ 2.5, 10.0], grad_fn=<AddBackward0>)"));
  EXPECT_FALSE(with("loss\n", std::nullopt));
}

TEST(Verdict, OfOtherTensorsIsNotExcusedByAnExceptionAboutTheText) {
  for (const auto kind : {ExceptionKind::printed, ExceptionKind::differs, ExceptionKind::varies}) {
    auto known = golden("", "tensor([1.])", {{recorded(1)}});
    known.cells[0].exception = Exception{.kind = kind, .reason = "a", .place = "b"};
    const auto off = judged(ran("", "tensor([1.])", {recorded(1.000001F)}), known);
    EXPECT_EQ(off.verdict, Verdict::equal_as_printed);
    EXPECT_EQ(off.exception_holds, kind == ExceptionKind::varies);
  }
}

TEST(Verdict, BitsThatDoNotTellWhyTheTextsDifferAreLeftOut) {
  const auto known = golden("tensor([1.])\n", "tensor([2.])", {{recorded(1), recorded(2)}});
  auto transcript =
      ran("tensor([1.])\n", "tensor([3.])", {recorded(std::nextafter(1.0F, 2.0F)), recorded(2)});
  const auto printed = judged(transcript, known);
  ASSERT_EQ(printed.elements.size(), 1U);
  EXPECT_EQ(printed.elements[0].where, "result");
  EXPECT_EQ(printed.elements[0].values.golden, "2.");
  EXPECT_EQ(printed.elements[0].values.actual, "3.");
  cell_of(transcript).result = "tensor([2.])\n";
  EXPECT_TRUE(judged(transcript, known).elements.empty());  // a newline has no values
  cell_of(transcript).tensors[1] = recorded(3);
  cell_of(transcript).result = "tensor([3.])";
  EXPECT_EQ(judged(transcript, known).elements.size(), 2U);  // now the texts differ in values, so all
                                                             // differences of bits are reported
}

TEST(Verdict, OfKnownBitsNamesEachTensorThatDiffers) {
  const Golden texts = golden("1.0\n", "(tensor([2.]), tensor([3.]))");
  const auto off = judged_with_bits("1.0\n", "(tensor([2.]), tensor([4.]))", {5, 2, 4}, texts, {1, 2, 3});
  EXPECT_EQ(off.verdict, Verdict::different);
  ASSERT_EQ(off.elements.size(), 2U);
  EXPECT_EQ(off.elements[0].where, "stdout");
  EXPECT_EQ(off.elements[0].tensor, 0U);
  EXPECT_EQ(off.elements[1].where, "result");
  EXPECT_EQ(off.elements[1].tensor, 2U);
  const auto fewer = judged_with_bits("1.0\n", "(tensor([2.]), tensor([3.]))", {1, 2}, texts, {1, 2, 3});
  EXPECT_EQ(fewer.verdict, Verdict::different);
  ASSERT_EQ(fewer.elements.size(), 1U);
  EXPECT_EQ(fewer.elements[0].values.mismatch, (Mismatch{.actual = "2 tensors", .golden = "3"}));
}

TEST(Verdict, FindsTheBitsOfThePrintedTensorThatDiffers) {
  // The first recorded tensor is printed as a plain number, so the second one is the first printed tensor.
  const auto off = judged(ran("loss 0.5000\ntensor([2.])\n", std::nullopt, {scalar(0.5F), recorded(2)}),
                          golden("loss 0.5000\ntensor([1.])\n", std::nullopt, {{scalar(0.5F), recorded(1)}}));
  ASSERT_EQ(off.elements.size(), 1U);
  EXPECT_EQ(off.elements[0].where, "stdout");
  EXPECT_EQ(off.elements[0].tensor, 1U);
  EXPECT_EQ(off.elements[0].values.golden, "1.0");
  EXPECT_TRUE(off.elements[0].values.ulps);
  const std::string two = "(tensor([1., ..., 1.]), tensor([2., ..., 2.]))";
  const Tensors expected = {test::floats({1, 0, 1}), test::floats({2, 0, 2})};
  const Tensors hidden = {test::floats({1, 0, 1}), test::floats({2, 3, 2})};
  const auto summary = judged(ran("", two, hidden), golden("", two, expected));
  ASSERT_EQ(summary.elements.size(), 1U);
  EXPECT_EQ(summary.elements[0].where, "result");
  EXPECT_EQ(summary.elements[0].tensor, 2U);
  EXPECT_EQ(summary.elements[0].values.index, std::vector<std::int64_t>{1});
  const Tensors last = {test::floats({1, 0, 1}), test::floats({2, 0, 3})};
  const auto shown =
      judged(ran("", "(tensor([1., ..., 1.]), tensor([2., ..., 3.]))", last), golden("", two, expected));
  ASSERT_EQ(shown.elements.size(), 1U);
  EXPECT_TRUE(shown.elements[0].recorded);
  EXPECT_EQ(shown.elements[0].values.index, std::vector<std::int64_t>{2});
}

TEST(Verdict, TellsTheKindsThatTheTextsShowAndNotTheNumbersOfTensors) {
  const std::pair<const char*, Mismatch> kinds[] = {
      {"True", {.actual = "True is a bool", .golden = "a tensor"}},
      {"torch.Size([1])", {.actual = "a torch.Size", .golden = "a tensor"}}};
  for (const auto& [here, mismatch] : kinds) {
    const auto off = judged_with_bits("", here, {}, golden("", "tensor([1.])"), {1});
    EXPECT_EQ(off.verdict, Verdict::different);
    ASSERT_EQ(off.elements.size(), 1U);
    EXPECT_EQ(off.elements[0].where, "result");
    EXPECT_EQ(off.elements[0].values.mismatch, mismatch);
  }
  // Different numbers of tensors are reported only if the texts show nothing more specific.
  const auto fewer = judged_with_bits("", "tensor([2.])", {}, golden("", "tensor([1.])"), {1});
  ASSERT_EQ(fewer.elements.size(), 1U);
  EXPECT_EQ(fewer.elements[0].values.mismatch, (Mismatch{.actual = "0 tensors", .golden = "1"}));
}

TEST(Verdict, OfATextThatNoTensorPrintedIsToldByTheText) {
  // A tensor was formatted as a number, and "tensor([1.])" was printed as a string. So no recorded
  // tensor belongs to that text.
  const auto off = judged(ran("0.5 tensor([2.])\n", std::nullopt, {scalar(0.25F)}),
                          golden("0.5 tensor([1.])\n", std::nullopt, {{scalar(0.5F)}}));
  ASSERT_EQ(off.elements.size(), 1U);
  EXPECT_EQ(off.elements[0].tensor, 0U);
  EXPECT_EQ(off.elements[0].values.golden, "1.");
  EXPECT_FALSE(off.elements[0].values.ulps);
  // A number outside of tensors may be any of the recorded ones, or none.
  const auto number = judged(ran("loss 0.25\n", std::nullopt, {scalar(0.25F)}),
                             golden("loss 0.50\n", std::nullopt, {{scalar(0.5F)}}));
  ASSERT_EQ(number.elements.size(), 1U);
  EXPECT_EQ(number.elements[0].values.golden, "0.50");
  EXPECT_FALSE(number.elements[0].values.ulps);
  // A tensor of another dtype says more than such a number.
  const auto wide =
      judged(ran("loss 0.25\n", std::nullopt, {test::tensor<double>("torch.float64", {}, {0.25})}),
             golden("loss 0.50\n", std::nullopt, {{scalar(0.5F)}}));
  ASSERT_EQ(wide.elements.size(), 1U);
  EXPECT_EQ(wide.elements[0].values.mismatch,
            (Mismatch{.actual = "dtype torch.float64", .golden = "torch.float32"}));
}

TEST(Verdict, CarriesTheTensorsThatTheTextsShow) {
  const auto transcript = ran("a tensor([1.]) b tensor([2.])\n", "tensor([3.])", {recorded(2), recorded(3)});
  const auto shown = judged(transcript, golden("", std::nullopt)).shown;
  ASSERT_EQ(shown.size(), 2U);
  EXPECT_EQ(shown[0].where, "stdout");
  EXPECT_EQ(shown[0].recorded, 0U);
  EXPECT_EQ(shown[0].number, 2U);
  EXPECT_EQ(shown[0].elements, (std::vector<PrintedElement>{{{25, 27}, 0}}));
  EXPECT_EQ(shown[1].where, "result");
  EXPECT_EQ(shown[1].recorded, 1U);
}

TEST(Verdict, WithUnknownBitsIsThatOfTheTexts) {
  EXPECT_EQ(judged(ran("", "tensor([1.])", {recorded(1)}), golden("", "tensor([1.])")).verdict,
            Verdict::equal);
}

}  // namespace
}  // namespace torchbook::golden
