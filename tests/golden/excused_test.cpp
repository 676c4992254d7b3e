// Tests that an exception excuses the parts that it names, and nothing beside them.
#include <golden/judged_cell.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/message_of.h>
#include <support/recorded_tensor.h>
#include <torchbook/golden/exceptions.h>
#include <torchbook/golden/excused.h>
#include <torchbook/golden/golden.h>
#include <torchbook/golden/recording.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace torchbook::golden {
namespace {

/// Returns what a cell with an exception does: whether it passes, or nullopt if the exception excuses
/// nothing.
bool passes_with(const std::string& exception, const notebook::Transcript& run, Golden expected) {
  add_exceptions(expected,
                 parse_exceptions("exceptions of sample\n@1 " + exception + ": why", "sample.exceptions"));
  return is_expected(judged(run, expected));
}

bool passes_with(const std::string& exception, const std::string& out, const std::string& golden_out) {
  return passes_with(exception, ran(out, std::nullopt), golden(golden_out, std::nullopt));
}

TEST(Excused, PatternExcusesWhatItMatches) {
  EXPECT_TRUE(passes_with("varies /[0-9.]+ s/", "loss 0.5 after 1.23 s\n", "loss 0.5 after 0.99 s\n"));
  EXPECT_FALSE(passes_with("varies /[0-9.]+ s/", "loss 0.6 after 1.23 s\n", "loss 0.5 after 0.99 s\n"));
  EXPECT_FALSE(passes_with("varies /[0-9.]+ s/", "loss 0.5 after 1.23 s", "loss 0.5 after 0.99 s\n"));
  EXPECT_FALSE(passes_with("varies /[0-9.]+ s/", "loss 0.5 after 1.23 s\n\n", "loss 0.5 after 0.99 s\n"));
  EXPECT_TRUE(passes_with("differs /a:b|c/", "a:b c\n", "c a:b\n"));
  EXPECT_TRUE(passes_with("varies /[0-9]*/", "a11b1\n", "a2b22\n"));
  EXPECT_TRUE(passes_with("varies /^[0-9]+/", "1 2\n", "3 2\n"));
}

TEST(Excused, WordsAreCountedOverStdoutAndResult) {
  const auto expected = golden("a 1 b\n  c 2\n", "d 3");
  EXPECT_TRUE(passes_with("varies words 1.2 2.2 3.2", ran("a 7 b\n  c 8\n", "d 9"), expected));
  EXPECT_FALSE(passes_with("varies words 1.2 2.2", ran("a 7 b\n  c 8\n", "d 9"), expected));
  EXPECT_TRUE(passes_with("varies words 1.2", ran("a  7  b\n  c 2\n", "d 3"), expected));
  EXPECT_FALSE(passes_with("varies words 1.2", ran("a 7b\n  c 2\n", "d 3"), expected));
  EXPECT_FALSE(passes_with("varies words 1.2", ran("a 7 b\n c 2\n", "d 3"), expected));
  EXPECT_FALSE(passes_with("varies words 1.2 9.9", ran("a 7 b\n  c 2\n", std::nullopt), expected));
}

TEST(Excused, OnlyTheNumbersOfAWordAreExcused) {
  const auto with = [](const std::string& exception, const std::string& out) {
    return passes_with(exception, out, "loss=5,time=-0.1s\n");
  };
  EXPECT_TRUE(with("varies words 1.1", "loss=6,time=2e-05s\n"));
  EXPECT_FALSE(with("varies words 1.1", "Loss=6,time=0.2s\n"));
  EXPECT_FALSE(with("varies words 1.1", "loss=nan,time=0.2s\n"));
  EXPECT_FALSE(with("varies words 1.1", "loss=6,time=0.2]\n"));
  EXPECT_FALSE(with("varies words 1.1", ""));
  EXPECT_TRUE(with("varies words 1.1.2", "loss=5,time=0.2s\n"));
  EXPECT_FALSE(with("varies words 1.1.2", "loss=6,time=0.1s\n"));
  EXPECT_FALSE(with("varies words 1.1.3", "loss=5,time=-0.1s\n")) << "it excuses nothing";
  EXPECT_TRUE(passes_with("varies words 1.2", "at 0x7f>\n", "at 0xabcd>\n"));
  EXPECT_TRUE(passes_with("differs words 1.1", "C++20\n", "Python\n")) << "the golden's word has no number";
}

TEST(Excused, ALineThatIsExcusedAsAWholeMayBeMissing) {
  const auto expected = golden("a\n", "<A object at 0x7f>");
  const std::string address = "varies /<[^<>]* at 0x[0-9a-f]+>/";
  EXPECT_TRUE(passes_with(address, ran("a\n", std::nullopt), expected));
  EXPECT_FALSE(passes_with(address, ran("", std::nullopt), expected));
  EXPECT_FALSE(passes_with(address, ran("a\n", ""), expected));
  EXPECT_FALSE(passes_with(address, ran("a\n<B object at 0x7f>\n", std::nullopt), expected)) << "no result";
  EXPECT_FALSE(passes_with(address, ran("a\n", "<A object at 0x7f>\n<A object at 0x7f>"), expected));
  EXPECT_FALSE(passes_with("varies / at 0x[0-9a-f]+/", ran("a\n", std::nullopt), expected));
}

TEST(Excused, WhatExcusesNothingIsTold) {
  EXPECT_FALSE(passes_with("differs /[0-9]+/", "a 1\n", "a 1\n"));
  EXPECT_FALSE(passes_with("varies /z/", "a 1\n", "a 1\n"));
  EXPECT_TRUE(passes_with("varies /[0-9]+/", "a 1\n", "a 1\n"));
  EXPECT_TRUE(passes_with("tolerance rtol=1e-5", "a 1.5\n", "a 1.5\n"));
}

TEST(Excused, ToleranceIsOfNumbers) {
  EXPECT_TRUE(passes_with("tolerance rtol=1e-3", "loss 1.0005 of 7\n", "loss 1.0000 of 7\n"));
  EXPECT_FALSE(passes_with("tolerance rtol=1e-3", "loss 1.0021 of 7\n", "loss 1.0000 of 7\n"));
  EXPECT_FALSE(passes_with("tolerance rtol=1e-3", "Loss 1.0005 of 7\n", "loss 1.0000 of 7\n"));
  EXPECT_FALSE(passes_with("tolerance rtol=1", "loss 1.0 of 8\n", "loss 1.0 of 7\n")) << "an int is exact";
  EXPECT_FALSE(passes_with("tolerance rtol=1", "loss nan\n", "loss 1.0\n"));
  EXPECT_FALSE(passes_with("tolerance rtol=1e-9", "0.6\n", "0.5000\n")) << "only its last place is rounded";
  EXPECT_FALSE(passes_with("tolerance rtol=1e-9", "lr 2e-05\n", "lr 1e-05\n"));
  EXPECT_TRUE(passes_with("tolerance rtol=1e-9", "0.5001\n", "0.5000\n"));
  EXPECT_TRUE(passes_with("tolerance atol=0.01", "tensor([0.10, 0.20])\n", "tensor([0.11, 0.20])\n"));
}

TEST(Excused, ToleranceIsOfBitsToo) {
  const std::string text = "tensor([1.0000, 2.0000])";
  const auto with = [&](const std::string& exception, float second) {
    return passes_with(exception, ran("", text, {test::tensor({2}, {1, second})}),
                       golden("", text, Tensors{test::tensor({2}, {1, 2})}));
  };
  EXPECT_TRUE(with("tolerance rtol=1e-6", 2.000001F));
  EXPECT_FALSE(with("tolerance rtol=1e-7", 2.000001F));
  EXPECT_TRUE(with("tolerance ulps=4", 2.000001F));
  EXPECT_FALSE(with("tolerance ulps=1", 2.000001F));
  EXPECT_FALSE(with("tolerance rtol=1", std::numeric_limits<float>::infinity()));
  EXPECT_FALSE(with("tolerance rtol=1", std::numeric_limits<float>::quiet_NaN()));
  EXPECT_FALSE(with("varies /x/", 2.000001F));
  const auto two = golden("a 1.5\n", std::nullopt, Tensors{test::tensor({}, {1.5F}), test::tensor({}, {1})});
  EXPECT_FALSE(
      passes_with("tolerance rtol=1", ran("a 1.6\n", std::nullopt, {test::tensor({}, {1.5F})}), two));
}

TEST(Excused, AWordOfATensorExcusesTheBitsOfThatElement) {
  const auto with = [&](const std::string& exception, const std::string& text, std::vector<float> here) {
    return passes_with(exception, ran("", text, {test::tensor({2}, std::move(here))}),
                       golden("", "tensor([1.0000, 2.0000])", Tensors{test::tensor({2}, {1, 2})}));
  };
  EXPECT_TRUE(with("varies words 1.2", "tensor([1.0000, 3.0000])", {1, 3}));
  EXPECT_FALSE(with("varies words 1.2", "tensor([1.0000, 3.0000])", {1.000001F, 3}));
  EXPECT_FALSE(with("varies words 1.1", "tensor([3.0000, 2.0000])", {3, 2.000001F}));
  EXPECT_TRUE(with("varies /[0-9.]+/", "tensor([3.0000, 4.0000])", {3, 4}));
}

TEST(Excused, AWordOfASummaryExcusesNoHiddenElement) {
  std::vector<float> python(2000, 1), here = python;
  here[0] = 3;
  const std::string begin = "tensor([", end = "0000, 1.0000, 1.0000,  ..., 1.0000, 1.0000, 1.0000])";
  const auto passes = [&] {
    return passes_with("varies words 1.1", ran("", begin + "3." + end, {test::tensor({2000}, here)}),
                       golden("", begin + "1." + end, Tensors{test::tensor({2000}, python)}));
  };
  EXPECT_TRUE(passes());
  here[1000] = 7;
  EXPECT_FALSE(passes());
}

TEST(Excused, ToleranceIsOfNoSpaces) {
  EXPECT_FALSE(passes_with("tolerance rtol=1e-3", "loss  1.0\n", "loss 1.0\n"));
  EXPECT_FALSE(passes_with("tolerance rtol=1e-3", "loss 1.0\n\n", "loss 1.0\n"));
  EXPECT_FALSE(passes_with("tolerance atol=1", "a, 9.8\n", "a,9.9\n"));
  EXPECT_TRUE(passes_with("tolerance atol=1", "[ 9.9,  8.0]\n", "[10.0, 8.0]\n"));
}

TEST(Excused, MalformedPartsAreErrors) {
  const auto error = [](const std::string& line) {
    return test::message_of<GoldenError>(
        [&] { parse_exceptions("exceptions of a\n@1 " + line, "a.exceptions"); });
  };
  for (const auto* const line : {"varies /a", "varies /a{2}/: b", "varies /(a)\\1/: b", "varies /(/: b",
                                 "varies //: b", "varies /(((((a+)+)+)+)+)+/: b", "varies /a+?+?+?+?+?+/: b"})
    EXPECT_NE(error(line).find("pattern"), std::string::npos) << error(line);
  for (const auto* const line : {"varies words 1: b", "varies words 0.1: b", "varies words 1.1.0: b",
                                 "varies words 1.1.1.1: b", "varies words: b"})
    EXPECT_NE(error(line).find("LINE.WORD"), std::string::npos);
  EXPECT_NE(error("varies words 1.2 1.1 1.2: b").find("1.2 is named twice"), std::string::npos);
  EXPECT_NE(error("tolerance: b").find("rtol=1e-5"), std::string::npos);
  EXPECT_NE(error("tolerance rtol=-1: b").find("rtol=1e-5"), std::string::npos);
  EXPECT_NE(error("tolerance ulps=nan: b").find("rtol=1e-5"), std::string::npos);
  EXPECT_NE(error("printed /a/: b").find("whole cell"), std::string::npos);
  EXPECT_NE(error("varies /a/").find("reason is missing"), std::string::npos);
}

TEST(Excused, LinesOfSeveralNotebooksNameThem) {
  const auto all =
      parse_exceptions_of_several("# why\n\none @1 varies /a/: b\ntwo @3 picture\none @2 picture\n", "f");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].slug, "one");
  EXPECT_EQ(all[0].cells.size(), 2U);
  EXPECT_EQ(all[0].cells[0].place, "f:3");
  EXPECT_FALSE(all[1].cells[0].is_built_in);
  EXPECT_EQ(parse_exceptions_of_several("exceptions of one\n@1 picture\n", "f").at(0).slug, "one");
  EXPECT_ANY_THROW(parse_exceptions_of_several("@1 picture\n", "f"));
}

TEST(Excused, WordsThatDifferAreFound) {
  const auto differ = [](const std::string& one, const std::string& other) {
    return words_that_differ(golden(one, "x 1").cells[0], golden(other, "x 2").cells[0]);
  };
  EXPECT_EQ(differ("a 1 b\nc\n", "a 2 b\nd\n"), "words 1.2 2.1 3.2");
  EXPECT_EQ(differ("a=1,b=2 c\n", "a=1,b=3 c\n"), "words 1.1.2 2.2");
  EXPECT_EQ(differ("a  1 b\n", "a 12 b\n"), "words 1.2 2.2");
  EXPECT_EQ(differ("a1\n", "b1\n"), std::nullopt);
  EXPECT_EQ(differ("a 1 b\n", "a  1 b\n"), std::nullopt);
  EXPECT_EQ(differ("a 1 b\n", "a 1\n"), std::nullopt);
  EXPECT_EQ(differ("a\n", "a\nb\n"), std::nullopt);
  const auto many = [](std::size_t count, const std::string& word) {
    std::string text = "begin ";
    for (std::size_t i = 0; i < count; ++i) text += word;
    return text + '\n';
  };
  EXPECT_TRUE(differ(many(most_words - 1, "1 "), many(most_words - 1, "2 ")));
  EXPECT_EQ(differ(many(most_words, "1 "), many(most_words, "2 ")), std::nullopt);
}

/// Returns the outputs of all goldens in a folder.
std::vector<GoldenCell> outputs_in(const std::string& folder) {
  std::vector<GoldenCell> outputs;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".golden") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (auto& cell : parse_golden(text).cells) {
      if (cell.has_output()) outputs.push_back(std::move(cell));
    }
  }
  return outputs;
}

/// Returns a text with another character at a place.
std::string changed_at(std::string text, std::size_t place) {
  text[place] = text[place] == '7' ? '8' : '7';
  return text;
}

// In each output one word is excused. A change of its first digit is excused, or of its first character if it
// has none, and one of each character beside it is found.
TEST(Excused, SweepFindsEachCharacterBesideTheExcusedWord) {
  auto outputs = outputs_in(test::source_folder() + "/notebooks_ported");
  for (auto& more : outputs_in(test::source_folder() + "/suites/regression"))
    outputs.push_back(std::move(more));
  EXPECT_GT(outputs.size(), 300U);
  std::size_t tried = 0, missed = 0;
  for (const auto& cell : outputs) {
    const auto text = cell.out.empty() ? *cell.result : cell.out;
    const auto with = [&](const std::string& other) {
      return passes_with("varies words 1.1", ran(other, std::nullopt), golden(text, std::nullopt));
    };
    const auto begin = std::min(text.find_first_not_of(' '), text.find('\n'));
    if (begin >= text.size() || text[begin] == '\n') continue;  // its first line is empty
    const auto end = std::min(text.find_first_of(" \n", begin), text.size());
    const auto digit = text.find_first_of("0123456789", begin);
    EXPECT_TRUE(with(changed_at(text, digit < end ? digit : begin))) << text;
    for (std::size_t i = 0; i < text.size(); i += 1 + text.size() / 50) {
      if (i >= begin && i < end) continue;
      ++tried;
      const bool is_missed = with(changed_at(text, i));
      EXPECT_FALSE(is_missed) << i << " of " << text;
      missed += is_missed ? 1 : 0;
    }
  }
  EXPECT_GT(tried, 5000U);
  EXPECT_EQ(missed, 0U);
}

// In each output with a fraction, numbers have a tolerance. Another first digit of one is found, and so is
// each other character.
TEST(Excused, SweepFindsWhatIsNoNumberOrTooFarOff) {
  static const std::regex fraction("[0-9]+[.][0-9]*(e[+-][0-9]+)?");
  auto outputs = outputs_in(test::source_folder() + "/notebooks_ported");
  for (auto& more : outputs_in(test::source_folder() + "/suites/regression"))
    outputs.push_back(std::move(more));
  std::size_t cells = 0, tried = 0;
  for (const auto& cell : outputs) {
    const auto text = cell.out.empty() ? *cell.result : cell.out;
    std::vector<bool> is_free(text.size());  // a later digit of a fraction
    for (std::sregex_iterator one(text.begin(), text.end(), fraction), end; one != end; ++one) {
      const auto begin = static_cast<std::size_t>(one->position());
      const auto first = std::min(text.find_first_not_of("0.", begin), begin + one->length());
      for (auto i = begin; i < begin + one->length(); ++i) is_free[i] = i != first || text[i] == '0';
      if (begin + one->length() < text.size())
        is_free[begin + one->length()] = true;  // a digit there is one more
    }
    if (std::ranges::count(is_free, true) == 0) continue;
    ++cells;
    const auto with = [&](const std::string& other) {
      return passes_with("tolerance rtol=1e-3", ran(other, std::nullopt), golden(text, std::nullopt));
    };
    EXPECT_TRUE(with(text));
    for (std::size_t i = 0; i < text.size(); i += 1 + text.size() / 50) {
      if (is_free[i]) continue;
      ++tried;
      EXPECT_FALSE(with(changed_at(text, i))) << i << " of " << text;
    }
  }
  EXPECT_GT(cells, 100U);
  EXPECT_GT(tried, 3000U);
}

// In each recorded output, its first word is excused. One bit of each tensor that it does not show is found.
TEST(Excused, SweepFindsEachElementThatNoExcusedWordShows) {
  std::size_t tried = 0;
  for (const auto* folder : {"/notebooks_ported", "/suites/regression"}) {
    for (const auto& entry : std::filesystem::directory_iterator(test::source_folder() + folder)) {
      if (entry.path().extension() != ".json" || entry.path().stem().has_extension()) continue;
      std::ifstream file(entry.path());
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      for (const auto& cell : parse_recording(text).golden.cells) {
        if (!cell.has_output() || !cell.tensors) continue;
        for (std::size_t i = 0; i < cell.tensors->size(); ++i) {
          auto tensors = *cell.tensors;
          if (tensors[i].bytes.empty()) continue;
          tensors[i].bytes.back() ^= 1;
          const bool passes = passes_with("varies words 9.9", ran(cell.out, cell.result, tensors),
                                          golden(cell.out, cell.result, *cell.tensors));
          EXPECT_FALSE(passes) << entry.path() << ' ' << cell.out << cell.result.value_or("");
          ++tried;
        }
      }
    }
  }
  EXPECT_GT(tried, 300U);
}

}  // namespace
}  // namespace torchbook::golden
