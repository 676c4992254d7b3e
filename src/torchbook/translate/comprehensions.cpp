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
  const auto list = rows_of(rows);
  const auto name = loop_name(target, list.type.items[0], true);
  return fmt::format("for ({} {} : {}) {{", cpp_parameter(list.type.items[0]), name, list.code);
}

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

Value Translator::comprehension(const Node& node) {
  const auto generators = node.list("generators");
  if (generators.size() != 1) throw NotPorted("a comprehension has several loops");
  const bool could = may_emit_;
  scope().open();
  ++frame_->loops;
  const auto target = generators[0].child("target");
  const auto name = target.is("Name") ? std::string(target.text("id")) : "";
  const auto* hidden = scope().own(name);
  const auto before = hidden == nullptr ? std::nullopt : std::optional(*hidden);
  const auto opening = comprehension_loop(generators[0]);
  scope().open();
  Value item;
  std::string test;
  ++indent_;
  const auto inner = captured([&] {
    test = comprehension_test(generators[0].list("ifs"));
    may_emit_ = test.empty();  // what is not taken is not computed
    item = expression(node.child("elt"));
    may_emit_ = could;
  });
  --indent_;
  scope().close();
  --frame_->loops;
  scope().close();
  if (before) scope().show(name, *before);
  const auto items = scope().fresh("items");
  line(fmt::format("{} {};", cpp_type(list_of(item.type)), items));
  line(opening);
  lines_->insert(lines_->end(), inner.begin(), inner.end());
  ++indent_;
  line(fmt::format("{}{}.push_back({});", test.empty() ? "" : fmt::format("if ({}) ", test), items,
                   item.code));
  --indent_;
  line("}");
  return value_of(list_of(item.type), items);
}

}  // namespace torchbook::translate
