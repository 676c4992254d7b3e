#include <torch/nn/module.h>
#include <torch/ordered_dict.h>
#include <torchbook/pyrepr/ivalue.h>
#include <torchbook/pyrepr/pyrepr.h>
#include <torchbook/pyrepr/size.h>
#include <torchbook/pyrepr/torch_containers.h>
#include <torchbook/training/lazy.h>
#include <torchbook/training/state_dict.h>

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
  LazyLayer* unsized;  ///< a lazy layer whose weights have no sizes; otherwise nullptr
};

/// Adds a module's own parameters and buffers, and then those of its children.
void add_entries(torch::nn::Module& module, const std::string& prefix, std::vector<Entry>& entries) {
  auto* lazy = dynamic_cast<LazyLayer*>(&module);
  if (lazy != nullptr && lazy->has_sizes()) lazy = nullptr;
  for (const auto& parameter : module.named_parameters(/*recurse=*/false))
    entries.push_back({prefix + parameter.key(), parameter.value().detach(), lazy});
  for (const auto& buffer : module.named_buffers(/*recurse=*/false))
    entries.push_back({prefix + buffer.key(), buffer.value().detach(), lazy});
  for (const auto& child : module.named_children())
    add_entries(*child.value(), prefix + child.key() + ".", entries);
}

[[noreturn]] void refuse(const std::string& why) { throw std::runtime_error("the state_dict: " + why); }

std::string shape_of(const at::Tensor& tensor) { return pyrepr::repr(pyrepr::shape(tensor)); }

/// Throws unless a tensor has the sizes of the entry of its name.
void require_sizes(const Entry& entry, const Tensors& given) {
  const auto& tensor = given.at(entry.name);
  if (entry.unsized == nullptr) {
    if (tensor.sizes() == entry.tensor.sizes()) return;
    refuse(entry.name + " has the sizes " + shape_of(tensor) + ", and in the module " +
           shape_of(entry.tensor));
  }
  const bool is_weight = entry.name == "weight" || entry.name.ends_with(".weight");
  const auto weight = entry.name.substr(0, entry.name.size() - std::string("bias").size()) + "weight";
  const bool fits = is_weight
                        ? entry.unsized->fits(tensor.sizes())
                        : given.contains(weight) && tensor.sizes() == given.at(weight).sizes().slice(0, 1);
  if (!fits) refuse(entry.name + " has the sizes " + shape_of(tensor) + ", which do not fit a lazy layer");
}

/// Returns the tensors of a state by the names that the module has for them.
Tensors renamed(const Tensors& state, const LoadOptions& options) {
  if (!options.rename()) return state;
  Tensors given;
  for (const auto& [name, tensor] : state) {
    const auto known = options.rename()(name);
    if (given.contains(known)) refuse("two of its tensors would be " + known);
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
  std::set<std::string> known;
  for (const auto& entry : entries) {
    known.insert(entry.name);
    if (!given.contains(entry.name)) {
      keys.missing_keys.push_back(entry.name);
    } else {
      require_sizes(entry, given);
    }
  }
  for (const auto& [name, tensor] : given)
    if (!known.contains(name)) keys.unexpected_keys.push_back(name);
  if (options.strict() && !keys.missing_keys.empty())
    refuse("it has no " + keys.missing_keys.front() + ", which the module has");
  if (options.strict() && !keys.unexpected_keys.empty())
    refuse("it has " + keys.unexpected_keys.front() + ", which the module does not have");
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
