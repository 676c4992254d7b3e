// Values that Python carried for the cells of a port that are not translated.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <torchbook/notebook/cells/table.h>
#include <torchbook/pyrepr/dict.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace torchbook::notebook {

/// Returns a hash of the Python text of all cells. A file of carried values is valid only for the
/// text that made it.
std::int64_t hash_of_python(std::span<const std::string_view> cells);

/// Returns a file of torch.save that holds a value.
std::vector<char> saved(const c10::IValue& value);

/// The values and generator states that are carried.
struct CarriedValues {
  std::map<std::string, c10::IValue> values{};     ///< by position and name: `3/X`
  std::map<std::string, at::Tensor> generators{};  ///< by position: `3`
};

/// Returns the file of carried values. `python` is the hash of the notebook's Python.
std::string carried_file(const CarriedValues& carried, std::int64_t python);

/// Returns the tensors of a torch.save file that holds a dict of tensors. Throws std::runtime_error
/// for any other file.
std::map<std::string, at::Tensor> tensors_in(std::string_view file);

/// The values of `<slug>.carried`. The file is read when the first value is requested.
class Carried {
 public:
  /// `file` is empty if there is none. `table` has the notebook's Python.
  Carried(std::string file, std::span<const TableEntry> table) : file_(std::move(file)), table_(table) {}

  /// Returns the value that a name had after a cell. Throws std::runtime_error if the file is
  /// missing, cannot be read, was made by other Python text, or lacks the value. The message says
  /// what to do.
  c10::IValue value(std::size_t position, std::string_view name);

  /// Returns the state of the generator after a cell; throws as value() does.
  at::Tensor generator(std::size_t position);

 private:
  void read();
  [[noreturn]] void fail(std::string_view what) const;
  c10::IValue part(const char* of, const std::string& key);

  std::string file_;
  std::span<const TableEntry> table_;
  c10::IValue whole_{};
};

namespace detail {

template <class T>
T carried_as(const c10::IValue& value);

template <class T>
struct CarriedAs {
  static T from(const c10::IValue& value) { return value.to<T>(); }
};

template <>
struct CarriedAs<std::string> {
  static std::string from(const c10::IValue& value) { return value.toStringRef(); }
};

template <class Item>
struct CarriedAs<std::vector<Item>> {
  static std::vector<Item> from(const c10::IValue& value) {
    std::vector<Item> items;
    for (const c10::IValue& item : value.toListRef()) items.push_back(carried_as<Item>(item));
    return items;
  }
};

template <class... Items>
struct CarriedAs<std::tuple<Items...>> {
  static std::tuple<Items...> from(const c10::IValue& value) {
    return parts(value.toTupleRef().elements().vec(), std::index_sequence_for<Items...>());
  }
  template <std::size_t... places>
  static std::tuple<Items...> parts(const std::vector<c10::IValue>& elements,
                                    std::index_sequence<places...>) {
    return {carried_as<Items>(elements.at(places))...};
  }
};

template <class Key, class Item>
struct CarriedAs<Dict<Key, Item>> {
  static Dict<Key, Item> from(const c10::IValue& value) {
    Dict<Key, Item> dict;
    for (const auto& entry : value.toGenericDict())
      dict[carried_as<Key>(entry.key())] = carried_as<Item>(entry.value());
    return dict;
  }
};

template <class T>
T carried_as(const c10::IValue& value) {
  return CarriedAs<T>::from(value);
}

}  // namespace detail

}  // namespace torchbook::notebook
