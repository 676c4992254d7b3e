// Splits a twin at its headings. A line inside a string is no heading.
#include <torchbook/notebook/cells/label.h>
#include <torchbook/notebook/cells/python_lines.h>
#include <torchbook/notebook/cells/twin.h>
#include <torchbook/notebook/lines.h>

#include <algorithm>

namespace torchbook::notebook {
namespace {

constexpr std::string_view mark = "# %%";
constexpr std::size_t longest_quoted = 100;  // bytes of a line that an error repeats

/// What a heading begins.
struct Heading {
  enum class Kind { cell, restored, markdown };
  Kind kind = Kind::cell;
  std::string_view label{};
};

Heading heading_of(std::string_view line, std::size_t number) {
  auto rest = line.substr(mark.size());
  const auto close = rest.find(']');
  if (!rest.starts_with(" [") || close == rest.npos || close == 2) {
    throw TextError(number,
                    line.size() > longest_quoted
                        ? "a cell of a twin begins with '# %% [label]'"
                        : "a cell of a twin begins with '# %% [label]'; this is '" + std::string(line) + "'");
  }
  const auto label = rest.substr(2, close - 2);
  if (!is_label(label)) throw TextError(number, std::string(label_rule));
  if (label == "restored") return {.kind = Heading::Kind::restored};
  if (label == "markdown") return {.kind = Heading::Kind::markdown};
  if (rest.find_first_not_of(" \t", close + 1) != rest.npos) {
    throw TextError(number, "nothing may follow the label of '# %% [" + std::string(label) + "]'");
  }
  return {.kind = Heading::Kind::cell, .label = label};
}

bool is_code(std::string_view line) {
  const auto first = line.find_first_not_of(" \t");
  return first != line.npos && line[first] != '#';
}

}  // namespace

std::vector<TwinCell> parse_twin(std::string_view text) {
  const std::string normal = with_newlines(text);
  std::string_view rest = normal;
  std::vector<TwinCell> cells;
  PythonLines lines;
  bool in_cell = false, above_all = true;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (!lines.in_string() && line.starts_with("#%%")) {
      throw TextError(number, "a cell of a twin begins with '# %% [label]', with a space behind the '#'");
    }
    if (!lines.in_string() && line.starts_with(mark)) {
      const auto heading = heading_of(line, number);
      in_cell = heading.kind != Heading::Kind::markdown;
      above_all = false;
      if (in_cell) {
        cells.push_back({.restored = heading.kind == Heading::Kind::restored,
                         .label = std::string(heading.label),
                         .source = {},
                         .line = number + 1});
      }
      continue;
    }
    if (!in_cell && is_code(line)) {
      throw TextError(number, above_all
                                  ? "code stands above the first '# %% [label]'; it must stand in a cell"
                                  : "code stands in a markdown cell; its lines must begin with '#'");
    }
    if (in_cell && !lines.in_string()) {
      if (auto axis = axis_of_comment(line)) {
        axis->line = number;
        cells.back().axes.push_back(std::move(*axis));
      }
    }
    lines.follow(line);
    if (in_cell) cells.back().source.append(line).push_back('\n');
  }
  for (auto& cell : cells) cell.source = without_blank_end(std::move(cell.source));
  return cells;
}

}  // namespace torchbook::notebook
