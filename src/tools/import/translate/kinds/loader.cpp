#include <fmt/format.h>
#include <tools/import/translate/core/match.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/loader.h>

namespace torchbook::translate {

/// `next(batches)`
static Value next_of_iterator(Builder& b, const Value& iterator) {
  if (!iterator.is(Kind::pass)) refuse("it takes the next of {}", in_words(iterator.type));
  ++b.found.changes;
  return value_of(iterator.type.items[0], cpp::method(iterator.expr, "next"));
}

Value next_of(Builder& b, const Node& node) {
  const auto given = node.args();
  if (given.size() == 1 && given[0].is(Ast::Name)) return next_of_iterator(b, expression(b, given[0]));
  if (given.size() != 1 || !given[0].is(Ast::Call))
    refuse("next() is called in a form that is not translated");
  const bool iterates = called_name(given[0]) == "iter" && b.scope().find("iter") == nullptr;
  const auto inner = iterates ? given[0].args() : given;
  if (inner.size() != 1) refuse("iter() is called in a form that is not translated");
  const auto from = expression(b, inner[0]);
  if (from.is(Kind::loader) && iterates) {
    const auto begin = cpp::method(from.expr, "begin").with(cpp::draws());
    return value_of(from.type.items[0], cpp::unary("*", begin));
  }
  const bool of_module = from.is(Kind::list) && from.temporary && from.expr.is(cpp::form::parameters);
  if (!of_module) refuse("it takes the next of {}", in_words(from.type));
  return value_of(from.type.items[0], cpp::method(from.expr, "front"));
}

Value iterator_of(Builder& /*b*/, const RowCall& given) {
  const auto [from] = given.as<1>();
  if (!from->is(Kind::loader)) refuse("it iterates over {}", in_words(from->type));
  const auto type = fmt::format("{}<{}>", pass_of_loader, from->type.name());
  return value_of(named_type(Kind::pass, type, {from->type.items[0]}),
                  cpp::call(pass_of_loader, {from->expr}));
}

Value loader_attribute(Builder& /*b*/, const Value& loader, std::string_view name) {
  if (name == "batch_size") return value_of(Kind::integer, cpp::method(loader.expr, "batch_size"));
  if (name != "dataset") refuse("the attribute {} of a loader is not translated", name);
  auto value = value_of(loader.type.items[1], cpp::method(loader.expr, "dataset"));
  value.temporary = false;
  return value;
}

Value loader_rows(Builder& b, const Value& loader) {
  auto rows = loader.temporary ? b.hold(loader, "loader") : loader;
  rows.expr = rows.expr.with(cpp::draws());  // each pass draws
  rows.type.items = {loader.type.items[0]};
  return rows;
}

}  // namespace torchbook::translate
