// Lists the operations that move bits without computing them.
#include <tools/part/roles.h>

#include <algorithm>
#include <array>

namespace torchbook::trace_diff {
namespace {

constexpr std::array<std::string_view, 10> copying = {"clone",      "contiguous",     "to",     "_to_copy",
                                                      "reshape",    "flatten",        "detach", "lift",
                                                      "lift_fresh", "lift_fresh_copy"};
constexpr std::array<std::string_view, 10> making_room = {
    "empty",   "empty_like",      "empty_strided", "new_empty",  "new_empty_strided",
    "resize_", "empty_quantized", "set_",          "resize_as_", "_resize_output_"};
constexpr std::array<std::string_view, 12> overwriting = {
    "fill_",        "zero_",      "copy_",   "uniform_",    "normal_",    "random_",
    "exponential_", "geometric_", "cauchy_", "log_normal_", "bernoulli_", "eye_"};

/// Operations that change a tensor's metadata, and none of its bits.
constexpr std::array<std::string_view, 9> viewing = {"detach_",    "requires_grad_", "squeeze_",
                                                     "unsqueeze_", "transpose_",     "swapaxes_",
                                                     "t_",         "as_strided_",    "swapdims_"};

template <std::size_t count>
bool has(const std::array<std::string_view, count>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Role role_of(std::string_view operation) {
  if (operation.starts_with("profiler::")) return Role::nothing;
  const auto name = plain_name(operation);
  if (has(copying, name)) return Role::copies;
  if (has(viewing, name)) return Role::computes;  // its result is a view
  if (has(making_room, name)) return Role::makes_room;
  if (has(overwriting, name)) return Role::overwrites;
  return name.ends_with('_') || operation.ends_with("out") ? Role::in_place : Role::computes;
}

}  // namespace

std::string_view plain_name(std::string_view operation) {
  if (const auto colons = operation.find("::"); colons != operation.npos) operation.remove_prefix(colons + 2);
  return operation.substr(0, operation.find('.'));
}

Roles::Roles(const Texts& texts) : roles_(texts.size()), statistics_(texts.size()), fills_(texts.size()) {
  for (std::uint32_t i = 0; i < roles_.size(); ++i) {
    roles_[i] = role_of(texts[i]);
    statistics_[i] = plain_name(texts[i]).ends_with("batch_norm");
    fills_[i] = texts[i] == "aten::fill_.Scalar";
  }
}

}  // namespace torchbook::trace_diff
