// Tests that bad input gives exit code 2, nothing on stdout, and one line on stderr that says what would be
// right.
#include <cli/command.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/texts.h>

#include <string>

namespace torchbook::test {
namespace {

TEST(BadInput, UnknownSlug) {
  expect_refused(
      "$BIN/torchbook run nonesuch",
      "torchbook: no notebook is named nonesuch; there are attention_by_hand, keys_queries_values, "
      "self_attention_in_three_steps, attention_as_alignment, mathematical_trick\n");
}

TEST(BadInput, UnknownCommand) {
  expect_refused(
      "$BIN/torchbook walk",
      "torchbook: there is no command walk; the commands are run, check, compare, golden, list, doctor, "
      "site, new, import, watch, carry, part, seed, test, matrix, help, and a notebook's name comes after "
      "one: "
      "torchbook "
      "run SLUG\n");
}

TEST(BadInput, NamesOfTargetsForAProject) {
  for (const std::string name : {"mkl", "torch", "c10", "test", "first_notebook"}) {
    expect_refused("$BIN/torchbook new " + name, name + " is the name of something else in the build");
  }
}

TEST(BadInput, OptionBeforeACommandThatWouldNotSeeIt) {
  expect_refused("$BIN/torchbook --golden g.txt compare", "--golden comes before compare");
  expect_refused("$BIN/torchbook --junit j.xml site -o s --no-python", "--junit comes before site");
  expect_refused("$BIN/torchbook --accept printed list", "--accept comes before list");
  expect_refused("$BIN/torchbook --cell 26 doctor", "--cell comes before doctor");
}

TEST(BadInput, NothingOrAnOptionForAValue) {
  for (const char* option : {"--junit", "--golden", "-o", "--cell"}) {
    expect_refused(std::string("$BIN/mathematical_trick ") + option + " ''", "and got an empty text");
    expect_refused(std::string("$BIN/mathematical_trick ") + option + " --check", "and --check is an option");
  }
  for (const char* option : {"--record", "--reference", "--twins", "--python"}) {
    expect_refused(std::string("$BIN/torchbook compare ") + option + " ''", "and got an empty text");
  }
  expect_refused(
      "$BIN/torchbook site --output --no-python",
      "torchbook: --output: needs a DIR, and --no-python is an option (see torchbook site --help)\n");
}

TEST(BadInput, FileWithoutEnd) {
  expect_refused("$BIN/mathematical_trick --golden /dev/zero", "/dev/zero is larger than 64 MiB");
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

TEST(BadInput, UnknownLabel) {
  expect_refused("$BIN/mathematical_trick --cell 50",
                 "mathematical_trick: --cell 50: mathematical_trick has no cell In [50]; the nearest are In "
                 "[49] and In [54]\n");
}

TEST(BadInput, UnknownPosition) {
  for (const char* position : {"@0", "@15", "@", "@x", "@1x", "@-1", "@99999999999999999999999"}) {
    expect_refused(std::string("$BIN/mathematical_trick --cell ") + position,
                   "mathematical_trick has the positions @1 to @14\n");
  }
}

TEST(BadInput, LabelThatSeveralCellsShare) {
  expect_refused(
      "$BIN/self_attention_in_three_steps --cell None",
      "--cell None: self_attention_in_three_steps has 3 cells In [None]; say which: @3, @9, @10\n");
}

TEST(BadInput, UnknownOption) {
  expect_refused("$BIN/mathematical_trick --colour",
                 "--colour; did you mean --color? (see mathematical_trick --help)\n");
  expect_refused("$BIN/torchbook check --colour",
                 "--colour; did you mean --color? (see torchbook check --help)\n");
}

TEST(BadInput, UnknownFormatOrSource) {
  expect_refused("$BIN/mathematical_trick --format yaml",
                 "--format: yaml is none of text, json, ipynb, markdown");
  expect_refused("$BIN/mathematical_trick --source c", "--source: c is none of both, cpp, python, none");
}

TEST(BadInput, UnknownStrength) {
  for (const char* word : {"print", "Printed", "different", "''"}) {
    expect_refused(std::string("$BIN/mathematical_trick --accept ") + word, "none of equal, printed");
  }
  expect_refused("$BIN/torchbook check --accept close", "--accept: close is none of equal, printed");
}

TEST(BadInput, JunitThatCannotBeWritten) {
  expect_refused("$BIN/mathematical_trick --junit nowhere/report.xml",
                 "mathematical_trick: cannot write nowhere/report.xml: No such file or directory\n");
  expect_refused("$BIN/torchbook check --junit .", "cannot write .: Is a directory\n");
  expect_refused("$BIN/mathematical_trick --junit /dev/full",
                 "cannot write /dev/full: No space left on device\n");
  expect_refused("$BIN/mathematical_trick --junit", "--junit");
}

TEST(BadInput, JunitOfAList) {
  expect_refused("$BIN/mathematical_trick --list --junit report.xml",
                 "--list and --junit do not go together (see mathematical_trick --help)\n");
  expect_refused("$BIN/torchbook --junit report.xml list", "--junit comes before list");
}

TEST(BadInput, JunitAndOutputInOneFile) {
  expect_refused("$BIN/mathematical_trick -o report.xml --junit ./report.xml",
                 "--output and --junit are both ./report.xml; they need a file each\n");
}

TEST(BadInput, ArgumentThatNothingTakes) { expect_refused("$BIN/mathematical_trick 49", "49"); }

TEST(BadInput, OptionWithoutItsValue) {
  expect_refused("$BIN/mathematical_trick --cell", "--cell");
  expect_refused("$BIN/mathematical_trick --golden", "--golden");
}

TEST(BadInput, ListAndCheckTogether) {
  expect_refused("$BIN/mathematical_trick --list --check",
                 "--check and --list do not go together (see mathematical_trick --help)\n");
}

TEST(BadInput, GoldenThatIsMissing) {
  expect_refused("$BIN/mathematical_trick --golden nowhere.txt",
                 "mathematical_trick: cannot read nowhere.txt: No such file or directory\n");
}

TEST(BadInput, GoldenThatIsAFolder) {
  expect_refused("$BIN/mathematical_trick --golden .", "cannot read .: Is a directory\n");
}

TEST(BadInput, GoldenThatIsEmpty) {
  expect_refused(": >empty.txt; $BIN/mathematical_trick --golden empty.txt",
                 "mathematical_trick: empty.txt: the file is empty");
}

TEST(BadInput, GoldenThatIsTorn) {
  const std::string golden = source_folder() + "/notebooks_ported/mathematical_trick.golden";
  expect_refused("head -c 300 " + golden + " >torn.txt; $BIN/mathematical_trick --golden torn.txt",
                 "mathematical_trick: torn.txt:15: the file breaks off in the middle of a line\n");
  expect_refused(
      "head -n 30 " + golden + " >torn.txt; $BIN/mathematical_trick --golden torn.txt",
      "mathematical_trick: torn.txt:30: the file breaks off: its last line, 'end: …', is missing\n");
}

TEST(BadInput, GoldenOfAnotherNotebook) {
  expect_refused(
      "$BIN/mathematical_trick --golden " + source_folder() + "/notebooks_ported/attention_by_hand.golden",
      "/attention_by_hand.golden:1: this belongs to the notebook attention_by_hand, not to "
      "mathematical_trick\n");
  expect_refused("cp " + source_folder() +
                     "/notebooks_ported/attention_by_hand.golden other.txt; "
                     "$BIN/torchbook check mathematical_trick --golden other.txt",
                 "torchbook: mathematical_trick: other.txt:1: this belongs to the notebook "
                 "attention_by_hand, not to mathematical_trick");
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
  expect_refused_recording("3,$d", "3: the JSON breaks off" + no_recording);
  expect_refused_recording("5s/,$//", "6: column 11: no JSON goes on like this" + no_recording);
  expect_refused_recording("6s/\"\"/5/", " cell In [17] (@1): \"stdout\" is 5; it must be a text");
  expect_refused_recording(
      "12s/6/7/",
      " cell In [17] (@1), tensor 1: its \"bits\" are 18 numbers; a torch.float32 of shape (7, 3) has 21");
  expect_refused_recording(
      "s/\"threads\": .*,/\"threads\": 1e30,/",
      " its \"fingerprint\": \"threads\" is a number; it must be a whole number from 0 to "
      "2147483647");
}

TEST(BadInput, AnswerThatIsNone) {
  const auto expect_answer = [](const std::string& answer, const std::string& message) {
    expect_refused(
        "printf '#!/bin/sh\n{ " + answer +
            "; } >&3\n' >p; chmod +x p; $BIN/torchbook compare --python ./p attention_as_alignment",
        "torchbook: ./p answered something that is no recording: line 1: " + message + "\n");
  };
  expect_answer("head -c 205000 /dev/zero | tr \"\\\\0\" [; echo",
                "column 17: it is nested deeper than 16 brackets");
  expect_answer("echo {\\\"failure\\\":5}", "\"failure\" is 5; it must be a text");
  expect_answer("echo []", "a list stands where an object must stand");
  expect_answer("echo {\\\"a\\\":1}", "it must hold one recording");
}

TEST(BadInput, LimitOnTheSizeOfFilesThatStopsACompare) {
  expect_refused("(ulimit -f 1; $BIN/torchbook compare --python true)",
                 "torchbook: cannot write a file in memory: File too large; ulimit -f sets the limit\n");
}

TEST(BadInput, OutputThatCannotBeWritten) {
  expect_refused("$BIN/mathematical_trick --output nowhere/report.txt",
                 "mathematical_trick: cannot write nowhere/report.txt: No such file or directory\n");
  expect_refused("$BIN/mathematical_trick --output .", "cannot write .: Is a directory\n");
}

TEST(BadInput, FullDisk) {
  expect_refused("$BIN/mathematical_trick --output /dev/full",
                 "cannot write /dev/full: No space left on device\n");
  expect_refused("$BIN/mathematical_trick >/dev/full",
                 "cannot write standard output: No space left on device\n");
  expect_refused("$BIN/mathematical_trick --help >/dev/full",
                 "cannot write standard output: No space left on device\n");
}

TEST(BadInput, ClosedStdout) {
  expect_refused("$BIN/mathematical_trick >&-", "cannot write standard output: Bad file descriptor\n");
}

}  // namespace
}  // namespace torchbook::test
