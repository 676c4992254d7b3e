// Builds expressions. Computes the effects of these and of statements, and finds the names in them.
#include <fmt/format.h>
#include <tools/import/translate/cpp/walk.h>

#include <algorithm>
#include <utility>

namespace torchbook::translate::cpp {

Stmts::Stmts() = default;
Stmts::Stmts(std::initializer_list<Stmt> statements) : vector(statements) {}
Stmts::Stmts(const Stmts& other) = default;
Stmts::Stmts(Stmts&& other) noexcept = default;
Stmts& Stmts::operator=(const Stmts& other) = default;
Stmts& Stmts::operator=(Stmts&& other) noexcept = default;
Stmts::~Stmts() = default;

namespace {

const std::string no_text;
const std::vector<Expr> no_parts;
const Effects no_effects;

/// Returns the effects of assigning to an expression.
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

/// Adds the effects of the outermost node itself.
void add_own(Node& node) {
  const auto first = node.parts.empty() ? std::string() : root_of(node.parts[0]);
  const bool takes_parts = node.kind == Kind::invoke || node.kind == Kind::subscript;
  const bool calls = node.kind == Kind::call || node.kind == Kind::method;
  if (node.kind == Kind::call) node.own = effects_of_callee(node.text, first);
  if (node.kind == Kind::method) {
    const bool notebook =
        node.parts[0].is(Kind::name, "nb") || (node.arrow && node.parts[0].is(Kind::name, "notebook"));
    node.own = effects_of_callee((notebook ? "nb." : node.arrow ? "->" : "") + node.text, first);
  }
  if (takes_parts || node.kind == Kind::binary) node.own = reads(Place::memory);
  if (node.kind == Kind::unary && !node.parts[0].is(Kind::number)) node.own = reads(Place::memory);
  if (node.kind == Kind::binary && node.text == "=")
    node.own.writes = effects_of_target(node.parts[0]).writes;
  for (const auto& part : calls || takes_parts ? node.parts : no_parts) {
    if (const auto root = root_of(part); !root.empty()) node.own.reads.insert({Place::contents, root});
  }
}

/// Whether autograd may record a node of this kind.
bool is_operation(Kind kind) {
  return kind == Kind::call || kind == Kind::invoke || kind == Kind::method || kind == Kind::subscript ||
         kind == Kind::unary || kind == Kind::binary;
}

Node completed(Node node) {
  node.effects = node.own;
  for (const auto& part : node.parts) {
    if (!part) continue;
    node.effects.add(part.effects());
    node.sources.insert(part.node().sources.begin(), part.node().sources.end());
  }
  if (node.kind == Kind::let)
    node.effects.add(without_contents(effects_of(node.body), declared_in(node.body)));
  if (node.is_recorded) node.sources.insert(node.text);
  if (is_operation(node.kind)) node.effects.records.insert(node.sources.begin(), node.sources.end());
  return node;
}

Expr made(Node node) {
  add_own(node);
  return Expr(completed(std::move(node)));
}

template <class Change>
Expr changed(const Expr& expr, const Change& change) {
  if (!expr) return expr;
  auto node = expr.node();
  change(node);
  return Expr(completed(std::move(node)));
}

}  // namespace

Expr::Expr(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}

bool Expr::is(Kind wanted) const { return node_ != nullptr && node_->kind == wanted; }
bool Expr::is(Kind wanted, std::string_view text) const { return is(wanted) && node_->text == text; }
Kind Expr::kind() const { return node_->kind; }
const std::string& Expr::text() const { return node_ == nullptr ? no_text : node_->text; }
const std::vector<Expr>& Expr::parts() const { return node_ == nullptr ? no_parts : node_->parts; }
const Effects& Expr::effects() const { return node_ == nullptr ? no_effects : node_->effects; }

Expr Expr::with(const Effects& effects) const {
  return changed(*this, [&](Node& node) { node.own.add(effects); });
}
Expr Expr::with_only(const Effects& effects) const {
  return changed(*this, [&](Node& node) { node.own = effects; });
}
Expr Expr::with_parts(std::vector<Expr> parts) const {
  return changed(*this, [&](Node& node) { node.parts = std::move(parts); });
}
Expr Expr::in_order(std::vector<std::size_t> order) const {
  return changed(*this, [&](Node& node) { node.order = std::move(order); });
}
Expr Expr::commented(std::vector<std::string> comments) const {
  return changed(*this, [&](Node& node) { node.comments = std::move(comments); });
}
Expr Expr::held_as(std::string declaration) const {
  return changed(*this, [&](Node& node) { node.held_as = std::move(declaration); });
}
Expr Expr::recorded() const {
  return changed(*this, [](Node& node) { node.is_recorded = true; });
}

Expr Expr::unrecorded() const {
  if (!*this || (node_->sources.empty() && node_->effects.records.empty())) return *this;
  auto node = *node_;
  for (auto& part : node.parts) part = part.unrecorded();
  node.is_recorded = false;
  node.sources.clear();
  node.own.records.clear();
  node.effects = {};
  return Expr(completed(std::move(node)));
}

bool operator==(const Expr& one, const Expr& other) {
  if (one.node_ == other.node_) return true;
  if (!one || !other) return false;
  const auto& a = *one.node_;
  const auto& b = *other.node_;
  return a.kind == b.kind && a.text == b.text && a.arrow == b.arrow && a.names == b.names &&
         a.comments == b.comments && a.parts == b.parts && a.kind != Kind::lambda && a.kind != Kind::let;
}

bool is_written(const Expr& expr, bool value) { return expr.is(Kind::boolean, value ? "true" : "false"); }

bool is_element(const Expr& expr) {
  return expr.is(Kind::subscript) || expr.is(Kind::method, "at") || expr.is(Kind::method, "back") ||
         expr.is(Kind::call, "python::at");
}

Expr without_statements(Expr value) {
  while (value.is(Kind::let)) value = Expr(value.part(0));
  return value;
}

Expr after_statements_of(const Expr& made, Expr value) {
  return made.is(Kind::let) ? let(made.node().body, std::move(value)) : value;
}

std::string root_of(const Expr& container) {
  if (container.is(Kind::member)) return "." + container.text();
  if (container.is(Kind::name)) {
    const auto& reads = container.node().own.reads;
    const bool member = std::any_of(reads.begin(), reads.end(),
                                    [](const Effect& each) { return each.place == Place::field; });
    return (member ? "." : "") + container.text();
  }
  return is_element(container) || container.is(Kind::unary, "*") ? root_of(container.part(0)) : std::string();
}

bool is_stored(const Expr& expr) {
  if (expr.acts()) return false;
  return expr.is(Kind::name) || ((expr.is(Kind::member) || is_element(expr)) && is_stored(expr.part(0)));
}

Expr name(std::string_view text) { return made({.kind = Kind::name, .text = std::string(text)}); }
Expr number(std::string_view text) { return made({.kind = Kind::number, .text = std::string(text)}); }
Expr boolean(bool value) { return made({.kind = Kind::boolean, .text = value ? "true" : "false"}); }
Expr string(std::string_view text) { return made({.kind = Kind::string, .text = std::string(text)}); }

Expr call(std::string_view function, std::vector<Expr> arguments) {
  return made({.kind = Kind::call, .text = std::string(function), .parts = std::move(arguments)});
}

Expr invoke(Expr callee, std::vector<Expr> arguments) {
  arguments.insert(arguments.begin(), std::move(callee));
  return made({.kind = Kind::invoke, .text = {}, .parts = std::move(arguments)});
}

Expr method(Expr receiver, std::string_view name, std::vector<Expr> arguments) {
  arguments.insert(arguments.begin(), std::move(receiver));
  return made({.kind = Kind::method, .text = std::string(name), .parts = std::move(arguments)});
}

Expr arrow_method(Expr receiver, std::string_view name, std::vector<Expr> arguments) {
  arguments.insert(arguments.begin(), std::move(receiver));
  return made(
      {.kind = Kind::method, .text = std::string(name), .parts = std::move(arguments), .arrow = true});
}

Expr member(Expr of, std::string_view name) {
  return made({.kind = Kind::member, .text = std::string(name), .parts = {std::move(of)}});
}

Expr arrow_member(Expr of, std::string_view name) {
  return made({.kind = Kind::member, .text = std::string(name), .parts = {std::move(of)}, .arrow = true});
}

Expr subscript(Expr of, Expr at) {
  return made({.kind = Kind::subscript, .text = {}, .parts = {std::move(of), std::move(at)}});
}

Expr unary(std::string sign, Expr of) {
  return made({.kind = Kind::unary, .text = std::move(sign), .parts = {std::move(of)}});
}

Expr binary(Expr left, std::string_view sign, Expr right) {
  return made(
      {.kind = Kind::binary, .text = std::string(sign), .parts = {std::move(left), std::move(right)}});
}

Expr choice(Expr test, Expr yes, Expr no) {
  return made({.kind = Kind::choice, .text = {}, .parts = {std::move(test), std::move(yes), std::move(no)}});
}

Expr braces(std::vector<Expr> parts, std::string type) {
  return made({.kind = Kind::braces, .text = std::move(type), .parts = std::move(parts)});
}

Expr fields(std::string type, std::vector<std::string> names, std::vector<Expr> parts) {
  return made(
      {.kind = Kind::braces, .text = std::move(type), .parts = std::move(parts), .names = std::move(names)});
}

Expr construct(std::string type, std::vector<Expr> parts) {
  return made({.kind = Kind::construct, .text = std::move(type), .parts = std::move(parts)});
}

Expr labelled(std::string label, Expr value) {
  return made({.kind = Kind::labelled, .text = std::move(label), .parts = {std::move(value)}});
}

Expr lambda(std::string capture, std::vector<Parameter> parameters, Stmts body, std::string result) {
  return made({.kind = Kind::lambda,
               .text = std::move(capture),
               .parameters = std::move(parameters),
               .result = std::move(result),
               .body = std::move(body)});
}

Expr let(Stmts statements, Expr value) {
  return made({.kind = Kind::let, .text = {}, .parts = {std::move(value)}, .body = std::move(statements)});
}

Expr cast(const std::string& type, Expr value) {
  return call(fmt::format("static_cast<{}>", type), {std::move(value)});
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
