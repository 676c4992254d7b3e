// Translates cell by cell, and the whole notebook until nothing new is learned.
#include <fmt/format.h>
#include <torchbook/translate/cells.h>
#include <torchbook/translate/wrap.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <tuple>

namespace torchbook::translate {
namespace {

constexpr int most_runs = 16;  // a function that calls a function … is learned of one level a run

}  // namespace

Cells::Cells(const std::vector<PythonCell>& cells)
    : Translator(cells),
      aliases_([this](const Node& node) { return path_of(node); },
               [this](const Node& call) { return callee_of(call); },
               [this](const std::string& name) { return holds_plain_items(name); }) {
  notebook_.is_notebook = true;
  int line = 0;
  for (const auto& each : cells) {
    if (each.tree == nullptr) continue;
    const Node tree(*each.tree);
    add_uses(tree, line, notebook_.uses);
    aliases_.add_definitions(tree);
    line += static_cast<int>(tree.number("lines"));
  }
  sort_lines(notebook_.uses);
  for (const auto& name : notebook_.uses.read_by_classes) {
    if (notebook_.uses.members.contains(name)) notebook_.scope.reserve(name);  // a member would hide it
  }
}

Port Cells::run(Facts& facts) {
  facts_ = &facts;
  for (const auto& each : cells_) {
    ++cell_;
    port_.cells.push_back(cell(each));
    auto& lines = port_.cells.back().lines;
    lines = wrapped(lines, shapes_);
    if (each.tree != nullptr) first_line_ += static_cast<int>(Node(*each.tree).number("lines"));
  }
  facts.keep(classes_);
  need("using torch::Tensor;");
  return std::move(port_);
}

CellPort Cells::cell(const PythonCell& cell) {
  if (cell.tree == nullptr) return {.lines = {}, .why = cell.why};
  const auto statements = Node(*cell.tree).list("body");
  notebook_.scope.begin();
  const auto before = std::tuple(port_.needs, records_, held_, scheduled_, has_unsaved_);
  std::size_t done = 0;
  auto port = attempted(cell, done);
  for (const auto& statement : statements) aliases_.add(statement);
  if (cell.why.empty() && port.why.empty()) return port;
  std::tie(port_.needs, records_, held_, scheduled_, has_unsaved_) = before;
  for (const auto& statement : statements) {
    if (statement.is("Import") || statement.is("ImportFrom")) import_what_is_known(statement);
  }
  port.lines = kept_statements(cell, cell.why.empty() ? needed(statements, done) : statements_above(cell));
  return port;
}

/// Translates a cell that has no reason not to be. `done` becomes the number of statements that are
/// translated. If not all are, the names are those of before.
CellPort Cells::attempted(const PythonCell& cell, std::size_t& done) {
  CellPort port{.lines = {}, .why = cell.why};
  begin_lines(port.lines);
  tries_ = false;
  open_.clear();
  try {
    if (port.why.empty() && !lost_defaults_.empty()) throw NotPorted(lost_defaults_);
    if (port.why.empty()) cell_statements(cell, done);
    if (port.why.empty() && !open_.empty()) {
      done = 0;
      throw NotPorted(open_);
    }
  } catch (const NotPorted& error) {
    port.why = error.what();
    const auto statements = Node(*cell.tree).list("body");
    if (!facts_->rest() && done < statements.size()) learn_of_calls(statements[done]);
    take_back();
  }
  return port;
}

/// Learns what the other calls of a statement give, of which one could not be translated.
void Cells::learn_of_calls(const Node& statement) {
  if (!statement.is("Expr") && !statement.is("Assign")) return;
  statement.walk([&](const Node& node) {
    if (node.is("Lambda") || node.is("ListComp") || node.is("GeneratorExp") || node.is("DictComp"))
      return false;
    if (!node.is("Call")) return true;
    frame_ = &notebook_;
    try {
      call(node);
    } catch (const NotPorted&) {  // it told what it could
    }
    return true;
  });
}

/// What is translated next goes to these lines.
void Cells::begin_lines(std::vector<std::string>& lines) {
  lines.clear();
  lines_ = &lines;
  shapes_.clear();
  frame_ = &notebook_;
  indent_ = 1;
  may_emit_ = true;
}

void Cells::cell_statements(const PythonCell& cell, std::size_t& done) {
  const Node tree(*cell.tree);
  const auto statements = tree.list("body");
  for (; done < statements.size(); ++done) {
    const auto& statement = statements[done];
    const bool last = done + 1 == statements.size();
    if (last && statement.is("Expr") && !tree.has("quiet")) {
      expression_statement(statement, true);
    } else {
      statement_of_notebook(statement, cell.shapes);
    }
  }
}

/// Translates a statement that stands in no block, and notes the shapes of the tensors that it assigned.
void Cells::statement_of_notebook(const Node& node, const Shapes& shapes) {
  const auto first = lines_->size();
  statement(node);
  const auto found = shapes.find({node.line(), node.column()});
  if (found == shapes.end()) return;
  for (const auto& [name, shape] : found->second) {
    const auto* variable = scope().own(name);
    if (variable == nullptr) continue;
    const auto assigned = fmt::format(" {} = ", variable->code);
    for (auto line = lines_->size(); line-- > first;) {
      if ((*lines_)[line].find(assigned) == std::string::npos) continue;
      shapes_[line] = shape;
      break;
    }
  }
}

/// An import holds even if the rest of its cell is not ported.
void Cells::import_what_is_known(const Node& node) {
  try {
    import(node);
  } catch (const NotPorted&) {  // it says so where the cell is translated
  }
}

Port translate(const std::vector<PythonCell>& cells) {
  Facts facts;
  for (int runs = 0;; ++runs) {
    Port port = Cells(cells).run(facts);
    if (runs == most_runs || (!facts.take_changed() && !facts.take_rest())) return port;
  }
}

}  // namespace torchbook::translate
