#include <fmt/format.h>
#include <tools/import/translate/classes/members.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/functions/function_calls.h>
#include <tools/import/translate/kinds/object.h>

namespace torchbook::translate {
Value object_method(Builder& b, const Value& object, std::string_view name, const Arguments& arguments) {
  auto* made = b.class_of(object.type);
  const auto method = made == nullptr ? decltype(made->methods.end()){} : made->methods.find(name);
  if (made == nullptr || method == made->methods.end())
    refuse("the method {} of an object is not translated", name);
  const auto call = [&](std::vector<cpp::Expr> given) {
    return method_of(b, object, std::string(name), std::move(given));
  };
  return call_function(b, method->second, call, arguments);
}

Value object_attribute(Builder& b, const Value& object, std::string_view name) {
  auto* made = b.class_of(object.type);
  if (made == nullptr) refuse("the attribute {} of an object is not translated", name);
  const auto method = made->methods.find(name);
  if (method != made->methods.end() && method->second.is_property) return object_method(b, object, name, {});
  const auto member = made->members.find(name);
  if (member == made->members.end()) refuse("the attribute {} of an object is not translated", name);
  auto value = not_none(value_of(member->second, member_of(b, object, std::string(name))));
  value.temporary = false;
  return value;
}

Value object_length(Builder& b, const Value& object) {
  const auto* made = b.class_of(object.type);
  const auto method = made == nullptr ? decltype(made->methods.end()){} : made->methods.find("__len__");
  if (made == nullptr || method == made->methods.end())
    refuse("it takes the length of an object without __len__");
  return value_of(Kind::integer, method_of(b, object, "size").with_only(method->second.effects));
}

}  // namespace torchbook::translate
