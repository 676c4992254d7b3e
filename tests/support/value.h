// Lets a container of a test hold values of several types, as Python's containers do.
#pragma once

#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>
#include <torch/csrc/api/include/torch/ordered_dict.h>
#include <torchbook/pyrepr/composition.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace torchbook::test {

/// A value of any type that prints.
class Value {
 public:
  template <class T>
  Value(T held)  // NOLINT(google-explicit-constructor): it is written as an element of a list
      : compose_([held = std::move(held)](pyrepr::detail::Composition& out) { out.value(held); }) {}

  void compose(pyrepr::detail::Composition& out) const { compose_(out); }

 private:
  std::function<void(pyrepr::detail::Composition&)> compose_;
};

/// Returns the IValue of a list of several types.
inline c10::IValue ivalue_list(const std::vector<c10::IValue>& values) {
  c10::impl::GenericList list(c10::AnyType::get());
  for (const auto& value : values) list.push_back(value);
  return list;
}

inline c10::IValue ivalue_tuple(std::vector<c10::IValue> values) {
  return c10::ivalue::Tuple::create(std::move(values));
}

/// Returns the IValue of a dict. Keys and values alternate.
inline c10::IValue ivalue_dict(const std::vector<c10::IValue>& values) {
  c10::impl::GenericDict dict(c10::AnyType::get(), c10::AnyType::get());
  for (std::size_t i = 0; i + 1 < values.size(); i += 2) dict.insert(values[i], values[i + 1]);
  return dict;
}

template <class Key>
torch::OrderedDict<Key, Value> ordered_dict(const std::vector<std::pair<Key, Value>>& entries) {
  torch::OrderedDict<Key, Value> dict;
  for (const auto& [key, value] : entries) dict.insert(key, value);
  return dict;
}

}  // namespace torchbook::test

template <>
struct torchbook::pyrepr::Printer<torchbook::test::Value> : torchbook::pyrepr::detail::ComposedPrinter {
  static void compose(const torchbook::test::Value& value, torchbook::pyrepr::detail::Composition& out) {
    value.compose(out);
  }
};
