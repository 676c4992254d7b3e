// Tests that the names of axes are read exactly, and that a port and its twin must name the same ones.
#include <gtest/gtest.h>
#include <torchbook/notebook/cells/axis.h>
#include <torchbook/notebook/cells/table.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::notebook {
namespace {

/// Returns what is wrong with a notebook whose only cell has these lines, or `nothing`.
std::string refusal_of(std::string_view port_line, std::string_view twin_line) {
  const std::string port =
      "void book(torchbook::Notebook& nb) {\n  nb.cell(\"1\");\n  " + std::string(port_line) + "\n}\n";
  try {
    const auto cells = parse_port(port, "book");
    table_of(cells, parse_twin("# %% [1]\n" + std::string(twin_line) + "\n"), "book.cpp");
    return "nothing";
  } catch (const TextError& error) {
    return error.in_file("book");
  }
}

TEST(Axis, ATextIsReadAsItIsWritten) {
  const std::vector<std::string_view> names = {"I", "can't", "see it"};
  EXPECT_EQ(axis_text(2, names), "2: I, can't, see it");
  EXPECT_EQ(axis_in("2: I, can't, see it"), (Axis{.dim = 2, .names = {"I", "can't", "see it"}}));
  for (const auto* text : {"", "0", "0:", "0: ", "-1: a", "0: a,", "0: a, ", "0: a,b", "x: a", "0: a,  b"})
    EXPECT_FALSE(axis_in(text)) << text;
}

TEST(Axis, ANameHasNoCommaNoSpaceAroundItAnd64BytesAtMost) {
  EXPECT_TRUE(is_axis_name("a b"));
  EXPECT_TRUE(is_axis_name(std::string(64, 'a')));
  for (const auto& text : {"", "a,b", " a", "a ", "a\tb"}) EXPECT_FALSE(is_axis_name(text)) << text;
  EXPECT_FALSE(is_axis_name(std::string(65, 'a')));
}

TEST(Axis, ACommentNamesAVariable) {
  const auto named = axis_of_comment("# axis x_1 0: a");
  ASSERT_TRUE(named);
  EXPECT_EQ(named->tensor, "x_1");
  EXPECT_EQ(named->axis, (Axis{.dim = 0, .names = {"a"}}));
  for (const auto* line : {"# axis", "# axis x", "# axis x[0] 0: a", "# axis  0: a", "axis x 0: a"})
    EXPECT_FALSE(axis_of_comment(line)) << line;
}

TEST(Axis, APortAndItsTwinMustNameTheSame) {
  const std::string_view port = R"(nb.axis(inputs, 0, {"Your", "jour" "ney"});)";
  EXPECT_EQ(refusal_of(port, "# axis inputs 0: Your, journey"), "nothing");
  EXPECT_EQ(refusal_of(port, "# axis inputs 0: Your, voyage"),
            "book:2: In [1] has '# axis inputs 0: Your, voyage', where the port has "
            "'# axis inputs 0: Your, journey' (book.cpp:3)");
  EXPECT_EQ(refusal_of(port, "# axis x 0: Your, journey").substr(0, 7), "book:2:");
  EXPECT_EQ(refusal_of(port, "# axis inputs 1: Your, journey").substr(0, 7), "book:2:");
  EXPECT_EQ(refusal_of(port, "inputs = 0"),
            "book:1: In [1] has no axis, where the port has '# axis inputs 0: Your, journey' (book.cpp:3)");
  EXPECT_EQ(refusal_of("f();", "# axis inputs 0: Your, journey"),
            "book:2: In [1] has '# axis inputs 0: Your, journey', where the port has no axis (book.cpp:2)");
  EXPECT_EQ(refusal_of("f();", "text = \"\"\"\n# axis inputs 0: Your, journey\n\"\"\""), "nothing");
  EXPECT_EQ(refusal_of("f();", "# axis 0: rows, and then columns"), "nothing");
}

TEST(Axis, OneThatASideLacksIsRefused) {
  const std::string x = "nb.axis(x, 0, {\"a\"});", y = "nb.axis(y, 0, {\"b\"});";
  const std::string twin_x = "# axis x 0: a", twin_y = "# axis y 0: b";
  EXPECT_EQ(refusal_of(x + "\n" + y, twin_x + "\n" + twin_y), "nothing");
  EXPECT_EQ(refusal_of(x + "\n" + y, twin_x),
            "book:1: In [1] has no axis, where the port has '# axis y 0: b' (book.cpp:4)");
  EXPECT_EQ(refusal_of(x, twin_x + "\n" + twin_y),
            "book:3: In [1] has '# axis y 0: b', where the port has no axis (book.cpp:2)");
}

TEST(Axis, AxesCanShareAListOfLiterals) {
  const std::string list = "const auto words = {\"a\", \"b\"};\n";
  EXPECT_EQ(
      refusal_of(list + "nb.axis(x, 0, words);\nnb.axis(x, 1, words);", "# axis x 0: a, b\n# axis x 1: a, b"),
      "nothing");
  EXPECT_EQ(refusal_of(list + "nb.axis(x, 0, words);", "# axis x 0: a, c"),
            "book:2: In [1] has '# axis x 0: a, c', where the port has '# axis x 0: a, b' (book.cpp:4)");
  for (const std::string& lines :
       {"nb.axis(x, 0, words);\n" + list, std::string("const auto words = {a};\nnb.axis(x, 0, words);"),
        "// " + list + "nb.axis(x, 0, words);", list + "nb.axis(x, 0, ord);"})
    EXPECT_NE(refusal_of(lines, "").find("the name of a list above it"), std::string::npos) << lines;
}

TEST(Axis, WordsOfIdsAreNamedAlikeToo) {
  const std::string_view port = R"(nb.words(ids, {"cat", "mat"});)";
  EXPECT_EQ(refusal_of(port, "# words ids: cat, mat"), "nothing");
  EXPECT_EQ(refusal_of(port, "# words ids: cat"),
            "book:2: In [1] has '# words ids: cat', where the port has '# words ids: cat, mat' (book.cpp:3)");
  EXPECT_EQ(refusal_of("f();", "# words of a poem, and ids"), "nothing");
  for (const auto* line :
       {R"(nb.words(ids[0], {"a"});)", R"(nb.words(ids, 0, {"a"});)", R"(nb.words(ids, {});)"})
    EXPECT_NE(refusal_of(line, "").find("nb.words needs a variable and words as literals"), std::string::npos)
        << line << refusal_of(line, "");
}

TEST(Axis, APortNamesItWithLiterals) {
  for (const auto* line :
       {R"(nb.axis(inputs[0], 0, {"a"});)", R"(nb.axis(9, 0, {"a"});)", R"(nb.axis(inputs, dim, {"a"});)",
        R"(nb.axis(inputs, 0, names);)", R"(nb.axis(inputs, 0, {a});)", R"(nb.axis(inputs, 0, {});)",
        R"(nb.axis(inputs, 0, {"a" + b});)", R"(nb.axis(inputs, 0);)"})
    EXPECT_NE(refusal_of(line, "").find("nb.axis needs a variable, a dimension and names as literals"),
              std::string::npos)
        << line << refusal_of(line, "");
  EXPECT_NE(refusal_of(R"(nb.axis(inputs, 0, {"a, b"});)", "").find("no comma"), std::string::npos);
  EXPECT_NE(refusal_of(R"(if (x) { nb.axis(inputs, 0, {"a"}); })", "").find("must stand alone on a line"),
            std::string::npos);
}

}  // namespace
}  // namespace torchbook::notebook
