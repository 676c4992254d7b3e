// Tests every pair of options: together they are refused, or each of them changes what the other one gives.
#include <cli/carried_out.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <support/texts.h>
#include <torchbook/cli/exit.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace torchbook::test {
namespace {

using Words = std::vector<std::string>;
using Pair = std::pair<std::string, std::string>;

Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string name(const Words& option) { return fmt::format("{}", fmt::join(option, " ")); }

/// Returns all pairs of options that a command refuses.
std::set<Pair> refused_pairs(const Words& command, const std::vector<Words>& options) {
  std::set<Pair> refused;
  for (std::size_t i = 0; i < options.size(); ++i) {
    EXPECT_NO_THROW(parsed(joined(command, options[i]))) << name(options[i]);
    for (std::size_t j = i + 1; j < options.size(); ++j) {
      if (options[i].front() == options[j].front()) continue;
      try {
        parsed(joined(joined(command, options[i]), options[j]));
      } catch (const cli::UsageError& error) {
        refused.emplace(name(options[i]), name(options[j]));
        const std::string message = error.what();
        EXPECT_NE(message.find(options[i].front()), message.npos) << message;
        EXPECT_NE(message.find(options[j].front()), message.npos) << message;
        EXPECT_EQ(message, refusal(joined(joined(command, options[j]), options[i])));
      }
    }
  }
  return refused;
}

/// Returns pairs of one option with each of the others.
std::set<Pair> with(const std::string& one, const std::set<std::string>& others) {
  std::set<Pair> pairs;
  for (const auto& other : others) pairs.emplace(one, other);
  return pairs;
}

void add(std::set<Pair>& pairs, std::set<Pair> more) { pairs.merge(more); }

/// Makes the golden of a notebook in which cells 40 and 45 have another notation of a number.
std::string golden_in_other_notation() {
  auto text = golden_text("mathematical_trick");
  for (const auto& [from, to] : {Pair{"[0.5000, 0.5000, 0.0000]", "[5.0000e-01, 0.5000, 0.0000]"},
                                 Pair{"[4.6667, 5.3333]", "[4.66670, 5.3333]"}}) {
    const auto at = text.rfind(from);
    EXPECT_NE(at, text.npos) << from;
    text.replace(at, from.size(), to);
  }
  const auto path = std::filesystem::path(testing::TempDir()) / "torchbook-conflicts-golden.txt";
  std::ofstream(path) << text;
  return path.string();
}

/// Returns all that a user would see of a run. Times are always the same.
std::string everything(const Words& arguments) {
  const auto outcome = carried_out(arguments);
  std::string text = fmt::format("{}\n{}\n{}\n", outcome.code, outcome.report, outcome.junit);
  for (const auto& file : outcome.files) text += file.text;
  text = std::regex_replace(text, std::regex("[0-9.]+ m?s\\b"), "TIME");
  return std::regex_replace(text, std::regex("\"seconds\": [0-9.e-]+"), "TIME");
}

const std::vector<Words> run_options(const std::string& golden) {
  return {{"--list"},
          {"--check"},
          {"--cell", "26,45"},
          {"--golden", golden},
          {"--source", "python"},
          {"--heatmap"},
          {"--step"},
          {"--accept", "printed"},
          {"--junit", "j.xml"},
          {"--format", "json"},
          {"--format", "markdown"},
          {"--output", "r.txt"},
          {"--quiet"},
          {"--failed"},
          {"--color", "always"},
          {"--times"}};
}

std::set<Pair> refused_by_run(const std::string& golden) {
  std::set<Pair> all = with("--list", {"--check", "--cell 26,45", "--golden " + golden, "--source python",
                                       "--heatmap", "--step", "--accept printed", "--junit j.xml", "--quiet",
                                       "--failed", "--color always", "--times", "--format markdown"});
  add(all, with("--check",
                {"--source python", "--heatmap", "--step", "--format json", "--format markdown", "--quiet"}));
  add(all, {{"--source python", "--quiet"}});
  add(all, with("--heatmap", {"--format json", "--format markdown", "--quiet"}));
  add(all, with("--step", {"--format json", "--format markdown", "--output r.txt", "--quiet"}));
  add(all, with("--format json", {"--quiet", "--color always"}));
  add(all, with("--format markdown", {"--quiet", "--failed", "--color always", "--times"}));
  add(all, with("--quiet", {"--failed", "--times"}));
  return all;
}

TEST(Conflicts, OfRunAreThese) {
  EXPECT_EQ(refused_pairs({"run", "mathematical_trick"}, run_options("g.txt")), refused_by_run("g.txt"));
}

TEST(Conflicts, OfRunAreAllPairsThatChangeNothing) {
  const auto golden = golden_in_other_notation();
  const auto options = run_options(golden);
  const auto refused = refused_by_run(golden);
  // These need a terminal, or act when the report is written.
  const auto cannot_run_here = [](const Words& option) {
    return option[0] == "--step" || option[0] == "--output";
  };
  std::size_t pairs = 0;
  for (const auto& one : options) {
    for (const auto& other : options) {
      if (one.front() == other.front() || cannot_run_here(one) || cannot_run_here(other)) continue;
      if (refused.contains({name(one), name(other)}) || refused.contains({name(other), name(one)})) continue;
      Words run = {"run", "mathematical_trick"};
      const bool list = one[0] == "--list" || other[0] == "--list";
      if (!list && one[0] != "--golden" && other[0] != "--golden") run = joined(run, {"--golden", golden});
      EXPECT_NE(everything(joined(joined(run, one), other)), everything(joined(run, one)))
          << name(other) << " changes nothing beside " << name(one);
      ++pairs;
    }
  }
  EXPECT_GT(pairs, 80U);
}

TEST(Conflicts, OfCompareAreThese) {
  const std::vector<Words> options = {{"--cell", "26"},
                                      {"--python", "python3"},
                                      {"--timeout", "9"},
                                      {"--twins", "t"},
                                      {"--keep-going"},
                                      {"--no-keep-going"},
                                      {"--record", "r"},
                                      {"--reference", "built-in"},
                                      {"--trace"},
                                      {"--once"},
                                      {"--accept", "printed"},
                                      {"--junit", "j.xml"},
                                      {"--format", "json"},
                                      {"--output", "r.txt"},
                                      {"--quiet"},
                                      {"--failed"},
                                      {"--color", "always"}};
  std::set<Pair> refused = {{"--python python3", "--reference built-in"},
                            {"--twins t", "--reference built-in"},
                            {"--keep-going", "--reference built-in"},
                            {"--no-keep-going", "--reference built-in"},
                            {"--record r", "--reference built-in"},
                            {"--reference built-in", "--trace"},
                            {"--quiet", "--failed"}};
  add(refused, with("--format json", {"--quiet", "--color always"}));
  EXPECT_EQ(refused_pairs({"compare"}, options), refused);
}

TEST(Conflicts, NameBothOptionsAndTheReason) {
  EXPECT_EQ(refusal({"run", "--quiet", "--format", "json"}),
            "--quiet does nothing with --format json, which is for programs");
  EXPECT_EQ(refusal({"--heatmap"}),
            "--heatmap does nothing with the command check, which shows verdicts and no transcript");
  EXPECT_EQ(refusal({"site", "-o", "s", "--python", "p", "--no-python"}),
            "--python does nothing with --no-python, which runs no Python");
  EXPECT_EQ(refusal({"compare", "--reference", "built-in", "--once", "--timeout", "9"}),
            "--timeout does nothing with --reference and --once, which run no twin and try no settings");
  EXPECT_EQ(refusal({"run", "--golden", "-", "--step"}),
            "--golden - reads stdin, from which --step reads keys; give --golden a file");
}

TEST(Conflicts, OfTwoReportsForStdout) {
  const std::string message =
      "--junit - needs stdout for itself; send the other report to a file with --output FILE";
  EXPECT_EQ(refusal({"check", "--junit", "-"}), message);
  EXPECT_EQ(refusal({"check", "--junit", "-", "-o", "-"}), message);
  EXPECT_NO_THROW(parsed({"check", "--junit", "-", "-o", "r.txt"}));
}

}  // namespace
}  // namespace torchbook::test
