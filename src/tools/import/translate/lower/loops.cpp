// Translates for loops, and checks what loops and comprehensions go through.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/translate/cpp/walk.h>
#include <tools/import/translate/lower/translator.h>

#include <algorithm>
#include <iterator>

namespace torchbook::translate {

namespace {

cpp::Stmts& body_of(LoopHead& head) {
  return std::visit([](auto& loop) -> cpp::Stmts& { return loop.body; }, head.loop);
}

bool has_items(const Type& type) {
  return type.is(Kind::list) || type.is(Kind::dict) || type.name() == "torch::nn::ModuleList" || is_row(type);
}

/// Whether a name in C++ is that of a container: a variable, or a member of the class.
bool names_container(const Frame& frame, const std::string& code) {
  for (const auto* each = &frame; each != nullptr; each = each->outer) {
    if (const auto* variable = each->scope.with_code(code)) return has_items(variable->type);
    if (each->of_class == nullptr) continue;
    for (const auto& [name, type] : each->of_class->members) {
      const auto found = each->of_class->codes.find(name);
      if (has_items(type) && found != each->of_class->codes.end() && found->second == code) return true;
    }
  }
  return false;
}

}  // namespace

/// Whether a loop unpacks the items of `enumerate(a)` or `zip(a, b)` directly. Then C++ needs no
/// list of tuples.
bool Translator::is_plain_loop(const Node& target, const Node& call, const LoopSite& site) const {
  if (!target.is("Tuple") || !call.list("keywords").empty()) return false;
  const auto given = call.list("args").size();
  if (call.child("func").text("id") == "zip") return given == target.list("elts").size();
  return (given == 1 || given == 2) && !site.continues;
}

/// Python re-reads a list at every step of a loop over it. C++ does not, and a reallocation
/// invalidates its iterators.
void Translator::refuse_changes_of(const cpp::Expr& over, const cpp::Effects& body) {
  if (over.is(cpp::Kind::call, "python::range")) return;  // its bounds are evaluated once
  cpp::Effects reads;
  const auto read_field = [&](const std::string& name) {
    reads.reads.insert({cpp::Place::field, name});
    reads.reads.insert({cpp::Place::contents, "." + name});
  };
  for (const auto& read : over.effects().reads) {
    if (read.place == cpp::Place::field) read_field(read.name);
  }
  cpp::for_each_node(over, [&](const cpp::Expr& each) {
    if (each.is(cpp::Kind::member)) read_field(each.text());
    const bool container = each.is(cpp::Kind::name) && names_container(*frame_, each.text());
    if (container) reads.reads.insert({cpp::Place::contents, each.text()});
  });
  if (conflict(body, reads)) throw NotPorted("a loop changes what it goes through");
}

/// Emits a loop with its body. The head keeps the end in a variable if the body may change what the
/// end is computed from.
void Translator::end_loop(LoopHead& head, cpp::Stmts body) {
  auto& whole = body_of(head);
  whole = head.first;
  whole.insert(whole.end(), body.begin(), body.end());
  whole.insert(whole.end(), head.last.begin(), head.last.end());
  const auto effects = cpp::effects_of(whole);
  if (auto* const count = std::get_if<cpp::Count>(&head.loop)) {
    auto assigned = cpp::assigned_in(whole);
    assigned.insert(count->name);
    const auto read = cpp::mentioned_in(count->end);
    const bool changes =
        std::any_of(read.begin(), read.end(), [&](const auto& name) { return assigned.contains(name); });
    if (head.may_hold && (changes || count->end.acts() || conflict(effects, count->end.effects())))
      count->held = scope().fresh("end");
  }
  if (const auto* each = std::get_if<cpp::Each>(&head.loop)) head.through.push_back(each->over);
  for (const auto& over : head.through) refuse_changes_of(over, effects);
  std::visit([this](auto& loop) { emit(std::move(loop)); }, head.loop);
}

/// Whether a loop certainly runs: it counts from a number that is written out to a larger one.
bool Translator::runs(const LoopHead& head) {
  const auto* count = std::get_if<cpp::Count>(&head.loop);
  if (count == nullptr || count->compare != "<" || !count->start.is(cpp::Kind::number)) return false;
  const auto* end = count->end.is(cpp::Kind::name) ? scope().with_code(count->end.text()) : nullptr;
  const auto number = end != nullptr                     ? end->number
                      : count->end.is(cpp::Kind::number) ? count->end.text()
                                                         : "";
  return !number.empty() && std::stod(number) > std::stod(count->start.text());
}

/// Translates a loop after its head. Its `else` runs unless `break` left the loop.
void Translator::loop(const Node& node, LoopHead head) {
  // If the loop does not run, a variable that held an int still does.
  std::vector<std::string> ints;
  const auto names = runs(head) ? std::vector<std::string>{} : scope().names();
  std::copy_if(names.begin(), names.end(), std::back_inserter(ints), [&](const std::string& name) {
    const auto* variable = scope().own(name);
    return variable->still_int;
  });
  const auto otherwise = node.list("orelse");
  if (!otherwise.empty()) {
    head.broken = scope().fresh("broken");
    emit(cpp::Declare{.type = "bool", .name = head.broken, .value = cpp::boolean(false)});
  }
  const auto outer = std::exchange(frame_->broken, head.broken);
  ++frame_->loops;
  const int branches = frame_->branches;
  scope().open();
  auto body = captured([&] { block_or_never(node.list("body"), [&] { block(node.list("body")); }); });
  scope().close();
  frame_->branches = branches;
  --frame_->loops;
  frame_->broken = outer;
  end_loop(head, std::move(body));
  for (const auto& name : ints) {
    auto* variable = scope().own(name);
    if (variable != nullptr && variable->type.is(Kind::floating)) variable->still_int = true;
  }
  if (otherwise.empty()) return;
  emit(
      cpp::If{.test = cpp::unary("!", cpp::name(head.broken)), .body = captured([&] { branch(otherwise); })});
}

/// Declares a name in a loop's target. Returns its variable in C++, which lives as long as the
/// loop. A name that outlives the loop in Python has a second variable, which the body assigns
/// first.
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
      throw NotPorted("{} is a variable and then a loop's", name);
    }
    note_numbers(*existing, type);
    auto inner = scope().fresh("each");
    head.first.push_back({.kind = cpp::Assign{.to = cpp::name(existing->code), .value = cpp::name(inner)}});
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

/// Declares the counter of a loop. If the body assigns to its name, the counter is another variable: C++
/// would continue counting from the new value.
std::string Translator::counting_name(const Node& target, const LoopSite& site, LoopHead& head) {
  const bool changes = target.is("Name") && (site.reassigned.contains(target.text("id")) ||
                                             site.changed.contains(target.text("id")));
  if (changes && target.text("id") == "_" && !is_read(frame_->uses, "_")) return scope().fresh("i");
  auto own = site;  // without const
  own.reassigned.insert(site.changed.begin(), site.changed.end());
  auto name = loop_name(target, Type(Kind::integer), own, head);
  const auto* variable = changes ? scope().with_code(name) : nullptr;
  if (variable == nullptr) return name;
  auto counter = scope().fresh("each");
  head.first.insert(head.first.begin(),
                    {.kind = cpp::Declare{.type = "int64_t", .name = name, .value = cpp::name(counter)}});
  return counter;
}

/// Returns the declaration of an item, `const auto& [x, y]` or `int64_t n`, with its value.
static cpp::Stmt declared_item(const std::string& item, cpp::Expr value) {
  const auto end = item.ends_with(']') ? item.find(" [") : item.rfind(' ');
  return {.kind = cpp::Declare{
              .type = item.substr(0, end), .name = item.substr(end + 1), .value = std::move(value)}};
}

/// Returns the declaration of a loop's item: `const Tensor& x`, `const auto& [x, y]`.
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
    throw NotPorted("a loop takes {} apart", in_words(type));
  std::vector<std::string> names;
  cpp::Stmts inner;
  for (const auto& each : target.list("elts")) {
    const auto& item = type.items[names.size()];
    if (each.is("Name")) {
      names.push_back(declared(each, item));
    } else {
      names.push_back(scope().fresh("parts"));
      inner.push_back(declared_item(loop_item(each, item, site, head), cpp::name(names.back())));
    }
  }
  head.first.insert(head.first.begin(), inner.begin(), inner.end());
  if (changes && type.is(types::Group::pair)) throw NotPorted("a loop assigns to its own name");
  return fmt::format("{} [{}]", changes ? "auto" : "const auto&", fmt::join(names, ", "));
}

void Translator::for_block(const Node& node) {
  LoopSite site;
  const auto assigned = assigned_names(node.list("body"));
  node.walk([&](const Node& each) {
    const bool changes = each.is("AugAssign") && each.child("target").is("Name");
    if (changes) site.changed.emplace(each.child("target").text("id"));
  });
  for (const auto& name : names_in(node.child("target"))) {
    if (assigned.contains(name) && !site.changed.contains(name)) site.reassigned.insert(name);
  }
  site.continues = node.any([](const Node& each) { return each.is("Continue"); });
  loop(node, loop_over(node.child("target"), node.child("iter"), site));
}

/// Returns the head of a for statement, or of a loop in a comprehension, and declares its names.
LoopHead Translator::loop_over(const Node& target, const Node& over, const LoopSite& site) {
  const auto function = called_name(over);
  if (scope().find(function) == nullptr) {
    if (function == "range") return over_range(target, over, site);
    if (function == "enumerate" && is_plain_loop(target, over, site))
      return over_enumerate(target, over, site);
    if (function == "zip" && is_plain_loop(target, over, site)) return over_zip(target, over, site);
  }
  LoopHead head;
  auto rows = rows_of(expression(over));
  if (target.is("Tuple") && rows.temporary && rows.expr.is(cpp::Kind::method, "items"))
    rows.expr = rows.expr.part(0);
  head.loop = cpp::Each{.declared = loop_item(target, rows.type.items[0], site, head), .over = rows.expr};
  return head;
}

/// Returns the arguments of range.
std::vector<Value> Translator::bounds_of_range(const Node& call) {
  const auto given = call.list("args");
  if (given.empty() || given.size() > 3) throw NotPorted("range has a wrong number of arguments");
  std::vector<Value> bounds;
  for (const auto& argument : given) {
    bounds.push_back(expression(argument));
    if (!bounds.back().is(Kind::integer)) throw NotPorted("range takes {}", in_words(bounds.back().type));
  }
  return bounds;
}

LoopHead Translator::over_range(const Node& target, const Node& call, const LoopSite& site) {
  if (!call.list("keywords").empty()) throw NotPorted("range is called with names");
  const auto bounds = bounds_of_range(call);
  const auto& end = bounds[bounds.size() == 1 ? 0 : 1];
  const auto sign = bounds.size() == 3 ? bounds[2].number : "1";
  LoopHead head;
  if (sign.empty()) {  // it may go up or down
    auto item = loop_item(target, Type(Kind::integer), site, head);
    head.loop = cpp::Each{.declared = std::move(item), .over = numbers_of_range(bounds).expr};
    return head;
  }
  cpp::Count count{.name = counting_name(target, site, head)};
  const bool down = sign.starts_with('-');
  auto* const variable = scope().own(target.is("Name") ? target.text("id") : "");
  if (variable != nullptr && variable->is_constant)
    variable->natural = !down && (bounds.size() == 1 || bounds[0].natural);
  count.start = bounds.size() == 1 ? cpp::number(0) : bounds[0].expr;
  count.end = end.expr;
  count.compare = down ? ">" : "<";
  if (sign != "1" && sign != "-1") count.step = bounds[2].expr;
  head.may_hold = true;
  head.loop = std::move(count);
  return head;
}

LoopHead Translator::over_enumerate(const Node& target, const Node& call, const LoopSite& site) {
  const auto arguments = call.list("args");
  const bool starts = arguments.size() == 2;
  const auto rows = rows_of(expression(arguments[0]));
  const auto start = starts ? expression(arguments[1]) : value_of(Kind::integer, cpp::number(0));
  if (!start.is(Kind::integer) || start.acts())
    throw NotPorted("enumerate starts at something else than an int");
  const auto names = target.list("elts");
  if (names.size() != 2) throw NotPorted("enumerate has another target");
  LoopHead head;
  const auto number = counting_name(names[0], site, head);
  auto* const counter = scope().own(names[0].text("id"));
  if (counter != nullptr && counter->is_constant) counter->natural = start.natural || !starts;
  auto item = loop_item(names[1], rows.type.items[0], site, head);
  head.loop =
      cpp::Each{.declared = std::move(item), .over = rows.expr, .counter = number, .start = start.expr};
  head.last = {{.kind = cpp::Plain{"++" + number + ";"}}};
  return head;
}

LoopHead Translator::over_zip(const Node& target, const Node& call, const LoopSite& site) {
  std::vector<Value> rows;
  cpp::Expr size;
  for (const auto& argument : call.list("args")) {
    auto row = rows_of(expression(argument));
    for (const auto& before : rows) {
      if (conflict(before.expr.effects(), row.expr.effects()) && !row.expr.is(cpp::Kind::name))
        throw NotPorted("an argument of zip changes one before it");
    }
    if (row.expr.is(cpp::Kind::unary, "*") || row.is(Kind::object))
      throw NotPorted("zip takes {}", in_words(row.type));
    if (row.temporary) row = hold(row, "rows");
    const auto length = cpp::method(row.expr, "size");
    size = size ? cpp::call("std::min", {size, length}) : length;
    rows.push_back(std::move(row));
  }
  cpp::Count count{.type = "std::size_t", .name = scope().fresh("i"), .start = cpp::number(0), .end = size};
  const auto names = target.list("elts");
  LoopHead head;
  cpp::Stmts items;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto item = loop_item(names[i], rows[i].type.items[0], site, head);
    items.push_back(declared_item(item, cpp::subscript(rows[i].expr, cpp::name(count.name))));
    head.through.push_back(rows[i].expr);
  }
  head.first.insert(head.first.begin(), items.begin(), items.end());
  head.loop = std::move(count);
  return head;
}

}  // namespace torchbook::translate
