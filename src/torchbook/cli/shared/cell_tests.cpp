// Runs notebooks as tests of their cells.
#include <fmt/format.h>
#include <torchbook/cli/shared/cell_tests.h>
#include <torchbook/cli/shared/goldens.h>
#include <torchbook/cli/shared/program.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/installation.h>
#include <torchbook/golden/judge.h>
#include <torchbook/notebook/fingerprint.h>
#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/report/terminal/terminal.h>
#include <torchbook/report/verdict_words.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <ostream>

namespace torchbook {
namespace {

/// Returns the name of a cell's test. The position has at least two digits, so that names sort. GoogleTest
/// takes only letters, digits and underscores; torchbook_add_tests() makes the same names.
std::string test_name(std::string_view slug, std::size_t position, std::string_view label) {
  auto name = fmt::format("{}_{:02}_In_{}", slug, position, label);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

/// Runs a notebook and judges it, when it is first asked for.
const golden::JudgedTranscript& judged(std::size_t index) {
  static std::map<std::size_t, golden::JudgedTranscript> all;
  const auto found = all.find(index);
  if (found != all.end()) return found->second;
  const auto& notebook = notebook::linked_notebooks()[index];
  const auto chosen = cli::built_in_golden(notebook, notebook::fingerprint());
  return all.emplace(index, cli::judged_by(chosen, notebook, run(notebook))).first->second;
}

/// Returns the command that runs the notebook's executable, which the build puts beside this program.
std::string again(std::string_view slug) {
  return cli::shell_quoted((cli::this_program().parent_path() / slug).string()) + " --check";
}

/// Returns the run with the judgement of only one cell.
golden::JudgedTranscript only(golden::JudgedTranscript one, std::size_t position) {
  std::erase_if(one.judgements, [position](const auto& each) { return each.first != position; });
  return one;
}

CellResult result_of(const golden::JudgedTranscript& run, std::size_t position) {
  const auto& transcript = run.transcript;
  const auto cells = transcript.cells();
  const notebook::Cell& cell = *cells[position - 1];
  const auto* judgement = golden::judgement_of(run.judgements, cell);
  const auto title = fmt::format("{}, from {}\n", transcript.slug, transcript.document);
  if (judgement == nullptr) {
    return {.text = fmt::format("{}@{} In [{}] did not run: {}\n", title, position, cell.label,
                                transcript.error().value_or("its notebook ended before"))};
  }
  if (golden::is_expected(*judgement)) return {.passed = true, .text = report::relation(*judgement)};
  if (golden::passes(*judgement, golden::Accept::equal)) return {.passed = true};
  return {.text = title + report::difference_text(only(run, position), again(transcript.slug), {})};
}

}  // namespace

void PrintTo(const CellTest& test, std::ostream* stream) { *stream << test.name; }

std::vector<CellTest> cell_tests() {
  std::vector<CellTest> tests;
  const auto notebooks = notebook::linked_notebooks();
  for (std::size_t i = 0; i < notebooks.size(); ++i) {
    const auto labels = notebook::labels_of(notebooks[i].table);
    for (std::size_t at = 0; at < labels.size(); ++at)
      tests.push_back({i, at + 1, test_name(notebooks[i].slug, at + 1, labels[at])});
  }
  return tests;
}

CellResult run_cell_test(const CellTest& test) try {
  return result_of(judged(test.notebook), test.position);
} catch (const std::exception& error) {
  return {.text = fmt::format("{}: {}", notebook::linked_notebooks()[test.notebook].slug, error.what())};
}

}  // namespace torchbook
