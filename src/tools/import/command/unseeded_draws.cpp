#include <absl/strings/ascii.h>
#include <absl/strings/str_split.h>
#include <fmt/format.h>
#include <tools/import/command/unseeded_draws.h>
#include <tools/import/restored_seed.h>
#include <tools/import/text.h>
#include <torchbook/cli/shared/program.h>
#include <torchbook/notebook/cells/cpp_code.h>
#include <torchbook/notebook/lines.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

namespace torchbook::cli {
namespace {

using importing::contains, importing::stripped;

/// Returns the lines of a cell that are not indented, without comments.
std::vector<std::string_view> top_lines(const importing::DraftCell& cell) {
  std::vector<std::string_view> lines;
  for (const auto line : notebook::lines_of(cell.twin.text)) {
    const auto code = stripped(line.substr(0, line.find('#')));
    if (!code.empty() && code.front() == line.front()) lines.push_back(code);
  }
  return lines;
}

bool sets_seed(std::string_view line) { return contains(line, "manual_seed("); }

bool draws(std::string_view line) {
  constexpr std::array<std::string_view, 9> words = {
      "rand(", "randn(", "randint(", "randperm(", "bernoulli", "dropout(", "uniform_(", "normal_(", "_like("};
  return std::any_of(words.begin(), words.end(), [&](auto word) { return contains(line, word); });
}

/// Returns whether an expression looks like a call that `torchbook seed` can search for.
bool is_drawn(std::string_view expression) {
  return expression.starts_with("torch.rand") && expression.ends_with(')') && !contains(expression, ").") &&
         !contains(expression, "_like(");
}

/// Returns the names that a line assigns; none if it is another statement.
std::vector<std::string> assigned_names(std::string_view line) {
  const auto equals = std::min(line.find('='), line.size());
  if (equals == line.size() || line.substr(equals, 2) == "==") return {};
  std::vector<std::string> names = absl::StrSplit(std::string(line.substr(0, equals)), ',');
  for (auto& name : names) absl::StripAsciiWhitespace(&name);
  return std::all_of(names.begin(), names.end(), notebook::is_name) ? names : std::vector<std::string>();
}

/// Returns the expression that a line displays or prints.
std::string_view shown_expression(std::string_view line) {
  constexpr std::string_view print = "print(";
  return line.starts_with(print) && line.ends_with(')')
             ? stripped(line.substr(print.size(), line.size() - print.size() - 1))
             : line;
}

/// Returns whether a cell shows a tensor with enough digits for a search to find a single seed.
bool shows_many_digits(const golden::GoldenCell& cell) {
  constexpr auto enough = 15;  // enough to decide among 2^32 seeds at 609 offsets
  const auto text = cell.out + cell.result.value_or("");
  return contains(text, "tensor(") && std::count_if(text.begin(), text.end(), absl::ascii_isdigit) >= enough;
}

}  // namespace

std::set<std::size_t> cells_after_unseeded_draws(const importing::Draft& draft) {
  std::set<std::size_t> cells;
  for (std::size_t i = 0; i < draft.cells.size(); ++i) {
    for (const auto line : top_lines(draft.cells[i])) {
      if (sets_seed(line)) return cells;
      if (draws(line)) cells.insert(i);
    }
    if (!cells.empty()) cells.insert(i);
  }
  return cells;
}

std::string seed_hint(const importing::Draft& draft, const std::string& file) {
  std::map<std::string, std::size_t> drawn;  // by name: the cell that drew its tensor
  for (std::size_t i = 0; i < draft.cells.size(); ++i) {
    std::string_view shown;
    for (const auto line : top_lines(draft.cells[i])) {
      if (sets_seed(line)) return {};
      const auto names = assigned_names(line);
      for (const auto& name : names) drawn.erase(name);
      if (names.size() == 1 && is_drawn(stripped(line.substr(line.find('=') + 1)))) drawn[names[0]] = i;
      shown = shown_expression(line);
    }
    if (!shows_many_digits(draft.golden.cells[i])) continue;
    if (is_drawn(shown)) drawn[""] = i;
    const auto name_end = std::find_if_not(shown.begin(), shown.end(), importing::is_of_word);
    const auto cell = drawn.find(is_drawn(shown) ? "" : std::string(shown.begin(), name_end));
    if (cell == drawn.end() || draft.cells[cell->second].restored) continue;
    const auto name = importing::cell_name(draft, i);
    return fmt::format(
        "cell {} draws numbers without a seed, and cell {} shows them; torchbook seed --notebook {} --cell "
        "{} searches for the seed",
        importing::cell_name(draft, cell->second), name, shell_quoted(file), name);
  }
  return {};
}

}  // namespace torchbook::cli
