#include <fmt/format.h>
#include <tools/import/cpp_keywords.h>
#include <tools/import/translate/core/scope.h>

#include <algorithm>
#include <cctype>

namespace torchbook::translate {
namespace {

/// Names that have another meaning in a port; some are macros.
constexpr std::string_view taken_by_ports =
    " BUFSIZ EOF Ellipsis F HUGE_VAL INFINITY INT_MAX INT_MIN M_E M_PI NAN NULL None RAND_MAX "
    "Slice Tensor assert c10 errno f int64_t linux main nb notebook python std stderr stdin stdout torch "
    "torchbook unix ";

bool is_reserved(std::string_view name) {
  return importing::is_cpp_keyword(name) ||
         taken_by_ports.find(fmt::format(" {} ", name)) != taken_by_ports.npos;
}

}  // namespace

bool is_plain_name(std::string_view text) {
  const auto letter = [](unsigned char c) { return c < 0x80 && (std::isalpha(c) != 0 || c == '_'); };
  const auto fits = [&](unsigned char c) { return letter(c) || (c >= '0' && c <= '9'); };
  return !text.empty() && letter(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), fits) && text.find("__") == text.npos && !is_reserved(text);
}

const Variable* Scope::find(std::string_view name) const {
  const auto found = variables_.find(name);
  if (found != variables_.end()) return &found->second;
  return outer_ == nullptr ? nullptr : outer_->find(name);
}

Variable* Scope::own(std::string_view name) {
  const auto found = variables_.find(name);
  if (found == variables_.end()) return nullptr;
  return &found->second;
}

/// Marks a name as taken in C++, or as free.
void Scope::take(const std::string& code, bool taken) {
  taken ? (void)taken_.insert(code) : (void)taken_.erase(code);
}

std::optional<std::string> Scope::name_with_code(std::string_view code) const {
  for (const auto& [name, variable] : variables_) {
    if (variable.code == code) return name;
  }
  return std::nullopt;
}

const Variable* Scope::with_code(std::string_view code) const {
  const auto name = name_with_code(code);
  return name ? &variables_.at(*name) : nullptr;
}

std::vector<std::string> Scope::names() const {
  std::vector<std::string> names;
  for (const auto& [name, variable] : variables_) {
    if (variable.missing.empty()) names.push_back(name);
  }
  return names;
}

std::vector<std::string> Scope::lost_to(std::size_t cell) const {
  std::vector<std::string> names;
  for (const auto& [name, variable] : variables_) {
    if (variable.missing_of == cell) names.push_back(name);
  }
  return names;
}

Names Scope::lost() const {
  Names names;
  for (const auto& [name, variable] : variables_) {
    if (!variable.missing.empty()) names.insert(name);
  }
  return names;
}

std::optional<std::string> Scope::imported(std::string_view name) const {
  const auto found = imports_.find(name);
  if (found != imports_.end()) return found->second;
  return outer_ == nullptr ? std::nullopt : outer_->imported(name);
}

/// Throws NotPorted if this is the scope of a function that declares the name global: it can only be
/// assigned.
void Scope::refuse_global(std::string_view name) const {
  const auto found = outer_ == nullptr ? variables_.end() : variables_.find(name);
  if (found != variables_.end() && found->second.is_global)
    refuse("a function uses the global {} for something other than an assignment", name);
}

void Scope::import(const std::string& name, std::string path) {
  refuse_global(name);
  variables_.erase(name);
  imports_.insert_or_assign(name, std::move(path));
}

std::string Scope::fresh(std::string_view hint) {
  std::string name(hint);
  while (name.find("__") != name.npos) name.erase(name.find("__"), 1);  // C++ keeps such names for itself
  if (is_reserved(name)) name += '_';
  const auto is_taken = [&](const std::string& wanted) {
    if (taken_.contains(wanted)) return true;
    for (const Scope* scope = outer_; scope != nullptr; scope = scope->outer_) {
      if (scope->renamed_.contains(wanted)) return true;
    }
    return false;
  };
  auto free = name;
  if (is_taken(free)) {
    auto& number = next_.emplace(name, 2).first->second;
    const auto numbered = [&] { return fmt::format("{}{}{}", name, name.ends_with('_') ? "" : "_", number); };
    for (free = numbered(); is_taken(free); free = numbered()) ++number;
  }
  take(free, true);
  if (free != hint) renamed_.insert(free);
  return free;
}

Variable& Scope::declare(const std::string& name, Type type) {
  refuse_global(name);
  imports_.erase(name);
  if (depth_ > 0) opened_.back().push_back(name);
  return variables_[name] = {.type = std::move(type), .code = fresh(name), .depth = depth_};
}

void Scope::show(const std::string& name, const Variable& variable) {
  variables_.insert_or_assign(name, variable);
}

void Scope::lose(const std::string& name, std::string why, std::size_t of_cell) {
  refuse_global(name);
  if (depth_ > 0) opened_.back().push_back(name);
  auto& variable = variables_.try_emplace(name, Variable{.depth = depth_}).first->second;
  variable.missing = std::move(why);
  variable.missing_of = of_cell;
}

void Scope::lose_all(const std::string& why) {
  for (auto& [name, variable] : variables_) {
    variable.missing = why;
  }
}

void Scope::open() {
  ++depth_;
  opened_.push_back(std::exchange(entering_, {}));
}

void Scope::close() {
  --depth_;
  const auto names = std::move(opened_.back());
  opened_.pop_back();
  for (const auto& name : names) {
    const auto found = variables_.find(name);
    if (found == variables_.end()) continue;
    if (found->second.depth > depth_) {
      take(found->second.code, false);
      variables_.erase(found);
    } else if (depth_ > 0) {
      opened_.back().push_back(name);
    }
  }
}

}  // namespace torchbook::translate
