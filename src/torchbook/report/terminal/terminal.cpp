#include <fmt/format.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/shown.h>
#include <torchbook/report/terminal/terminal.h>
#include <torchbook/report/terminal/text.h>
#include <torchbook/report/verdict_words.h>
#include <torchbook/report/words.h>

#include <algorithm>

namespace torchbook::report {
namespace {

constexpr std::size_t fingerprint_columns = 100;
constexpr std::string_view green = "32";
constexpr std::string_view red = "31";
constexpr std::string_view yellow = "33";

constexpr std::size_t verdict_columns =
    std::max_element(golden::verdicts.begin(), golden::verdicts.end(),
                     [](const auto& one, const auto& other) { return one.name.size() < other.name.size(); })
        -> name.size();

std::string styled(std::string_view text, std::string_view code, const TerminalStyle& style) {
  return coloured(text, code, style.colour);
}

std::string sources(std::string_view cpp, std::string_view python, const TerminalStyle& style) {
  return source_text(cpp, python,
                     {.shown = style.source, .colour = style.colour, .width = style.side_by_side});
}

/// Returns a text as lines that start with `# `.
std::string commented(std::string_view text, const TerminalStyle& style) {
  std::string comment;
  for (const auto whole : notebook::lines_of(text)) {
    for (const auto line : wrapped(whole, style.columns - 2)) {
      comment += styled(line.empty() ? "#" : fmt::format("# {}", line), faint, style) + '\n';
    }
  }
  return comment;
}

std::string item_text(const notebook::Cell& cell, const TerminalStyle& style) {
  std::string text = styled(fmt::format("In [{}]:", cell.label), green, style);
  if (style.times) text += styled(fmt::format("  {}", duration_text(cell.seconds)), faint, style);
  text += '\n';
  text += sources(cell.source, cell.twin, style);
  if (!cell.out.empty()) text += '\n' + cell.out;
  if (cell.result) text += '\n' + *cell.result + '\n';
  if (style.heatmap) {
    for (const auto& tensor : cell.tensors) {
      if (const auto drawn = heatmap_text(tensor, *style.heatmap); !drawn.empty()) text += '\n' + drawn;
    }
  }
  if (cell.not_ported) {
    text += '\n' + styled("not ported: " + pictured(*cell.not_ported), yellow, style) + '\n';
    if (!cell.carried.empty()) text += styled(carried_text(cell.carried), yellow, style) + '\n';
  }
  if (cell.error) text += '\n' + styled("threw: " + pictured(*cell.error), red, style) + '\n';
  return text;
}

std::string item_text(const notebook::Restored& state, const TerminalStyle& style) {
  std::string text = commented("Restored state. " + state.note, style);
  text += sources(state.source, state.twin, style);
  if (state.error) text += '\n' + styled("threw: " + pictured(*state.error), red, style) + '\n';
  return text;
}

std::string item_text(const notebook::Note& note, const TerminalStyle& style) {
  return commented(note.text, style);
}

std::string coloured_verdict(const golden::Judgement& judgement, const TerminalStyle& style) {
  const auto& row = golden::row_of(judgement.verdict);
  const std::string word(row.name);
  if (!golden::passes(judgement, golden::Accept::printed)) return styled(word, red, style);
  return row.passes_with == golden::Accept::equal ? word : styled(word, yellow, style);
}

/// Returns whether a cell differs only because of what is shown of other cells.
bool only_follows(const golden::Judgement& judgement) {
  const auto& partings = judgement.partings;
  return golden::row_of(judgement.verdict).ran && !partings.empty() &&
         std::all_of(partings.begin(), partings.end(),
                     [](const auto& one) { return !one.from.empty() && one.lines.size() == 1; });
}

/// Returns one line for a cell that only follows from others.
std::string following(const golden::JudgedTranscript& judged, const notebook::Cell& cell,
                      const golden::Judgement& judgement) {
  std::string words;
  for (const auto& one : judgement.partings) words += (words.empty() ? " " : "; ") + one.lines.front();
  return fmt::format("{} @{} In [{}]{}\n", judged.transcript.slug, cell.position, cell.label, words);
}

std::string title(const golden::JudgedTranscript& judged, const TerminalStyle& style) {
  const notebook::Transcript& transcript = judged.transcript;
  auto text =
      styled(fmt::format("== {}, from {}", transcript.slug, transcript.document), green, style) + '\n';
  if (!judged.golden_from.empty()) text += "compared with " + shortened(judged.golden_from) + '\n';
  if (judged.failure) text += styled("not judged: " + shortened(*judged.failure), red, style) + '\n';
  for (const auto& error : judged.restored_errors) {
    text += styled(twin_error(shortened(error)), red, style) + '\n';
  }
  return text;
}

}  // namespace

std::string transcript_text(const golden::JudgedTranscript& judged, const TerminalStyle& style) {
  std::string text = title(judged, style);
  for (const Item* item : shown_items(judged)) {
    text += '\n' + std::visit([&](const auto& it) { return item_text(it, style); }, *item);
  }
  return text;
}

std::string verdict_text(const golden::JudgedTranscript& judged, const TerminalStyle& style) {
  std::string text = title(judged, style);
  for (const notebook::Cell* cell : judged.transcript.cells()) {
    const auto* judgement = golden::judgement_of(judged.judgements, *cell);
    if (judgement == nullptr) continue;
    text += fmt::format("{:>4}  In [{:<5} ", fmt::format("@{}", cell->position), cell->label + "]");
    if (style.times) text += fmt::format("{:>9}  ", duration_text(cell->seconds));
    text += coloured_verdict(*judgement, style);
    if (const auto words = brief(*judgement, judged.against); !words.empty()) {
      text += std::string(verdict_columns - golden::row_of(judgement->verdict).name.size() + 2, ' ') + words;
    }
    text += '\n';
  }
  return text;
}

std::string difference_text(const golden::JudgedTranscript& judged, std::string_view command,
                            const TerminalStyle& style) {
  std::string text;
  for (const notebook::Cell* cell : judged.transcript.cells()) {
    const auto* judgement = golden::judgement_of(judged.judgements, *cell);
    if (judgement == nullptr || golden::passes(*judgement, style.accept)) continue;
    if (only_follows(*judgement)) {
      text += following(judged, *cell, *judgement);
      continue;
    }
    const bool agrees = golden::row_of(judgement->verdict).passes_with == golden::Accept::printed;
    text += styled(heading(judged, *cell, *judgement), agrees ? yellow : red, style) + '\n';
    text += details(*cell, *judgement, judged.against);
    text += fmt::format("  again: {} --cell @{}\n", pictured(command), cell->position);
  }
  return text;
}

std::string fingerprint_lines(std::string_view heading, const notebook::Fingerprint& fingerprint) {
  const std::string line = fmt::format("{} {}", heading, fingerprint_line(fingerprint));
  std::string text;
  for (const auto part : wrapped(line, fingerprint_columns - 2)) {
    text.append(text.empty() ? "" : "  ").append(part).push_back('\n');
  }
  return text;
}

std::string outline_text(const notebook::Transcript& outline) {
  std::string text;
  for (const notebook::Cell* cell : outline.cells()) {
    const auto first_line = cell->source.substr(0, cell->source.find('\n'));
    text += fmt::format("{:>4}  In [{:<5} {}\n", fmt::format("@{}", cell->position), cell->label + "]",
                        first_line);
  }
  return text;
}

}  // namespace torchbook::report
