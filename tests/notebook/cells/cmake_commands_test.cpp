// Tests the reader of CMake code against what CMake's manual says, cmake-language(7).
#include <gtest/gtest.h>
#include <torchbook/notebook/cells/cmake_commands.h>

namespace torchbook::notebook {
namespace {

using Arguments = std::vector<std::string>;

TEST(CMakeCommands, HaveTheirNamesAndArguments) {
  const std::string text =
      "\xEF\xBB\xBF# add(no)\n#[[\nadd(no)]]\nAdd_It (\n  one \"two \\\" 2\" [=[\nthree]]]=] # four\n "
      "(five))add()";
  const auto commands = cmake_commands(text);
  ASSERT_EQ(commands.size(), 2U);
  EXPECT_EQ(commands[0].name, "add_it");
  EXPECT_EQ(commands[0].arguments, (Arguments{"one", "two \\\" 2", "three]]", "five"}));
  EXPECT_EQ(text.substr(commands[0].begin, 6), "Add_It");
  EXPECT_EQ(text.substr(commands[0].end), ")add()");
  EXPECT_EQ(commands[1].arguments, Arguments{});
}

TEST(CMakeCommands, EndAtASyntaxError) {
  EXPECT_EQ(cmake_commands("one(1) two three(3)").size(), 1U);
  for (const auto* text : {"", "one", "one(", "one(\"1)", "one([[1)", "one(1 \\"})
    EXPECT_TRUE(cmake_commands(text).empty()) << text;
}

}  // namespace
}  // namespace torchbook::notebook
