// A cell's text is what stands in its file, cut by lines.
#include <gtest/gtest.h>
#include <torchbook/notebook/source.h>

#include <stdexcept>

namespace torchbook::notebook {
namespace {

constexpr std::string_view source = R"(void f(Notebook& nb) {
  nb.cell("1", [&] { return x; });
  nb.cell("2", [&] {
    for (int i = 0; i < 3; ++i) {
      x += i;  // (3)
    }

    call([&] {
      y();
    });
  });
  nb.restored(
      "a note so long that "
      "it wraps",
      [&] {
        torch::manual_seed(1);
        torch::randn({4});
      });
  nb.cell("4", [&] {
    x += 1;
)";

TEST(CallBody, OfOneLineIsWhatStandsBetweenTheBraces) { EXPECT_EQ(call_body(source, 2), "return x;"); }

TEST(CallBody, OfManyLinesLosesTheCommonIndentOnly) {
  EXPECT_EQ(call_body(source, 3),
            "for (int i = 0; i < 3; ++i) {\n"
            "  x += i;  // (3)\n"
            "}\n"
            "\n"
            "call([&] {\n"
            "  y();\n"
            "});");
}

TEST(CallBody, OfAWrappedCallStartsAtItsLambda) {
  EXPECT_EQ(call_body(source, 12), "torch::manual_seed(1);\ntorch::randn({4});");
}

TEST(CallBody, ThatDoesNotEndIsAnErrorThatNamesTheLine) {
  try {
    call_body(source, 19);
    FAIL() << "nothing thrown";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "source line 19: the call does not end");
  }
}

TEST(CallBody, OutsideTheFileIsAnError) {
  EXPECT_THROW(call_body(source, 0), std::logic_error);
  EXPECT_THROW(call_body(source, 1000), std::logic_error);
  EXPECT_THROW(call_body("", 1), std::logic_error);
}

TEST(CallBody, WithoutALambdaIsAnError) { EXPECT_THROW(call_body("int x;\n", 1), std::logic_error); }

}  // namespace
}  // namespace torchbook::notebook
