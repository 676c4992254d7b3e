// Tests that any answer of a Python is either read or rejected with a one-line message.
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/message_of.h>
#include <support/mutator.h>
#include <support/texts.h>
#include <torchbook/cli/shared/twins.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/golden/golden.h>
#include <torchbook/golden/recording.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace torchbook::cli {
namespace {

constexpr std::string_view ready = "{\"ready\": true}\n";

/// Returns the line that run_twins.py writes for a notebook.
std::string line_of(const std::string& slug) {
  const std::string file = test::source_folder() + "/notebooks_ported/" + slug + ".json";
  return nlohmann::ordered_json{{slug, nlohmann::ordered_json::parse(test::read_file(file))}}.dump() + '\n';
}

std::string whole_answer() {
  return std::string(ready) + line_of("attention_as_alignment") + line_of("self_attention_in_three_steps");
}

std::string refusal(std::string_view answer) {
  return test::message_of<UsageError>([&] { answers_in(answer, "python"); });
}

TEST(Answer, HasARecordingInEachWholeLine) {
  const auto recordings = answers_in(whole_answer() + "{\"third", "python").recordings;
  ASSERT_EQ(recordings.size(), 2U);
  for (const auto& [slug, text] : recordings) {
    EXPECT_EQ(text, test::read_file(test::source_folder() + "/notebooks_ported/" + slug + ".json"));
  }
  EXPECT_TRUE(answers_in("", "python").recordings.empty());
  EXPECT_TRUE(answers_in(ready, "python").recordings.empty());
}

TEST(Answer, ThatIsNoneIsRefusedWithItsLine) {
  const std::string refused = "the answer of python is not a recording: line 2: ";
  EXPECT_EQ(refusal(std::string(ready) + "{}\n"), refused + "it must hold one recording");
  EXPECT_EQ(refusal(std::string(ready) + "{\"a\": {}, \"b\": {}}\n"), refused + "it must hold one recording");
  EXPECT_EQ(refusal(std::string(ready) + "{\"ready\": false}\n"), refused + "it must hold one recording");
  // Releases of the JSON library say it in other words.
  const auto words = test::message_of<nlohmann::json::exception>(
      [] { const auto none = nlohmann::json::parse(std::string()); });
  EXPECT_EQ(refusal(std::string(ready) + "\n"), refused + words.substr(words.find("column 1: ")));
}

TEST(Answer, IsQuotedInOneShortLine) {
  const std::string long_text(100'000, 'x');
  const std::string failure = "{\"failure\": \"\\u001b[31m\\n" + long_text + "\"}\n";
  EXPECT_LT(refusal(failure).size(), 500U);
  EXPECT_EQ(refusal(failure).find_first_of("\n\x1b"), std::string::npos);
  EXPECT_LT(refusal("{\"" + long_text + "\": 5}\n").size(), 200U);
}

TEST(Answer, WithRandomChangesIsReadOrRefused) {
  const std::string answer = whole_answer();
  int taken = 0, refused = 0;
  for (int seed = 0; seed < test::mutants(); ++seed) {
    const std::string changed = test::Mutator(static_cast<unsigned>(seed)).changed(answer);
    try {
      const auto answers = answers_in(changed, "python");
      for (const auto& [slug, text] : answers.recordings) golden::parse_recording(text);
      ++taken;
    } catch (const UsageError& error) {
      ++refused;
      EXPECT_LE(std::string_view(error.what()).size(), 600U) << error.what();
    } catch (const golden::GoldenError& error) {
      EXPECT_LE(std::string_view(error.what()).size(), 400U) << error.what();
    }
  }
  EXPECT_GT(taken, 0);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace torchbook::cli
