#pragma once

#include <tools/import/translate/cpp/expr.h>

#include <cctype>
#include <string>
#include <utility>
#include <variant>

namespace torchbook::translate::cpp {

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};

template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

/// Calls `visit` for the expressions that are in a statement itself, in the order of their evaluation.
template <class Visit>
void for_each_expression(const Stmt& statement, const Visit& visit) {
  const auto given = [&](const Expr& expr) {
    if (expr) visit(expr);
  };
  std::visit(Overloaded{[&](const Evaluate& each) { given(each.value); },
                        [&](const Declare& each) { given(each.value); },
                        [&](const Assign& each) { given(each.value), given(each.to); },
                        [&](const Return& each) { given(each.value); }, [](const Plain&) {},
                        [&](const If& each) { given(each.initial), given(each.test); },
                        [&](const While& each) { given(each.test); },
                        [&](const Count& each) { given(each.start), given(each.end), given(each.step); },
                        [&](const Each& each) { given(each.start), given(each.over); }, [](const Block&) {},
                        [](const Try&) {},
                        [&](const Method& each) {
                          for (const auto& parameter : each.parameters) given(parameter.default_value);
                          given(each.base);
                        },
                        [](const Struct&) {}},
             statement.kind);
}

/// Calls `visit` for the blocks that are in a statement itself.
template <class Visit>
void for_each_block(const Stmt& statement, const Visit& visit) {
  std::visit(
      Overloaded{[&](const If& each) { visit(each.body), visit(each.else_body); },
                 [&](const While& each) { visit(each.body); }, [&](const Count& each) { visit(each.body); },
                 [&](const Each& each) { visit(each.body); }, [&](const Block& each) { visit(each.body); },
                 [&](const Try& each) { visit(each.body), visit(each.handler); },
                 [&](const Method& each) { visit(each.body); }, [&](const Struct& each) { visit(each.body); },
                 [](const auto&) {}},
      statement.kind);
}

/// Calls `visit` for an expression and all of its parts, but not for the statements in it.
template <class Visit>
void for_each_part(const Expr& expr, const Visit& visit) {
  if (!expr) return;
  visit(expr);
  for (const auto& part : expr.parts()) for_each_part(part, visit);
}

/// Calls `visit` for statements, those in their blocks, and those of lambdas and lets in their expressions.
template <class Visit>
void for_each_statement(const Stmts& statements, const Visit& visit) {
  for (const auto& statement : statements) {
    visit(statement);
    for_each_expression(statement, [&](const Expr& expr) {
      for_each_part(expr, [&](const Expr& part) { for_each_statement(part.node().body, visit); });
    });
    for_each_block(statement, [&](const Stmts& block) { for_each_statement(block, visit); });
  }
}

/// Calls `visit` for an expression, its parts, and those in statements of its lambdas and lets.
template <class Visit>
void for_each_node(const Expr& expr, const Visit& visit) {
  for_each_part(expr, [&](const Expr& part) {
    visit(part);
    for (const auto& parameter : part.node().parameters) for_each_node(parameter.default_value, visit);
    for_each_statement(part.node().body, [&](const Stmt& statement) {
      for_each_expression(statement, [&](const Expr& inner) { for_each_part(inner, visit); });
    });
  });
}

/// Returns the effects of a statement.
Effects effects_of(const Stmt& statement);

/// Adds the names in a declaration such as `const auto& [a, b]`.
inline void add_words(const std::string& declaration, std::set<std::string>& names) {
  std::string word;
  for (const char c : declaration + ' ') {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
    } else if (!word.empty()) {
      names.insert(std::exchange(word, {}));
    }
  }
}

}  // namespace torchbook::translate::cpp
