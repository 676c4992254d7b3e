// Splits a cell by layout, and by the typical look of Python, printed values and prose.
//
// Jupyter joins parts by an empty line. Printed text ends with a newline of its own, so two empty
// lines follow it. Only one follows a displayed value.
#include <absl/strings/ascii.h>
#include <tools/import/printed_cell.h>
#include <tools/import/text.h>
#include <torchbook/notebook/cells/python_lines.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace torchbook::importing {
namespace {

using Lines = std::vector<std::string_view>;

/// Splits a text at each newline. So a text that ends with one has an empty line at its end.
Lines split(std::string_view text) {
  Lines lines;
  for (auto end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  lines.push_back(text);
  return lines;
}

bool is_blank(std::string_view line) { return stripped(line).empty(); }

/// Divides one cell.
class Divider {
 public:
  Divider(std::string_view text, bool last, KnownNames& known)
      : lines_(split(text)), last_(last), known_(known) {
    find_printed_ends();
  }

  PrintedCell cell() {
    const auto end = code_end();
    part_.code = joined(0, end);
    take_outputs(end);
    return std::move(part_);
  }

 private:
  enum class Kind { code, output, prose };

  /// The next line at which two empty ones begin, and whether a line before it calls print.
  struct PrintedEnd {
    std::size_t line;
    bool prints_above;
  };

  std::size_t size() const { return lines_.size(); }

  /// Joins the lines from `begin` to `end`, without trailing empty ones.
  std::string joined(std::size_t begin, std::size_t end) const {
    while (end > begin && is_blank(lines_[end - 1])) --end;
    return exactly(begin, end);
  }

  std::string exactly(std::size_t begin, std::size_t end) const {
    std::string text;
    for (auto i = begin; i < end; ++i) {
      text += lines_[i];
      if (i + 1 < end) text += '\n';
    }
    return text;
  }

  std::size_t next_blank(std::size_t at) const {
    while (at < size() && !is_blank(lines_[at])) ++at;
    return at;
  }

  std::size_t next_filled(std::size_t at) const {
    while (at < size() && is_blank(lines_[at])) ++at;
    return at;
  }

  /// Returns the first line after the code.
  std::size_t code_end() {
    notebook::PythonLines python;
    std::size_t statement = 0, comments = size();  // where comments began that may be a text's headings
    for (std::size_t i = 0; i < size(); ++i) {
      const bool begins = !python.goes_on() && !is_blank(lines_[i]);
      if (begins && i > 0 && is_blank(lines_[i - 1])) {
        if (is_comment_block(i)) {
          comments = std::min(comments, i);
        } else {
          const Kind kind = kind_of(i);
          if (kind == Kind::prose && comments < i) return comments;
          if (kind != Kind::code) return i;
          comments = size();
        }
      }
      take_code(i, begins, statement);
      python.follow(lines_[i]);
    }
    return comments;  // comments at the end are headings
  }

  /// Notes whether a line of code prints, and what it prints first.
  void take_code(std::size_t i, bool begins, std::size_t& statement) {
    const auto line = without_indent(lines_[i]);
    add_names(lines_[i], known_);
    if (begins && !line.starts_with('#')) {
      statement = i;
      last_statement_.clear();
    }
    if (statement < i || begins) last_statement_.append(lines_[i]).push_back('\n');
    if (!start_.prints) start_ = print_start(lines_[i]);
    const bool call = line.ends_with(')') && !contains(line, " = ") && !line.starts_with('#');
    calls_ = calls_ || call || line.starts_with('!') || line.starts_with('%');
  }

  bool displays() const { return is_displayed(last_statement_); }

  bool is_comment_block(std::size_t begin) const {
    for (auto i = begin; i < next_blank(begin); ++i) {
      if (!lines_[i].starts_with('#')) return false;
    }
    return true;
  }

  Kind kind_of(std::size_t i) const {
    const auto line = lines_[i];
    const auto end = next_blank(i);
    if (line.starts_with("Out[") || is_figure(line) || is_error(i)) return Kind::output;
    if (absl::ascii_isspace(line[0])) return Kind::code;  // the block of the statement before
    if (start_.prints && !start_.literal.empty() && line.starts_with(start_.literal) && !prints_below(i)) {
      return Kind::output;
    }
    if ((start_.prints || displays()) && can_be_value(line, lines_[end - 1])) return Kind::output;
    if (can_be_python(exactly(i, end), known_)) return Kind::code;
    return (start_.prints || calls_) && ends_[i].line < size() ? Kind::output : Kind::prose;
  }

  /// Finds for each line where printed text would end, and whether a call of print precedes that
  /// end.
  void find_printed_ends() {
    ends_.resize(size() + 1, {size(), false});
    for (auto i = size(); i-- > 0;) {
      ends_[i] = is_printed_end(i) ? PrintedEnd{i, false} : ends_[i + 1];
      ends_[i].prints_above = !is_printed_end(i) && (ends_[i].prints_above || calls_print(lines_[i]));
    }
  }

  bool prints_below(std::size_t i) const { return ends_[i].prints_above; }

  /// Returns whether two empty lines begin here, or one at the end of the cell.
  bool is_printed_end(std::size_t i) const {
    return lines_[i].empty() && (i + 1 == size() || lines_[i + 1].empty());
  }

  /// Returns the end of the printed text that begins at line `i`; size() if no line can be its end.
  std::size_t printed_end(std::size_t i) const {
    notebook::PythonLines python;
    for (; i < size(); ++i) {
      if (!python.goes_on() && is_printed_end(i)) return i;
      python.follow(lines_[i]);
    }
    return size();
  }

  static bool is_figure(std::string_view line) {
    return line.starts_with("<Figure size ") && line.ends_with('>');
  }

  bool is_error(std::size_t i) const {
    return lines_[i].starts_with("--------------------") && i + 1 < size() &&
           contains(lines_[i + 1], "Traceback (most recent call last)");
  }

  void take_outputs(std::size_t at) {
    for (bool printed = false; at < size(); at = next_filled(at)) {
      if (is_figure(lines_[at])) {
        part_.picture = lines_[at++];
      } else if (is_error(at)) {
        at = take_error(at);
      } else if (lines_[at].starts_with("Out[")) {
        take_marked_result(at);
      } else if (!printed && (start_.prints || calls_) && take_printed(at)) {
        printed = true;
      } else if (!part_.result && displays() && can_be_value(lines_[at], lines_[next_blank(at) - 1])) {
        take_result(at);
      } else {
        part_.text = joined(at, size());
        return;
      }
    }
  }

  /// Takes the printed text and moves `at` past it. Returns false if nothing was printed.
  bool take_printed(std::size_t& at) {
    const auto kind = kind_of(at);
    if (kind != Kind::output) return false;
    auto end = printed_end(at);
    bool newline = true;
    if (end == size()) {
      if (displays()) return false;
      newline = last_;
      end = last_ ? size() : value_end(at);
    }
    part_.out = std::string(start_.newlines, '\n') + exactly(at, end);
    if (newline) part_.out += '\n';
    at = end;
    return true;
  }

  /// Returns the first empty line after a value that begins at line `at`.
  std::size_t value_end(std::size_t at) const {
    const char quote = lines_[at].empty() ? '\0' : lines_[at][0];
    if (quote == '\'' || quote == '"') return next_blank(at);
    notebook::PythonLines python;
    for (; at < size() && (python.goes_on() || !lines_[at].empty()); ++at) python.follow(lines_[at]);
    return at;
  }

  void take_result(std::size_t& at) {
    const auto end = value_end(at);
    part_.result = joined(at, end);
    at = end;
  }

  /// Takes a value that is marked with `Out[1]:`, on the same line or below it.
  void take_marked_result(std::size_t& at) {
    const auto colon = lines_[at].find(':');
    lines_[at] = colon == std::string_view::npos ? "" : stripped(lines_[at].substr(colon + 1));
    if (lines_[at].empty()) at = next_filled(at);
    if (at < size()) take_result(at);
  }

  /// Takes a traceback, whose last line names the error. Returns the first line after it.
  std::size_t take_error(std::size_t at) {
    auto end = at + 2;
    for (auto i = end; i < size(); ++i) {
      const auto colon = lines_[i].find(':');
      const auto name = lines_[i].substr(0, colon);
      const bool word = colon != name.npos && !name.empty() && absl::ascii_isupper(name[0]) &&
                        std::all_of(name.begin(), name.end(), [](char c) { return absl::ascii_isalnum(c); });
      if (!word || (!name.ends_with("Error") && !name.ends_with("Exception") && !name.ends_with("Interrupt")))
        continue;
      part_.error = lines_[i];
      end = next_blank(i);
    }
    if (!part_.error.empty()) return end;
    part_.error = "an error";
    return size();
  }

  Lines lines_;
  bool last_;
  KnownNames& known_;
  std::vector<PrintedEnd> ends_{};  // for each line
  PrintedCell part_{};
  std::string last_statement_{};  // of the code so far, with its newline
  PrintStart start_{};            // the beginning of what the code so far prints
  bool calls_ = false;            // whether a statement of the code so far is a call, which may print
};

}  // namespace

PrintedCell divide_cell(std::string_view text, bool last, KnownNames& known) {
  return Divider(text, last, known).cell();
}

}  // namespace torchbook::importing
