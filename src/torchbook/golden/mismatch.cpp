#include <torchbook/golden/mismatch.h>

namespace torchbook::golden {

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i != 0) text += ", ";
    text += shape[i] < 0 ? "..." : std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

Mismatch mismatch_of(const std::string& what, const std::string& actual, const std::string& golden) {
  return {.actual = what + ' ' + actual, .golden = golden};
}

}  // namespace torchbook::golden
