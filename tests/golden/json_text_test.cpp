// Tests that JSON is read with errors in one line, and JSON of strangers within bounds.
#include <gtest/gtest.h>
#include <support/message_of.h>
#include <torchbook/golden/golden.h>
#include <torchbook/golden/json_text.h>

#include <string>
#include <string_view>

namespace torchbook::golden {
namespace {

std::string parse_error(const std::string& text) {
  return test::message_of<GoldenError>([&] { parse_json(text); });
}

TEST(JsonText, IsReadInItsOrder) {
  EXPECT_EQ(parse_json(R"({"b": [1, "x\n"], "a": null})").dump(), R"({"b":[1,"x\n"],"a":null})");
  EXPECT_EQ(parse_json(" true\n").dump(), "true");
}

TEST(JsonText, ThatIsNoneIsRefusedWithLineAndColumn) {
  const std::string unexpected = "syntax error while parsing ";
  EXPECT_EQ(parse_error("[1e999]"), "the JSON has a number that is too large");
  EXPECT_EQ(parse_error("[NaN]"), "1: column 2: " + unexpected + "value - invalid literal");
  EXPECT_EQ(parse_error("{\n\"a\": [1"),
            "2: column 8: " + unexpected + "array - unexpected end of input; expected ']'");
  EXPECT_EQ(parse_error("[\n\"" + std::string(100000, 'x') + "\xff\"]"),
            "2: column 100002: " + unexpected + "value - invalid string: ill-formed UTF-8 byte");
}

TEST(JsonText, ThatPeopleReadHasShortListsAndObjectsOnOneLine) {
  const auto text = [](const std::string& json) { return readable_text(parse_json(json)); };
  EXPECT_EQ(text("{}"), "{}\n");
  EXPECT_EQ(text(R"({"a":[1,2],"b\n":{"c":[]}})"), "{\"a\": [1, 2], \"b\\n\": {\"c\": []}}\n");
  const std::string fits(96, 'x'), longer(97, 'x');
  EXPECT_EQ(text("[\"" + fits + "\"]"), "[\"" + fits + "\"]\n");
  EXPECT_EQ(text("[[], [\"" + longer + "\"], {\"a\": 1}]"),
            "[\n [],\n [\n  \"" + longer + "\"\n ],\n {\"a\": 1}\n]\n");
  EXPECT_EQ(text("[[\"" + fits + "\"]]"), "[\n [\"" + fits + "\"]\n]\n");
  EXPECT_EQ(text("[\"\\n\", \"" + longer.substr(6) + "\"]"),
            "[\n \"\\n\",\n \"" + longer.substr(6) + "\"\n]\n");
}

TEST(JsonText, OfStrangersIsBounded) {
  const auto error = [](std::string_view text) {
    return test::message_of<GoldenError>([&] { parse_json(text, {.depth = 2, .values = 9}); });
  };
  EXPECT_EQ(error(R"([{"a": "[[[[\"[[[["}, [1], 2, []])"), "nothing");
  EXPECT_EQ(error("[[\n[1]]]"), "2: it is nested deeper than 2 brackets");
  EXPECT_EQ(error(R"({"a":{"b":[]}})"), "1: it is nested deeper than 2 brackets");
  EXPECT_EQ(error(std::string(100000, '[')), "1: it is nested deeper than 2 brackets");
  EXPECT_EQ(
      error("]"),
      "1: column 1: syntax error while parsing value - unexpected ']'; expected '[', '{', or a literal");
  EXPECT_EQ(error(std::string_view("[1,2,3,4,5,6,7,8],").substr(0, 17)), "nothing");
  EXPECT_EQ(error("[[1,2,3,4,5,6,7,8]]"), "1: it has more than 9 values");
  EXPECT_EQ(error(R"({"a":1,"b":2,"c":3,"d":4,"e":5})"), "1: it has more than 9 values");
}

TEST(JsonText, HasFieldsOfTheirTypes) {
  const Json json = parse_json(R"({"text": "a", "number": 3, "none": null})");
  EXPECT_EQ(field<std::string>(json, "text"), "a");
  EXPECT_EQ(field_or(json, "number", 0), 3);
  EXPECT_EQ(field_or(json, "other", 7), 7);
  EXPECT_EQ(text_if_any(json, "text"), "a");
  EXPECT_EQ(text_if_any(json, "none"), std::nullopt);
  EXPECT_EQ(text_if_any(json, "other"), std::nullopt);
  const auto error = [](const Json& from, const char* name) {
    return test::message_of<GoldenError>([&] { field<std::string>(from, name); });
  };
  EXPECT_EQ(error(json, "number"), "\"number\" has the wrong type: number");
  EXPECT_EQ(error(json, "other"), "the field \"other\" is missing");
  EXPECT_EQ(error(Json::array(), "text"), "an object with \"text\" is expected, not array");
}

}  // namespace
}  // namespace torchbook::golden
