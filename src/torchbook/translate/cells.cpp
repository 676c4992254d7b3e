// Translates cell by cell, and the whole notebook until nothing new is learned.
#include <fmt/format.h>
#include <torchbook/translate/translator.h>
#include <torchbook/translate/wrap.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

constexpr int most_runs = 12;  // a function that calls a function … is learned of one level a run

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

}  // namespace

Translator::Translator(const std::vector<PythonCell>& cells) : Writer(cells) {
  notebook_.is_notebook = true;
  int line = 0;
  for (const auto& each : cells) {
    if (each.tree == nullptr) continue;
    const Node tree(*each.tree);
    add_uses(tree, line, notebook_.uses);
    line += static_cast<int>(tree.number("lines"));
  }
  sort_lines(notebook_.uses);
  for (const auto& name : notebook_.uses.read_by_classes) {
    if (notebook_.uses.members.contains(name)) notebook_.scope.reserve(name);  // a member would hide it
  }
}

Port Translator::run(Facts& facts) {
  facts_ = &facts;
  for (const auto& each : cells_) {
    ++cell_;
    port_.cells.push_back(cell(each));
    auto& lines = port_.cells.back().lines;
    lines = wrapped(lines, shapes_);
    if (each.tree != nullptr) first_line_ += static_cast<int>(Node(*each.tree).number("lines"));
  }
  need("using torch::Tensor;");
  return std::move(port_);
}

CellPort Translator::cell(const PythonCell& cell) {
  if (cell.tree == nullptr) return {.lines = {}, .why = cell.why};
  const Node tree(*cell.tree);
  notebook_.scope.begin();
  const auto needs_before = port_.needs;
  const auto records_before = records_;
  CellPort port{};
  std::string why = cell.why;
  shapes_.clear();
  try {
    lines_ = &port.lines;
    frame_ = &notebook_;
    indent_ = 1;
    may_emit_ = true;
    tries_ = false;
    open_.clear();
    if (why.empty()) cell_statements(cell);
    if (why.empty() && !open_.empty()) throw NotPorted(open_);
    if (cell.raised_line > 0) {
      statements_above(cell);
      return {.lines = std::move(port.lines), .why = why};
    }
  } catch (const NotPorted& error) {
    if (why.empty()) why = error.what();
  }
  if (why.empty()) return port;
  frame_ = &notebook_;
  notebook_.scope.undo();
  port_.needs = needs_before;
  records_ = records_before;
  notebook_.hoisted.clear();
  notebook_.loops = 0;
  notebook_.broken.clear();
  notebook_.branches = 0;
  for (const auto& statement : tree.list("body")) {
    if (statement.is("Import") || statement.is("ImportFrom")) import_what_is_known(statement);
  }
  lose_names(tree.list("body"));
  return {.lines = {}, .why = why};
}

/// Loses what statements may train. Without an optimizer, any tensor that they name may be trained.
void Translator::lose_trained(const std::vector<Node>& statements) {
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
void Translator::lose_names(const std::vector<Node>& statements) {
  lose_trained(statements);
  for (const auto& name : changed_names(statements)) {
    const bool module = notebook_.scope.imported(name) && notebook_.scope.own(name) == nullptr;
    if (module) continue;  // a function of a module was called
    notebook_.scope.lose(name, fmt::format("{} comes from cell @{}, which is not ported", name, cell_));
  }
}

void Translator::cell_statements(const PythonCell& cell) {
  const Node tree(*cell.tree);
  const auto statements = tree.list("body");
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const bool last = i + 1 == statements.size();
    if (last && statements[i].is("Expr") && !tree.has("quiet")) {
      expression_statement(statements[i], true);
    } else {
      statement_of_notebook(statements[i], cell.shapes);
    }
  }
}

/// Translates a statement that stands in no block, and notes the shapes of the tensors that it assigned.
void Translator::statement_of_notebook(const Node& node, const Shapes& shapes) {
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
void Translator::import_what_is_known(const Node& node) {
  try {
    import(node);
  } catch (const NotPorted&) {  // it says so where the cell is translated
  }
}

/// Translates what ran before a statement of the cell raised. That it is done again in C++ gives later cells
/// their names.
void Translator::statements_above(const PythonCell& cell) {
  std::vector<Node> rest;
  for (const auto& each : Node(*cell.tree).list("body")) {
    if (each.last_line() >= cell.raised_line) {
      rest.push_back(each);
    } else {
      statement_of_notebook(each, cell.shapes);
    }
  }
  lose_names(rest);
}

std::string Writer::key(const Node& node, std::string_view name) const {
  return fmt::format("{}:{}:{}:{}", cell_, node.line(), node.column(), name);
}

void Writer::line(std::string text) {
  if (!may_emit_) throw NotPorted("it would need a statement inside an expression");
  if (text.find("torchbook::Dict<") != text.npos) need("#include <torchbook/notebook/dict.h>");
  lines_->push_back(std::string(static_cast<std::size_t>(2 * indent_), ' ') + std::move(text));
}

Value Writer::hold(Value value, std::string_view wish) {
  const auto name = scope().fresh(wish);
  line(fmt::format("{}auto {} = {};", value.is(Kind::module) ? "" : "const ", name, value.code));
  value.code = name;
  if (value.is(Kind::size)) value.sizes = name + ".sizes";
  value.binding = Binding::postfix;
  value.acts = value.literal = false;
  value.temporary = value.is(Kind::list) || value.is(Kind::dict);  // the expression alone knows the variable
  return value;
}

Port translate(const std::vector<PythonCell>& cells) {
  Facts facts;
  for (int runs = 0;; ++runs) {
    Port port = Translator(cells).run(facts);
    if (runs == most_runs || (!facts.take_changed() && !facts.take_rest())) return port;
  }
}

}  // namespace torchbook::translate
