// Tests how files of questions are read, and what is wrong with those that are refused.
#include <gtest/gtest.h>
#include <tools/site/html.h>
#include <tools/site/questions/questions.h>
#include <torchbook/notebook/cells/text_error.h>

namespace torchbook::test {
namespace {

using notebook::TextError;

/// Reads a question of a page that shows x, a (2, 3), and y, a (3). A page cannot compute z.
std::string read(const std::string& text,
                 const std::string& shown = "{{#list}}{{check}} {{allowed}}{{/list}}") {
  std::vector<site::Picture> pictures(3);
  const auto set = [](site::Picture& picture, const char* id, const char* name,
                      std::vector<std::int64_t> shape) {
    picture.id = id;
    picture.name = name;
    picture.position = 5;
    picture.numbers.shape = std::move(shape);
  };
  set(pictures[0], "t5-1", "x", {2, 3});
  set(pictures[1], "u5-1", "y", {3});
  set(pictures[2], "t5-2", "z", {3});
  const std::vector<std::optional<std::size_t>> computed = {0, 1, std::nullopt};
  const site::Askable page{
      .pictures = pictures, .computed = computed, .seeds = {{.position = 2, .cell = "In [7]"}}};
  return site::filled(shown, site::object({{"list", site::questions_data(text, "book", page)}}));
}

/// Returns a file with one question, of which one line is another.
std::string with(const std::string& key, const std::string& line) {
  std::string text = "questions on book\n";
  for (const std::string other :
       {"ask: Why?", "change: t5-1", "check: t5-1[0, 0] > 1", "hint: So.", "answer: t5-1.0=2"}) {
    text += (other.starts_with(key + ":") ? line : other) + "\n";
  }
  return text;
}

/// Returns `line: message` of the error that reading the text throws.
std::string error_of(const std::string& text) {
  try {
    return "none, but " + read(text);
  } catch (const TextError& error) {
    return std::to_string(error.line) + ": " + error.what();
  }
}

std::string check_of(const std::string& condition) {
  return read(with("check", "check: " + condition), "{{#list}}{{{check}}}{{/list}}");
}

TEST(Questions, ReadsConditionsAsPythonBindsThem) {
  EXPECT_EQ(check_of("t5-1[1, -1] > 0.5"), R"([">",{"of":"t5-1","at":[5]},0.5])");
  EXPECT_EQ(check_of("argmax(t5-1[:, 1]) == 1"), R"(["==",["argmax",{"of":"t5-1","at":[1,4]}],1.0])");
  EXPECT_EQ(check_of("sum(u5-1) - 1 - 2 * 3 < -4"),
            R"(["<",["-",["-",["sum",{"of":"u5-1","at":[0,1,2]}],1.0],["*",2.0,3.0]],["-",0,4.0]])");
  EXPECT_EQ(check_of("1 < 2 or not 3 < 4 and 5e-05 != 6"),
            R"(["or",["<",1.0,2.0],["and",["not",["<",3.0,4.0]],["!=",5e-05,6.0]]])");
  EXPECT_EQ(
      check_of("(1 < 2 or 3 < 4) and abs(u5-1[0]) / 2 >= .5"),
      R"(["and",["or",["<",1.0,2.0],["<",3.0,4.0]],[">=",["/",["abs",{"of":"u5-1","at":[0]}],2.0],0.5]])");
}

TEST(Questions, ReadsWhatMayBeChangedAndTheAnswer) {
  const auto shown = "{{#list}}{{{may}}}; {{{allowed}}};{{#changes}} {{text}}{{/changes}}{{/list}}";
  EXPECT_EQ(
      read("questions on book\n\n# easy\nask: Why\n  not?\nchange: 3 of t5-1[1],\n  seed.0\ncheck: 1 < 2\n"
           "hint: So.\nanswer: t5-1.4=-1e-3 & seed.0=8\n",
           shown),
      "at most 3 numbers of <a href=\"#t5-1\">x</a>[1], the seed of <a href=\"#cell-2\">In [7]</a>; "
      R"({"most":3,"parts":[{"of":"t5-1","at":[3,4,5]}],"seeds":[0]}; x[1, 1] = -1e-3 seed of In [7] = 8)");
  EXPECT_EQ(read("questions on book\r\nask: Why\r\n  not?\r\nchange: u5-1\r\ncheck: 1 < 2\r\nhint: "
                 "So.\r\nanswer: u5-1.0=1\r\n",
                 "{{#list}}{{{ask}}}{{/list}}"),
            "Why not?");
}

TEST(Questions, SaysWhatIsWrongWithItsLines) {
  EXPECT_EQ(error_of(""), "1: the first line must be 'questions on book'");
  EXPECT_EQ(error_of("questions on other\n"), "1: the first line must be 'questions on book'");
  EXPECT_EQ(error_of("questions on book\nhint: So.\n"), "2: a question must begin with 'ask:'");
  EXPECT_EQ(error_of("questions on book\n\nask: Why?\nhint: So.\n"),
            "3: the question has no 'change'; it needs ask, change, check, hint and answer");
  EXPECT_EQ(error_of(with("hint", "help: So.")),
            "5: a line must begin with 'ask:', 'change:', 'check:', 'hint:' or 'answer:', or with spaces to "
            "continue "
            "the line before it");
  EXPECT_EQ(error_of(with("hint", "hint: ")), "5: the text after 'hint:' is missing");
  EXPECT_EQ(error_of(with("hint", "check: 1 < 2")), "5: the question has 'check' already, in line 4");
}

TEST(Questions, SaysWhichTensorsThereAre) {
  EXPECT_EQ(error_of(with("change", "change: t5-3")),
            "3: the page has no tensor 't5-3'; the cell at position 5 has t5-1 (x), u5-1 (y), t5-2 (z)");
  EXPECT_EQ(
      error_of(with("change", "change: x")),
      "3: the page has no tensor 'x'; an id such as t5-1 names the first tensor of the cell at position 5");
  EXPECT_EQ(error_of(with("change", "change: t5-2")), "3: the page cannot compute t5-2; name another tensor");
  EXPECT_EQ(error_of(with("change", "change: t5-1[2]")),
            "3: the index '2' is out of range; this dimension has the indices 0 to 1");
  EXPECT_EQ(error_of(with("change", "change: u5-1[0, 1]")),
            "3: u5-1 has 1 dimension; it takes no more indices");
  EXPECT_EQ(error_of(with("change", "change: seed.1")), "3: the page has no 'seed.1'; it has 1 seed, seed.0");
  EXPECT_EQ(error_of(with("change", "change: 0 of t5-1")),
            "3: '0 of' allows no change; it should be at least 1");
  EXPECT_EQ(error_of(with("change", "change: t5-1 u5-1")),
            "3: 'u5-1' is unexpected; ',' separates what may be changed");
}

TEST(Questions, SaysWhatIsWrongWithAConditionAndAnAnswer) {
  EXPECT_EQ(error_of(with("check", "check: t5-1[0] > 1")),
            "4: the left side of '>' is several numbers; take one by an index, or their argmax, max, min, "
            "mean or sum");
  EXPECT_EQ(error_of(with("check", "check: 1 + 2")),
            "4: the condition is a number; compare it, such as with '> 0.5'");
  EXPECT_EQ(error_of(with("check", "check: (1 < 2) + 3 < 4")),
            "4: the left side of '+' is true or false; it should be a number");
  EXPECT_EQ(error_of(with("check", "check: max(3) < 4")),
            "4: max takes a tensor or a part of one, such as t5-1[4]");
  EXPECT_EQ(error_of(with("check", "check: 1 <")),
            "4: the condition ends too early; a number or an entry such as t5-1[4, 0] should follow");
  EXPECT_EQ(error_of(with("check", "check: 1 < 2 3")),
            "4: '3' is unexpected; the condition is complete before it");
  EXPECT_EQ(error_of(with("check", "check: 1 < 2;")), "4: ';' means nothing here");
  EXPECT_EQ(error_of(with("answer", "answer: t5-1=3")),
            "6: 't5-1=3' is no change; it should be as in a page's address, such as t1-1.12=3 or seed.0=8");
  EXPECT_EQ(error_of(with("answer", "answer: u5-1.0=3")), "6: 'u5-1.0=3' is none of what 'change' allows");
  EXPECT_EQ(
      error_of(with("change", "change: 1 of t5-1")
                   .replace(with("change", "change: 1 of t5-1").find("t5-1.0=2"), 8, "t5-1.0=2&t5-1.1=2")),
      "6: the answer has 2 changes; 'change' allows 1");
}

}  // namespace
}  // namespace torchbook::test
