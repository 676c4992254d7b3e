#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/core/seen_types.h>
#include <tools/import/translate/statements/later_types.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace torchbook::translate {
namespace {

/// The uses of a name in the frame that is translated, by line.
const std::vector<Use>& uses_of(const Frame& frame, const std::string& name) {
  static const std::vector<Use> none;
  const auto found = frame.uses.lines.find(name);
  return found == frame.uses.lines.end() ? none : found->second;
}

/// Returns the types that an assignment gave a name in Python's run, as far as they are known.
std::vector<Type> types_given(Builder& b, const Use& use) {
  return use.cell == 0 ? seen_at(b, b.here.cell, use.line, use.column)
                       : seen_at(b, use.cell, use.line - use.above, use.column);
}

/// Returns the types that the assignments in a block gave a name in Python's run.
std::vector<Type> types_in(Builder& b, const Node& block, const std::string& name) {
  const int first = b.line_of(block);
  const int last = first + block.last_line() - block.line();
  std::vector<Type> types;
  for (const auto& use : uses_of(*b.frame, name)) {
    if (!use.assigns || use.line < first || use.line > last) continue;
    for (auto& given : types_given(b, use)) types.push_back(std::move(given));
  }
  return types;
}

/// Returns the type of a variable that holds values of either type; nullopt if C++ needs two variables.
std::optional<Type> holding_both(const Type& one, const Type& other) {
  const bool numbers = one.is_number() && other.is_number();
  if (numbers && one.is(Kind::integer) && other.is(Kind::floating)) return other;
  if (one.is_number() && other.is(Kind::tensor)) {
    auto tensor = without_numbers(other);
    tensor.know_detached(other.detached());
    return tensor;
  }
  if (other.is(Kind::none)) return one;  // C++ refuses it if the variable cannot hold None
  if (one.is(Kind::none) && (other.is(Kind::state_dict) || other.is(Kind::module))) return other;
  if (one.is(Kind::none) || one.optional) return common_argument(one, without_numbers(other));
  if (one.is(Kind::dict) && other.is(Kind::dict) && (is_empty(one) || one.missing() != Kind::none))
    return with_items(one, without_numbers(other));
  if (is_empty(one) && other.is(one.kind())) return without_numbers(other);
  return common_container(one, other);
}

/// Whether a use is in the outermost `depth` blocks of a path.
bool is_within(const Use& use, const std::vector<int>& path, std::size_t depth) {
  return use.path.size() >= depth && path.size() >= depth &&
         std::equal(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(depth), use.path.begin());
}

using At = std::vector<Use>::const_iterator;

/// Whether a name is read, other than by a division, while it may still be the int that it was given first,
/// and not the float of `assignment`. In a notebook, an assignment that ran has run at the end of its block.
bool is_read_as_int(const std::vector<Use>& uses, At first, At assignment, bool in_notebook) {
  const auto& path = assignment->path;
  for (auto use = first == uses.end() ? uses.begin() : first; use != uses.end(); ++use) {
    if (!use->reads || use->assigns || use->divides) continue;
    const bool below = use > assignment;
    const bool ended = below && use->outermost != assignment->outermost;
    const bool after = below && is_within(*use, path, path.size());
    if (ended ? !in_notebook && !path.empty() : !after) return true;
  }
  return false;
}

}  // namespace

Type type_for_all(Builder& b, const Node& target, const std::string& name, const Type& first) {
  const auto& uses = uses_of(*b.frame, name);
  const int line = b.line_of(target);
  const auto begin = std::find_if(uses.begin(), uses.end(), [&](const Use& use) {
    return use.assigns && use.line == line && use.column == target.column();
  });
  const bool above_block = begin == uses.end();  // the variable is declared above the block `target`
  const auto hoisted = b.frame->hoisted.find(name);
  const auto depth = above_block                         ? b.frame->blocks
                     : hoisted != b.frame->hoisted.end() ? hoisted->second.blocks
                                                         : begin->path.size();
  const auto path = above_block ? std::vector<int>{} : begin->path;
  const bool repeats = b.frame->loops > 0;
  auto type = first;
  for (auto use = above_block ? uses.begin() : begin; use != uses.end(); ++use) {
    if (use->line < line || !use->assigns || !is_within(*use, path, depth)) continue;
    if (use->path.size() == depth && !repeats && use != begin) break;  // it certainly runs
    const bool was_read = first.is_number() && use->outermost > line &&
                          is_read_between(b.frame->uses, name, line, use->outermost);
    for (const auto& given : types_given(b, *use)) {
      if (was_read && !above_block && given.is(Kind::tensor)) return type;
      const bool contains = type.is(Kind::list) || type.is(Kind::dict) || is_empty(type);
      if (use == begin && !repeats && type == given) type.know(given.known());
      if (use == begin && !repeats && !contains) continue;
      auto common = holding_both(type, given);
      if (!common) continue;
      const bool as_int = type.is(Kind::integer) && common->is(Kind::floating) &&
                          (b.frame->uses.read_by_functions.contains(name) ||
                           is_read_as_int(uses, begin, use, b.frame->is_notebook));
      type = as_int ? Type(Kind::scalar) : std::move(*common);
    }
  }
  return type;
}

bool becomes_tensor_in(Builder& b, const Node& block, const std::string& name, const Type& number) {
  const auto types = types_in(b, block, name);
  return number.is_number() &&
         std::any_of(types.begin(), types.end(), [](const Type& type) { return type.is(Kind::tensor); });
}

bool needs_another_in(Builder& b, const Node& block, const std::string& name, const Type& variable) {
  const auto types = types_in(b, block, name);
  return std::any_of(types.begin(), types.end(), [&](const Type& type) {
    return !assignable(variable, type) && !(variable.is_number() && type.is_number()) && !type.is(Kind::none);
  });
}

bool becomes_float_in(Builder& b, const Node& block, const std::string& name) {
  const auto types = types_in(b, block, name);
  return std::any_of(types.begin(), types.end(), [](const Type& type) { return type.is(Kind::floating); });
}

Type type_for_functions(Builder& b, const std::string& name, const Variable& variable) {
  auto type = variable.type;
  if (!type.is(Kind::tensor)) return type;
  for (const auto& use : uses_of(b.notebook, name)) {
    if (!use.assigns || use.line < variable.line) continue;
    for (const auto& given : types_given(b, use)) {
      if (given.is(Kind::tensor)) type = *common_type(type, given);
    }
  }
  return type;
}

}  // namespace torchbook::translate
