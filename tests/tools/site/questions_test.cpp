// Tests how files of questions are read, and what is wrong with those that are refused.
#include <gtest/gtest.h>
#include <tools/site/html.h>
#include <tools/site/questions/questions.h>
#include <torchbook/notebook/cells/text_error.h>

namespace torchbook::test {
namespace {

using notebook::TextError;

site::Picture picture(const char* id, const char* variable, const char* name,
                      std::vector<std::int64_t> shape) {
  site::Picture picture;
  picture.id = id;
  picture.variable = variable;
  picture.name = name;
  picture.numbers.shape = std::move(shape);
  return picture;
}

/// Reads a question of a page that shows x, a (2, 3), two tensors named w, both (3), and a tensor without a
/// name. A page cannot compute z. The last cell shows x[0] and y[1] once more.
std::string read(const std::string& text,
                 const std::string& shown = "{{#list}}{{check}} {{allowed}}{{/list}}") {
  const std::vector<site::Picture> pictures = {picture("t5-1", "x", "x", {2, 3}),
                                               picture("u5-1", "w", "w of In [7]", {3}),
                                               picture("t5-2", "z", "z", {3}),
                                               picture("t6-1", "w", "w 1 of In [8]", {3}),
                                               picture("t6-2", "", "In [8]", {3}),
                                               picture("t7-1", "x[0]", "x[0]", {3}),
                                               picture("t7-2", "y[1]", "y[1] of In [9]", {2}),
                                               picture("t8-1", "y[1]", "y[1] of In [10]", {2})};
  const std::vector<std::optional<std::size_t>> computed = {0, 1, std::nullopt, 2, 3, 4, 5, 5};
  const site::Askable page{.pictures = pictures,
                           .computed = computed,
                           .seeds = {{.position = 2, .cell = "In [7]"},
                                     {.position = 4, .cell = "In [8]"},
                                     {.position = 4, .cell = "In [8]"}}};
  return site::filled(shown, site::object({{"list", site::questions_data(text, "book", page)}}));
}

/// Returns a file with one question, of which one line is another.
std::string with(const std::string& key, const std::string& line) {
  std::string text = "questions on book\n";
  for (const std::string other :
       {"ask: Why?", "change: x", "check: x[0, 0] > 1", "hint: So.", "answer: x[0, 0] = 2"}) {
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
  EXPECT_EQ(check_of("x[1, -1] > 0.5"), R"~([">",["said","x[1, -1]",{"of":"t5-1","at":[5]}],0.5])~");
  EXPECT_EQ(check_of("argmax(x[:, 1]) == 1"),
            R"~(["==",["said","argmax(x[:, 1])",["argmax",{"of":"t5-1","at":[1,4]}]],1.0])~");
  EXPECT_EQ(
      check_of("sum(x[0]) - 1 - 2 * 3 < -4"),
      R"~(["<",["said","sum(x[0]) - 1 - 2 * 3",["-",["-",["sum",{"of":"t5-1","at":[0,1,2]}],1.0],["*",2.0,3.0]]],["-",0,4.0]])~");
  EXPECT_EQ(check_of("1 < 2 or not 3 < 4 and 5e-05 != 6"),
            R"~(["or",["<",1.0,2.0],["and",["not",["<",3.0,4.0]],["!=",5e-05,6.0]]])~");
  EXPECT_EQ(
      check_of("(1 < 2 or 3 < 4) and abs(x[0, 0]) / 2 >= .5"),
      R"~(["and",["or",["<",1.0,2.0],["<",3.0,4.0]],[">=",["said","abs(x[0, 0]) / 2",["/",["abs",{"of":"t5-1","at":[0]}],2.0]],0.5]])~");
}

TEST(Questions, MarksWhatMayBeInfinite) {
  EXPECT_EQ(check_of("x[0, 0] == -inf"),
            R"~(["==",["said","x[0, 0]",{"of":"t5-1","at":[0]},true],["-",0,["inf"]]])~");
}

TEST(Questions, NamesTensorsAsThePageDoes) {
  EXPECT_EQ(check_of("w of In [7][0]<1"), R"~(["<",["said","w of In [7][0]",{"of":"u5-1","at":[0]}],1.0])~");
  EXPECT_EQ(check_of("w 1 of In [8] [0] < 1"),
            R"~(["<",["said","w 1 of In [8] [0]",{"of":"t6-1","at":[0]}],1.0])~");
  EXPECT_EQ(check_of("max(In [8]) < 1"),
            R"~(["<",["said","max(In [8])",["max",{"of":"t6-2","at":[0,1,2]}]],1.0])~");
  EXPECT_EQ(check_of("y[1][0] < 1"), R"~(["<",["said","y[1][0]",{"of":"t7-2","at":[0]}],1.0])~");
  EXPECT_EQ(error_of(with("check", "check: x[0][0] < 1")),  // x[0] is a part of x
            "4: '[' is unexpected; the condition is complete before it");
}

TEST(Questions, ReadsWhatMayBeChangedAndTheAnswer) {
  const auto shown =
      "{{#list}}{{{may}}}; {{{allowed}}}; {{{answer}}}{{#changes}}; {{text}}{{/changes}}{{/list}}";
  EXPECT_EQ(
      read("questions on book\n\n# easy\nask: Why\n  not?\nchange: 3 of x[1],\n  seed of In [7], seed 3 of "
           "In [8]\ncheck: 1 < 2\n"
           "hint: So.\nanswer: x[1, 1] = -1e-3, seed 3 of In [8] = 8\n",
           shown),
      "at most 3 numbers of <a href=\"#t5-1\">x</a>[1], the seed of <a href=\"#cell-2\">In [7]</a>, the seed "
      "of <a href=\"#cell-4\">In [8]</a>; "
      R"~({"most":3,"parts":[{"of":"t5-1","at":[3,4,5]}],"seeds":[0,2]}; t5-1.4=-1e-3&seed.2=8; x[1, 1] = -1e-3; seed 3 of In [8] = 8)~");
  EXPECT_EQ(read("questions on book\r\nask: Why?\r\n  not?\r\nchange: x\r\ncheck: 1 < 2\r\nhint: "
                 "So.\r\nanswer: x[0, 0] = inf\r\n",
                 "{{#list}}{{{ask}}} {{{answer}}}{{/list}}"),
            "Why? not? t5-1.0=inf");
  EXPECT_EQ(read(with("answer", "answer: x[0, 0] = -1 / 3"), "{{#list}}{{{answer}}}{{/list}}"),
            "t5-1.0=-1/3");
}

TEST(Questions, SaysWhatIsWrongWithItsLines) {
  EXPECT_EQ(error_of(""), "1: the first line must be 'questions on book'");
  EXPECT_EQ(error_of("questions on other\n"), "1: the first line must be 'questions on book'");
  EXPECT_EQ(error_of("questions on book\nhint: So.\n"), "2: a question must begin with 'ask:'");
  EXPECT_EQ(error_of("questions on book\n\nask: Why?\nhint: So.\n"),
            "3: the question has no 'change'; it needs ask, change, check, hint and answer");
  EXPECT_EQ(error_of(with("hint", "help: So.")),
            "5: the line begins with 'help:'; it should begin with 'ask:', 'change:', 'check:', 'hint:' or "
            "'answer:', or with spaces if it continues the line before it");
  EXPECT_EQ(error_of(with("hint", "So it is.")).substr(0, 30), "5: the line begins with 'So'; ");
  EXPECT_EQ(error_of(with("answer", "Answer: x[0, 0] = 2")),
            "6: the line begins with 'Answer:'; it should begin with 'answer:'");
  EXPECT_EQ(error_of(with("hint", "hint : So.")),
            "5: the line begins with 'hint :'; it should begin with 'hint:'");
  EXPECT_EQ(error_of(with("hint", "hint: ")), "5: the text after 'hint:' is missing");
  EXPECT_EQ(error_of(with("hint", "check: 1 < 2")), "5: the question has 'check' already, in line 4");
}

TEST(Questions, SaysWhichTensorsThereAre) {
  EXPECT_EQ(error_of(with("change", "change: v")),
            "3: the page has no 'v'; it has x, w of In [7], z, w 1 of In [8], In [8], x[0], y[1] of In [9], "
            "y[1] of In [10] and others");
  EXPECT_EQ(error_of(with("change", "change: seed of In [4]")),
            "3: the page has no 'seed'; it has seed 3 of In [8], seed of In [7], seed of In [8]");
  EXPECT_EQ(error_of(with("change", "change: x,")), "3: a name of a tensor or a seed is missing at the end");
  EXPECT_EQ(error_of(with("change", "change: w")),
            "3: 'w' is the name of several tensors: w of In [7], w 1 of In [8]");
  EXPECT_EQ(error_of(with("change", "change: z")), "3: the page cannot compute z; name another tensor");
  EXPECT_EQ(error_of(with("change", "change: x[2]")),
            "3: the index '2' is out of range; this dimension has the indices 0 to 1");
  EXPECT_EQ(error_of(with("change", "change: In [8][0, 1]")),
            "3: In [8] has 1 dimension; it takes no more indices");
  EXPECT_EQ(error_of(with("change", "change: 0 of x")),
            "3: '0 of' allows no change; it should be at least 1");
  EXPECT_EQ(error_of(with("change", "change: x In [8]")),
            "3: 'In [8]' is unexpected; ',' separates the parts of 'change'");
}

TEST(Questions, SaysWhatIsWrongWithACondition) {
  EXPECT_EQ(error_of(with("check", "check: x[0] > 1")),
            "4: the left side of '>' is several numbers; take one by an index, or their argmax, max, min, "
            "mean or sum");
  EXPECT_EQ(error_of(with("check", "check: 1 + 2")),
            "4: the condition is a number; compare it, such as with '> 0.5'");
  EXPECT_EQ(error_of(with("check", "check: (1 < 2) + 3 < 4")),
            "4: the left side of '+' is true or false; it should be a number");
  EXPECT_EQ(error_of(with("check", "check: max(3) < 4")),
            "4: max takes a tensor or a part of one, such as inputs[4]");
  EXPECT_EQ(error_of(with("check", "check: 1 <")),
            "4: the condition ends too early; a number or an entry such as inputs[4, 0] should follow");
  EXPECT_EQ(error_of(with("check", "check: 1 < 2 3")),
            "4: '3' is unexpected; the condition is complete before it");
  EXPECT_EQ(error_of(with("check", "check: 1 < 2;")), "4: ';' means nothing here");
}

TEST(Questions, SaysWhatWouldBeRightInsteadOfAnotherLanguage) {
  const auto error = [](const std::string& condition) {
    return error_of(with("check", "check: " + condition));
  };
  EXPECT_EQ(error("argmax(x[0]) = 2"), "4: '=' is unexpected; write '==' to compare");
  EXPECT_EQ(error("x[0, 0] > 0,5"), "4: ',' is unexpected; a decimal point is a point, as in 0.5");
  EXPECT_EQ(error("0.5 < x[0, 0] < 0.9"), "4: '<' is unexpected; write 'a < b < c' as 'a < b and b < c'");
  EXPECT_EQ(error("norm(x[0]) > 1"),
            "4: there is no function 'norm'; there are abs, argmax, max, min, mean, sum");
  EXPECT_EQ(error("x[0].sum() > 1"),
            "4: '.sum()' means nothing here; write sum(…), with its argument in the brackets");
  EXPECT_EQ(error("x[0, 0] > 1 && x[0, 1] > 1"), "4: '&&' means nothing here; write 'and'");
  EXPECT_EQ(error("x[0, 0] > 1 || x[0, 1] > 1"), "4: '||' means nothing here; write 'or'");
  EXPECT_EQ(error("!(x[0, 0] > 1)"), "4: '!(x[0,' means nothing here; write 'not'");
  EXPECT_EQ(error("x[\"light\", 0] > 1"), "4: '\"light\",' means nothing here; an index is a number");
  EXPECT_EQ(error("x[light, 0] > 1"), "4: the index 'light' is not a number; an index is a number or ':'");
  EXPECT_EQ(
      error("x.shape > 1"),
      "4: the page has no 'x.shape'; it has x, w of In [7], z, w 1 of In [8], In [8], x[0], y[1] of In [9], "
      "y[1] of In [10] and others");
}

TEST(Questions, BoundsHowDeepAConditionIsNested) {
  const auto repeated = [](std::size_t times, const std::string& text) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
  };
  EXPECT_EQ(check_of(repeated(248, "(") + "1" + repeated(248, ")") + " < 2"), R"~(["<",1.0,2.0])~");
  for (const auto& deep : {repeated(100'000, "(") + "1 < 2", repeated(99'997, "not ") + "1 < 2",
                           repeated(99'997, "-") + "1 < 2", "1" + repeated(49'998, " + 1") + " < 2"}) {
    EXPECT_TRUE(error_of(with("check", "check: " + deep))
                    .ends_with(" words, numbers and signs; it may have up to 500"));
  }
}

TEST(Questions, SaysWhatIsWrongWithAnAnswer) {
  EXPECT_EQ(error_of(with("answer", "answer: x[0, 0]")), "6: '=' is missing at the end");
  EXPECT_EQ(error_of(with("answer", "answer: x[0, 0] = -y")), "6: '-y' is not a number");
  EXPECT_EQ(error_of(with("answer", "answer: x[0, 0] = 1/0")), "6: '1/0' divides by zero");
  EXPECT_EQ(error_of(with("answer", "answer: x[0] = 3")),
            "6: 'x[0]' is several numbers; an answer changes one at a time");
  EXPECT_EQ(error_of(with("answer", "answer: In [8][0] = 3")), "6: 'change' does not allow 'In [8][0]'");
  EXPECT_EQ(error_of(with("answer", "answer: seed of In [7] = 3")),
            "6: 'change' does not allow 'seed of In [7]'");
  EXPECT_EQ(error_of(with("answer", "answer: x[0, 0] = 3 x[0, 1] = 4")),
            "6: 'x' is unexpected; ',' separates changes");
  auto two = with("change", "change: 1 of x");
  two.insert(two.size() - 1, ", x[0, 1] = 2");
  EXPECT_EQ(error_of(two), "6: the answer has 2 changes; 'change' allows 1");
}

}  // namespace
}  // namespace torchbook::test
