// Reads the arguments of a call by the parameters of a function.
#include <tools/import/translate/core/match.h>

#include <algorithm>

namespace torchbook::translate {

void match(std::string_view function, const Arguments& arguments, std::span<const Takes> parameters,
           std::span<const Value*> found) {
  std::size_t used = 0;
  bool fits = true;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& [marked, kinds, optional] = parameters[i];
    const bool by_name = marked.starts_with('*');
    const auto* value = arguments.find(marked.substr(by_name ? 1 : 0), by_name ? Arguments::by_name : i);
    found[i] = value;
    used += value != nullptr ? 1 : 0;
    const bool known = value == nullptr ? optional
                                        : kinds.empty() || std::find(kinds.begin(), kinds.end(),
                                                                     value->type.kind()) != kinds.end();
    fits = fits && known;
  }
  if (!fits || used != arguments.count()) refuse("{} is called in a form that is not translated", function);
}

}  // namespace torchbook::translate
