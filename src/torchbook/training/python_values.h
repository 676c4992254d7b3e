// Python's dicts, lists and numbers in a state that is saved or loaded.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace torchbook::training {

using c10::IValue;
using PythonDict = c10::impl::GenericDict;
using PythonList = c10::impl::GenericList;

inline PythonDict new_dict() { return PythonDict(c10::AnyType::get(), c10::AnyType::get()); }
inline PythonList new_list() { return PythonList(c10::AnyType::get()); }

// The functions below throw std::runtime_error if a value is another one. `what` names it in the message.

inline PythonDict dict_of(const IValue& value, const std::string& what) {
  if (!value.isGenericDict()) throw std::runtime_error(what + " is not a dict");
  return value.toGenericDict();
}

inline std::vector<IValue> list_of(const IValue& value, const std::string& what) {
  if (!value.isList()) throw std::runtime_error(what + " is not a list");
  return value.toListRef().vec();
}

inline double number_of(const IValue& value, const std::string& what) {
  if (value.isTensor() && value.toTensor().numel() == 1) return value.toTensor().item<double>();
  if (!value.isScalar()) throw std::runtime_error(what + " is not a number");
  return value.toScalar().toDouble();
}

inline void read(double& number, const IValue& value, const std::string& what) {
  number = number_of(value, what);
}
inline void read(bool& number, const IValue& value, const std::string& what) {
  number = number_of(value, what) != 0;
}
inline void read(std::int64_t& number, const IValue& value, const std::string& what) {
  number = value.isInt() ? value.toInt() : static_cast<std::int64_t>(number_of(value, what));
}
inline void read(std::string& text, const IValue& value, const std::string& what) {
  if (!value.isString()) throw std::runtime_error(what + " is not a str");
  text = value.toStringRef();
}
inline void read(std::tuple<double, double>& pair, const IValue& value, const std::string& what) {
  const auto both = value.isTuple() ? value.toTupleRef().elements().vec() : list_of(value, what);
  if (both.size() != 2) throw std::runtime_error(what + " is not a pair of numbers");
  pair = {number_of(both[0], what), number_of(both[1], what)};
}
/// Reads as many items as there are.
template <class T>
void read(std::vector<T>& items, const IValue& value, const std::string& what) {
  const auto given = list_of(value, what);
  if (given.size() != items.size())
    throw std::runtime_error(what + " is not a list of " + std::to_string(items.size()));
  for (std::size_t i = 0; i < items.size(); ++i) read(items[i], given[i], "an item of " + what);
}
/// Reads a Counter.
inline void read(std::map<std::int64_t, std::int64_t>& counts, const IValue& value, const std::string& what) {
  counts.clear();
  for (const auto& item : dict_of(value, what)) {
    std::int64_t key = 0;
    read(key, item.key(), "a key of " + what);
    read(counts[key], item.value(), "a count of " + what);
  }
}

template <class T>
IValue python_of(const T& value) {
  return value;
}
template <class T>
IValue python_of(const std::vector<T>& values) {
  auto list = new_list();
  for (const auto& value : values) list.push_back(value);
  return list;
}
inline IValue python_of(const std::map<std::int64_t, std::int64_t>& counts) {
  auto dict = new_dict();
  for (const auto& [key, count] : counts) dict.insert(key, count);
  return dict;
}

/// Calls a function, and begins the message of what it throws with `place`.
template <class Act>
auto with_place(const std::string& place, const Act& act) {
  try {
    return act();
  } catch (const c10::Error& error) {  // its text has many lines, with a stack
    const std::string text = error.what_without_backtrace();
    throw std::runtime_error(place + ": " + text.substr(0, text.find('\n')));
  } catch (const std::exception& error) {
    throw std::runtime_error(place + ": " + error.what());
  }
}

}  // namespace torchbook::training
