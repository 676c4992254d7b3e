// Translates for loops.
#include <fmt/format.h>
#include <torchbook/translate/numbers.h>
#include <torchbook/translate/translator.h>

#include <algorithm>

namespace torchbook::translate {

void Translator::loop_body(const Node& node, std::string opening, const std::vector<std::string>& last) {
  line(std::move(opening));
  ++frame_->loops;
  scope().open();
  begin_body();
  block(node.list("body"));
  scope().close();
  --frame_->loops;
  ++indent_;
  for (const auto& each : last) line(each);
  --indent_;
  line("}");
}

/// Writes the assignments that loop_name() asks for.
void Translator::begin_body() {
  ++indent_;
  for (const auto& each : std::exchange(loop_first_, {})) line(each);
  --indent_;
}

/// Declares the name of a loop. Returns the name of its variable in C++, which lives as long as the loop. If
/// the name lives longer in Python, it is a variable of its own, and the loop's body begins with its
/// assignment.
std::string Translator::loop_name(const Node& target, Type type, bool of_comprehension) {
  if (!target.is("Name")) throw NotPorted("a loop has a target that is no name");
  const auto name = std::string(target.text("id"));
  const auto above = frame_->hoisted.find(name);
  auto* existing = scope().own(name);
  if (existing != nullptr && !existing->missing.empty()) existing = nullptr;
  if (name != "_" && !of_comprehension && (above != frame_->hoisted.end() || existing != nullptr)) {
    if (existing == nullptr) existing = &declare_above(name, without_numbers(type));
    note_numbers(*existing, type);
    if (!(existing->type == type)) throw NotPorted(fmt::format("{} is a variable and then a loop's", name));
    auto inner = scope().fresh("each");
    loop_first_.push_back(fmt::format("{} = {};", existing->code, inner));
    return inner;
  }
  auto& variable = scope().declare(name, std::move(type));
  if (name == "_") variable.code = scope().fresh("i");
  variable.is_constant = true;
  ++variable.depth;
  scope().enter(name);
  return variable.code;
}

Value Translator::rows_of(const Value& value) {
  if (value.is(Kind::tensor)) {
    auto rows = value_of(list_of({.kind = Kind::tensor}), value.in(Binding::postfix) + ".unbind()");
    rows.type.items[0].numbers = value.type.numbers;
    rows.type.items[0].dimensions = std::max(value.type.dimensions, 0) - 1;
    return rows;
  }
  if (value.type.name == "set") throw NotPorted("a set has an order of its own");
  if (value.is(Kind::string)) {
    refuse_letters_beyond_ascii();
    need("#include <torchbook/notebook/sequences.h>");
    return value_of(list_of({.kind = Kind::string}), fmt::format("torchbook::characters({})", value.code));
  }
  if (value.is(Kind::size)) return value_of(list_of({.kind = Kind::integer}), value.sizes + ".vec()");
  if (value.is(Kind::dict)) return call_dict_method(value, "keys", {});
  if (value.is(Kind::list) && !value.type.items.empty()) {
    if (!value.literal) return value;
    auto list = value_of(value.type, fmt::format("{}{}", cpp_type(value.type), in_braces(value.elements)));
    list.acts = value.acts;
    return list;
  }
  if (value.is(Kind::tuple) && value.type.name.empty() && (value.literal || !value.temporary)) {
    const auto& items = value.type.items;
    const bool same =
        std::all_of(items.begin(), items.end(), [&](const Type& item) { return item == items[0]; });
    if (same && !items.empty()) {
      const auto type = list_of(items[0]);
      return value_of(type, fmt::format("{}{}", cpp_type(type), in_braces(parts_of(value))));
    }
  }
  throw NotPorted(fmt::format("it goes through {}", in_words(value.type)));
}

/// Whether a loop over `enumerate(a)` or `zip(a, b)` takes apart no more than that, and its arguments are
/// names or calls. Then it needs no list of tuples.
bool Translator::is_plain_loop(const Node& node, const Node& call) const {
  const auto target = node.child("target");
  const auto arguments = call.list("args");
  const bool zips = call.child("func").text("id") == "zip";
  if (!target.is("Tuple") || !call.list("keywords").empty() ||
      arguments.size() != (zips ? target.list("elts").size() : 1))
    return false;
  bool continues = false;
  node.walk([&](const Node& each) {
    continues = continues || each.is("Continue");
    return true;
  });
  const auto names = target.list("elts");
  return (zips || !continues) &&
         std::all_of(names.begin(), names.end(), [](const Node& each) { return each.is("Name"); });
}

void Translator::for_block(const Node& node) {
  if (!node.list("orelse").empty()) throw NotPorted("a loop has an else");
  const auto over = node.child("iter");
  const auto assigned = assigned_names(node.list("body"));
  node.child("target").walk([&](const Node& each) {
    const bool changed = each.is("Name") && assigned.contains(each.text("id"));
    if (changed) throw NotPorted("a loop assigns to its own name");
    return true;
  });
  if (over.is("Call") && over.child("func").is("Name")) {
    const auto function = over.child("func").text("id");
    const bool own = scope().find(function) != nullptr;
    if (!own && function == "range") return for_range(node, over);
    if (!own && function == "enumerate" && is_plain_loop(node, over)) return for_enumerate(node, over);
    if (!own && function == "zip" && is_plain_loop(node, over)) return for_zip(node, over);
  }
  const bool method = over.is("Call") && over.child("func").is("Attribute");
  if (method && over.child("func").text("attr") == "named_parameters") return for_parameters(node, over);
  for_each(node);
}

/// `for name, parameter in model.named_parameters():`
void Translator::for_parameters(const Node& node, const Node& call) {
  const auto module = expression(call.child("func").child("value"));
  const auto target = node.child("target");
  if (!module.is(Kind::module) || !target.is("Tuple") || target.list("elts").size() != 2 ||
      !call.list("args").empty()) {
    throw NotPorted("named_parameters is called in another form");
  }
  const auto item = scope().fresh("item");
  const auto names = target.list("elts");
  const auto name = loop_name(names[0], {.kind = Kind::string});
  const auto parameter = loop_name(names[1], {.kind = Kind::tensor, .items = {}, .name = "parameter"});
  loop_first_.insert(loop_first_.begin(),
                     {fmt::format("[[maybe_unused]] const std::string& {} = {}.key();", name, item),
                      fmt::format("const Tensor& {} = {}.value();", parameter, item)});
  loop_body(node, fmt::format("for (const auto& {} : {}->named_parameters()) {{", item, module.code), {});
}

void Translator::for_range(const Node& node, const Node& call) {
  if (!call.list("keywords").empty()) throw NotPorted("range is called with names");
  std::vector<Value> bounds;
  const auto changed = assigned_names(node.list("body"));
  for (const auto& argument : call.list("args")) {
    auto bound = expression(argument);
    if (!bound.is(Kind::integer)) throw NotPorted(fmt::format("range takes {}", in_words(bound.type)));
    bool changes = bound.acts;
    argument.walk([&](const Node& each) {
      changes = changes || (each.is("Name") && changed.contains(std::string(each.text("id"))));
      return true;
    });
    bounds.push_back(changes ? hold(bound, "end") : bound);
  }
  if (bounds.empty() || bounds.size() > 3) throw NotPorted("range has a wrong number of arguments");
  const auto start = bounds.size() == 1 ? std::string("0") : bounds[0].code;
  const auto& end = bounds[bounds.size() == 1 ? 0 : 1];
  const auto step = bounds.size() == 3 ? bounds[2].code : std::string("1");
  const auto sign = bounds.size() == 3 ? bounds[2].number : step;
  if (sign.empty()) throw NotPorted("whether a range goes up or down is not known");
  const auto name = loop_name(node.child("target"), {.kind = Kind::integer});
  const bool down = sign.starts_with('-');
  const auto next = step == "1"    ? "++" + name
                    : step == "-1" ? "--" + name
                                   : fmt::format("{} += {}", name, step);
  loop_body(node,
            fmt::format("for (int64_t {0} = {1}; {0} {2} {3}; {4}) {{", name, start, down ? ">" : "<",
                        end.in(Binding::sum), next),
            {});
}

void Translator::for_enumerate(const Node& node, const Node& call) {
  const auto arguments = call.list("args");
  const auto target = node.child("target");
  const auto rows = rows_of(expression(arguments[0]));
  const auto names = target.list("elts");
  if (names.size() != 2) throw NotPorted("enumerate has another target");
  const auto number = loop_name(names[0], {.kind = Kind::integer});
  const auto item = loop_name(names[1], rows.type.items[0]);
  const auto type = cpp_parameter(rows.type.items[0]);
  loop_body(node, fmt::format("for (int64_t {} = 0; {} {} : {}) {{", number, type, item, rows.code),
            {"++" + number + ";"});
}

void Translator::for_zip(const Node& node, const Node& call) {
  const auto target = node.child("target");
  const auto arguments = call.list("args");
  std::vector<Value> rows;
  std::string size;
  for (const auto& argument : arguments) {
    auto row = rows_of(expression(argument));
    if (row.temporary) row = hold(row, "rows");
    const auto length = row.code + ".size()";
    size = size.empty() ? length : fmt::format("std::min({}, {})", size, length);
    rows.push_back(std::move(row));
  }
  if (rows.size() > 1) need("#include <algorithm>");
  const auto number = scope().fresh("i");
  const auto names = target.list("elts");
  std::vector<std::string> items;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& type = rows[i].type.items[0];
    items.push_back(
        fmt::format("{} {} = {}[{}];", cpp_parameter(type), loop_name(names[i], type), rows[i].code, number));
  }
  loop_first_.insert(loop_first_.begin(), items.begin(), items.end());
  loop_body(node, fmt::format("for (std::size_t {0} = 0; {0} < {1}; ++{0}) {{", number, size), {});
}

void Translator::for_each(const Node& node) {
  const auto over = expression(node.child("iter"));
  if (over.is(Kind::module)) {
    if (over.type.items.empty()) throw NotPorted("it goes through a module");
    const auto& item = over.type.items[0];
    const auto name = loop_name(node.child("target"), {.kind = Kind::module, .name = "&" + item.name});
    return loop_body(node, fmt::format("for (const auto& {} : *{}) {{", name, over.code), {});
  }
  refuse_changes_of(node.child("iter"), node.list("body"));
  loop_body(node, loop_over(node.child("target"), over, false), {});
}

}  // namespace torchbook::translate
