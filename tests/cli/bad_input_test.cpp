// Tests that bad input gives exit code 2, nothing on stdout, and one line on stderr that says what would be
// right.
#include <cli/command.h>
#include <gtest/gtest.h>
#include <support/folders.h>

#include <string>
#include <utility>
#include <vector>

namespace torchbook::test {
namespace {

/// Commands, each with a part of its message.
using Refused = std::vector<std::pair<std::string, std::string>>;

void expect_all_refused(const Refused& all) {
  for (const auto& [command, message] : all) expect_refused(command, message);
}

TEST(BadInput, UnknownWords) {
  expect_all_refused({{"$BIN/torchbook walk", "torchbook: there is no command walk (see torchbook --help)\n"},
                      {"$BIN/mathematical_trick 49",
                       "The following argument was not expected: 49 (see mathematical_trick --help)\n"},
                      {"$BIN/mathematical_trick --colour",
                       "expected: --colour; did you mean --color? (see mathematical_trick --help)\n"}});
  for (const char* word : {"print", "Printed", "different", "''"}) {
    expect_refused(std::string("$BIN/mathematical_trick --accept ") + word, "none of equal, printed");
  }
  for (const std::string name : {"mkl", "torch", "c10", "test", "first_notebook"}) {
    expect_refused("$BIN/torchbook new " + name, name + " is the name of something else in the build");
  }
  for (const std::string command : {"matrix", "matrix --clean trixie", "test -R x", "matrix --help"}) {
    expect_refused("$BIN/torchbook " + command,
                   " is a command of ./torchbook, the script in the source tree");
  }
}

TEST(BadInput, OptionBeforeACommandThatWouldNotSeeIt) {
  expect_all_refused({{"$BIN/torchbook --golden g.txt compare", "--golden comes before compare"},
                      {"$BIN/torchbook --junit j.xml site -o s --no-python", "--junit comes before site"},
                      {"$BIN/torchbook --accept printed list", "--accept comes before list"},
                      {"$BIN/torchbook --cell 26 doctor", "--cell comes before doctor"}});
}

TEST(BadInput, NothingOrAnOptionForAValue) {
  for (const char* option : {"--junit", "--golden", "-o", "--cell"}) {
    expect_refused(std::string("$BIN/mathematical_trick ") + option + " ''", "and got an empty text");
    expect_refused(std::string("$BIN/mathematical_trick ") + option + " --check", "and got --check");
  }
  for (const char* option : {"--record", "--reference", "--twins", "--python"}) {
    expect_refused(std::string("$BIN/torchbook compare ") + option + " ''", "and got an empty text");
  }
  expect_refused("$BIN/torchbook site --output --no-python",
                 "torchbook: --output: needs a value, and got --no-python (see torchbook site --help)\n");
}

TEST(BadInput, WithLinesAndEscapesIsToldInOnePlainLine) {
  expect_refused("$BIN/mathematical_trick --cell \"$(printf 'a\\033[31m\\nb')\"", "--cell a␛[31m b: ");
  // An escape sequence of the C1 plane, and a mark that turns the direction of text.
  expect_refused("$BIN/mathematical_trick --cell \"$(printf 'a\\302\\23331m\\342\\200\\256b')\"",
                 "--cell a<U+009B>31m<U+202E>b: ");
}

TEST(BadInput, ThatNobodyCanBeToldOfHasItsExitCode) {
  EXPECT_EQ(shell("$BIN/torchbook run nonesuch 2>/dev/full").code, 2);
  EXPECT_EQ(shell("$BIN/torchbook run nonesuch 2>&-").code, 2);
}

TEST(BadInput, OutputThatCannotBeWritten) {
  const std::string program = "$BIN/mathematical_trick ";
  const std::string nowhere = "mathematical_trick: cannot write nowhere/r: No such file or directory\n";
  const std::string full = "cannot write /dev/full: No space left on device\n";
  const std::string full_stdout = "cannot write standard output: No space left on device\n";
  expect_all_refused({{program + "--junit nowhere/r", nowhere},
                      {program + "--output nowhere/r", nowhere},
                      {"$BIN/torchbook check --junit .", "cannot write .: Is a directory\n"},
                      {program + "--output .", "cannot write .: Is a directory\n"},
                      {program + "--junit /dev/full", full},
                      {program + "--output /dev/full", full},
                      {program + ">/dev/full", full_stdout},
                      {program + "--help >/dev/full", full_stdout},
                      {program + ">&-", "cannot write standard output: Bad file descriptor\n"}});
}

TEST(BadInput, GoldenThatIsNone) {
  const std::string program = "$BIN/mathematical_trick ";
  const std::string golden = source_folder() + "/notebooks_ported/mathematical_trick.golden";
  const std::string other = source_folder() + "/notebooks_ported/attention_by_hand.golden";
  expect_all_refused(
      {{program + "--golden nowhere.txt",
        "mathematical_trick: cannot read nowhere.txt: No such file or directory\n"},
       {program + "--golden .", "cannot read .: Is a directory\n"},
       {program + "--golden /dev/zero", "/dev/zero is larger than 64 MiB"},
       {": >empty.txt; " + program + "--golden empty.txt",
        "mathematical_trick: empty.txt: the file is empty"},
       {"head -c 300 " + golden + " >torn.txt; " + program + "--golden torn.txt",
        "mathematical_trick: torn.txt:15: the file breaks off in the middle of a line\n"},
       {"head -n 30 " + golden + " >torn.txt; " + program + "--golden torn.txt",
        "mathematical_trick: torn.txt:30: the file breaks off: its last line, 'end: …', is missing\n"},
       {program + "--golden " + other,
        "/attention_by_hand.golden:1: this belongs to the notebook attention_by_hand, not to "
        "mathematical_trick\n"},
       {"cp " + other + " other.txt; $BIN/torchbook check mathematical_trick --golden other.txt",
        "torchbook: mathematical_trick: other.txt:1: this belongs to the notebook attention_by_hand, not to "
        "mathematical_trick"}});
}

/// Expects `compare` to refuse the recording of a notebook after a change of its text by sed.
void expect_refused_recording(const std::string& change, const std::string& message) {
  SCOPED_TRACE(change);
  const auto run = shell(std::string("mkdir r && sed '") + change + "' " + source_folder() +
                         "/notebooks_ported/attention_as_alignment.json >r/attention_as_alignment.json && "
                         "$BIN/torchbook compare --reference r attention_as_alignment");
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.err, "torchbook: attention_as_alignment: r/attention_as_alignment.json:" + message + "\n");
}

TEST(BadInput, RecordingThatIsBroken) {
  const std::string no_recording = " (torchbook compare --record DIR writes recordings)";
  expect_refused_recording("3,$d",
                           "3: column 1: syntax error while parsing object key - unexpected end of input; "
                           "expected string literal" +
                               no_recording);
  expect_refused_recording(
      "5s/,$//", "6: column 11: syntax error while parsing object - unexpected string literal; expected '}'" +
                     no_recording);
  expect_refused_recording("6s/\"\"/5/", " cell @1: \"stdout\" has the wrong type: number");
  expect_refused_recording(
      "12s/6/7/", " cell @1: tensor 1: its \"bits\" are 18 numbers; a torch.float32 of shape (7, 3) has 21");
}

TEST(BadInput, AnswerThatIsNone) {
  const auto expect_answer = [](const std::string& answer, const std::string& message) {
    expect_refused(
        "printf '#!/bin/sh\n{ " + answer +
            "; } >&3\n' >p; chmod +x p; $BIN/torchbook compare --python ./p attention_as_alignment",
        "torchbook: ./p answered something that is no recording: line 1: " + message + "\n");
  };
  expect_answer("echo {\\\"failure\\\":5}", "\"failure\" has the wrong type: number");
  expect_answer("echo []", "it must hold one recording");
  expect_answer("echo {\\\"a\\\":1}", "it must hold one recording");
}

TEST(BadInput, LimitOnTheSizeOfFilesThatStopsACompare) {
  expect_refused("(ulimit -f 1; $BIN/torchbook compare --python true)",
                 "torchbook: cannot write a temporary file: File too large\n");
}

// Options which do nothing together are refused. These are examples of each kind.
TEST(Conflicts, OfTwoOptionsNameBoth) {
  EXPECT_EQ(refusal({"check", "--quiet", "--times"}),
            "--quiet excludes --times (see torchbook check --help)");
  EXPECT_EQ(refusal({"site", "-o", "s", "--python", "p", "--no-python"}),
            "--python excludes --no-python (see torchbook site --help)");
  EXPECT_EQ(refusal({"site", "--trace", "--no-python", "-o", "a"}),
            "--trace excludes --no-python (see torchbook site --help)");
  EXPECT_EQ(refusal({"compare", "--reference", "built-in", "--trace"}),
            "--reference excludes --trace (see torchbook compare --help)");
  EXPECT_EQ(refusal({"compare", "--reference", "built-in", "--once", "--timeout", "9"}),
            "--timeout does nothing with --reference and --once, which run no twin and try no settings");
  expect_refused("$BIN/mathematical_trick --list --check",
                 "--check excludes --list (see mathematical_trick --help)\n");
  for (const std::string other : {"--check", "--list"})
    expect_refused("$BIN/mathematical_trick --heatmap " + other, other + " excludes --heatmap");
  EXPECT_EQ(refusal({"run", "--heatmap", "--format", "json"}), "--heatmap does nothing with --format json");
  expect_refused("$BIN/mathematical_trick --list --junit r.xml",
                 "--list excludes --junit (see mathematical_trick --help)\n");
}

TEST(Conflicts, WithTheFormatNameIt) {
  EXPECT_EQ(refusal({"run", "--quiet", "--format", "json"}), "--quiet does nothing with --format json");
  EXPECT_EQ(refusal({"compare", "--color", "never", "--format", "json"}),
            "--color does nothing with --format json");
  EXPECT_EQ(refusal({"run", "--format", "ipynb", "--failed"}), "--failed does nothing with --format ipynb");
  EXPECT_EQ(refusal({"part", "a", "b", "--format", "html", "--color", "never"}),
            "--color does nothing with --format html");
  EXPECT_EQ(refusal({"check", "--source", "both"}),
            "check shows no source; run does, and check with --format json");
}

TEST(Conflicts, AreNoneWhereOptionsActTogether) {
  EXPECT_EQ(torchbook({"run", "math", "--format", "json", "--source", "none", "--failed", "--times"}).code,
            0);
  EXPECT_EQ(
      torchbook({"check", "math", "--quiet", "--accept", "printed", "--cell", "26", "--junit", "j.xml"}).code,
      0);
}

TEST(Conflicts, OfTwoReportsForStdout) {
  const std::string message =
      "--junit - needs stdout for itself; send the other report to a file with --output FILE";
  EXPECT_EQ(refusal({"check", "--junit", "-"}), message);
  EXPECT_EQ(refusal({"check", "--junit", "-", "-o", "-"}), message);
  EXPECT_EQ(torchbook({"check", "math", "--junit", "-", "-o", "r.txt"}).code, 0);
}

}  // namespace
}  // namespace torchbook::test
