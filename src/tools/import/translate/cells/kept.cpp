// Translates the parts of a refused cell that later cells need: the statements above the refused one, and
// definitions of functions, classes and objects below it.
#include <tools/import/translate/cells/cells.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/statements/statements.h>

#include <algorithm>
#include <cstddef>

namespace torchbook::translate {
namespace {

/// Counts how often a statement binds or deletes each name, inside of functions, too.
void add_bindings(const Node& statement, std::map<std::string, int, std::less<>>& bindings) {
  statement.walk([&](const Node& node) {
    if (node.is(Ast::Name) && !node.ctx().is(Ast::Load)) ++bindings[std::string(node.id())];
    if (node.is(Ast::alias)) {
      const auto name = node.has_asname() ? node.asname() : node.name();
      ++bindings[std::string(name.substr(0, name.find('.')))];
    }
    for (const auto kind :
         {Ast::FunctionDef, Ast::ClassDef, Ast::ExceptHandler, Ast::MatchAs, Ast::MatchStar}) {
      if (node.is(kind) && node.has_name()) ++bindings[std::string(node.name())];
    }
  });
}

/// Returns the name to which a statement binds a function, a class or a value; empty if it binds none or
/// several.
std::string name_given_by(const Node& statement) {
  if (statement.is(Ast::FunctionDef) || statement.is(Ast::ClassDef)) return std::string(statement.name());
  const auto targets = statement.is(Ast::Assign) ? statement.targets() : std::vector<Node>{};
  return targets.size() == 1 && targets[0].is(Ast::Name) ? std::string(targets[0].id()) : "";
}

}  // namespace

/// Whether a cell below the statements, or a function, reads the value that a name has there.
bool Cells::is_needed(const std::string& name, const std::vector<Node>& statements) const {
  const int last_line = b.here.first_line + statements.back().last_line();
  return is_read_after(b.notebook.uses, name, last_line) || b.notebook.uses.read_by_functions.contains(name);
}

/// Returns how many statements of a cell that is not ported are kept: the first `translated` ones or none.
/// They are kept if one has an effect, such as setting a seed or drawing, or if later cells read the names
/// that they assign.
std::size_t Cells::needed(const std::vector<Node>& statements, std::size_t translated) const {
  const std::vector<Node> kept(statements.begin(),
                               statements.begin() + static_cast<std::ptrdiff_t>(translated));
  const auto names = changed_names(kept);
  const bool any =
      std::any_of(kept.begin(), kept.end(), [](const Node& each) { return each.is(Ast::Expr); }) ||
      std::any_of(names.begin(), names.end(), [&](const auto& name) { return is_needed(name, statements); });
  return any ? translated : 0;
}

/// Returns how many statements of a cell ran before it raised. C++ runs them, too, because later cells read
/// their names.
std::size_t Cells::statements_above(const PythonCell& cell) const {
  std::size_t count = 0;
  for (const auto& each : statements_of(cell)) {
    if (each.last_line() >= cell.raised_line) break;
    ++count;
  }
  return count;
}

/// Translates the first `count` statements of a cell that is not ported, and carries the results of the
/// others.
cpp::Stmts Cells::kept_statements(const PythonCell& cell, std::size_t count) {
  const auto statements = statements_of(cell);
  const auto rest = statements.begin() + static_cast<std::ptrdiff_t>(count);
  // Statements below one that raised did not run.
  const auto end = cell.raised_line > 0 && rest != statements.end() ? rest + 1 : statements.end();
  cpp::Stmts written;
  begin_statements(written);
  b.here.comments.clear();  // the Python above has them
  const Snapshot snapshot(b);
  try {
    for (auto each = statements.begin(); each != rest; ++each) statement_of_notebook(*each, cell.shapes);
    carry_over({rest, end}, cell, count > 0);
    lose_assigned(unassigned({end, statements.end()}));
    if (cell.raised_line == 0 && !cell.keeps_nothing) keep_below({rest, end});
  } catch (const NotPorted&) {
    snapshot.restore();
    written.clear();
    import_what_is_known(statements);
    carry_over(statements, cell, false);
  }
  if (b.lost.draws.cell == b.here.cell && !cell.keeps_nothing) carry_generator();
  carry_default_dtype(cell);
  return written;
}

/// Translates the statements of a refused cell that later cells need and that alone bind a name: functions,
/// classes, and objects that are not carried. A model gets Python's weights.
void Cells::keep_below(const std::vector<Node>& statements) {
  if (statements.empty() || !b.lost.defaults.why.empty()) return;
  std::map<std::string, int, std::less<>> bindings;
  for (const auto& statement : statements) add_bindings(statement, bindings);
  if (bindings.contains("*")) return;  // an import of all names of a module
  const auto wanted = wanted_of(statements);
  for (const auto& statement : statements) {
    const auto name = name_given_by(statement);
    const bool is_lost = wanted.contains(name) && b.notebook.scope.lost().contains(name);
    const bool plain = is_lost && bindings[name] == 1 && !changes_as_another(name);
    if (plain && keep_statement(statement, name)) restore_if_carried(name);
  }
}

/// Whether a name holds a list or dict that is changed and that another name holds, too, or that contains or
/// is part of another name's.
bool Cells::changes_as_another(const std::string& name) const {
  const auto found = held_in_python_.find(name);
  if (found == held_in_python_.end()) return false;
  auto names = found->second.second.same;
  names.insert(names.end(), found->second.second.parts.begin(), found->second.second.parts.end());
  if (!names.empty()) names.push_back(name);
  return std::any_of(names.begin(), names.end(),
                     [&](const auto& each) { return b.notebook.uses.changed.contains(each); });
}

/// Returns the names bound by the statements that cells below read, and transitively the names that those
/// statements read.
Names Cells::wanted_of(const std::vector<Node>& statements) const {
  Names wanted;
  for (std::size_t i = statements.size(); i-- > 0;) {
    const auto name = name_given_by(statements[i]);
    if (name.empty() || !(wanted.contains(name) || is_needed(name, statements))) continue;
    wanted.insert(name);
    wanted.merge(statements[i].is(Ast::Assign) ? names_in(statements[i].value()) : free_names(statements[i]));
  }
  return wanted;
}

/// Translates a single statement of a refused cell. If that fails, returns false, and its name is unknown.
bool Cells::keep_statement(const Node& statement, const std::string& name) {
  const auto missing = b.notebook.scope.own(name)->missing;
  const Snapshot snapshot(b);
  try {
    b.add(b.captured([&] { translate::statement(b, statement); }));
    return true;
  } catch (const NotPorted&) {
    snapshot.restore();
    b.notebook.scope.lose(name, missing, b.here.cell);
    return false;
  }
}

/// Refuses statements from `first` on that draw while the state of the generator is unknown.
/// Setting a seed makes it known again.
void Cells::refuse_lost_draws(std::size_t first) {
  const auto sets_seed = [](const cpp::Stmt& statement) {
    const auto* evaluates = std::get_if<cpp::Evaluate>(&statement.kind);
    return evaluates != nullptr && evaluates->value.is(cpp::form::manual_seed);
  };
  const cpp::Effect generator{cpp::Place::generator, {}};
  for (auto each = first; each < b.statements->size() && !b.lost.draws.why.empty(); ++each) {
    const auto effects = cpp::effects_of(cpp::Stmts{(*b.statements)[each]});
    if (effects.reads.contains(generator)) b.lost.draws.refuse();
    if (sets_seed((*b.statements)[each])) b.lost.draws = {};
  }
}

}  // namespace torchbook::translate
