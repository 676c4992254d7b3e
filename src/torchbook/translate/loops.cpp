// Translates for loops.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/translate/translator.h>

#include <algorithm>

namespace torchbook::translate {

/// Translates a loop between its head and its end. Its `else` runs unless `break` left the loop.
void Translator::loop(const Node& node, LoopHead head) {
  const auto otherwise = node.list("orelse");
  if (!otherwise.empty()) {
    head.broken = scope().fresh("broken");
    line(fmt::format("bool {} = false;", head.broken));
  }
  line(head.opening);
  const auto outer = std::exchange(frame_->broken, head.broken);
  ++frame_->loops;
  const int branches = frame_->branches;
  scope().open();
  begin_body(head);
  block(node.list("body"));
  scope().close();
  frame_->branches = branches;
  --frame_->loops;
  frame_->broken = outer;
  end_body(head);
  if (otherwise.empty()) return;
  line(fmt::format("if (!{}) {{", head.broken));
  branch(otherwise);
  line("}");
}

/// Writes the assignments that a loop's body begins with.
void Translator::begin_body(const LoopHead& head) {
  ++indent_;
  for (const auto& each : head.first) line(each);
  --indent_;
}

void Translator::end_body(const LoopHead& head) {
  ++indent_;
  for (const auto& each : head.last) line(each);
  --indent_;
  line("}");
}

/// Declares the name of a loop. Returns the name of its variable in C++, which lives as long as the loop. If
/// the name lives longer in Python, it is a variable of its own, and the loop's body begins with its
/// assignment.
std::string Translator::loop_name(const Node& target, Type type, const LoopSite& site, LoopHead& head) {
  if (!target.is("Name")) throw NotPorted("a loop has a target that is no name");
  const auto name = std::string(target.text("id"));
  const auto above = frame_->hoisted.find(name);
  auto* existing = scope().own(name);
  if (existing != nullptr && !existing->missing.empty()) existing = nullptr;
  if (name != "_" && !site.of_comprehension && (above != frame_->hoisted.end() || existing != nullptr)) {
    if (existing == nullptr) existing = &declare_above(name, type);
    if (!takes(name, *existing, type)) {
      facts_->renews(existing->definition);
      throw NotPorted(fmt::format("{} is a variable and then a loop's", name));
    }
    note_numbers(*existing, type);
    auto inner = scope().fresh("each");
    head.first.push_back(fmt::format("{} = {};", existing->code, inner));
    return inner;
  }
  const bool changes = site.reassigned.contains(name);
  auto& variable = scope().declare(name, changes ? without_numbers(type) : std::move(type));
  if (name == "_") variable.code = scope().fresh("i");
  variable.is_constant = !changes;
  ++variable.depth;
  scope().enter(name);
  return variable.code;
}

/// Declares the name of a loop that counts: C++ would count on from what the body assigns to it.
std::string Translator::counting_name(const Node& target, const LoopSite& site, LoopHead& head) {
  const bool changes = target.is("Name") && site.reassigned.contains(target.text("id"));
  if (changes && target.text("id") == "_" && !is_read(frame_->uses, "_")) return scope().fresh("i");
  if (changes) throw NotPorted("a loop assigns to its own name");
  return loop_name(target, {.kind = Kind::integer}, site, head);
}

/// Returns the declaration of what a loop takes in each round: `const Tensor& x`, `const auto& [x, y]`.
std::string Translator::loop_item(const Node& target, const Type& type, const LoopSite& site,
                                  LoopHead& head) {
  bool changes = false;  // the body assigns to what the loop declares
  const auto declared = [&](const Node& name, const Type& item) {
    auto code = loop_name(name, item, site, head);
    const auto* variable = scope().with_code(code);
    changes = changes || (variable != nullptr && !variable->is_constant);
    return code;
  };
  if (target.is("Name")) {
    const auto name = declared(target, type);
    return fmt::format("{} {}", changes ? cpp_type(type) : cpp_parameter(type), name);
  }
  const bool several = target.is("Tuple") || target.is("List");
  if (!several || !type.is(Kind::tuple) || type.items.size() != target.list("elts").size())
    throw NotPorted(fmt::format("a loop takes {} apart", in_words(type)));
  if (type.name.empty()) need("#include <tuple>");
  std::vector<std::string> names;
  std::vector<std::string> inner;
  for (const auto& each : target.list("elts")) {
    const auto& item = type.items[names.size()];
    if (each.is("Name")) {
      names.push_back(declared(each, item));
    } else {
      names.push_back(scope().fresh("parts"));
      inner.push_back(fmt::format("{} = {};", loop_item(each, item, site, head), names.back()));
    }
  }
  head.first.insert(head.first.begin(), inner.begin(), inner.end());
  if (changes && type.name == "pair") throw NotPorted("a loop assigns to its own name");
  return fmt::format("{} [{}]", changes ? "auto" : "const auto&", fmt::join(names, ", "));
}

void Translator::for_block(const Node& node) {
  LoopSite site{.changed = assigned_names(node.list("body"))};
  Names changed_in_place;  // a tensor can be; change() refuses other values
  node.walk([&](const Node& each) {
    const bool changes = each.is("AugAssign") && each.child("target").is("Name");
    if (changes) changed_in_place.emplace(each.child("target").text("id"));
    return true;
  });
  node.child("target").walk([&](const Node& each) {
    const bool changed = each.is("Name") && site.changed.contains(each.text("id")) &&
                         !changed_in_place.contains(each.text("id"));
    if (changed) site.reassigned.emplace(each.text("id"));
    return true;
  });
  node.walk([&](const Node& each) {
    site.continues = site.continues || each.is("Continue");
    return true;
  });
  const auto head = loop_over(node.child("target"), node.child("iter"), site);
  const int calls = calls_that_resize_;
  loop(node, head);
  refuse_changes_of(node.child("iter"), node.list("body"), calls);
}

/// Returns the head of a loop, of a statement or a comprehension, and declares its names.
LoopHead Translator::loop_over(const Node& target, const Node& over, const LoopSite& site) {
  if (over.is("Call") && over.child("func").is("Name")) {
    const auto function = over.child("func").text("id");
    const bool own = scope().find(function) != nullptr;
    if (!own && function == "range") return over_range(target, over, site);
    if (!own && function == "enumerate" && is_plain_loop(target, over, site))
      return over_enumerate(target, over, site);
    if (!own && function == "zip" && is_plain_loop(target, over, site)) return over_zip(target, over, site);
  }
  LoopHead head;
  constexpr std::string_view items = ".items()";
  auto rows = rows_of(expression(over));
  if (target.is("Tuple") && rows.temporary && rows.code.ends_with(items))
    rows.code.resize(rows.code.size() - items.size());
  head.opening =
      fmt::format("for ({} : {}) {{", loop_item(target, rows.type.items[0], site, head), rows.code);
  return head;
}

/// Returns a name for what a loop holds while it runs.
std::string Translator::name_for_loop(std::string_view wish) {
  auto code = scope().fresh(wish);
  const auto name = fmt::format("{} of a loop", code);  // no name of Python
  scope().show(name, {.type = {.kind = Kind::integer}, .code = code, .depth = scope().depth() + 1});
  scope().enter(name);
  return code;
}

/// Returns the arguments of range. What the loop may assign, and a step that is read, get a variable: Python
/// evaluates them once. The end is held by the loop itself if it `reads`.
std::vector<Value> Translator::bounds_of_range(const Node& target, const Node& call, const LoopSite& site) {
  auto changed = site.changed;
  target.walk([&](const Node& each) {  // that of a comprehension is another variable
    if (each.is("Name") && !site.of_comprehension) changed.emplace(each.text("id"));
    return true;
  });
  const auto given = call.list("args");
  if (given.empty() || given.size() > 3) throw NotPorted("range has a wrong number of arguments");
  const auto before = progress();
  std::vector<Value> bounds;
  for (const auto& argument : given) {
    auto bound = expression(argument);
    if (!bound.is(Kind::integer)) throw NotPorted(fmt::format("range takes {}", in_words(bound.type)));
    const bool is_end = bounds.size() == (given.size() == 1 ? 0U : 1U);
    argument.walk([&](const Node& each) {
      const bool assigned = each.is("Name") && changed.contains(each.text("id"));
      bound.reads = bound.reads || (assigned && (is_end || bounds.size() == 2));
      return true;
    });
    bounds.push_back(std::move(bound));
  }
  std::vector<Value*> all;
  all.reserve(bounds.size());
  for (auto& bound : bounds) all.push_back(&bound);
  keep_order(all, before, {"bound"});
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const bool is_start = i == 0 && bounds.size() > 1;
    const bool is_step = i == 2;
    if (!is_start && (bounds[i].acts || (is_step && bounds[i].reads)))
      bounds[i] = hold(bounds[i], is_step ? "step" : "end");
  }
  return bounds;
}

LoopHead Translator::over_range(const Node& target, const Node& call, const LoopSite& site) {
  if (!call.list("keywords").empty()) throw NotPorted("range is called with names");
  auto bounds = bounds_of_range(target, call, site);
  const auto start = bounds.size() == 1 ? std::string("0") : bounds[0].code;
  auto& end = bounds[bounds.size() == 1 ? 0 : 1];
  const auto step = bounds.size() == 3 ? bounds[2].code : std::string("1");
  const auto sign = bounds.size() == 3 ? bounds[2].number : step;
  LoopHead head;
  if (sign.empty()) {  // it may go up or down
    head.opening = fmt::format("for ({} : {}) {{", loop_item(target, {.kind = Kind::integer}, site, head),
                               numbers_of_range(bounds).code);
    return head;
  }
  const auto name = counting_name(target, site, head);
  const bool down = sign.starts_with('-');
  auto* const variable = scope().own(target.is("Name") ? target.text("id") : "");
  if (variable != nullptr && variable->is_constant)
    variable->natural = !down && (bounds.size() == 1 || bounds[0].natural);
  std::string held;
  if (end.reads) {
    held = fmt::format(", {} = {}", name_for_loop("end"), end.code);
    end = value_of(Kind::integer, held.substr(2, held.find(" = ") - 2));
  }
  const auto next = step == "1"    ? "++" + name
                    : step == "-1" ? "--" + name
                                   : fmt::format("{} += {}", name, step);
  head.opening = fmt::format("for (int64_t {0} = {1}{5}; {0} {2} {3}; {4}) {{", name, start, down ? ">" : "<",
                             end.in(Binding::sum), next, held);
  return head;
}

LoopHead Translator::over_enumerate(const Node& target, const Node& call, const LoopSite& site) {
  const auto arguments = call.list("args");
  const bool starts = arguments.size() == 2;
  const auto rows = rows_of(expression(arguments[0]));
  const auto start = starts ? expression(arguments[1]) : value_of(Kind::integer, "0");
  if (!start.is(Kind::integer) || start.acts)
    throw NotPorted("enumerate starts at something else than an int");
  const auto names = target.list("elts");
  if (names.size() != 2) throw NotPorted("enumerate has another target");
  LoopHead head;
  const auto number = counting_name(names[0], site, head);
  auto* const counter = scope().own(names[0].text("id"));
  if (counter != nullptr && counter->is_constant) counter->natural = start.natural || !starts;
  const auto item = loop_item(names[1], rows.type.items[0], site, head);
  head.opening = fmt::format("for (int64_t {} = {}; {} : {}) {{", number, start.code, item, rows.code);
  head.last = {"++" + number + ";"};
  return head;
}

LoopHead Translator::over_zip(const Node& target, const Node& call, const LoopSite& site) {
  const auto arguments = call.list("args");
  std::vector<Value> rows;
  std::string size;
  for (const auto& argument : arguments) {
    auto row = rows_of(expression(argument));
    if (row.code.starts_with('*') || row.is(Kind::object))
      throw NotPorted(fmt::format("zip takes {}", in_words(row.type)));
    if (row.temporary) row = hold(row, "rows");
    const auto length = row.code + ".size()";
    size = size.empty() ? length : fmt::format("std::min({}, {})", size, length);
    rows.push_back(std::move(row));
  }
  if (rows.size() > 1) need("#include <algorithm>");
  const auto number = scope().fresh("i");
  const auto names = target.list("elts");
  LoopHead head;
  std::vector<std::string> items;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto item = loop_item(names[i], rows[i].type.items[0], site, head);
    items.push_back(fmt::format("{} = {}[{}];", item, rows[i].code, number));
  }
  head.first.insert(head.first.begin(), items.begin(), items.end());
  head.opening = fmt::format("for (std::size_t {0} = 0; {0} < {1}; ++{0}) {{", number, size);
  return head;
}

}  // namespace torchbook::translate
