#include <fmt/format.h>
#include <tools/import/translate/classes/classes.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/seen_types.h>
#include <tools/import/translate/functions/functions.h>
#include <tools/import/translate/functions/parameter_types.h>
#include <tools/import/translate/kinds/counter.h>
#include <tools/import/translate/kinds/data.h>
#include <tools/import/translate/kinds/deque.h>

#include <utility>

namespace torchbook::translate {

/// Returns a type of Python's run as that of values in C++; nullopt if C++ has none.
static std::optional<Type> as_in_cpp(Builder& b, const SeenType& seen);

namespace {

/// Returns the definition with this key, and its cell; nullopt if there is none.
std::optional<std::pair<Node, std::size_t>> definition_of(Builder& b, const std::string& key) {
  std::optional<std::pair<Node, std::size_t>> found;
  for (std::size_t cell = 1; cell <= b.cells.size(); ++cell) {
    if (!key.starts_with(fmt::format("{}:", cell)) || b.cells[cell - 1].tree == nullptr) continue;
    Node(*b.cells[cell - 1].tree).walk([&](const Node& node) {
      const bool defines = node.is(Ast::FunctionDef) || node.is(Ast::ClassDef) || node.is(Ast::Lambda);
      if (defines && key.starts_with(key_of_definition(cell, node.line(), node.column(), "")))
        found = std::pair(node, cell);
      return true;
    });
  }
  return found;
}

/// Returns how many lines the cells above a cell have.
int lines_above(const Builder& b, std::size_t cell) {
  int lines = 0;
  for (std::size_t i = 0; i + 1 < cell; ++i) {
    if (b.cells[i].tree != nullptr) lines += static_cast<int>(Node(*b.cells[i].tree).lines());
  }
  return lines;
}

/// Returns a class that is defined below; nullptr if it cannot be translated there.
const NewClass* class_below(Builder& b, const std::string& key) {
  if (const auto known = b.defined.classes_below.find(key); known != b.defined.classes_below.end())
    return &known->second;
  const auto definition = definition_of(b, key);
  if (!definition || definition->second < b.here.cell || b.defined.unknown_below.contains(key))
    return nullptr;
  const Snapshot snapshot(b);
  const auto notebook = b.notebook;
  cpp::Stmts dropped;
  b.statements = &dropped;
  b.frame = &b.notebook;
  b.here = {.cell = definition->second, .first_line = lines_above(b, definition->second)};
  try {
    define_class(b, definition->first);
  } catch (const NotPorted&) {
    b.defined.classes.erase(key);
  }
  b.notebook = notebook;
  snapshot.restore();
  auto made = b.defined.classes.extract(key);
  if (made.empty()) b.defined.unknown_below.insert(key);
  if (made.empty()) return nullptr;
  return &b.defined.classes_below.insert(std::move(made)).position->second;
}

/// Returns the type of the items of a list: nullopt if C++ has none, and nothing if there are no items.
std::optional<std::optional<Type>> common_item(Builder& b, const std::vector<Type>& items) {
  std::optional<Type> list;  // of them
  for (const auto& each : items) {
    const auto item = as_in_cpp(b, each);
    if (!item) return std::nullopt;
    const bool same = list && list->items[0].kind() == item->kind();
    if (same && is_empty(*item)) continue;
    const auto other = list_of(as_item(*item));
    list = !list || (same && is_empty(list->items[0])) ? other : common_container(*list, other);
    if (!list) return std::nullopt;
  }
  return list ? std::optional(std::optional(list->items[0])) : std::optional(std::optional<Type>());
}

std::optional<Type> container_in_cpp(Builder& b, const Type& seen) {
  auto type = seen;
  if (seen.is(Kind::dict)) {
    for (auto& item : type.items) {
      const auto common = common_item(b, item.items);
      if (!common || !*common) return std::nullopt;
      item = **common;
    }
    return type;
  }
  const auto item = common_item(b, seen.items);
  if (!item) return std::nullopt;
  type.items.clear();
  if (!*item) return seen.is(Kind::list) ? type : Type(seen.kind());
  if (seen.is(Kind::counter)) return counter_type(**item);
  if (seen.is(Kind::deque)) return deque_type(**item);
  type.items.push_back(**item);
  return type;
}

std::optional<Type> object_in_cpp(Builder& b, const std::string& key) {
  const auto found = b.defined.classes.find(key);
  const auto* made = found == b.defined.classes.end() ? class_below(b, key) : &found->second;
  if (made == nullptr) return std::nullopt;
  return made->is_module ? module_type(made->code) : object_of(*made);
}

/// Returns the type of values of either type; nullopt if C++ has none.
std::optional<Type> joined(const Type& one, const Type& other) {
  const auto are = [&](Kind kind) { return one.is(kind) && other.is(kind); };
  if (are(Kind::function) && is_function_of_torch(one)) return one;  // a call checks the number of parameters
  if (one.is(Kind::none) && other.is(Kind::function)) return optional(other);
  if (one.is(Kind::function) && other.is(Kind::none)) return optional(one);
  if (is_module_list(one) && is_module_list(other)) return common_container(one, other);
  return common_argument(one, other);
}

}  // namespace

static std::optional<Type> as_in_cpp(Builder& b, const SeenType& seen) try {
  if (!seen) return std::nullopt;
  auto type = *seen;
  const bool sequence = type.is(types::Sequence::list) || type.is(types::Sequence::set);
  const bool named = type.is(Kind::counter) || type.is(Kind::deque);
  if (sequence || named || type.is(Kind::dict)) return container_in_cpp(b, type);
  if (type.is(Kind::object)) return object_in_cpp(b, type.name());
  if (type.is(Kind::function) && type.name().starts_with("torch."))
    return function_of_torch(b, type.name()).type;
  for (auto& item : type.items) {
    const auto known = as_in_cpp(b, item);
    if (!known) return std::nullopt;
    item = *known;
  }
  if (type.is(Kind::loader)) return loader_type(b, type.items.at(0));
  if (!type.is(Kind::data_set)) return type;
  return type.name() == "Subset" ? subset_type(b, type.items.at(0)) : tensor_dataset_type(type.items.size());
} catch (const NotPorted&) {
  return std::nullopt;
}

std::optional<Type> common_of(Builder& b, const std::vector<SeenType>& seen, bool first) {
  std::optional<Type> common;
  for (const auto& each : seen) {
    const auto type = as_in_cpp(b, each);
    auto both = common && type ? joined(*common, *type) : type;
    if (!both && !(first && common)) return std::nullopt;
    if (both) common = std::move(both);
  }
  return common;
}

std::optional<Type> common_of(Builder& b, const SeenTypes& types, const std::string& name, bool first) {
  const auto found = types.find(name);
  return found == types.end() ? std::nullopt : common_of(b, found->second, first);
}

std::vector<Type> seen_at(Builder& b, std::size_t cell, int line, int column) {
  std::vector<Type> types;
  const auto& values = b.cells.at(cell - 1).observed.values;
  const auto found = values.find({line, column});
  if (found == values.end()) return types;
  for (const auto& seen : found->second) {
    if (auto type = as_in_cpp(b, seen)) types.push_back(std::move(*type));
  }
  return types;
}

const CalledFunction* called_with_key(Builder& b, const std::string& key, std::size_t& cell) {
  const auto definition = definition_of(b, key);
  if (!definition) return nullptr;
  cell = definition->second;
  return b.cells[cell - 1].observed.calls_of(definition->first);
}

Function& function_below(Builder& b, const std::string& key) {
  std::size_t cell = 0;
  const auto* called = called_with_key(b, key, cell);
  const auto result = called == nullptr ? std::nullopt : common_of(b, called->types, CalledFunction::result);
  if (!result) refuse("it calls a function that is defined below, and whose result is not known");
  const auto node = definition_of(b, key)->first;
  auto& function = b.defined.functions[key] = function_of(node, key, /*is_method=*/false);
  function.result = *result;
  function.outer_names = free_names(node);
  function.raises = node.any([](const Node& each) { return each.is(Ast::Raise); });
  function.translated = true;
  const auto before = std::exchange(b.here.cell, cell);
  note_observed(b, node, function);
  function.types = parameter_types(b, node, function);
  b.here.cell = before;
  return function;
}

}  // namespace torchbook::translate
