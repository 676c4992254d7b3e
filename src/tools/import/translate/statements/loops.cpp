#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/cpp/walk.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/sequences.h>
#include <tools/import/translate/statements/assignments.h>
#include <tools/import/translate/statements/blocks.h>
#include <tools/import/translate/statements/loops.h>

#include <algorithm>
#include <iterator>

namespace torchbook::translate {

namespace {

cpp::Stmts& body_of(LoopHead& head) {
  return std::visit([](auto& loop) -> cpp::Stmts& { return loop.body; }, head.loop);
}

bool has_items(const Type& type) {
  return type.is(Kind::list) || type.is(Kind::dict) || is_module_list(type) || is_sequential(type);
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

/// Returns the declaration of an item, `const auto& [x, y]` or `int64_t n`, with its value.
static cpp::Stmt declared_item(const std::string& item, cpp::Expr value) {
  const auto end = item.ends_with(']') ? item.find(" [") : item.rfind(' ');
  return {.kind = cpp::Declare{
              .type = item.substr(0, end), .name = item.substr(end + 1), .value = std::move(value)}};
}

static bool is_plain_loop(Builder& b, const Node& target, const Node& call, const LoopSite& site);

/// Whether a loop unpacks both levels of `enumerate(zip(a, b))`.
static bool enumerates_zip(Builder& b, const Node& target, const Node& call, const LoopSite& site) {
  const auto given = call.args();
  const auto names = target.elts();
  return names.size() == 2 && called_name(given[0]) == "zip" && b.frame->scope.find("zip") == nullptr &&
         is_plain_loop(b, names[1], given[0], site);
}

/// Whether a loop unpacks the items of `enumerate(a)` or `zip(a, b)` directly. Then C++ needs no
/// list of tuples.
static bool is_plain_loop(Builder& b, const Node& target, const Node& call, const LoopSite& site) {
  const auto named = call.keywords();
  const bool starts = named.size() == 1 && named[0].has_arg() && named[0].arg() == "start";
  if (!target.is(Ast::Tuple) || (!named.empty() && !starts)) return false;
  const auto given = call.args().size() + named.size();
  if (call.func().id() == "zip") return !starts && given == target.elts().size();
  return (given == 1 || given == 2) && (!site.continues || enumerates_zip(b, target, call, site));
}

/// Python re-reads a list at every step of a loop over it. C++ does not, and a reallocation
/// invalidates its iterators.
static void refuse_changes_of(Builder& b, const cpp::Expr& over, const cpp::Effects& body) {
  if (over.is(cpp::form::range)) return;  // its bounds are evaluated once
  if (over.is(cpp::form::keys)) return;   // of a dict: Python raises if the loop adds or deletes one
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
    const bool container = each.is(cpp::Kind::name) && names_container(*b.frame, each.text());
    if (container) reads.reads.insert({cpp::Place::contents, each.text()});
  });
  if (conflict(body, reads)) refuse("a loop changes the values that it loops over");
}

void end_loop(Builder& b, LoopHead& head, cpp::Stmts body) {
  auto& whole = body_of(head);
  whole = head.first;
  whole.insert(whole.end(), body.begin(), body.end());
  whole.insert(whole.end(), head.last.begin(), head.last.end());
  const auto effects = cpp::effects_of(whole);
  auto* const each = std::get_if<cpp::Each>(&head.loop);
  auto* const count = std::get_if<cpp::Count>(&head.loop);
  const auto* over = each != nullptr ? &each->over : count != nullptr ? &count->end : nullptr;
  if (whole.empty() && over != nullptr && !over->acts()) return;  // its body only drew a picture
  if (count != nullptr) {
    auto assigned = cpp::assigned_in(whole);
    assigned.insert(count->name);
    const auto read = cpp::mentioned_in(count->end);
    const bool changes =
        std::any_of(read.begin(), read.end(), [&](const auto& name) { return assigned.contains(name); });
    if (head.may_hold_end && (changes || count->end.acts() || conflict(effects, count->end.effects())))
      count->held = b.scope().fresh("end");
  }
  if (each != nullptr) {
    const auto* const plain = whole.empty() ? nullptr : std::get_if<cpp::Plain>(&whole.back().kind);
    const bool never = plain != nullptr && plain->text.starts_with("torchbook::never_ran");
    if (never) each->declared.insert(0, "[[maybe_unused]] ");
    head.zipped.push_back(each->over);
  }
  for (const auto& through : head.zipped) refuse_changes_of(b, through, effects);
  std::visit([&b](auto& loop) { b.emit(std::move(loop)); }, head.loop);
}

/// Whether a loop certainly runs: it ran in Python's run, and runs once, or counts from a number that is
/// written out to a larger one.
static bool runs(Builder& b, const Node& node, const LoopHead& head) {
  const auto first = node.body()[0];
  const bool once = b.frame->is_notebook && b.frame->blocks == 1 && b.observed() != nullptr;
  if (once) return b.observed()->blocks.contains({first.line(), first.column()});
  const auto* count = std::get_if<cpp::Count>(&head.loop);
  if (count == nullptr || count->compare != "<" || !count->start.is(cpp::Kind::number)) return false;
  const auto* end = count->end.is(cpp::Kind::name) ? b.scope().with_code(count->end.text()) : nullptr;
  const auto number = end != nullptr                     ? end->number
                      : count->end.is(cpp::Kind::number) ? count->end.text()
                                                         : "";
  return !number.empty() && std::stod(number) > std::stod(count->start.text());
}

void loop(Builder& b, const Node& node, LoopHead head) {
  // If the loop does not run, a variable that held an int still does.
  std::vector<std::string> ints;
  const auto names = runs(b, node, head) ? std::vector<std::string>{} : b.scope().names();
  std::copy_if(names.begin(), names.end(), std::back_inserter(ints), [&](const std::string& name) {
    const auto* variable = b.scope().own(name);
    return variable->still_int;
  });
  const auto else_body = node.orelse();
  if (!else_body.empty()) {
    head.break_flag = b.scope().fresh("broken");
    b.emit(cpp::Declare{.type = "bool", .name = head.break_flag, .value = cpp::boolean(false)});
  }
  const auto outer = std::exchange(b.frame->break_flag, head.break_flag);
  ++b.frame->loops;
  const int branches = b.frame->branches;
  b.scope().open();
  auto body = b.captured([&] { block_or_never(b, node.body(), [&] { block(b, node.body()); }); });
  b.scope().close();
  for (const auto& name : head.shadowed)
    b.scope().lose(name, fmt::format("two nested loops use the name {} for values of different types", name));
  b.frame->branches = branches;
  --b.frame->loops;
  b.frame->break_flag = outer;
  end_loop(b, head, std::move(body));
  for (const auto& name : ints) {
    auto* variable = b.scope().own(name);
    if (variable != nullptr && variable->type.is(Kind::floating)) variable->still_int = true;
  }
  if (else_body.empty()) return;
  b.emit(cpp::If{.test = cpp::unary("!", cpp::name(head.break_flag)),
                 .body = b.captured([&] { branch(b, else_body); })});
}

/// Declares a name in a loop's target. Returns its variable in C++, which lives as long as the
/// loop. A name that outlives the loop in Python has a second variable, which the body assigns
/// first.
static std::string loop_name(Builder& b, const Node& target, Type type, const LoopSite& site,
                             LoopHead& head) {
  if (!target.is(Ast::Name)) refuse("the target of a loop is not a name");
  const auto name = std::string(target.id());
  const auto above = b.frame->hoisted.find(name);
  auto* existing = b.scope().own(name);
  if (existing != nullptr && !existing->missing.empty()) existing = nullptr;
  // `for i in range(2): for i in [0.5]:` needs another variable within the inner loop.
  const bool of_outer_loop = existing != nullptr && above == b.frame->hoisted.end() &&
                             existing->definition.empty() && existing->depth > 0;
  if (of_outer_loop && !assignable(existing->type, type)) {
    head.shadowed.push_back(name);
    existing = nullptr;
  }
  if (name != "_" && !site.of_comprehension && (above != b.frame->hoisted.end() || existing != nullptr)) {
    if (existing == nullptr) existing = &declare_above(b, name, type);
    if (!can_assign(b, name, *existing, type)) refuse("{} is a variable and then the target of a loop", name);
    auto inner = b.scope().fresh("each");
    head.first.push_back({.kind = cpp::Assign{.to = existing->expr(), .value = cpp::name(inner)}});
    return inner;
  }
  const bool changes = site.reassigned.contains(name);
  auto& variable = b.scope().declare(name, changes ? without_numbers(type) : std::move(type));
  if (name == "_") variable.code = b.scope().fresh("i");
  variable.is_constant = !changes;
  ++variable.depth;
  b.scope().enter(name);
  return variable.code;
}

/// Declares the counter of a loop. If the body assigns to its name, the counter is another variable: C++
/// would continue counting from the new value.
static std::string counting_name(Builder& b, const Node& target, const LoopSite& site, LoopHead& head) {
  const bool changes =
      target.is(Ast::Name) && (site.reassigned.contains(target.id()) || site.changed.contains(target.id()));
  if (changes && target.id() == "_" && !is_read(b.frame->uses, "_")) return b.scope().fresh("i");
  auto own = site;  // without const
  own.reassigned.insert(site.changed.begin(), site.changed.end());
  auto name = loop_name(b, target, Type(Kind::integer), own, head);
  const auto* variable = changes ? b.scope().with_code(name) : nullptr;
  if (variable == nullptr) return name;
  auto counter = b.scope().fresh("each");
  head.first.insert(head.first.begin(),
                    {.kind = cpp::Declare{.type = "int64_t", .name = name, .value = cpp::name(counter)}});
  return counter;
}

/// Returns the declaration of a loop's item: `const Tensor& x`, `const auto& [x, y]`.
static std::string loop_item(Builder& b, const Node& target, const Type& type, const LoopSite& site,
                             LoopHead& head) {
  bool changes = false;  // the body assigns to names of the loop
  const auto declared = [&](const Node& name, const Type& item) {
    auto code = loop_name(b, name, item, site, head);
    const auto* variable = b.scope().with_code(code);
    changes = changes || (variable != nullptr && !variable->is_constant);
    return code;
  };
  if (target.is(Ast::Name)) {
    const auto name = declared(target, type);
    return fmt::format("{} {}", changes ? cpp_type(type) : cpp_parameter(type), name);
  }
  const bool several = target.is(Ast::Tuple) || target.is(Ast::List);
  if (!several || !type.is(Kind::tuple) || type.items.size() != target.elts().size())
    refuse("a loop takes {} apart", in_words(type));
  std::vector<std::string> names;
  cpp::Stmts inner;
  for (const auto& each : target.elts()) {
    const auto& item = type.items[names.size()];
    if (each.is(Ast::Name)) {
      names.push_back(declared(each, item));
    } else {
      names.push_back(b.scope().fresh("parts"));
      inner.push_back(declared_item(loop_item(b, each, item, site, head), cpp::name(names.back())));
    }
  }
  head.first.insert(head.first.begin(), inner.begin(), inner.end());
  if (changes && type.is(types::Group::pair)) refuse("a loop assigns to its own name");
  return fmt::format("{} [{}]", changes ? "auto" : "const auto&", fmt::join(names, ", "));
}

void for_block(Builder& b, const Node& node) {
  LoopSite site;
  const auto assigned = assigned_names(node.body());
  node.walk([&](const Node& each) {
    const bool changes = each.is(Ast::AugAssign) && each.target().is(Ast::Name);
    if (changes) site.changed.emplace(each.target().id());
  });
  for (const auto& name : names_in(node.target())) {
    if (assigned.contains(name) && !site.changed.contains(name)) site.reassigned.insert(name);
  }
  site.continues = node.any([](const Node& each) { return each.is(Ast::Continue); });
  loop(b, node, loop_over(b, node.target(), node.iter(), site));
}

/// Returns the arguments of range.
static std::vector<Value> bounds_of_range(Builder& b, const Node& call) {
  const auto given = call.args();
  if (given.empty() || given.size() > 3) refuse("range has a wrong number of arguments");
  std::vector<Value> bounds;
  for (const auto& argument : given) {
    bounds.push_back(expression(b, argument));
    if (!bounds.back().is(Kind::integer)) refuse("range takes {}", in_words(bounds.back().type));
  }
  return bounds;
}

static LoopHead over_range(Builder& b, const Node& target, const Node& call, const LoopSite& site) {
  if (!call.keywords().empty()) refuse("range is called with names");
  const auto bounds = bounds_of_range(b, call);
  const auto& end = bounds[bounds.size() == 1 ? 0 : 1];
  const auto sign = bounds.size() == 3 ? bounds[2].number : "1";
  LoopHead head;
  if (sign.empty()) {  // it may go up or down
    auto item = loop_item(b, target, Type(Kind::integer), site, head);
    head.loop = cpp::Each{.declared = std::move(item), .over = numbers_of_range(bounds).expr};
    return head;
  }
  cpp::Count count{.name = counting_name(b, target, site, head)};
  const bool down = sign.starts_with('-');
  auto* const variable = b.scope().own(target.is(Ast::Name) ? target.id() : "");
  if (variable != nullptr && variable->is_constant)
    variable->natural = !down && (bounds.size() == 1 || bounds[0].natural);
  count.start = bounds.size() == 1 ? cpp::number(0) : bounds[0].expr;
  count.end = end.expr;
  count.compare = down ? ">" : "<";
  if (sign != "1" && sign != "-1") count.step = bounds[2].expr;
  head.may_hold_end = true;
  head.loop = std::move(count);
  return head;
}

static LoopHead over_zip(Builder& b, const Node& target, const Node& call, const LoopSite& site,
                         std::string_view counter = "i") {
  std::vector<Value> rows;
  cpp::Expr size;
  for (const auto& argument : call.args()) {
    auto row = rows_of(b, expression(b, argument));
    for (const auto& before : rows) {
      if (conflict(before.expr.effects(), row.expr.effects()) && !row.expr.is(cpp::Kind::name))
        refuse("an argument of zip changes one before it");
    }
    if (row.expr.is(cpp::form::dereferenced) || is_object(row.type))
      refuse("zip takes {}", in_words(row.type));
    if (row.temporary) row = b.hold(row, "rows");
    const auto length = cpp::method(row.expr, "size");
    size = size ? cpp::call("std::min", {size, length}) : length;
    rows.push_back(std::move(row));
  }
  cpp::Count count{
      .type = "std::size_t", .name = b.scope().fresh(counter), .start = cpp::number(0), .end = size};
  const auto names = target.elts();
  LoopHead head;
  cpp::Stmts items;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto item = loop_item(b, names[i], rows[i].type.items[0], site, head);
    items.push_back(declared_item(item, cpp::subscript(rows[i].expr, cpp::name(count.name))));
    head.zipped.push_back(rows[i].expr);
  }
  head.first.insert(head.first.begin(), items.begin(), items.end());
  head.loop = std::move(count);
  return head;
}

static LoopHead over_enumerate(Builder& b, const Node& target, const Node& call, const LoopSite& site) {
  auto arguments = call.args();
  for (const auto& named : call.keywords()) arguments.push_back(named.value());
  const auto names = target.elts();
  if (names.size() != 2) refuse("enumerate has another target");
  const bool of_zip = enumerates_zip(b, target, call, site);
  const bool starts = arguments.size() == 2;
  auto rows = of_zip ? Value() : rows_of(b, expression(b, arguments[0]));
  const auto start = starts ? expression(b, arguments[1]) : value_of(Kind::integer, cpp::number(0));
  if (!start.is(Kind::integer) || start.acts()) refuse("enumerate starts at something other than an int");
  LoopHead head;
  if (of_zip) {
    head = over_zip(b, names[1], arguments[0], site, "place");
    const auto place = cpp::name(std::get<cpp::Count>(head.loop).name);
    const auto item = loop_item(b, names[0], Type(Kind::integer), site, head);
    head.first.insert(head.first.begin(),
                      declared_item(item, starts ? cpp::binary(start.expr, "+", place) : place));
    return head;
  }
  const auto number = counting_name(b, names[0], site, head);
  auto* const counter = b.scope().own(names[0].id());
  if (counter != nullptr && counter->is_constant) counter->natural = start.natural || !starts;
  auto item = loop_item(b, names[1], rows.type.items[0], site, head);
  head.loop =
      cpp::Each{.declared = std::move(item), .over = rows.expr, .counter = number, .start = start.expr};
  head.last = {{.kind = cpp::Plain{"++" + number + ";"}}};
  return head;
}

LoopHead loop_over(Builder& b, const Node& target, const Node& over, const LoopSite& site) {
  const auto function = called_name(over);
  if (b.scope().find(function) == nullptr) {
    if (function == "range") return over_range(b, target, over, site);
    if (function == "enumerate" && is_plain_loop(b, target, over, site))
      return over_enumerate(b, target, over, site);
    if (function == "zip" && is_plain_loop(b, target, over, site)) return over_zip(b, target, over, site);
  }
  LoopHead head;
  auto rows = rows_of(b, expression(b, over));
  if (target.is(Ast::Tuple) && rows.temporary && rows.expr.is(cpp::form::items))
    rows.expr = rows.expr.part(0);
  head.loop = cpp::Each{.declared = loop_item(b, target, rows.type.items[0], site, head), .over = rows.expr};
  return head;
}

}  // namespace torchbook::translate
