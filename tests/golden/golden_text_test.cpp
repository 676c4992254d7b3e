// Tests that writing a parsed golden reproduces it.
#include <gtest/gtest.h>
#include <support/goldens.h>
#include <support/texts.h>
#include <torchbook/golden/golden_text.h>

#include <optional>
#include <string>
#include <utility>

namespace torchbook::golden {
namespace {

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
