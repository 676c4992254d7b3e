#include <fmt/format.h>
#include <tools/import/translate/classes/members.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/match.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/layer.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/optimizer.h>
#include <tools/import/translate/rows/calls_by_schema.h>
#include <tools/import/translate/rows/functions_by_hand.h>
#include <tools/import/translate/rows/layers.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// Attributes of layers besides their weights. In C++, numbers are members of the options.
const std::map<std::string_view, Kind> members = {
    {"running_mean", Kind::tensor},   {"running_var", Kind::tensor},    {"num_batches_tracked", Kind::tensor},
    {"in_features", Kind::integer},   {"out_features", Kind::integer},  {"in_channels", Kind::integer},
    {"out_channels", Kind::integer},  {"hidden_size", Kind::integer},   {"num_layers", Kind::integer},
    {"embedding_dim", Kind::integer}, {"num_embeddings", Kind::integer}};

/// Adds a class to those of the modules in an nn.ModuleList.
void add_class(std::vector<Type>& classes, const Type& module) {
  if (std::find(classes.begin(), classes.end(), module) == classes.end()) classes.push_back(module);
}

/// Returns the type of a module that becomes a part of an nn.Sequential.
Type part_of_row(const Value& module) {
  return is_sequential(module.type) ? module_type("torchbook::nn::Sequential", module.type.items)
                                    : module.type;
}

}  // namespace

/// Makes statements that collect modules in a std::vector add them to another container.
static void collect_in(cpp::Stmts& statements, const cpp::Expr& vector,
                       const std::function<cpp::Expr(const cpp::Expr&)>& pushed) {
  for (auto& statement : statements) {
    const auto inside = [&](cpp::Stmts& body) { collect_in(body, vector, pushed); };
    if (auto* each = std::get_if<cpp::Each>(&statement.kind)) inside(each->body);
    if (auto* count = std::get_if<cpp::Count>(&statement.kind)) inside(count->body);
    if (auto* test = std::get_if<cpp::If>(&statement.kind)) inside(test->body);
    auto* does = std::get_if<cpp::Evaluate>(&statement.kind);
    if (does != nullptr && does->value.is(cpp::form::push_back) && does->value.part(0) == vector)
      does->value = pushed(does->value.part(1));
  }
}

/// `nn.ModuleList(layers)`
static Value modules_of_list(Builder& b, const Value& list, Type type) {
  const bool row = is_sequential(type);
  if (!row) type.items = list.type.items;
  const auto made = cpp::name(b.scope().fresh("layers"));
  const auto push = [&](const cpp::Expr& module) {
    const auto each = value_of(list.type.items[0], module);
    return cpp::arrow_method(made, "push_back", {row ? as_sequential_part(each) : module});
  };
  auto before = b.captured([&] {
    b.emit(cpp::Declare{.type = type.name(), .name = made.text()});
    const bool composed = list.expr.is(cpp::Kind::let);
    auto loops = composed ? list.expr.node().body : cpp::Stmts{};
    const auto* vector = loops.empty() ? nullptr : std::get_if<cpp::Declare>(&loops.front().kind);
    const auto items = composed ? list.expr.part(0) : list.expr;
    if (vector == nullptr || !items.is(cpp::Kind::name, vector->name)) {
      b.add(std::move(loops));
      return b.emit(cpp::Each{.declared = "const auto& each",
                              .over = items,
                              .body = {{.kind = cpp::Evaluate{push(cpp::name("each"))}}},
                              .is_short = true});
    }
    loops.erase(loops.begin());
    collect_in(loops, items, push);
    b.add(std::move(loops));
  });
  return value_of(type, cpp::let(std::move(before), made));
}

/// `nn.Sequential(a, b)` and `nn.ModuleList([a, b])`, or the same with a list that exists already.
static Value call_list_of_modules(Builder& b, const std::string& name, const Arguments& arguments) {
  auto type = module_type("torch::nn::" + name);
  auto modules = arguments.positional;
  const bool row = name == "Sequential";
  const bool list = modules.size() == 1 && modules[0].is(Kind::list);
  if (list && !modules[0].literal && !modules[0].type.items.empty() &&
      modules[0].type.items[0].is(Kind::module))
    return modules_of_list(b, modules[0], type);
  if (list && !row) modules = modules[0].elements;
  if (arguments.count() == 0)  // later appends determine its items
    return value_of(type, cpp::call(type.name(), {}).held_as("auto"));
  if (modules.empty() || !arguments.named.empty())
    refuse("nn.{} is called in a form that is not translated", name);
  std::vector<cpp::Expr> codes;
  for (const auto& module : modules) {
    if (!module.is(Kind::module)) refuse("nn.{} takes something other than modules", name);
    note_holder(b, module);
    codes.push_back(row ? as_sequential_part(module) : module.expr);
    if (!row) continue;
    type.items.push_back(part_of_row(module));
  }
  for (const auto& module : row ? std::vector<Value>() : modules) add_class(type.items, module.type);
  return value_of(type, cpp::construct(type.name(), std::move(codes)).held_as("auto"));
}

Value sequential_of_parts(Builder& b, const std::vector<Node>& parts) {
  const auto starred = [&](const Node& part) { return expression(b, part.value()); };
  if (parts.size() == 1) return call_list_of_modules(b, "Sequential", {.positional = {starred(parts[0])}});
  const auto made = cpp::name(b.scope().fresh("layers"));
  auto before = b.captured([&] {
    b.emit(cpp::Declare{.type = "torch::nn::Sequential", .name = made.text()});
    for (const auto& part : parts) {
      const bool many = part.is(Ast::Starred);
      const auto value = many ? rows_of(b, starred(part)) : expression(b, part);
      const auto each = many ? value_of(value.type.items.at(0), cpp::name("each")) : value;
      if (!each.is(Kind::module)) refuse("nn.Sequential takes something other than modules");
      if (!many) note_holder(b, value);
      const cpp::Evaluate push{cpp::arrow_method(made, "push_back", {as_sequential_part(each)})};
      many ? b.emit(cpp::Each{.declared = "const auto& each",
                              .over = value.expr,
                              .body = {{.kind = push}},
                              .is_short = true})
           : b.emit(push);
    }
  });
  return value_of(module_type("torch::nn::Sequential"), cpp::let(std::move(before), made));
}

std::optional<Node> named_parts(Builder& b, const Node& call) {
  const auto given = call.args();
  if (given.size() != 1 || !given[0].is(Ast::Call) || !call.keywords().empty()) return std::nullopt;
  const auto made = given[0].func();
  const bool ordered = b.path_of(made) == "collections.OrderedDict" || made.is_name("OrderedDict");
  const auto pairs = given[0].args();
  const bool list = ordered && pairs.size() == 1 && pairs[0].is(Ast::List) && !pairs[0].elts().empty();
  return list ? std::optional(pairs[0]) : std::nullopt;
}

Value sequential_of_names(Builder& b, const Node& pairs) {
  auto type = module_type("torch::nn::Sequential");
  std::vector<cpp::Expr> codes;
  for (const auto& pair : pairs.elts()) {
    const auto parts = pair.is(Ast::Tuple) ? pair.elts() : std::vector<Node>{};
    const auto name = parts.size() == 2 ? expression(b, parts[0]) : Value{};
    if (!name.is(Kind::string) || !name.literal || name.expr.text().find('.') != std::string::npos)
      refuse("a name of a module is not written out");
    const auto module = expression(b, parts[1]);
    if (!module.is(Kind::module)) refuse("nn.Sequential takes something other than modules");
    note_holder(b, module);
    type.as<types::Module>()->parts.push_back(name.expr.text());
    type.items.push_back(part_of_row(module));
    codes.push_back(cpp::braces({name.expr, as_sequential_part(module)}));
  }
  return value_of(type, cpp::call(type.name(), {cpp::braces(std::move(codes))}).held_as("auto"));
}

Value append_module(Builder& b, const Value& list, const Value& module) {
  if (!module.is(Kind::module)) refuse("nn.ModuleList takes something other than modules");
  auto holds = list.type;
  add_class(holds.items, module.type);
  if (list.type != holds) refuse("the elements of an nn.ModuleList are not known");
  note_holder(b, module);
  return value_of(Kind::none, cpp::arrow_method(list.expr, "push_back", {module.expr}));
}

Value add_to_sequential(Builder& b, const Value& row, const Arguments& arguments) {
  const auto [name, module] =
      match("add_module", arguments, {{"name", {Kind::string}}, {"module", {Kind::module}}});
  if (!row.type.items.empty()) refuse("add_module adds to a module that has parts");
  note_holder(b, *module);
  return value_of(Kind::none,
                  cpp::arrow_method(row.expr, "push_back", {name->expr, as_sequential_part(*module)}));
}

Value call_nn(Builder& b, const std::string& name, const Arguments& arguments) {
  if (name == "Parameter" || name == "parameter.Parameter") return parameter(b, arguments);
  if (name == "Sequential" || name == "ModuleList") return call_list_of_modules(b, name, arguments);
  if (name == "utils.clip_grad_norm_") return clip_gradients(b, arguments);
  if (name == "utils.rnn.pad_sequence") return call_torch(b, "pad_sequence", arguments, false);
  const auto* layer = layer_named(name);
  if (layer == nullptr) refuse("nn.{} is not translated", name);
  const auto given = match_row("nn." + name, arguments, layer->parameters());
  const auto type = layer->type();
  auto made =
      cpp::call(type, constructor_arguments(*layer, layer->options_space(), given, 0)).held_as("auto");
  if (layer->draws && !layer->is_lazy()) made = made.with(cpp::draws());
  return value_of(module_type(type), made);
}

std::optional<Value> layer_member(const cpp::Expr& base, const Type& module, std::string_view name) {
  const auto* layer = layer_of(module);
  if (layer == nullptr) return std::nullopt;
  std::optional<Value> value;
  const bool recurrent = name.starts_with("weight_") || name.starts_with("bias_");
  const bool weighs = layer->result_kind == LayerResult::tensor &&
                      (layer->draws || layer->name.find("Norm") != layer->name.npos);
  if (recurrent)
    value = value_of(parameter_type(),
                     cpp::subscript(cpp::arrow_method(base, "named_parameters"), cpp::string(name)));
  if (weighs && (name == "weight" || name == "bias"))
    value =
        value_of(parameter_type(), layer->is_lazy() ? cpp::arrow_method(base, fmt::format("made_{}", name))
                                                    : cpp::arrow_member(base, name));
  const bool attends = layer->result_kind == LayerResult::attention;
  if (attends && (name == "in_proj_weight" || name == "in_proj_bias"))
    value = value_of(parameter_type(), cpp::arrow_member(base, name));
  if (attends && name == "out_proj")
    value = value_of(module_type("torch::nn::Linear"), cpp::arrow_member(base, name));
  const auto found = members.find(name);
  if (found != members.end() && found->second == Kind::tensor)
    value = value_of(Kind::tensor, cpp::arrow_member(base, name));
  if (found != members.end() && found->second == Kind::integer)
    value = value_of(Kind::integer, cpp::method(cpp::arrow_member(base, "options"), name));
  if (value) value->temporary = false;
  return value;
}

}  // namespace torchbook::translate
