// Gives access to the tree that Python's `ast` made of a cell.
#pragma once

#include <fmt/format.h>
#include <torchbook/golden/json_text.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
  /// `why` has a `{}` for each value.
  template <class... Values>
  explicit NotPorted(fmt::format_string<Values...> why, Values&&... values)
      : NotPorted(fmt::format(why, std::forward<Values>(values)...)) {}

  std::size_t of_cell = 0;  ///< the position of the cell that it is because of; 0 if it is none
  int line = 0;             ///< in its cell; 0 if it is not known yet
};

/// Returns a reason that another cell gives.
inline NotPorted because_of(std::size_t cell, const std::string& why) {
  NotPorted error(why);
  error.of_cell = cell;
  return error;
}

/// Returns a reason with `more` appended, unless it ends with that already.
inline NotPorted with_more(const NotPorted& error, std::string_view more) {
  if (std::string_view(error.what()).ends_with(more)) return error;
  auto longer = because_of(error.of_cell, fmt::format("{}; {}", error.what(), more));
  longer.line = error.line;
  return longer;
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
  bool alone = false;  ///< nothing else is in its line
  std::string text{};  ///< without `#`
};

/// A node of the tree. The fields have the names that Python's `ast` gives them. Every function
/// throws NotPorted if the tree lacks what it should return. The tree must outlive its nodes.
class Node {
 public:
  explicit Node(const nlohmann::json& json) : json_(&json), kind_(text("_")) {}

  /// The name of its class: `BinOp`.
  std::string_view kind() const { return kind_; }
  bool is(std::string_view kind) const { return kind_ == kind; }
  /// Whether it is this name.
  bool is_name(std::string_view id) const { return is("Name") && text("id") == id; }
  /// The line in its cell, from 1 on; 0 if the node has none.
  int line() const;
  int last_line() const;
  /// The column of its first character, in bytes.
  int column() const;

  Node child(const char* name) const;
  std::vector<Node> list(const char* name) const;
  std::vector<std::string> texts(const char* name) const;
  std::string_view text(const char* name) const;
  std::int64_t number(const char* name) const;
  bool has(const char* name) const;

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
  const nlohmann::json& field(const char* name) const;

  const nlohmann::json* json_;
  std::string_view kind_;  // asked for far more often than all else
};

/// Returns the name of the function that a node calls, as `print`; empty if it is no call of a name.
std::string_view called_name(const Node& node);

/// Returns the name of the method that a node calls, as `append`; empty if it calls none.
std::string_view called_method(const Node& node);

/// Whether an index is written as an int: `2`, `-1`.
bool is_written_number(const Node& node);

/// Returns what a node is that is not translated: `a set comprehension`.
std::string in_words(const Node& node);

}  // namespace torchbook::translate
