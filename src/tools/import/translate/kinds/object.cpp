// Translates methods and attributes of objects: a state_dict, a data set, a loader and its batches.
#include <fmt/format.h>
#include <tools/import/translate/classes/autograd_functions.h>
#include <tools/import/translate/classes/common_bases.h>
#include <tools/import/translate/classes/members.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/functions/function_calls.h>
#include <tools/import/translate/kinds/data.h>
#include <tools/import/translate/kinds/dict.h>
#include <tools/import/translate/kinds/file.h>
#include <tools/import/translate/kinds/object.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/rows/builtins.h>

namespace torchbook::translate {
namespace {

constexpr std::string_view parameter_group = "torch::optim::OptimizerParamGroup";

/// Methods of a state_dict, and the types of their results.
const std::map<std::string_view, Type> of_state_dicts = {{"keys", view_of(Type(Kind::string))},
                                                         {"values", view_of(Type(Kind::tensor))},
                                                         {"items", pairs_of(Type(Kind::tensor))}};

bool is_loader(const Value& object) { return object.type.name().starts_with("torchbook::data::DataLoader<"); }

}  // namespace

Value copy_of_state(const Arguments& arguments) {
  const auto& given = arguments.positional;
  if (given.size() != 1 || !arguments.named.empty() || given[0].type.name() != state_dict)
    refuse("copy.deepcopy copies something else than a state_dict");
  return value_of(given[0].type, cpp::call("torchbook::nn::copy", {given[0].expr}));
}

Value object_method(Builder& b, const Value& object, std::string_view name, const Arguments& arguments) {
  const bool bare = arguments.count() == 0;
  const auto call = [&](std::vector<cpp::Expr> given) {
    return method_of(b, object, std::string(name), std::move(given));
  };
  if (is_context(object.type)) return method_of_context(b, object, name, arguments);
  if (is_counter(object.type)) return counter_method(b, object, name, arguments);
  if (is_path(object.type)) return path_method(b, object, name, arguments);
  if (auto* made = class_used(b, object.type, name)) {
    const auto method = made->methods.find(name);
    if (method != made->methods.end()) return call_function(b, method->second, call, arguments);
  }
  if (object.type.name() == element_of_numpy && name == "item" && bare)
    return converted(b, object.type.items.at(0).is(Kind::integer) ? "int" : "float", object);
  if (object.type.name() == state_dict && bare) {
    const auto found = of_state_dicts.find(name);
    const auto method = std::string(name == "items" ? "pairs" : name);
    if (found != of_state_dicts.end()) return value_of(found->second, method_of(b, object, method));
  }
  refuse("the method {} of an object is not translated", name);
}

Value object_attribute(Builder& b, const Value& object, std::string_view name) {
  if (is_context(object.type)) return attribute_of_context(b, object, name);
  if (is_loader(object) && name == "dataset") {
    auto value = value_of(object.type.items[1], cpp::method(object.expr, "dataset"));
    value.temporary = false;
    return value;
  }
  if (is_loader(object) && name == "batch_size")
    return value_of(Kind::integer, cpp::method(object.expr, "batch_size"));
  if (auto* made = class_used(b, object.type, name)) {
    const auto method = made->methods.find(name);
    const auto call = [&](std::vector<cpp::Expr> given) {
      return method_of(b, object, std::string(name), std::move(given));
    };
    if (method != made->methods.end() && method->second.is_property)
      return call_function(b, method->second, call, {});
    const auto member = made->members.find(name);
    if (member != made->members.end()) {
      auto value = value_of(member->second, member_of(b, object, std::string(name)));
      value.temporary = false;
      return value;
    }
  }
  refuse("the attribute {} of an object is not translated", name);
}

bool rate_of(const Value& object, const Node& slice) {
  return object.type.name() == parameter_group && slice.is(Ast::Constant) && slice.constant() == "lr";
}

Value object_item(Builder& b, const Value& object, const Node& slice) {
  const auto key = expression(b, slice);
  if (object.type.name() == state_dict && key.is(Kind::string))
    return tensor_of(cpp::subscript(object.expr, key.expr));
  if (object.type.name() == parameter_group && key.is_text("lr")) {
    b.facts->reads_rate();
    return value_of(Kind::floating, cpp::method(cpp::method(object.expr, "options"), "get_lr"));
  }
  if (is_counter(object.type)) {
    if (!(object.type.items[0] == key.type)) refuse("a Counter is asked for {}", in_words(key.type));
    return value_of(Kind::integer, cpp::subscript(object.expr, key.expr));
  }
  if (key.is(Kind::integer)) return item_at(b, object, key);
  refuse("an index of an object is not translated");
}

/// `next(batches)`
static Value next_of_iterator(Builder& b, const Value& iterator) {
  if (!iterator.type.name().starts_with(pass_of_loader))
    refuse("it takes the next of {}", in_words(iterator.type));
  ++b.found.changes;
  return value_of(iterator.type.items[0], cpp::method(iterator.expr, "next"));
}

Value next_of(Builder& b, const Node& node) {
  const auto given = node.args();
  if (given.size() == 1 && given[0].is(Ast::Name)) return next_of_iterator(b, expression(b, given[0]));
  if (given.size() != 1 || !given[0].is(Ast::Call)) refuse("next() is called in another form");
  const bool iterates = called_name(given[0]) == "iter" && b.scope().find("iter") == nullptr;
  const auto inner = iterates ? given[0].args() : given;
  if (inner.size() != 1) refuse("iter() is called in another form");
  const auto from = expression(b, inner[0]);
  if (is_loader(from) && iterates) {
    const auto begin = cpp::method(from.expr, "begin").with(cpp::draws());
    return value_of(from.type.items[0], cpp::unary("*", begin));
  }
  const bool of_module =
      from.is(Kind::list) && from.temporary && from.expr.is(cpp::Kind::method, "parameters");
  if (!of_module) refuse("it takes the next of {}", in_words(from.type));
  return value_of(from.type.items[0], cpp::method(from.expr, "front"));
}

Value iterator_of(const Value& from) {
  if (!is_loader(from)) refuse("it iterates over {}", in_words(from.type));
  const auto name = fmt::format("{}<{}>", pass_of_loader, from.type.name());
  return value_of(object_type(name, {from.type.items[0]}), cpp::call(pass_of_loader, {from.expr}));
}

Value object_rows(Builder& b, const Value& object) {
  if (object.type.name() == state_dict) return rows_of(b, object_method(b, object, "keys", {}));
  if (is_counter(object.type)) return dict_rows(b, dict_of_counter(object));
  if (!is_loader(object)) refuse("it goes through an object");
  auto rows = object.temporary ? b.hold(object, "loader") : object;
  rows.expr = rows.expr.with(cpp::draws());  // each pass draws
  rows.type.items = {object.type.items[0]};
  return rows;
}

Value object_length(Builder& b, const Value& object) {
  if (object.type.name() == state_dict || is_counter(object.type)) return size_in_cpp(object);
  const auto size = method_of(b, object, "size");
  const auto* made = b.class_of(object.type);
  if (made == nullptr) return value_of(Kind::integer, size);
  const auto method = made->methods.find("__len__");
  if (method == made->methods.end()) refuse("it asks an object without __len__ for its length");
  return value_of(Kind::integer, size.with_only(method->second.effects));
}

}  // namespace torchbook::translate
