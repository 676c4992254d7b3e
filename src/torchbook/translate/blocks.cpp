// Translates conditions, while loops and with statements, and declares the names that outlive a block.
#include <fmt/format.h>
#include <torchbook/translate/translator.h>

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
  const auto lines = captured(write);
  for (const auto& name : mine) {
    const auto& hoisted = frame_->hoisted[name];
    if (hoisted.type) {
      line(fmt::format("{} {}{};", cpp_type(*hoisted.type), hoisted.code, first_value(*hoisted.type)));
    }
    frame_->hoisted.erase(name);
  }
  lines_->insert(lines_->end(), lines.begin(), lines.end());
}

void Translator::block(const std::vector<Node>& statements) {
  scope().open();
  ++indent_;
  for (const auto& each : statements) statement(each);
  --indent_;
  scope().close();
}

/// Translates a block that may not run.
void Translator::branch(const std::vector<Node>& statements) {
  ++frame_->branches;
  block(statements);
  --frame_->branches;
}

std::string Translator::truth(const Value& value) {
  switch (value.type.kind) {
    case Kind::boolean:
      return value.code;
    case Kind::tensor:
      return value.in(Binding::postfix) + ".item<bool>()";
    case Kind::integer:
    case Kind::floating:
      return value.in(Binding::equality) + " != 0";
    case Kind::string:
    case Kind::list:
    case Kind::dict:
      if (value.code == "{}") return "false";
      return fmt::format("!{}.empty()", value.in(Binding::postfix));
    default:
      throw NotPorted(fmt::format("it asks whether {} is true", in_words(value.type)));
  }
}

std::string Translator::condition(const Node& node) { return true_or_false(node).code; }

void Translator::if_block(const Node& node, std::string_view opening) {
  const auto known = narrowed(node.child("test"), opening);
  if (known) {
  } else if (opening == "if") {
    line(fmt::format("if ({}) {{", condition(node.child("test"))));
  } else {
    const bool could = std::exchange(may_emit_, false);
    const auto test = condition(node.child("test"));
    may_emit_ = could;
    line(fmt::format("{} ({}) {{", opening, test));
  }
  branch(node.list("body"));
  if (known) scope().show(known->name, known->before);
  const auto otherwise = node.list("orelse");
  if (otherwise.size() == 1 && otherwise[0].is("If")) return if_block(otherwise[0], "} else if");
  if (!otherwise.empty()) {
    line("} else {");
    branch(otherwise);
  }
  line("}");
}

void Translator::while_block(const Node& node) {
  const bool could = std::exchange(may_emit_, false);
  const auto test = condition(node.child("test"));
  may_emit_ = could;
  loop(node, {.opening = fmt::format("while ({}) {{", test)});
}

void Translator::with_block(const Node& node) {
  const std::map<std::string_view, std::string_view> guards = {
      {"torch.no_grad", "torch::NoGradGuard no_grad;"},
      {"torch.inference_mode", "c10::InferenceMode inference_mode;"},
      {"torch.enable_grad", "torch::AutoGradMode enable_grad(true);"}};
  std::vector<std::string> opened;
  for (const auto& item : node.list("items")) {
    const auto call = item.child("context_expr");
    const auto path = call.is("Call") ? path_of(call.child("func")) : std::nullopt;
    const auto found = path ? guards.find(*path) : guards.end();
    if (found == guards.end() || item.has("optional_vars") || !call.list("args").empty()) {
      throw NotPorted("a with statement has another context than torch.no_grad()");
    }
    opened.emplace_back(found->second);
  }
  line("{");
  ++indent_;
  for (const auto& guard : opened) line(guard);
  --indent_;
  block(node.list("body"));
  line("}");
}

}  // namespace torchbook::translate
