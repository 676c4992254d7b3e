#include <absl/strings/str_split.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/cpp/walk.h>
#include <tools/import/translate/expressions/operators.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/statements/comments.h>
#include <tools/import/translate/statements/statements.h>
#include <torchbook/notebook/cells/axis.h>
#include <torchbook/notebook/parse_integer.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::translate {
namespace {

constexpr std::size_t longest_comment = 100;

/// Adds a comment in lines of its own, of at most `longest_comment` columns where possible.
void add_lines(std::string_view text, cpp::Stmts& statements) {
  while (true) {
    auto end = text.size();
    if (end > longest_comment) {
      end = text.rfind(' ', longest_comment);
      if (end == text.npos || end == 0) end = std::min(text.find(' '), text.size());
    }
    statements.push_back({.kind = cpp::Plain{"// " + std::string(text.substr(0, end))}});
    if (end == text.size()) return;
    text.remove_prefix(end + 1);
  }
}

/// Returns the size of a dimension of a tensor after the last assignment to it above a line of the cell; 0 if
/// it is not known.
std::size_t entries_of(const Builder& b, const notebook::NamedAxis& named, int line) {
  std::string shape;
  for (const auto& [place, shapes] : b.cells[b.here.cell - 1].shapes) {
    const auto found = shapes.find(named.tensor);
    if (place.first < line && found != shapes.end()) shape = found->second;
  }
  const std::vector<std::string> sizes = absl::StrSplit(shape, absl::ByAnyChar("(, )"), absl::SkipEmpty());
  const auto dim = static_cast<std::size_t>(named.axis.dim);
  return dim < sizes.size() ? notebook::parse_integer<std::size_t>(sizes[dim]).value_or(0) : 0;
}

/// `nb.axis(x, 0, {"the", "cat"});` or `nb.words(ids, {"cat", "the"});` for a comment that names the entries
/// of a tensor which the cell has assigned above; nullopt for another comment.
std::optional<cpp::Stmt> axis_of(Builder& b, const Comment& comment) {
  const bool at_top = b.frame == &b.notebook && b.scope().depth() == 0 && comment.line > b.here.last_axis;
  const auto named =
      comment.names_axis && at_top ? notebook::axis_of_comment("# " + comment.text) : std::nullopt;
  const auto* variable = named ? b.scope().own(named->tensor) : nullptr;
  const bool is_tensor = variable != nullptr && variable->type.is(Kind::tensor) &&
                         variable->missing.empty() && variable->code == named->tensor;
  const bool has_words = named && named->axis.dim == notebook::of_words;
  if (!is_tensor || (!has_words && entries_of(b, *named, comment.line) != named->axis.names.size()))
    return std::nullopt;
  b.here.last_axis = comment.line;
  std::vector<cpp::Expr> names;
  for (const auto& name : named->axis.names) names.push_back(cpp::string(name));
  std::vector<cpp::Expr> arguments{variable->expr()};
  if (!has_words) arguments.push_back(cpp::number(named->axis.dim));
  arguments.push_back(cpp::braces(std::move(names)));
  return cpp::Stmt{.kind = cpp::Evaluate{
                       cpp::method(cpp::name("nb"), has_words ? "words" : "axis", std::move(arguments))}};
}

/// Returns the elements of the outermost list, dict or call that has one element a line.
std::vector<Node> rows_of(const Node& node) {
  std::vector<Node> rows;
  node.walk([&](const Node& each) {
    if (!rows.empty()) return false;
    if (each.is(Ast::List) || each.is(Ast::Tuple)) rows = each.elts();
    if (each.is(Ast::Dict)) rows = each.values();
    if (each.is(Ast::Call)) rows = each.args();
    const auto same_line = [](const Node& one, const Node& two) {
      return one.last_line() == two.last_line();
    };
    const bool separate = std::adjacent_find(rows.begin(), rows.end(), same_line) == rows.end();
    if (rows.size() < 2 || !separate) rows.clear();
    return rows.empty();
  });
  return rows;
}

/// Returns an expression with comments after the parts of its outermost list of that size.
cpp::Expr with_row_comments(const cpp::Expr& expr, const std::vector<std::string>& comments) {
  if (!expr) return expr;
  const bool is_list = expr.is(cpp::Kind::braces) || expr.is(cpp::Kind::construct);
  if (is_list && expr.parts().size() == comments.size()) return expr.commented(comments);
  auto parts = expr.parts();
  for (auto& part : parts) {
    auto changed = with_row_comments(part, comments);
    if (changed == part) continue;
    part = std::move(changed);
    return expr.with_parts(std::move(parts));
  }
  return expr;
}

/// Returns the expression that a simple statement consists of; nullptr for another statement.
cpp::Expr* value_in(cpp::Stmt& statement) {
  return std::visit(cpp::Overloaded{[](cpp::Evaluate& each) { return &each.value; },
                                    [](cpp::Declare& each) { return &each.value; },
                                    [](cpp::Assign& each) { return &each.value; },
                                    [](cpp::Return& each) { return &each.value; },
                                    [](auto&) -> cpp::Expr* { return nullptr; }},
                    statement.kind);
}

/// Moves comments that follow the rows of a list, `[1,  # one`, to those of a statement's C++.
void add_to_rows(const Node& node, cpp::Stmt& statement, std::vector<Comment>& found) {
  const auto rows = rows_of(node);
  std::vector<std::string> comments(rows.size());
  std::vector<Comment> others;
  for (const auto& each : found) {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const Node& element) { return element.last_line() == each.line; });
    if (each.alone || row == rows.end()) {
      others.push_back(each);
    } else {
      comments[static_cast<std::size_t>(row - rows.begin())] = each.text;
    }
  }
  auto* const value = value_in(statement);
  if (others.size() == found.size() || value == nullptr) return;
  const auto last = std::exchange(comments.back(), {});  // the statement ends before it
  auto changed = with_row_comments(*value, comments);
  if (changed == *value) return;
  *value = std::move(changed);
  if (!last.empty()) statement.comment = statement.comment.empty() ? last : last + "  " + statement.comment;
  found = std::move(others);
}

}  // namespace

void comments_between(Builder& b, int after, int before, bool first) {
  int line = after;
  bool any = false;
  for (const auto& each : b.here.comments) {
    const bool of_jupyter = each.text.starts_with('%') || each.text.starts_with('!');
    if (!each.alone || each.line <= after || each.line >= before || each.text.empty() || of_jupyter) continue;
    if (each.line > line + 1 && (any || !first)) b.emit(cpp::Plain{});
    if (auto axis = axis_of(b, each))
      b.statements->push_back(std::move(*axis));
    else
      add_lines(each.text, *b.statements);
    line = each.line;
    any = true;
  }
  if (before > line + 1 && (any || !first) && before != after_all) b.emit(cpp::Plain{});
}

void comments_after(Builder& b, const Node& node, std::size_t first) {
  const bool block = node.has_body();
  const int end = block ? above_with_comments(b, node.body().front()) + 1 : node.last_line() + 1;
  std::vector<Comment> found;
  for (const auto& each : b.here.comments) {
    const bool inside =
        each.line >= node.line() && each.line < end && (!each.alone || each.line > node.line());
    if (inside && !each.text.empty()) found.push_back(each);
  }
  if (found.empty() || b.statements->size() == first) return;
  auto& last = b.statements->back();
  if (!block) add_to_rows(node, last, found);
  constexpr std::size_t short_text = 60;
  const bool single =
      !block && found.size() == 1 && b.statements->size() == first + 1 && last.comment.empty();
  if (single && found[0].text.size() <= short_text) {
    last.comment = found[0].text;
    return;
  }
  cpp::Stmts above;
  for (const auto& each : found) add_lines(each.text, above);
  b.statements->insert(b.statements->begin() + static_cast<std::ptrdiff_t>(first), above.begin(),
                       above.end());
}

int above_with_comments(Builder& b, const Node& node) {
  int line = node.line();
  if (node.has_decorator_list())
    for (const auto& each : node.decorator_list()) line = std::min(line, each.line());
  auto next = std::lower_bound(b.here.comments.begin(), b.here.comments.end(), line,
                               [](const auto& each, int wanted) { return each.line < wanted; });
  while (next != b.here.comments.begin() && std::prev(next)->alone && std::prev(next)->line == line - 1 &&
         std::prev(next)->column <= node.column()) {
    --next;
    --line;
  }
  return line - 1;
}

/// Returns the last line of the comments directly below a line that begin in this column or after it.
static int with_comments(Builder& b, int line, int column) {
  auto next = std::upper_bound(b.here.comments.begin(), b.here.comments.end(), line,
                               [](int wanted, const auto& each) { return wanted < each.line; });
  for (; next != b.here.comments.end() && next->alone && next->line == line + 1 && next->column >= column;
       ++next)
    ++line;
  return line;
}

int end_of(Builder& b, const Node& node) { return with_comments(b, node.last_line(), node.column() + 1); }

void block_statements(Builder& b, const std::vector<Node>& statements) {
  if (statements.empty()) return;
  int after = above_with_comments(b, statements.front());
  bool first = true;
  bool refused = false;
  for (const auto& each : statements) {
    if (b.here.reasons != nullptr) {
      refused = !tell_refusals(b, each) || refused;
      continue;
    }
    comments_between(b, after, each.line(), first);
    const auto before = b.statements->size();
    statement(b, each);
    comments_after(b, each, before);
    first = first && b.statements->empty();
    after = end_of(b, each);
  }
  if (refused) refuse_because_of(b.here.cell, "a statement in it is not translated");
  const int end = with_comments(b, after, statements.front().column());
  if (end > after) comments_between(b, after, end + 1, first);
}

}  // namespace torchbook::translate
