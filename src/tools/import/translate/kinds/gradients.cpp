// Translates computing gradients with autograd.
#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/gradients.h>
#include <tools/import/translate/rows/functions_by_hand.h>

namespace torchbook::translate {
namespace {

/// The parts of a call in C++, and the argument in Python of each part.
struct Parts {
  std::vector<cpp::Expr> codes{};
  std::vector<const Value*> given{};

  void add(cpp::Expr code, const Value* argument) {
    codes.push_back(std::move(code));
    given.push_back(argument);
  }
  void add(const Parts& others) {
    codes.insert(codes.end(), others.codes.begin(), others.codes.end());
    given.insert(given.end(), others.given.begin(), others.given.end());
  }
};

/// Returns the arguments `retain_graph=…, create_graph=…`, up to the last one that is given.
/// `others` is the number of other arguments.
Parts of_graph(const Arguments& arguments, std::size_t others) {
  Parts parts;
  std::size_t given = 0;
  for (const auto* name : {"retain_graph", "create_graph"}) {
    const auto* value = arguments.find(name, arguments.positional.size());
    if (value != nullptr && !value->is(Kind::boolean)) refuse("{} is no bool", name);
    parts.add(cpp::labelled(name, value == nullptr ? cpp::name("c10::nullopt") : value->expr), value);
    if (value != nullptr) given = parts.codes.size();
    others += value != nullptr ? 1 : 0;
  }
  if (others != arguments.count()) refuse("a gradient is asked for with an argument that is not translated");
  parts.codes.resize(given);
  parts.given.resize(given);
  return parts;
}

}  // namespace

Value backward_of(Builder& b, const Value& tensor, const Arguments& arguments) {
  const auto* gradient = arguments.find("gradient", 0);
  if (gradient != nullptr && !gradient->is(Kind::tensor) && !gradient->is(Kind::none))
    refuse("backward is called in another form");
  const auto others = of_graph(arguments, gradient == nullptr ? 0 : 1);
  const bool given = gradient != nullptr && gradient->is(Kind::tensor);
  ++b.found.changes;
  Parts parts{.codes = {}, .given = {&tensor}};
  if (given) {
    parts.add(gradient->expr, gradient);
  } else if (!others.codes.empty()) {
    parts.add(cpp::labelled("gradient", cpp::braces({})), nullptr);
  }
  parts.add(others);
  const auto order = arguments.order_of(parts.given);
  return value_of(Kind::none, cpp::method(tensor.expr, "backward", std::move(parts.codes)).in_order(order));
}

Value gradients_of(Builder& b, const Arguments& arguments) {
  const auto& values = arguments.positional;
  if (values.size() != 2 || !values[0].is(Kind::tensor))
    refuse("torch.autograd.grad is called in another form");
  const bool several = values[1].literal && !values[1].elements.empty();
  if (!values[1].is(Kind::tensor) && !several) refuse("torch.autograd.grad is called in another form");
  const auto inputs = several ? values[1].elements : std::vector{values[1]};
  for (const auto& input : inputs) {
    if (!input.is(Kind::tensor)) refuse("torch.autograd.grad is called in another form");
  }
  const auto graph = of_graph(arguments, 2);
  Parts parts;
  parts.add(cpp::braces({values[0].expr}), &values[0]);
  parts.add(several ? braces_of(values[1]) : cpp::braces({values[1].expr}), &values[1]);
  if (!graph.codes.empty()) parts.add(cpp::labelled("grad_outputs", cpp::braces({})), nullptr);
  parts.add(graph);
  const auto order = arguments.order_of(parts.given);
  ++b.found.changes;
  return tuple_of_list(b, "gradients",
                       cpp::call("torch::autograd::grad", std::move(parts.codes)).in_order(order),
                       inputs.size());
}

}  // namespace torchbook::translate
