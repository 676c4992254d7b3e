// Golden files are read strictly; what is wrong with one is said with its line.
#include <gtest/gtest.h>
#include <torchbook/golden/golden.h>

#include <string>

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

/// The message of the GoldenError that parsing throws.
std::string error_of(std::string_view text) {
  try {
    parse_golden(text);
    return "nothing thrown";
  } catch (const GoldenError& error) {
    return error.what();
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
  EXPECT_EQ(golden.cells[1].label, "7");
  EXPECT_EQ(golden.cells[1].out, "printed \n\n> again\n");
  EXPECT_EQ(golden.cells[1].result, "tensor([[1.],\n        [2.]])");
  EXPECT_EQ(golden.cells[2].label, "None");
  EXPECT_EQ(golden.cells[2].result, "\n");
}

TEST(Golden, EmptyIsAnError) {
  EXPECT_EQ(error_of(""), "the file is empty; a golden starts with 'golden of <slug>, from <document>'");
}

// Wherever a golden is cut, it is noticed.
TEST(Golden, TornAtAnyByteIsAnError) {
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(parse_golden(whole.substr(0, length)), GoldenError) << "cut to " << length << " bytes";
  }
}

TEST(Golden, TornSaysWhere) {
  EXPECT_EQ(error_of(whole.substr(0, 50)), "line 5: the file breaks off in the middle of a line");
  EXPECT_EQ(error_of(whole.substr(0, whole.find("\n@3"))),
            "line 10: the file breaks off: its last line, 'end: …', is missing");
}

TEST(Golden, WithCarriageReturnsIsAnError) {
  EXPECT_EQ(error_of("golden of a, from b\r\n\r\n"),
            "line 1: it ends in a carriage return; a golden's lines end in a newline");
}

TEST(Golden, OfAnotherKindIsAnError) {
  EXPECT_EQ(error_of("In [1]:\n"), "line 1: a golden starts with 'golden of <slug>, from <document>'");
  EXPECT_EQ(error_of(with("@2", "@4")), "line 5: expected cell @2, found @4");
  EXPECT_EQ(error_of(with("@2 In [7]", "cell 7")),
            "line 5: expected a cell's heading, such as '@3 In [7]', or the last line, 'end: …'");
  EXPECT_EQ(error_of(with("> printed", "printed")),
            "line 6: expected '> ' and a printed line, '= ' and a displayed line, or an empty line");
  EXPECT_EQ(error_of(with("=         [2.]])", "> printed after the result")),
            "line 10: expected '> ' and a printed line, '= ' and a displayed line, or an empty line");
}

TEST(Golden, WhoseCountIsWrongIsAnError) {
  EXPECT_EQ(
      error_of(with("2 with", "3 with")),
      "line 16: the last line must be 'end: 3 cells, 2 with output', it is 'end: 3 cells, 3 with output'");
}

TEST(Golden, WithTextAfterItsEndIsAnError) {
  EXPECT_EQ(error_of(std::string(whole) + "\n"), "line 16: nothing may follow the last line");
}

}  // namespace
}  // namespace torchbook::golden
