// Maps the names of a notebook to their variables in C++.
#pragma once

#include <tools/import/translate/core/type.h>
#include <tools/import/translate/cpp/expr.h>
#include <tools/import/translate/syntax/names.h>
#include <tools/import/translate/syntax/syntax.h>

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::translate {

/// A name of the notebook.
struct Variable {
  Type type{};
  std::string code{};        ///< its name in C++
  std::string missing{};     ///< why it cannot be used; empty if it can
  std::size_t missing_of{};  ///< the position of the cell that it is because of; 0 if it is none
  std::string definition{};  ///< the key of its first assignment
  int line = 0;              ///< of its definition, as in Uses
  int depth = 0;             ///< how many blocks of C++ were open where it was declared
  int branches = 0;          ///< how many blocks around its declaration may not run
  bool is_constant = false;  ///< it was declared const
  bool is_static = false;    ///< it was declared static, so that classes can read it
  bool is_global = false;    ///< functions assign it, too, by the statement `global`
  bool optional = false;     ///< a parameter for which a call may pass None
  bool is_none = false;      ///< a parameter for which every call passes None
  bool none_first = false;   ///< None in Python until it is assigned, and empty in C++
  bool widened = false;      ///< it was declared for later values of another type
  bool still_int = false;    ///< C++ holds a double. In Python, it is an int until a float is assigned
  std::string number{};      ///< the int that a constant is; empty if it is none, or not written out
  bool natural = false;      ///< an int that is never negative
  std::string same{};        ///< for an alias of a module: the variable in C++ that held it first
  std::string raised{};  ///< for an error: the class that its `except` names, unless others derive from that
  cpp::Expr file{};      ///< for the result of open(): the expression that reads the file
  int file_loops = 0;    ///< with it, how many loops were open where it was opened

  /// Returns the variable as an expression. A call may change a global between two operands.
  cpp::Expr expr() const {
    const auto named = cpp::name(code);
    return is_global ? named.with(cpp::reads(cpp::Place::field, code)) : named;
  }
};

/// Throws NotPorted if a variable cannot be used.
inline void refuse_missing(const Variable& variable) {
  if (!variable.missing.empty()) refuse_because_of(variable.missing_of, variable.missing);
}

/// Whether a text can be a name in C++ as it is.
bool is_plain_name(std::string_view text);

/// The names of the notebook, or those of a function inside of it.
class Scope {
 public:
  /// Names that this scope lacks are looked up in `outer`, which may be nullptr.
  explicit Scope(Scope* outer = nullptr) : outer_(outer) {}

  /// Returns the variable of a name, which may belong to an outer scope; nullptr if there is none.
  const Variable* find(std::string_view name) const;
  /// Returns the variable of a name that this scope itself has; nullptr if it has none.
  Variable* own(std::string_view name);
  /// Whether a variable of this scope has this name in C++.
  bool uses_code(const std::string& code) const { return taken_.contains(code); }
  /// Returns the variable with this name in C++; nullptr if this scope has none.
  const Variable* with_code(std::string_view code) const;
  std::optional<std::string> name_with_code(std::string_view code) const;
  /// Returns the module or function of Python that a name represents, as `torch.nn.functional`.
  std::optional<std::string> imported(std::string_view name) const;

  void import(const std::string& name, std::string path);
  /// Declares a new variable for the name, and returns it. Its name in C++ is not in use.
  Variable& declare(const std::string& name, Type type);
  /// Marks a name as taken in C++ by something else.
  void reserve(const std::string& name) { take(name, true); }
  /// Returns a name that is free in C++, derived from `hint`.
  std::string fresh(std::string_view hint);
  /// Makes a name refer to a variable again, such as one that it had before.
  void show(const std::string& name, const Variable& variable);
  /// Marks a name as unknown: no variable holds its value. `why` ends a sentence.
  void lose(const std::string& name, std::string why, std::size_t of_cell = 0);
  /// Marks all names of this scope as unknown.
  void lose_all(const std::string& why);
  /// Returns the names of this scope that are unknown because of a cell.
  std::vector<std::string> lost_to(std::size_t cell) const;
  /// Returns all names of this scope whose variables can be used.
  std::vector<std::string> names() const;
  /// Returns the names of this scope that are unknown.
  Names lost() const;
  /// Whether no name represents a variable, and none ever did.
  bool is_empty() const { return variables_.empty(); }

  /// Opens and closes a pair of braces. Variables declared inside end with it.
  void open();
  void close();
  int depth() const { return depth_; }
  /// Lets a name that is declared before the next pair of braces end with these.
  void enter(const std::string& name) { entering_.push_back(name); }

 private:
  void take(const std::string& code, bool taken);
  void refuse_global(std::string_view name) const;

  Scope* outer_;
  int depth_ = 0;
  std::map<std::string, Variable, std::less<>> variables_{};
  std::map<std::string, std::string, std::less<>> imports_{};
  std::set<std::string, std::less<>> taken_{};      // names in C++
  std::set<std::string, std::less<>> renamed_{};    // names in C++ that differ from those in Python
  std::map<std::string, int, std::less<>> next_{};  // the number after a name that is taken
  std::vector<std::vector<std::string>> opened_{};  // names of each pair of braces
  std::vector<std::string> entering_{};             // those of the next one
};

}  // namespace torchbook::translate
