// Translates what loops and comprehensions go through.
#include <fmt/format.h>
#include <torchbook/translate/translator.h>

#include <algorithm>

namespace torchbook::translate {

/// Returns what a loop takes its items from: a list in C++, or an object with items.
Value Translator::rows_of(const Value& value) {
  if (value.is(Kind::tensor)) {
    auto rows = value_of(list_of({.kind = Kind::tensor}), value.in(Binding::postfix) + ".unbind()");
    rows.type.items[0].numbers = value.type.numbers;
    rows.type.items[0].dimensions = std::max(value.type.dimensions, 0) - 1;
    return rows;
  }
  if (value.type.name == "set") throw NotPorted("a set has an order of its own");
  if (value.is(Kind::module) || value.is(Kind::object)) return rows_of_object(value);
  if (value.is(Kind::string)) {
    refuse_letters_beyond_ascii();
    need("#include <torchbook/notebook/sequences.h>");
    return value_of(list_of({.kind = Kind::string}), fmt::format("torchbook::characters({})", value.code));
  }
  if (value.is(Kind::size)) return value_of(list_of({.kind = Kind::integer}), sizes_as_vector(value));
  if (value.is(Kind::dict)) return rows_of(call_dict_method(value, "keys", {}));
  if (value.is(Kind::record)) return rows_of(call_record_method(value, "keys", {}));
  if (value.is(Kind::list) && !value.type.items.empty()) {
    if (is_view(value.type) || is_tuple_of_any_size(value.type)) {
      auto rows = value;
      rows.type.name.clear();
      return rows;
    }
    if (!value.literal) return value;
    return value_of(value.type, fmt::format("{}{}", cpp_type(value.type), in_braces(value.elements)));
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

/// Whether a loop over `enumerate(a)` or `zip(a, b)` takes apart no more than that. Then it needs no list of
/// tuples.
bool Translator::is_plain_loop(const Node& target, const Node& call, const LoopSite& site) const {
  if (!target.is("Tuple") || !call.list("keywords").empty()) return false;
  const auto given = call.list("args").size();
  if (call.child("func").text("id") == "zip") return given == target.list("elts").size();
  return (given == 1 || given == 2) && !site.continues;
}

/// Python reads a list anew at every step of a loop over it. C++ does not, and a list that grows moves its
/// items. `calls_before` is the number of calls that resize lists before the body.
void Translator::refuse_changes_of(const Node& over, const std::vector<Node>& body, int calls_before) {
  const bool range = over.is("Call") && over.child("func").is("Name") &&
                     over.child("func").text("id") == "range" && scope().find("range") == nullptr;
  if (range) return;  // its bounds are evaluated once
  const auto changed = changed_names(body);
  const auto members = changed_members(body);
  const auto is_container = [](const Type& type) {
    return type.is(Kind::list) || type.is(Kind::dict) || type.name == "torch::nn::ModuleList" || is_row(type);
  };
  over.walk([&](const Node& each) {
    bool container = false;
    bool changes = calls_that_resize_ != calls_before;
    if (each.is("Name")) {
      const auto* variable = scope().find(each.text("id"));
      container = variable != nullptr && is_container(variable->type);
      changes = changes || changed.contains(each.text("id"));
    } else if (each.is("Attribute") && !path_of(each)) {
      container = true;
      changes = changes || members.contains(each.text("attr"));
    }
    if (container && changes) throw NotPorted("a loop changes what it goes through");
    return true;
  });
}

}  // namespace torchbook::translate
