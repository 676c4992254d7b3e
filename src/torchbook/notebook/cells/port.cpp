// Finds the function of a notebook, and the calls in it that begin cells.
#include <torchbook/notebook/cells/cpp_tokens.h>
#include <torchbook/notebook/cells/excerpt.h>
#include <torchbook/notebook/cells/port.h>

#include <algorithm>
#include <array>
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

/// Returns the name of a parameter list's Notebook&, or an empty string.
std::string notebook_parameter(const Function& file, std::size_t open) {
  for (std::size_t i = open + 1; i + 2 <= file.partners[open]; ++i) {
    const auto& tokens = file.tokens;
    if (tokens[i].is("Notebook") && tokens[i + 1].is("&") && tokens[i + 2].kind == Kind::word) {
      return tokens[i + 2].text;
    }
  }
  return {};
}

Function function_of(std::string_view text, std::string_view slug) {
  Function file{.text = text, .tokens = cpp_tokens(text), .partners = {}};
  file.partners = bracket_partners(file.tokens);
  const auto& tokens = file.tokens;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].is("{")) i = file.partners[i];
    if (!tokens[i].is(slug) || i + 1 == tokens.size() || !tokens[i + 1].is("(")) continue;
    auto body = file.partners[i + 1];
    while (body < tokens.size() && !tokens[body].is("{") && !tokens[body].is(";")) ++body;
    if (body == tokens.size() || !tokens[body].is("{")) continue;  // a declaration
    file.notebook = notebook_parameter(file, i + 1);
    if (file.notebook.empty()) {
      throw TextError(tokens[i].line,
                      std::string(slug) + " must take a torchbook::Notebook& that has a name, such as nb");
    }
    file.open = body;
    file.close = file.partners[body];
    return file;
  }
  throw TextError(0, "there is no function void " + std::string(slug) +
                         "(torchbook::Notebook& nb) outside of namespaces; a notebook is one");
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
    } else if (method == "print" || method == "display") {
      check_output(method);
    } else if (part_ == Part::none) {
      fail("this code stands in no cell; " + call("cell") + " or " + call("restored") +
           " must come before it");
    }
    follow_depth();
  }

  /// Returns the method of the notebook that is called here, or an empty text.
  std::string_view called_method() const {
    if (!token(at_).is(function_.notebook) || !token(at_ + 1).is(".")) return {};
    if (token(at_ + 2).kind != Kind::word || !token(at_ + 3).is("(")) return {};
    const CppToken& before = token(at_ - 1);
    const bool arrow = before.is(">") && token(at_ - 2).is("-");
    const bool scope = before.is(":") && token(at_ - 2).is(":");
    if (before.is(".") || arrow || scope) return {};  // something else has this name
    return token(at_ + 2).text;
  }

  /// Refuses cells that only the preprocessor can see, because they would be missing in the table.
  void read_directive() {
    std::string_view text = token(at_).text;
    text.remove_prefix(std::min(text.find_first_not_of("#%: \t"), text.size()));
    if (text.starts_with("include")) fail("an include must stand above the function, not in it");
    if (text.starts_with("if")) ++conditions_;
    if (text.starts_with("endif") && conditions_ > 0) --conditions_;
  }

  void begin_part(std::string_view method) {
    if (depth_ != 0 || !begins_statement()) {
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
      cells_.push_back(
          {.restored = method == "restored", .label = {}, .source = {}, .line = token(at_).line});
      if (method == "cell") cells_.back().label = label(open, close);
    }
    text_begin_ = token(close + 1).end;
    displays_ = 0;
    at_ = close + 1;
  }

  bool begins_statement() const {
    const CppToken& before = token(at_ - 1);
    return before.is(";") || before.is("{") || before.is("}") || before.kind == Kind::directive;
  }

  std::string label(std::size_t open, std::size_t close) const {
    std::string label;
    for (auto place = open + 1; place < close; ++place) label += string_value(token(place));
    if (label.empty())
      fail(call("cell") + " needs its label as a string literal, such as " + call("cell") + "(\"4\")");
    if (label.find_first_of("[]\n\r") != label.npos) fail("a label must have no brackets and no line end");
    return label;
  }

  void check_output(std::string_view method) {
    if (part_ == Part::none)
      fail(call(method) + " stands in no cell; " + call("cell") + " must come before it");
    if (part_ == Part::restored) {
      fail(call(method) + " stands in restored state, which shows nothing; begin a cell before it");
    }
    if (method == "display" && ++displays_ > 1) {
      fail("this cell displays a second value; Jupyter displays a cell's last expression only");
    }
  }

  void follow_depth() {
    if (token(at_).kind != Kind::punctuation) return;
    const char c = token(at_).text[0];
    if (c == '(' || c == '[' || c == '{') ++depth_;
    if (c == ')' || c == ']' || c == '}') --depth_;
  }

  /// Ends the part that was begun last at this offset.
  void end_part(std::size_t end) {
    if (part_ != Part::none) {
      cells_.back().source = excerpt(function_.text, text_begin_, end, function_.tokens);
    }
    part_ = Part::none;
  }

  const Function& function_;
  std::vector<PortCell> cells_{};
  std::size_t at_ = 0;
  std::size_t depth_ = 0;       // how many brackets are open inside the body
  std::size_t conditions_ = 0;  // how many #if are open
  Part part_ = Part::none;
  std::size_t text_begin_ = 0;
  std::size_t displays_ = 0;
};

/// Refuses macros that begin a cell, because they would hide it.
void refuse_cells_in_macros(const std::vector<CppToken>& tokens) {
  for (const auto& token : tokens) {
    if (token.kind != Kind::directive || token.text.find("define") == token.text.npos) continue;
    const auto inside = cpp_tokens(token.text.substr(token.text.find("define")));
    for (std::size_t i = 0; i + 2 < inside.size(); ++i) {
      const bool begins =
          inside[i + 1].is("cell") || inside[i + 1].is("note") || inside[i + 1].is("restored");
      if (inside[i].is(".") && begins && inside[i + 2].is("(")) {
        throw TextError(token.line, "a macro must not begin a cell, a note or restored state: write it out");
      }
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
