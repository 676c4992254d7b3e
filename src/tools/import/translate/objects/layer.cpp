// Translates the layers of PyTorch: their constructors and attributes.
#include <fmt/format.h>
#include <tools/import/translate/lower/translator.h>
#include <tools/import/translate/tables/layers.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// Attributes of layers besides their weights. In C++, numbers are members of the options.
const std::map<std::string_view, Kind> members = {
    {"running_mean", Kind::tensor},   {"running_var", Kind::tensor},    {"num_batches_tracked", Kind::tensor},
    {"in_features", Kind::integer},   {"out_features", Kind::integer},  {"in_channels", Kind::integer},
    {"out_channels", Kind::integer},  {"hidden_size", Kind::integer},   {"num_layers", Kind::integer},
    {"embedding_dim", Kind::integer}, {"num_embeddings", Kind::integer}};

/// Returns the type of a module that becomes a part of an nn.Sequential.
Type part_of_row(const Value& module) {
  return is_row(module.type) ? module_type("torchbook::nn::Sequential", module.type.items) : module.type;
}

}  // namespace

/// `nn.Sequential(*layers, nn.Linear(2, 3))`
Value Translator::row_of_parts(const std::vector<Node>& parts) {
  const auto starred = [&](const Node& part) { return expression(part.child("value")); };
  if (parts.size() == 1) return call_list_of_modules("Sequential", {.positional = {starred(parts[0])}});
  const auto made = cpp::name(scope().fresh("layers"));
  auto before = captured([&] {
    emit(cpp::Declare{.type = "torch::nn::Sequential", .name = made.text()});
    for (const auto& part : parts) {
      const bool many = part.is("Starred");
      const auto value = many ? rows_of(starred(part)) : expression(part);
      const auto each = many ? value_of(value.type.items.at(0), cpp::name("each")) : value;
      if (!each.is(Kind::module)) throw NotPorted("nn.Sequential takes something else than modules");
      if (!many) note_holder(value);
      const cpp::Evaluate push{cpp::arrow_method(made, "push_back", {in_row(each)})};
      many ? emit(cpp::Each{.declared = "const auto& each",
                            .over = value.expr,
                            .body = {{.kind = push}},
                            .is_short = true})
           : emit(push);
    }
  });
  return value_of(module_type("torch::nn::Sequential"), cpp::let(std::move(before), made));
}

std::optional<Node> Translator::named_parts(const Node& call) {
  const auto given = call.list("args");
  if (given.size() != 1 || !given[0].is("Call") || !call.list("keywords").empty()) return std::nullopt;
  const auto made = given[0].child("func");
  const bool ordered = path_of(made) == "collections.OrderedDict" || made.is_name("OrderedDict");
  const auto pairs = given[0].list("args");
  const bool list = ordered && pairs.size() == 1 && pairs[0].is("List") && !pairs[0].list("elts").empty();
  return list ? std::optional(pairs[0]) : std::nullopt;
}

/// `nn.Sequential(OrderedDict([("hidden", nn.Linear(2, 3))]))`
Value Translator::row_of_names(const Node& pairs) {
  auto type = module_type("torch::nn::Sequential");
  std::vector<cpp::Expr> codes;
  for (const auto& pair : pairs.list("elts")) {
    const auto parts = pair.is("Tuple") ? pair.list("elts") : std::vector<Node>{};
    const auto name = parts.size() == 2 ? expression(parts[0]) : Value{};
    if (!name.is(Kind::string) || !name.literal || name.expr.text().find('.') != std::string::npos)
      throw NotPorted("a name of a module is not written out");
    const auto module = expression(parts[1]);
    if (!module.is(Kind::module)) throw NotPorted("nn.Sequential takes something else than modules");
    note_holder(module);
    type.as<types::Module>()->parts.push_back(name.expr.text());
    type.items.push_back(part_of_row(module));
    codes.push_back(cpp::braces({name.expr, in_row(module)}));
  }
  return value_of(type, cpp::call(type.name(), {cpp::braces(std::move(codes))}).held_as("auto"));
}

/// Lets statements that collect modules in a std::vector add them to another container.
static void collect_in(cpp::Stmts& statements, const cpp::Expr& vector,
                       const std::function<cpp::Expr(const cpp::Expr&)>& pushed) {
  for (auto& statement : statements) {
    const auto inside = [&](cpp::Stmts& body) { collect_in(body, vector, pushed); };
    if (auto* each = std::get_if<cpp::Each>(&statement.kind)) inside(each->body);
    if (auto* count = std::get_if<cpp::Count>(&statement.kind)) inside(count->body);
    if (auto* test = std::get_if<cpp::If>(&statement.kind)) inside(test->body);
    auto* does = std::get_if<cpp::Evaluate>(&statement.kind);
    if (does != nullptr && does->value.is(cpp::Kind::method, "push_back") && does->value.part(0) == vector)
      does->value = pushed(does->value.part(1));
  }
}

/// `nn.ModuleList(layers)`
Value Translator::modules_of_list(const Value& list, Type type) {
  const bool row = is_row(type);
  if (!row) type.items = list.type.items;
  const auto made = cpp::name(scope().fresh("layers"));
  const auto push = [&](const cpp::Expr& module) {
    const auto each = value_of(list.type.items[0], module);
    return cpp::arrow_method(made, "push_back", {row ? in_row(each) : module});
  };
  auto before = captured([&] {
    emit(cpp::Declare{.type = type.name(), .name = made.text()});
    const bool composed = list.expr.is(cpp::Kind::let);
    auto loops = composed ? list.expr.node().body : cpp::Stmts{};
    const auto* vector = loops.empty() ? nullptr : std::get_if<cpp::Declare>(&loops.front().kind);
    const auto items = composed ? list.expr.part(0) : list.expr;
    if (vector == nullptr || !items.is(cpp::Kind::name, vector->name)) {
      add(std::move(loops));
      return emit(cpp::Each{.declared = "const auto& each",
                            .over = items,
                            .body = {{.kind = cpp::Evaluate{push(cpp::name("each"))}}},
                            .is_short = true});
    }
    loops.erase(loops.begin());
    collect_in(loops, items, push);
    add(std::move(loops));
  });
  return value_of(type, cpp::let(std::move(before), made));
}

/// `nn.Sequential(a, b)` and `nn.ModuleList([a, b])`, or either of a list that exists already.
Value Translator::call_list_of_modules(const std::string& name, const Arguments& arguments) {
  auto type = module_type("torch::nn::" + name);
  auto modules = arguments.positional;
  const bool row = name == "Sequential";
  const bool list = modules.size() == 1 && modules[0].is(Kind::list);
  if (list && !modules[0].literal && !modules[0].type.items.empty() &&
      modules[0].type.items[0].is(Kind::module))
    return modules_of_list(modules[0], type);
  if (list && !row) modules = modules[0].elements;
  if (arguments.count() == 0)  // what is appended tells what a list holds
    return value_of(type, cpp::call(type.name(), {}).held_as("auto"));
  if (modules.empty() || !arguments.named.empty()) throw NotPorted("nn.{} is called in another form", name);
  std::vector<cpp::Expr> codes;
  for (const auto& module : modules) {
    if (!module.is(Kind::module)) throw NotPorted("nn.{} takes something else than modules", name);
    note_holder(module);
    codes.push_back(row ? in_row(module) : module.expr);
    if (!row) continue;
    type.items.push_back(part_of_row(module));
  }
  const bool same =
      std::all_of(modules.begin(), modules.end(), [&](const Value& m) { return m.type == modules[0].type; });
  if (same && !row) type.items = {modules[0].type};
  return value_of(type, cpp::construct(type.name(), std::move(codes)).held_as("auto"));
}

/// `self.layers.append(nn.Linear(2, 3))`
Value Translator::append_module(const Value& list, const Value& module) {
  if (!module.is(Kind::module)) throw NotPorted("nn.ModuleList takes something else than modules");
  auto key = std::string();
  if (const auto* variable = list.expr.is(cpp::Kind::name) ? scope().with_code(list.expr.text()) : nullptr)
    key = variable->definition;
  if (const auto* made = frame_->of_class) {
    for (const auto& [name, type] : made->members) {
      if (type == list.type && member_of_self(name) == list.expr) key = fmt::format("{}:{}", made->key, name);
    }
  }
  auto holds = list.type;
  holds.items = {module.type};
  if (list.type.items.empty() && !key.empty() && facts_->later(key) == nullptr) facts_->becomes(key, holds);
  if (list.type != holds) throw NotPorted("what an nn.ModuleList holds is not known, or of several classes");
  note_holder(module);
  return value_of(Kind::none, cpp::arrow_method(list.expr, "push_back", {module.expr}));
}

/// `net.add_module("hidden", nn.Linear(2, 3))` of an nn.Sequential whose parts are not known
Value Translator::add_to_row(const Value& row, const Arguments& arguments) {
  const auto* name = arguments.find("name", 0);
  const auto* module = arguments.find("module", 1);
  const bool plain = arguments.count() == 2 && name != nullptr && name->is(Kind::string) &&
                     module != nullptr && module->is(Kind::module);
  if (!plain || !row.type.items.empty()) throw NotPorted("add_module is called in another form");
  note_holder(*module);
  return value_of(Kind::none, cpp::arrow_method(row.expr, "push_back", {name->expr, in_row(*module)}));
}

Value Translator::call_nn(const std::string& name, const Arguments& arguments) {
  if (name == "Parameter" || name == "parameter.Parameter") return parameter(arguments);
  if (name == "Sequential" || name == "ModuleList") return call_list_of_modules(name, arguments);
  if (name == "utils.clip_grad_norm_") return clip_gradients(arguments);
  if (name == "utils.rnn.pad_sequence") return call_torch("pad_sequence", arguments, false);
  const auto* layer = layer_named(name);
  if (layer == nullptr) throw NotPorted("nn.{} is not translated", name);
  const bool bare = arguments.count() == 0;
  if (bare && !layer->first.empty() && !name.starts_with("Dropout")) {
    throw NotPorted("nn.{} lacks the argument {}", name, layer->first.substr(0, layer->first.find(' ')));
  }
  const auto type = layer->type();
  const auto* const space =
      layer->gives == Gives::attention || layer->is_lazy() ? "torchbook::nn" : "torch::nn";
  auto made = cpp::call(type, constructor_arguments(*layer, space, arguments, 0)).held_as("auto");
  if (layer->draws && !layer->is_lazy()) made = made.with(cpp::draws());
  return value_of(module_type(type), made);
}

std::optional<Value> layer_member(const cpp::Expr& base, const Type& module, std::string_view name) {
  const auto* layer = layer_of(module);
  if (layer == nullptr) return std::nullopt;
  std::optional<Value> value;
  const bool recurrent = name.starts_with("weight_") || name.starts_with("bias_");
  const bool weighs =
      layer->gives == Gives::tensor && (layer->draws || layer->name.find("Norm") != layer->name.npos);
  if (recurrent)
    value = value_of(parameter_type(),
                     cpp::subscript(cpp::arrow_method(base, "named_parameters"), cpp::string(name)));
  if (weighs && (name == "weight" || name == "bias"))
    value =
        value_of(parameter_type(), layer->is_lazy() ? cpp::arrow_method(base, fmt::format("made_{}", name))
                                                    : cpp::arrow_member(base, name));
  const bool attends = layer->gives == Gives::attention;
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
