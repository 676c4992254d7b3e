// Tests the explanations of differing bits.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torchbook/report/explanation.h>

#include <string_view>
#include <utility>

namespace torchbook::report {
namespace {

const std::vector<golden::Cause> causes = {
    {.about = "torch", .text = "release 2.6.0 here, 1.13.0 in PyTorch"},
    {.about = "cpu_capability",
     .text = "DEFAULT here, AVX2 in PyTorch",
     .setting = "ATEN_CPU_CAPABILITY=avx2"},
    {.about = "threads", .text = "2 here, 1 in PyTorch", .setting = "OMP_NUM_THREADS=1"}};

const std::string list =
    "  torch: release 2.6.0 here, 1.13.0 in PyTorch\n"
    "  cpu_capability: DEFAULT here, AVX2 in PyTorch (ATEN_CPU_CAPABILITY=avx2 makes it the same)\n"
    "  threads: 2 here, 1 in PyTorch (OMP_NUM_THREADS=1 makes it the same)\n";
constexpr std::string_view fault =
    "the fault is in this LibTorch, its BLAS or the port, or in the twin or its PyTorch";

Trial trial(std::vector<std::string> settings, std::size_t equal, std::vector<std::string> different = {}) {
  return {.settings = std::move(settings), .outputs = 83, .equal = equal, .different = std::move(different)};
}

TEST(Explanation, IsALineForEachCauseIfNothingWasTried) {
  EXPECT_EQ(explanation_text({.causes = causes}), "bits may differ, because\n" + list);
}

TEST(Explanation, IsTheFewestSettingsThatMakeAllEqual) {
  const Explanation explanation{
      .causes = causes,
      .trials = {trial({"ATEN_CPU_CAPABILITY=avx2"}, 71), trial({"OMP_NUM_THREADS=1"}, 83),
                 trial({"ATEN_CPU_CAPABILITY=avx2", "OMP_NUM_THREADS=1"}, 83)}};
  EXPECT_EQ(explanation_text(explanation),
            "explained: with OMP_NUM_THREADS=1, all of 83 compared outputs are equal\n"
            "  without effect: torch: release 2.6.0 here, 1.13.0 in PyTorch\n"
            "  without effect: cpu_capability: DEFAULT here, AVX2 in PyTorch\n"
            "  threads: 2 here, 1 in PyTorch (OMP_NUM_THREADS=1 makes it the same)\n");
}

TEST(Explanation, IsNoneIfMoreThanRoundingDiffers) {
  Explanation explanation{.causes = {causes[1]}, .trials = {trial({"ATEN_CPU_CAPABILITY=avx2"}, 83)}};
  const std::string head = "with ATEN_CPU_CAPABILITY=avx2, all of 83 compared outputs are equal, but ";
  explanation.not_judged = "nothing records";
  EXPECT_EQ(explanation.explained_by(), nullptr);
  EXPECT_FALSE(explanation.is_fault());
  EXPECT_TRUE(explanation_text(explanation)
                  .starts_with(head + "it is not known whether only rounding differs without: nothing "
                                      "records\n  cpu_capability: DEFAULT here"));
  explanation.not_judged.clear();
  explanation.beyond_rounding = {"a: exp"};
  EXPECT_EQ(explanation.explained_by(), nullptr);
  EXPECT_TRUE(explanation.is_fault());
  EXPECT_TRUE(explanation_text(explanation)
                  .starts_with(head + "an operation is off by more than rounding without, so kernels here "
                                      "are wrong:\n  a: exp\n  cpu_capability: DEFAULT here"));
  explanation.beyond_rounding.assign(10, "a: exp");
  EXPECT_NE(explanation_text(explanation).find("but 10 operations are off"), std::string::npos);
  EXPECT_NE(explanation_text(explanation).find("  a: exp\n  and 2 more\n  cpu"), std::string::npos);
}

TEST(Explanation, NamesWhatNoSettingExplains) {
  const std::vector<golden::Cause> settable(causes.begin() + 1, causes.end());
  const auto first_line = [](const Explanation& explanation) {
    const auto text = explanation_text(explanation);
    return text.substr(0, text.find('\n'));
  };
  const std::vector<Trial> trials = {
      trial({"ATEN_CPU_CAPABILITY=avx2"}, 81, {"a @1", "b @2"}),
      trial({"OMP_NUM_THREADS=1"}, 77, {"a @1", "a @2", "a @3", "b @2", "b @3", "c @1"})};
  const auto two = fmt::format("no setting explains 2 of 83 compared outputs: a @1, b @2; {}", fault);
  EXPECT_EQ(first_line({.causes = settable, .trials = trials}), two);
  EXPECT_EQ(first_line({.causes = settable, .trials = {trials[1], trials[0]}}), two);
  // Of those with as many equal outputs, the first has the fewest settings.
  EXPECT_EQ(first_line({.causes = settable,
                        .trials = {trials[0], trial({"OMP_NUM_THREADS=1"}, 81, {"c @3", "d @4"})}}),
            two);
  EXPECT_TRUE((Explanation{.causes = settable, .trials = trials}).is_fault());
  EXPECT_FALSE((Explanation{.causes = settable}).is_fault());
  EXPECT_EQ(first_line({.causes = causes, .trials = {trials[1]}}),
            fmt::format("no setting explains 6 of 83 compared outputs: a @1, a @2, a @3, b @2 and 2 more; "
                        "{}, unless the cause is "
                        "one without a setting:",
                        fault));
  EXPECT_EQ(first_line({.causes = {causes[0]}}),
            fmt::format("no setting can explain the different bits; {}, unless this is the cause:", fault));
  EXPECT_EQ(first_line({.causes = settable,
                        .trials = {{.settings = {"A=b"}, .failure = "it was ended by signal 4"}}}),
            "no setting could be tried: with A=b, it was ended by signal 4");
  EXPECT_EQ(
      first_line({.causes = settable,
                  .trials = {{.settings = {"A=b"}, .outputs = 83, .failure = "it was ended by signal 4"},
                             trial({"C=d"}, 0, {"a @1"})}}),
      fmt::format("no setting explains 83 of 83 compared outputs: a @1; {}", fault));
}

TEST(Explanation, IsWhatTracesShow) {
  const Explanation explanation{.causes = causes, .traced = "sums @3: other random numbers: other seeds"};
  EXPECT_EQ(explanation_text(explanation), "sums @3: other random numbers: other seeds\n");
  EXPECT_FALSE(explanation.is_fault());
}

TEST(Explanation, OfAFaultSaysHowToTraceIt) {
  EXPECT_TRUE(explanation_text({.causes = {}, .how_to_trace = "run this"})
                  .ends_with("or in the twin or its PyTorch\n  run this\n"));
  EXPECT_TRUE(explanation_text(
                  {.causes = causes, .trials = {trial({"A=b"}, 0, {"a @1"})}, .how_to_trace = "run this"})
                  .ends_with(list + "  run this\n"));
  EXPECT_EQ(explanation_text({.causes = causes, .how_to_trace = "run this"}),
            "bits may differ, because\n" + list);
}

TEST(Explanation, WithoutCausesIsAFault) {
  EXPECT_EQ(
      explanation_text({}),
      fmt::format(
          "nothing known explains the different bits: release, build, CPU capability, BLAS and threads are "
          "those of PyTorch; {}\n",
          fault));
}

}  // namespace
}  // namespace torchbook::report
