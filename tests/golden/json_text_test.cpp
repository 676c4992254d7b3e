// Tests that JSON of others is read within bounds.
#include <gtest/gtest.h>
#include <support/message_of.h>
#include <torchbook/golden/golden.h>
#include <torchbook/golden/json_text.h>

#include <string>

namespace torchbook::golden {
namespace {

std::string parse_error(const std::string& text) {
  return test::message_of<GoldenError>([&] { parse_json(text); });
}

std::string nested(std::size_t depth, const std::string& open, const std::string& close) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += open;
  text += "1";
  for (std::size_t i = 0; i < depth; ++i) text += close;
  return text;
}

TEST(JsonText, IsReadInItsOrder) {
  EXPECT_EQ(parse_json(R"({"b": [1, "x\n"], "a": null})").dump(), R"({"b":[1,"x\n"],"a":null})");
  EXPECT_EQ(parse_json(" true\n").dump(), "true");
}

TEST(JsonText, IsNestedNoDeeperThanItsBound) {
  EXPECT_EQ(parse_error(nested(16, "[", "]")), "nothing");
  EXPECT_EQ(parse_error(nested(16, "{\"a\":", "}")), "nothing");
  EXPECT_EQ(parse_error(nested(17, "[", "]")), "1: column 17: it is nested deeper than 16 brackets");
  EXPECT_EQ(parse_error(nested(100000, "[", "]")), "1: column 17: it is nested deeper than 16 brackets");
  EXPECT_EQ(parse_error(nested(100000, "\n[", "")), "18: column 1: it is nested deeper than 16 brackets");
  EXPECT_EQ(parse_error(nested(100000, "{\"a\":", "}")),
            "1: column 81: it is nested deeper than 16 brackets");
}

TEST(JsonText, HasEachNameOnceInAnObject) {
  EXPECT_EQ(parse_error(R"([{"a": 1}, {"a": {"a": 2}}])"), "nothing");
  EXPECT_EQ(parse_error("{\"a\": 1,\n \"b\": 2, \"a\": 1}"),
            "2: column 12: a name stands twice in one object");
  EXPECT_EQ(parse_error(R"({"a": 1, "\u0061": 1})"), "1: column 17: a name stands twice in one object");
}

TEST(JsonText, HasObjectsOfSoManyNames) {
  const auto with_names = [](int count) {
    std::string text = "{";
    for (int i = 0; i < count; ++i) text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
    return text + "}";
  };
  EXPECT_EQ(parse_error(with_names(1000)), "nothing");
  const auto error = parse_error(with_names(1001));
  EXPECT_TRUE(error.ends_with(": an object has more than 1000 names")) << error;
}

TEST(JsonText, WithNumbersThatNothingHoldsIsRefused) {
  EXPECT_EQ(parse_error("[1e308]"), "nothing");
  EXPECT_EQ(parse_error("[1e999]"), "1: column 7: the number is too large");
  EXPECT_EQ(parse_error("[NaN]"), "1: column 2: NaN is no number of JSON; null would be one");
}

}  // namespace
}  // namespace torchbook::golden
