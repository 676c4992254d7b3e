// Translates assignments to names, elements, attributes and several names at once.
#include <fmt/format.h>
#include <torchbook/translate/translator.h>

#include <algorithm>
#include <utility>

namespace torchbook::translate {
namespace {

/// Whether a variable can be declared with the wider type, and its first value be converted.
bool widens(const Type& first, const Type& later) {
  if (first.is(Kind::none)) return later.is(Kind::tensor) || later.is(Kind::module);
  if (first.is(Kind::integer)) return later.is(Kind::floating) || later.is(Kind::tensor);
  if (first.is(Kind::list) && first.items.empty()) return later.is(Kind::list);
  if (first.is(Kind::dict) && (first.items.empty() || holds_open_lists(first))) return later.is(Kind::dict);
  return first.is(Kind::floating) && later.is(Kind::tensor);
}

/// Whether a first value prints otherwise as one of the wider type.
bool is_other_number(const Type& first, const Type& later) {
  return first.is_number() &&
         (later.is(Kind::tensor) || (first.is(Kind::integer) && later.is(Kind::floating)));
}

/// Returns a first value as one of the wider type. A wrapped number leaves the dtype to the tensors that are
/// added to it, as a number of Python does.
std::string widened(const Value& value, const Type& later) {
  if (value.is(Kind::tensor)) return value.code;
  if (value.is(Kind::list) && later.is(Kind::list) && !value.elements.empty()) {
    auto list = value;
    list.type = later;
    return printable(list);
  }
  if (value.is(Kind::dict) && value.code != "{}") return cpp_type(later) + value.code;
  if (later.is(Kind::tensor) && !value.is(Kind::none))
    return fmt::format("at::native::wrapped_scalar_tensor({})", value.code);
  if (later.is(Kind::floating)) return floating_literal(value);
  return {};  // an undefined tensor, an empty list
}

/// Returns what a variable that is declared already is assigned.
std::string assigned(const std::string& code, const Type& type) {
  if (!code.empty()) return code;
  return cpp_type(type) + (type.is(Kind::module) ? "{nullptr}" : "()");
}

bool is_open(const Type& type) {
  return type.is(Kind::none) || ((type.is(Kind::list) || type.is(Kind::dict)) && type.items.empty()) ||
         holds_open_lists(type);
}

/// Whether what a variable of the type holds changes, although nothing is assigned to its name.
bool changes_in_use(const Type& type) {
  return type.is(Kind::module) || type.is(Kind::optimizer) || type.is(Kind::list) || type.is(Kind::dict) ||
         type.is(Kind::random);
}

std::string declaration(const std::string& type, const std::string& name, const std::string& code) {
  if (code.empty()) return fmt::format("{} {};", type, name);
  const bool container =
      type.starts_with("std::vector<") || type.starts_with("torchbook::Dict<") || type.starts_with("Record");
  if (container && code.starts_with(type + "{"))
    return fmt::format("{} {} = {};", type, name, code.substr(type.size()));
  constexpr std::string_view text = "std::string(";
  const bool chosen = type == "std::string" && code.starts_with(text) && code.ends_with("\")") &&
                      code.find(" ? \"") != code.npos && code.find(text, 1) == code.npos;
  return fmt::format("{} {} = {};", type, name,
                     chosen ? code.substr(text.size(), code.size() - text.size() - 1) : code);
}

/// Returns the declaration of a module, an optimizer or another object, which `code` constructs.
std::string construction(const std::string& type, const std::string& name, const std::string& code) {
  const auto arguments = code.substr(type.size());
  const auto inner = arguments.find("()");  // C++ takes `ModuleList list(ReLU());` for a function
  const bool first = inner != 0 && arguments.find_first_of("(.>,", 1) == inner;
  const bool vexing = first && arguments.find_first_of(",)", inner + 2) == inner + 2;
  if (vexing) return fmt::format("{} {} = {};", type, name, code);
  return fmt::format("{} {}{};", type, name, arguments == "()" ? "" : arguments);
}

/// Refuses values that no variable of C++ can hold.
void refuse_without_variable(const Value& value) {
  if (value.type.name == "nested")
    throw NotPorted("how deep the list of a tensor is shows only when it runs");
  if (value.type.name == "error") throw NotPorted("an exception gets another name");
  if (value.is(Kind::generator)) throw NotPorted("a variable cannot hold a generator");
  if (value.is(Kind::none) && value.acts) throw NotPorted("it takes the None of a call");
  if (holds_named_list(value))
    throw NotPorted(fmt::format("a {} gets a second name", value.is(Kind::dict) ? "dict" : "list"));
}

bool is_plain_number(const Type& type) { return type.is_number() && !type.is(Kind::scalar); }

/// Whether a constant can be static in C++, so that classes can read it.
bool lasts(const Type& type) {
  return is_plain_number(type) || type.is(Kind::string) || type.is(Kind::device) || type.is(Kind::dtype);
}

}  // namespace

void Translator::assign(const Node& node) {
  if (!node.has("value")) return;  // an annotation only
  const auto targets = node.is("Assign") ? node.list("targets") : std::vector{node.child("target")};
  const auto source = node.child("value");
  if (source.is("Lambda") && targets[0].is("Name")) return define(source, std::string(targets[0].text("id")));
  const auto path = path_of(source);
  const bool renames = path && path->starts_with("torch.nn.") && targets.size() == 1 &&
                       targets[0].is("Name") && frame_->is_notebook && scope().depth() == 0 &&
                       frame_->uses.assignments[std::string(targets[0].text("id"))] == 1;
  if (renames) return scope().import(std::string(targets[0].text("id")), *path);
  if (targets.size() == 1 && targets[0].is("Attribute") && set_backend(targets[0], source)) return;
  if (targets.size() == 1) wish_ = wish_of(targets[0], source);
  auto value = expression(source);
  const bool plain = value.type.is_number() || value.is(Kind::string) || value.is(Kind::tensor);
  if (targets.size() > 1 && !plain) throw NotPorted("it assigns to several names at once");
  if (targets.size() > 1 && !value.literal) value = hold(value, "value");
  for (const auto& target : targets) assign_to(target, source, value);
}

/// `torch.backends.cudnn.deterministic = True`. Returns whether it is such a setting.
bool Translator::set_backend(const Node& target, const Node& source) {
  static const std::map<std::string_view, std::string_view> settings = {
      {"torch.backends.cudnn.deterministic", "setDeterministicCuDNN"},
      {"torch.backends.cudnn.benchmark", "setBenchmarkCuDNN"}};
  const auto path = path_of(target);
  const auto found = path ? settings.find(*path) : settings.end();
  if (found == settings.end()) return false;
  const auto value = expression(source);
  if (!value.is(Kind::boolean)) throw NotPorted("a setting of cuDNN is no bool");
  ++changes_;
  line(fmt::format("at::globalContext().{}({});", found->second, value.code));
  return true;
}

/// Returns the name that a comprehension is assigned to, if it can be collected in the variable of that name.
std::string Translator::wish_of(const Node& target, const Node& source) {
  const bool sums = source.is("Call") && source.child("func").is("Name") &&
                    source.child("func").text("id") == "sum" && source.list("args").size() == 1 &&
                    scope().find("sum") == nullptr && source.list("keywords").empty();
  const auto of = sums ? source.list("args")[0] : source;
  const bool comprehends = of.is("ListComp") || (sums ? of.is("GeneratorExp") : of.is("DictComp"));
  if (!target.is("Name") || !comprehends) return {};
  const auto name = std::string(target.text("id"));
  const auto* variable = scope().own(name);
  const auto definition = key(target, name);
  const bool known = (variable != nullptr && variable->missing.empty()) || frame_->hoisted.contains(name) ||
                     facts_->later(definition) != nullptr || name == "_";
  return known ? "" : name;
}

void Translator::assign_to(const Node& target, const Node& source, Value value) {
  if (target.is("Name")) return assign_name(target, value);
  if (target.is("Attribute")) return assign_attribute(target, value);
  if (target.is("Subscript")) return assign_subscript(target, value);
  if (!target.is("Tuple") && !target.is("List")) throw NotPorted("it assigns to a starred name");
  if (!value.elements.empty()) {
    // `a, b = b, a`: all values are taken before the first name changes.
    std::set<std::string> read;
    source.walk([&](const Node& each) {
      if (each.is("Name")) read.emplace(each.text("id"));
      return true;
    });
    const auto names = target.list("elts");
    const bool crosses = std::any_of(names.begin(), names.end(), [&](const Node& each) {
      const auto name = each.is("Starred") ? each.child("value") : each;
      return !name.is("Name") || read.contains(std::string(name.text("id")));
    });
    for (auto& element : value.elements) {
      if (crosses) element = hold(element, "value");
    }
  }
  unpack(target.list("elts"), value);
}

/// A function sees the value that a name has when it is called. C++ gives the name a second variable.
void Translator::refuse_if_read_by_functions(const std::string& name) {
  if (frame_->uses.read_by_functions.contains(name)) {
    throw NotPorted(fmt::format("{} changes its type, and a function reads it", name));
  }
}

/// Whether a variable of C++ can be assigned a value. If it is a parameter only sometimes, that is learned.
bool Translator::takes(const std::string& name, Variable& variable, const Type& type) {
  // A variable that begins as a number is a tensor, or a float, behind an assignment that runs.
  if (type.is(variable.type.kind) && variable.branches == frame_->branches) variable.may_be_number = false;
  if (assignable(variable.type, type)) return true;
  if (!variable.type.is(Kind::tensor) || !type.is(Kind::tensor)) return false;
  const bool runs_once = variable.depth == scope().depth() && frame_->loops == 0;
  if (variable.definition.empty()) return false;
  const auto common = *common_type(variable.type, type);
  if (!runs_once) facts_->becomes(variable.definition, common);
  if (frame_->uses.read_by_functions.contains(name)) facts_->becomes(in_functions(variable), common);
  variable.type = runs_once ? type : common;
  return true;
}

void Translator::assign_name(const Node& target, const Value& value) {
  const auto name = std::string(target.text("id"));
  if (name == "_" && value.acts) return line(value.code + ";");
  if (name == "_" && !is_read(frame_->uses, name)) return;
  if (is_text_file(value)) return name_file(name, value);
  refuse_without_variable(value);
  if (!value.temporary && value.is(Kind::function) && frame_->is_notebook && scope().depth() == 0) {
    if (scope().own(name) != nullptr && scope().own(name)->missing.empty()) refuse_if_read_by_functions(name);
    auto& other = scope().declare(name, value.type);
    other.definition = key(target, name);
    other.code = value.code;
    return;
  }
  if (!value.temporary && (value.is(Kind::function) || value.is(Kind::new_class))) {
    throw NotPorted("it gives a function or class another name");
  }
  auto* const variable = scope().own(name);
  if (variable == nullptr || !variable->missing.empty()) return declare_name(target, name, value);
  if (variable->definition.empty() && (variable->is_constant || !assignable(variable->type, value.type)))
    throw NotPorted("a loop assigns to its own name");
  const auto* later = facts_->later(variable->definition);
  note_numbers(*variable, value.type);
  if (takes(name, *variable, value.type)) return line(fmt::format("{} = {};", variable->code, value.code));
  if (later != nullptr && widens(value.type, variable->type)) {
    variable->may_be_number = is_other_number(value.type, variable->type);
    return line(
        fmt::format("{} = {};", variable->code, assigned(widened(value, variable->type), variable->type)));
  }
  if (variable->depth == scope().depth() && frame_->loops == 0) {
    refuse_if_read_by_functions(name);
    return declare_name(target, name, value);
  }
  if (!widens(variable->type, value.type)) {
    facts_->renews(variable->definition);
    throw NotPorted(
        fmt::format("{} holds {} and then {}", name, in_words(variable->type), in_words(value.type)));
  }
  facts_->becomes(variable->definition, value.type);
  throw NotPorted(fmt::format("{} changes its type", name));
}

/// Tells that a variable gets a tensor with other numbers than its first value has.
void Translator::note_numbers(const Variable& variable, const Type& type) {
  const bool tensors = variable.type == type && !variable.definition.empty();
  if (tensors && !same_numbers(variable.type, with_common_numbers(variable.type, type)))
    facts_->mixes_numbers(variable.definition);
}

/// Declares a name that blocks assign and later lines read.
Variable& Translator::declare_above(const std::string& name, const Type& type) {
  auto& hoisted = frame_->hoisted.at(name);
  auto& variable = scope().declare(name, type);
  variable.depth = hoisted.depth;
  variable.branches = hoisted.branches;
  hoisted.type = type;
  hoisted.code = variable.code;
  return variable;
}

void Translator::declare_name(const Node& target, const std::string& name, const Value& value) {
  const auto definition = key(target, name);
  const auto* later = facts_->later(definition);
  Type type = later == nullptr ? value.type : *later;
  if (facts_->mixes(definition)) type = without_numbers(type);
  auto code = later == nullptr ? value.code : widened(value, *later);
  const auto tell = [&](Variable& variable) {
    variable.definition = definition;
    variable.may_be_number = is_other_number(value.type, type);
    note_numbers(variable, value.type);
  };
  if (frame_->hoisted.contains(name)) {
    tell(declare_above(name, type));
    return line(fmt::format("{} = {};", scope().own(name)->code, assigned(code, type)));
  }
  if (auto* const collector = declare_collector(name, value, type)) return tell(*collector);
  // A later assignment or append tells what it holds.
  if (is_open(type)) return void(scope().declare(name, type).definition = definition);
  const bool once = frame_->uses.assignments[name] == 1 && later == nullptr;
  const bool iterator = type.is(Kind::object) && type.name.starts_with(pass_of_loader);
  const bool constant = once && !iterator && !changes_in_use(type) && class_of(type) == nullptr;
  const bool of_class =
      constant && frame_->is_notebook && lasts(type) && frame_->uses.read_by_classes.contains(name);
  const bool unread = is_plain_number(type) && !is_read(frame_->uses, name);
  const bool inferred = iterator || is_inferred(type, constant);
  auto& variable = scope().declare(name, type);
  tell(variable);
  variable.branches = frame_->branches;
  variable.is_constant = constant;
  if (constant && value.is(Kind::integer) && value.literal) variable.number = value.code;
  if (of_class) variable.type.name = "static";
  const auto prefix = fmt::format("{}{}{}", unread ? "[[maybe_unused]] " : "", of_class ? "static " : "",
                                  constant ? "const " : "");
  const auto written = inferred ? "auto" : cpp_type(type);
  if (value.temporary && !type.name.empty() && code.starts_with(type.name + "("))
    return line(construction(written, variable.code, code));
  if (value.is(Kind::list) && value.literal && code.empty()) code = in_braces(value.elements);
  if (code == "{}") code.clear();
  line(prefix + declaration(written, variable.code, inferred && value.literal ? printable(value) : code));
}

}  // namespace torchbook::translate
