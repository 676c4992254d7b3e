// Prints the values of TorchScript as Python does.
#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/jit_type.h>
#include <fmt/format.h>
#include <torchbook/pyrepr/ivalue.h>
#include <torchbook/pyrepr/tensor.h>
#include <torchbook/pyrepr/torch_containers.h>
#include <torchbook/pyrepr/torch_values.h>

#include <stdexcept>

namespace torchbook::pyrepr::inline v1 {
namespace {

/// Returns the name of a Python class: the last part of its qualified name.
std::string class_name(const std::string& qualified) { return qualified.substr(qualified.rfind('.') + 1); }

std::string tuple_text(const c10::IValue& value) {
  const auto& elements = value.toTupleRef().elements();
  const auto type = value.type()->expect<c10::TupleType>();
  detail::Enclosed text(type->name() ? class_name(type->name()->qualifiedName()) + "(" : "(");
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const std::string field = type->schema() ? type->schema()->arguments()[i].name() + "=" : "";
    text.add(field + repr(elements[i]));
  }
  return std::move(text).closed(elements.size() == 1 && !type->name() ? ",)" : ")");
}

std::string enumerator_text(const c10::IValue& value) {
  const auto holder = value.toEnumHolder();
  return fmt::format("<{}.{}: {}>", class_name(holder->qualifiedClassName()), holder->name(),
                     repr(holder->value()));
}

/// Counts the levels of a value while it is printed. Python raises RecursionError at about the same depth.
class Level {
 public:
  Level() {
    if (depth_ == deepest) {
      throw std::invalid_argument("an IValue has values more than 1000 levels deep; does it contain itself?");
    }
    ++depth_;
  }
  ~Level() { --depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  static constexpr int deepest = 1000;
  static thread_local int depth_;
};
thread_local int Level::depth_ = 0;

/// Calls `print` with the plain value that an IValue holds. Returns nullopt if it holds another one.
template <class Print>
std::optional<std::string> with_plain(const c10::IValue& value, Print print) {
  if (value.isNone()) return print(nullptr);
  if (value.isTensor()) return print(value.toTensor());
  if (value.isBool()) return print(value.toBool());
  if (value.isInt()) return print(value.toInt());
  if (value.isDouble()) return print(value.toDouble());
  if (value.isComplexDouble()) return print(value.toComplexDouble());
  if (value.isString()) return print(value.toStringRef());
  if (value.isDevice()) return print(value.toDevice());
  if (value.isGenerator()) return print(value.toGenerator());
  if (value.isList()) return print(value.toList());
  if (value.isGenericDict()) return print(value.toGenericDict());
  return std::nullopt;
}

}  // namespace

std::string Printer<c10::IValue>::repr(const c10::IValue& value) {
  const Level level;
  if (auto text = with_plain(value, [](const auto& plain) { return pyrepr::repr(plain); })) return *text;
  if (value.isTuple()) return tuple_text(value);
  if (value.isEnum()) return enumerator_text(value);
  throw std::invalid_argument(fmt::format("Python shows no value of an IValue of kind {}", value.tagKind()));
}

std::string Printer<c10::IValue>::str(const c10::IValue& value) {
  if (auto text = with_plain(value, [](const auto& plain) { return pyrepr::str(plain); })) return *text;
  return repr(value);
}

std::string Printer<c10::IValue>::format(const c10::IValue& value, std::string_view spec) {
  auto text = with_plain(value, [&](const auto& plain) { return pyrepr::format(plain, spec); });
  if (text) return *text;
  if (!spec.empty()) detail::refuse_spec(value.isTuple() ? "tuple" : "object");
  return str(value);
}

}  // namespace torchbook::pyrepr::inline v1
