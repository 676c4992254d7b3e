// Reads the tree that Python's `ast` made of a cell.
#pragma once

#include <fmt/format.h>
#include <torchbook/golden/json_text.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace torchbook::translate {

/// Thrown for Python that has no certain translation. The text says why, as the end of a sentence.
struct NotPorted : std::runtime_error {
  explicit NotPorted(const std::string& why) : std::runtime_error(why) {}

  std::size_t of_cell = 0;  ///< the position of the cell that it is because of; 0 if it is none
  int line = 0;             ///< in its cell; 0 if it is not known yet
};

/// Refuses Python that has no translation. `why` ends a sentence, and has a `{}` for each value.
[[noreturn]] inline void refuse(const std::string& why) { throw NotPorted(why); }
template <class... Values>
[[noreturn]] void refuse(fmt::format_string<Values...> why, Values&&... values) {
  refuse(fmt::format(why, std::forward<Values>(values)...));
}

/// Returns a reason that another cell causes.
inline NotPorted because_of(std::size_t cell, const std::string& why) {
  NotPorted error(why);
  error.of_cell = cell;
  return error;
}

[[noreturn]] inline void refuse_because_of(std::size_t cell, const std::string& why) {
  throw because_of(cell, why);
}

/// Runs `translated` for a node. A NotPorted that it throws gets the line of the node, unless it
/// has one.
template <class Translate>
auto with_line(int line, const Translate& translated) {
  try {
    return translated();
  } catch (NotPorted& error) {
    if (error.line == 0) error.line = line;
    throw;
  }
}

/// A comment of a cell.
struct Comment {
  int line = 0;
  int column = 0;
  bool alone = false;       ///< nothing else is in its line
  std::string text{};       ///< without `#`
  bool names_axis = false;  ///< it names an axis: `# axis x 0: the, cat`
};

/// The classes of Python's nodes that the translator asks for.
enum class Ast {
  other,
  Add,
  alias,
  And,
  AnnAssign,
  arg,
  arguments,
  Assert,
  Assign,
  AsyncFor,
  AsyncFunctionDef,
  AsyncWith,
  Attribute,
  AugAssign,
  Await,
  BinOp,
  BitAnd,
  BitOr,
  BitXor,
  BoolOp,
  Break,
  Call,
  ClassDef,
  Compare,
  comprehension,
  Constant,
  Continue,
  Del,
  Delete,
  Dict,
  DictComp,
  Div,
  Eq,
  ExceptHandler,
  Expr,
  FloorDiv,
  For,
  FormattedValue,
  FunctionDef,
  GeneratorExp,
  Global,
  Gt,
  GtE,
  If,
  IfExp,
  Import,
  ImportFrom,
  In,
  Invert,
  Is,
  IsNot,
  JoinedStr,
  keyword,
  Lambda,
  List,
  ListComp,
  Load,
  LShift,
  Lt,
  LtE,
  Match,
  MatchAs,
  MatchStar,
  MatMult,
  Mod,
  Module,
  Mult,
  Name,
  NamedExpr,
  Nonlocal,
  Not,
  NotEq,
  NotIn,
  Or,
  Pass,
  Pow,
  Raise,
  Return,
  RShift,
  Set,
  SetComp,
  Slice,
  Starred,
  Store,
  Sub,
  Subscript,
  Try,
  TryStar,
  Tuple,
  UAdd,
  UnaryOp,
  USub,
  While,
  With,
  withitem,
  Yield,
  YieldFrom
};

/// Returns the name of a class: `BinOp`.
std::string_view name_of(Ast kind);

/// A node of the tree. The fields have the names of Python's `ast`. Every getter throws NotPorted if the tree
/// lacks its field. The tree must outlive its nodes.
class Node {
 public:
  explicit Node(const nlohmann::json& json);

  Ast kind() const { return kind_; }
  bool is(Ast kind) const { return kind_ == kind; }
  /// Whether it is this name.
  bool is_name(std::string_view id) const { return is(Ast::Name) && this->id() == id; }
  /// The line in its cell, from 1 on; 0 if the node has none.
  int line() const;
  int last_line() const;
  /// The column of its first character, in bytes.
  int column() const;
  /// Where an attribute ends.
  int end_column() const;

  Node annotation() const { return child("annotation"); }
  Node caught() const { return child("type"); }  ///< the class that an `except` names
  Node context_expr() const { return child("context_expr"); }
  Node ctx() const { return child("ctx"); }
  Node elt() const { return child("elt"); }
  Node exc() const { return child("exc"); }
  Node format_spec() const { return child("format_spec"); }
  Node func() const { return child("func"); }
  Node iter() const { return child("iter"); }
  Node key() const { return child("key"); }
  Node left() const { return child("left"); }
  Node msg() const { return child("msg"); }
  Node op() const { return child("op"); }
  Node operand() const { return child("operand"); }
  Node optional_vars() const { return child("optional_vars"); }
  Node else_value() const { return child("orelse"); }
  Node parameters() const { return child("args"); }
  Node right() const { return child("right"); }
  Node single_body() const { return child("body"); }
  Node slice() const { return child("slice"); }
  Node target() const { return child("target"); }
  Node test() const { return child("test"); }
  Node value() const { return child("value"); }
  Node vararg() const { return child("vararg"); }
  std::vector<Node> args() const { return list("args"); }
  std::vector<Node> bases() const { return list("bases"); }
  std::vector<Node> body() const { return list("body"); }
  std::vector<Node> comments() const { return list("comments"); }
  std::vector<Node> comparators() const { return list("comparators"); }
  std::vector<Node> decorator_list() const { return list("decorator_list"); }
  std::vector<Node> defaults() const { return list("defaults"); }
  std::vector<Node> elts() const { return list("elts"); }
  std::vector<Node> finalbody() const { return list("finalbody"); }
  std::vector<Node> generators() const { return list("generators"); }
  std::vector<Node> handlers() const { return list("handlers"); }
  std::vector<Node> ifs() const { return list("ifs"); }
  std::vector<Node> items() const { return list("items"); }
  std::vector<Node> keys() const { return list("keys"); }
  std::vector<Node> keywords() const { return list("keywords"); }
  std::vector<Node> kw_defaults() const { return list("kw_defaults"); }
  std::vector<Node> kwonlyargs() const { return list("kwonlyargs"); }
  std::vector<Node> names() const { return list("names"); }
  std::vector<Node> ops() const { return list("ops"); }
  std::vector<Node> orelse() const { return list("orelse"); }
  std::vector<Node> targets() const { return list("targets"); }
  std::vector<Node> values() const { return list("values"); }
  std::string_view arg() const { return text("arg"); }
  std::string_view asname() const { return text("asname"); }
  std::string_view attr() const { return text("attr"); }
  std::string_view constant() const { return text("value"); }
  std::string_view id() const { return text("id"); }
  std::string_view module() const { return text("module"); }
  std::string_view name() const { return text("name"); }
  std::string_view spelled() const { return text("spelled"); }
  std::string_view type() const { return text("type"); }
  std::int64_t alone() const { return number("alone"); }
  std::int64_t conversion() const { return number("conversion"); }
  std::int64_t level() const { return number("level"); }
  std::int64_t lines() const { return number("lines"); }
  bool has_annotation() const { return has("annotation"); }
  bool has_arg() const { return has("arg"); }
  bool has_asname() const { return has("asname"); }
  bool has_body() const { return has("body"); }
  bool has_cause() const { return has("cause"); }
  bool has_comments() const { return has("comments"); }
  bool has_decorator_list() const { return has("decorator_list"); }
  bool has_caught() const { return has("type"); }
  bool has_exc() const { return has("exc"); }
  bool has_format_spec() const { return has("format_spec"); }
  bool has_kwarg() const { return has("kwarg"); }
  bool has_msg() const { return has("msg"); }
  bool has_name() const { return has("name"); }
  bool has_optional_vars() const { return has("optional_vars"); }
  bool has_quiet() const { return has("quiet"); }
  bool has_axis() const { return has("axis"); }
  bool has_spelled() const { return has("spelled"); }
  bool has_value() const { return has("value"); }
  bool has_vararg() const { return has("vararg"); }
  std::optional<Node> lower() const { return has("lower") ? std::optional(child("lower")) : std::nullopt; }
  std::optional<Node> upper() const { return has("upper") ? std::optional(child("upper")) : std::nullopt; }
  std::optional<Node> step() const { return has("step") ? std::optional(child("step")) : std::nullopt; }
  std::vector<Node> posonlyargs() const { return list("posonlyargs"); }
  Node kwarg() const { return child("kwarg"); }
  /// The names of a statement `global`.
  std::vector<std::string> texts(const char* name) const;

  /// The nodes right below this one, in the order of their fields' names.
  std::vector<Node> children() const;
  /// Calls `visit` for this node and all nodes below it. Skips the nodes below one for which `visit` returns
  /// false.
  template <class Visit>
  void walk(const Visit& visit) const {
    if constexpr (std::is_void_v<std::invoke_result_t<Visit, const Node&>>) {
      visit(*this);
    } else if (!visit(*this)) {
      return;
    }
    for (const auto& child : children()) child.walk(visit);
  }
  /// Whether `test` holds for this node or one below it.
  template <class Test>
  bool any(const Test& test) const {
    if (test(*this)) return true;
    const auto below = children();
    return std::any_of(below.begin(), below.end(), [&](const Node& child) { return child.any(test); });
  }

 private:
  friend std::string in_words(const Node& node);

  Node child(const char* name) const;
  std::vector<Node> list(const char* name) const;
  std::string_view text(const char* name) const;
  std::int64_t number(const char* name) const;
  bool has(const char* name) const;
  const nlohmann::json& field(const char* name) const;

  const nlohmann::json* json_;
  Ast kind_;
};

/// Returns the name of the function that a node calls, as `print`; empty if it is no call of a name.
std::string_view called_name(const Node& node);

/// Returns the name of the method that a node calls, as `append`; empty if it calls none.
std::string_view called_method(const Node& node);

/// Whether an index is written as an int: `2`, `-1`.
bool is_written_number(const Node& node);

/// Describes a node that is not translated: `a set comprehension`.
std::string in_words(const Node& node);

}  // namespace torchbook::translate
