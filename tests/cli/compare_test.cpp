// Tests `torchbook compare` with twins that set state, raise, crash or are broken. Each may only change its
// own verdicts.
#include <cli/command.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/goldens.h>
#include <support/texts.h>

#include <nlohmann/json.hpp>
#include <string>

namespace torchbook::test {
namespace {

/// Copies the twins of the source tree to the folder `twins`, changes them by a shell command, and
/// runs `torchbook compare` with them.
Finished compare_with(const std::string& change, const std::string& options) {
  return shell(std::string("mkdir twins && cp ") + source_folder() +
               "/notebooks_ported/*.py twins && cd twins && { " + change +
               "\n} && cd .. && $BIN/torchbook compare --twins twins " + options);
}

/// Returns a shell command that inserts Python lines after the heading of the first cell of a twin.
std::string begin(const std::string& slug, const std::string& python) {
  return "printf '%s\\n' '" + python + "' >first && sed -i '0,/^# %% /{/^# %% /r first\n}' " + slug + ".py";
}

/// The notebooks of most tests. The twin of the first one is changed.
constexpr const char* two = "attention_as_alignment mathematical_trick";

constexpr const char* first_threw = "2 notebooks, 20 cells, 17 outputs: 17 equal, 1 threw\n";

TEST(CompareProgramTest, StateThatATwinSetsReachesNoOther) {
  const auto run = compare_with(
      R"(cat >>attention_by_hand.py <<'END'
import os, random, sys
torch.set_printoptions(precision=2, sci_mode=True)
torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(False)
torch.use_deterministic_algorithms(True)
torch.set_num_threads(7)
torch.manual_seed(1)
random.seed(1)
os.environ["OMP_NUM_THREADS"] = "9"
os.chdir("/")
torch.tensor = torch.randn = torch.softmax = None
sys.modules["torch"] = sys.modules["torch.nn"] = None
sys.stdout = open(os.devnull, "w")
END)",
      "");
  // The appended line leaves the last cell without a last expression.
  expect_part(run.out, "\nattention_by_hand @39 In [39] differs from PyTorch\n");
  expect_end(run.out, summary_begin() + std::to_string(output_count() - 1) + " equal, 1 different\n");
}

TEST(CompareProgramTest, UnseededTwinsStartFromTheSameState) {
  const auto run = shell(std::string("mkdir one two twins && cp ") + source_folder() +
                         "/notebooks_ported/attention_as_alignment.py twins && "
                         "printf 'torch.randn(3)\\n' >>twins/attention_as_alignment.py; "
                         "for to in one two; do $BIN/torchbook compare --twins twins --record $to "
                         "attention_as_alignment >/dev/null; done; cmp one/*.json two/*.json && echo equal");
  EXPECT_EQ(run.out, "equal\n") << run.err;
}

TEST(CompareProgramTest, ATwinThatEndsItsProcessCostsItsOwnCells) {
  const std::pair<std::string, std::string> ends[] = {
      {"import os; os._exit(7)", "ended with exit code 7"},
      {"import os; os.kill(os.getpid(), 11)", "ended by signal 11"},
      {"import ctypes; ctypes.string_at(0)", "ended by signal 11"}};
  for (const auto& [python, how] : ends) {
    SCOPED_TRACE(python);
    const auto run = compare_with(begin("attention_as_alignment", python), two);
    EXPECT_EQ(run.code, 3);
    EXPECT_EQ(run.err,
              "torchbook: attention_as_alignment: the twin's cell In [17] (@1) failed: "
              "twins/attention_as_alignment.py:4: " +
                  how + "\n");
    expect_part(run.out, "\nattention_as_alignment @1 In [17] threw in PyTorch\n  PyTorch: twins/");
    expect_end(run.out, "2 notebooks, 20 cells, 12 outputs: 12 equal, 1 threw, 5 cells not run\n");
  }
}

TEST(CompareProgramTest, DisplayPrints) {
  const auto run =
      compare_with("sed -i 's/^context_vectors$/display(context_vectors)/' attention_as_alignment.py", two);
  EXPECT_EQ(run.code, 1) << run.err;
  expect_part(run.out, "  @6  In [15]   different");
  EXPECT_EQ(run.out.find("threw"), run.out.npos) << run.out;
}

TEST(CompareProgramTest, SysExitIsWhatTheCellRaised) {
  const auto run =
      compare_with("sed -i 's/^context_vectors$/import sys; sys.exit(4)/' attention_as_alignment.py", two);
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(run.err,
            "torchbook: attention_as_alignment: the twin's cell In [15] (@6) failed: "
            "twins/attention_as_alignment.py:40: SystemExit: 4\n");
  expect_end(run.out, first_threw);
}

TEST(CompareProgramTest, CellsBehindOneThatRaisedRunAndTellWhatTheyLack) {
  const auto change = "sed -i 's/^attn_weights = .*/attn_weights = inputs[9]/' attention_as_alignment.py";
  const auto run = compare_with(change, two);
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(
      run.err,
      "torchbook: attention_as_alignment: the twin's cell In [14] (@5) failed: "
      "twins/attention_as_alignment.py:35: IndexError: index 9 is out of bounds for dimension 0 with size 6\n"
      "torchbook: attention_as_alignment: the twin's cell In [15] (@6) failed: "
      "twins/attention_as_alignment.py:39: NameError: name 'attn_weights' is not defined (a consequence: "
      "cell In [14] (@5) failed and did not define it)\n");
  expect_end(run.out, "2 notebooks, 20 cells, 16 outputs: 16 equal, 2 threw\n");
  const auto stopped = compare_with(change, std::string("--no-keep-going ") + two);
  EXPECT_EQ(stopped.code, 3);
  EXPECT_EQ(line_count(stopped.err), 1U) << stopped.err;
  expect_part(stopped.out, " compare attention_as_alignment --twins twins --no-keep-going --cell @5\n");
  expect_end(stopped.out, "2 notebooks, 20 cells, 16 outputs: 16 equal, 1 threw, 1 cell not run\n");
  EXPECT_EQ(compare_with(change, std::string("--keep-going ") + two).out, run.out);
}

TEST(CompareProgramTest, ACellThatPrintedAndThenRaisedKeepsWhatItPrinted) {
  const auto run = compare_with(
      R"(sed -i 's/^attn_score$/print("so far"); attn_score.no_such/' attention_as_alignment.py)",
      "attention_as_alignment --record r >/dev/null; cat r/*.json");
  const auto recording = nlohmann::json::parse(run.out);
  EXPECT_EQ(recording["cells"][1]["stdout"], "so far\n");
  EXPECT_EQ(recording["cells"][1]["error"],
            "twins/attention_as_alignment.py:21: AttributeError: 'Tensor' object has no attribute 'no_such'");
  EXPECT_FALSE(recording["cells"][2].contains("error"));
}

TEST(CompareProgramTest, ASyntaxErrorIsThatOfItsCell) {
  const auto run =
      compare_with("sed -i 's/^context_vectors$/context vectors/' attention_as_alignment.py", two);
  EXPECT_EQ(run.code, 3);
  expect_part(run.err,
              "torchbook: attention_as_alignment: the twin's cell In [15] (@6) failed: "
              "twins/attention_as_alignment.py:40: SyntaxError: ");
  expect_end(run.out, first_threw);
}

TEST(CompareProgramTest, WhatIsWrittenPastSysStdoutBreaksNothing) {
  const auto run = compare_with(
      begin(
          "attention_as_alignment",
          R"(import os; os.write(1, b"raw"); os.write(2, b"raw"); os.write(3, b"raw"); os.system("echo raw"))"),
      two);
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_EQ(run.err, "");
}

TEST(CompareProgramTest, OutputWithoutEndIsCutOff) {
  const auto run = compare_with(
      "sed -i 's/^context_vectors$/while True: print(\"x\" * 100000)/' attention_as_alignment.py", two);
  EXPECT_EQ(run.code, 3);
  expect_part(run.err, "attention_as_alignment.py:40: TooLarge: ");
  expect_end(run.out, first_threw);
}

TEST(CompareProgramTest, WhatIsNoTextIsNotPrinted) {
  const auto run =
      compare_with(R"(sed -i 's/^context_vectors$/print("\\ud800")/' attention_as_alignment.py)", two);
  EXPECT_EQ(run.code, 3);
  expect_part(run.err, "attention_as_alignment.py:40: UnicodeEncodeError: ");
  expect_end(run.out, first_threw);
}

TEST(CompareProgramTest, RestoredStateThatRaisesIsTold) {
  const auto run = compare_with(R"(sed -i 's/^torch.manual_seed(1431708788)/1 \/ 0/' mathematical_trick.py)",
                                "mathematical_trick");
  EXPECT_EQ(run.code, 3);
  expect_part(
      run.err,
      "torchbook: mathematical_trick: the twin's restored state failed: twins/mathematical_trick.py:8: "
      "ZeroDivisionError: division by zero\n");
  EXPECT_EQ(run.out.find("not run"), run.out.npos) << run.out;
}

TEST(CompareProgramTest, ATwinThatIsMissingOrBrokenCostsItsOwnVerdictsOnly) {
  const std::pair<std::string, std::string> breaks[] = {
      {"rm attention_as_alignment.py",
       "cannot read twins/attention_as_alignment.py: No such file or directory"},
      {"sed -i 's/\\[5\\]/[6]/' attention_as_alignment.py",
       "twins/attention_as_alignment.py:19: here is In [6], where the port has In [5] "},
      {"printf '\\n\\377' >>attention_as_alignment.py",
       "twins/attention_as_alignment.py:42: this is no text in UTF-8"}};
  for (const auto& [change, why] : breaks) {
    SCOPED_TRACE(change);
    const auto run = compare_with(change, two);
    EXPECT_EQ(run.code, 2);
    EXPECT_TRUE(run.err.starts_with("torchbook: attention_as_alignment: " + why)) << run.err;
    EXPECT_EQ(line_count(run.err), 1U) << run.err;
    expect_part(run.out, "== attention_as_alignment, from 003_28fcb52aab540c90.txt\nnot judged: " + why);
    expect_end(run.out, "2 notebooks, 14 cells, 12 outputs: 12 equal, 1 notebook not judged\n");
  }
}

TEST(CompareProgramTest, ARecordingThatIsBrokenCostsItsOwnVerdictsOnly) {
  const auto run =
      shell(std::string("mkdir r && cp ") + source_folder() +
            "/notebooks_ported/*.json r && echo '{}' >r/attention_as_alignment.json && "
            "$BIN/torchbook compare --accept printed --reference r --format json --junit j.xml " +
            two + "; code=$?; grep -c 'type=\"not-judged\"' j.xml >&2; exit $code");
  EXPECT_EQ(run.code, 2);
  expect_part(run.err,
              "torchbook: attention_as_alignment: r/attention_as_alignment.json: the field \"notebook\" is "
              "missing\n");
  expect_end(run.err, "\n1\n");
  const auto report = nlohmann::json::parse(run.out);
  EXPECT_TRUE(
      report["notebooks"][0]["failure"].get<std::string>().starts_with("r/attention_as_alignment.json: "));
  EXPECT_EQ(report["notebooks"][1]["cells"].size(), 14U);
}

TEST(CompareProgramTest, TellsThatOneSideShowsATensorAndTheOtherABool) {
  const auto run =
      compare_with("sed -i 's/^context_vectors$/True/' attention_as_alignment.py", "attention_as_alignment");
  EXPECT_EQ(run.code, 1);
  expect_part(run.out, "  its result: a tensor of shape (6, 3) here, True a bool in PyTorch\n");
}

TEST(CompareProgramTest, WhatThrewOutweighsWhatWasNotJudged) {
  const auto run =
      compare_with("rm attention_as_alignment.py; sed -i 's/^x\\[0\\]$/x[9]/' mathematical_trick.py", two);
  EXPECT_EQ(run.code, 3);
  expect_end(run.out, "2 notebooks, 14 cells, 10 outputs: 10 equal, 2 threw, 1 notebook not judged\n");
}

}  // namespace
}  // namespace torchbook::test
