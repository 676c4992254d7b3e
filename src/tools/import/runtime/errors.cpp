#include <c10/util/Exception.h>
#include <torchbook/runtime/errors.h>

#include <regex>
#include <stdexcept>

namespace torchbook {

void never_ran(std::string_view where) {
  throw std::logic_error("Python never ran " + std::string(where) + " of this cell, which is not translated");
}

std::string error_text(const std::exception& error) {
  static const std::regex type(R"(\bCPU(Byte|Char|Double|Float|Half|Int|Long|Short)Type\b)");
  static const std::regex custom_function(R"(torch::autograd::CppNode<[^>]*?(\w+)>)");
  const auto* of_torch = dynamic_cast<const c10::Error*>(&error);
  const std::string text = of_torch == nullptr ? error.what() : of_torch->what_without_backtrace();
  return std::regex_replace(std::regex_replace(text, type, "torch.$1Tensor"), custom_function, "$1Backward");
}

}  // namespace torchbook
