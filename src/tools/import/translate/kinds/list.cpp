#include <fmt/format.h>
#include <tools/import/translate/classes/members.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/subscripts.h>
#include <tools/import/translate/kinds/list.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/orders.h>
#include <tools/import/translate/kinds/sequences.h>
#include <tools/import/translate/rows/row.h>
#include <tools/import/translate/statements/assignments.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// Returns an element of a list. If the element is a list, the outer list counts as its other name.
Value element_value(const Value& list, cpp::Expr expr) {
  auto value = value_of(list.type.items[0], std::move(expr));
  value.temporary = !value.is(Kind::list) && !value.is(Kind::dict) && !value.is(Kind::tuple);
  return value;
}

void refuse_method(const Type& list, std::string_view name) {
  if (list.is(types::Sequence::set) && name != "add" && name != "remove" && name != "clear")
    refuse("the method {} of a set is not translated", name);
  if (is_tuple_of_any_size(list) && name != "index" && name != "count")
    refuse("the method {} of a tuple is not translated", name);
}

/// Returns the name of a list's variable; empty if it has none.
std::string name_of(const cpp::Expr& list) { return list.is(cpp::Kind::name) ? list.text() : std::string(); }

/// Returns where a list begins or ends.
cpp::Expr bound_of(const cpp::Expr& list, const char* bound) {
  return cpp::method(list, bound).with_only(cpp::reads(cpp::Place::contents, name_of(list)));
}

}  // namespace

void refuse_unless_changeable(Builder& b, const Value& list) {
  const auto variable_of = [&](const cpp::Expr& expr) {
    return expr.is(cpp::Kind::name) ? b.scope().with_code(expr.text()) : nullptr;
  };
  const auto* made = b.frame->of_class;
  const bool may = made != nullptr && (made->is_module || made->is_shared || b.frame->is_constructor);
  const bool is_member =
      may && variable_of(list.expr) == nullptr &&
      std::any_of(made->members.begin(), made->members.end(), [&](const auto& member) {
        const auto& [name, type] = member;
        return (type.is(Kind::list) || type.is(Kind::dict)) && member_of_self(b, name) == list.expr;
      });
  if (is_member) return;
  auto whole = list.expr;  // that of `rows[0][1]` is `rows`
  while (whole.is(cpp::form::at) || whole.is(cpp::form::element) || whole.is(cpp::Kind::subscript))
    whole = cpp::Expr(whole.part(0));
  const auto* variable = variable_of(whole);
  if (variable == nullptr || variable->is_constant) refuse("it changes a list that no variable of C++ holds");
}

/// Checks `values.append(item)`: refuses an item of another type. If the list was empty, notes the type of
/// its items.
static void refuse_other_items(Builder& b, const Value& list, const Type& item) {
  refuse_unless_changeable(b, list);
  if (list.type.items.empty()) refuse_empty(list.type);
  const auto& held = list.type.items[0];
  const bool modules = held.is(Kind::module) && item.is(Kind::module);
  const bool takes_any = held.is(Kind::scalar) && item.is_number();
  const bool wraps = modules && is_any_module(held);
  if (held != as_item(item) && !wraps && !takes_any)
    refuse("a list holds values of different types; a tuple may");
}

/// Returns a list with the items of another value appended.
static Value extended(Builder& b, const Value& list, const Value& from) {
  const auto others = rows_of(b, from);
  refuse_other_items(b, list, others.type.items[0]);
  return sequence_binary(b, Ast::Add, list, others);
}

static Value assign_changed(Builder& b, const Value& list, const Value& changed) {
  refuse_unless_changeable(b, list);
  const auto writes = cpp::writes(cpp::Place::contents, name_of(list.expr));
  return value_of(Kind::none, cpp::binary(list.expr, "=", changed.expr).with(writes));
}

Value extend_list(Builder& b, const Value& list, const Value& from) {
  return assign_changed(b, list, extended(b, list, from));
}

Value change_list(Builder& b, const Value& list, std::string_view name, const Node& call) {
  const auto given = call.args();
  auto changed = value_of(list.type, {});
  if (name == "sort" && given.empty()) changed = ordered(b, "sorted", list, call);
  if (name == "reverse" && given.empty()) {
    changed.expr = cpp::call("python::reversed", {list.expr});
  }
  if (name == "extend" && given.size() == 1) changed = extended(b, list, expression(b, given[0]));
  return assign_changed(b, list, changed);
}

/// `values.index(item)`, `values.count(item)`
static Value place_or_number(Builder& b, const RowCall& given) {
  const auto [list, item] = given.as<2>();
  if (given.name == "index" && b.here.in_try) refuse("index() is called in a try");
  if (list->temporary || list->type.items.empty() || !(item->type == list->type.items[0]))
    given.refuse_form();
  const auto found = [&, to = item->expr](const Value& in) {
    const auto begin = bound_of(in.expr, "begin");
    const auto end = bound_of(in.expr, "end");
    if (given.name == "count") return value_of(Kind::integer, cpp::call("std::count", {begin, end, to}));
    return value_of(Kind::integer, cpp::binary(cpp::call("std::find", {begin, end, to}), "-", begin));
  };
  return list->acts() ? b.named(*list, "values", found) : found(*list);
}

static Value append_to_list(Builder& b, const RowCall& given) {
  const auto [list, item] = given.as<2>();
  refuse_other_items(b, *list, item->type);
  const bool wraps = is_any_module(list->type.items[0]);
  const auto code = wraps ? cpp::call(any_module, {as_sequential_part(*item)}) : item->expr;
  return value_of(Kind::none, cpp::method(list->expr, "push_back", {code}));
}

/// `values.insert(0, item)`
static Value insert_in_list(Builder& b, const RowCall& given) {
  const auto [list, at, item] = given.as<3>();
  if (at->number != "0") refuse("insert() has a position other than 0");
  refuse_other_items(b, *list, item->type);
  const auto begin = bound_of(list->expr, "begin");
  return value_of(Kind::none, cpp::method(list->expr, "insert", {begin, item->expr}).in_order({0, 2, 1}));
}

/// `values.remove(item)`
static Value remove_from_list(Builder& b, const RowCall& given) {
  const auto [list, item] = given.as<2>();
  refuse_unless_changeable(b, *list);
  if (list->type.items.empty() || !(item->type == list->type.items[0]) || !has_equality(item->type))
    given.refuse_form();
  return value_of(Kind::none, cpp::call("python::remove", {list->expr, item->expr})
                                  .with(cpp::writes(cpp::Place::contents, name_of(list->expr))));
}

/// `seen.add(word)`
static Value add_to_set(Builder& b, const RowCall& given) {
  const auto [set, item] = given.as<2>();
  if (!set->type.is(types::Sequence::set)) given.refuse_form();
  refuse_other_items(b, *set, item->type);
  return value_of(Kind::none, cpp::method(set->expr, "insert", {item->expr}));
}

static Value same_list(Builder& /*b*/, const RowCall& given) {
  const auto [list] = given.as<1>();
  return value_of(list->type, list->expr);
}

static const std::vector<Row> methods_of_list = {
    {"index count", {self_parameter, {"value"}}, place_or_number},
    {"copy", {self_parameter}, same_list},
    {"append", {self_parameter, {"object"}}, append_to_list},
    {"insert", {self_parameter, {"index"}, {"object"}}, insert_in_list},
    {.names = "pop",
     .parameters = {self_parameter, {"index", {Kind::integer}, true}},
     .becomes = "python::pop",
     .result_of = [](const Type& list) { return list.items[0]; }},
    {"remove", {self_parameter, {"value"}}, remove_from_list},
    {"add", {self_parameter, {"element"}}, add_to_set},
    {"clear", {self_parameter}, ".clear"}};

Value list_method(Builder& b, const Value& list, std::string_view name, const Arguments& arguments) {
  refuse_method(list.type, name);
  if (name == "pop" || name == "clear") refuse_unless_changeable(b, list);
  if (name == "pop" && list.type.items.empty()) cpp_type(list.type);  // refuses one whose items are not known
  return call_table(b, methods_of_list, name, fmt::format("the method {} of a list", name),
                    arguments.of(list));
}

/// Returns the element of a list at a literal index.
static Value written_element(Builder& b, const Value& list, const std::string& at) {
  if (list.literal && list.acts() && !list.expr.is(cpp::Kind::let))
    refuse("an index of a list is not translated");
  if (list.literal) return element_written_out(list, at);
  const auto taken = [&](const Value& from) { return element_value(list, from_the_end(from.expr, at)); };
  const bool once = at.starts_with('-') && !cpp::is_stored(list.expr);
  return once ? b.named(list, "values", taken) : taken(list);
}

Value list_item(Builder& b, const Value& list, const Node& slice) {
  if (!is_list_like(list.type)) refuse("an index of {} is not translated", in_words(list.type));
  if (slice.is(Ast::Slice)) return slice_of(b, list, slice);
  if (is_written_number(slice) && !b.here.in_try)
    return written_element(b, list, expression(b, slice).number);
  const auto at = place_of(b, slice);
  return element_value(list, checked_element(b, typed(b, list, list.type), at));
}

Value list_rows(Builder& /*b*/, const Value& list) {
  if (list.type.is(types::Sequence::set))
    refuse("the order of a set differs from run to run; sorted(…) has one");
  if (list.type.items.empty()) refuse("it goes through {}", in_words(list.type));
  if (is_view(list.type) || is_tuple_of_any_size(list.type)) {
    auto rows = list;
    *rows.type.as<types::List>() = {};
    return rows;
  }
  return list.literal ? list_with_type(list, list.elements, list.type) : list;
}

Value list_length(Builder& /*b*/, const Value& list) {
  if (list.type.is(types::Sequence::nested))
    refuse("the depth of the list of a tensor is known only at run time");
  return list.literal ? counted(list.elements.size()) : size_in_cpp(list);
}

void assign_list_item(Builder& b, const Value& list, const Node& target, const Value& value) {
  if (is_tuple_of_any_size(list.type)) refuse("it assigns to an element of a tuple");
  refuse_other_items(b, list, value.type);
  b.emit(assignment(expression(b, target).expr, value));
}

}  // namespace torchbook::translate
