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

/// Returns `Point(x=1, y=2)`. Jupyter, too, shows a named tuple as its repr.
std::string named_tuple_text(const c10::IValue& value, const c10::TupleType& type) {
  const auto& elements = value.toTupleRef().elements();
  detail::Composition out(/*for_jupyter=*/false);
  out.open(class_name(type.name()->qualifiedName()) + "(");
  for (std::size_t i = 0; i < elements.size(); ++i) {
    out.next();
    if (type.schema()) out.text(type.schema()->arguments()[i].name() + "=");
    out.value(elements[i]);
  }
  out.close(")");
  return std::move(out).flat();
}

void compose_tuple(const c10::IValue& value, detail::Composition& out) {
  const auto type = value.type()->expect<c10::TupleType>();
  if (type->name()) return out.leaf(named_tuple_text(value, *type));
  detail::SequenceAsTuplePrinter::compose(value.toTupleRef().elements(), out);
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

/// Calls `use` with the value that an IValue holds. Returns false for other types.
template <class Use>
bool with_plain(const c10::IValue& value, Use use) {
  if (value.isNone()) return use(nullptr), true;
  if (value.isTensor()) return use(value.toTensor()), true;
  if (value.isBool()) return use(value.toBool()), true;
  if (value.isInt()) return use(value.toInt()), true;
  if (value.isDouble()) return use(value.toDouble()), true;
  if (value.isComplexDouble()) return use(value.toComplexDouble()), true;
  if (value.isString()) return use(value.toStringRef()), true;
  if (value.isDevice()) return use(value.toDevice()), true;
  if (value.isGenerator()) return use(value.toGenerator()), true;
  if (value.isList()) return use(value.toList()), true;
  if (value.isGenericDict()) return use(value.toGenericDict()), true;
  return false;
}

}  // namespace

void Printer<c10::IValue>::compose(const c10::IValue& value, detail::Composition& out) {
  const Level level;
  if (with_plain(value, [&](const auto& plain) { out.value(plain); })) return;
  if (value.isTuple()) return compose_tuple(value, out);
  if (value.isEnum()) return out.leaf(enumerator_text(value));
  throw std::invalid_argument(fmt::format("Python shows no value of an IValue of kind {}", value.tagKind()));
}

std::string Printer<c10::IValue>::str(const c10::IValue& value) {
  std::string text;
  if (with_plain(value, [&](const auto& plain) { text = pyrepr::str(plain); })) return text;
  return repr(value);
}

std::string Printer<c10::IValue>::format(const c10::IValue& value, std::string_view spec) {
  std::string text;
  if (with_plain(value, [&](const auto& plain) { text = pyrepr::format(plain, spec); })) return text;
  if (!spec.empty()) detail::refuse_spec(value.isTuple() ? "tuple" : "object");
  return str(value);
}

}  // namespace torchbook::pyrepr::inline v1
