// Defines how Python prints containers: ParameterList and ParameterDict with their parameters, the
// others with their children.
#include <torch/nn/modules/container/functional.h>
#include <torch/nn/modules/container/moduledict.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/container/parameterdict.h>
#include <torch/nn/modules/container/parameterlist.h>
#include <torch/nn/modules/container/sequential.h>
#include <torchbook/pyrepr/module_kinds.h>
#include <torchbook/pyrepr/release.h>
#include <torchbook/pyrepr/torch_values.h>

namespace torchbook::pyrepr::inline v1 {
namespace {

namespace nn = torch::nn;

// LibTorch's ModuleList::insert, ModuleDict::pop and ModuleDict::clear do not update the registered
// children, so these functions read the container itself.

ModuleChildren list_children(const nn::Module& module) {
  ModuleChildren children;
  for (const auto& child : dynamic_cast<const nn::ModuleListImpl&>(module))
    children.insert(std::to_string(children.size()), child);
  return children;
}

ModuleChildren dict_children(const nn::Module& module) {
  ModuleChildren children;
  for (const auto& item : dynamic_cast<const nn::ModuleDictImpl&>(module))
    children.insert(item.key(), item.value());
  return children;
}

/// Returns the sizes of a tensor, such as `3x4`.
std::string sizes_of(const at::Tensor& tensor) {
  std::string text;
  for (const std::int64_t size : tensor.sizes()) (text += text.empty() ? "" : "x") += std::to_string(size);
  return text;
}

/// Returns a parameter's device in parentheses, or an empty string if Python does not show it.
std::string device_text(const at::Tensor& tensor) {
  const bool named = tensor.is_cuda() ||
                     (release::parameter_lists_name_devices && tensor.device().type() == at::kPrivateUse1);
  if (!named) return "";
  return release::parameter_lists_name_devices ? " (" + tensor.device().str() + ")"
                                               : " (GPU " + std::to_string(tensor.get_device()) + ")";
}

/// Returns a tensor's legacy type name: `torch.FloatTensor`, `torch.cuda.HalfTensor`.
std::string legacy_type(const at::Tensor& tensor) {
  return std::string(tensor.is_cuda() ? "torch.cuda." : "torch.") + at::toString(tensor.scalar_type()) +
         "Tensor";
}

/// Returns a line for each parameter of a module, as ParameterList and ParameterDict show them. `type_of`
/// names the type of a parameter.
template <class TypeOf>
std::string parameter_lines(const nn::Module& module, TypeOf type_of) {
  std::string lines;
  for (const auto& item : module.named_parameters(/*recurse=*/false)) {
    const at::Tensor& tensor = item.value();
    lines += (lines.empty() ? "  (" : "\n  (") + item.key() + "): Parameter containing: [" + type_of(tensor) +
             " of size " + sizes_of(tensor) + device_text(tensor) + "]";
  }
  return lines;
}

constexpr auto parameter_list = [](const nn::ParameterListImpl& module, ExtraText& out) {
  out.add(parameter_lines(module, [](const at::Tensor& tensor) { return repr(tensor.scalar_type()); }));
};

constexpr auto parameter_dict = [](const nn::ParameterDictImpl& module, ExtraText& out) {
  out.add(parameter_lines(module, legacy_type));
};

}  // namespace

std::vector<ModuleKind> container_kinds() {
  ModuleKind list = module_kind<nn::ModuleListImpl>(no_extra);
  list.children = list_children;
  list.folds = release::folds_equal_modules;
  ModuleKind dict = module_kind<nn::ModuleDictImpl>(no_extra);
  dict.children = dict_children;
  return join_kinds({list, dict}, module_kinds<nn::FunctionalImpl, nn::SequentialImpl>(no_extra),
                    module_kinds<nn::ParameterListImpl>(parameter_list),
                    module_kinds<nn::ParameterDictImpl>(parameter_dict));
}

}  // namespace torchbook::pyrepr::inline v1
