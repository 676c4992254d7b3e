// Translates statements with a block, but for loops, and raise. Declares the names that outlive a block.
#include <fmt/format.h>
#include <tools/import/translate/lower/translator.h>

#include <algorithm>
#include <set>

namespace torchbook::translate {

/// Translates a statement with a block. Names that it assigns and later lines read are declared above it.
void Translator::hoisted(const Node& owner, const std::function<void()>& write) {
  std::set<std::string> mine;
  const bool loops = owner.is("For") || owner.is("While");  // its else reads what its body assigns
  const int last = loops ? owner.list("body").back().last_line() : owner.last_line();
  for (const auto& name : assigned_names({owner})) {
    const auto* variable = scope().own(name);
    const bool exists = variable != nullptr && variable->missing.empty();
    const int above = frame_->is_notebook ? first_line_ : 0;
    const bool next_time =
        loops && is_read_behind(frame_->uses, name, above + owner.line() - 1, above + last);
    const bool read_later = next_time || is_read_behind(frame_->uses, name, above + last) ||
                            is_read_behind(frame_->uses, name, above + owner.last_line());
    const bool renewed = exists && !read_later && facts_->is_renewed(variable->definition) &&
                         scope().depth() == 0 && frame_->loops == 0 &&
                         !frame_->uses.read_by_functions.contains(name) &&
                         !is_read_behind(frame_->uses, name, above + owner.line() - 1);
    if (renewed) scope().lose(name, fmt::format("{} had another value before", name));
    if (exists || !read_later || frame_->hoisted.contains(name)) continue;
    frame_->hoisted[name] = {.depth = scope().depth(), .branches = frame_->branches};
    mine.insert(name);
  }
  auto block = captured(write);
  for (const auto& name : mine) {
    const auto& hoisted = frame_->hoisted[name];
    if (hoisted.type) {
      auto declared = declared_first(*hoisted.type, hoisted.code);
      if (hoisted.is_static) declared.type.insert(0, "static ");
      emit(declared);
    }
    frame_->hoisted.erase(name);
  }
  add(std::move(block));
}

void Translator::block(const std::vector<Node>& statements) {
  scope().open();
  block_statements(statements);
  scope().close();
}

/// Translates a block that may not run.
void Translator::branch(const std::vector<Node>& statements, bool never) {
  ++frame_->branches;
  block_or_never(
      statements, [&] { block(statements); }, never);
  --frame_->branches;
}

/// Writes a block, which needs no translation if it never runs: `never` says so, or Python's run.
void Translator::block_or_never(const std::vector<Node>& statements, const std::function<void()>& write,
                                bool never) {
  if (statements.empty()) return;
  const auto& first = statements.front();
  const auto* const seen = observed();
  never = never || (seen != nullptr && !seen->blocks.contains({first.line(), first.column()}));
  or_never_ran(never, write, [&](const NotPorted& why) { never_ran(first.line(), "", "", why); });
}

void Translator::if_block(const Node& node) {
  cpp::If written;
  const auto known = narrowed(node.child("test"), written);
  if (!known) written.test = true_or_false(node.child("test")).expr;
  written.body = captured([&] { branch(node.list("body"), written.test.is(cpp::Kind::boolean, "false")); });
  if (known) scope().show(known->name, known->before);
  const auto otherwise = node.list("orelse");
  const bool more = otherwise.size() == 1 && otherwise[0].is("If");
  written.otherwise = captured([&] {
    if (!more) return branch(otherwise, written.test.is(cpp::Kind::boolean, "true"));
    block_or_never(otherwise, [&] { if_block(otherwise[0]); });
  });
  emit(std::move(written));
}

void Translator::while_block(const Node& node) {
  loop(node, {.loop = cpp::While{.test = true_or_false(node.child("test")).expr, .body = {}}});
}

void Translator::with_block(const Node& node) {
  const std::map<std::string_view, std::string_view> guards = {
      {"torch.no_grad", "torch::NoGradGuard no_grad;"},
      {"torch.inference_mode", "c10::InferenceMode inference_mode;"},
      {"torch.enable_grad", "torch::AutoGradMode enable_grad(true);"}};
  cpp::Block written;
  for (const auto& item : node.list("items")) {
    const auto call = item.child("context_expr");
    const auto path = call.is("Call") ? path_of(call.child("func")) : std::nullopt;
    const auto found = path ? guards.find(*path) : guards.end();
    if (path == "torch.set_grad_enabled" && !item.has("optional_vars")) {
      const auto given = arguments(call);
      const auto* mode = given.find("mode", 0);
      if (mode == nullptr || given.count() != 1 || !mode->is(Kind::boolean))
        throw NotPorted("torch.set_grad_enabled takes something else than a bool");
      written.body.push_back(
          {.kind = cpp::Declare{.type = "torch::AutoGradMode", .name = "enable_grad", .value = mode->expr}});
      continue;
    }
    if (found == guards.end() || item.has("optional_vars") || !call.list("args").empty()) {
      throw NotPorted("a with statement has another context than torch.no_grad()");
    }
    written.body.push_back({.kind = cpp::Plain{std::string(found->second)}});
  }
  auto body = captured([&] { block(node.list("body")); });
  written.body.insert(written.body.end(), body.begin(), body.end());
  emit(std::move(written));
}

/// `except RuntimeError as error:` catches what LibTorch throws, which is not always a c10::Error.
void Translator::try_block(const Node& node) {
  const auto handlers = node.list("handlers");
  if (handlers.size() != 1 || !node.list("orelse").empty() || !node.list("finalbody").empty())
    throw NotPorted("a try statement has more than one except");
  cpp::Try written;
  const bool before = std::exchange(tries_, true);
  written.body = captured([&] { branch(node.list("body")); });
  tries_ = before;
  scope().open();
  if (handlers[0].has("name")) {
    const auto name = std::string(handlers[0].text("name"));
    written.name = scope().declare(name, Kind::error).code;
  }
  written.handler = captured([&] { branch(handlers[0].list("body")); });
  scope().close();
  emit(std::move(written));
}

/// `raise ValueError("it is empty")`. It ends the cell in both languages.
void Translator::raise(const Node& node) {
  static const std::set<std::string_view> known = {"ValueError",          "RuntimeError",   "TypeError",
                                                   "IndexError",          "AssertionError", "Exception",
                                                   "NotImplementedError", "AttributeError"};
  if (!node.has("exc") || node.has("cause")) throw NotPorted("it raises in a form that is not translated");
  frame_->raises = true;
  const auto raised = node.child("exc");
  const auto type = raised.is("Call") ? raised.child("func") : raised;
  const auto given = raised.is("Call") ? raised.list("args") : std::vector<Node>{};
  if (!type.is("Name") || !known.contains(type.text("id")) || scope().find(type.text("id")) != nullptr ||
      given.size() > 1)
    throw NotPorted("it raises something else than an exception of Python's own");
  auto text = value_of(Kind::string, string_literal(type.text("id")));
  if (!given.empty()) text = expression(given[0]);
  if (!text.is(Kind::string)) throw NotPorted("an exception says something else than a str");
  emit(cpp::Evaluate{
      cpp::call("throw std::runtime_error", {text.expr}).with(cpp::writes(cpp::Place::control))});
}

}  // namespace torchbook::translate
