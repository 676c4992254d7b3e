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

constexpr std::string_view of_layer = "a layer";  // for an operation: whatever the layer runs last

/// A statement that assigns the result of an operation to a variable.
struct Assignment {
  std::size_t first = 0;  // its lines in the port's file
  std::size_t last = 0;
  std::string variable{};
  std::string operation{};       // that gives it; empty if that is not certain
  bool is_last = false;          // whether the last operation of the statement gives it, one of several
  bool follows_another = false;  // `y = …` in `Tensor x = …, y = …`
};

/// A call of a layer of LibTorch.
struct LayerCall {
  std::size_t end = 0;   // where it ends: calls run in this order
  std::size_t line = 0;  // in the port's file
  std::string layer{};   // the variable
  std::string operation{};
  std::size_t weight = 0;  // the place of its weight among the tensors of the operation
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
  if (code[at].text.ends_with("Options") || code[at].is("infinity")) return true;
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

/// A layer of LibTorch with weights, the operation that takes them, and their place among its tensors. One
/// without weights has no operation.
struct LayerClass {
  std::string_view name;
  std::string_view operation{};
  std::size_t weight = 1;
};
constexpr LayerClass layer_classes[] = {
    {"Linear", "linear"},
    {"Embedding", "embedding", 0},
    {"LayerNorm", "layer_norm"},
    {"Conv1d", "conv1d"},
    {"Conv2d", "conv2d"},
    {"GroupNorm", "group_norm"},
    {"Dropout"},
    {"ReLU"},
    {"GELU"},
    {"Tanh"},
    {"Sigmoid"},
    {"SiLU"},
};
using Layers = std::map<std::string, const LayerClass*, std::less<>>;

/// Returns the variables that hold layers: `Linear query(8, 8), key(8, 8);` or `auto query = Linear(8, 8);`.
std::vector<Layers::value_type> layers_in(std::string_view source, std::size_t) {
  std::vector<Layers::value_type> layers;
  const auto lines = notebook::code_lines(source);
  const auto code = tokens_of(lines);
  const auto partners = bracket_partners(code);
  for (std::size_t at = 0; at + 1 < code.size(); ++at) {
    const auto* const found = std::ranges::find(layer_classes, code[at].text, &LayerClass::name);
    if (found == std::end(layer_classes)) continue;
    auto before = at;  // of torch::nn::Linear
    while (before >= 3 && code[before - 1].is(":") && code[before - 2].is(":")) before -= 3;
    const bool is_assigned = before >= 2 && code[before - 1].is("=") && is_word(code[before - 2]);
    if (is_assigned && code[at + 1].is("(")) layers.emplace_back(code[before - 2].text, found);
    for (auto name = at + 1; name + 1 < code.size() && is_word(code[name]);) {
      layers.emplace_back(code[name].text, found);
      const bool has_arguments = is_one_of(code[name + 1].text, {"(", "{"});
      const auto end = has_arguments ? partners[name + 1] + 1 : name + 1;
      name = end < code.size() && code[end].is(",") ? end + 1 : code.size();
    }
  }
  return layers;
}

/// Returns whether an expression calls only layers and what is_plain_call() allows, and has no lambda or
/// condition.
bool is_plain(Tokens code, const Layers& layers) {
  for (std::size_t at = 0; at < code.size(); ++at) {
    const bool opens = at + 1 < code.size() && code[at + 1].is("(");
    const bool is_called = opens && is_word(code[at]) && !layers.contains(code[at].text);
    if (is_called && !is_plain_call(code, at)) return false;
    if (opens && (code[at].is("]") || code[at].is(")") || code[at].is(">"))) return false;
    const bool is_arrow = code[at].is("-") && at + 1 < code.size() && code[at + 1].is(">");
    if (is_arrow || code[at].is("?") || is_assignment(code, at)) return false;
  }
  return true;
}

std::size_t count_of(Tokens code, std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(code, [&](const auto& one) { return one.is(text); }));
}

/// Returns the operation of the binary operator that runs last, or an empty text if not all of the operators
/// are arithmetic.
std::string_view last_to_run(Tokens code, std::span<const std::size_t> operators) {
  std::string_view last;
  for (std::size_t i = 0; i < operators.size(); ++i) {
    const auto operation = operation_of(code[operators[i]]);
    const bool has_left = operators[i] > (i == 0 ? 0 : operators[i - 1] + 1);
    if (operation.empty() || !has_left) return {};
    if (last.empty() || is_one_of(operation, {"add", "sub"}) || is_one_of(last, {"mul", "div"}))
      last = operation;
  }
  return last;
}

/// Returns an assignment of a plain expression to no variable yet. It has no operation if that is not
/// certain.
Assignment outermost(Tokens code, const Layers& layers) {
  const auto partners = bracket_partners(code);
  std::vector<std::size_t> operators;
  for (std::size_t at = 0; at < code.size(); at = std::max(at, partners[at]) + 1) {
    if (is_punctuation(code[at]) && partners[at] == at && !code[at].is(".") && !code[at].is(":"))
      operators.push_back(at);
  }
  if (!operators.empty()) {
    const auto sign = last_to_run(code, operators);
    return {.operation = std::string(sign),
            .is_last = operators.size() > 1 || count_of(code, code[operators[0]].text) > 1};
  }
  const auto open = partners.back();
  if (!code.back().is(")") || open == 0 || !is_word(code[open - 1])) return {};
  const auto name = code[open - 1].text;
  if (layers.contains(name)) return {.operation = std::string(of_layer), .is_last = true};
  const bool makes = name == "tensor" || name == "to";  // LibTorch's torch::tensor ends with a `to`
  const auto count = makes ? count_of(code, "tensor") + count_of(code, "to") : count_of(code, name);
  return {.operation = std::string(makes ? "to" : name), .is_last = count > 1};
}

/// Returns whether an assignment to the word at `at` is a statement of its own, or a part of one: `x = …`,
/// `const Tensor x = …` or `Tensor x = …, y = …`.
bool begins_assignment(Tokens code, std::size_t at, bool follows_another) {
  if (!is_word(code[at]) || at + 2 >= code.size() || !code[at + 1].is("=") || code[at + 2].is("="))
    return false;
  if (at == 0) return true;
  const auto& before = code[at - 1];
  return is_one_of(before.text, {";", "{", "}", "Tensor", "auto"}) || (before.is(",") && follows_another);
}

/// Returns the assignments of a piece of C++ whose first line is `line`.
std::vector<Assignment> assignments_in(std::string_view source, std::size_t line, const Layers& layers) {
  std::vector<Assignment> found;
  const auto lines = notebook::code_lines(source);
  const auto tokens = tokens_of(lines);
  const auto partners = bracket_partners(tokens);
  std::size_t statement = 0, after = 0;  // where one assignment ended with a comma
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const bool follows_another = at != 0 && at == after;
    if (!begins_assignment(tokens, at, follows_another)) continue;
    auto end = at + 2;
    while (end < tokens.size() && !tokens[end].is(";") && !tokens[end].is(",") && partners[end] >= end)
      end = partners[end] + 1;
    if (end >= tokens.size() || partners[end] != end) continue;
    if (!follows_another) statement = tokens[at].line;
    if (tokens[end].is(",")) after = end + 1;
    const auto code = Tokens(tokens).subspan(at + 2, end - at - 2);
    auto one = is_plain(code, layers) ? outermost(code, layers) : Assignment();
    one.first = line + statement - 1;
    one.last = line + tokens[end].line - 1;
    one.variable = tokens[at].text;
    one.follows_another = follows_another;
    found.push_back(std::move(one));
  }
  return found;
}

/// Returns the calls of layers with weights in a piece of C++ whose first line is `line`, in the order in
/// which they run. A line with a condition has none.
std::vector<LayerCall> layer_calls_in(std::string_view source, std::size_t line, const Layers& layers) {
  std::vector<LayerCall> found;
  const auto lines = notebook::code_lines(source);
  const auto tokens = tokens_of(lines);
  const auto partners = bracket_partners(tokens);
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    const auto layer = layers.find(tokens[at].text);
    const auto& before = tokens[at - 1];
    const bool is_declared = is_word(before) && !before.is("return");
    if (layer == layers.end() || !tokens[at + 1].is("(") || is_declared || layer->second->operation.empty())
      continue;
    const bool has_condition = lines[tokens[at].line - 1].code.find('?') != std::string_view::npos;
    if (!has_condition)
      found.push_back({.end = partners[at + 1],
                       .line = line + tokens[at].line - 1,
                       .layer = std::string(layer->first),
                       .operation = std::string(layer->second->operation),
                       .weight = layer->second->weight});
  }
  std::ranges::sort(found, {}, &LayerCall::end);
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
  decltype(find(std::string_view(), std::size_t{})) all;
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

/// A statement of assignments, mostly of one.
struct Statement {
  std::size_t first = 0;  // its lines in the port's file
  std::size_t last = 0;
  std::vector<Assignment> assignments{};

  bool has(std::optional<std::size_t> line) const { return line && first <= *line && *line <= last; }
};

/// Returns the statements of a port that assign. A line belongs to one of them at most.
std::vector<Statement> statements_of(const notebook::Transcript& transcript, const Layers& layers) {
  std::vector<Statement> statements;
  for (auto& one :
       found_in(transcript, [&](auto source, auto line) { return assignments_in(source, line, layers); })) {
    if (!one.follows_another || statements.empty()) statements.push_back({.first = one.first});
    statements.back().last = one.last;
    statements.back().assignments.push_back(std::move(one));
  }
  for (std::size_t i = 1; i < statements.size(); ++i) {
    if (statements[i].first > statements[i - 1].last) continue;
    statements[i].assignments.clear();
    statements[i - 1].assignments.clear();
  }
  return statements;
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

namespace {

/// Names the results of a statement that ran once: `run` are its operations, in order.
void name_assigned(const trace_diff::Flow& flow, const Statement& statement,
                   std::span<const trace_diff::Step> run, std::map<std::size_t, std::string>& names) {
  const auto& all = statement.assignments;
  const auto name_if = [&](const Assignment& one, const trace_diff::Step& step) {
    const auto operation = trace_diff::plain_name(flow.texts[flow.trace.operations[step.operation].name]);
    if (step.results.size() == 1 && (one.operation == of_layer || one.operation == operation))
      names.try_emplace(step.results.front(), one.variable);
  };
  if (all.size() == 1 && !all[0].is_last) {
    for (const auto& step : run) name_if(all[0], step);
  } else if (all.size() == run.size()) {
    for (std::size_t i = 0; i < all.size(); ++i) name_if(all[i], run[i]);
  } else if (!all.empty()) {
    name_if(all.back(), run.back());
  }
}

/// Names what statements assign.
void name_variables(const trace_diff::Flow& flow, const notebook::Transcript& transcript,
                    const Layers& layers, std::span<const std::optional<std::size_t>> lines,
                    std::map<std::size_t, std::string>& names) {
  const std::span steps = flow.steps();
  const auto statements = statements_of(transcript, layers);
  for (const auto& statement : statements) {
    for (std::size_t begin = 0, end = 0; begin < steps.size(); begin = std::max(end, begin + 1)) {
      for (end = begin; end < steps.size() && statement.has(lines[end]);) ++end;
      if (end > begin) name_assigned(flow, statement, steps.subspan(begin, end - begin), names);
    }
  }
}

/// Names the weights and biases that layers take: `query.weight`.
void name_weights(const trace_diff::Flow& flow, const notebook::Transcript& transcript, const Layers& layers,
                  std::span<const std::optional<std::size_t>> lines,
                  std::map<std::size_t, std::string>& names) {
  const auto calls =
      found_in(transcript, [&](auto source, auto line) { return layer_calls_in(source, line, layers); });
  std::map<std::pair<std::size_t, std::string_view>, std::vector<const LayerCall*>> by_operation;
  for (const auto& call : calls) by_operation[{call.line, call.operation}].push_back(&call);
  std::map<const LayerCall*, std::size_t> ran;  // by the first call of a line: how many calls of it ran
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto& [operation, inputs, results] = flow.steps()[i];
    const auto found = by_operation.find(
        {lines[i].value_or(0), trace_diff::plain_name(flow.texts[flow.trace.operations[operation].name])});
    if (found == by_operation.end()) continue;
    const auto& line = found->second;
    const auto& call = *line[ran[line.front()]++ % line.size()];
    if (call.weight < inputs.size()) names.try_emplace(inputs[call.weight], call.layer + ".weight");
    if (call.weight == 1 && inputs.size() == 3) names.try_emplace(inputs[2], call.layer + ".bias");
  }
}

}  // namespace

std::map<std::size_t, std::string> variables(const trace_diff::Flow& flow,
                                             const notebook::Transcript& transcript) {
  std::map<std::size_t, std::string> names;
  std::vector<std::optional<std::size_t>> lines;
  for (const auto& step : flow.steps())
    lines.push_back(line_in(flow.texts[flow.trace.operations[step.operation].line], transcript.port_file));
  const auto found = found_in(transcript, layers_in);
  const Layers layers(found.begin(), found.end());
  name_variables(flow, transcript, layers, lines, names);
  name_weights(flow, transcript, layers, lines, names);
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
