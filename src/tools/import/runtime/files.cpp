#include <torchbook/pyrepr/pyrepr.h>
#include <torchbook/runtime/files.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

namespace torchbook {
namespace {

using nn::copy;

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
          if constexpr (std::is_same_v<std::decay_t<decltype(each)>, c10::IValue>)
            return each.deepcopy();
          else if constexpr (requires { copy(each); })
            return copy(each);
          else
            return each;
        },
        value);
  }
  return copied;
}

}  // namespace

void keep(const Kept& value, const std::string& path) {
  kept_values().insert_or_assign(absolute(path),
                                 std::visit([](const auto& each) { return Kept(copy(each)); }, value));
}

template <class T>
T kept(const std::string& path) {
  const auto found = kept_values().find(absolute(path));
  if (found == kept_values().end()) throw std::runtime_error(path + ": was not saved by a cell above");
  const auto* value = std::get_if<T>(&found->second);
  if (value == nullptr) throw std::runtime_error(path + ": holds a value of another type");
  return copy(*value);
}

template nn::StateDict kept(const std::string& path);
template at::Tensor kept(const std::string& path);
template std::vector<at::Tensor> kept(const std::string& path);
template Checkpoint kept(const std::string& path);

// Formats each value as often as Python does, because each time a tensor is recorded.
std::string pprinted(const nn::StateDict& state) {
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

}  // namespace torchbook
