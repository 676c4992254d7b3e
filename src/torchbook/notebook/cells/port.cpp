// Finds the function of a notebook, and the lines in it that begin cells.
#include <absl/strings/str_cat.h>
#include <torchbook/notebook/cells/cpp_code.h>
#include <torchbook/notebook/cells/label.h>
#include <torchbook/notebook/cells/port.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/parse_integer.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace torchbook::notebook {
namespace {

constexpr std::string_view blanks = " \t\n";

/// Removes a token and the blanks before it from the beginning of a text. If it is not there, removes only
/// the blanks and returns false.
bool take(std::string_view& text, std::string_view token) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  if (!text.starts_with(token)) return false;
  text.remove_prefix(token.size());
  return true;
}

/// Removes what is before the first of these characters. Returns it without blanks around it.
std::string_view take_until(std::string_view& text, std::string_view characters) {
  take(text, "");
  const auto taken = text.substr(0, text.find_first_of(characters));
  text.remove_prefix(taken.size());
  return taken.substr(0, taken.find_last_not_of(blanks) + 1);  // npos + 1 is 0
}

/// Removes adjacent string literals. Returns their value, or nullopt if there is none. An escape other than
/// `\"`, `\\`, `\'` and `\?` stays as it is written.
std::optional<std::string> take_strings(std::string_view& text) {
  std::optional<std::string> value;
  while (take(text, "\"")) {
    if (!value) value.emplace();
    for (; !text.empty() && text[0] != '"' && text[0] != '\n'; text.remove_prefix(1)) {
      if (text[0] == '\\' && text.size() > 1 && text[1] != '\n') {
        if (std::string_view("\"\\'?").find(text[1]) == text.npos) value->push_back('\\');
        text.remove_prefix(1);
      }
      value->push_back(text[0]);
    }
    if (!text.starts_with('"')) return std::nullopt;
    text.remove_prefix(1);
  }
  return value;
}

/// Removes `{"Your", "journey"}`. Returns nullopt if something else is there.
std::optional<std::vector<std::string>> take_list(std::string_view& text) {
  std::vector<std::string> list;
  if (!take(text, "{")) return std::nullopt;
  do {
    auto value = take_strings(text);
    if (!value) return std::nullopt;
    list.push_back(std::move(*value));
  } while (take(text, ","));
  return take(text, "}") ? std::optional(std::move(list)) : std::nullopt;
}

/// Returns the name of the notebook in `void SLUG(torchbook::Notebook& nb) {`, whose brace may be on the next
/// line. Returns an empty text for another line.
std::string_view notebook_in(std::string_view line, std::string_view slug) {
  if (!line.starts_with("void ")) return {};
  line.remove_prefix(5);
  if (!take(line, slug) || !take(line, "(")) return {};
  take(line, "torchbook::");
  if (!take(line, "Notebook") || !take(line, "&")) return {};
  const auto name = take_until(line, ")");
  const bool ends = take(line, ")") && (take(line, "{") || line.empty());
  return ends && trimmed(line).empty() && is_name(name) ? name : std::string_view();
}

/// Returns the lines without the indent that they have in common, without empty lines around them, and after
/// `first`. A line that begins inside a raw string is left as it is.
std::string excerpt(std::string_view first, std::span<const CodeLine> lines) {
  std::size_t indent = first.npos;
  for (const auto& line : lines) {
    if (!line.in_raw_string && !trimmed(line.text).empty())
      indent = std::min(indent, indent_of(line.text).size());
  }
  std::string result(first.substr(indent_of(first).size()));
  for (const auto& line : lines) {
    if (!result.empty()) result += '\n';
    const bool is_blank = !line.in_raw_string && trimmed(line.text).empty();
    if (!is_blank) result += line.text.substr(line.in_raw_string ? 0 : indent);
  }
  return without_blank_end(std::move(result));
}

/// Reads the function of a notebook. Counts lines from 0.
class Reader {
 public:
  Reader(std::string_view text, std::string_view slug) : text_(text), lines_(code_lines(text)) {
    std::ptrdiff_t depth = 0;
    for (const auto& line : lines_) {
      depth += std::ranges::count(line.code, '{') - std::ranges::count(line.code, '}');
      depths_.push_back(depth);
    }
    find_function(std::string(slug));
  }

  std::vector<PortCell> cells() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (i == end_) end_part(i);
      const auto method = method_on(i);
      if (!method.empty()) {
        i = read_statement(method, i);
      } else if (begin_ <= i && i < end_) {
        read_code(i);
      }
    }
    return std::move(cells_);
  }

 private:
  [[noreturn]] static void fail(std::size_t line, const std::string& what) {
    throw TextError(line + 1, what);
  }

  /// Returns a method such as `nb.print`, with the name that the function gives its notebook.
  std::string call(std::string_view method) const { return notebook_ + "." + std::string(method); }

  /// Returns the offset of a line's text, after its indent.
  std::size_t offset_of(std::size_t line) const {
    const auto text = lines_[line].text;
    return static_cast<std::size_t>(text.data() - text_.data()) + indent_of(text).size();
  }

  void find_function(const std::string& slug) {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const auto name = notebook_in(lines_[i].code, slug);
      const auto begin = i + (depths_[i] == 1 ? 1 : 2);
      const bool is_global = i == 0 || depths_[i - 1] == 0;
      if (name.empty() || !is_global || begin > lines_.size() || depths_[begin - 1] != 1) continue;
      if (begin_ != 0) fail(i, slug + " is defined a second time; a notebook is one function");
      notebook_ = name;
      begin_ = end_ = begin;
      while (end_ < lines_.size() && depths_[end_] != 0) ++end_;
      if (end_ == lines_.size()) fail(i, "this '{' is never closed; braces must be in pairs");
      if (!trimmed(lines_[end_].text).starts_with('}'))
        fail(end_, "the function ends here; its '}' must begin a line");
    }
    if (begin_ != 0) return;
    throw TextError(0, "there is no function void " + slug +
                           "(torchbook::Notebook& nb) outside of namespaces; a notebook is one");
  }

  /// Returns the method of the notebook that a line calls, if it is one of those that the build reads.
  std::string_view method_on(std::size_t line) const {
    if (lines_[line].code.find(call("")) == std::string::npos) return {};
    for (const std::string_view method : {"cell", "note", "restored", "axis", "words", "not_ported"}) {
      if (lines_[line].code.find(call(method) + "(") != std::string::npos) return method;
    }
    return {};
  }

  void read_code(std::size_t line) {
    const auto code = trimmed(lines_[line].code);
    if (code.empty()) return;
    if (!in_part_) {
      fail(line, absl::StrCat("this code stands in no cell; ", call("cell"), " or ", call("restored"),
                              " must come before it"));
    }
    if (!not_ported_ && code.find(call("carried")) != code.npos) {
      fail(line, absl::StrCat("a value is carried into a cell that is ported; ", call("not_ported"),
                              " comes before ", call("carried")));
    }
    if (code.starts_with("#if")) ++conditions_;
    if (code.starts_with("#endif")) --conditions_;
    if (code[0] != '#' || code.back() == '\\') last_ = code.back();
  }

  void require_alone(bool is_alone, std::string_view method, std::size_t line) const {
    if (is_alone) return;
    fail(line, call(method) +
                   " must stand alone on a line, as a statement of the function itself, not inside "
                   "a block, a condition or #if");
  }

  /// Reads a statement such as `nb.cell("4");`. Returns its last line.
  std::size_t read_statement(std::string_view method, std::size_t line) {
    const bool has_words = method == "words", is_axis = has_words || method == "axis";
    const bool is_reason = method == "not_ported";
    if (line < begin_ || line >= end_) fail(line, call(method) + " must stand in the notebook's function");
    auto rest = text_.substr(offset_of(line));
    const bool begins = take(rest, call(method) + "(") && depths_[line - 1] == 1 && conditions_ == 0;
    require_alone(begins && std::string_view(";{}").find(last_) != rest.npos, method, line);
    if (is_axis || is_reason) read_code(line);
    if (is_axis) cells_.back().axes.push_back(take_axis(rest, line, has_words));
    const auto text = is_axis ? "" : take_text(rest, method, line);
    const bool ends = take(rest, ";");
    const auto after = trimmed(rest.substr(0, rest.find('\n')));
    require_alone(ends && (after.empty() || after.starts_with("//")), method, line);
    const auto body = text_.size() - rest.size();
    not_ported_ = is_reason || (is_axis && not_ported_);
    if (!is_axis && !is_reason) end_part(line);
    in_part_ = method != "note";
    if (method == "cell" || method == "restored") {
      cells_.push_back({.restored = method == "restored",
                        .label = method == "cell" ? text : "",
                        .source = {},
                        .line = line + 1,
                        .begin = offset_of(line),
                        .body = body});
    }
    last_ = ';';
    return line_at(text_, body) - 1;
  }

  /// Removes `"…")`. Returns the value of the literals.
  std::string take_text(std::string_view& text, std::string_view method, std::size_t line) const {
    auto value = take_strings(text);
    const bool is_good = value && (!value->empty() || method == "note") && take(text, ")");
    if (!is_good)
      fail(line, absl::StrCat(call(method), " needs a string literal: ", call(method), "(\"…\");"));
    if (method == "cell" && !is_label(*value)) fail(line, std::string(label_rule));
    return std::move(*value);
  }

  /// Removes `inputs, 0, {"Your", "journey"})`, `inputs, 0, words)` or, of words, `ids, {"cat", "mat"})`.
  NamedAxis take_axis(std::string_view& text, std::size_t line, bool has_words) const {
    NamedAxis named{.tensor = std::string(take_until(text, ",")), .line = line + 1};
    take(text, ",");
    const auto dim = has_words ? of_words : parse_integer<std::int64_t>(take_until(text, ","));
    if (!has_words) take(text, ",");
    const auto list = take_until(text, "{)");
    auto names = list.empty() ? take_list(text) : list_above(line, list);
    if (has_words && (!is_name(named.tensor) || !names || !take(text, ")")))
      fail(line, absl::StrCat(call("words"), " needs a variable and words as literals, such as ",
                              call("words"), "(ids, {\"cat\", \"mat\"})"));
    if (!has_words && (!is_name(named.tensor) || !dim || !names || !take(text, ")"))) {
      fail(line,
           absl::StrCat(
               call("axis"), " needs a variable, a dimension and names as literals, such as ", call("axis"),
               "(inputs, 0, {\"Your\", \"journey\"}), or the name of a list above it, such as words of "
               "`const auto words = {\"Your\", \"journey\"};`"));
    }
    if (!std::ranges::all_of(*names, is_axis_name)) fail(line, std::string(axis_name_rule));
    named.axis = {.dim = *dim, .names = std::move(*names)};
    return named;
  }

  /// Finds `const auto NAME = {…};` above a line. Returns its elements, or nullopt if there is none.
  std::optional<std::vector<std::string>> list_above(std::size_t line, std::string_view name) const {
    const auto head = "const auto " + std::string(name) + " = ";
    while (line-- > begin_) {
      auto text = text_.substr(offset_of(line));
      if (trimmed(lines_[line].code).starts_with(head) && take(text, head)) return take_list(text);
    }
    return std::nullopt;
  }

  /// Ends the current cell or restored state above a line.
  void end_part(std::size_t line) {
    if (!in_part_) return;
    auto& cell = cells_.back();
    cell.end = offset_of(line);
    const auto next = line_at(text_, cell.body);  // the line after its statement
    const auto first = text_.substr(cell.body, text_.find('\n', cell.body) - cell.body);
    cell.source = excerpt(first, std::span(lines_).subspan(next, line - next));
    cell.source_line = line_at(text_, std::min(text_.find_first_not_of(blanks, cell.body), cell.end));
    in_part_ = false;
  }

  std::string_view text_;
  std::vector<CodeLine> lines_;
  std::vector<std::ptrdiff_t> depths_{};  // how many braces are open at the end of each line
  std::string notebook_{};                // the name of the function's Notebook: `nb`
  std::size_t begin_ = 0, end_ = 0;       // the first line of its body, and that of its closing brace
  std::vector<PortCell> cells_{};
  bool in_part_ = false;     // the line is in a cell or restored state
  bool not_ported_ = false;  // the cell says that it is not ported
  int conditions_ = 0;       // how many #if are open
  char last_ = '{';          // the last character of the code above
};

}  // namespace

std::vector<PortCell> parse_port(std::string_view text, std::string_view slug) {
  const std::string normal = with_newlines(text);
  return Reader(normal, slug).cells();
}

}  // namespace torchbook::notebook
