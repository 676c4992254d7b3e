// Finds the function of a notebook, and the calls in it that begin cells.
#include <absl/strings/ascii.h>
#include <torchbook/notebook/cells/cpp_code.h>
#include <torchbook/notebook/cells/cpp_string.h>
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

/// The function of a notebook in the text of its file.
struct Function {
  std::string_view text;
  std::string code;        // code_of(text)
  std::string notebook{};  // the name of its Notebook: `nb`
  std::size_t begin = 0;   // of its body, after the brace
  std::size_t end = 0;     // the brace that closes the body
};

std::string_view stripped(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);  // npos + 1 is 0
}

bool is_identifier(std::string_view text) {
  return !text.empty() && !absl::ascii_isdigit(text.front()) &&
         std::all_of(text.begin(), text.end(), is_word_character);
}

/// Returns how many more braces open than close.
std::ptrdiff_t depth_of(std::string_view code) {
  return std::count(code.begin(), code.end(), '{') - std::count(code.begin(), code.end(), '}');
}

/// Returns the name in `torchbook::Notebook& nb`, or an empty text for other parameters.
std::string_view notebook_in(std::string_view parameters) {
  for (const std::string_view part : {"torchbook::", "Notebook", "&"}) {
    parameters = stripped(parameters);
    if (parameters.starts_with(part)) {
      parameters.remove_prefix(part.size());
    } else if (part != "torchbook::") {
      return {};
    }
  }
  parameters = stripped(parameters);
  return is_identifier(parameters) ? parameters : std::string_view();
}

/// Returns the offset of the brace that closes the one at `brace`.
std::size_t end_of_block(const Function& file, std::size_t brace) {
  int depth = 0;
  for (auto at = brace; at != file.code.npos; at = file.code.find_first_of("{}", at + 1)) {
    depth += file.code[at] == '{' ? 1 : -1;
    if (depth == 0) return at;
  }
  throw TextError(line_at(file.text, brace), "this '{' is never closed; braces must be in pairs");
}

Function function_of(std::string_view text, std::string_view slug) {
  Function file{.text = text, .code = code_of(text)};
  const std::string_view code = file.code;
  const auto head = "void " + std::string(slug) + "(";
  for (auto at = code.find(head); at != code.npos; at = code.find(head, at + 1)) {
    const auto open = at + head.size(), close = std::min(code.find(')', open), code.size());
    const auto brace = code.find_first_not_of(blanks, close + 1);
    const auto name = notebook_in(code.substr(open, close - open));
    const bool is_global = depth_of(code.substr(0, at)) == 0;
    if (name.empty() || !is_global || brace == code.npos || code[brace] != '{') continue;
    if (!file.notebook.empty())
      throw TextError(line_at(text, at),
                      std::string(slug) + " is defined a second time; a notebook is one function");
    file.notebook = name;
    file.begin = brace + 1;
    file.end = end_of_block(file, brace);
  }
  if (!file.notebook.empty()) return file;
  throw TextError(0, "there is no function void " + std::string(slug) +
                         "(torchbook::Notebook& nb) outside of namespaces; a notebook is one");
}

/// Returns the text from `begin`, which is after a `;`, to `end`, without empty lines around it and without
/// the indent that its lines have in common. A line that begins inside a raw string is left as it is.
std::string excerpt(const Function& file, std::size_t begin, std::size_t end) {
  std::vector<std::string_view> lines;
  std::size_t indent = file.text.size();
  while (begin < end) {
    const auto newline = std::min(file.code.find('\n', begin), end);
    auto line = file.text.substr(begin, newline - begin);
    if (stripped(line).empty()) line = {};
    if (lines.empty()) line.remove_prefix(indent_of(line).size());
    if (!lines.empty() && !line.empty()) indent = std::min(indent, indent_of(line).size());
    lines.push_back(line);
    begin = newline + 1;
  }
  std::string result;
  for (const auto line : lines) {
    const auto shown = line.substr(std::min(indent, indent_of(line).size()));
    if (!result.empty() || !shown.empty()) result.append(shown).push_back('\n');
  }
  return without_blank_end(std::move(result));
}

/// Reads the body of a notebook's function.
class Reader {
 public:
  explicit Reader(const Function& function) : function_(function), done_(function.begin) {}

  std::vector<PortCell> cells() {
    for (auto use = next(statements, 0); use; use = next(statements, done_)) {
      if (use->begin < function_.begin || use->begin >= function_.end)
        fail(use->begin, call(use->method) + " must stand in the notebook's function");
      read_code(use->begin);
      read_statement(*use);
    }
    read_code(function_.end);
    end_part(function_.end);
    return std::move(cells_);
  }

 private:
  enum class Part { none, cell, restored };
  using Methods = std::span<const std::string_view>;

  static constexpr std::string_view statements[] = {"cell", "note", "restored", "axis", "not_ported"};
  static constexpr std::string_view others[] = {"print", "display", "throws", "carried", "carried_generator"};

  /// A place where a method of the notebook is named: `nb.cell`.
  struct Use {
    std::string_view method;
    std::size_t begin = 0, end = 0;
  };

  [[noreturn]] void fail(std::size_t at, const std::string& what) const {
    throw TextError(line_at(function_.text, at), what);
  }

  /// Returns a call such as `nb.print`, with the name that the function gives its notebook.
  std::string call(std::string_view method) const { return function_.notebook + "." + std::string(method); }

  /// Finds the next use of one of these methods.
  std::optional<Use> next(Methods methods, std::size_t from) const {
    const std::string_view code = function_.code;
    const auto object = call("");
    for (auto at = code.find(object, from); at != code.npos; at = code.find(object, at + 1)) {
      const auto name = at + object.size();
      auto end = name;
      while (end < code.size() && is_word_character(code[end])) ++end;
      const auto method = std::find(methods.begin(), methods.end(), code.substr(name, end - name));
      const char before = at == 0 ? ' ' : code[at - 1];
      const bool is_member = before == '.' || before == '>' || before == ':';
      if (method == methods.end() || is_member || is_word_character(before)) continue;
      return Use{.method = *method, .begin = at, .end = end};
    }
    return std::nullopt;
  }

  /// Reads the code up to an offset, where the next statement of the notebook or the end is.
  void read_code(std::size_t end) {
    const std::string_view code = function_.code;
    const auto first = std::min(code.find_first_not_of(blanks, done_), end);
    if (part_ == Part::none && first < end) {
      fail(first, "this code stands in no cell; " + call("cell") + " or " + call("restored") +
                      " must come before it");
    }
    for (auto use = next(others, done_); use && use->begin < end; use = next(others, use->end)) check(*use);
    const auto piece = code.substr(done_, end - done_);
    depth_ += depth_of(piece);
    for (auto line : lines_of(piece)) {
      line = stripped(line);
      if (!line.starts_with('#')) continue;
      line = stripped(line.substr(1));
      if (line.starts_with("if")) ++conditions_;
      if (line.starts_with("endif")) --conditions_;
    }
  }

  void check(const Use& use) {
    if (use.method.starts_with("carried")) {
      if (not_ported_) return;
      fail(use.begin, "a value is carried into a cell that is ported; " + call("not_ported") +
                          " comes before " + call("carried"));
    }
    if (part_ == Part::restored) fail_restored(use);
    if (use.method == "display" && ++displays_ > 1) {
      fail(use.begin, "this cell displays a second value; Jupyter displays a cell's last expression only");
    }
  }

  [[noreturn]] void fail_restored(const Use& use) const {
    fail(use.begin,
         call(use.method) + " stands in restored state, which shows nothing; begin a cell before it");
  }

  /// Returns whether the code before an offset ends a statement or is a brace. Skips preprocessor lines.
  bool begins_statement(std::size_t at) const {
    const std::string_view code = function_.code;
    for (;;) {
      const auto last = at == 0 ? code.npos : code.find_last_not_of(blanks, at - 1);
      if (last == code.npos) return false;
      const auto line = code.rfind('\n', last) + 1;  // npos + 1 is 0
      if (!stripped(code.substr(line, last - line)).starts_with('#'))
        return code[last] == ';' || code[last] == '{' || code[last] == '}';
      at = line;
    }
  }

  /// Reads a statement such as `nb.cell("4");`, and refuses it if it is not alone on its lines.
  void read_statement(const Use& use) {
    const std::string_view code = function_.code;
    const auto semicolon = std::min(code.find(';', use.end), function_.end);
    const auto close = code.find_last_not_of(blanks, semicolon - 1);
    const auto line = code.rfind('\n', use.begin) + 1, line_end = code.find('\n', semicolon);
    const auto other = next(statements, use.end);
    const bool is_alone = stripped(code.substr(line, use.begin - line)).empty() && code[use.end] == '(' &&
                          code[close] == ')' && (!other || other->begin > semicolon) &&
                          stripped(code.substr(semicolon + 1, line_end - semicolon - 1)).empty();
    if (!is_alone || depth_ != 0 || conditions_ != 0 || !begins_statement(use.begin)) {
      fail(use.begin, call(use.method) +
                          " must stand alone on a line, as a statement of the function itself, " +
                          "not inside a block, a condition or #if");
    }
    done_ = semicolon + 1;
    if (use.method == "axis") return read_axis(use, close);
    const auto text = string_value(function_.text.substr(use.end + 1, close - use.end - 1));
    if (use.method == "not_ported") return read_not_ported(use, text);
    end_part(use.begin);
    if (use.method != "note") begin_part(use, text);
  }

  void begin_part(const Use& use, const std::optional<std::string>& text) {
    const bool is_cell = use.method == "cell";
    if (is_cell && (!text || text->empty()))
      fail(use.begin,
           call("cell") + " needs its label as a string literal, such as " + call("cell") + "(\"4\")");
    if (is_cell && !is_label(*text)) fail(use.begin, std::string(label_rule));
    part_ = is_cell ? Part::cell : Part::restored;
    cells_.push_back({.restored = !is_cell,
                      .label = is_cell ? *text : "",
                      .source = {},
                      .line = line_at(function_.text, use.begin),
                      .begin = use.begin,
                      .body = done_});
    displays_ = 0;
    not_ported_ = false;
  }

  void read_not_ported(const Use& use, const std::optional<std::string>& why) {
    require_part(use);
    if (part_ == Part::restored) fail_restored(use);
    if (!why || why->empty()) {
      fail(use.begin, call("not_ported") + " needs the reason as a string literal, such as " +
                          call("not_ported") + "(\"needs a tokenizer\")");
    }
    if (not_ported_) fail(use.begin, "this cell says a second time why it is not ported; once is enough");
    not_ported_ = true;
  }

  void require_part(const Use& use) const {
    if (part_ == Part::none)
      fail(use.begin, call(use.method) + " stands in no cell; " + call("cell") + " must come before it");
  }

  /// Offsets in the code, without the second one.
  using Range = std::pair<std::size_t, std::size_t>;

  /// Finds `const auto NAME = {…};` before an offset. Returns what is between its braces, or nullopt.
  std::optional<Range> list_before(std::size_t at, std::string_view name) const {
    const std::string_view code = function_.code;
    const auto head = "const auto " + std::string(name) + " = {";
    const auto begin = code.substr(0, at).rfind(head);
    if (begin == code.npos || begin < function_.begin) return std::nullopt;
    return Range(begin + head.size(), code.find('}', begin));
  }

  /// Reads `(inputs, 0, {"Your", "journey"})` or `(inputs, 0, words)` after `nb.axis`.
  void read_axis(const Use& use, std::size_t close) {
    require_part(use);
    const std::string_view code = function_.code;
    const auto open = std::min(code.find('{', use.end), close);
    const auto last = code.find_last_not_of(blanks, close - 1);
    const auto before = pieces(use.end + 1, open);
    if (before.size() != 3 || !is_identifier(before[0])) fail_axis(use);
    const auto dim = parse_integer<std::int64_t>(before[1]);
    const auto list = open == close                            ? list_before(use.begin, before[2])
                      : before[2].empty() && code[last] == '}' ? std::optional(Range(open + 1, last))
                                                               : std::nullopt;
    if (!dim || !list) fail_axis(use);
    NamedAxis named{
        .tensor = std::string(before[0]), .axis = {.dim = *dim}, .line = line_at(function_.text, use.begin)};
    for (const auto piece : pieces(list->first, list->second)) {
      auto name = string_value(piece);
      if (!name || name->empty()) fail_axis(use);
      if (!is_axis_name(*name)) fail(use.begin, std::string(axis_name_rule));
      named.axis.names.push_back(std::move(*name));
    }
    cells_.back().axes.push_back(std::move(named));
  }

  [[noreturn]] void fail_axis(const Use& use) const {
    fail(use.begin, call("axis") + " needs a variable, a dimension and names as literals, such as " +
                        call("axis") +
                        "(inputs, 0, {\"Your\", \"journey\"}), or the name of a list above it, " +
                        "such as words of `const auto words = {\"Your\", \"journey\"};`");
  }

  /// Returns the texts between the commas of a range.
  std::vector<std::string_view> pieces(std::size_t begin, std::size_t end) const {
    std::vector<std::string_view> all;
    for (auto at = begin; at <= end;) {
      const auto comma = std::min(function_.code.find(',', at), end);
      all.push_back(stripped(function_.text.substr(at, comma - at)));
      at = comma + 1;
    }
    return all;
  }

  /// Ends the current cell or restored state at this offset.
  void end_part(std::size_t end) {
    if (part_ != Part::none) {
      auto& cell = cells_.back();
      cell.source = excerpt(function_, cell.body, end);
      const auto first = std::min(function_.text.find_first_not_of(blanks, cell.body), end);
      cell.source_line = line_at(function_.text, first);
      cell.end = end;
    }
    part_ = Part::none;
  }

  const Function& function_;
  std::size_t done_;  // the code before it was read
  std::vector<PortCell> cells_{};
  std::ptrdiff_t depth_ = 0;  // of the braces that are open in the body
  int conditions_ = 0;        // how many #if are open
  Part part_ = Part::none;
  std::size_t displays_ = 0;
  bool not_ported_ = false;  // the cell says that it is not ported
};

}  // namespace

std::vector<PortCell> parse_port(std::string_view text, std::string_view slug) {
  const std::string normal = with_newlines(text);
  return Reader(function_of(normal, slug)).cells();
}

}  // namespace torchbook::notebook
