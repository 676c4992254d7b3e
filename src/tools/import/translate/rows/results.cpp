#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/rows/results.h>

#include <algorithm>

namespace torchbook::translate {

/// Whether no gradient flows through a value. The type of a tuple that is written out does not know that.
static bool holds_detached(const Value& value) {
  if (value.elements.empty()) return is_detached(value.type);
  return std::all_of(value.elements.begin(), value.elements.end(), holds_detached);
}

void set_detached(Type& result, std::string_view function, const Arguments& arguments) {
  bool detached = function != "requires_grad_";
  for (const auto& value : arguments.positional) detached = detached && holds_detached(value);
  for (const auto& [name, value] : arguments.named)
    detached = detached && holds_detached(value) && name != "requires_grad";
  result.know({.detached = detached || function == "detach"});
  for (auto& item : result.items) item.know({.detached = detached});
}

}  // namespace torchbook::translate
