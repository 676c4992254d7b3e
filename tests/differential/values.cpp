// Builds the containers that trees.py describes, and prints them.
#include <ATen/ATen.h>
#include <support/value.h>
#include <torch/csrc/api/include/torch/ordered_dict.h>
#include <torchbook/pyrepr/ivalue.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <algorithm>
#include <array>
#include <complex>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "case.h"

namespace torchbook::differential {
namespace {

using c10::IValue;
using test::Value;

bool flag(const Node& node) { return node.integers[0] != 0; }
std::int64_t integer(const Node& node) { return node.integers[0]; }
double real(const Node& node) { return node.reals[0]; }
std::string text(const Node& node) { return node.text; }
std::complex<double> complex(const Node& node) { return {node.reals[0], node.reals[1]}; }

at::Tensor tensor(const Node& node, const Case& c) {
  const at::Tensor& made = c.tensors[static_cast<std::size_t>(integer(node))];
  return node.integers[1] == 0 ? made : made.requires_grad_();
}

/// Returns the variant to build, if several C++ types have the same text in Python.
std::int64_t form(const Node& node) { return node.integers.empty() ? 0 : integer(node); }

bool all_are(const std::vector<Node>& nodes, std::string_view tag) {
  return !nodes.empty() &&
         std::all_of(nodes.begin(), nodes.end(), [&](const Node& node) { return node.tag == tag; });
}

/// Returns a container with the converted nodes.
template <class Container, class Convert>
Container collected(const std::vector<Node>& nodes, Convert convert) {
  Container result;
  for (const Node& node : nodes) result.insert(result.end(), convert(node));
  return result;
}

Value value(const Node& node, const Case& c);

std::vector<Value> values(const Node& node, const Case& c) {
  return collected<std::vector<Value>>(node.children, [&](const Node& child) { return value(child, c); });
}

/// Returns a list of elements of one type.
template <class T, class Convert>
Value typed_list(const Node& node, Convert convert) {
  const auto elements = collected<std::vector<T>>(node.children, convert);
  if constexpr (!std::is_same_v<T, at::Tensor> && !std::is_same_v<T, std::complex<double>>) {
    c10::List<T> list;
    for (const T& element : elements) list.push_back(element);
    if (form(node) == 2) return list;
  }
  return elements;
}

Value list(const Node& node, const Case& c) {
  if (form(node) == 1 || form(node) == 2) {
    if (all_are(node.children, "bool")) return typed_list<bool>(node, flag);
    if (all_are(node.children, "int")) return typed_list<std::int64_t>(node, integer);
    if (all_are(node.children, "float")) return typed_list<double>(node, real);
    if (all_are(node.children, "complex")) return typed_list<std::complex<double>>(node, complex);
    if (all_are(node.children, "str")) return typed_list<std::string>(node, text);
    if (all_are(node.children, "tensor"))
      return typed_list<at::Tensor>(node, [&](const Node& child) { return tensor(child, c); });
  }
  const std::vector<Value> elements = values(node, c);
  if (form(node) == 3 && elements.size() == 2) return std::array{elements[0], elements[1]};
  return elements;
}

Value tuple(const Node& node, const Case& c) {
  const std::vector<Value> v = values(node, c);
  if (v.empty()) return std::tuple<>();
  if (v.size() == 1) return std::make_tuple(v[0]);
  if (v.size() == 2 && form(node) == 1) return std::pair(v[0], v[1]);
  if (v.size() == 2) return std::make_tuple(v[0], v[1]);
  if (v.size() == 3) return std::make_tuple(v[0], v[1], v[2]);
  return std::make_tuple(v.at(0), v.at(1), v.at(2), v.at(3));
}

template <class T, class Convert>
Value typed_set(const Node& node, Convert convert) {
  if (form(node) == 1) return collected<std::unordered_set<T>>(node.children, convert);
  return collected<std::set<T>>(node.children, convert);
}

Value set(const Node& node) {
  if (all_are(node.children, "str")) return typed_set<std::string>(node, text);
  if (all_are(node.children, "float")) return typed_set<double>(node, real);
  if (all_are(node.children, "bool")) return typed_set<bool>(node, flag);
  return typed_set<std::int64_t>(node, integer);
}

/// Returns the entries of a dict, whose keys and values alternate among the children.
template <class Key, class Convert>
Value dict(const Node& node, const Case& c, Convert key) {
  std::map<Key, Value> sorted;
  std::unordered_map<Key, Value> hashed;
  torch::OrderedDict<Key, Value> ordered;
  for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
    const Value held = value(node.children[i + 1], c);
    sorted.emplace(key(node.children[i]), held);
    hashed.emplace(key(node.children[i]), held);
    if (node.tag == "ordered_dict") ordered.insert(key(node.children[i]), held);
  }
  if (node.tag == "ordered_dict") return ordered;
  return form(node) == 1 ? Value(hashed) : Value(sorted);
}

Value optional(const Node& node, const Case& c) {
  if (node.children.empty()) return std::optional<Value>();
  const Value held = value(node.children[0], c);
  if (form(node) == 1) return std::variant<std::nullptr_t, Value>(held);
  return std::make_optional(held);
}

/// Returns the value of a node that has no children.
Value leaf(const Node& node, const Case& c) {
  if (node.tag == "none") return nullptr;
  if (node.tag == "bool") return flag(node);
  if (node.tag == "int") return integer(node);
  if (node.tag == "float") return real(node);
  if (node.tag == "complex") return complex(node);
  if (node.tag == "str") return text(node);
  if (node.tag == "dtype") return static_cast<at::ScalarType>(integer(node));
  if (node.tag == "device") return at::Device(node.text);
  if (node.tag == "size") return pyrepr::Size{node.integers};
  if (node.tag == "tensor") return tensor(node, c);
  if (node.tag == "parameter") return pyrepr::Parameter{tensor(node, c)};
  throw std::invalid_argument("no value is called " + node.tag);
}

Value value(const Node& node, const Case& c) {
  if (node.tag == "list") return list(node, c);
  if (node.tag == "tuple") return tuple(node, c);
  if (node.tag == "set") return set(node);
  if (node.tag == "optional") return optional(node, c);
  if (node.tag == "dict" || node.tag == "ordered_dict") {
    const bool of_text = !node.children.empty() && node.children[0].tag == "str";
    return of_text ? dict<std::string>(node, c, text) : dict<std::int64_t>(node, c, integer);
  }
  return leaf(node, c);
}

IValue ivalue(const Node& node, const Case& c) {
  const auto children =
      collected<std::vector<IValue>>(node.children, [&](const Node& child) { return ivalue(child, c); });
  if (node.tag == "list") return test::ivalue_list(children);
  if (node.tag == "tuple") return test::ivalue_tuple(children);
  if (node.tag == "dict") return test::ivalue_dict(children);
  if (node.tag == "none") return {};
  if (node.tag == "bool") return flag(node);
  if (node.tag == "int") return integer(node);
  if (node.tag == "float") return real(node);
  if (node.tag == "complex") return c10::complex<double>(node.reals[0], node.reals[1]);
  if (node.tag == "str") return node.text;
  if (node.tag == "device") return at::Device(node.text);
  if (node.tag == "tensor") return tensor(node, c);
  throw std::invalid_argument("no IValue is called " + node.tag);
}

}  // namespace

std::string container_text(const Case& c) { return pyrepr::repr(value(c.trees.at(0), c)); }

std::string ivalue_text(const Case& c) { return pyrepr::repr(ivalue(c.trees.at(0), c)); }

std::string pretty_container_text(const Case& c) { return pyrepr::pretty(value(c.trees.at(0), c)); }

std::string pretty_ivalue_text(const Case& c) { return pyrepr::pretty(ivalue(c.trees.at(0), c)); }

}  // namespace torchbook::differential
