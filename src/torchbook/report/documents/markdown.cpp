// Writes runs as Markdown. Escapes their texts so that nothing in them acts as markup.
#include <absl/strings/ascii.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>
#include <fmt/format.h>
#include <torchbook/report/documents/markdown.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/shown.h>
#include <torchbook/report/summary.h>
#include <torchbook/report/verdict_words.h>

#include <algorithm>

namespace torchbook::report {
namespace {

/// Returns the text in one line. Trims it, and replaces each run of white space by one space.
std::string one_line(std::string_view text) {
  return absl::StrJoin(absl::StrSplit(std::string(text), absl::ByAnyChar(" \t\n\v\f\r"), absl::SkipEmpty()),
                       " ");
}

/// Returns whether the character at `place` has letters or digits on both sides. An underscore there is no
/// emphasis.
bool is_within_word(std::string_view line, std::size_t place) {
  return place > 0 && place + 1 < line.size() && absl::ascii_isalnum(line[place - 1]) &&
         absl::ascii_isalnum(line[place + 1]);
}

/// Returns the character at `place`, escaped where Markdown needs it anywhere in a line.
std::string escaped(std::string_view line, std::size_t place) {
  const char c = line[place];
  if (c == '<') return "&lt;";
  if (c == '>') return "&gt;";
  if (c == '&') return "&amp;";
  constexpr std::string_view markup = "\\`*_[~|$";
  const bool plain = markup.find(c) == markup.npos || (c == '_' && is_within_word(line, place));
  return plain ? std::string(1, c) : std::string{'\\', c};
}

/// Returns the position of the character that would make the line a heading or a list item, or
/// npos.
std::size_t start_markup(std::string_view line) {
  if (line.empty()) return line.npos;
  if (line[0] == '#' || line[0] == '+' || line[0] == '-') return 0;
  const auto number = static_cast<std::size_t>(
      std::find_if_not(line.begin(), line.end(), absl::ascii_isdigit) - line.begin());
  if (number == 0 || number == line.size() || (line[number] != '.' && line[number] != ')')) return line.npos;
  return number + 1 == line.size() || line[number + 1] == ' ' ? number : line.npos;
}

/// Returns the end of the code that starts at the backtick at `start`, or npos if none starts
/// there. Code has single backticks and is not empty.
std::size_t code_end(std::string_view line, std::size_t start) {
  const auto end = line.find('`', start + 1);
  const bool code = end != line.npos && end != start + 1 && line.substr(end + 1, 1) != "`";
  return code ? end : line.npos;
}

std::size_t longest_run(std::string_view text, char of) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == of ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

std::string fences(const std::string& twin, const std::string& source, Sources sources) {
  std::string text;
  if (shows_python(sources) && !twin.empty()) text += '\n' + markdown_fence(twin, "python");
  if (shows_cpp(sources)) text += '\n' + markdown_fence(source, "cpp");
  return text;
}

std::string output(std::string_view what, std::string_view text) {
  return fmt::format("\n{}:\n\n{}", what, markdown_fence(text, "text"));
}

std::string item_text(const notebook::Cell& cell, const golden::Judgement& judgement,
                      std::string_view against, Sources sources) {
  std::string text = fmt::format("\n## In \\[{}]\n", markdown_paragraph(cell.label));
  text += fences(cell.twin, cell.source, sources);
  if (!cell.out.empty()) text += output("Prints", cell.out);
  if (cell.result) text += output("Displays", *cell.result);
  if (cell.error) text += output("Threw", *cell.error);
  const auto difference = markdown_difference(judgement, against);
  return difference.empty() ? text : text + '\n' + difference;
}

std::string item_text(const notebook::Restored& state, Sources sources) {
  std::string text = fmt::format("\n## Restored state\n\n{}\n", markdown_paragraph(state.note));
  text += fences(state.twin, state.source, sources);
  return state.error ? text + output("Threw", *state.error) : text;
}

std::string notebook_text(const golden::JudgedTranscript& judged, Sources sources) {
  std::string text =
      fmt::format("# {}\n\n{}\n", markdown_paragraph(judged.transcript.slug), markdown_origin(judged));
  if (judged.failure) text += '\n' + markdown_failure(judged) + '\n';
  for (const Item* item : shown_items(judged)) {
    if (const auto* cell = std::get_if<notebook::Cell>(item)) {
      text += item_text(*cell, judged.judgements.at(cell->position), judged.against, sources);
    } else if (const auto* state = std::get_if<notebook::Restored>(item)) {
      text += item_text(*state, sources);
    } else {
      text += '\n' + markdown_paragraph(std::get<notebook::Note>(*item).text) + '\n';
    }
  }
  return text;
}

}  // namespace

std::string markdown_paragraph(std::string_view text) {
  const auto line = pictured(one_line(text));
  const auto start = start_markup(line);
  std::string paragraph;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool alone = line[i] == '`' && (i == 0 || line[i - 1] != '`');
    const auto end = alone ? code_end(line, i) : std::string::npos;
    if (end != std::string::npos) {
      paragraph.append(line, i, end + 1 - i);
      i = end;
    } else {
      if (i == start) paragraph += '\\';
      paragraph += escaped(line, i);
    }
  }
  return paragraph;
}

std::string markdown_fence(std::string_view text, std::string_view language) {
  std::string body = pictured(text);
  if (!body.ends_with('\n')) body += '\n';
  const std::string fence(std::max<std::size_t>(3, longest_run(body, '`') + 1), '`');
  return fmt::format("{}{}\n{}{}\n", fence, language, body, fence);
}

std::string markdown_origin(const golden::JudgedTranscript& judged) {
  Summary summary;
  summary.add(judged);
  return fmt::format("{}, ported to LibTorch. This run: {}.", markdown_paragraph(judged.transcript.document),
                     summary_text(summary));
}

std::string markdown_failure(const golden::JudgedTranscript& judged) {
  if (!judged.failure) return "";
  return fmt::format("**Not judged**: {}", markdown_paragraph(*judged.failure));
}

std::string markdown_difference(const golden::Judgement& judgement, std::string_view against) {
  const auto lines = difference_lines(judgement, against);
  if (lines.empty() && !judgement.exception && !judgement.not_ported) return "";
  if (judgement.verdict == golden::Verdict::threw) return "";
  auto text = fmt::format("**The cell {}.**\n", markdown_paragraph(relation(judgement, against)));
  return lines.empty() ? text : text + '\n' + markdown_fence(lines, "text");
}

std::string markdown_report(std::span<const golden::JudgedTranscript> judged, Sources sources) {
  std::string text;
  for (const auto& one : judged) {
    if (!text.empty()) text += '\n';
    text += notebook_text(one, sources);
  }
  return text;
}

}  // namespace torchbook::report
