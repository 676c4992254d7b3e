// Lays a run out as text.
#include <fmt/format.h>
#include <torchbook/report/terminal.h>
#include <torchbook/report/terminal_text.h>

#include <algorithm>
#include <utility>

namespace torchbook {
namespace {

constexpr std::size_t columns = 80;
constexpr std::string_view green = "32";
constexpr std::string_view red = "31";
constexpr std::string_view faint = "2";

std::string coloured(std::string_view text, std::string_view code, const TerminalStyle& style) {
  return torchbook::coloured(text, code, style.colour);
}

std::string sources(std::string_view cpp, std::string_view python, const TerminalStyle& style) {
  return source_text(cpp, python,
                     {.shown = style.source, .colour = style.colour, .width = style.side_by_side});
}

/// A paragraph as lines that start with `# `.
std::string comment(std::string_view paragraph, const TerminalStyle& style) {
  std::string text;
  while (!paragraph.empty()) {
    auto end = paragraph.size();
    if (end > columns - 2) {
      const auto space = paragraph.rfind(' ', columns - 2);
      end = std::min(space == paragraph.npos ? paragraph.find(' ') : space, paragraph.size());
    }
    text += coloured(fmt::format("# {}", paragraph.substr(0, end)), faint, style) + '\n';
    paragraph.remove_prefix(std::min(end + 1, paragraph.size()));
  }
  return text;
}

std::string cell_text(const Cell& cell, const TerminalStyle& style) {
  std::string text = coloured(fmt::format("In [{}]:", cell.label), green, style) + '\n';
  text += sources(cell.source, cell.twin, style);
  if (!cell.out.empty()) text += '\n' + cell.out;
  if (cell.result) text += '\n' + *cell.result + '\n';
  if (style.heatmap) {
    for (const auto& tensor : cell.tensors) {
      if (const auto drawn = heatmap_text(tensor, *style.heatmap); !drawn.empty()) text += '\n' + drawn;
    }
  }
  if (cell.error) text += '\n' + coloured("threw: " + *cell.error, red, style) + '\n';
  return text;
}

std::string restored_text(const Restored& state, const TerminalStyle& style) {
  std::string text = comment("Restored state. " + state.note, style);
  text += sources(state.source, state.twin, style);
  if (state.error) text += '\n' + coloured("threw: " + *state.error, red, style) + '\n';
  return text;
}

std::string item_text(const Cell& cell, const TerminalStyle& style) { return cell_text(cell, style); }
std::string item_text(const Note& note, const TerminalStyle& style) { return comment(note.text, style); }
std::string item_text(const Restored& state, const TerminalStyle& style) {
  return restored_text(state, style);
}

std::string quoted_line(const std::optional<std::string>& line) { return line ? *line : "(nothing more)"; }

/// A marker under the first byte that differs. Bytes before it that continue a character take no column.
std::string marker(const Difference& difference) {
  const std::string& line = difference.golden ? *difference.golden : *difference.actual;
  const auto width =
      std::count_if(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(difference.column - 1),
                    [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return std::string(static_cast<std::size_t>(width), ' ') + '^';
}

std::string difference_lines(const Difference& difference) {
  return fmt::format("  line {} of its {}:\n    golden  {}\n    here    {}\n            {}\n",
                     difference.line, difference.where, quoted_line(difference.golden),
                     quoted_line(difference.actual), marker(difference));
}

std::string title(const Transcript& transcript, const TerminalStyle& style) {
  return coloured(fmt::format("== {}, from {}", transcript.slug, transcript.document), green, style) + '\n';
}

}  // namespace

std::vector<CellText> cell_texts(const JudgedTranscript& judged, const TerminalStyle& style) {
  const Transcript& transcript = judged.transcript;
  const auto cells = transcript.cells();
  const bool whole = std::all_of(cells.begin(), cells.end(), [](const Cell* cell) { return cell->selected; });
  std::vector<CellText> texts;
  std::string text;
  for (const auto& item : transcript.items) {
    const auto* cell = std::get_if<Cell>(&item);
    const bool shown = cell != nullptr ? judged.judgements.contains(cell->position) : whole;
    if (shown) text += '\n' + std::visit([&](const auto& it) { return item_text(it, style); }, item);
    if (shown && cell != nullptr) texts.push_back({cell, std::exchange(text, {})});
    const auto* state = std::get_if<Restored>(&item);
    if ((cell != nullptr && cell->error) || (state != nullptr && state->error)) break;
  }
  if (text.empty()) return texts;
  if (texts.empty()) texts.emplace_back();
  texts.back().text += text;
  return texts;
}

std::string transcript_text(const JudgedTranscript& judged, const TerminalStyle& style) {
  std::string text = title(judged.transcript, style);
  for (const auto& cell : cell_texts(judged, style)) text += cell.text;
  return text;
}

std::string verdict_text(const JudgedTranscript& judged, const TerminalStyle& style) {
  std::string text = title(judged.transcript, style);
  for (const Cell* cell : judged.transcript.cells()) {
    const auto found = judged.judgements.find(cell->position);
    if (found == judged.judgements.end()) continue;
    const Verdict verdict = found->second.verdict;
    const auto word =
        verdict == Verdict::different ? coloured(name(verdict), red, style) : std::string(name(verdict));
    text += fmt::format("{:>4}  In [{:<5} {}\n", fmt::format("@{}", cell->position), cell->label + "]", word);
  }
  return text;
}

std::string difference_text(const JudgedTranscript& judged, std::string_view command,
                            const TerminalStyle& style) {
  std::string text;
  for (const Cell* cell : judged.transcript.cells()) {
    const auto found = judged.judgements.find(cell->position);
    if (found == judged.judgements.end() || found->second.verdict != Verdict::different) continue;
    const std::string what = cell->error ? "threw" : "differs from its golden";
    text +=
        coloured(fmt::format("{} @{} In [{}] {}", judged.transcript.slug, cell->position, cell->label, what),
                 red, style) +
        '\n';
    if (cell->error) text += "  " + *cell->error + '\n';
    if (found->second.difference) text += difference_lines(*found->second.difference);
    text += fmt::format("  again: {} --cell @{}\n", command, cell->position);
  }
  return text;
}

std::string outline_text(const Transcript& outline) {
  std::string text;
  for (const Cell* cell : outline.cells()) {
    const auto first_line = cell->source.substr(0, cell->source.find('\n'));
    text += fmt::format("{:>4}  In [{:<5} {}\n", fmt::format("@{}", cell->position), cell->label + "]",
                        first_line);
  }
  return text;
}

}  // namespace torchbook
