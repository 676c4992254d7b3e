#include <fmt/format.h>
#include <tools/import/translate/cells/cells.h>
#include <tools/import/translate/classes/common_bases.h>
#include <tools/import/translate/cpp/print.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/picture.h>
#include <tools/import/translate/statements/comments.h>
#include <tools/import/translate/statements/statements.h>
#include <tools/import/visible.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace torchbook::translate {

Cells::Cells(const std::vector<PythonCell>& cells) : b(cells) {
  b.notebook.is_notebook = true;
  int line = 0;
  std::size_t cell = 0;
  for (const auto& each : cells) {
    ++cell;
    if (each.tree == nullptr) continue;
    const Node tree(*each.tree);
    add_uses(tree, line, b.notebook.uses, cell);
    add_definitions(tree);
    line += static_cast<int>(tree.lines());
  }
  sort_lines(b.notebook.uses);
  add_readings_by_functions();
  for (const auto& name : b.notebook.uses.read_by_classes) {
    if (b.notebook.uses.members.contains(name)) b.notebook.scope.reserve(name);  // a member would hide it
  }
}

/// Notes the names that the functions, lambdas and classes of a cell mention.
void Cells::add_definitions(const Node& tree) {
  tree.walk([&](const Node& node) {
    if (node.is(Ast::FunctionDef) || node.is(Ast::ClassDef))
      definitions_[std::string(node.name())].merge(free_names(node));
    if (!node.is(Ast::Assign) || !node.value().is(Ast::Lambda)) return;
    for (const auto& name : assigned_names({node})) definitions_[name].merge(free_names(node.value()));
  });
}

/// Adds the names that classes read through the functions that they call.
void Cells::add_readings_by_functions() {
  auto& read = b.notebook.uses.read_by_classes;
  for (std::size_t before = 0; before != read.size();) {
    before = read.size();
    for (const auto& each : b.cells) {
      if (each.tree == nullptr) continue;
      for (const auto& statement : statements_of(each)) {
        if (!statement.is(Ast::FunctionDef) || !read.contains(statement.name())) continue;
        read.merge(free_names(statement));
      }
    }
  }
}

/// Returns the definitions of classes by their keys.
std::map<std::string, Node> Cells::classes_defined() const {
  std::map<std::string, Node> classes;
  for (std::size_t i = 0; i < b.cells.size(); ++i) {
    if (b.cells[i].tree == nullptr) continue;
    for (const auto& each : Node(*b.cells[i].tree).body()) {
      if (each.is(Ast::ClassDef))
        classes.emplace(key_of_definition(i + 1, each.line(), each.column(), each.name()), each);
    }
  }
  return classes;
}

Port Cells::lowered(const std::function<void(std::size_t)>& begins) {
  note_meetings(b, classes_defined());
  for (const auto& each : b.cells) {
    begins(++b.here.cell);
    port_.cells.push_back(translated_cell(each));
    if (each.tree != nullptr) b.here.first_line += static_cast<int>(Node(*each.tree).lines());
  }
  b.need("using torch::Tensor;");
  port_.needs = std::move(b.state.needs);
  return std::move(port_);
}

CellPort Cells::translated_cell(const PythonCell& cell) {
  if (cell.tree == nullptr) return {.lines = {}, .why = cell.why, .refusals = {{.line = 0, .why = cell.why}}};
  const auto statements = statements_of(cell);
  const Snapshot snapshot(b);
  std::size_t done = 0;
  for (const auto& [name, value] : cell.carried)
    held_in_python_.insert_or_assign(name, std::pair(b.here.cell, value));
  if (cell.draws) generator_of_ = b.here.cell;
  auto port = try_cell(cell, done);
  if (port.why.empty()) {
    default_dtype_ = cell.default_dtype;
    return port;
  }
  snapshot.restore();
  const bool of_statement = cell.why.empty() && done < statements.size() && port.refusals[0].line > 0;
  if (of_statement) add_refusals(statements, port);
  import_what_is_known(statements);
  const auto count = cell.keeps_nothing ? 0
                     : cell.why.empty() ? needed(statements, done)
                                        : statements_above(cell);
  carrying_ = &port;
  print_cell(kept_statements(cell, count), port);
  return port;
}

/// Translates a cell, unless `cell.why` says why not. If the cell raised an error that LibTorch throws, too,
/// translates the statements that ran. `done` becomes the number of translated statements.
CellPort Cells::try_cell(const PythonCell& cell, std::size_t& done) {
  CellPort port{.lines = {}, .why = cell.raises ? "" : cell.why};
  if (!port.why.empty()) port.refusals = {{.line = 0, .why = cell.why}};
  cpp::Stmts written;
  begin_statements(written);
  b.here.in_try = false;
  b.here.open.clear();
  b.found.pictures = 0;
  b.found.shown.clear();
  b.found.shows_release = false;
  b.found.limits.clear();
  try {
    if (port.why.empty()) b.lost.defaults.refuse();
    if (port.why.empty()) cell_statements(cell, done);
    if (port.why.empty()) {
      done = 0;
      if (!b.here.open.empty()) refuse(b.here.open);
      refuse_changes_of_two(cell);
      refuse_large_ints(cell);
    }
    print_cell(written, port);
    port.pictures = b.found.pictures;
    port.shows_release = b.found.shows_release;
    port.limits = b.found.limits;
  } catch (const NotPorted& error) {
    port.why = error.what();
    port.refusals = {{.line = error.line, .why = port.why, .of_cell = error.of_cell}};
    if (cell.raises) port = {.why = cell.why, .refusals = {{.line = 0, .why = cell.why}}};
  }
  return port;
}

/// Adds all reasons why statements of a refused cell have no C++, also those in blocks and functions, without
/// those that follow from another one. The first one stays first.
void Cells::add_refusals(const std::vector<Node>& statements, CellPort& port) {
  const Snapshot all(b);
  cpp::Stmts dropped;
  begin_statements(dropped);
  std::vector<Refusal> reasons;
  b.here.reasons = &reasons;
  for (const auto& each : statements) tell_refusals(b, each);
  all.restore();
  const auto& first = port.refusals[0];
  for (auto& each : reasons) {
    const bool again = each.line == first.line && each.why == first.why;
    if (!again) port.refusals.push_back(std::move(each));
  }
}

/// Writes the lines of a cell. Notes the includes and using-declarations that they need.
void Cells::print_cell(const cpp::Stmts& statements, CellPort& port) {
  b.state.needs.merge(cpp::headers_of(statements));
  constexpr int indent = 2;
  port.lines = cpp::printed(statements, indent);
  port.proved = cpp::printed(statements, indent, /*proves=*/true);
  add_probes(port.proved);
}

/// Adds the calls by which the proving program reports the values of names at the end of the cell.
void Cells::add_probes(std::vector<std::string>& lines) {
  std::map<std::string, std::string> now;
  for (const auto& name : b.notebook.scope.names()) {
    const auto& variable = *b.notebook.scope.find(name);
    const auto& type = variable.type;
    const bool has_text = !variable.code.empty() && !type.is(Kind::function) && !type.is(Kind::new_class) &&
                          !type.is(Kind::picture) && !type.is(Kind::file) && !type.is(Kind::error);
    if (!has_text || is_open(type) || variable.still_int) continue;  // C++ needs no list that stays empty
    const auto& code = variable.code;
    const auto* const empty = type.is(Kind::module) ? "is_empty" : "empty";
    now.emplace(name, type.is(Kind::none)  // which has no variable
                          ? "nullptr"
                          : variable.none_first
                                ? fmt::format("{0}.{1}() ? std::nullopt : std::optional({0})", code, empty)
                                : code);
  }
  for (const auto& [name, code] : reported_) {
    if (!now.contains(name))
      lines.push_back(fmt::format("  torchbook::proof::drop({});", notebook::string_literal(name)));
  }
  for (const auto& [name, code] : now) {
    if (const auto before = reported_.find(name); before != reported_.end() && before->second == code)
      continue;
    lines.push_back(fmt::format("  torchbook::proof::hold({}, [&] {{ return torchbook::proof::text({}); }});",
                                notebook::string_literal(name), code));
  }
  reported_ = std::move(now);
  lines.push_back(fmt::format("  torchbook::proof::tell({});", b.here.cell));
}

/// Empties a list of statements, and makes emit() append to it.
void Cells::begin_statements(cpp::Stmts& statements) {
  statements.clear();
  b.statements = &statements;
  b.frame = &b.notebook;
}

void Cells::cell_statements(const PythonCell& cell, std::size_t& done) {
  const Node tree(*cell.tree);
  const auto written = tree.body();
  const auto statements = statements_of(cell);
  read_comments(tree);
  std::map<std::pair<int, int>, int> ends_above;  // of a statement, by its line and column
  int last = 0;
  for (const auto& each : written)
    ends_above[{each.line(), each.column()}] = std::exchange(last, end_of(b, each));
  const int end = std::exchange(last, 0);
  for (; done < statements.size(); ++done) {
    const auto& statement = statements[done];
    const auto above = ends_above.at({statement.line(), statement.column()});
    const bool moved = above != last && !b.statements->empty();
    if (moved) b.emit(cpp::Plain{});
    comments_between(b, above, statement.line(), moved || b.statements->empty());
    last = end_of(b, statement);
    const auto first = b.statements->size();
    const bool at_end = done + 1 == statements.size();
    const bool raised = cell.raises && statement.last_line() >= cell.raised_line;
    if (raised) {
      raising_statement({statements.begin() + static_cast<std::ptrdiff_t>(done), statements.end()}, cell);
    } else if (at_end && statement.is(Ast::Expr) && !tree.has_quiet() && !only_draws_pictures(b, statement)) {
      expression_statement(b, statement, true);
    } else {
      statement_of_notebook(statement, cell.shapes);
    }
    refuse_lost_draws(first);
    comments_after(b, statement, first);
    if (raised) return;
  }
  if (cell.raises) refuse("the statement that raised is not known");
  comments_between(b, end, after_all, b.statements->empty());
}

/// `nb.throws([&] { return torch::matmul(a, b); });`: the first of these statements raised, and the others
/// did not run. The names that these assign have no value, or keep their earlier one.
void Cells::raising_statement(const std::vector<Node>& rest, const PythonCell& cell) {
  const auto& raising = rest[0];
  const auto is_below = [&](const Node& each) { return each.line() > cell.raised_line; };
  const auto targets = targets_of(raising);
  const bool of_names = std::none_of(targets.begin(), targets.end(), [](const Node& each) {
    return each.is(Ast::Subscript) || each.is(Ast::Attribute);
  });
  const bool plain = (raising.is(Ast::Expr) || raising.is(Ast::Assign) || raising.is(Ast::AugAssign)) &&
                     raising.line() <= cell.raised_line &&
                     std::all_of(rest.begin() + 1, rest.end(), is_below);
  if (!plain) refuse("it raised within a block");
  auto body = b.captured([&] {
    if (raising.is(Ast::AugAssign) || !of_names) return statement(b, raising);
    const auto value = expression(b, raising.value());
    if (value.is(Kind::none)) return b.emit(cpp::Evaluate{value.expr});
    b.emit(cpp::Return{value.expr});
  });
  const auto effects = cpp::effects_of(body);
  std::vector<cpp::Expr> arguments = {cpp::lambda("&", {}, std::move(body))};
  if (!cell.error.empty()) arguments.push_back(string_literal(cell.error));
  auto thrown = cpp::method(cpp::name("nb"), "throws", std::move(arguments));
  b.emit(cpp::Evaluate{thrown.with(effects)});
  for (const auto& name : unassigned(rest))
    b.notebook.scope.lose(name, fmt::format("cell @{} raised before it assigned {}", b.here.cell, name),
                          b.here.cell);
}

/// Returns the statements of a cell. Functions and classes are moved below the functions, classes and
/// variables that they use: C++ needs declarations first, while Python looks names up at the call.
std::vector<Node> Cells::statements_of(const PythonCell& cell) const {
  const auto is_definition = [](const Node& node) {
    return node.is(Ast::FunctionDef) || node.is(Ast::ClassDef);
  };
  const auto written = Node(*cell.tree).body();
  std::vector<Node> statements;
  for (auto each = written.begin(); each != written.end();) {
    const auto end = std::find_if_not(each, written.end(), is_definition);
    const auto sorted = in_order_of_use({each, end}, free_names);
    statements.insert(statements.end(), sorted.begin(), sorted.end());
    each = std::find_if(end, written.end(), is_definition);
    statements.insert(statements.end(), end, each);
  }
  const auto is_new = [this](const std::string& name) {
    const auto found = b.notebook.uses.lines.find(name);
    return found != b.notebook.uses.lines.end() &&
           std::none_of(found->second.begin(), found->second.end(),
                        [this](const auto& use) { return use.line <= b.here.first_line && !use.reads; });
  };
  return after_what_they_read(statements, free_names, is_new);
}

void Cells::read_comments(const Node& tree) {
  b.here.comments.clear();
  b.here.last_axis = 0;
  if (!tree.has_comments()) return;
  for (const auto& each : tree.comments())
    b.here.comments.push_back({.line = each.line(),
                               .column = each.column(),
                               .alone = each.alone() != 0,
                               .text = importing::visible(each.constant()),
                               .names_axis = each.has_axis()});
}

/// Translates a statement that is in no block. The shapes of the tensors that it assigned become
/// comments.
void Cells::statement_of_notebook(const Node& node, const Shapes& shapes) {
  const auto first = b.statements->size();
  translate::statement(b, node);
  const auto found = shapes.find({node.line(), node.column()});
  if (found == shapes.end()) return;
  for (const auto& [name, shape] : found->second) {
    const auto* variable = b.scope().own(name);
    if (variable == nullptr) continue;
    for (auto each = b.statements->size(); each-- > first;) {
      auto& statement = (*b.statements)[each];
      const auto* declare = std::get_if<cpp::Declare>(&statement.kind);
      const auto* assign = std::get_if<cpp::Assign>(&statement.kind);
      const bool assigns =
          (declare != nullptr && declare->name == variable->code && declare->value) ||
          (assign != nullptr && assign->sign == "=" && assign->to.is(cpp::Kind::name, variable->code));
      if (!assigns) continue;
      statement.comment = shape;
      break;
    }
  }
}

/// Later cells may use an import even if the rest of its cell is not translated.
void Cells::import_what_is_known(const std::vector<Node>& statements) {
  for (const auto& statement : statements) {
    if (!statement.is(Ast::Import) && !statement.is(Ast::ImportFrom)) continue;
    try {
      import(b, statement);
    } catch (const NotPorted&) {  // it says so where the cell is translated
    }
  }
}

Port translate(const std::vector<PythonCell>& cells, const std::function<void(std::size_t)>& begins) {
  return Cells(cells).lowered(begins);
}

}  // namespace torchbook::translate
