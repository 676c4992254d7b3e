#include <tools/site/origin/operation.h>
#include <tools/site/origin/variables.h>
#include <torchbook/notebook/cells/cpp_code.h>
#include <torchbook/notebook/cells/text_error.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/parse_integer.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace torchbook::site {
namespace {

/// A word, a number, a literal, or one other character of code.
struct Token {
  std::string_view text;
  std::size_t line = 0;  // from 1

  bool is(std::string_view other) const { return text == other; }
};
using Tokens = std::span<const Token>;

/// A statement that assigns the result of an operation to a variable.
struct Assignment {
  std::size_t first = 0;  // its lines in the port's file
  std::size_t last = 0;
  std::string variable{};
  std::string operation{};
};

bool is_digit(char c) { return '0' <= c && c <= '9'; }

bool is_word(const Token& token) {
  return notebook::is_word_character(token.text[0]) && !is_digit(token.text[0]);
}

bool is_punctuation(const Token& token) {
  return !notebook::is_word_character(token.text[0]) && token.text[0] != '"';
}

/// Returns the size of the token at the beginning of some code, which has no comments.
std::size_t size_of_token(std::string_view code) {
  const auto same = [&](auto is_part) {
    return static_cast<std::size_t>(std::ranges::find_if_not(code, is_part) - code.begin());
  };
  if (code[0] == '"') return same([](char c) { return c == '"'; });
  auto size = same([](char c) { return notebook::is_word_character(c) || c == '\''; });
  if (size == 0) return 1;
  const bool has_exponent = is_digit(code[0]) && (code[size - 1] == 'e' || code[size - 1] == 'E');
  if (has_exponent && size + 1 < code.size() && (code[size] == '+' || code[size] == '-'))
    size += 1 + size_of_token(code.substr(size + 1));
  return size;
}

/// Returns the tokens of some lines, as views of their code.
std::vector<Token> tokens_of(std::span<const notebook::CodeLine> lines) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view code = lines[i].code;
    for (std::size_t at = 0, size = 0; at < code.size(); at += size) {
      size = size_of_token(code.substr(at));
      if (code[at] != ' ' && code[at] != '\t')
        tokens.push_back({.text = code.substr(at, size), .line = i + 1});
    }
  }
  return tokens;
}

/// Returns for each token the index of its partner: the token that closes or opens the bracket. The partner
/// of any other token is the token itself. Throws TextError if a bracket has no partner.
std::vector<std::size_t> bracket_partners(Tokens tokens) {
  std::vector<std::size_t> partners(tokens.size()), open;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    partners[i] = i;
    if (is_one_of(tokens[i].text, {"(", "[", "{"})) open.push_back(i);
    if (!is_one_of(tokens[i].text, {")", "]", "}"})) continue;
    if (open.empty()) throw notebook::TextError(tokens[i].line, "this bracket closes nothing");
    partners[i] = open.back();
    partners[open.back()] = i;
    open.pop_back();
  }
  if (!open.empty()) throw notebook::TextError(tokens[open.back()].line, "this bracket is never closed");
  return partners;
}

/// Returns the operation of a binary operator, or an empty text.
std::string_view operation_of(const Token& token) {
  if (token.is("+")) return "add";
  if (token.is("-")) return "sub";
  if (token.is("*")) return "mul";
  return token.is("/") ? "div" : "";
}

/// Returns whether the word at `at` is called as a function of LibTorch or of numbers, or as a method, not by
/// a pointer: other functions may run operations that have the line of the call.
bool is_plain_call(Tokens code, std::size_t at) {
  if (code[at].text.ends_with("Options")) return true;
  if (at == 0) return false;
  if (code[at - 1].is(".")) return true;
  if (at < 3 || !code[at - 1].is(":") || !code[at - 2].is(":")) return false;
  const bool is_of_numbers =
      code[at - 3].is("std") && is_one_of(code[at].text, {"pow", "sqrt", "exp", "log"});
  return is_of_numbers || is_one_of(code[at - 3].text, {"torch", "at", "F"});
}

/// Returns whether the token at `at` assigns; `==` and `<=` do not.
bool is_assignment(Tokens code, std::size_t at) {
  if (!code[at].is("=") || (at + 1 < code.size() && code[at + 1].is("="))) return false;
  return at == 0 || !is_one_of(code[at - 1].text, {"=", "!", "<", ">"});
}

/// Returns whether an expression calls only what is_plain_call() allows, and has no lambda or condition.
bool is_plain(Tokens code) {
  for (std::size_t at = 0; at < code.size(); ++at) {
    const bool opens = at + 1 < code.size() && code[at + 1].is("(");
    if (opens && is_word(code[at]) && !is_plain_call(code, at)) return false;
    if (opens && (code[at].is("]") || code[at].is(")") || code[at].is(">"))) return false;
    const bool is_arrow = code[at].is("-") && at + 1 < code.size() && code[at + 1].is(">");
    if (is_arrow || code[at].is("?") || is_assignment(code, at)) return false;
  }
  return true;
}

std::size_t count_of(Tokens code, std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(code, [&](const auto& one) { return one.is(text); }));
}

/// Returns the operation whose result a plain expression is, or an empty text if that is not certain. An
/// operation that the expression names twice is not: its lines do not say which of the two a trace has.
std::string outermost(Tokens code) {
  const auto partners = bracket_partners(code);
  std::vector<std::size_t> operators;
  for (std::size_t at = 0; at < code.size(); at = std::max(at, partners[at]) + 1) {
    if (is_punctuation(code[at]) && partners[at] == at && !code[at].is(".") && !code[at].is(":"))
      operators.push_back(at);
  }
  if (operators.size() == 1 && operators[0] > 0) {
    const auto& sign = code[operators[0]];
    return count_of(code, sign.text) == 1 ? std::string(operation_of(sign)) : "";
  }
  const auto open = partners.back();
  if (!operators.empty() || !code.back().is(")") || open == 0 || !is_word(code[open - 1])) return "";
  const auto name = code[open - 1].text;
  const bool makes = name == "tensor" || name == "to";  // LibTorch's torch::tensor ends with a `to`
  const auto count = makes ? count_of(code, "tensor") + count_of(code, "to") : count_of(code, name);
  if (count != 1) return "";
  return std::string(name == "tensor" ? "to" : name);
}

/// Returns whether an assignment to the word at `at` is a statement of its own: `x = …` or `const Tensor x =
/// …`.
bool begins_assignment(Tokens code, std::size_t at) {
  if (!is_word(code[at]) || at + 2 >= code.size() || !code[at + 1].is("=") || code[at + 2].is("="))
    return false;
  if (at == 0) return true;
  const auto& before = code[at - 1];
  return before.is(";") || before.is("{") || before.is("}") || before.is("Tensor") || before.is("auto");
}

/// Returns the assignments of a piece of C++ whose first line is `line`.
std::vector<Assignment> assignments_in(std::string_view source, std::size_t line) {
  std::vector<Assignment> found;
  const auto lines = notebook::code_lines(source);
  const auto tokens = tokens_of(lines);
  const auto partners = bracket_partners(tokens);
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (!begins_assignment(tokens, at)) continue;
    auto end = at + 2;
    while (end < tokens.size() && !tokens[end].is(";") && partners[end] >= end) end = partners[end] + 1;
    if (end >= tokens.size() || !tokens[end].is(";")) continue;
    const auto code = Tokens(tokens).subspan(at + 2, end - at - 2);
    auto operation = is_plain(code) ? outermost(code) : "";
    if (operation.empty()) continue;
    found.push_back({.first = line + tokens[at].line - 1,
                     .last = line + tokens[end].line - 1,
                     .variable = std::string(tokens[at].text),
                     .operation = std::move(operation)});
  }
  return found;
}

/// Returns the lines of a piece of C++ whose statements only print. Its first line is `line`.
std::vector<std::size_t> printing_lines_in(std::string_view source, std::size_t line) {
  std::vector<std::size_t> found;
  const auto lines = notebook::code_lines(source);
  const auto tokens = tokens_of(lines);
  const auto partners = bracket_partners(tokens);
  for (std::size_t at = 0; at + 3 < tokens.size(); ++at) {
    const bool prints = tokens[at].is("nb") && tokens[at + 1].is(".") && tokens[at + 3].is("(") &&
                        is_one_of(tokens[at + 2].text, {"print", "display"});
    const auto end = partners[at + 3] + 1;
    if (!prints || end >= tokens.size() || !tokens[end].is(";")) continue;
    const bool begins = at == 0 || tokens[at - 1].line < tokens[at].line;
    const bool ends = end + 1 == tokens.size() || tokens[end + 1].line > tokens[end].line;
    bool assigns = false;
    for (auto i = at; i < end; ++i) assigns = assigns || is_assignment(tokens, i);
    if (!begins || !ends || assigns) continue;
    for (auto own = tokens[at].line; own <= tokens[end].line; ++own) found.push_back(line + own - 1);
  }
  return found;
}

/// Returns what `find` finds in the pieces of a port, from their texts and first lines.
template <class Find>
auto found_in(const notebook::Transcript& transcript, const Find& find) {
  decltype(find("", 0)) all;
  const auto add = [&](const auto& part) {
    if constexpr (requires { part.source_line; }) {
      if (part.source_line == 0) return;
      try {
        std::ranges::move(find(part.source, part.source_line), std::back_inserter(all));
      } catch (const notebook::TextError&) {
        return;  // a piece that does not end in itself, such as one inside #if
      }
    }
  };
  for (const auto& item : transcript.items) std::visit(add, item);
  return all;
}

/// Returns the assignments of a port. A line belongs to one of them at most.
std::vector<Assignment> assignments_of(const notebook::Transcript& transcript) {
  auto all = found_in(transcript, assignments_in);
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].first > all[i - 1].last) continue;
    all[i].operation.clear();
    all[i - 1].operation.clear();
  }
  return all;
}

/// Returns the line in `folder/port.cpp:12`, or nullopt if the file is another one.
std::optional<std::size_t> line_in(std::string_view text, std::string_view file) {
  const auto colon = text.rfind(':');
  if (colon == text.npos || file.empty()) return std::nullopt;
  auto path = text.substr(0, colon);
  if (const auto slash = path.rfind('/'); slash != path.npos) path.remove_prefix(slash + 1);
  return path == file ? notebook::parse_integer<std::size_t>(text.substr(colon + 1)) : std::nullopt;
}

}  // namespace

std::map<std::size_t, std::string> variables(const trace_diff::Flow& flow,
                                             const notebook::Transcript& transcript) {
  std::map<std::size_t, std::string> names;
  const auto assignments = assignments_of(transcript);
  for (const auto& step : flow.steps()) {
    const auto& operation = flow.trace.operations[step.operation];
    const auto line = line_in(flow.texts[operation.line], transcript.port_file);
    if (!line || step.results.size() != 1) continue;
    for (const auto& one : assignments) {
      const bool is_it = one.first <= *line && *line <= one.last;
      if (is_it && trace_diff::plain_name(flow.texts[operation.name]) == one.operation)
        names.try_emplace(step.results.front(), one.variable);
    }
  }
  for (std::size_t value = 0; value < flow.size();
       ++value) {  // a write to a tensor leaves it in its variable
    const auto& made = flow[value];
    const bool is_written = made.by == trace_diff::Made::By::insertion ||
                            (made.by == trace_diff::Made::By::operation && flow.name(made).ends_with('_'));
    if (!is_written || made.inputs.empty()) continue;
    if (const auto before = names.find(made.inputs.front()); before != names.end())
      names.try_emplace(value, before->second);
  }
  return names;
}

std::set<std::uint32_t> printing(const trace_diff::Flow& flow, const notebook::Transcript& transcript) {
  std::set<std::uint32_t> operations;
  const auto found = found_in(transcript, printing_lines_in);
  const std::set<std::size_t> lines(found.begin(), found.end());
  for (const auto& step : flow.steps()) {
    if (lines.empty() || !step.results.empty()) continue;  // a number is no tensor
    const auto line = line_in(flow.texts[flow.trace.operations[step.operation].line], transcript.port_file);
    if (line && lines.contains(*line)) operations.insert(step.operation);
  }
  return operations;
}

}  // namespace torchbook::site
