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

/// Prints what an IValue holds: None, a tensor, number, bool, text, list, dict, tuple, named tuple, device,
/// generator or enumerator. Throws std::invalid_argument for what Python does not show as a value: an object,
/// a future, a capsule, a stream.
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
