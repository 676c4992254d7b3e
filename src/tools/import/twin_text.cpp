// Finds Jupyter's lines. Tracks strings and brackets, because a line inside them is Python.
#include <absl/strings/ascii.h>
#include <fmt/format.h>
#include <tools/import/jupyter_cell.h>
#include <tools/import/text.h>
#include <tools/import/twin_text.h>
#include <torchbook/notebook/cells/python_lines.h>
#include <torchbook/notebook/lines.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace torchbook::importing {
namespace {

using notebook::lines_of, notebook::without_blank_end;

/// Returns a line of the twin. A comment that a reader of twins would take for a heading gets a second space.
std::string with_escaped_heading(std::string_view line) {
  if (line.starts_with("#%%")) return fmt::format("#  {}", line.substr(1));
  return line.starts_with("# %%") ? fmt::format("#  {}", line.substr(2)) : std::string(line);
}

/// Returns the text of a comment for a line.
std::string comment(std::string_view line) {
  return line.empty() ? "#" : with_escaped_heading(fmt::format("# {}", line));
}

/// Returns whether a line awaits outside of a function, which only Jupyter allows.
bool awaits(std::string_view line) {
  return line.starts_with("await ") || line.starts_with("async for ") || line.starts_with("async with ") ||
         (!line.empty() && absl::ascii_isalpha(line[0]) && contains(line, "= await "));
}

/// Reads a cell line by line.
class TwinCellWriter {
 public:
  explicit TwinCellWriter(const KnownNames& known) : known_(known) {}

  TwinSource source(const std::string& python) {
    const auto lines = lines_of(python);
    const auto has_text = [](auto line) { return !stripped(line).empty(); };
    alone_ = std::count_if(lines.begin(), lines.end(), has_text) == 1;
    for (const auto line : lines) {
      if (!take(line)) return as_comments(python, why_);
    }
    if (!lines_.is_whole()) {
      return as_comments(python, "it is not Python as a whole: a bracket or a quote has no counterpart");
    }
    twin_.text = without_blank_end(std::move(twin_.text));
    return std::move(twin_);
  }

 private:
  /// Returns false, and sets `why_`, if the whole cell must be a comment.
  bool take(std::string_view line) {
    const bool begins = !lines_.goes_on() && !in_command_;
    if (begins && first_ && !take_cell_magic(line)) return false;
    if (begins && awaits(line)) {
      why_ = fmt::format("only Jupyter knows await outside of a function: {}", cited(line));
      return false;
    }
    if (!stripped(line).empty()) first_ = false;
    if (in_command_ || (begins && is_jupyters(line, alone_, known_))) {
      take_command(line);
    } else {
      add_python(line);
    }
    return true;
  }

  bool take_cell_magic(std::string_view line) {
    const auto magic = cell_magic(line);
    if (magic == CellMagic::other) why_ = fmt::format("it is not Python: {}", cited(line));
    if (magic == CellMagic::discards) {
      why_ = fmt::format("Jupyter runs it apart, so its names are lost: {}", cited(line));
    }
    if (magic == CellMagic::hides) twin_.hidden_by = cited(line);
    return why_.empty();
  }

  void add_python(std::string_view line) {
    add(lines_.in_string() ? std::string(line) : with_escaped_heading(line));
    lines_.follow(line);
  }

  /// Replaces a line by the Python that it runs, or by a comment. In an indented block, `pass`
  /// keeps the block from being empty.
  void take_command(std::string_view line) {
    if (const auto python = in_command_ ? std::nullopt : timed_python(line)) {
      twin_.timed.add(stripped(line));
      return add_python(*python);
    }
    if (!in_command_) twin_.commented.add(stripped(line));
    const auto indent = notebook::indent_of(line);
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

  const KnownNames& known_;
  TwinSource twin_{};
  notebook::PythonLines lines_{};
  bool alone_ = false;       // only one line of the cell is not empty
  bool first_ = true;        // nothing but empty lines came yet
  bool in_command_ = false;  // a command goes on, because its last line ended with a backslash
  std::string why_{};
};

}  // namespace

void FirstLines::add(std::string_view line) {
  constexpr std::size_t most = 20;
  if (count++ < most) first.emplace_back(line);
}

TwinSource as_comments(std::string_view python, std::string why) {
  TwinSource twin{.text = {}, .why_all = std::move(why)};
  std::string normal = python_cell(python);
  normal.erase(std::remove(normal.begin(), normal.end(), '\0'), normal.end());  // Python takes none
  for (const auto line : lines_of(normal)) twin.text += comment(line) + '\n';
  twin.text = without_blank_end(std::move(twin.text));
  return twin;
}

TwinSource twin_source(std::string_view python, const KnownNames& known) {
  if (python.find('\0') != python.npos)
    return as_comments(python, "it is not Python: it has a NUL character");
  return TwinCellWriter(known).source(python_cell(python));
}

std::string twin_cell(std::string_view label, std::string_view python) {
  return fmt::format("# %% [{}]\n{}{}", label, python, python.empty() ? "" : "\n");
}

}  // namespace torchbook::importing
