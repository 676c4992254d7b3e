#include <tools/import/translate/core/match.h>

#include <set>

namespace torchbook::translate {

void match(std::string_view function, const Arguments& arguments, std::span<const CallParameter> parameters,
           std::span<const Value*> found) {
  std::size_t used = 0;
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& parameter = parameters[i];
    const auto name = parameter.bare_name();
    const auto* value = arguments.find(name, parameter.is_by_name() ? Arguments::by_name : i);
    if (value == nullptr && !parameter.optional) refuse("{} lacks the argument {}", function, name);
    if (value != nullptr && !parameter.fits(value->type))
      refuse("{} takes {} for the argument {}", function, in_words(value->type), name);
    found[i] = value;
    used += value != nullptr ? 1 : 0;
    names.insert(name);
  }
  if (used == arguments.count()) return;
  for (const auto& [name, value] : arguments.named) {
    if (!names.contains(name)) refuse("{} has an argument {} that is not translated", function, name);
  }
  refuse("{} is called in a form that is not translated", function);
}

bool written_flag(const Value* flag, std::string_view name, bool otherwise) {
  if (flag == nullptr) return otherwise;
  if (!flag->expr.is(cpp::Kind::boolean)) refuse("{} is neither True nor False", name);
  return cpp::is_written(flag->expr, true);
}

}  // namespace torchbook::translate
