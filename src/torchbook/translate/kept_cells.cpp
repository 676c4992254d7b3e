// Says what is kept of cells that are not ported, and what later cells can no longer know.
#include <fmt/format.h>
#include <torchbook/translate/cells.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>

namespace torchbook::translate {
namespace {

/// Tells how a statement trains. A function that does is in `trainers`.
Training training_of(const Node& statement, const std::map<std::string, Training, std::less<>>& trainers) {
  auto training = Training::none;
  statement.walk([&](const Node& node) {
    if (!node.is("Call")) return true;
    const auto called = node.child("func");
    if (called.is("Attribute") && called.text("attr") == "step") training = Training::by_optimizer;
    if (called.is("Attribute") && called.text("attr") == "backward")
      training = std::max(training, Training::by_hand);
    const auto found = called.is("Name") ? trainers.find(called.text("id")) : trainers.end();
    if (found != trainers.end()) training = std::max(training, found->second);
    return true;
  });
  return training;
}

/// Whether statements may update weights, whose gradients were computed above them.
bool may_update(const std::vector<Node>& statements) {
  static const std::set<std::string_view> harmless = {"print", "len", "round", "float", "int", "str"};
  bool updates = false;
  for (const auto& statement : statements) {
    statement.walk([&](const Node& node) {
      const bool calls = node.is("Call");
      const auto called = calls ? node.child("func") : node;
      if (calls && called.is("Name")) updates = updates || !harmless.contains(called.text("id"));
      if (calls && called.is("Attribute"))
        updates = updates || called.text("attr").ends_with('_') || called.text("attr") == "step";
      if (node.is("AugAssign")) updates = true;
      const auto targets = node.is("Assign") ? node.list("targets") : std::vector<Node>{};
      updates = updates || std::any_of(targets.begin(), targets.end(),
                                       [](const Node& target) { return !target.is("Name"); });
      return true;
    });
  }
  return updates;
}

}  // namespace

/// Makes the names those of before the cell.
void Cells::take_back() {
  frame_ = &notebook_;
  notebook_.scope.undo();
  notebook_.hoisted.clear();
  notebook_.loops = 0;
  notebook_.broken.clear();
  notebook_.branches = 0;
}

/// Returns how many statements of a cell that is not ported are kept: the first ones, which can be
/// translated, if they set a seed or the like, or if a cell below reads what they assign.
std::size_t Cells::needed(const std::vector<Node>& statements, std::size_t translated) const {
  if (translated == 0) return 0;
  const int last_line = first_line_ + statements.back().last_line();
  const auto names =
      changed_names({statements.begin(), statements.begin() + static_cast<std::ptrdiff_t>(translated)});
  const bool acts =
      std::any_of(statements.begin(), statements.begin() + static_cast<std::ptrdiff_t>(translated),
                  [](const Node& each) { return each.is("Expr"); });
  const bool any = acts || std::any_of(names.begin(), names.end(), [&](const auto& name) {
                     return is_read_behind(notebook_.uses, name, last_line) ||
                            notebook_.uses.read_by_functions.contains(name);
                   });
  return any ? translated : 0;
}

/// Returns how many statements of a cell ran before it raised. That they run again in C++ gives later cells
/// their names.
std::size_t Cells::statements_above(const PythonCell& cell) {
  std::size_t count = 0;
  for (const auto& each : Node(*cell.tree).list("body")) {
    if (each.last_line() >= cell.raised_line) break;
    ++count;
  }
  return count;
}

/// Loses what the first statements of a cell make and the others, which are not ported, may change under
/// another name.
void Cells::lose_shared(const std::vector<Node>& first, const std::vector<Node>& others) {
  Names read;
  for (const auto& statement : others) {
    statement.walk([&](const Node& node) {
      if (node.is("Name")) read.emplace(node.text("id"));
      return true;
    });
  }
  for (const auto& name : changed_names(first)) {
    const auto* variable = notebook_.scope.own(name);
    if (!read.contains(name) || variable == nullptr || !variable->missing.empty()) continue;
    const auto& type = variable->type;
    const bool stays = type.is_number() || type.is(Kind::string) || type.is(Kind::dtype) ||
                       type.is(Kind::device) || type.is(Kind::function) || type.is(Kind::new_class) ||
                       type.is(Kind::size);
    if (!stays)
      notebook_.scope.lose(name, fmt::format("cell @{}, which is not ported, may change {}", cell_, name));
  }
}

/// Translates the first statements of a cell that is not ported, as many as given. The others take away the
/// names that they would change.
std::vector<std::string> Cells::kept_statements(const PythonCell& cell, std::size_t count) {
  const auto statements = Node(*cell.tree).list("body");
  const auto rest = statements.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<std::string> lines;
  begin_lines(lines);
  try {
    for (auto each = statements.begin(); each != rest; ++each) statement_of_notebook(*each, cell.shapes);
    lose_names({rest, statements.end()});
    if (may_update({rest, statements.end()})) {
      lose_trained(statements);
      lose_shared({statements.begin(), rest}, {rest, statements.end()});
    }
    return lines;
  } catch (const NotPorted&) {
    take_back();
    shapes_.clear();
    lose_names(statements);
    return {};
  }
}

/// Loses what statements may train. Without an optimizer, any tensor that they name may be trained.
void Cells::lose_trained(const std::vector<Node>& statements) {
  Training all = Training::none;
  Names read;
  for (const auto& statement : statements) {
    const auto training = training_of(statement, trainers_);
    if (statement.is("FunctionDef")) {
      trainers_[std::string(statement.text("name"))] = training;
      continue;
    }
    all = std::max(all, training);
    statement.walk([&](const Node& node) {
      if (node.is("Name")) read.emplace(node.text("id"));
      return true;
    });
  }
  if (all == Training::none) return;
  for (const auto& name : read) {
    const auto* variable = notebook_.scope.find(name);
    if (variable == nullptr || !variable->missing.empty()) continue;
    const auto& type = variable->type;
    const bool tensors = type.is(Kind::tensor) ||
                         (type.is(Kind::list) && !type.items.empty() && type.items[0].is(Kind::tensor));
    const bool trained = type.is(Kind::module) || type.is(Kind::optimizer);
    if (trained || (tensors && all == Training::by_hand))
      notebook_.scope.lose(name, fmt::format("cell @{}, which is not ported, may train {}", cell_, name));
  }
}

/// Names that statements would assign or change hold nothing that is known.
void Cells::lose_names(const std::vector<Node>& statements) {
  lose_trained(statements);
  for (const auto& name : changed_names(statements)) {
    const bool module = notebook_.scope.imported(name) && notebook_.scope.own(name) == nullptr;
    if (module) continue;  // a function of a module was called
    notebook_.scope.lose(name, fmt::format("{} comes from cell @{}, which is not ported", name, cell_));
  }
}

}  // namespace torchbook::translate
