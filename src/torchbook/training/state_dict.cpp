#include <torch/nn/module.h>
#include <torch/ordered_dict.h>
#include <torchbook/pyrepr/ivalue.h>
#include <torchbook/pyrepr/pyrepr.h>
#include <torchbook/pyrepr/size.h>
#include <torchbook/pyrepr/torch_containers.h>
#include <torchbook/training/lazy.h>
#include <torchbook/training/state_dict.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace torchbook::nn::inline v1 {
namespace {

using Tensors = Dict<std::string, at::Tensor>;

/// A parameter or buffer of a module.
struct Entry {
  std::string name;
  at::Tensor tensor;
  detail::LazyLayer* unsized;  ///< a lazy layer whose weights have no sizes; otherwise nullptr
};

/// Adds a module's own parameters and buffers, and then those of its children.
void add_entries(torch::nn::Module& module, const std::string& prefix, std::vector<Entry>& entries) {
  auto* lazy = dynamic_cast<detail::LazyLayer*>(&module);
  if (lazy != nullptr && lazy->has_sizes()) lazy = nullptr;
  for (const auto& parameter : module.named_parameters(/*recurse=*/false))
    entries.push_back({prefix + parameter.key(), parameter.value().detach(), lazy});
  for (const auto& buffer : module.named_buffers(/*recurse=*/false))
    entries.push_back({prefix + buffer.key(), buffer.value().detach(), lazy});
  for (const auto& child : module.named_children())
    add_entries(*child.value(), prefix + child.key() + ".", entries);
}

std::string shape_of(const at::Tensor& tensor) { return pyrepr::repr(pyrepr::shape(tensor)); }

/// Why a tensor does not have the sizes of the entry of its name; empty if it has them.
std::string why_not(const Entry& entry, const Tensors& given) {
  const auto& tensor = given.at(entry.name);
  if (entry.unsized == nullptr) {
    if (tensor.sizes() == entry.tensor.sizes()) return "";
    return entry.name + " has the sizes " + shape_of(tensor) + ", and in the module " +
           shape_of(entry.tensor);
  }
  const bool is_weight = entry.name == "weight" || entry.name.ends_with(".weight");
  const auto weight = entry.name.substr(0, entry.name.size() - std::string("bias").size()) + "weight";
  const bool fits = is_weight
                        ? entry.unsized->fits(tensor.sizes())
                        : given.contains(weight) && tensor.sizes() == given.at(weight).sizes().slice(0, 1);
  return fits ? "" : entry.name + " has the sizes " + shape_of(tensor) + ", which do not fit a lazy layer";
}

/// Lists the first names.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 10;
  std::string text = names.front();
  for (std::size_t i = 1; i < std::min(most, names.size()); ++i) text += ", " + names[i];
  return names.size() <= most ? text : text + " and " + std::to_string(names.size() - most) + " more";
}

/// Throws if a state does not fit a module: names all that is wrong.
void require_fit(const IncompatibleKeys& keys, bool strict, std::vector<std::string> wrong) {
  if (strict && !keys.unexpected_keys.empty())
    wrong.insert(wrong.begin(),
                 "it has " + listed(keys.unexpected_keys) + ", which the module does not have");
  if (strict && !keys.missing_keys.empty())
    wrong.insert(wrong.begin(), "it has no " + listed(keys.missing_keys) + ", which the module has");
  if (wrong.empty()) return;
  std::string text = "the state_dict does not fit";
  for (const auto& each : wrong) text += (&each == &wrong.front() ? ": " : "; ") + each;
  throw std::runtime_error(text);
}

/// Returns the tensors of a state by the names that the module has for them.
Tensors renamed(const Tensors& state, const LoadOptions& options) {
  if (!options.rename()) return state;
  Tensors given;
  for (const auto& [name, tensor] : state) {
    const auto known = options.rename()(name);
    if (given.contains(known))
      throw std::runtime_error("the state_dict: two of its tensors would be " + known);
    if (!known.empty()) given[known] = tensor;
  }
  return given;
}

}  // namespace

StateDict::StateDict(const c10::IValue& dict) {
  if (!dict.isGenericDict())
    throw std::runtime_error("a dict of tensors is wanted, and here is another value");
  for (const auto& item : dict.toGenericDict()) {
    if (!item.key().isString() || !item.value().isTensor())
      throw std::runtime_error("a dict of tensors is wanted; " + pyrepr::repr(item.key()) + " is none in it");
    (*this)[item.key().toStringRef()] = item.value().toTensor();
  }
}

StateDict::operator c10::IValue() const { return c10::Dict<std::string, at::Tensor>(*this); }

StateDict::operator c10::Dict<std::string, at::Tensor>() const {
  c10::Dict<std::string, at::Tensor> dict;
  for (const auto& [name, tensor] : *this) dict.insert(name, tensor);
  return dict;
}

StateDict state_dict(const torch::nn::Module& module) {
  std::vector<Entry> entries;
  add_entries(const_cast<torch::nn::Module&>(module), "", entries);  // lazy layers are only asked
  StateDict state;
  for (auto& [name, tensor, unsized] : entries) {
    if (unsized != nullptr) throw std::logic_error("a lazy layer has no state before its first call");
    state[name] = std::move(tensor);
  }
  return state;
}

StateDict copy(const StateDict& state) {
  StateDict copied;
  for (const auto& [name, tensor] : state) copied[name] = tensor.clone();
  return copied;
}

IncompatibleKeys load_state_dict(torch::nn::Module& module, const Dict<std::string, at::Tensor>& state,
                                 const LoadOptions& options) {
  const auto given = renamed(state, options);
  std::vector<Entry> entries;
  add_entries(module, "", entries);
  IncompatibleKeys keys;
  std::vector<std::string> wrong;
  std::set<std::string> known;
  for (const auto& entry : entries) {
    known.insert(entry.name);
    if (!given.contains(entry.name)) {
      keys.missing_keys.push_back(entry.name);
    } else if (auto why = why_not(entry, given); !why.empty() && wrong.size() < 10) {
      wrong.push_back(std::move(why));
    }
  }
  for (const auto& [name, tensor] : given)
    if (!known.contains(name)) keys.unexpected_keys.push_back(name);
  require_fit(keys, options.strict(), std::move(wrong));
  for (const auto& [name, tensor, unsized] : entries) {
    if (unsized != nullptr && name.ends_with("weight") && given.contains(name))
      unsized->take_sizes(given.at(name).sizes());
  }
  entries.clear();
  add_entries(module, "", entries);
  const at::NoGradGuard no_grad;
  for (auto& [name, tensor, unsized] : entries)
    if (given.contains(name) && unsized == nullptr) tensor.copy_(given.at(name));
  return keys;
}

}  // namespace torchbook::nn::inline v1

namespace torchbook::pyrepr {

void Printer<nn::StateDict>::compose(const nn::StateDict& state, detail::Composition& out) {
  torch::OrderedDict<std::string, at::Tensor> ordered;
  for (const auto& [name, tensor] : state) ordered.insert(name, at::Tensor(tensor));
  out.value(ordered);
}

std::string Printer<nn::IncompatibleKeys>::repr(const nn::IncompatibleKeys& keys) {
  if (keys.missing_keys.empty() && keys.unexpected_keys.empty()) return "<All keys matched successfully>";
  return "_IncompatibleKeys(missing_keys=" + pyrepr::repr(keys.missing_keys) +
         ", unexpected_keys=" + pyrepr::repr(keys.unexpected_keys) + ")";
}

}  // namespace torchbook::pyrepr
