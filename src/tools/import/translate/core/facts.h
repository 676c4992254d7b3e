// Collects types of definitions that only later lines determine.
#pragma once

#include <fmt/format.h>
#include <tools/import/translate/core/definitions.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/core/type.h>
#include <tools/import/translate/syntax/syntax.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::translate {

/// An abstract class of C++ from which the classes derive whose objects meet in a list.
struct CommonBase {
  std::string name;       ///< in C++
  Names classes{};        ///< their keys
  Names used{};           ///< methods and attributes that are used through it
  bool is_named = false;  ///< the notebook asks for the names of its classes
};

/// Types of definitions that calls, assignments and loops below them determine. A key names a definition: its
/// cell, line and name.
class Facts {
 public:
  /// Returns the types of a function's parameters; nullptr if no call was seen yet.
  const std::vector<Type>* parameters(const std::string& key) const { return find(parameters_, key); }
  /// Notes the types of a function's parameters in Python's run, where they are known. Several functions have
  /// one key if they override a method.
  void observe(const std::string& key, const std::vector<std::optional<Type>>& types) {
    const auto [known, added] = observed_.emplace(key, types);
    auto& before = known->second;
    for (std::size_t i = 0; i < std::min(before.size(), types.size()); ++i)
      before[i] = before[i] && types[i] ? common_argument(*before[i], *types[i]) : std::nullopt;
    std::vector<Type> all;
    for (const auto& each : before) {
      if (each) all.push_back(*each);
    }
    if (all.size() == before.size()) changed_ |= parameters_.emplace(key, std::move(all)).second;
  }
  /// Notes the types of a call's arguments. Throws NotPorted if they have no common type with those of other
  /// calls. A call that Python's run did not reach does not change types that the run determined. Returns
  /// whether that changed the types of the parameters.
  bool call(const std::string& key, std::vector<Type> types, bool runs) {
    if (const auto observed = observed_.find(key); observed != observed_.end()) {
      if (!runs && parameters(key) == nullptr) refuse("no call that ran is translated");
      for (std::size_t i = 0; i < types.size(); ++i) {  // a type seen in the run is more precise
        const auto& seen = observed->second.at(i);
        const auto common = seen ? common_argument(*seen, types[i]) : std::nullopt;
        if (common && *common == *seen && common->optional == seen->optional) types[i] = *seen;
      }
    }
    const auto [known, added] = parameters_.emplace(key, types);
    bool changes = added;
    for (std::size_t i = 0; i < types.size(); ++i) {
      const bool same_class = types[i].is(Kind::module) && types[i].name() == known->second[i].name() &&
                              types[i].is(types::Held::holder) && observed_.contains(key);
      if (same_class) continue;
      const auto common = common_argument(known->second.at(i), types[i]);
      if (!common)
        refuse("a function is called with {} and with {}; C++ needs two functions",
               in_words(known->second[i]), in_words(types[i]));
      if (!runs && observed_.contains(key)) continue;
      if (!learning && *common != known->second[i])
        refuse("a function is called with {}, and was translated for {}", in_words(types[i]),
               in_words(known->second[i]));
      changes = changes || *common != known->second[i] || !same_numbers(*common, known->second[i]) ||
                common->optional != known->second[i].optional;
      known->second[i] = *common;
    }
    changed_ |= changes;
    return changes;
  }

  /// Returns a function as the first walk knew it; nullptr if there was none.
  Function* function(const std::string& key) {
    const auto found = functions_.find(key);
    return found == functions_.end() ? nullptr : &found->second;
  }

  /// Returns a class by its name in C++, as the first walk knew it; nullptr if there was none.
  NewClass* new_class(std::string_view code) {
    for (auto& [key, made] : classes_) {
      if (made.code == code) return &made;
    }
    return nullptr;
  }
  /// Returns a class by its key, as the first walk knew it; nullptr if there was none.
  const NewClass* class_with_key(const std::string& key) const { return find(classes_, key); }
  /// Keeps the functions and classes of the first walk, for code above them. Ends that walk.
  void keep(std::map<std::string, Function> functions, std::map<std::string, NewClass> classes) {
    functions_ = std::move(functions);
    classes_ = std::move(classes);
    learning = false;
  }

  /// Returns the common base of the class with this key; nullptr if it has none.
  const CommonBase* common_base(std::string_view key) const {
    for (const auto& base : bases_) {
      if (base.classes.contains(key)) return &base;
    }
    return nullptr;
  }
  const CommonBase* common_base_named(std::string_view name) const {
    for (const auto& base : bases_) {
      if (base.name == name) return &base;
    }
    return nullptr;
  }
  const std::vector<CommonBase>& common_bases() const { return bases_; }
  /// Notes that objects of classes meet in a list. `name` is that of a new common base.
  void meet(const std::set<std::string>& classes, const std::string& name) {
    CommonBase common{.name = name, .classes = {classes.begin(), classes.end()}};
    std::erase_if(bases_, [&](CommonBase& each) {
      if (!intersect(each.classes, common.classes)) return false;
      common.name = each.name;
      common.classes.merge(each.classes);
      return true;
    });
    bases_.push_back(std::move(common));
  }
  /// Notes that a method or attribute is used through a common base.
  void use(std::string_view base, std::string_view name) {
    for (auto& each : bases_) {
      if (each.name == base) changed_ |= each.used.emplace(name).second;
    }
  }
  void ask_for_name(std::string_view base) {
    for (auto& each : bases_) {
      if (each.name == base) changed_ |= !std::exchange(each.is_named, true);
    }
  }
  /// Notes that a detached tensor may get gradients in place. From then on, no tensor counts as
  /// detached.
  void attach() { changed_ |= !std::exchange(attaches_, true); }
  bool attaches() const { return attaches_; }

  /// Refuses reading a learning rate if one is given as an int: Python prints it as an int.
  void reads_rate() const {
    if (whole_rate_) refuse("a learning rate is an int");
  }
  void note_rate(const Type& rate) {
    if (rate.is(Kind::integer)) changed_ |= !std::exchange(whole_rate_, true);
  }

  /// Whether something has changed since the last call.
  bool take_changed() { return std::exchange(changed_, false); }
  bool learning = true;  ///< in the first walk

 private:
  template <class Value>
  static const Value* find(const std::map<std::string, Value>& values, const std::string& key) {
    const auto found = values.find(key);
    return found == values.end() ? nullptr : &found->second;
  }

  std::map<std::string, std::vector<Type>> parameters_{};
  std::map<std::string, std::vector<std::optional<Type>>> observed_{};
  std::map<std::string, Function> functions_{};
  std::map<std::string, NewClass> classes_{};
  std::vector<CommonBase> bases_{};
  bool whole_rate_ = false;
  bool attaches_ = false;
  bool changed_ = false;
};

}  // namespace torchbook::translate
