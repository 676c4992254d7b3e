#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/translate/classes/classes.h>
#include <tools/import/translate/classes/common_bases.h>
#include <tools/import/translate/classes/members.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/core/seen_types.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/functions/parameter_types.h>
#include <tools/import/translate/statements/narrowing.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// Reduces the parameters of a method to those with which a call also fits the method of another class:
/// positional, without default values. Returns false if that is impossible.
bool make_parameters_alike(Function& shared, const Function& method) {
  auto& parameters = shared.parameters;
  if (parameters.size() != method.parameters.size() || shared.is_property != method.is_property) return false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].takes_rest || parameters[i].keyword_only) return false;
    if (parameters[i].name != method.parameters[i].name) parameters[i].name.clear();
    parameters[i].default_value.reset();
  }
  return true;
}

/// Returns the common type of the results of a method, if it is the same in C++; otherwise nullopt.
std::optional<Type> common_result(const Type& one, const Type& other) {
  const auto common = common_type(one, other);
  if (!common || (one != other && cpp_type(one) != cpp_type(other))) return std::nullopt;
  return without_numbers(*common);
}

/// Returns the cell of a definition by its key.
std::size_t cell_of(const std::string& key) { return std::stoul(key); }

/// Returns a method of a class; nullopt if it has none of this name.
std::optional<Node> method_named(const Node& definition, std::string_view name) {
  for (const auto& each : definition.body()) {
    if (each.is(Ast::FunctionDef) && each.name() == name) return each;
  }
  return std::nullopt;
}

/// Returns the calls of a method in Python's run; nullptr if there was none.
const CalledFunction* calls_of(Builder& b, const std::string& key, const Node& method) {
  return b.cells.at(cell_of(key) - 1).observed.calls_of(method);
}

/// Returns the effects of a method of any of the classes, as far as their Python tells: it may draw, change
/// the memory of tensors, assign attributes that a method other than __init__ assigns, and change lists. If
/// it calls a function of the notebook, it may do anything.
cpp::Effects effects_of_classes(Builder& b, const CommonBase& base) {
  auto effects = cpp::reads(cpp::Place::memory);
  effects.add(cpp::reads(cpp::Place::contents));
  effects.add(cpp::writes(cpp::Place::memory));
  effects.add(cpp::draws());
  bool calls = false;
  for (const auto& [key, definition] : base.classes) {
    for (const auto& method : definition.body()) {
      if (!method.is(Ast::FunctionDef) || is_constructor(method)) continue;
      method.walk([&](const Node& node) {
        const auto called = called_name(node);
        calls = calls || (!called.empty() && b.notebook.uses.lines.contains(called));
        if (called == "print") effects.add(cpp::writes(cpp::Place::output));
        for (const auto& target : targets_of(node)) {
          if (is_of_self(target)) effects.add(cpp::writes(cpp::Place::field, std::string(target.attr())));
          if (target.is(Ast::Subscript)) effects.add(cpp::writes(cpp::Place::contents));
        }
        if (is_of_self(node)) effects.add(cpp::reads(cpp::Place::field, std::string(node.attr())));
        if (!changes_receiver(called_method(node))) return;
        const auto of = node.func().value();
        const auto own = is_of_self(of) ? "." + std::string(of.attr()) : "";
        effects.add(cpp::writes(cpp::Place::contents, own));
      });
    }
  }
  return calls ? cpp::everything() : effects;
}

/// Returns the virtual method for a method of several classes, with the parameters and the result of Python's
/// run; nullopt if C++ has none. It raises in classes that lack it.
std::optional<Function> shared_method(Builder& b, const CommonBase& base, const std::string& key,
                                      const std::string& name) {
  std::optional<Function> shared;
  std::optional<Type> result;
  bool all_have = true;
  for (const auto& [of, definition] : base.classes) {
    const auto method = method_named(definition, name);
    all_have = all_have && method;
    if (!method) continue;
    auto function = function_of(*method, key, /*is_method=*/true);
    function.is_property = is_property(*method);
    if (!shared) shared = function;
    if (!make_parameters_alike(*shared, function)) return std::nullopt;
    shared->raises = shared->raises || method->any([](const Node& each) { return each.is(Ast::Raise); });
    shared->outer_names.merge(free_names(*method));
    const auto* const called = calls_of(b, of, *method);
    if (called == nullptr) continue;
    const auto before = std::exchange(b.here.cell, cell_of(of));
    note_observed(b, *method, function);
    b.here.cell = before;
    const auto returned = common_of(b, called->types, CalledFunction::result);
    if (!returned) return std::nullopt;
    if (is_empty(*returned)) continue;
    result = common_result(result.value_or(*returned), *returned);
    if (!result) return std::nullopt;
  }
  if (!shared || !result) return std::nullopt;
  shared->effects = effects_of_classes(b, base);
  shared->raises = shared->raises || !all_have;
  shared->result = *result;
  return shared;
}

/// Whether a method of several classes can have a parameter of the type.
bool can_be_given(const Type& type) {
  return (type.is_number() || type.is(Kind::tensor) || type.is(Kind::string)) && !type.optional;
}

}  // namespace

/// Returns the names that a notebook uses of objects whose class it may not know.
static Names names_used(const Builder& b) {
  Names names = {"__call__", "__len__", "__getitem__"};
  for (const auto& cell : b.cells) {
    if (cell.tree == nullptr) continue;
    Node(*cell.tree).walk([&](const Node& node) {
      if (node.is(Ast::Attribute) && !is_of_self(node)) names.emplace(node.attr());
    });
  }
  return names;
}

/// Adds the methods and attributes that a notebook uses through a common base.
static void add_used(CommonBase& base, const Names& used) {
  for (const auto& [key, definition] : base.classes) {
    definition.walk([&](const Node& node) {
      const bool method = node.is(Ast::FunctionDef) && used.contains(node.name());
      const bool attribute = is_of_self(node) && used.contains(node.attr());
      if (method && !is_constructor(node)) base.used.emplace(node.name());
      if (attribute) base.used.emplace(node.attr());
    });
  }
  base.is_named = used.contains("__name__");
}

/// Joins the common bases that have one of these classes to a new one.
static void meet(Builder& b, CommonBase common) {
  std::erase_if(b.defined.bases, [&](CommonBase& each) {
    const bool shares = std::any_of(each.classes.begin(), each.classes.end(),
                                    [&](const auto& entry) { return common.classes.contains(entry.first); });
    if (!shares) return false;
    common.name = each.name;
    common.classes.merge(each.classes);
    return true;
  });
  b.defined.bases.push_back(std::move(common));
}

void note_meetings(Builder& b, const std::map<std::string, Node>& definitions) {
  const auto fits = [&](const std::string& key) {
    const auto found = definitions.find(key);
    return found != definitions.end() && found->second.bases().empty();
  };
  const auto is_taken = [&](const std::string& name) {
    return b.notebook.uses.assignments.contains(name) || b.notebook.uses.lines.contains(name) ||
           std::any_of(b.defined.bases.begin(), b.defined.bases.end(),
                       [&](const CommonBase& each) { return each.name == name; });
  };
  for (const auto& cell : b.cells) {
    for (const auto& classes : cell.observed.met) {
      if (!std::all_of(classes.begin(), classes.end(), fits)) continue;
      const bool called = std::all_of(classes.begin(), classes.end(), [&](const std::string& key) {
        return method_named(definitions.at(key), "__call__").has_value();
      });
      CommonBase common{.name = called ? "Layer" : "Base"};
      for (int number = 2; is_taken(common.name); ++number)
        common.name = fmt::format("{}{}", called ? "Layer" : "Base", number);
      for (const auto& key : classes) common.classes.emplace(key, definitions.at(key));
      meet(b, std::move(common));
    }
  }
  const auto used = b.defined.bases.empty() ? Names() : names_used(b);
  for (auto& base : b.defined.bases) {
    add_used(base, used);
    b.notebook.scope.reserve(base.name);
  }
}

const CommonBase* common_base_of(const Builder& b, const std::string& key) {
  const auto found = std::find_if(b.defined.bases.begin(), b.defined.bases.end(),
                                  [&](const CommonBase& each) { return each.classes.contains(key); });
  return found == b.defined.bases.end() ? nullptr : &*found;
}

const Function* overridden(Builder& b, const NewClass& made, std::string_view name) {
  if (made.common_base.empty()) return nullptr;
  const auto& base = b.defined.classes.at(key_of_base(made.common_base));
  const auto method = base.methods.find(name);
  return method == base.methods.end() ? nullptr : &method->second;
}

bool knows_classes_in(Builder& b, const Type& type) {
  return !is_of_class_below(b, type) &&
         std::all_of(type.items.begin(), type.items.end(),
                     [&b](const Type& item) { return knows_classes_in(b, item); });
}

/// Adds a method to a common base, and declares it if its types are known.
static void add_shared_method(Builder& b, NewClass& base, const CommonBase& shared, const std::string& name) {
  const auto key = fmt::format("{}:{}", base.key, name);
  auto made = shared_method(b, shared, key, name);
  if (!made) return;
  auto& method = base.methods[name] = std::move(*made);
  const auto seen = b.defined.parameters.find(key);
  for (const auto& each : seen == b.defined.parameters.end() ? std::vector<SeenType>() : seen->second) {
    if (each) method.types.push_back(without_numbers(*each));
  }
  method.translated = knows_classes_in(b, method.result) && method.types.size() == method.parameters.size() &&
                      std::all_of(method.types.begin(), method.types.end(), can_be_given);
  if (!method.translated) return void(base.methods.erase(name));
  const bool all_have = std::all_of(shared.classes.begin(), shared.classes.end(), [&](const auto& entry) {
    return method_named(entry.second, name).has_value();
  });
  std::vector<std::string> parameters;
  for (std::size_t i = 0; i < method.parameters.size(); ++i) {
    const auto& parameter = method.parameters[i].name;  // empty if the classes have several
    const bool is_named = all_have && !parameter.empty();
    parameters.push_back(cpp_type(method.types[i]) + (is_named ? " " + parameter : ""));
  }
  if (!all_have) b.need("#include <stdexcept>");
  const auto raises = fmt::format(" {{ throw std::runtime_error(\"an object has no {}\"); }}", name);
  b.emit(cpp::Plain{fmt::format("virtual {}({}){}", name_and_result(base, method, name),
                                fmt::join(parameters, ", "), all_have ? " = 0;" : raises)});
}

/// Adds an attribute to a common base, so that all its classes have it.
static void add_shared_member(Builder& b, NewClass& base, const CommonBase& shared, const std::string& name) {
  std::optional<Type> type;
  for (const auto& [key, definition] : shared.classes) {
    if (method_named(definition, name)) return;
    for (const auto& method : definition.body()) {
      const auto* const called = method.is(Ast::FunctionDef) ? calls_of(b, key, method) : nullptr;
      const auto seen = called == nullptr ? std::nullopt : common_of(b, called->attributes, name);
      if (!seen) continue;
      if (type && !(*type == *seen)) return;
      type = seen;
    }
  }
  if (!type || !knows_classes_in(b, *type) || type->is(Kind::none) || is_empty(*type)) return;
  base.members[name] = without_numbers(*type);
  base.codes[name] = member_code(base, name);
  base.order.push_back(name);
}

static void declare_common_base(Builder& b, const CommonBase& shared) {
  const auto key = key_of_base(shared.name);
  auto& base =
      b.defined.classes[key] = {.is_module = false, .is_shared = true, .key = key, .code = shared.name};
  base.is_common_base = true;
  auto body = b.captured([&] {
    b.emit(cpp::Plain{fmt::format("virtual ~{}() = default;", shared.name)});
    for (const auto& name : shared.used) add_shared_method(b, base, shared, name);
    if (shared.is_named) b.emit(cpp::Plain{"virtual std::string class_name() const = 0;"});
    for (const auto& name : shared.used) add_shared_member(b, base, shared, name);
    if (!base.order.empty()) b.emit(cpp::Plain{});
    for (const auto& name : base.order) b.emit(declared_first(base.members.at(name), base.codes.at(name)));
  });
  b.emit(
      cpp::Struct{.head = "struct " + shared.name, .body = std::move(body), .proved = proved_members(base)});
  b.emit(cpp::Plain{});
}

void derive_from_common_base(Builder& b, NewClass& made) {
  const auto* shared = common_base_of(b, made.key);
  if (shared == nullptr) return;
  made.common_base = shared->name;
  if (b.scope().depth() > 0)
    refuse("an object in a list of several classes has a class that is defined in a block");
  if (b.state.declared_bases.insert(shared->name).second) declare_common_base(b, *shared);
}

Type class_in_base(Builder& b, const NewClass& base, const Node& named) {
  const auto value = expression(b, named);
  const auto* made = value.is(Kind::new_class) ? &b.defined.classes.at(value.type.name()) : nullptr;
  if (made == nullptr || made->common_base != base.code)
    refuse("an object is tested for a class that it cannot have");
  return object_of(*made);
}

std::optional<Value> is_of_class(Builder& b, const Value& object, const Node& named) {
  const auto* base = b.class_of(object.type);
  if (base == nullptr || !base->is_common_base) return std::nullopt;
  const auto type = class_in_base(b, *base, named);
  const auto cast =
      cpp::call(fmt::format("std::dynamic_pointer_cast<{}>", b.class_of(type)->code), {object.expr});
  return value_of(Kind::boolean, cpp::binary(cast, "!=", cpp::name("nullptr")));
}

}  // namespace torchbook::translate
