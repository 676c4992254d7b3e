// Uses LibTorch's reader and writer of torch.save files.
#include <torch/csrc/jit/serialization/pickle.h>
#include <torch/nn/module.h>
#include <torch/optim/optimizer.h>
#include <torch/ordered_dict.h>
#include <torch/serialize/archive.h>
#include <torchbook/notebook/carried.h>
#include <torchbook/pyrepr/pyrepr.h>
#include <torchbook/pyrepr/size.h>
#include <torchbook/pyrepr/torch_containers.h>
#include <torchbook/runtime/lazy.h>
#include <torchbook/runtime/state_dict.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace torchbook::nn {
namespace {

using Tensors = Dict<std::string, at::Tensor>;

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw std::runtime_error(path + ": " + reason);
}

/// Adds a module's own parameters and buffers, and then those of its children.
void add_state(const torch::nn::Module& module, const std::string& prefix, StateDict& state) {
  if (const auto* lazy = dynamic_cast<const LazyLayer*>(&module); lazy != nullptr && !lazy->has_sizes())
    throw std::logic_error("a lazy layer has no state before its first call");
  for (const auto& parameter : module.named_parameters(/*recurse=*/false))
    state[prefix + parameter.key()] = parameter.value().detach();
  for (const auto& buffer : module.named_buffers(/*recurse=*/false))
    state[prefix + buffer.key()] = buffer.value().detach();
  for (const auto& child : module.named_children())
    add_state(*child.value(), prefix + child.key() + ".", state);
}

std::vector<char> bytes_of(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  if (!file) fail(path, std::string("cannot be read: ") + std::strerror(errno));
  return bytes;
}

/// Reads a file of torch.save that holds a dict of tensors.
StateDict read(const std::string& path) {
  const auto bytes = bytes_of(path);
  try {
    StateDict state;
    for (const auto& item : torch::jit::pickle_load(bytes).toGenericDict())
      state[item.key().toStringRef()] = item.value().toTensor();
    return state;
  } catch (const std::exception&) {  // c10::Error has a text of many lines, with a stack
    fail(path,
         "LibTorch cannot read it as a dict of tensors; in Python, "
         "torch.save(dict(module.state_dict()), path) writes one");
  }
}

/// Throws unless the tensors of a file and of a module have the same names and sizes.
void require_same(const Tensors& file, const Tensors& module, const std::string& path) {
  for (const auto& [name, tensor] : module) {
    if (!file.contains(name)) fail(path, "it has no " + name + ", which the module has");
    if (const auto& found = file.at(name); found.sizes() != tensor.sizes()) {
      fail(path, name + " has the sizes " + pyrepr::repr(pyrepr::shape(found)) + ", and in the module " +
                     pyrepr::repr(pyrepr::shape(tensor)));
    }
  }
  for (const auto& [name, tensor] : file) {
    if (!module.contains(name)) fail(path, "it has " + name + ", which the module does not have");
  }
}

/// Sets the sizes of lazy layers to those of the weights that are loaded.
void give_sizes(torch::nn::Module& module, const std::string& prefix, const Tensors& loaded) {
  auto* lazy = dynamic_cast<LazyLayer*>(&module);
  if (const auto weight = prefix + "weight"; lazy != nullptr && loaded.contains(weight))
    lazy->take_sizes(loaded.at(weight).sizes());
  for (const auto& child : module.named_children())
    give_sizes(*child.value(), prefix + child.key() + ".", loaded);
}

/// Copies tensors into a module. `source` names their origin in messages.
void load(torch::nn::Module& module, const Tensors& loaded, const std::string& source) {
  give_sizes(module, "", loaded);
  const StateDict state = state_dict(module);
  require_same(loaded, state, source);
  const at::NoGradGuard no_grad;
  for (const auto& [name, tensor] : state) tensor.copy_(loaded.at(name));
}

}  // namespace

// Does not use torch::jit::pickle_save, which adds the types of dicts: torch.load refuses them
// since PyTorch 2.6.
void save_state_dict(const torch::nn::Module& module, const std::string& path) {
  c10::Dict<std::string, at::Tensor> dict;
  for (const auto& [name, tensor] : state_dict(module)) dict.insert(name, tensor);
  const std::vector<char> bytes = notebook::saved(dict);
  const std::string temporary = path + ".part" + std::to_string(getpid());
  errno = 0;
  std::ofstream file(temporary, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  std::error_code ignored;
  if (!file || std::rename(temporary.c_str(), path.c_str()) != 0) {
    const std::string reason = std::strerror(errno);
    std::filesystem::remove(temporary, ignored);
    fail(path, "cannot be written: " + reason);
  }
}

void load_state_dict(torch::nn::Module& module, const std::string& path) { load(module, read(path), path); }

StateDict state_dict(const torch::nn::Module& module) {
  StateDict state;
  add_state(module, "", state);
  return state;
}

StateDict copy(const StateDict& state) {
  StateDict copied;
  for (const auto& [name, tensor] : state) copied[name] = tensor.clone();
  return copied;
}

// Formats each value as often as Python does, because each time a tensor is recorded.
std::string pprinted(const StateDict& state) {
  constexpr std::size_t width = 80;
  auto whole = pyrepr::repr(state);
  if (whole.size() <= width || state.empty()) return whole;
  const auto items = state.items();
  constexpr std::size_t indent = std::string_view("OrderedDict([").size();
  if (auto list = pyrepr::repr(items); list.size() <= width - indent) return "OrderedDict(" + list + ")";
  std::string text = "OrderedDict([";
  for (const auto& item : items) {
    const bool last = &item == &items.back();
    auto pair = pyrepr::repr(item);
    if (pair.size() > width - indent - (last ? 2 : 1)) {
      const auto inner = std::string(indent + 1, ' ');
      pair = "(" + pyrepr::repr(std::get<0>(item)) + ",\n" + inner + pyrepr::repr(std::get<1>(item)) + ")";
    }
    text += pair + (last ? "])" : ",\n" + std::string(indent, ' '));
  }
  return text;
}

namespace {

/// The values that the notebook has saved, by the absolute names of the files.
std::map<std::string, Kept>& kept_values() {
  static std::map<std::string, Kept> values;
  return values;
}

std::string absolute(const std::string& path) { return std::filesystem::weakly_canonical(path).string(); }

at::Tensor copy(const at::Tensor& tensor) {
  if (tensor.requires_grad()) throw std::runtime_error("a tensor that requires gradients is saved");
  return tensor.clone();
}

std::vector<at::Tensor> copy(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> copied;
  for (const auto& tensor : tensors) {
    // Python's copies share their memory, too.
    const auto shares = [&](const at::Tensor& other) {
      return &other != &tensor && other.is_alias_of(tensor);
    };
    if (std::any_of(tensors.begin(), tensors.end(), shares))
      throw std::runtime_error("two tensors that share memory are saved");
    copied.push_back(copy(tensor));
  }
  return copied;
}

Checkpoint copy(const Checkpoint& checkpoint) {
  Checkpoint copied;
  for (const auto& [key, value] : checkpoint) {
    copied[key] = std::visit(
        [](const auto& each) -> Item {
          if constexpr (requires { nn::copy(each); })
            return nn::copy(each);
          else
            return each;
        },
        value);
  }
  return copied;
}

}  // namespace

OptimizerState state_dict(const torch::optim::Optimizer& optimizer) {
  torch::serialize::OutputArchive archive;
  optimizer.save(archive);
  std::ostringstream bytes;
  archive.save_to(bytes);
  return {bytes.str()};
}

void load_state_dict(torch::optim::Optimizer& optimizer, const OptimizerState& state) {
  std::istringstream bytes(state.bytes);
  torch::serialize::InputArchive archive;
  archive.load_from(bytes);
  optimizer.load(archive);
}

void keep(const Kept& value, const std::string& path) {
  kept_values().insert_or_assign(absolute(path),
                                 std::visit([](const auto& each) { return Kept(copy(each)); }, value));
}

template <class T>
T kept(const std::string& path) {
  const auto found = kept_values().find(absolute(path));
  if (found == kept_values().end()) fail(path, "was not saved by a cell above");
  const auto* value = std::get_if<T>(&found->second);
  if (value == nullptr) fail(path, "holds a value of another type");
  return copy(*value);
}

template StateDict kept(const std::string& path);
template at::Tensor kept(const std::string& path);
template std::vector<at::Tensor> kept(const std::string& path);
template Checkpoint kept(const std::string& path);

KeysMatched load_state_dict(torch::nn::Module& module, const Dict<std::string, at::Tensor>& state) {
  load(module, state, "the state_dict");
  return {};
}

}  // namespace torchbook::nn

namespace torchbook::pyrepr {

void Printer<nn::StateDict>::compose(const nn::StateDict& state, detail::Composition& out) {
  torch::OrderedDict<std::string, at::Tensor> ordered;
  for (const auto& [name, tensor] : state) ordered.insert(name, at::Tensor(tensor));
  out.value(ordered);
}

}  // namespace torchbook::pyrepr
