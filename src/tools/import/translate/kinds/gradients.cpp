#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/match.h>
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

const CallParameter retains_graph{"*retain_graph", {Kind::boolean}, true};
const CallParameter creates_graph{"*create_graph", {Kind::boolean}, true};

/// Returns the arguments `retain_graph=…, create_graph=…`, up to the last one that is given.
Parts of_graph(const Value* retains, const Value* creates) {
  const auto none = cpp::name("c10::nullopt");
  Parts parts;
  if (retains != nullptr || creates != nullptr)
    parts.add(cpp::labelled("retain_graph", retains == nullptr ? none : retains->expr), retains);
  if (creates != nullptr) parts.add(cpp::labelled("create_graph", creates->expr), creates);
  return parts;
}

}  // namespace

Value backward_of(Builder& b, const Value& tensor, const Arguments& arguments) {
  const auto [gradient, retains, creates] =
      match("the method backward of a tensor", arguments,
            {{"gradient", {Kind::tensor, Kind::none}, true}, retains_graph, creates_graph});
  const auto others = of_graph(retains, creates);
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
  const auto [output, inputs, retains, creates] =
      match("torch.autograd.grad", arguments,
            {{"outputs", {Kind::tensor}}, {"inputs"}, retains_graph, creates_graph});
  const bool several = inputs->literal && !inputs->elements.empty();
  const auto tensors = several ? inputs->elements : std::vector{*inputs};
  for (const auto& each : tensors) {
    if (!each.is(Kind::tensor)) refuse("torch.autograd.grad is called in a form that is not translated");
  }
  const auto graph = of_graph(retains, creates);
  Parts parts;
  parts.add(cpp::braces({output->expr}), output);
  parts.add(several ? braces_of(*inputs) : cpp::braces({inputs->expr}), inputs);
  if (!graph.codes.empty()) parts.add(cpp::labelled("grad_outputs", cpp::braces({})), nullptr);
  parts.add(graph);
  const auto order = arguments.order_of(parts.given);
  ++b.found.changes;
  return tuple_of_list(b, "gradients",
                       cpp::call("torch::autograd::grad", std::move(parts.codes)).in_order(order),
                       tensors.size());
}

}  // namespace torchbook::translate
