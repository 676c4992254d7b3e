// Tests `torchbook compare` with other kernels than those of the built-in recordings.
#include <cli/command.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/goldens.h>
#include <support/texts.h>
#include <torchbook/notebook/fingerprint.h>
#include <torchbook/notebook/kernels.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace torchbook::cli {
namespace {

// Every x86-64 processor can run these kernels. The recordings were made with those of AVX2 and Haswell.
const std::string on_old_kernels =
    "ATEN_CPU_CAPABILITY=default OPENBLAS_CORETYPE=Prescott OMP_NUM_THREADS=2 ";
const std::string compare = "$BIN/torchbook compare --reference built-in ";

class CausesProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    if (notebook::capability_rank(notebook::best_capability()) < 2) {
      TORCHBOOK_CANNOT_TEST("no setting makes this processor compute as the recordings' did: it has no AVX2");
    }
  }
};

std::string setting_of(const nlohmann::json& report, const std::string& about) {
  std::string setting;
  for (const auto& cause : report["causes"]) {
    if (cause["about"] == about && cause["setting"].is_string()) setting = cause["setting"];
  }
  return setting;
}

std::size_t equal_outputs(const nlohmann::json& report) {
  std::size_t count = 0;
  for (const auto& notebook : report["notebooks"]) {
    for (const auto& cell : notebook["cells"]) count += cell["verdict"] == "equal" ? 1 : 0;
  }
  return count;
}

bool has_openblas() { return !notebook::openblas_words(trace::fingerprint().blas).empty(); }

/// Returns whether this LibTorch has the release of the recordings. Other releases may give other last bits.
bool has_release_of_recordings() { return trace::fingerprint().torch.starts_with("LibTorch 1.13."); }

TEST_F(CausesProgramTest, AreToldWithTheSettingsAndTheSettingsAreTried) {
  const auto run = test::shell(on_old_kernels + compare + "--format json");
  EXPECT_EQ(run.code, 1);
  const auto report = nlohmann::json::parse(run.out);
  EXPECT_EQ(setting_of(report, "cpu_capability"), "ATEN_CPU_CAPABILITY=avx2");
  EXPECT_EQ(setting_of(report, "threads"), "OMP_NUM_THREADS=1");
  EXPECT_EQ(setting_of(report, "blas"), has_openblas() ? "OPENBLAS_CORETYPE=Haswell" : "");
  std::string settings;
  for (const std::string setting : report["run_again"]["settings"]) settings += setting + ' ';
  const auto by_hand = test::shell(on_old_kernels + settings + compare + "--once --format json");
  const auto equal = equal_outputs(nlohmann::json::parse(by_hand.out));
  EXPECT_EQ(report["run_again"]["outputs"], test::output_count());
  EXPECT_EQ(report["run_again"]["equal"], equal);
  EXPECT_EQ(report["run_again"]["different"].size(), test::output_count() - equal);
  EXPECT_LT(equal_outputs(report), equal);
  if (has_release_of_recordings() && has_openblas()) {
    EXPECT_EQ(equal, test::output_count());
    EXPECT_EQ(test::shell(on_old_kernels + compare + "--accept explained").code, 0);
  }
}

TEST_F(CausesProgramTest, StandBeforeTheDifferences) {
  const auto run = test::shell(on_old_kernels + compare + "attention_as_alignment mathematical_trick");
  EXPECT_EQ(run.code, 1);
  const auto line = run.out.substr(0, run.out.find('\n'));
  EXPECT_NE(line.find(" of 18 outputs"), line.npos) << run.out;
  EXPECT_TRUE(line.starts_with("explained: with ") || line.starts_with("no setting explains ")) << line;
  EXPECT_LT(run.out.find("  blas: "), run.out.find("\n== ")) << run.out;
}

TEST_F(CausesProgramTest, OnceTriesNothing) {
  const auto report =
      nlohmann::json::parse(test::shell(on_old_kernels + compare + "--once --format json").out);
  EXPECT_GE(report["causes"].size(), 2U);
  EXPECT_FALSE(report.contains("run_again"));
}

TEST_F(CausesProgramTest, ATrialThatCannotBeMadeChangesNoVerdict) {
  const auto run = test::shell(on_old_kernels + "PATH=/nowhere " + compare);
  EXPECT_EQ(run.code, 1);
  test::expect_part(run.out, ", cannot start env: No such file or directory\n");
  test::expect_part(run.out, test::summary_begin());
}

TEST_F(CausesProgramTest, AreNoneWhereBitsAreAlikeOrAccepted) {
  const std::string cell = "mathematical_trick --cell 26 ";  // ones and zeros, which are equal with any
                                                             // kernels
  for (const std::string& arguments : {cell, std::string("--accept printed ")}) {
    const auto run = test::shell(on_old_kernels + compare + arguments + "--format json");
    EXPECT_EQ(run.code, 0) << arguments;
    EXPECT_FALSE(nlohmann::json::parse(run.out).contains("causes")) << arguments;
  }
}

TEST_F(CausesProgramTest, OfAChangedBitHaveNoSettings) {
  const auto run =
      test::shell("sed s/3f98e005/3f98e006/ " + test::source_folder() +
                  "/notebooks_ported/mathematical_trick.json >mathematical_trick.json; "
                  "ATEN_CPU_CAPABILITY=avx2 OPENBLAS_CORETYPE=Haswell OMP_NUM_THREADS=1 "
                  "ONEDNN_MAX_CPU_ISA=AVX2 "
                  "$BIN/torchbook compare mathematical_trick --cell 13 --reference . --format json");
  EXPECT_EQ(run.code, 1);
  const auto report = nlohmann::json::parse(run.out);
  ASSERT_TRUE(report.contains("causes"));
  for (const auto& cause : report["causes"]) EXPECT_TRUE(cause["setting"].is_null()) << cause;
  EXPECT_FALSE(report.contains("run_again"));
  if (has_release_of_recordings() && has_openblas()) {
    EXPECT_TRUE(report["causes"].empty()) << run.out;
  }
}

}  // namespace
}  // namespace torchbook::cli
