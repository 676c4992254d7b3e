#include <fmt/format.h>
#include <tools/import/translate/classes/classes.h>
#include <tools/import/translate/classes/members.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/match.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/comprehensions.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/functions/function_calls.h>
#include <tools/import/translate/kinds/layer.h>
#include <tools/import/translate/kinds/module.h>
#include <tools/import/translate/rows/layers.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace torchbook::translate {
namespace {

/// Methods that return parts of a module. In C++, they have the same names.
const std::map<std::string_view, Type> parts = {
    {"parameters", view_of(parameter_type())}, {"named_parameters", pairs_of(parameter_type())},
    {"buffers", view_of(Type(Kind::tensor))},  {"named_buffers", pairs_of(Type(Kind::tensor))},
    {"children", view_of(unknown_module())},   {"named_children", pairs_of(unknown_module())},
    {"modules", view_of(unknown_module())},    {"named_modules", pairs_of(unknown_module())}};

/// Returns the device or dtype to which `module.to(x)`, `module.double()` and the like move a module; empty
/// for other methods.
cpp::Expr moved_by(std::string_view name, const Arguments& arguments) {
  static const std::map<std::string_view, std::string_view> dtypes = {
      {"double", "torch::kFloat64"}, {"float", "torch::kFloat32"}, {"half", "torch::kFloat16"}};
  const auto& given = arguments.positional;
  if (!arguments.named.empty()) return {};
  if (const auto found = dtypes.find(name); found != dtypes.end() && given.empty())
    return cpp::name(found->second);
  if (name == "cpu" && given.empty()) return cpp::name("torch::kCPU");
  return name == "to" && given.size() == 1 ? moved_to(given[0]) : cpp::Expr();
}

/// Returns the element of a module list or nn.Sequential at a literal index.
Value module_at(const Value& from, const std::string& at) {
  const auto& items = from.type.items;
  const bool row = is_sequential(from.type);
  const auto number = std::stol(at) + (at.starts_with('-') && row ? static_cast<long>(items.size()) : 0);
  if (number < 0 || (row && static_cast<std::size_t>(number) >= items.size()))
    refuse("an index is not in the list of modules");
  auto item = items[row ? static_cast<std::size_t>(number) : 0];
  // AnyModule cannot return a module as a class that inherits its forward.
  const bool inherits = row && (item.name().find("BatchNorm") != item.name().npos ||
                                item.name().find("InstanceNorm") != item.name().npos);
  const auto method = inherits ? std::string("ptr") : fmt::format("ptr<{}Impl>", item.name());
  auto part = cpp::arrow_method(from.expr, method, {cpp::number(number)});
  if (inherits) part = cpp::call(fmt::format("std::dynamic_pointer_cast<{}Impl>", item.name()), {part});
  item.as<types::Module>()->held = types::Held::pointer;
  return value_of(item, part);
}

}  // namespace

/// Returns a pointer to a module that is no reference.
static cpp::Expr pointer_to(const Value& module) {
  return is_any_module(module.type) ? cpp::method(module.expr, "ptr") : module.expr;
}

cpp::Expr module_itself(const Value& module) {
  return is_some_module(module.type) ? module.expr : cpp::unary("*", pointer_to(module));
}

cpp::Expr method_of_module(const Value& module, const std::string& name, std::vector<cpp::Expr> arguments) {
  if (is_some_module(module.type)) return cpp::method(module.expr, name, std::move(arguments));
  return cpp::arrow_method(pointer_to(module), name, std::move(arguments));
}

cpp::Expr member_of_module(const Value& module, const std::string& name) {
  return is_some_module(module.type) ? cpp::member(module.expr, name)
                                     : cpp::arrow_member(pointer_to(module), name);
}

Value module_attribute(Builder& b, const Value& module, std::string_view name) {
  if (name == "training") return value_of(Kind::boolean, method_of_module(module, "is_training"));
  auto base = module.expr;
  if (module.type.is(types::Held::element))
    base = cpp::arrow_method(base, fmt::format("as<{}>", module.type.name()));
  if (auto* made = b.class_of(module.type)) {
    const auto method = made->methods.find(name);
    if (method != made->methods.end() && method->second.is_property)
      return call_function(b, method->second,
                           [&](const auto& /*given*/) { return cpp::arrow_method(base, name); }, {});
    const auto member = made->members.find(name);
    if (member == made->members.end()) refuse("the module has no {} that is known", name);
    auto value = not_none(
        value_of(member->second, as_member(b, cpp::arrow_member(base, made->codes.at(std::string(name))),
                                           member->second, std::string(name))));
    value.temporary = false;
    return value;
  }
  if (auto member = layer_member(base, module.type, name)) return *member;
  const auto& parts = module.type.part_names();
  if (const auto part = std::find(parts.begin(), parts.end(), name); part != parts.end())
    return module_at(module, std::to_string(part - parts.begin()));
  refuse("the attribute {} of a module is not translated", name);
}

/// `Model().to(device)`
static Value moved_module(Builder& b, const Value& module, const cpp::Expr& to) {
  auto value = module;
  auto statements = b.captured([&] {
    if (module.temporary && !module.expr.is(cpp::Kind::name)) {
      const auto made = collector(b, "module");
      b.emit(cpp::Declare{.type = "auto", .name = made, .value = module.expr});
      value = b.held(module, made);
    }
    b.emit(cpp::Evaluate{method_of_module(value, "to", {to}).with(cpp::writes(cpp::Place::memory))});
  });
  value.expr = cpp::let(std::move(statements), cpp::without_statements(value.expr));
  return value;
}

/// `model.load_state_dict(other.state_dict())`, `model.load_state_dict(best)` of a dict
static Value load_state(Builder& b, const Value& module, const Arguments& arguments) {
  const auto [state] = match("load_state_dict", arguments, {{"state_dict", {Kind::state_dict, Kind::dict}}});
  if (state->is(Kind::dict) && state->type != dict_of_tensors())
    refuse("load_state_dict takes a dict that does not hold tensors by names");
  ++b.found.changes;
  return value_of(shown_type("torchbook::nn::IncompatibleKeys"),
                  cpp::call("torchbook::nn::load_state_dict", {module_itself(module), state->expr}));
}

/// Calls a method that returns a module's parts, or reads or loads its weights; nullopt if it is
/// another method.
static std::optional<Value> inspected(Builder& b, const Value& module, std::string_view name,
                                      const Arguments& arguments) {
  const bool bare = arguments.count() == 0;
  if (name == "load_state_dict") return load_state(b, module, arguments);
  if (!bare) return std::nullopt;
  if (name == "state_dict") {
    if (b.state.has_unsaved) refuse("a buffer is not part of the state_dict");
    return value_of(named_type(Kind::state_dict, state_dict),
                    cpp::call("torchbook::nn::state_dict", {module_itself(module)}));
  }
  const auto found = parts.find(name);
  if (found == parts.end()) return std::nullopt;
  if (module.expr.is(cpp::form::self) && name.ends_with("modules"))
    refuse("a constructor loops over the modules of its object");
  const auto told = method_of_module(module, std::string(name));
  return value_of(found->second, name.starts_with("named_") ? cpp::method(told, "pairs") : told);
}

Value module_method(Builder& b, const Value& module, std::string_view name, const Arguments& arguments) {
  const auto written = [&](std::vector<cpp::Expr> given) {
    return method_of_module(module, std::string(name), std::move(given));
  };
  if (name == "forward") return call_module(b, module, arguments);
  if (name == "append" && is_module_list(module.type) && arguments.positional.size() == 1)
    return append_module(b, module, arguments.positional[0]);
  if (name == "add_module" && is_sequential(module.type)) return add_to_sequential(b, module, arguments);
  if (auto* made = b.class_of(module.type)) {
    if (const auto method = made->methods.find(name); method != made->methods.end()) {
      return call_function(b, method->second, written, arguments);
    }
  }
  if (auto known = inspected(b, module, name, arguments)) return *known;
  if (const auto to = moved_by(name, arguments)) return moved_module(b, module, to);
  if (name == "eval" || name == "train" || name == "zero_grad") {
    std::vector<CallParameter> parameters;
    if (name != "eval") parameters.push_back({name == "train" ? "mode" : "set_to_none", {}, true});
    std::vector<cpp::Expr> given;
    for (const auto* each :
         match_row(fmt::format("the method {} of a module", name), arguments, parameters)) {
      if (each != nullptr) given.push_back(each->expr);
    }
    auto value = value_of(Kind::none, written(std::move(given)).with(cpp::writes(cpp::Place::memory)));
    if (name != "zero_grad") value.displayed = module.type;
    value.returned_module = cpp::without_statements(module.expr);
    return value;
  }
  refuse("the method {} of a module is not translated", name);
}

Value module_item(Builder& b, const Value& module, const Node& slice) {
  const bool several = !is_sequential(module.type) && module.type.items.size() > 1;
  if (!is_written_number(slice) || module.type.items.empty())
    refuse("an index of a module is not translated");
  const auto at = expression(b, slice).number;
  if (!several) return module_at(module, at);
  if (at.starts_with('-')) refuse("an index of a module is not translated");
  return value_of(module_type({}, module.type.items, types::Held::unknown),
                  cpp::arrow_method(module.expr, "ptr", {cpp::number(at)}));
}

Value module_rows(Builder& /*b*/, const Value& module) {
  const auto& type = module.type;
  if (is_sequential(type)) return value_of(list_of(module_type(any_module)), cpp::unary("*", module.expr));
  if (!is_module_list(type) || type.items.empty()) refuse("it loops over a module");
  const auto item = type.items.size() > 1 ? module_type({}, type.items, types::Held::unknown)
                                          : module_type(type.items[0].name(), {}, types::Held::element);
  return value_of(list_of(item), cpp::unary("*", module.expr));
}

Value module_length(Builder& /*b*/, const Value& module) {
  if (!is_sequential(module.type) && !is_module_list(module.type))
    refuse("the length of a module is not translated");
  return value_of(Kind::integer, cpp::cast("int64_t", cpp::arrow_method(module.expr, "size")));
}

}  // namespace torchbook::translate
