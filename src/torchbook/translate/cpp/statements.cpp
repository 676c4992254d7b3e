// Finds the effects of statements, and the names in them.
#include <torchbook/translate/cpp/walk.h>

namespace torchbook::translate::cpp {

Stmts::Stmts() = default;
Stmts::Stmts(std::initializer_list<Stmt> statements) : vector(statements) {}
Stmts::Stmts(const Stmts& other) = default;
Stmts::Stmts(Stmts&& other) noexcept = default;
Stmts& Stmts::operator=(const Stmts& other) = default;
Stmts& Stmts::operator=(Stmts&& other) noexcept = default;
Stmts::~Stmts() = default;

Effects effects_of_target(const Expr& to) {
  Effects effects;
  for (const auto& part : to.parts()) effects.add(part.effects());
  const bool element = to.is(Kind::subscript) || to.is(Kind::method) || to.is(Kind::call);
  if (element) {  // of a list, a dict or a tensor
    const auto& of = to.part(0);
    effects.add(writes(Place::contents, root_of(of)));
    effects.add(writes(Place::memory));
    return effects;
  }
  for (const auto& read : to.effects().reads) {
    if (read.place == Place::field) effects.writes.insert(read);
  }
  const auto root = root_of(to);
  if (!root.empty()) effects.add(writes(Place::contents, root));
  if (to.is(Kind::member)) effects.add(writes(Place::field, to.text()));
  return effects;
}

Effects effects_of(const Stmts& statements) {
  Effects effects;
  for (const auto& statement : statements) effects.add(effects_of(statement));
  return effects;
}

Effects effects_of(const Stmt& statement) {
  Effects effects;
  if (std::holds_alternative<Struct>(statement.kind))
    return effects;  // its methods run where they are called
  if (const auto* assign = std::get_if<Assign>(&statement.kind)) {
    effects.add(effects_of_target(assign->to));
    if (assign->sign != "=") {
      effects.add(assign->to.effects());
      if (!assign->of_number) effects.add(writes(Place::memory));
    }
    effects.add(assign->value.effects());
    return effects;
  }
  for_each_expression(statement, [&](const Expr& expr) { effects.add(expr.effects()); });
  for_each_block(statement, [&](const Stmts& block) { effects.add(effects_of(block)); });
  return effects;
}

std::set<std::string> declared_in(const Stmts& statements) {
  std::set<std::string> names;
  const auto visit = [&](const Stmt& statement) {
    if (const auto* declare = std::get_if<Declare>(&statement.kind)) names.insert(declare->name);
    if (const auto* count = std::get_if<Count>(&statement.kind)) names.insert(count->name);
    if (const auto* each = std::get_if<Each>(&statement.kind)) add_words(each->declared, names);
  };
  for_each_statement(statements, visit);
  return names;
}

std::set<std::string> mentioned_in(const Expr& value) {
  std::set<std::string> names;
  for_each_node(value, [&](const Expr& each) {
    if (each.is(Kind::name) || each.is(Kind::call)) names.insert(each.text());
  });
  return names;
}

std::set<std::string> mentioned_in(const Stmts& statements) {
  std::set<std::string> names;
  for_each_statement(statements, [&](const Stmt& statement) {
    for_each_expression(statement, [&](const Expr& expr) { names.merge(mentioned_in(expr)); });
  });
  return names;
}

std::set<std::string> assigned_in(const Stmts& statements) {
  std::set<std::string> names;
  for_each_statement(statements, [&](const Stmt& statement) {
    const auto* assign = std::get_if<Assign>(&statement.kind);
    if (assign != nullptr && assign->to.is(Kind::name)) names.insert(assign->to.text());
    if (const auto* count = std::get_if<Count>(&statement.kind)) names.insert(count->name);
  });
  return names;
}

}  // namespace torchbook::translate::cpp
