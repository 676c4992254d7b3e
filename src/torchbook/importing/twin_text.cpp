// Finds what only Jupyter knows, line by line. It follows strings and brackets, because a line inside them is
// none of it.
#include <absl/strings/ascii.h>
#include <fmt/format.h>
#include <torchbook/importing/twin_text.h>
#include <torchbook/importing/words.h>
#include <torchbook/notebook/cells/python_lines.h>
#include <torchbook/notebook/lines.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace torchbook::importing {
namespace {

using notebook::lines_of;

std::string_view indent_of(std::string_view line) {
  return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

bool is_name_or_path(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isalnum(c) || c == '_' || c == '.' || !absl::ascii_isascii(c);
  });
}

/// Returns whether a statement that begins on this line is one of Jupyter, and not of Python.
bool is_jupyters(std::string_view line) {
  const auto text = stripped(line);
  if (text.empty()) return false;
  if (text[0] == '%' || text[0] == '!' || text[0] == '?') return true;
  auto question = text;
  while (question.ends_with('?')) question.remove_suffix(1);
  if (question.size() < text.size() && is_name_or_path(question)) return true;
  const auto equals = text.find('=');  // `files = !ls`, `t = %timeit -o f()`
  if (equals == text.npos || !is_name_or_path(stripped(text.substr(0, equals)))) return false;
  const auto value = without_indent(text.substr(equals + 1));
  if (value.starts_with('!')) return true;
  return value.size() > 1 && value[0] == '%' && absl::ascii_isalpha(value[1]);
}

/// Returns the name of a magic for a whole cell, such as `time` for `%%time`, and empty for any other line.
std::string_view cell_magic(std::string_view line) {
  if (!line.starts_with("%%")) return {};
  line.remove_prefix(2);
  return line.substr(0, line.find_first_of(" \t"));
}

bool has_python_below(std::string_view magic) {
  constexpr std::array names = std::to_array<std::string_view>(
      {"time", "timeit", "capture", "prun", "python", "python3", "memit", "mprun", "lprun", "debug"});
  return std::find(names.begin(), names.end(), magic) != names.end();
}

/// Returns a line of the twin. A comment that a reader of twins would take for a heading gets a second space.
std::string with_escaped_heading(std::string_view line) {
  if (line.starts_with("#%%")) return fmt::format("#  {}", line.substr(1));
  return line.starts_with("# %%") ? fmt::format("#  {}", line.substr(2)) : std::string(line);
}

/// Returns the text of a comment for a line.
std::string comment(std::string_view line) {
  return line.empty() ? "#" : with_escaped_heading(fmt::format("# {}", line));
}

/// Python ends a line at each of `\r\n`, `\r` and `\n`, and takes no NUL.
std::string with_newlines_only(std::string_view python) {
  std::string text;
  text.reserve(python.size());
  for (std::size_t i = 0; i < python.size(); ++i) {
    if (python[i] == '\0') continue;
    if (python[i] != '\r') text.push_back(python[i]);
    if (python[i] == '\r' && (i + 1 == python.size() || python[i + 1] != '\n')) text.push_back('\n');
  }
  return text;
}

/// Removes empty lines and spaces at the end.
std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of("\n \t") + 1);
  return text;
}

/// Whether a line of the cell itself awaits something, as only Jupyter allows.
bool awaits(std::string_view line) {
  return line.starts_with("await ") || line.starts_with("async for ") || line.starts_with("async with ") ||
         (!line.empty() && absl::ascii_isalpha(line[0]) && contains(line, "= await "));
}

/// Reads a cell line by line.
class TwinCellWriter {
 public:
  TwinSource source(const std::string& python) {
    for (const auto line : lines_of(python)) {
      if (!take(line)) return as_comments(python, why_);
    }
    if (!lines_.is_whole()) {
      return as_comments(python, "it is no Python as a whole: a bracket or a quote has no counterpart");
    }
    twin_.text = trimmed(std::move(twin_.text));
    return std::move(twin_);
  }

 private:
  /// Returns false, and sets `why_`, if the whole cell must be a comment.
  bool take(std::string_view line) {
    const bool begins = !lines_.goes_on() && !in_command_;
    if (begins && first_ && !cell_magic(line).empty() && !has_python_below(cell_magic(line))) {
      why_ = fmt::format("it is no Python: {}", cited(line));
      return false;
    }
    if (begins && awaits(line)) {
      why_ = fmt::format("only Jupyter knows await outside of a function: {}", cited(line));
      return false;
    }
    if (!stripped(line).empty()) first_ = false;
    if (in_command_ || (begins && is_jupyters(line))) {
      take_command(line);
    } else {
      add(lines_.in_string() ? std::string(line) : with_escaped_heading(line));
      lines_.follow(line);
    }
    return true;
  }

  /// Makes a line a comment. In an indented block a statement must stay.
  void take_command(std::string_view line) {
    if (!in_command_) twin_.commented.emplace_back(stripped(line));
    const auto indent = indent_of(line);
    if (indent.empty() || in_command_) {
      add(comment(line));
    } else {
      add(fmt::format("{}pass  # {}", indent, line.substr(indent.size())));
    }
    in_command_ = line.ends_with('\\');
  }

  void add(const std::string& line) {
    twin_.text += line;
    twin_.text += '\n';
  }

  TwinSource twin_{};
  notebook::PythonLines lines_{};
  bool first_ = true;        // nothing but empty lines came yet
  bool in_command_ = false;  // a command goes on, because its last line ended with a backslash
  std::string why_{};
};

}  // namespace

TwinSource as_comments(std::string_view python, std::string why) {
  TwinSource twin{.text = {}, .why_all = std::move(why)};
  const auto normal = with_newlines_only(python);
  for (const auto line : lines_of(normal)) twin.text += comment(line) + '\n';
  twin.text = trimmed(std::move(twin.text));
  return twin;
}

TwinSource twin_source(std::string_view python) {
  if (python.find('\0') != python.npos) return as_comments(python, "it is no Python: it has a NUL character");
  return TwinCellWriter().source(with_newlines_only(python));
}

std::string twin_cell(std::string_view label, std::string_view python) {
  return fmt::format("# %% [{}]\n{}{}", label, python, python.empty() ? "" : "\n");
}

}  // namespace torchbook::importing
