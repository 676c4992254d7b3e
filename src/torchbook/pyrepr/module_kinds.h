// Lists LibTorch's module classes and how Python prints each: its extra_repr and its children.
#pragma once

#include <torch/enum.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>
#include <torchbook/pyrepr/dtype.h>
#include <torchbook/pyrepr/python.h>

#include <algorithm>
#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

namespace torchbook::pyrepr::inline v1 {

/// Appends the text of Python's extra_repr to a string: values and `name=value`, separated by commas.
class ExtraText {
 public:
  explicit ExtraText(std::string& text) : text_(text), start_(text.size()) {}

  /// Adds a value without its name.
  template <class T>
  ExtraText& add(const T& value) {
    separate();
    append(value);
    return *this;
  }
  /// Adds `name=value`.
  template <class T>
  ExtraText& add(std::string_view name, const T& value) {
    separate();
    text_.append(name) += '=';
    append(value);
    return *this;
  }
  /// Adds `name=value` unless the value is the default.
  template <class T>
  ExtraText& add_unless(std::string_view name, const T& value, const T& default_value) {
    return value == default_value ? *this : add(name, value);
  }
  /// Adds sizes that Python shows as they were given: one number or a tuple. C++ always has the
  /// expanded sizes, so equal sizes are shown as one number.
  template <class T>
  ExtraText& add_sizes(std::string_view name, const T& sizes) {
    const bool equal = std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to()) == sizes.end();
    return equal && sizes.size() > 0 ? add(name, *sizes.begin()) : add(name, sizes);
  }
  /// Adds `inplace=True` if it is.
  ExtraText& add_inplace(bool inplace) { return add_unless("inplace", inplace, false); }

 private:
  void separate() {
    if (text_.size() > start_) text_ += ", ";
  }
  /// Appends a bool, number or text as Python's str; an optional as its value or `None`; a container as a
  /// tuple.
  template <class T>
  void append(const T& value) {
    if constexpr (std::same_as<T, bool>) {
      text_ += value ? "True" : "False";
    } else if constexpr (std::integral<T>) {
      text_ += std::to_string(value);
    } else if constexpr (std::floating_point<T>) {
      text_ += detail::repr_float(value);
    } else if constexpr (std::convertible_to<const T&, std::string_view>) {
      text_ += std::string_view(value);
    } else if constexpr (requires { value.has_value(); }) {
      value.has_value() ? append(*value) : append("None");
    } else {
      append_tuple(value);
    }
  }
  template <class T>
  void append_tuple(const T& values) {
    std::string_view separator = "(";
    for (const auto& value : values) {
      text_ += separator;
      append(value);
      separator = ", ";
    }
    text_ += values.size() == 1 ? ",)" : ")";
  }

  std::string& text_;
  std::size_t start_;
};

/// Returns Python's word for a value of an enumeration: torch::kBilinear is `bilinear`.
template <class Variant>
std::string enum_name(const Variant& value) {
  return lower_case(torch::enumtype::get_enum_name(value).substr(1));  // without its k
}

/// The children of a module by name, in order. nullptr is Python's None.
using ModuleChildren = torch::OrderedDict<std::string, std::shared_ptr<torch::nn::Module>>;

/// How Python prints the modules of one class.
struct ModuleKind {
  std::type_index type;
  bool (*includes)(
      const torch::nn::Module& module);  ///< whether a module is of this class or one derived from it
  void (*write_extra)(const torch::nn::Module& module, ExtraText& out);
  ModuleChildren (*children)(const torch::nn::Module& module) = nullptr;  ///< unless the registered ones
  bool folds = false;  ///< children with equal texts are shown once, with their number
};

/// Returns the kind of LibTorch's class `M`. `write_extra(module, out)` is a lambda without captures.
template <class M, class WriteExtra>
ModuleKind module_kind(WriteExtra) {
  return {typeid(M),
          [](const torch::nn::Module& module) { return dynamic_cast<const M*>(&module) != nullptr; },
          [](const torch::nn::Module& module, ExtraText& out) {
            WriteExtra()(dynamic_cast<const M&>(module), out);
          }};
}

/// The `write_extra` of classes without an extra_repr.
inline constexpr auto no_extra = [](const torch::nn::Module&, ExtraText&) {};

/// Returns the kinds of several classes that share one `write_extra`.
template <class... M, class WriteExtra>
std::vector<ModuleKind> module_kinds(WriteExtra write_extra) {
  return {module_kind<M>(write_extra)...};
}

/// Writes the extra_repr of a linear layer.
void write_linear(const torch::nn::LinearImpl& module, ExtraText& out);

/// Joins lists of kinds.
template <class... Lists>
std::vector<ModuleKind> join_kinds(std::vector<ModuleKind> kinds, const Lists&... more) {
  (kinds.insert(kinds.end(), more.begin(), more.end()), ...);
  return kinds;
}

// The kinds of each family of modules.
std::vector<ModuleKind> activation_kinds();
std::vector<ModuleKind> container_kinds();
std::vector<ModuleKind> convolution_kinds();
std::vector<ModuleKind> layer_kinds();
std::vector<ModuleKind> loss_kinds();
std::vector<ModuleKind> normalization_kinds();
std::vector<ModuleKind> pooling_kinds();
std::vector<ModuleKind> transformer_kinds();

/// Returns the kinds of all classes of LibTorch.
const std::vector<ModuleKind>& all_module_kinds();

/// Returns Python's name of a class, given its demangled C++ name. Removes namespaces, enclosing
/// classes and functions, template arguments and the `Impl` suffix.
std::string module_class_name(std::string_view demangled);

}  // namespace torchbook::pyrepr::inline v1
