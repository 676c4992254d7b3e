// Defines the Builder, the state that the translation of all constructs shares.
#pragma once

#include <tools/import/translate/core/definitions.h>
#include <tools/import/translate/core/scope.h>
#include <tools/import/translate/core/value.h>
#include <tools/import/translate/cpp/expr.h>
#include <tools/import/translate/translate.h>

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::translate {

/// A name that is declared above a block because later lines read it.
struct Hoisted {
  int depth;           ///< of the blocks around the declaration
  std::size_t blocks;  ///< of Python around the declaration
  int branches;        ///< around the declaration
  std::optional<Type> type{};
  std::string code{};
  bool is_static = false;
};

/// A function that is being translated; the notebook itself is the outermost.
struct Frame {
  Scope scope{};
  Frame* outer = nullptr;  ///< the function around it, or the notebook; nullptr for the notebook itself
  Uses uses{};
  std::optional<Type> result{};  ///< of the first `return` of a value
  bool returns_none = false;     ///< a `return` returns None
  std::string key{};             ///< that of the function
  Type wanted{};     ///< the type of a list that other classes with a common base return; None if not known
  Names returned{};  ///< the names that it returns
  NewClass* of_class = nullptr;            ///< for a method
  const CalledFunction* called = nullptr;  ///< its calls in Python's run; nullptr if there is none
  bool is_notebook = false;
  bool is_constructor = false;
  bool called_by_classes = false;  ///< classes call it, so it is static in C++ if it can be
  bool is_returned = false;        ///< it is returned, with copies of the variables that it reads
  bool random_has_seed = false;    ///< a function calls random.seed() above
  bool raises = false;             ///< it has a raise, or calls a function that has one
  bool draws_in_python = false;    ///< it, or its callee, draws from Python's random and sets no seed
  bool draws_in_numpy = false;     ///< the same for numpy.random
  Names outer_names{};             ///< variables outside of it that it reads
  bool reads_outside = false;      ///< it reads variables outside of it
  int loops = 0;                   ///< how many loops are open
  std::string break_flag{};        ///< of the innermost loop, as in LoopHead
  std::size_t blocks = 0;          ///< how many blocks of Python are open
  int branches = 0;                ///< how many blocks are open that may not run; loops are taken to run
  /// Names that a block assigns and later lines read. They are declared above the block, once their type is
  /// known.
  std::map<std::string, Hoisted, std::less<>> hoisted{};
};

/// State that later cells cannot know because of an untranslated cell.
struct Lost {
  std::string why{};     ///< empty if it is known
  std::size_t cell = 0;  ///< the position of that cell

  /// Throws NotPorted if it is not known.
  void refuse() const {
    if (!why.empty()) refuse_because_of(cell, why);
  }
};

/// What the translated cells above have established. A Snapshot has a copy.
struct State {
  std::set<std::string> needs{};  ///< the includes and the like that the port needs, as in Port
  std::map<std::string, Record, std::less<>> records{};  ///< by their names in C++
  bool has_notebook_pointer = false;                     ///< a class prints through it
  Names declared_bases{};                                ///< common bases that are in the port
  /// Why the state of Python's random is not known; nothing after random.seed().
  Lost random{.why = "Python's random has no seed above; random.seed(0) makes it repeatable"};
  /// Why the state of numpy.random is not known; nothing after np.random.seed().
  Lost numpy_random{.why = "numpy.random has no seed above; np.random.seed(0) makes it repeatable"};
  bool has_unsaved = false;                  ///< a class has a buffer that is not part of its state_dict
  std::set<std::string> held{};              ///< modules that are part of another one
  std::array<cpp::Expr, 5> print_options{};  ///< those that the notebook has set, in C++'s order
  bool saves_states = false;                 ///< a translated cell has saved the state of a module
  std::map<std::string, Type> saved{};       ///< the types of the last saved values, by the names of files
  std::map<std::string, Type> checkpoint{};  ///< the types in the dicts that were saved, by their keys
};

/// The functions and classes of a notebook, by their keys.
struct Defined {
  std::map<std::string, Function> functions{};
  std::map<std::string, NewClass> classes{};
  std::map<std::string, NewClass> classes_below{};  ///< those that code above their definitions uses
  std::set<std::string> unknown_below{};            ///< keys of classes that cannot be translated there
  std::vector<CommonBase> bases{};
  /// The types of a function's parameters in Python's run, by its key: that of the common base for a method.
  std::map<std::string, std::vector<SeenType>> parameters{};
};

/// The place in the notebook that is being translated.
struct Here {
  std::size_t cell = 0;             ///< the position of the cell
  int first_line = 0;               ///< the number of lines of the cells before it
  std::vector<Comment> comments{};  ///< of the cell
  int last_axis = 0;        ///< the line of the last comment that named an axis: they must be in order
  bool in_try = false;      ///< the statement is in a try, so its errors are caught
  bool runs = true;         ///< false in code that Python's run did not reach
  std::string name_hint{};  ///< the name that the next expression is assigned to
  /// The variable in which a comprehension or module was built, if it got the hinted name.
  std::string collector{};
  /// All reasons why statements of a cell that is refused have no C++; nullptr while a cell is translated.
  std::vector<Refusal>* reasons = nullptr;
  std::string open{};  ///< why the type of a list or dict that the cell reads is not known yet
};

/// Observations about a cell that its report or its order needs.
struct Found {
  std::size_t pictures = 0;               ///< statements that are left out
  std::set<std::pair<int, int>> shown{};  ///< lines and columns of torch.__version__ where it is only shown
  bool shows_release = false;             ///< it shows torch.__version__
  std::set<std::string> limits{};         ///< as in CellPort
  int changes = 0;                        ///< how many statements and calls of all cells change something
};

/// Properties of the whole notebook, computed when they are first needed.
struct Traits {
  std::optional<bool> wants_gradients{};  ///< whether it computes any
  bool attaches = false;    ///< a detached tensor may get gradients in place; then none counts as detached
  bool whole_rate = false;  ///< a learning rate is an int, which Python prints as one
};

/// Settings that an untranslated cell may have changed, and why later cells do not know them.
struct LostSettings {
  Lost options{};   ///< the print options
  Lost draws{};     ///< the state of the generator
  Lost defaults{};  ///< the dtype and device of new tensors
  Lost files{};     ///< saved files
};

/// Builds a call from its arguments, which are in the order of the parameters.
using Call = std::function<cpp::Expr(std::vector<cpp::Expr>)>;

/// Builds the C++ of a notebook. Each construct of Python is a function that takes it, in the file of its
/// name.
class Builder {
 public:
  explicit Builder(const std::vector<PythonCell>& python) : cells(python) {}
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  void emit(decltype(cpp::Stmt::kind) statement) { emit(cpp::Stmt{.kind = std::move(statement)}); }
  /// Returns the statements that `write` would have added.
  template <class Write>
  cpp::Stmts captured(const Write& write) {
    cpp::Stmts added;
    auto* const before = std::exchange(statements, &added);
    try {
      write();
    } catch (...) {
      statements = before;  // calls in failed statements still count
      throw;
    }
    statements = before;
    return added;
  }
  /// Adds a line that the port needs above its function, such as an include.
  void need(std::string_view what) { state.needs.emplace(what); }
  Scope& scope() { return frame->scope; }
  /// Notes what C++ does otherwise than NumPy 2 if that ran.
  void limit_of_numpy_2(std::string_view what) {
    if (cells.front().numpy > 1) found.limits.emplace(what);
  }
  /// Returns the module or function of Python that a node names: `torch.nn.functional`.
  std::optional<std::string> path_of(const Node& node) const;
  /// Notes that functions read a variable of a function around them, or of the notebook.
  void note_reading(std::string_view name, const Variable& variable);
  /// Returns a function of the notebook. One that is an argument may be defined below the function that calls
  /// it.
  Function& function_named(const std::string& key);
  /// Returns the class of a module or object, if the notebook defines it; otherwise nullptr.
  NewClass* class_of(const Type& type);
  /// Returns the observations of Python's run about the cell; nullptr if there are none.
  const Observed* observed() const;
  /// Returns the calls of a function of the cell in Python's run; nullptr if there was none, or none is
  /// known.
  const CalledFunction* called(const Node& function) const;
  /// Returns the key of a definition.
  std::string key(const Node& node, std::string_view name) const;
  /// Returns the line of a node, as in the Uses of the frame.
  int line_of(const Node& node) const { return node.line() + (frame->is_notebook ? here.first_line : 0); }
  /// Adds a statement, in the order in which Python evaluates it.
  void emit(const cpp::Stmt& statement);
  /// Adds statements that were captured.
  void add(cpp::Stmts statements);
  /// Returns a value as the variable `name` that holds it.
  Value held(const Value& value, const std::string& name) const;
  /// Emits a variable that holds a value, with a name derived from `hint`. Only the translation of a
  /// statement may call it, not that of an expression.
  Value hold(const Value& value, std::string_view hint);
  /// Applies `use` to a value that it needs more than once. Unless the value is a name already,
  /// `use` gets a variable that holds it.
  Value named(const Value& value, std::string_view hint, const std::function<Value(const Value&)>& use);
  /// Whether a cell may compute gradients. Then the order of operations is observable.
  bool wants_gradients();
  /// Whether operations on values of the type may be recorded for gradients.
  bool is_recorded(const Type& type);

  const std::vector<PythonCell>& cells;
  Frame notebook{};
  Frame* frame = &notebook;          ///< of the function that is translated
  cpp::Stmts* statements = nullptr;  ///< emit() appends to it
  Defined defined{};
  State state{};
  Here here{};
  Found found{};
  Traits traits{};
  LostSettings lost{};
};

/// Saves the state of a translation that may fail: the names of the enclosing function, and everything else
/// that translating a statement changes.
class Snapshot {
 public:
  explicit Snapshot(Builder& b)
      : b_(b), frame_(b.frame), names_(*b.frame), state_(b.state), here_(b.here), statements_(b.statements) {}

  void restore() const {
    b_.frame = frame_;
    *frame_ = names_;
    b_.state = state_;
    b_.here = here_;
    b_.statements = statements_;
  }

 private:
  Builder& b_;
  Frame* frame_;
  Frame names_;
  State state_;
  Here here_;
  cpp::Stmts* statements_;
};

/// Whether a new variable is declared with `auto`. Throws NotPorted if none can hold a value of the type.
bool is_inferred(Builder& b, const Type& type, bool constant);

}  // namespace torchbook::translate
