// Writes the lines of a port.
#pragma once

#include <torchbook/translate/lower/pieces.h>
#include <torchbook/translate/lower/state.h>
#include <torchbook/translate/lower/value.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::translate {

/// Adds lines to the cell that is being translated.
class Writer : protected State {
 protected:
  explicit Writer(const std::vector<PythonCell>& cells) : State{.cells_ = cells} {}

  /// Adds a statement, in the order in which Python evaluates it.
  void emit(const cpp::Stmt& statement);
  void emit(decltype(cpp::Stmt::kind) statement) { emit(cpp::Stmt{.kind = std::move(statement)}); }
  /// Returns the statements that `write` would have added.
  template <class Write>
  cpp::Stmts captured(const Write& write) {
    cpp::Stmts added;
    auto* const before = std::exchange(statements_, &added);
    try {
      write();
    } catch (...) {
      statements_ = before;  // calls of what failed are still learned of
      throw;
    }
    statements_ = before;
    return added;
  }
  /// Adds statements that were captured.
  void add(cpp::Stmts statements);
  /// Emits a variable that holds a value, with a name made of `wish`. Only the translation of a
  /// statement may call it, not that of an expression.
  Value hold(const Value& value, std::string_view wish);
  /// Applies `use` to a value that it needs more than once. Unless the value is a name already,
  /// `use` gets a variable that holds it.
  Value named(const Value& value, std::string_view wish, const std::function<Value(const Value&)>& use);
  /// Returns a value as the variable `name` that holds it.
  Value held(const Value& value, const std::string& name) const;
  /// Returns the key of a definition in Facts.
  std::string key(const Node& node, std::string_view name) const;
  /// Notes a line that the port needs above its function, such as an include.
  void need(std::string_view what) { port_.needs.emplace(what); }
  Scope& scope() { return frame_->scope; }

  /// Returns infinity, and the number that a str names, as in `float("-inf")`.
  Value infinity();
  Value special_number(std::string_view text);
  /// Throws NotPorted if a str may have letters beyond ASCII: C++ counts their bytes.
  void refuse_letters_beyond_ascii();
  /// Whether a cell may compute gradients. Then the order of operations is observable.
  bool wants_gradients();
  /// Whether operations on values of the type may be recorded for gradients.
  bool is_recorded(const Type& type);
  /// Whether the inferred kinds of numbers in tensors hold. They do if the notebook has no complex
  /// tensors.
  bool knows_numbers();
  /// Returns the module or function of Python that a node names: `torch.nn.functional`.
  std::optional<std::string> path_of(const Node& node) const;
  /// Whether a function or method computes no gradients. Throws NotPorted if it has another decorator.
  bool is_without_gradients(const Node& function) const;
  /// Imports the names of `from torch.nn import *`. Throws NotPorted if it is another module.
  void import_all(const std::string& module);
  /// Returns a function of the notebook. One that is an argument may be defined below the function that calls
  /// it.
  Function& function_named(const std::string& key);
  /// Whether an argument is a function that is not translated yet. Its parameters get their types
  /// from calls in the function that receives it.
  bool waits_for_argument(const std::vector<Type>& types);

  bool is_read_by_classes(const std::string& name) const;
  /// Refuses a variable that in Python may still be another kind of number than in C++.
  [[noreturn]] void refuse_number(const Variable& number, std::string_view name);
  /// Refuses such a variable unless the other operand makes both kinds equivalent.
  void refuse_number_beside(const Variable& number, std::string_view name, const Value& partner);
  /// Notes that functions read a variable of a function around them, or of the notebook.
  void note_reading(std::string_view name, const Variable& variable);
  /// Returns a member of self: `this->x` if a parameter or variable hides it.
  cpp::Expr member_of_self(std::string_view name);
  /// Returns a member as an expression that reads it.
  cpp::Expr as_member(cpp::Expr expr, const Type& type, const std::string& name);
  /// Notes that a module becomes part of another one. Throws NotPorted if it is part of one
  /// already: C++ would list its parameters twice, Python lists them once.
  void note_holder(const Value& module);
  /// Returns the class of a module or object, if the notebook defines it; otherwise nullptr.
  NewClass* class_of(const Type& type);
  /// Notes that the function raises. Throws NotPorted in a try: C++ would catch the exception, or
  /// show another message.
  void note_raise();
  /// Whether a new variable is declared with `auto`. Throws NotPorted if none can hold a value of
  /// the type.
  bool is_inferred(const Type& type, bool constant);
  /// Whether the class of a value is defined below, so that C++ does not know its name yet.
  bool is_of_class_below(const Type& type);
  /// Returns a member of an object, and the call of a method.
  cpp::Expr member_of(const Value& object, const std::string& name);
  cpp::Expr method_of(const Value& object, const std::string& name, std::vector<cpp::Expr> arguments = {});
  /// Notes that the port prints modules. Throws NotPorted if a class has another name in C++, which
  /// would be printed.
  void need_to_print_modules();
  /// Returns the variable of a list that changes. Throws NotPorted if it has none: in C++, a list
  /// that is an element, a loop's variable or an argument is a copy or constant.
  const Variable* refuse_unless_changeable(const Value& list);
  static Value place_written(const std::string& at);
  static Value size_of(const Value& size, const cpp::Expr& at);
  void check_sizes(const Value& size, std::size_t names);
  std::optional<Value> joined_sizes(std::string_view operation, const Value& left, const Value& right);
  void add_starred(const Value& starred, std::vector<Value>& positional);
  void add_to_starred(const Value& number, Value& list);
  std::optional<std::vector<Node>> known_branch(const Node& node);
  void replace_parameter(const Value& module, const std::string& code, const std::string& name,
                         const Value& value);
  bool reads_tensors(const cpp::Expr& expr) const;
  /// Whether a node reads a variable of the notebook.
  bool reads_variables(const Node& node) const;
  /// Gives an opened file a name. C++ opens the file only where Python reads it.
  void name_file(const std::string& name, const Value& file);
  /// Returns the list of `OrderedDict([("hidden", layer), …])` that nn.Sequential takes; nullopt for anything
  /// else.
  std::optional<Node> named_parts(const Node& call);
  /// If a parameter is an argument of a call, returns the kind that the callee requires. Returns
  /// nullopt if it is none, or if the callee also takes other kinds.
  std::optional<Kind> kind_by_call(const Node& call, std::string_view parameter, int depth);
  std::optional<Kind> kind_by_class(const NewClass& made, const Node& call, std::string_view parameter,
                                    int depth);
  std::optional<Kind> annotated_kind(const Node& function, std::string_view parameter) const;
  /// Returns the type of a parameter that no call gives: from its annotation or its uses, or else a
  /// tensor.
  Type type_by_use(const Node& function, std::string_view parameter, int depth = 0);
  /// Returns the variable of a list, which may also be a member of the class that is being translated.
  const Variable* variable_of_list(const Value& list);
};

}  // namespace torchbook::translate
