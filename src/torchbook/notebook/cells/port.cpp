// Finds the function of a notebook, and the calls in it that begin cells.
#include <torchbook/notebook/cells/cpp_tokens.h>
#include <torchbook/notebook/cells/label.h>
#include <torchbook/notebook/cells/port.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/parse_integer.h>

#include <algorithm>
#include <iterator>
#include <optional>

namespace torchbook::notebook {
namespace {

using Kind = CppToken::Kind;

/// The tokens of a file, and the body of one function in it.
struct Function {
  std::string_view text;
  std::vector<CppToken> tokens;
  std::vector<std::size_t> partners;  // of brackets
  std::string notebook{};             // what the function calls its Notebook: `nb`
  std::size_t open = 0;               // the brace that opens its body
  std::size_t close = 0;              // the brace that closes it
};

/// Whether the parameters between these brackets are one `torchbook::Notebook&`, with or without a name.
bool takes_a_notebook(const Function& file, std::size_t open) {
  auto at = open + 1;
  const auto& tokens = file.tokens;
  while (tokens[at].kind == Kind::word && tokens[at + 1].is(":") && tokens[at + 2].is(":")) at += 3;
  if (!tokens[at].is("Notebook") || !tokens[at + 1].is("&")) return false;
  return tokens[at + 2].is(")") || (tokens[at + 2].kind == Kind::word && tokens[at + 3].is(")"));
}

/// Returns the index of the brace that opens the body after a parameter list, or 0 if there is no
/// body.
std::size_t body_behind(const Function& file, std::size_t close) {
  constexpr std::size_t longest = 16;  // attributes, noexcept, `-> void`
  for (auto at = close + 1; at < file.tokens.size() && at <= close + longest; ++at) {
    if (file.tokens[at].is("{")) return at;
    if (file.tokens[at].is(";") || file.tokens[at].is("(")) return 0;
  }
  return 0;
}

/// Returns a directive without its `#`.
std::string_view words_of(const CppToken& directive) {
  std::string_view text = directive.text;
  text.remove_prefix(std::min(text.find_first_not_of("#%: \t"), text.size()));
  return text;
}

/// Counts the `#if` blocks that are open after a directive.
void follow_condition(const CppToken& directive, std::size_t& open_conditions) {
  const auto text = words_of(directive);
  if (text.starts_with("if")) ++open_conditions;
  if (text.starts_with("endif") && open_conditions > 0) --open_conditions;
}

Function function_of(std::string_view text, std::string_view slug) {
  Function file{.text = text, .tokens = cpp_tokens(text), .partners = {}};
  file.partners = bracket_partners(file.tokens);
  const auto& tokens = file.tokens;
  const auto fail = [&](std::size_t at, const char* what) {
    throw TextError(tokens[at].line, std::string(slug) + what);
  };
  std::size_t conditions = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].kind == Kind::directive) follow_condition(tokens[i], conditions);
    if (tokens[i].is("{") || tokens[i].is("(")) i = file.partners[i];
    const bool member = i > 0 && (tokens[i - 1].is(":") || tokens[i - 1].is("."));
    if (member || !tokens[i].is(slug) || i + 1 == tokens.size() || !tokens[i + 1].is("(")) continue;
    const auto open = i + 1, body = body_behind(file, file.partners[open]);
    if (body == 0 || !takes_a_notebook(file, open)) continue;
    if (conditions != 0) fail(i, " must not stand inside #if: whether it is compiled cannot be seen");
    if (!file.notebook.empty()) fail(i, " is defined a second time; a notebook is one function");
    const auto& name = tokens[file.partners[open] - 1];
    if (name.kind != Kind::word) fail(i, " must give its torchbook::Notebook& a name, such as nb");
    file.notebook = name.text;
    file.open = body;
    file.close = file.partners[body];
  }
  if (!file.notebook.empty()) return file;
  throw TextError(0, "there is no function void " + std::string(slug) +
                         "(torchbook::Notebook& nb) outside of namespaces; a notebook is one");
}

struct Line {
  std::string_view text;
  bool fixed;  // whether the line begins inside a raw string or after other code
};

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\v\f\r") == text.npos; }

/// Returns whether an offset lies inside a raw string.
bool is_in_raw_string(std::size_t offset, const std::vector<CppToken>& tokens) {
  const auto behind =
      std::upper_bound(tokens.begin(), tokens.end(), offset,
                       [](std::size_t place, const CppToken& token) { return place < token.begin; });
  if (behind == tokens.begin()) return false;
  const auto& token = *std::prev(behind);
  return token.kind == CppToken::Kind::raw_string && token.begin < offset && offset < token.end;
}

std::vector<Line> lines_between(std::string_view text, std::size_t begin, std::size_t end,
                                const std::vector<CppToken>& tokens) {
  std::vector<Line> lines;
  bool first = true;
  while (begin < end) {
    const auto newline = std::min(text.find('\n', begin), end);
    auto line = text.substr(begin, newline - begin);
    if (first) line.remove_prefix(indent_of(line).size());
    lines.push_back({line, first || is_in_raw_string(begin, tokens)});
    first = false;
    begin = newline + 1;
  }
  while (!lines.empty() && is_blank(lines.back().text)) lines.pop_back();
  const auto code =
      std::find_if_not(lines.begin(), lines.end(), [](const Line& line) { return is_blank(line.text); });
  lines.erase(lines.begin(), code);
  return lines;
}

/// Returns the text from `begin` to `end` without empty lines around it and without the indent that its lines
/// have in common. A line that begins inside a raw string is left as it is. `tokens` are the tokens of
/// `text`.
std::string excerpt(std::string_view text, std::size_t begin, std::size_t end,
                    const std::vector<CppToken>& tokens) {
  const auto lines = lines_between(text, begin, end, tokens);
  std::optional<std::string_view> indent;
  for (const auto& line : lines) {
    if (line.fixed || is_blank(line.text)) continue;
    const auto own = indent_of(line.text);
    if (!indent) indent = own;
    const auto common = std::mismatch(indent->begin(), indent->end(), own.begin(), own.end()).first;
    indent = indent->substr(0, static_cast<std::size_t>(common - indent->begin()));
  }
  std::string result;
  for (const auto& line : lines) {
    auto shown = line.text;
    if (!line.fixed) shown.remove_prefix(std::min(indent ? indent->size() : 0, shown.size()));
    if (!line.fixed && is_blank(shown)) shown = {};
    result.append(shown).push_back('\n');
  }
  while (result.ends_with('\n')) result.pop_back();
  while (result.ends_with(' ') || result.ends_with('\t')) result.pop_back();
  return result;
}

/// Reads the body of a notebook's function.
class Reader {
 public:
  explicit Reader(const Function& function) : function_(function) {}

  std::vector<PortCell> cells() {
    for (at_ = function_.open + 1; at_ < function_.close; ++at_) read();
    end_part(function_.tokens[function_.close].begin);
    return std::move(cells_);
  }

 private:
  enum class Part { none, cell, restored };

  const CppToken& token(std::size_t place) const { return function_.tokens[place]; }
  [[noreturn]] void fail(const std::string& what) const { throw TextError(token(at_).line, what); }

  /// Returns a call such as `nb.print`, with the name that the function gives its notebook.
  std::string call(std::string_view method) const { return function_.notebook + "." + std::string(method); }

  void read() {
    if (token(at_).kind == Kind::directive) read_directive();
    const auto method = called_method();
    if (method == "cell" || method == "note" || method == "restored") {
      begin_part(method);
    } else if (method == "print" || method == "display" || method == "throws") {
      check_output(method);
    } else if (method == "not_ported") {
      check_not_ported();
    } else if (method == "axis" && part_ != Part::none) {
      read_axis();
    } else if (part_ == Part::none) {
      fail("this code stands in no cell; " + call("cell") + " or " + call("restored") +
           " must come before it");
    } else if (takes_carried()) {
      if (!not_ported_)
        fail("a value is carried into a cell that is ported; " + call("not_ported") + " comes before " +
             call("carried"));
    } else if (begins_part_by_pointer()) {
      fail("a cell or note that begins through the pointer notebook cannot be seen; write " + call("cell"));
    } else if (names_notebook() && !is_captured() && !is_pointed_to()) {
      fail(function_.notebook + " can only be called, as " + call("print") +
           "(…), captured by a lambda, or pointed to, as notebook = &" + function_.notebook +
           ": a cell that something else begins cannot be seen");
    }
    follow_brackets();
  }

  /// Returns whether the current token begins `nb.carried<T>(…)` or `nb.carried_generator()`.
  bool takes_carried() const {
    return names_notebook() && at_ + 2 < function_.close && token(at_ + 1).is(".") &&
           (token(at_ + 2).is("carried") || token(at_ + 2).is("carried_generator"));
  }

  /// Returns whether the current token names the notebook, and not a member of the same name.
  bool names_notebook() const {
    if (!token(at_).is(function_.notebook)) return false;
    const CppToken& before = token(at_ - 1);
    const bool arrow = before.is(">") && token(at_ - 2).is("-");
    const bool scope = before.is(":") && token(at_ - 2).is(":");
    return !before.is(".") && !arrow && !scope;
  }

  /// Returns whether the notebook is in the capture list of a lambda.
  bool is_captured() const {
    return !open_.empty() && token(open_.back()).is("[") &&
           (token(at_ + 1).is("]") || token(at_ + 1).is(","));
  }

  /// Returns whether the notebook is in `notebook = &nb;`, which lets classes of the function use
  /// it.
  bool is_pointed_to() const {
    return at_ > function_.open + 3 && token(at_ - 1).is("&") && token(at_ - 2).is("=") &&
           token(at_ - 3).is("notebook") && token(at_ + 1).is(";");
  }

  /// Returns whether the current token begins a call such as `notebook->cell`, other than print or
  /// display.
  bool begins_part_by_pointer() const {
    if (!token(at_).is("notebook") || !token(at_ + 1).is("-") || !token(at_ + 2).is(">")) return false;
    const auto& method = token(at_ + 3);
    return !method.is("print") && !method.is("display");
  }

  /// Returns the method of the notebook that is called here, or an empty text.
  std::string_view called_method() const {
    if (!names_notebook() || !token(at_ + 1).is(".")) return {};
    if (token(at_ + 2).kind != Kind::word || !token(at_ + 3).is("(")) return {};
    return token(at_ + 2).text;
  }

  /// Refuses an `#include` in the function: cells in that file would be missing in the table.
  /// Counts open `#if` blocks.
  void read_directive() {
    if (words_of(token(at_)).starts_with("include"))
      fail("an include must stand above the function, not in it");
    follow_condition(token(at_), conditions_);
  }

  void begin_part(std::string_view method) {
    if (!open_.empty() || !begins_statement()) {
      fail(call(method) +
           " must be a statement of the function itself, not inside a loop, a condition or brackets");
    }
    if (conditions_ != 0)
      fail(call(method) + " must not stand inside #if: whether it is compiled cannot be seen");
    const auto open = at_ + 3;
    const auto close = function_.partners[open];
    if (!token(close + 1).is(";")) fail(call(method) + "(…) must be a statement of its own");
    end_part(token(at_).begin);
    if (method != "note") {
      part_ = method == "cell" ? Part::cell : Part::restored;
      cells_.push_back({.restored = method == "restored",
                        .label = {},
                        .source = {},
                        .line = token(at_).line,
                        .source_line = token(close + 1).line,
                        .begin = token(at_).begin,
                        .body = token(close + 1).end});
      if (method == "cell") cells_.back().label = label(open, close);
    }
    displays_ = 0;
    not_ported_ = false;
    at_ = close + 1;
  }

  bool begins_statement() const {
    auto before = at_ - 1;
    while (before > function_.open && token(before).kind == Kind::directive) --before;
    return token(before).is(";") || token(before).is("{") || token(before).is("}");
  }

  /// Returns the string literals between two brackets as one text. Throws TextError if there is anything
  /// else.
  std::string literal(std::size_t open, std::size_t close) const {
    std::string text;
    for (auto place = open + 1; place < close; ++place) text += string_value(token(place));
    return text;
  }

  std::string label(std::size_t open, std::size_t close) const {
    std::string label = literal(open, close);
    if (label.empty())
      fail(call("cell") + " needs its label as a string literal, such as " + call("cell") + "(\"4\")");
    if (!is_label(label)) fail(std::string(label_rule));
    return label;
  }

  void require_cell(std::string_view method) const {
    if (part_ == Part::none)
      fail(call(method) + " stands in no cell; " + call("cell") + " must come before it");
    if (part_ == Part::restored) {
      fail(call(method) + " stands in restored state, which shows nothing; begin a cell before it");
    }
  }

  void check_not_ported() {
    require_cell("not_ported");
    const auto open = at_ + 3;
    if (literal(open, function_.partners[open]).empty()) {
      fail(call("not_ported") + " needs the reason as a string literal, such as " + call("not_ported") +
           "(\"needs a tokenizer\")");
    }
    if (not_ported_) fail("this cell says a second time why it is not ported; once is enough");
    not_ported_ = true;
  }

  void check_output(std::string_view method) {
    require_cell(method);
    if (method == "display" && ++displays_ > 1) {
      fail("this cell displays a second value; Jupyter displays a cell's last expression only");
    }
  }

  [[noreturn]] void fail_axis() const {
    fail(call("axis") + " needs a variable, a dimension and names as literals, such as " + call("axis") +
         "(inputs, 0, {\"Your\", \"journey\"})");
  }

  /// Reads `(inputs, 0, {"Your", "journey"});` after `nb.axis`.
  void read_axis() {
    if (!open_.empty() || !begins_statement())
      fail(call("axis") + " must be a statement of the function itself, not inside a loop or a condition");
    const auto open = at_ + 3, close = function_.partners[open], brace = open + 5;
    const bool fits = brace < close && token(open + 1).kind == Kind::word && token(open + 2).is(",") &&
                      token(open + 3).kind == Kind::number && token(open + 4).is(",") &&
                      token(brace).is("{") && function_.partners[brace] + 1 == close &&
                      token(close + 1).is(";");
    const auto dim = fits ? parse_integer<std::int64_t>(token(open + 3).text) : std::nullopt;
    if (!dim) fail_axis();
    NamedAxis named{.tensor = token(open + 1).text, .axis = {.dim = *dim}, .line = token(at_).line};
    for (auto at = brace; at + 1 < close;) {
      const auto first = at++;
      while (token(at).kind == Kind::string || token(at).kind == Kind::raw_string) ++at;
      if (at == first + 1 || !(token(at).is(",") || at + 1 == close)) fail_axis();
      named.axis.names.push_back(literal(first, at));
      if (!is_axis_name(named.axis.names.back())) fail(std::string(axis_name_rule));
    }
    cells_.back().axes.push_back(std::move(named));
  }

  void follow_brackets() {
    if (token(at_).kind != Kind::punctuation) return;
    const auto partner = function_.partners[at_];
    if (partner > at_) open_.push_back(at_);
    if (partner < at_) open_.pop_back();
  }

  /// Returns the number of line breaks between an offset and the first text after it.
  std::size_t lines_before_code(std::size_t begin, std::size_t end) const {
    const auto code = std::min(function_.text.find_first_not_of(" \t\v\f\r\n", begin), end);
    const auto blank = function_.text.substr(begin, code - begin);
    return static_cast<std::size_t>(std::count(blank.begin(), blank.end(), '\n'));
  }

  /// Ends the current cell or restored state at this offset.
  void end_part(std::size_t end) {
    if (part_ != Part::none) {
      auto& cell = cells_.back();
      cell.source = excerpt(function_.text, cell.body, end, function_.tokens);
      cell.source_line += lines_before_code(cell.body, end);
      cell.end = end;
    }
    part_ = Part::none;
  }

  const Function& function_;
  std::vector<PortCell> cells_{};
  std::size_t at_ = 0;
  std::vector<std::size_t> open_{};  // the brackets inside the body that are open
  std::size_t conditions_ = 0;       // how many #if are open
  Part part_ = Part::none;
  std::size_t displays_ = 0;
  bool not_ported_ = false;  // the cell says that it is not ported
};

/// Whether a text has a call such as `.cell(`, whatever white space is in it.
bool has_call(std::string_view text, std::string_view method) {
  for (auto at = text.find(method); at != text.npos; at = text.find(method, at + 1)) {
    const auto before = text.find_last_not_of(" \t\n", at - 1);
    const auto behind = text.find_first_not_of(" \t\n", at + method.size());
    if (at > 0 && before != text.npos && text[before] == '.' && behind != text.npos && text[behind] == '(') {
      return true;
    }
  }
  return false;
}

/// Refuses macros that begin a cell, because they would hide it.
void refuse_cells_in_macros(const std::vector<CppToken>& tokens) {
  for (const auto& token : tokens) {
    if (token.kind != Kind::directive || token.text.find("define") == token.text.npos) continue;
    if (has_call(token.text, "cell") || has_call(token.text, "note") || has_call(token.text, "restored")) {
      throw TextError(token.line, "a macro must not begin a cell, a note or restored state: write it out");
    }
  }
}

}  // namespace

std::vector<PortCell> parse_port(std::string_view text, std::string_view slug) {
  const std::string normal = with_newlines(text);
  const Function function = function_of(normal, slug);
  refuse_cells_in_macros(function.tokens);
  return Reader(function).cells();
}

}  // namespace torchbook::notebook
