// Keeps the names of a notebook, and what they stand for in C++.
#pragma once

#include <torchbook/translate/node.h>
#include <torchbook/translate/type.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::translate {

using Names = std::set<std::string, std::less<>>;

/// A name of the notebook.
struct Variable {
  Type type{};
  std::string code{};        ///< its name in C++
  std::string missing{};     ///< why it cannot be used; empty if it can
  std::string definition{};  ///< where it was assigned first, as a key of Facts
  int depth = 0;             ///< how many blocks of C++ were open where it was declared
  bool is_constant = false;  ///< it was declared const
  std::string number{};      ///< the int that a constant is; empty if it is none, or not written out
};

/// Where a name is assigned and read: by the notebook outside of functions, or by one function.
struct Uses {
  std::map<std::string, int, std::less<>> assignments{};  ///< how often
  /// The lines of each name, in the order in which they run, and whether it is read there.
  std::map<std::string, std::vector<std::pair<int, bool>>, std::less<>> lines{};
  std::set<std::string, std::less<>> read_by_functions{};  ///< names that a function or class inside reads
  std::set<std::string, std::less<>> read_by_classes{};    ///< names that a class inside reads
};

/// Whether a name is read behind a line, before it is assigned again.
bool is_read_behind(const Uses& uses, std::string_view name, int line);

/// Whether a name is read anywhere.
bool is_read(const Uses& uses, std::string_view name);

/// Adds the names of a piece of Python. `line` is added to its lines.
void add_uses(const Node& node, int line, Uses& uses);

/// Returns the names that statements assign, without those of functions and classes inside.
Names assigned_names(const std::vector<Node>& statements);

/// Whether a text can be a name in C++ as it is.
bool is_plain_name(std::string_view text);

/// Returns also the names of what statements change in place: by an index, or by calling a method.
Names changed_names(const std::vector<Node>& statements);

/// The names of the notebook, or those of a function inside of it.
class Scope {
 public:
  /// `outer` is where names are looked up that this scope lacks; it may be nullptr.
  explicit Scope(Scope* outer = nullptr) : outer_(outer) {}

  /// Returns nullptr if nothing has this name.
  const Variable* find(std::string_view name) const;
  /// Returns nullptr if this scope itself has no such name.
  Variable* own(std::string_view name);
  /// Whether a variable of this scope has this name in C++.
  bool uses_code(const std::string& code) const { return taken_.contains(code); }
  /// Returns the variable with this name in C++; nullptr if this scope has none.
  const Variable* with_code(std::string_view code) const;
  /// Returns the module or function of Python that a name stands for, as `torch.nn.functional`.
  std::optional<std::string> imported(std::string_view name) const;

  void import(const std::string& name, std::string path);
  /// Gives the name a new variable, and returns it. Its code is a name that C++ does not have yet.
  Variable& declare(const std::string& name, Type type);
  /// Returns a name that C++ does not have yet, made of `wish`.
  std::string fresh(std::string_view wish);
  /// Gives the name back a variable that it had before.
  void show(const std::string& name, const Variable& variable) {
    variables_.insert_or_assign(name, variable);
  }
  /// Marks a name as one that no variable holds. `why` ends a sentence.
  void lose(const std::string& name, std::string why);

  /// Opens and closes a pair of braces. What was declared inside is no longer there.
  void open() { ++depth_; }
  void close();
  int depth() const { return depth_; }

 private:
  Scope* outer_;
  int depth_ = 0;
  std::map<std::string, Variable, std::less<>> variables_{};
  std::map<std::string, std::string, std::less<>> imports_{};
  std::set<std::string, std::less<>> taken_{};    // names in C++
  std::set<std::string, std::less<>> renamed_{};  // those that are not the names in Python
};

}  // namespace torchbook::translate
