// Collects the kinds of all module families, and derives Python's class names.
#include <torchbook/pyrepr/module_kinds.h>

namespace torchbook::pyrepr::inline v1 {

const std::vector<ModuleKind>& all_module_kinds() {
  static const auto kinds =
      join_kinds(activation_kinds(), container_kinds(), convolution_kinds(), layer_kinds(), loss_kinds(),
                 normalization_kinds(), pooling_kinds(), transformer_kinds());
  return kinds;
}

std::string module_class_name(std::string_view demangled) {
  // A `::` inside brackets belongs to an argument: Block<torch::nn::Linear>, f(ns::Type)::Local.
  std::size_t start = demangled.size();
  std::size_t end = demangled.size();
  int depth = 0;
  while (start > 0) {
    const char c = demangled[start - 1];
    if (c == '>' || c == ')' || c == ']') ++depth;
    if (depth == 0 && c == ':') break;
    if (c == '<' || c == '(' || c == '[') {
      if (--depth == 0) end = start - 1;
    }
    --start;
  }
  std::string_view name = demangled.substr(start, end - start);
  if (name.size() > 4 && name.ends_with("Impl")) name.remove_suffix(4);
  return std::string(name);
}

}  // namespace torchbook::pyrepr::inline v1
