// Represents the C++ of a port as a tree, with its effects.
#pragma once

#include <tools/import/translate/cpp/effects.h>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace torchbook::translate::cpp {

struct Node;
struct Stmt;

/// A list of statements. It is a class of its own because types that hold one are defined before
/// Stmt.
class Stmts : public std::vector<Stmt> {
 public:
  Stmts();
  Stmts(std::initializer_list<Stmt> statements);
  Stmts(const Stmts& other);
  Stmts(Stmts&& other) noexcept;
  Stmts& operator=(const Stmts& other);
  Stmts& operator=(Stmts&& other) noexcept;
  ~Stmts();
};

enum class Kind {
  name,       ///< `x`, `torch::kCPU`
  number,     ///< `2`, `1e-05`
  boolean,    ///< `true`
  string,     ///< the text is that of the string itself, without quotes and escapes
  call,       ///< `torch::rand(2)`: parts are the arguments
  invoke,     ///< a call of a value: parts are the callee and the arguments
  method,     ///< `x.sum(0)` or `model->train()`: parts are the receiver and the arguments
  member,     ///< `x.text` or `model->weight`
  subscript,  ///< `x[0]`
  unary,      ///< `-x`, `!x`, `*x`
  binary,     ///< `a + b`
  choice,     ///< `a ? b : c`
  braces,     ///< `{1, 2}` or `std::vector<int64_t>{1, 2}`
  construct,  ///< `torch::nn::Sequential(a, b)`: with braces if the order of the parts is observable
  labelled,   ///< `/*keepdim=*/true`
  lambda,
  let,  ///< statements that come before, and a value that they make
};

/// An expression without its parts: a call of `torchbook::shape`, a method `item`. cpp/forms.h has those that
/// the translator looks for.
struct Form {
  Kind kind;
  std::string_view text;

  operator std::string_view() const { return text; }
};

/// A parameter of a lambda or method.
struct Parameter;

/// An expression of C++. It never changes, and copies share it. A default one is empty.
class Expr {
 public:
  Expr() = default;
  explicit Expr(Node node);

  explicit operator bool() const { return node_ != nullptr; }
  bool is(Kind wanted) const;
  /// Whether it is a name, a call of a function or method, or a member with this text.
  bool is(Kind wanted, std::string_view text) const;
  bool is(const Form& form) const { return is(form.kind, form.text); }
  Kind kind() const;
  const std::string& text() const;
  const std::vector<Expr>& parts() const;
  const Expr& part(std::size_t i) const { return parts().at(i); }
  const Node& node() const { return *node_; }
  /// Returns the effects of evaluating it, including its parts; none if it is empty.
  const Effects& effects() const;
  bool acts() const { return effects().act(); }

  /// Returns the expression with further effects, such as those of a function that it calls.
  Expr with(const Effects& effects) const;
  /// Returns the expression with these effects in place of those that the name of its outermost
  /// node implies.
  Expr with_only(const Effects& effects) const;
  /// Returns the expression with other parts.
  Expr with_parts(std::vector<Expr> parts) const;
  /// Returns the expression with the order in which Python evaluates its parts: `{1, 0}`.
  Expr in_order(std::vector<std::size_t> order) const;
  /// Adds a comment after each part that has one: `{1,  // one`.
  Expr commented(std::vector<std::string> comments) const;
  /// Returns the expression with the declaration of a variable that holds it: `auto`. The default
  /// is `const auto`.
  Expr held_as(std::string declaration) const;
  /// Returns the expression as one whose operations autograd records, under its text.
  Expr recorded() const;
  /// Returns the expression as one from which no gradient is computed, such as a number or a printed value.
  Expr unrecorded() const;

  friend bool operator==(const Expr& one, const Expr& other);

 private:
  std::shared_ptr<const Node> node_{};
};

/// A parameter of a lambda or method: `const Tensor& x = {}`.
struct Parameter {
  std::string type;
  std::string name;
  Expr default_value{};
};

// --- statements

/// `x.add_(1);`
struct Evaluate {
  Expr value;
};
/// `const Tensor x = torch::rand(2);`, or `Linear linear(2, 3);` if the value constructs the variable.
struct Declare {
  std::string type;  ///< with const, static and the like
  std::string name;
  Expr value{};
  bool constructs = false;  ///< the arguments of the value, a call, follow the name
};
/// `x = 2;`, `x += 2;`
struct Assign {
  Expr to;
  Expr value;
  std::string sign = "=";
  bool of_number = false;  ///< of `n += 2`, where no tensor is changed in place
};
struct Return {
  Expr value{};
};
/// A statement that reads and writes nothing: `break;`, `torch::NoGradGuard no_grad;`. Empty for an empty
/// line.
struct Plain {
  std::string text{};
};
/// `if (test) {…} else {…}`. A declaration in `declared` precedes `test`, or is the condition if
/// there is no `test`.
struct If {
  Expr test{};
  Stmts body{};
  Stmts else_body{};
  std::string declared{};
  Expr initial{};
  bool is_short = false;  ///< its only statement is in the same line, without braces
};
struct While {
  Expr test;
  Stmts body;
};
/// `for (int64_t i = 0, end = n; i < end; ++i) {…}`
struct Count {
  std::string type = "int64_t";
  std::string name{};
  Expr start{};
  Expr end{};
  std::string held{};  ///< the name that holds the end; empty if none does
  std::string compare = "<";
  Expr step{};  ///< empty for 1 or, if it counts down, -1
  Stmts body{};
};
/// `for (const auto& x : xs) {…}`, with a `counter` before: `for (int64_t i = 0; const auto& x : xs)`
struct Each {
  std::string declared;
  Expr over;
  std::string counter{};
  Expr start{};
  Stmts body{};
  bool is_short = false;  ///< its only statement is in the same line, without braces
};
/// `{…}`
struct Block {
  Stmts body;
};
/// `try {…} catch (const std::exception& name) {…}`
struct Try {
  Stmts body;
  std::string name{};
  Stmts handler{};
};
/// `int64_t size() const {…}`
struct Method {
  std::string head;  ///< `int64_t size`
  std::vector<Parameter> parameters{};
  std::string tail{};  ///< ` const`
  Expr base{};         ///< the call of the base class's constructor
  Stmts body{};
};
/// `struct Net : torch::nn::Module {…};`
struct Struct {
  std::string head;
  Stmts body{};
  std::string proved{};  ///< for the proving program: a member function that reports the members
};

/// A statement of C++.
struct Stmt {
  std::variant<Evaluate, Declare, Assign, Return, Plain, If, While, Count, Each, Block, Try, Method, Struct>
      kind;
  std::string comment{};  ///< after it, such as the shape of the assigned tensor
};

/// The data of an expression.
struct Node {
  Kind kind{};
  std::string text{};
  std::vector<Expr> parts{};
  bool arrow = false;                   ///< of a method or member: `->`
  bool braced = false;                  ///< of a construct: the order of its parts is observable
  std::vector<std::string> names{};     ///< of braces: `.rate = 2`
  std::vector<std::string> comments{};  ///< after the parts
  std::vector<std::size_t> order{};     ///< in which Python evaluates the parts; empty: from left to right
  std::vector<Parameter> parameters{};  ///< of a lambda
  std::string result{};                 ///< of a lambda: `int64_t`; empty if C++ finds it
  Stmts body{};                         ///< of a lambda or let
  std::string held_as = "const auto";
  bool is_recorded = false;
  Effects own{};                    ///< beside those of the parts
  Effects effects{};                ///< with those of the parts
  std::set<std::string> sources{};  ///< recorded names in it
};

// --- making expressions. The effects of calls and methods are found by their names.

Expr name(std::string_view text);
Expr number(std::string_view text);
template <std::integral Int>
Expr number(Int value) {
  return number(std::to_string(value));
}
Expr boolean(bool value);
Expr string(std::string_view text);
Expr call(std::string_view function, std::vector<Expr> arguments);
Expr invoke(Expr callee, std::vector<Expr> arguments);
Expr method(Expr receiver, std::string_view name, std::vector<Expr> arguments = {});
/// `model->train()`
Expr arrow_method(Expr receiver, std::string_view name, std::vector<Expr> arguments = {});
Expr member(Expr of, std::string_view name);
Expr arrow_member(Expr of, std::string_view name);
Expr subscript(Expr of, Expr at);
Expr unary(std::string sign, Expr of);
Expr binary(Expr left, std::string_view sign, Expr right);
Expr choice(Expr test, Expr yes, Expr no);
Expr braces(std::vector<Expr> parts, std::string type = {});
/// `Record{.rate = 2}`
Expr fields(std::string type, std::vector<std::string> names, std::vector<Expr> parts);
Expr construct(std::string type, std::vector<Expr> parts);
Expr labelled(std::string label, Expr value);
/// `[&](int64_t n) -> double {…}`; `capture` is the text in the brackets.
Expr lambda(std::string capture, std::vector<Parameter> parameters, Stmts body, std::string result = {});
/// Returns a value that needs statements before it. They run where the expression is evaluated.
Expr let(Stmts statements, Expr value);

/// `static_cast<double>(x)`
Expr cast(const std::string& type, Expr value);

/// Whether an expression is this bool, written out.
bool is_written(const Expr& expr, bool value);

/// Whether an expression is an element of a list, a dict or a tensor: `xs[0]`, `xs.at(i)`.
bool is_element(const Expr& expr);

/// Returns an expression without the statements that make its value. It is valid only after they
/// have run.
Expr without_statements(Expr value);

/// Returns a value after the statements that make another one, if there are any.
Expr after_statements_of(const Expr& made, Expr value);

/// Returns the variable that a list, or an element of it, belongs to: `rows` for `rows[0]`, `.rows` for a
/// member; empty if there is none.
std::string root_of(const Expr& container);

/// Whether C++ can evaluate an expression twice: it is a variable, or a part of one.
bool is_stored(const Expr& expr);

// --- properties of statements

Effects effects_of(const Stmts& statements);
/// Returns the names that statements declare, also inside blocks.
std::set<std::string> declared_in(const Stmts& statements);
/// Returns the names that statements and the lambdas in them mention.
std::set<std::string> mentioned_in(const Stmts& statements);
std::set<std::string> mentioned_in(const Expr& value);
/// Returns the variables that statements assign anew.
std::set<std::string> assigned_in(const Stmts& statements);

}  // namespace torchbook::translate::cpp
