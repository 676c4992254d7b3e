// Tests the text report.
#include <gtest/gtest.h>
#include <report/samples.h>
#include <support/texts.h>
#include <torchbook/report/terminal/terminal.h>

namespace torchbook::report {
namespace {

constexpr TerminalStyle plain{};

TEST(Transcript, ShowsSourceStdoutResultAndNotes) {
  EXPECT_EQ(transcript_text(test::sample(), plain),
            "== sample, from 000.txt\n"
            "\n"
            "In [3]:\n"
            "    return f(1);\n"
            "    // done\n"
            "\n"
            "# What comes next.\n"
            "\n"
            "# Restored state. The seed.\n"
            "    seed(1);\n"
            "\n"
            "In [7]:\n"
            "    return f(2);\n"
            "    // done\n"
            "\n"
            "a\n"
            "b\n"
            "\n"
            "tensor([1.])\n"
            "\n"
            "In [None]:\n"
            "    return f(3);\n"
            "    // done\n"
            "\n"
            "True\n");
}

TEST(Transcript, WithoutSourceShowsOutputsOnly) {
  EXPECT_EQ(transcript_text(test::sample(), {.source = Sources::none}),
            "== sample, from 000.txt\n\nIn [3]:\n\n# What comes next.\n\n# Restored state. The seed.\n\n"
            "In [7]:\n\na\nb\n\ntensor([1.])\n\nIn [None]:\n\nTrue\n");
}

TEST(Transcript, OfSomeCellsShowsThoseOnly) {
  golden::JudgedTranscript one = test::sample();
  std::get<notebook::Cell>(one.transcript.items[0]).selected = false;
  one.judgements.erase(1);
  std::get<notebook::Cell>(one.transcript.items[4]).selected = false;
  one.judgements.erase(3);
  EXPECT_EQ(transcript_text(one, {.source = Sources::none}),
            "== sample, from 000.txt\n\nIn [7]:\n\na\nb\n\ntensor([1.])\n");
}

TEST(Transcript, EndsWithTheCellThatThrew) {
  EXPECT_EQ(transcript_text(test::sample_that_threw(), {.source = Sources::none}),
            "== sample, from 000.txt\n\nIn [3]:\n\n# What comes next.\n\n# Restored state. The seed.\n\n"
            "In [7]:\n\na\nb\n\nthrew: boom\n");
}

TEST(Transcript, WrapsNotesAt80Columns) {
  golden::JudgedTranscript judged = test::sample();
  std::get<notebook::Note>(judged.transcript.items[1]).text =
      "A note that is longer than a line of eighty columns is broken between two of its words.";
  const auto text = transcript_text(judged, plain);
  test::expect_part(text,
                    "# A note that is longer than a line of eighty columns is broken between two of\n"
                    "# its words.\n");
}

TEST(Transcript, IsColouredOnlyWhenAsked) {
  EXPECT_EQ(transcript_text(test::sample(), plain).find('\033'), std::string::npos);
  EXPECT_NE(transcript_text(test::sample(), {.colour = true}).find("\033[32mIn [7]:\033[0m\n"),
            std::string::npos);
}

TEST(Transcript, ShowsTheTwins) {
  golden::JudgedTranscript judged = test::sample();
  std::get<notebook::Restored>(judged.transcript.items[2]).twin = "seed(1)";
  std::get<notebook::Cell>(judged.transcript.items[3]).twin = "f(2)";
  const auto python = transcript_text(judged, {.source = Sources::python});
  test::expect_part(python, "# Restored state. The seed.\n    seed(1)\n\nIn [7]:\n    f(2)\n\na\n");
  const auto both = transcript_text(judged, {.source = Sources::both});
  test::expect_part(both, "In [7]:\n  C++\n    return f(2);\n    // done\n  PyTorch\n    f(2)\n\na\n");
}

TEST(Transcript, HasHeatmapsBehindTheOutput) {
  golden::JudgedTranscript judged = test::sample();
  const std::string zeros(4, '\0');
  std::get<notebook::Cell>(judged.transcript.items[3]).tensors = {
      {"torch.int8", {4}, zeros}, {"torch.float32", {}, zeros}, {"torch.int8", {2, 2}, zeros}};
  const auto text = transcript_text(judged, {.source = Sources::none, .heatmap = HeatmapStyle{}});
  test::expect_part(text,
                    "\ntensor([1.])\n\n# Heatmap of (4,), torch.int8\n     0     0     0     0\n"
                    "  lowest 0 │                │ highest 0\n\n# Heatmap of (2, 2), torch.int8\n");
  EXPECT_EQ(transcript_text(judged, plain).find("Heatmap"), text.npos);
}

TEST(Transcript, SaysWhatARestoredStateThrew) {
  golden::JudgedTranscript judged = test::sample();
  std::get<notebook::Restored>(judged.transcript.items[2]).error = "boom";
  test::expect_part(transcript_text(judged, {.source = Sources::none}),
                    "# Restored state. The seed.\n\nthrew: boom\n");
}

TEST(Fingerprint, HasLinesOfAtMost100Columns) {
  auto fingerprint = test::sample_fingerprint();
  EXPECT_EQ(fingerprint_lines("computed by", fingerprint),
            "computed by LibTorch 1.13.1, AVX2, libopenblas.so.0, 2 threads, g++ 12.2.0\n");
  fingerprint.blas =
      "libopenblas.so.0 (OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY Zen MAX_THREADS=64)";
  EXPECT_EQ(fingerprint_lines("computed by", fingerprint),
            "computed by LibTorch 1.13.1, AVX2, libopenblas.so.0 (OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH\n"
            "  NO_AFFINITY Zen MAX_THREADS=64), 2 threads, g++ 12.2.0\n");
}

TEST(Verdicts, AreALineACell) {
  EXPECT_EQ(verdict_text(test::sample(true), plain),
            "== sample, from 000.txt\n"
            "  @1  In [3]    no-output\n"
            "  @2  In [7]    different\n"
            "  @3  In [None] equal\n");
}

TEST(Verdicts, SayOfValuesThatDifferWhereAndByHowMuch) {
  EXPECT_EQ(verdict_text(test::sample_of_other_bits(), plain),
            "== sample, from 000.txt\n"
            "  @1  In [3]    no-output\n"
            "  @2  In [7]    equal-as-printed  largest 3 ulps, first at [0, 1]\n"
            "  @3  In [None] equal\n");
  golden::JudgedTranscript judged = test::sample_of_other_bits();
  judged.judgements.at(2).verdict = golden::Verdict::different;
  test::expect_part(verdict_text(judged, plain), "different         largest");
  test::expect_part(verdict_text(judged, {.colour = true}), "\033[31mdifferent\033[0m         largest");
}

TEST(Differences, OfBitsSayThatTheTextsAreEqual) {
  EXPECT_EQ(difference_text(test::sample_of_other_bits(), "./sample", plain),
            "sample @2 In [7] equals the text of its golden, but differs from the recording "
            "(--accept printed admits that)\n"
            "  tensor 1 of its result, element [0, 1]:\n"
            "    recording 1.0\n"
            "    here      1.0000001\n"
            "    1 ulp, absolute error 1.192e-07, relative error 1.192e-07\n"
            "    2 of 4 elements differ, by up to 3 ulps at [1, 1]\n"
            "  again: ./sample --cell @2\n");
}

TEST(Differences, ThatAreAcceptedAreNotExplained) {
  EXPECT_EQ(difference_text(test::sample_of_other_bits(), "./sample", {.accept = golden::Accept::printed}),
            "");
  EXPECT_NE(difference_text(test::sample(true), "./sample", {.accept = golden::Accept::printed}), "");
}

TEST(Differences, ThatOnlyFollowFromOtherCellsHaveALine) {
  auto judged = test::sample(true);
  auto& parting = judged.judgements.at(2).partings.emplace_back();
  parting.from = "@1";
  parting.lines = {"follows from In [3] (@1): tril here"};
  EXPECT_EQ(difference_text(judged, "./sample", plain),
            "sample @2 In [7] follows from In [3] (@1): tril here\n");
  parting.lines.emplace_back("  here      operation 1");
  EXPECT_NE(difference_text(judged, "./sample", plain).find("    here      operation 1\n  again: "),
            std::string::npos);
}

TEST(Differences, AreEmptyWhereThereIsNone) {
  EXPECT_EQ(difference_text(test::sample(), "./sample", plain), "");
}

TEST(Differences, ShowBothLinesAndTheCommand) {
  EXPECT_EQ(difference_text(test::sample(true), "./sample", plain),
            "sample @2 In [7] differs from its golden\n"
            "  line 2 of its stdout:\n"
            "    golden  B\n"
            "    here    b\n"
            "            ^\n"
            "  again: ./sample --cell @2\n");
}

TEST(Differences, OfACellThatThrewSayWhatItThrew) {
  EXPECT_EQ(difference_text(test::sample_that_threw(), "./sample", plain),
            "sample @2 In [7] threw (sample.cpp:20)\n"
            "  boom\n"
            "  again: ./sample --cell @2\n");
}

TEST(Differences, OfACellWhoseTwinRaisedSayWhatItRaised) {
  auto judged = test::sample_whose_twin_raised();
  EXPECT_EQ(difference_text(judged, "./sample", plain),
            "sample @2 In [7] threw in PyTorch\n"
            "  PyTorch: sample.py:7: ValueError: no\n"
            "  again: ./sample --cell @2\n");
  std::get<notebook::Cell>(judged.transcript.items[3]).error = "boom";
  EXPECT_EQ(difference_text(judged, "./sample", plain),
            "sample @2 In [7] threw (sample.cpp:20), and so did PyTorch\n"
            "  boom\n"
            "  PyTorch: sample.py:7: ValueError: no\n"
            "  again: ./sample --cell @2\n");
}

TEST(Verdicts, OfANotebookThatWasNotJudgedAreWhy) {
  EXPECT_EQ(verdict_text(test::sample_not_judged(), plain),
            "== sample, from 000.txt\nnot judged: sample.txt:4: expected a cell's <heading>\n");
}

TEST(Verdicts, NameWhatThrew) {
  EXPECT_EQ(verdict_text(test::sample_that_threw(), plain),
            "== sample, from 000.txt\n  @1  In [3]    no-output\n  @2  In [7]    threw\n");
}

TEST(Differences, MarkTheColumnOfTheByteNotItsOffset) {
  golden::JudgedTranscript judged = test::sample(true);
  auto& difference = *judged.judgements.at(2).difference;
  difference.golden = "ä=1";
  difference.actual = "ä=2";
  difference.column = 4;
  const auto text = difference_text(judged, "./sample", plain);
  test::expect_part(text, "    here    ä=2\n              ^\n");
}

TEST(Outline, IsALineACell) {
  EXPECT_EQ(outline_text(test::sample().transcript),
            "  @1  In [3]    return f(1);\n"
            "  @2  In [7]    return f(2);\n"
            "  @3  In [None] return f(3);\n");
}

}  // namespace
}  // namespace torchbook::report
