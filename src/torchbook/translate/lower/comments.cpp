// Carries the comments and empty lines of the Python over to the C++.
#include <torchbook/translate/lower/translator.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace torchbook::translate {
namespace {

constexpr std::size_t longest_comment = 100;

/// Adds a comment of its own, in lines of its own.
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

}  // namespace

/// Emits the comments that stand alone between two lines, and an empty line for those that the Python has.
void Translator::comments_between(int after, int before, bool first) {
  int line = after;
  bool any = false;
  for (const auto& each : comments_) {
    const bool of_jupyter = each.text.starts_with('%') || each.text.starts_with('!');
    if (!each.alone || each.line <= after || each.line >= before || each.text.empty() || of_jupyter) continue;
    if (each.line > line + 1 && (any || !first)) emit(cpp::Plain{});
    add_lines(each.text, *statements_);
    line = each.line;
    any = true;
  }
  if (before > line + 1 && (any || !first) && before != after_all) emit(cpp::Plain{});
}

/// Puts the comments that follow a statement's Python after its C++, or above it if it has several
/// lines.
void Translator::comments_behind(const Node& node, std::size_t first) {
  const bool block = node.has("body");
  const int end = block ? above_with_comments(node.list("body").front().line()) + 1 : node.last_line() + 1;
  std::vector<std::string_view> texts;
  for (const auto& each : comments_) {
    const bool inside =
        each.line >= node.line() && each.line < end && (!each.alone || each.line > node.line());
    if (inside && !each.text.empty()) texts.push_back(each.text);
  }
  if (texts.empty() || statements_->size() == first) return;
  auto& last = statements_->back();
  constexpr std::size_t short_text = 60;
  if (!block && texts.size() == 1 && texts[0].size() <= short_text && statements_->size() == first + 1 &&
      last.comment.empty()) {
    last.comment = texts[0];
    return;
  }
  cpp::Stmts above;
  for (const auto text : texts) add_lines(text, above);
  statements_->insert(statements_->begin() + static_cast<std::ptrdiff_t>(first), above.begin(), above.end());
}

/// Returns the line above the comments that stand directly above a line.
int Translator::above_with_comments(int line) const {
  auto next = std::lower_bound(comments_.begin(), comments_.end(), line,
                               [](const auto& each, int wanted) { return each.line < wanted; });
  while (next != comments_.begin() && std::prev(next)->alone && std::prev(next)->line == line - 1) {
    --next;
    --line;
  }
  return line - 1;
}

/// Translates the statements of a block, with the comments above and after them.
void Translator::block_statements(const std::vector<Node>& statements) {
  if (statements.empty()) return;
  int after = above_with_comments(statements.front().line());
  bool first = true;
  for (const auto& each : statements) {
    comments_between(after, each.line(), first);
    const auto before = statements_->size();
    statement(each);
    comments_behind(each, before);
    first = first && statements_->empty();
    after = each.last_line();
  }
}

}  // namespace torchbook::translate
