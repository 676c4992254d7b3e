// Translates comprehensions: a loop that fills a vector, in front of the statement.
#include <fmt/format.h>
#include <torchbook/translate/translator.h>

namespace torchbook::translate {

/// Returns the head of the loop, and declares its name.
std::string Translator::comprehension_loop(const Node& generator) {
  const auto target = generator.child("target");
  const auto over = generator.child("iter");
  const bool range =
      over.is("Call") && over.child("func").is("Name") && over.child("func").text("id") == "range";
  if (range) {
    const auto bounds = over.list("args");
    if (bounds.empty() || bounds.size() > 2) throw NotPorted("a comprehension has a range with a step");
    const auto start = bounds.size() == 2 ? expression(bounds[0]) : value_of(Kind::integer, "0");
    const auto end = expression(bounds.back());
    if (!end.is(Kind::integer) || !start.is(Kind::integer))
      throw NotPorted("range takes something else than ints");
    const auto name = loop_name(target, {.kind = Kind::integer}, true);
    return fmt::format("for (int64_t {0} = {1}; {0} < {2}; ++{0}) {{", name, start.code,
                       end.in(Binding::sum));
  }
  const auto rows = expression(over);
  if (rows.is(Kind::module) && !rows.type.items.empty()) {
    const auto name =
        loop_name(target, {.kind = Kind::module, .items = {}, .name = "&" + rows.type.items[0].name}, true);
    return fmt::format("for (const auto& {} : *{}) {{", name, rows.code);
  }
  return loop_over(target, rows, true);
}

/// Returns the conditions of a comprehension; empty if there are none.
std::string Translator::comprehension_test(const std::vector<Node>& conditions) {
  std::string test;
  const bool could = may_emit_;
  for (const auto& condition : conditions) {
    may_emit_ = could && test.empty();  // a later one may not be evaluated
    test += fmt::format("{}({})", test.empty() ? "" : " && ", truth(expression(condition)));
  }
  may_emit_ = could;
  return test;
}

/// Writes the loops of a comprehension from the one at `place` on. `add` writes what the innermost one does.
void Translator::comprehension_loops(const std::vector<Node>& generators, std::size_t place,
                                     const std::function<void()>& add) {
  if (place == generators.size()) return add();
  scope().open();
  ++frame_->loops;
  std::vector<std::pair<std::string, Variable>> hidden;
  generators[place].child("target").walk([&](const Node& each) {
    const auto* variable = each.is("Name") ? scope().own(each.text("id")) : nullptr;
    if (variable != nullptr) hidden.emplace_back(each.text("id"), *variable);
    return true;
  });
  line(comprehension_loop(generators[place]));
  scope().open();
  begin_body();
  ++indent_;
  const auto test = comprehension_test(generators[place].list("ifs"));
  auto inner = captured([&] { comprehension_loops(generators, place + 1, add); });
  if (test.empty()) {
    lines_->insert(lines_->end(), inner.begin(), inner.end());
  } else if (inner.size() == 1) {
    line(fmt::format("if ({}) {}", test, inner[0].substr(inner[0].find_first_not_of(' '))));
  } else {
    line(fmt::format("if ({}) {{", test));
    for (const auto& each : inner) lines_->push_back("  " + each);
    line("}");
  }
  --indent_;
  line("}");
  scope().close();
  --frame_->loops;
  scope().close();
  for (const auto& [name, variable] : hidden) scope().show(name, variable);
}

Value Translator::comprehension(const Node& node) {
  const auto items = scope().fresh("items");
  Type type;
  const auto loops = captured([&] {
    comprehension_loops(node.list("generators"), 0, [&] {
      const bool dict = node.is("DictComp");
      const auto key = dict ? expression(node.child("key")) : Value{};
      const auto item = expression(node.child(dict ? "value" : "elt"));
      if ((item.is(Kind::list) || item.is(Kind::dict)) && !item.temporary)
        throw NotPorted("a list gets a second name");
      if (key.acts) throw NotPorted("the key of a dict draws or changes something");
      type = dict ? dict_of(key.type, item.type) : list_of(item.type);
      line(dict ? fmt::format("{}[{}] = {};", items, key.code, item.code)
                : fmt::format("{}.push_back({});", items, item.code));
    });
  });
  line(fmt::format("{} {};", cpp_type(type), items));
  lines_->insert(lines_->end(), loops.begin(), loops.end());
  return value_of(type, items);
}

}  // namespace torchbook::translate
