#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/translate/classes/classes.h>
#include <tools/import/translate/classes/common_bases.h>
#include <tools/import/translate/classes/members.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/expressions/expressions.h>
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

/// Returns the virtual method for a method of several classes, with its common result; nullopt if C++ has
/// none. It counts as translated if all classes that have it have translated it, or if `one` of them is
/// enough. It raises in classes that lack it.
std::optional<Function> shared_method(const std::vector<const NewClass*>& classes, const std::string& name,
                                      bool one) {
  std::optional<Function> shared;
  std::optional<Type> result;
  bool all_have = true;
  for (const auto* made : classes) {
    if (made->members.contains(name)) return std::nullopt;
    const auto found = made->methods.find(name);
    all_have = all_have && found != made->methods.end();
    if (found == made->methods.end()) continue;
    const auto& method = found->second;
    if (!shared) {
      shared = method;
      shared->effects = {};
      shared->translated = !one;
    }
    if (!make_parameters_alike(*shared, method)) return std::nullopt;
    if (method.translated || !one) shared->effects.add(method.effects);
    shared->raises = shared->raises || method.raises;
    shared->outer_names.insert(method.outer_names.begin(), method.outer_names.end());
    shared->translated =
        one ? shared->translated || method.translated : shared->translated && method.translated;
    if (!method.translated || is_empty(method.result)) continue;
    result = common_result(result.value_or(method.result), method.result);
    if (!result) return std::nullopt;
  }
  if (!shared) return std::nullopt;
  shared->raises = shared->raises || !all_have;
  shared->result = result.value_or(Type{});
  return shared;
}

/// Whether a method of several classes can have a parameter of the type.
bool can_be_given(const Type& type) {
  return (type.is_number() || type.is(Kind::tensor) || type.is(Kind::string)) && !type.optional;
}

}  // namespace

void note_meetings(Builder& b, const std::map<std::string, Node>& definitions) {
  const auto fits = [&](const std::string& key) {
    const auto found = definitions.find(key);
    return found != definitions.end() && found->second.bases().empty();
  };
  const auto is_called = [&](const std::string& key) {
    const auto body = definitions.at(key).body();
    return std::any_of(body.begin(), body.end(), [](const Node& each) {
      return each.is(Ast::FunctionDef) && each.name() == "__call__";
    });
  };
  const auto is_taken = [&](const std::string& name) {
    return b.notebook.uses.assignments.contains(name) || b.notebook.uses.lines.contains(name) ||
           b.facts->common_base_named(name) != nullptr;
  };
  for (const auto& cell : b.cells) {
    for (const auto& classes : cell.observed.met) {
      if (!std::all_of(classes.begin(), classes.end(), fits)) continue;
      const bool called = std::all_of(classes.begin(), classes.end(), is_called);
      const std::string hint = called ? "Layer" : "Base";
      auto name = hint;
      for (int number = 2; is_taken(name); ++number) name = fmt::format("{}{}", hint, number);
      b.facts->meet(classes, name);
    }
  }
}

NewClass* class_used(Builder& b, const Type& type, std::string_view name) {
  auto* made = b.class_of(type);
  if (made != nullptr && made->is_common_base) b.facts->use(made->code, name);
  return made;
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
static void add_shared_method(Builder& b, NewClass& base, const std::vector<const NewClass*>& classes,
                              const std::string& name) {
  // A method may call itself through the base. So it counts as translated until the second walk.
  auto shared = shared_method(classes, name, b.facts->learning);
  if (!shared) return;
  shared->key = fmt::format("{}:{}", base.key, name);
  auto& method = base.methods[name] = std::move(*shared);
  const auto* types = b.facts->parameters(method.key);
  method.translated = method.translated && knows_classes_in(b, method.result) && !is_empty(method.result) &&
                      (method.parameters.empty() ||
                       (types != nullptr && std::all_of(types->begin(), types->end(), can_be_given)));
  if (!method.translated) return;
  const bool all_have = std::all_of(classes.begin(), classes.end(),
                                    [&](const NewClass* made) { return made->methods.contains(name); });
  std::vector<std::string> parameters;
  for (std::size_t i = 0; i < method.parameters.size(); ++i) {
    const auto& parameter = method.parameters[i].name;  // empty if the classes have several
    const bool is_named = all_have && !parameter.empty();
    parameters.push_back(cpp_type((*types)[i]) + (is_named ? " " + parameter : ""));
  }
  if (!all_have) b.need("#include <stdexcept>");
  const auto raises = fmt::format(" {{ throw std::runtime_error(\"an object has no {}\"); }}", name);
  b.emit(cpp::Plain{fmt::format("virtual {}({}){}", name_and_result(base, method, name),
                                fmt::join(parameters, ", "), all_have ? " = 0;" : raises)});
}

/// Adds an attribute to a common base, so that all its classes have it.
static void add_shared_member(Builder& b, NewClass& base, const std::vector<const NewClass*>& classes,
                              const std::string& name) {
  const Type* type = nullptr;
  std::string code;
  for (const auto* made : classes) {
    const auto member = made->members.find(name);
    if (made->methods.contains(name)) return;
    if (member == made->members.end()) continue;
    if (type != nullptr && (!(*type == member->second) || code != made->codes.at(name))) return;
    type = &member->second;
    code = made->codes.at(name);
  }
  if (type == nullptr || !knows_classes_in(b, *type) || type->is(Kind::none)) return;
  base.members[name] = without_numbers(*type);
  base.codes[name] = code;
  base.order.push_back(name);
}

/// Returns the classes that derive from a common base, as far as they are known.
static std::vector<const NewClass*> classes_of(Builder& b, const CommonBase& shared) {
  std::vector<const NewClass*> classes;
  for (const auto& each : shared.classes) {
    const auto found = b.defined.classes.find(each);
    const auto* made = b.facts->learning && found != b.defined.classes.end() ? &found->second
                                                                             : b.facts->class_with_key(each);
    if (made != nullptr) classes.push_back(made);
  }
  return classes;
}

static void declare_common_base(Builder& b, const CommonBase& shared) {
  const auto key = key_of_base(shared.name);
  auto& base =
      b.defined.classes[key] = {.is_module = false, .is_shared = true, .key = key, .code = shared.name};
  base.is_common_base = true;
  const auto classes = classes_of(b, shared);
  if (classes.size() < shared.classes.size()) return;  // the first walk extends it
  auto body = b.captured([&] {
    b.emit(cpp::Plain{fmt::format("virtual ~{}() = default;", shared.name)});
    for (const auto& name : shared.used) add_shared_method(b, base, classes, name);
    if (shared.is_named) b.emit(cpp::Plain{"virtual std::string class_name() const = 0;"});
    for (const auto& name : shared.used) add_shared_member(b, base, classes, name);
    if (!base.order.empty()) b.emit(cpp::Plain{});
    for (const auto& name : base.order) b.emit(declared_first(base.members.at(name), base.codes.at(name)));
  });
  b.emit(
      cpp::Struct{.head = "struct " + shared.name, .body = std::move(body), .proved = proved_members(base)});
  b.emit(cpp::Plain{});
}

void derive_from_common_base(Builder& b, NewClass& made) {
  const auto* shared = b.facts->common_base(made.key);
  if (shared == nullptr) return;
  made.common_base = shared->name;
  if (b.scope().depth() > 0)
    refuse("an object in a list of several classes has a class that is defined in a block");
  if (b.state.declared_bases.insert(shared->name).second) declare_common_base(b, *shared);
}

void extend_common_bases(Builder& b) {
  for (const auto& shared : b.facts->common_bases()) {
    const auto found = b.defined.classes.find(key_of_base(shared.name));
    if (found == b.defined.classes.end()) continue;
    auto& base = found->second;
    const auto classes = classes_of(b, shared);
    for (const auto& name : shared.used) {
      b.captured([&] { add_shared_method(b, base, classes, name); });
      if (!base.members.contains(name)) add_shared_member(b, base, classes, name);
      if (!base.methods.contains(name)) continue;
      const auto key = fmt::format("{}:{}", base.key, name);
      std::vector<std::string> bodies;
      for (const auto& each : shared.classes) {
        auto made = b.defined.classes.find(each);
        if (made == b.defined.classes.end() || !made->second.methods.contains(name)) continue;
        bodies.push_back(fmt::format("{}:{}", each, name));
        made->second.methods[name].key = key;
        if (const auto* known = b.facts->parameters(bodies.back())) b.facts->call(key, *known, /*runs=*/true);
      }
      b.learn_later(key, [&b, bodies] {
        std::for_each(bodies.begin(), bodies.end(), [&b](const auto& each) { b.learn_body(each); });
      });
    }
  }
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
