// Tests the explanations of differing bits.
#include <gtest/gtest.h>
#include <torchbook/report/explanation.h>

namespace torchbook::report {
namespace {

const std::vector<golden::Cause> causes = {
    {.about = "torch", .text = "release 2.6.0 here, 1.13.0 in PyTorch"},
    {.about = "cpu_capability",
     .text = "DEFAULT here, AVX2 in PyTorch",
     .setting = "ATEN_CPU_CAPABILITY=avx2"},
    {.about = "threads", .text = "2 here, 1 in PyTorch", .setting = "OMP_NUM_THREADS=1"}};

const std::string list =
    "bits may differ, because\n"
    "  torch: release 2.6.0 here, 1.13.0 in PyTorch\n"
    "  cpu_capability: DEFAULT here, AVX2 in PyTorch (ATEN_CPU_CAPABILITY=avx2 makes it the same)\n"
    "  threads: 2 here, 1 in PyTorch (OMP_NUM_THREADS=1 makes it the same)\n";

const std::string again = "run again with ATEN_CPU_CAPABILITY=avx2 OMP_NUM_THREADS=1: ";

TEST(Explanation, IsALineForEachCause) { EXPECT_EQ(explanation_text({.causes = causes}), list); }

TEST(Explanation, TellsWhatAnotherRunGave) {
  EXPECT_EQ(explanation_text({.causes = causes, .trial = Trial{.outputs = 83, .equal = 83}}),
            list + again + "all of 83 outputs equal\n");
  EXPECT_EQ(explanation_text({.causes = causes, .trial = Trial{.outputs = 83, .equal = 71}}),
            list + again + "71 of 83 outputs equal, 12 not\n");
  EXPECT_EQ(explanation_text({.causes = causes, .trial = Trial{.failure = "it was ended by signal 4"}}),
            list + again + "it was ended by signal 4\n");
}

TEST(Explanation, WithoutCausesSaysWhatIsTheSame) {
  EXPECT_EQ(
      explanation_text({}),
      "nothing known explains the other bits: release, build, CPU capability, BLAS and threads are those "
      "of PyTorch\n");
}

}  // namespace
}  // namespace torchbook::report
