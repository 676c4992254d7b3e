// Guesses by words: prose has words side by side, Python has operators between them.
#include <absl/algorithm/container.h>
#include <absl/strings/ascii.h>
#include <tools/import/python_guess.h>
#include <tools/import/python_tokens.h>
#include <tools/import/text.h>

#include <algorithm>
#include <array>
#include <span>

namespace torchbook::importing {
namespace {

using Kind = PythonToken::Kind;
using Statement = std::span<const PythonToken>;

bool is_operand(const PythonToken& token) {
  if (token.kind == Kind::word) return !is_python_keyword(token.text);
  return token.kind == Kind::number || token.kind == Kind::string;
}

bool ends_operand(const PythonToken& token) {
  return is_operand(token) || token.is(")") || token.is("]") || token.is("}");
}

/// Returns whether `token` can follow `before` in Python.
bool can_follow(const PythonToken& before, const PythonToken& token) {
  if (!ends_operand(before)) return true;
  if (before.kind == Kind::string && token.kind == Kind::string) return true;
  return !is_operand(token) && !token.is("{");
}

bool is_builtin(std::string_view name) {
  constexpr std::array names = std::to_array<std::string_view>(
      {"abs",   "all",      "any",     "bool", "dict",    "dir",    "display", "enumerate",  "exec",
       "float", "getattr",  "hasattr", "help", "id",      "input",  "int",     "isinstance", "iter",
       "len",   "list",     "map",     "max",  "min",     "next",   "open",    "print",      "range",
       "repr",  "reversed", "round",   "set",  "setattr", "sorted", "str",     "sum",        "super",
       "tuple", "type",     "vars",    "zip",  "True",    "False",  "None"});
  return absl::c_linear_search(names, name);
}

/// Returns whether a statement has an assigning `=` outside of brackets.
bool assigns(Statement statement) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < statement.size(); ++i) {
    const auto& token = statement[i];
    if (token.is("(") || token.is("[") || token.is("{")) ++depth;
    if (token.is(")") || token.is("]") || token.is("}")) --depth;
    if (depth > 0 || !token.is("=")) continue;
    const bool compared = i + 1 < statement.size() && statement[i + 1].is("=");
    if (compared) {
      ++i;
    } else if (i > 0 && !statement[i - 1].is("!") && !statement[i - 1].is("<") && !statement[i - 1].is(">")) {
      return true;
    }
  }
  return false;
}

bool begins_with_keyword(Statement statement) {
  const auto& first = statement[0];
  if (first.kind != Kind::word) return false;
  if (first.is("not") || first.is("lambda") || first.is("await")) return false;
  return is_python_keyword(first.text);
}

bool can_be_statement(Statement statement, const KnownNames& known) {
  const auto& first = statement[0];
  const auto& last = statement.back();
  for (std::size_t i = 1; i < statement.size(); ++i) {
    if (!can_follow(statement[i - 1], statement[i])) return false;
  }
  if (last.is(".") || last.is("!")) return false;
  if (begins_with_keyword(statement)) {
    const bool block = first.is("for") || first.is("if") || first.is("while") || first.is("with") ||
                       first.is("def") || first.is("class") || first.is("try") || first.is("else");
    return !block || std::any_of(statement.begin(), statement.end(), [](const auto& t) { return t.is(":"); });
  }
  if (first.is("@")) return statement.size() > 1 && statement[1].kind == Kind::word;
  constexpr std::string_view never_first = "/%=<>!&|^.,:;)]}";
  if (first.kind == Kind::mark && never_first.find(first.text[0]) != never_first.npos) return false;
  if (first.is("*") && (statement.size() < 2 || statement[1].is("*") || !assigns(statement))) return false;
  if (assigns(statement)) return true;
  const bool unknown = first.kind == Kind::word && !is_builtin(first.text) && !known.contains(first.text) &&
                       !is_python_keyword(first.text);
  const bool plain = std::none_of(statement.begin(), statement.end(),
                                  [](const auto& t) { return t.is("(") || t.is("[") || t.is("."); });
  const bool annotation = statement.size() > 2 && statement[1].is(":");
  return !(unknown && plain) && !annotation;
}

bool is_number(std::string_view text) {
  const bool digits =
      text.find_first_of("0123456789") != text.npos || text == "inf" || text == "nan" || text == "-inf";
  return digits && text.find_first_not_of("+-.0123456789einfaj_()") == text.npos;
}

bool is_dtype(std::string_view line) {
  for (const std::string_view type :
       {"torch.Tensor", "int", "float", "str", "bool", "list", "tuple", "dict"}) {
    if (line == type) return true;
  }
  if (!line.starts_with("torch.")) return false;
  line.remove_prefix(6);
  for (const std::string_view kind :
       {"float", "int", "uint", "bool", "complex", "bfloat", "strided", "sparse"}) {
    if (line.starts_with(kind)) return std::all_of(line.begin(), line.end(), is_of_word);
  }
  return false;
}

/// Returns whether a line looks like the repr of an object: `Linear(in_features=…`.
bool is_object(std::string_view line, std::string_view last) {
  const auto open = line.find('(');
  return absl::ascii_isupper(line[0]) && open != line.npos &&
         std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(open), is_of_word) &&
         last.ends_with(')');
}

}  // namespace

void add_names(std::string_view code, KnownNames& names) {
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!is_of_word(code[i])) continue;
    const auto begin = i;
    while (i < code.size() && is_of_word(code[i])) ++i;
    names.emplace(code.substr(begin, i - begin));
  }
}

bool can_be_python(std::string_view text, const KnownNames& known) {
  const auto first = without_indent(text);
  if (first.starts_with('%') || first.starts_with('!')) return true;  // a command of Jupyter
  const auto tokens = python_tokens(text);
  if (!tokens) return false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < tokens->size(); ++i) {
    if ((*tokens)[i].kind != Kind::line_end) continue;
    if (!can_be_statement(Statement(*tokens).subspan(begin, i - begin), known)) return false;
    begin = i + 1;
  }
  return true;
}

bool is_displayed(std::string_view statement) {
  if (statement.starts_with(' ') || statement.starts_with('\t')) return false;  // inside a block
  const auto tokens = python_tokens(statement);
  if (!tokens || tokens->empty()) return false;
  const Statement all = Statement(*tokens).first(tokens->size() - 1);
  if (begins_with_keyword(all) || all[0].is("@") || all[0].is("%") || all[0].is("!")) return false;
  const bool print = all[0].is("print") && all.size() > 1 && all[1].is("(");
  return !print && !assigns(all) && !all.back().is(";");
}

bool can_be_value(std::string_view line, std::string_view last) {
  while (!line.empty() && (line[0] == '(' || line[0] == '[' || line[0] == '{' || line[0] == ' ')) {
    const char c = line[0];
    line.remove_prefix(1);
    if (line.empty()) return c != ' ';
    if ((c == '(' && line[0] == ')') || (c == '[' && line[0] == ']') || (c == '{' && line[0] == '}'))
      return true;
    if (c != ' ' && (is_number(line.substr(0, line.find_first_of(",:]"))) || line[0] == '\'')) return true;
  }
  if (line.empty()) return false;
  for (const std::string_view start :
       {"tensor(", "torch.Size(", "array(", "device(type=", "Parameter containing:", "OrderedDict(",
        "<torch.", "<class ", "<generator ", "<built-in "}) {
    if (line.starts_with(start)) return true;
  }
  if (line == "True" || line == "False" || line == "None") return true;
  const bool quoted = line.size() > 1 && (line[0] == '\'' || line[0] == '"') && line.back() == line[0] &&
                      !line.starts_with("'''") && !line.starts_with("\"\"\"");
  return quoted || is_number(line) || is_dtype(line) || is_object(line, last);
}

bool calls_print(std::string_view line) {
  const auto comment = line.find('#');
  const auto at = line.find("print(");
  return at != line.npos && at < comment && (at == 0 || !is_of_word(line[at - 1]));
}

PrintStart print_start(std::string_view line) {
  if (!calls_print(line)) return {};
  PrintStart start{.prints = true};
  auto rest = line.substr(line.find("print(") + 6);
  rest.remove_prefix(std::min(rest.find_first_not_of("fFrRbBuU"), rest.size()));
  if (rest.empty() || (rest[0] != '"' && rest[0] != '\'')) return start;
  const char quote = rest[0];
  rest.remove_prefix(1);
  while (rest.starts_with("\\n")) {
    ++start.newlines;
    rest.remove_prefix(2);
  }
  if (const auto expression = rest.substr(0, rest.find('}'));
      rest.starts_with('{') && expression.ends_with('=')) {
    start.literal = expression.substr(1);  // `{x=}` prints its own text
    return start;
  }
  start.literal = rest.substr(0, rest.find_first_of(std::string("{\\%") + quote));
  return start;
}

}  // namespace torchbook::importing
