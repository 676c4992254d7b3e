#include <fmt/format.h>
#include <tools/import/translate/classes/classes.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/match.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/conditions.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/operators.h>
#include <tools/import/translate/functions/functions.h>
#include <tools/import/translate/statements/assignments.h>
#include <tools/import/translate/statements/blocks.h>
#include <tools/import/translate/statements/comments.h>
#include <tools/import/translate/statements/later_types.h>
#include <tools/import/translate/statements/loops.h>
#include <tools/import/translate/statements/narrowing.h>

#include <algorithm>
#include <set>

namespace torchbook::translate {

/// Declares a second variable for a number above a block that makes it a tensor.
static void widen_above(Builder& b, const Node& owner, const std::string& name) {
  const auto& number = *b.scope().own(name);
  if (number.still_int) refuse_int(name);
  const auto value = value_of(number.type, number.expr());
  lose_readers_of(b, name);
  declare_name(b, owner, name, value);
}

/// Notes which variables of the notebook, ints above a block, are floats below: those that the block assigned
/// one.
static void note_floats_after(Builder& b, const Node& block) {
  for (const auto& name : assigned_names({block})) {
    auto* const variable = b.scope().own(name);
    if (variable != nullptr && variable->still_int) variable->still_int = !becomes_float_in(b, block, name);
  }
}

void hoisted(Builder& b, const Node& owner, const std::function<void()>& write) {
  std::set<std::string> mine;
  const bool outermost = b.scope().depth() == 0 && b.frame->loops == 0;
  const bool loops = owner.is(Ast::For) || owner.is(Ast::While);  // else reads names that the body assigns
  const int last = loops ? owner.body().back().last_line() : owner.last_line();
  for (const auto& name : assigned_names({owner})) {
    const auto* variable = b.scope().own(name);
    const bool exists = variable != nullptr && variable->missing.empty();
    const int above = b.frame->is_notebook ? b.here.first_line : 0;
    const bool next_time =
        loops && is_read_after(b.frame->uses, name, above + owner.line() - 1, above + last);
    const bool read_later = next_time || is_read_after(b.frame->uses, name, above + last) ||
                            is_read_after(b.frame->uses, name, above + owner.last_line());
    const bool renewed = exists && !read_later && outermost &&
                         !b.frame->uses.read_by_functions.contains(name) &&
                         !is_read_after(b.frame->uses, name, above + owner.line() - 1) &&
                         needs_another_in(b, owner, name, variable->type);
    if (exists && outermost && becomes_tensor_in(b, owner, name, variable->type)) widen_above(b, owner, name);
    if (renewed) b.scope().lose(name, fmt::format("{} had another value before", name));
    if (exists || !read_later || b.frame->hoisted.contains(name)) continue;
    b.frame->hoisted[name] = {
        .depth = b.scope().depth(), .blocks = b.frame->blocks, .branches = b.frame->branches};
    mine.insert(name);
  }
  ++b.frame->blocks;
  auto block = b.captured(write);
  --b.frame->blocks;
  for (const auto& name : mine) {
    const auto& hoisted = b.frame->hoisted[name];
    if (hoisted.type && !hoisted.type->is(Kind::none)) {
      auto declared = declared_first(*hoisted.type, hoisted.code);
      if (hoisted.is_static) declared.type.insert(0, "static ");
      b.emit(declared);
    }
    b.frame->hoisted.erase(name);
  }
  b.add(std::move(block));
  if (b.frame->is_notebook && b.frame->blocks == 0) note_floats_after(b, owner);
}

void block(Builder& b, const std::vector<Node>& statements) {
  b.scope().open();
  block_statements(b, statements);
  b.scope().close();
}

void branch(Builder& b, const std::vector<Node>& statements, bool never) {
  ++b.frame->branches;
  block_or_never(
      b, statements, [&] { block(b, statements); }, never);
  --b.frame->branches;
}

void block_or_never(Builder& b, const std::vector<Node>& statements, const std::function<void()>& write,
                    bool never) {
  if (statements.empty()) return;
  const auto& first = statements.front();
  const auto* const seen = b.observed();
  never = never || (seen != nullptr && !seen->blocks.contains({first.line(), first.column()}));
  or_never_ran(b, never, write, [&](const NotPorted& why) { never_ran(b, first.line(), "", "", why); });
}

void if_block(Builder& b, const Node& node) {
  cpp::If written;
  const auto known = narrowed(b, node.test(), written);
  if (!known) written.test = true_or_false(b, node.test()).expr;
  written.body = b.captured([&] { branch(b, node.body(), cpp::is_written(written.test, false)); });
  if (known) b.scope().show(known->name, known->before);
  const auto else_body = node.orelse();
  const bool more = else_body.size() == 1 && else_body[0].is(Ast::If);
  written.else_body = b.captured([&] {
    if (!more) return branch(b, else_body, cpp::is_written(written.test, true));
    block_or_never(b, else_body, [&] { if_block(b, else_body[0]); });
  });
  b.emit(std::move(written));
}

void while_block(Builder& b, const Node& node) {
  loop(b, node, {.loop = cpp::While{.test = true_or_false(b, node.test()).expr, .body = {}}});
}

void with_block(Builder& b, const Node& node) {
  const std::map<std::string_view, std::string_view> guards = {
      {"torch.no_grad", "torch::NoGradGuard no_grad;"},
      {"torch.inference_mode", "c10::InferenceMode inference_mode;"},
      {"torch.enable_grad", "torch::AutoGradMode enable_grad(true);"}};
  cpp::Block written;
  for (const auto& item : node.items()) {
    const auto call = item.context_expr();
    const auto path = call.is(Ast::Call) ? b.path_of(call.func()) : std::nullopt;
    const auto found = path ? guards.find(*path) : guards.end();
    if (path == "torch.set_grad_enabled" && !item.has_optional_vars()) {
      const auto given = arguments(b, call);
      const auto [mode] = match("torch.set_grad_enabled", given, {{"mode", {Kind::boolean}}});
      written.body.push_back(
          {.kind = cpp::Declare{.type = "torch::AutoGradMode", .name = "enable_grad", .value = mode->expr}});
      continue;
    }
    if (found == guards.end() || item.has_optional_vars() || !call.args().empty()) {
      refuse("a with statement has a context other than torch.no_grad()");
    }
    written.body.push_back({.kind = cpp::Plain{std::string(found->second)}});
  }
  auto body = b.captured([&] { block(b, node.body()); });
  written.body.insert(written.body.end(), body.begin(), body.end());
  b.emit(std::move(written));
}

void try_block(Builder& b, const Node& node) {
  const auto handlers = node.handlers();
  const auto leaves = [](const Node& each) {
    return each.is(Ast::Return) || each.is(Ast::Raise) || each.is(Ast::Break) || each.is(Ast::Continue);
  };
  if (!node.finalbody().empty() && node.any(leaves)) refuse("a try statement with finally is left early");
  if (handlers.empty()) {
    branch(b, node.body());
    return branch(b, node.finalbody());
  }
  if (handlers.size() != 1) refuse("a try statement has more than one except");
  cpp::Try written;
  const bool before = std::exchange(b.here.in_try, true);
  auto tried = node.body();
  for (const auto& each : node.orelse()) tried.push_back(each);  // it raised nothing in Python's run
  written.body = b.captured([&] { branch(b, tried); });
  b.here.in_try = before;
  b.scope().open();
  if (handlers[0].has_name()) {
    const auto name = std::string(handlers[0].name());
    static const std::set<std::string_view> without_derived = {
        "ValueError", "TypeError", "KeyError", "IndexError", "RuntimeError", "ZeroDivisionError"};
    auto& error = b.scope().declare(name, Kind::error);
    const auto caught = handlers[0].has_caught() ? handlers[0].caught() : handlers[0];
    if (caught.is(Ast::Name) && without_derived.contains(caught.id())) error.raised = caught.id();
    written.name = error.code;
  }
  written.handler = b.captured([&] { branch(b, handlers[0].body()); });
  b.scope().close();
  b.emit(std::move(written));
  if (!node.finalbody().empty()) branch(b, node.finalbody());
}

void raise(Builder& b, const Node& node) {
  static const std::set<std::string_view> known = {"ValueError",          "RuntimeError",   "TypeError",
                                                   "IndexError",          "AssertionError", "Exception",
                                                   "NotImplementedError", "AttributeError"};
  if (!node.has_exc() || node.has_cause()) refuse("it raises in a form that is not translated");
  b.frame->raises = true;
  const auto raised = node.exc();
  const auto type = raised.is(Ast::Call) ? raised.func() : raised;
  const auto given = raised.is(Ast::Call) ? raised.args() : std::vector<Node>{};
  if (!type.is(Ast::Name) || !known.contains(type.id()) || b.scope().find(type.id()) != nullptr ||
      given.size() > 1)
    refuse("it raises something other than an exception of Python's own");
  auto text = value_of(Kind::string, string_literal(type.id()));
  if (!given.empty()) text = expression(b, given[0]);
  if (!text.is(Kind::string)) refuse("an exception says something other than a str");
  b.emit(cpp::Evaluate{
      cpp::call("throw std::runtime_error", {text.expr}).with(cpp::writes(cpp::Place::control))});
}

}  // namespace torchbook::translate
