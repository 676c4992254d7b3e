// Translates methods and attributes of objects: a state_dict, a data set, a loader and its batches.
#include <fmt/format.h>
#include <tools/import/translate/lower/translator.h>

namespace torchbook::translate {
namespace {

constexpr std::string_view parameter_group = "torch::optim::OptimizerParamGroup";

/// Methods of a state_dict, and the types of their results.
const std::map<std::string_view, Type> of_state_dicts = {{"keys", view_of(Type(Kind::string))},
                                                         {"values", view_of(Type(Kind::tensor))},
                                                         {"items", pairs_of(Type(Kind::tensor))}};

bool is_loader(const Value& object) { return object.type.name().starts_with("torchbook::data::DataLoader<"); }

}  // namespace

/// `copy.deepcopy(model.state_dict())`
Value Translator::copy_of_state(const Arguments& arguments) {
  const auto& given = arguments.positional;
  if (given.size() != 1 || !arguments.named.empty() || given[0].type.name() != state_dict)
    throw NotPorted("copy.deepcopy copies something else than a state_dict");
  return value_of(given[0].type, cpp::call("torchbook::nn::copy", {given[0].expr}));
}

Value Translator::object_method(const Value& object, std::string_view name, const Arguments& arguments) {
  const bool bare = arguments.count() == 0;
  const auto call = [&](std::vector<cpp::Expr> given) {
    return method_of(object, std::string(name), std::move(given));
  };
  if (is_context(object.type)) return method_of_context(object, name, arguments);
  if (is_counter(object.type)) return counter_method(object, name, arguments);
  if (is_path(object.type)) return path_method(object, name, arguments);
  if (auto* made = class_used(object.type, name)) {
    const auto method = made->methods.find(name);
    if (method != made->methods.end()) return call_function(method->second, call, arguments);
  }
  if (object.type.name() == element_of_numpy && name == "item" && bare)
    return converted(object.type.items.at(0).is(Kind::integer) ? "int" : "float", object);
  if (object.type.name() == state_dict && bare) {
    const auto found = of_state_dicts.find(name);
    const auto method = std::string(name == "items" ? "pairs" : name);
    if (found != of_state_dicts.end()) return value_of(found->second, method_of(object, method));
  }
  throw NotPorted("the method {} of an object is not translated", name);
}

Value Translator::object_attribute(const Value& object, std::string_view name) {
  if (is_context(object.type)) return attribute_of_context(object, name);
  if (is_loader(object) && name == "dataset") {
    auto value = value_of(object.type.items[1], cpp::method(object.expr, "dataset"));
    value.temporary = false;
    return value;
  }
  if (is_loader(object) && name == "batch_size")
    return value_of(Kind::integer, cpp::method(object.expr, "batch_size"));
  if (auto* made = class_used(object.type, name)) {
    const auto method = made->methods.find(name);
    const auto call = [&](std::vector<cpp::Expr> given) {
      return method_of(object, std::string(name), std::move(given));
    };
    if (method != made->methods.end() && method->second.is_property)
      return call_function(method->second, call, {});
    const auto member = made->members.find(name);
    if (member != made->members.end()) {
      auto value = value_of(member->second, member_of(object, std::string(name)));
      value.temporary = false;
      return value;
    }
  }
  throw NotPorted("the attribute {} of an object is not translated", name);
}

/// Whether it is `group["lr"]` for a group of an optimizer's parameters.
bool Translator::rate_of(const Value& object, const Node& slice) {
  return object.type.name() == parameter_group && slice.is("Constant") && slice.text("value") == "lr";
}

/// `weights["0.bias"]`, `dataset[0]`
Value Translator::object_item(const Value& object, const Node& slice) {
  const auto key = expression(slice);
  if (object.type.name() == state_dict && key.is(Kind::string))
    return tensor_of(cpp::subscript(object.expr, key.expr));
  if (object.type.name() == parameter_group && key.is_text("lr")) {
    facts_->reads_rate();
    return value_of(Kind::floating, cpp::method(cpp::method(object.expr, "options"), "get_lr"));
  }
  if (is_counter(object.type)) {
    if (!(object.type.items[0] == key.type)) throw NotPorted("a Counter is asked for {}", in_words(key.type));
    return value_of(Kind::integer, cpp::subscript(object.expr, key.expr));
  }
  if (key.is(Kind::integer)) return item_at(object, key);
  throw NotPorted("an index of an object is not translated");
}

/// `next(iter(loader))`, `next(model.parameters())`
Value Translator::next_of(const Node& node) {
  const auto given = node.list("args");
  if (given.size() == 1 && given[0].is("Name")) return next_of_iterator(expression(given[0]));
  if (given.size() != 1 || !given[0].is("Call")) throw NotPorted("next() is called in another form");
  const bool iterates = called_name(given[0]) == "iter" && scope().find("iter") == nullptr;
  const auto inner = iterates ? given[0].list("args") : given;
  if (inner.size() != 1) throw NotPorted("iter() is called in another form");
  const auto from = expression(inner[0]);
  if (is_loader(from) && iterates) {
    const auto begin = cpp::method(from.expr, "begin").with(cpp::draws());
    return value_of(from.type.items[0], cpp::unary("*", begin));
  }
  const bool of_module =
      from.is(Kind::list) && from.temporary && from.expr.is(cpp::Kind::method, "parameters");
  if (!of_module) throw NotPorted("it takes the next of {}", in_words(from.type));
  return value_of(from.type.items[0], cpp::method(from.expr, "front"));
}

/// `iter(loader)`
Value Translator::iterator_of(const Value& from) {
  if (!is_loader(from)) throw NotPorted("it iterates over {}", in_words(from.type));
  const auto name = fmt::format("{}<{}>", pass_of_loader, from.type.name());
  return value_of(object_type(name, {from.type.items[0]}), cpp::call(pass_of_loader, {from.expr}));
}

/// `next(batches)`
Value Translator::next_of_iterator(const Value& iterator) {
  if (!iterator.type.name().starts_with(pass_of_loader))
    throw NotPorted("it takes the next of {}", in_words(iterator.type));
  ++changes_;
  return value_of(iterator.type.items[0], cpp::method(iterator.expr, "next"));
}

Value Translator::object_rows(const Value& object) {
  if (object.type.name() == state_dict) return rows_of(object_method(object, "keys", {}));
  if (is_counter(object.type)) return dict_rows(dict_of_counter(object));
  if (!is_loader(object)) throw NotPorted("it goes through an object");
  if (object.temporary) throw NotPorted("a loop makes its loader");
  auto rows = object;
  rows.expr = object.expr.with(cpp::draws());  // each pass draws
  rows.type.items = {object.type.items[0]};
  return rows;
}

/// `len(dataset)`
Value Translator::object_length(const Value& object) {
  if (object.type.name() == state_dict || is_counter(object.type)) return size_in_cpp(object);
  const auto size = method_of(object, "size");
  const auto* made = class_of(object.type);
  if (made == nullptr) return value_of(Kind::integer, size);
  const auto method = made->methods.find("__len__");
  if (method == made->methods.end()) throw NotPorted("it asks an object without __len__ for its length");
  return value_of(Kind::integer, size.with_only(method->second.effects));
}

}  // namespace torchbook::translate
