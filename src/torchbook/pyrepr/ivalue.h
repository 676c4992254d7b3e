// Prints the values of TorchScript as Python does.
#pragma once

#include <ATen/core/ivalue.h>
#include <torchbook/pyrepr/composition.h>
#include <torchbook/pyrepr/format_spec.h>
#include <torchbook/pyrepr/printer.h>

#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace torchbook::pyrepr::inline v1 {

/// Prints the value of an IValue: None, tensor, number, bool, text, list, dict, tuple, named tuple,
/// device, generator or enumerator. Throws std::invalid_argument for an object, future, capsule or
/// stream, which Python does not show as values.
template <>
struct Printer<c10::IValue>
    : detail::TakesSpecsOf<detail::float_type, detail::int_type, detail::complex_type, detail::string_type> {
  static void compose(const c10::IValue& value, detail::Composition& out);
  static std::string repr(const c10::IValue& value) { return detail::ComposedPrinter::repr(value); }
  static std::string str(const c10::IValue& value);
  static std::string format(const c10::IValue& value, std::string_view spec);
};

}  // namespace torchbook::pyrepr::inline v1
#pragma GCC visibility pop
