// Tests that golden files are read strictly, that errors name the line, and that what is written is read
// back.
#include <gtest/gtest.h>
#include <support/message_of.h>
#include <support/texts.h>
#include <torchbook/golden/golden.h>

#include <optional>
#include <string>
#include <utility>

namespace torchbook::golden {
namespace {

constexpr std::string_view whole =
    "golden of sample, from 000.txt\n"
    "\n"
    "@1 In [1]\n"
    "\n"
    "@2 In [7]\n"
    "> printed \n"
    ">\n"
    "> > again\n"
    "= tensor([[1.],\n"
    "=         [2.]])\n"
    "\n"
    "@3 In [None]\n"
    "= \n"
    "=\n"
    "\n"
    "end: 3 cells, 2 with output\n";

/// Returns the message of the GoldenError that parsing throws.
std::string error_of(std::string_view text) {
  try {
    parse_golden(text);
    return "nothing thrown";
  } catch (const GoldenError& error) {
    return error.in_file("golden");
  }
}

std::string with(std::string_view from, std::string_view to) {
  std::string text(whole);
  return text.replace(text.find(from), from.size(), to);
}

TEST(Golden, IsReadByteForByte) {
  const Golden golden = parse_golden(whole);
  EXPECT_EQ(golden.slug, "sample");
  EXPECT_EQ(golden.document, "000.txt");
  ASSERT_EQ(golden.cells.size(), 3U);
  EXPECT_FALSE(golden.cells[0].has_output());
  EXPECT_EQ(golden.cells[1].position, 2U);
  EXPECT_EQ(golden.cells[1].line, 5U);
  EXPECT_EQ(golden.cells[1].label, "7");
  EXPECT_EQ(golden.cells[1].out, "printed \n\n> again\n");
  EXPECT_EQ(golden.cells[1].result, "tensor([[1.],\n        [2.]])");
  EXPECT_EQ(golden.cells[2].label, "None");
  EXPECT_EQ(golden.cells[2].result, "\n");
}

TEST(Golden, EmptyIsAnError) {
  EXPECT_EQ(error_of(""),
            "golden: the file is empty; a golden starts with 'golden of <slug>, from <document>'");
}

// A golden that is cut anywhere must be refused.
TEST(Golden, TornAtAnyByteIsAnError) {
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(parse_golden(whole.substr(0, length)), GoldenError) << "cut to " << length << " bytes";
  }
}

TEST(Golden, TornSaysWhere) {
  EXPECT_EQ(error_of(whole.substr(0, 50)), "golden:5: the file breaks off in the middle of a line");
  EXPECT_EQ(error_of(whole.substr(0, whole.find("\n@3"))),
            "golden:10: the file breaks off: its last line, 'end: …', is missing");
}

TEST(Golden, WithCarriageReturnsIsAnError) {
  EXPECT_EQ(error_of("golden of a, from b\r\n\r\n"),
            "golden:1: it ends in a carriage return; a golden's lines end in a newline");
}

TEST(Golden, OfAnotherKindIsAnError) {
  EXPECT_EQ(error_of("In [1]:\n"), "golden:1: a golden starts with 'golden of <slug>, from <document>'");
  EXPECT_EQ(error_of(with("@2", "@4")), "golden:5: expected cell @2, found @4");
  for (const char* heading : {"cell 7", "cell [7]", "@2 In [77", "@2 In ["}) {
    EXPECT_EQ(error_of(with("@2 In [7]", heading)),
              "golden:5: expected a cell's heading, such as '@3 In [7]', or the last line, 'end: …'");
  }
  EXPECT_EQ(error_of(with("> printed", "printed")),
            "golden:6: expected '> ' and a printed line, '= ' and a displayed line, or an empty line "
            "('\\ no newline' may follow the last printed line)");
  EXPECT_EQ(error_of(with("=         [2.]])", "> printed after the result")),
            "golden:10: expected '> ' and a printed line, '= ' and a displayed line, or an empty line "
            "('\\ no newline' may follow the last printed line)");
}

TEST(Golden, ALineWithoutANewlineIsTheLastOneAndHasText) {
  const std::pair<std::string, int> cells[] = {{"", 4}, {"> \n", 5}, {"> a\n>\n", 6}, {"= a\n", 5}};
  for (const auto& [above, line] : cells) {
    test::expect_part(error_of("golden of a, from b\n\n@1 In [1]\n" + above + "\\ no newline\n"),
                      "golden:" + std::to_string(line) + ": expected '> '");
  }
  test::expect_part(error_of("golden of a, from b\n\n@1 In [1]\n> a\n\\ no newline\n> b\n"),
                    "golden:6: expected '> '");
}

TEST(Golden, WhoseCountIsWrongIsAnError) {
  EXPECT_EQ(
      error_of(with("2 with", "3 with")),
      "golden:16: the last line must be 'end: 3 cells, 2 with output', it is 'end: 3 cells, 3 with output'");
}

TEST(Golden, WhoseLastLineIsLongIsNotQuoted) {
  const std::string longest = "end: " + std::string(95, 'x');
  const std::string wanted = "golden:16: the last line must be 'end: 3 cells, 2 with output'";
  EXPECT_EQ(error_of(with("end: 3 cells, 2 with output", longest)), wanted + ", it is '" + longest + "'");
  EXPECT_EQ(error_of(with("end: 3 cells, 2 with output", longest + "x")), wanted);
}

TEST(Golden, OfAnotherNotebookTellsWhichUnlessItsNameIsLong) {
  const auto refusal = [](const std::string& slug) {
    Golden golden;
    golden.slug = slug;
    return test::message_of<GoldenError>([&] { require_same_cells(golden, "mine", {}); });
  };
  EXPECT_EQ(refusal("mine"), "nothing");
  const std::string longest(100, 'x');
  test::expect_part(refusal(longest), "belongs to the notebook " + longest + ", not to mine");
  test::expect_part(refusal(longest + "x"), "belongs to another notebook, not to mine");
}

TEST(Golden, WithTextAfterItsEndIsAnError) {
  EXPECT_EQ(error_of(std::string(whole) + "\n"), "golden:16: nothing may follow the last line");
}

TEST(GoldenText, OfTheDocumentsIsTheirFile) {
  for (const auto* slug : {"attention_by_hand", "keys_queries_values", "self_attention_in_three_steps",
                           "attention_as_alignment", "mathematical_trick"}) {
    const auto text = test::golden_text(slug);
    EXPECT_FALSE(text.empty());
    EXPECT_EQ(golden_text(parse_golden(text)), text);
  }
}

TEST(GoldenText, IsReadBackAsTheSameOutputs) {
  using Outputs = std::pair<std::string, std::optional<std::string>>;
  const Outputs all[] = {{"", std::nullopt},
                         {"a\n", std::nullopt},
                         {"a", std::nullopt},
                         {"\n", std::nullopt},
                         {"\n\n", std::nullopt},
                         {"a\n\n", std::nullopt},
                         {"\na", std::nullopt},
                         {"a\nb", "c"},
                         {"", ""},
                         {"", "a\n"},
                         {"", "\n"},
                         {"> a\n= b\n", "@1 In [1]"},
                         {" a \n", "end: 1 cells"},
                         {"\\ no newline", "\\ no newline"},
                         {"= x\n> y\n@2 In [3]\n", "[1,\n\n 2]"},
                         {"a\r\n\tb\n", "\x1b\xff"}};
  Golden golden{.slug = "sample", .document = "PyTorch 2.6.0 and sample.py", .cells = {}};
  for (const auto& [out, result] : all) {
    golden.cells.push_back(
        {.position = golden.cells.size() + 1, .label = "None", .out = out, .result = result});
  }
  const auto read = parse_golden(golden_text(golden));
  EXPECT_EQ(read.slug, "sample");
  EXPECT_EQ(read.document, "PyTorch 2.6.0 and sample.py");
  ASSERT_EQ(read.cells.size(), golden.cells.size());
  for (std::size_t i = 0; i < read.cells.size(); ++i) {
    EXPECT_EQ(read.cells[i].out, golden.cells[i].out) << i;
    EXPECT_EQ(read.cells[i].result, golden.cells[i].result) << i;
    EXPECT_EQ(read.cells[i].label, "None");
  }
}

TEST(GoldenText, HasNoSpacesAtTheEndsOfLines) {
  const Golden golden{.slug = "sample",
                      .document = "PyTorch 2.6.0 and sample.py",
                      .cells = {{.position = 1, .label = "4", .out = "a\n\nb", .result = ""}}};
  EXPECT_EQ(
      golden_text(golden),
      "golden of sample, from PyTorch 2.6.0 and sample.py\n\n@1 In [4]\n> a\n>\n> b\n\\ no newline\n=\n\n"
      "end: 1 cells, 1 with output\n");
}

}  // namespace
}  // namespace torchbook::golden
