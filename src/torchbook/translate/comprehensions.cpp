// Translates comprehensions: a loop that fills a vector, in front of the statement.
#include <fmt/format.h>
#include <torchbook/translate/translator.h>

namespace torchbook::translate {

/// Returns the conditions of a comprehension; empty if there are none.
std::string Translator::comprehension_test(const std::vector<Node>& conditions) {
  std::string test;
  const bool could = std::exchange(may_emit_, false);
  for (const auto& condition : conditions) {
    test += fmt::format("{}({})", test.empty() ? "" : " && ", truth(expression(condition)));
  }
  may_emit_ = could;
  return test;
}

/// Returns the variables whose names the target of a loop has.
std::vector<std::pair<std::string, Variable>> Translator::hidden_by(const Node& target) {
  std::vector<std::pair<std::string, Variable>> hidden;
  target.walk([&](const Node& each) {
    const auto* variable = each.is("Name") ? scope().own(each.text("id")) : nullptr;
    if (variable != nullptr) hidden.emplace_back(each.text("id"), *variable);
    return true;
  });
  return hidden;
}

Value Translator::comprehension(const Node& node) {
  const auto generators = node.list("generators");
  if (generators.size() != 1) throw NotPorted("a comprehension has several loops");
  const bool could = may_emit_;
  const auto target = generators[0].child("target");
  const auto hidden = hidden_by(target);
  scope().open();
  ++frame_->loops;
  const auto head = loop_over(target, generators[0].child("iter"), {.of_comprehension = true});
  scope().open();
  Value item;
  std::string test;
  const auto inner = captured([&] {
    begin_body(head);
    ++indent_;
    test = comprehension_test(generators[0].list("ifs"));
    may_emit_ = test.empty();  // what is not taken is not computed
    item = expression(node.child("elt"));
    may_emit_ = could;
    --indent_;
  });
  scope().close();
  --frame_->loops;
  scope().close();
  for (const auto& [name, variable] : hidden) scope().show(name, variable);
  const auto items = scope().fresh("items");
  line(fmt::format("{} {};", cpp_type(list_of(item.type)), items));
  line(head.opening);
  lines_->insert(lines_->end(), inner.begin(), inner.end());
  ++indent_;
  line(fmt::format("{}{}.push_back({});", test.empty() ? "" : fmt::format("if ({}) ", test), items,
                   item.code));
  --indent_;
  end_body(head);
  return value_of(list_of(item.type), items);
}

}  // namespace torchbook::translate
