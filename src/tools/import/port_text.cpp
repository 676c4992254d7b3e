// Writes C++ around untrusted texts, which must not end a comment or a literal.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/port_text.h>
#include <tools/import/visible.h>
#include <torchbook/notebook/cells/cpp_code.h>
#include <torchbook/notebook/lines.h>

#include <algorithm>

namespace torchbook::importing {
namespace {

constexpr std::size_t longest_piece = 96;  // bytes of a literal in one line

/// Returns a comment line. A compiler joins a line that ends with `\` or `??/` with the next one,
/// so such a line gets a different end.
std::string comment_line(std::string_view line) {
  auto text = visible(line);
  const auto last = text.find_last_not_of(" \t");
  text.erase(last + 1);
  if (text.empty()) return "  //\n";
  const bool joins = text.ends_with('\\') || text.ends_with("\?\?/");
  return fmt::format("  // {}{}\n", text, joins ? " //" : "");
}

/// Returns the text in one line.
std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line;
}

/// Returns the length of the next piece of a long text. It ends after a line, or otherwise a space if
/// possible.
std::size_t piece_length(std::string_view text) {
  if (const auto end = text.find('\n'); end != text.npos) text = text.substr(0, end + 1);
  if (text.size() <= longest_piece) return text.size();
  if (const auto space = text.rfind(' ', longest_piece - 1); space != text.npos) return space + 1;
  auto end = longest_piece;
  while (end > 1 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // in a UTF-8 character
  return end;
}

/// Returns a call with a text as its argument, broken into lines.
std::string text_statement(std::string_view function, std::string_view text) {
  constexpr std::size_t longest_line = 110;
  const auto whole = notebook::string_literal(text);
  auto statement = fmt::format("  nb.{}(", function);
  if (piece_length(text) == text.size() && statement.size() + whole.size() + 2 <= longest_line)
    return fmt::format("{}{});\n", statement, whole);
  while (!text.empty()) {
    const auto length = piece_length(text);
    statement += fmt::format("\n      {}", notebook::string_literal(text.substr(0, length)));
    text.remove_prefix(length);
  }
  return statement + ");\n";
}

}  // namespace

std::string python_comment(std::string_view python) {
  std::string text;
  for (const auto line : notebook::lines_of(python)) text += comment_line(line);
  return text;
}

std::string port_cell(std::string_view label, std::string_view python, std::string_view why,
                      const std::vector<std::string>& lines) {
  auto text = fmt::format("  nb.cell({});\n{}", notebook::string_literal(label), python_comment(python));
  if (!why.empty()) text += text_statement("not_ported", one_line(visible(why)));
  for (const auto& line : lines) text += line + '\n';
  return text + '\n';
}

std::string port_notes(const std::vector<std::string>& notes) {
  std::string text;
  for (const auto& note : notes) text += text_statement("note", note) + '\n';
  return text;
}

std::string restored_statement(std::string_view why) { return text_statement("restored", one_line(why)); }

std::string port_head(std::string_view slug, std::string_view document, std::string_view proof,
                      const std::set<std::string>& needs) {
  std::set<std::string> ours = {"#include <torch/torch.h>", "#include <torchbook/notebook/notebook.h>"};
  std::string standard;
  std::string names;
  for (const auto& need : needs) {
    if (need.starts_with("#include <torch")) {
      ours.insert(need);
    } else {
      (need.starts_with("#include") ? standard : names) += need + '\n';
    }
  }
  if (!standard.empty()) standard.insert(0, "\n");
  if (!names.empty()) names.insert(0, "\n");
  return fmt::format(
      "// The notebook {} in C++; @3 is its third cell.\n"
      "// The Python of a cell that is not ported is above nb.not_ported; below is what later cells need of "
      "it.\n"
      "{}{}\n{}{}\n"
      "void {}(torchbook::Notebook& nb) {{\n",
      visible(document), proof, fmt::join(ours, "\n"), standard, names, slug);
}

}  // namespace torchbook::importing
