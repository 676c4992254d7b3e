// Translates conditions, while loops and with statements, and declares the names that outlive a block.
#include <fmt/format.h>
#include <torchbook/translate/lower/translator.h>

#include <algorithm>

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
    const bool read_later = is_read_behind(frame_->uses, name, above + last) ||
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
void Translator::branch(const std::vector<Node>& statements) {
  ++frame_->branches;
  block(statements);
  --frame_->branches;
}

void Translator::if_block(const Node& node) {
  cpp::If written;
  const auto known = narrowed(node.child("test"), written);
  if (!known) written.test = true_or_false(node.child("test")).expr;
  written.body = captured([&] { branch(node.list("body")); });
  if (known) scope().show(known->name, known->before);
  const auto otherwise = node.list("orelse");
  const bool more = otherwise.size() == 1 && otherwise[0].is("If");
  written.otherwise = captured([&] { more ? if_block(otherwise[0]) : branch(otherwise); });
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
    if (found == guards.end() || item.has("optional_vars") || !call.list("args").empty()) {
      throw NotPorted("a with statement has another context than torch.no_grad()");
    }
    written.body.push_back({.kind = cpp::Plain{std::string(found->second)}});
  }
  auto body = captured([&] { block(node.list("body")); });
  written.body.insert(written.body.end(), body.begin(), body.end());
  emit(std::move(written));
}

}  // namespace torchbook::translate
