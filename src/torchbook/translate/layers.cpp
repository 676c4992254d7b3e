// Translates the layers of PyTorch: how they are made, and what they have.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/translate/layer_table.h>
#include <torchbook/translate/translator.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// Tensors and numbers that layers have beside their weights, and where they are in C++.
const std::map<std::string_view, std::pair<Kind, std::string_view>> members = {
    {"running_mean", {Kind::tensor, "running_mean"}},
    {"running_var", {Kind::tensor, "running_var"}},
    {"num_batches_tracked", {Kind::tensor, "num_batches_tracked"}},
    {"in_features", {Kind::integer, "options.in_features()"}},
    {"out_features", {Kind::integer, "options.out_features()"}},
    {"in_channels", {Kind::integer, "options.in_channels()"}},
    {"out_channels", {Kind::integer, "options.out_channels()"}},
    {"hidden_size", {Kind::integer, "options.hidden_size()"}},
    {"num_layers", {Kind::integer, "options.num_layers()"}},
    {"embedding_dim", {Kind::integer, "options.embedding_dim()"}},
    {"num_embeddings", {Kind::integer, "options.num_embeddings()"}}};

/// Returns the type of a module that becomes a part of an nn.Sequential.
Type part_of_row(const Value& module) {
  auto type = module.type;
  if (is_row(type)) type.name = "torchbook::nn::Sequential";
  return type;
}

}  // namespace

/// `nn.Sequential(*layers, nn.Linear(2, 3))`
Value Translator::row_of_parts(const std::vector<Node>& parts) {
  const auto starred = [&](const Node& part) { return expression(part.child("value")); };
  if (parts.size() == 1)
    return call_list_of_modules("Sequential", {.positional = {starred(parts[0])}, .named = {}});
  need("#include <torchbook/notebook/nn.h>");
  const auto made = scope().fresh("layers");
  line(fmt::format("torch::nn::Sequential {};", made));
  for (const auto& part : parts) {
    const bool many = part.is("Starred");
    const auto value = many ? rows_of(starred(part)) : expression(part);
    const auto each = many ? value_of(value.type.items.at(0), "each") : value;
    if (!each.is(Kind::module)) throw NotPorted("nn.Sequential takes something else than modules");
    if (!many) note_holder(value);
    const auto loop = many ? fmt::format("for (const auto& each : {}) ", value.code) : "";
    line(fmt::format("{}{}->push_back({});", loop, made, in_row(each)));
  }
  return value_of({.kind = Kind::module, .items = {}, .name = "torch::nn::Sequential"}, made);
}

std::optional<Node> Writer::named_parts(const Node& call) {
  const auto given = call.list("args");
  if (given.size() != 1 || !given[0].is("Call") || !call.list("keywords").empty()) return std::nullopt;
  const auto made = given[0].child("func");
  const bool ordered =
      path_of(made) == "collections.OrderedDict" || (made.is("Name") && made.text("id") == "OrderedDict");
  const auto pairs = given[0].list("args");
  const bool list = ordered && pairs.size() == 1 && pairs[0].is("List") && !pairs[0].list("elts").empty();
  return list ? std::optional(pairs[0]) : std::nullopt;
}

/// `nn.Sequential(OrderedDict([("hidden", nn.Linear(2, 3))]))`
Value Translator::row_of_names(const Node& pairs) {
  need("#include <torchbook/notebook/nn.h>");
  Type type{.kind = Kind::module, .items = {}, .name = "torch::nn::Sequential"};
  std::vector<std::string> codes;
  for (const auto& pair : pairs.list("elts")) {
    const auto parts = pair.is("Tuple") ? pair.list("elts") : std::vector<Node>{};
    const auto name = parts.size() == 2 ? expression(parts[0]) : Value{};
    if (!name.is(Kind::string) || !name.literal || name.code.find('.') != name.code.npos)
      throw NotPorted("a name of a module is not written out");
    const auto module = expression(parts[1]);
    if (!module.is(Kind::module)) throw NotPorted("nn.Sequential takes something else than modules");
    note_holder(module);
    type.parts.push_back(name.code.substr(1, name.code.size() - 2));
    type.items.push_back(part_of_row(module));
    codes.push_back(fmt::format("{{{}, {}}}", name.code, in_row(module)));
  }
  auto value = value_of(type, fmt::format("{}({{{}}})", type.name, fmt::join(codes, ", ")));
  value.acts = true;
  return value;
}

/// `nn.ModuleList(layers)`
Value Translator::modules_of_list(const Value& list, Type type) {
  const bool row = is_row(type);
  if (!row) type.items = list.type.items;
  const auto made = scope().fresh("layers");
  line(fmt::format("{} {};", type.name, made));
  const auto each = value_of(list.type.items[0], "each");
  line(fmt::format("for (const auto& each : {}) {}->push_back({});", list.code, made,
                   row ? in_row(each) : each.code));
  return value_of(type, made);
}

/// `nn.Sequential(a, b)` and `nn.ModuleList([a, b])`, or both of a list that was made before.
Value Translator::call_list_of_modules(const std::string& name, const Arguments& arguments) {
  Type type{.kind = Kind::module, .items = {}, .name = "torch::nn::" + name};
  auto modules = arguments.positional;
  const bool row = name == "Sequential";
  if (row) need("#include <torchbook/notebook/nn.h>");
  const bool list = modules.size() == 1 && modules[0].is(Kind::list);
  if (list && !modules[0].literal && !modules[0].type.items.empty() &&
      modules[0].type.items[0].is(Kind::module))
    return modules_of_list(modules[0], type);
  if (list && !row) modules = modules[0].elements;
  if (arguments.positional.empty() && arguments.named.empty()) {  // what is appended tells what a list holds
    auto empty = value_of(type, type.name + "()");
    empty.acts = true;
    return empty;
  }
  if (modules.empty() || !arguments.named.empty())
    throw NotPorted(fmt::format("nn.{} is called in another form", name));
  std::vector<std::string> codes;
  for (const auto& module : modules) {
    if (!module.is(Kind::module))
      throw NotPorted(fmt::format("nn.{} takes something else than modules", name));
    note_holder(module);
    codes.push_back(row ? in_row(module) : module.code);
    if (!row) continue;
    type.items.push_back(part_of_row(module));
  }
  const bool same =
      std::all_of(modules.begin(), modules.end(), [&](const Value& m) { return m.type == modules[0].type; });
  if (same && !row) type.items = {modules[0].type};
  auto value = value_of(type, fmt::format("{}({})", type.name, fmt::join(codes, ", ")));
  value.acts = true;
  return value;
}

/// `self.layers.append(nn.Linear(2, 3))`
Value Translator::append_module(const Value& list, const Value& module) {
  if (!module.is(Kind::module)) throw NotPorted("nn.ModuleList takes something else than modules");
  auto key = std::string();
  if (const auto* variable = scope().with_code(list.code)) key = variable->definition;
  if (const auto* made = frame_->of_class) {
    for (const auto& [name, type] : made->members) {
      if (type == list.type && member_code(name) == list.code) key = fmt::format("{}:{}", made->key, name);
    }
  }
  auto holds = list.type;
  holds.items = {module.type};
  if (list.type.items.empty() && !key.empty() && facts_->later(key) == nullptr) facts_->becomes(key, holds);
  if (list.type != holds) throw NotPorted("what an nn.ModuleList holds is not known, or of several classes");
  note_holder(module);
  ++changes_;
  auto value = value_of(Kind::none, fmt::format("{}->push_back({})", list.code, module.code));
  value.acts = true;
  return value;
}

/// `net.add_module("hidden", nn.Linear(2, 3))` of an nn.Sequential whose parts are not known
Value Translator::add_to_row(const Value& row, const Arguments& arguments) {
  const auto* name = arguments.find("name", 0);
  const auto* module = arguments.find("module", 1);
  const bool plain = arguments.positional.size() + arguments.named.size() == 2 && name != nullptr &&
                     name->is(Kind::string) && module != nullptr && module->is(Kind::module);
  if (!plain || !row.type.items.empty()) throw NotPorted("add_module is called in another form");
  note_holder(*module);
  ++changes_;
  auto value =
      value_of(Kind::none, fmt::format("{}->push_back({}, {})", row.code, name->code, in_row(*module)));
  value.acts = true;
  return value;
}

Value Translator::call_nn(const std::string& name, const Arguments& arguments) {
  if (name == "Parameter" || name == "parameter.Parameter") return parameter(arguments);
  if (name == "Sequential" || name == "ModuleList") return call_list_of_modules(name, arguments);
  if (name == "utils.clip_grad_norm_") return clip_gradients(arguments);
  if (name == "utils.rnn.pad_sequence") return call_torch("pad_sequence", arguments, false);
  const auto* layer = layer_named(name);
  if (layer == nullptr) throw NotPorted(fmt::format("nn.{} is not translated", name));
  const bool bare = arguments.positional.empty() && arguments.named.empty();
  if (bare && !layer->first.empty() && !name.starts_with("Dropout")) {
    throw NotPorted(
        fmt::format("nn.{} lacks the argument {}", name, layer->first.substr(0, layer->first.find(' '))));
  }
  const auto type = layer->type();
  if (type.starts_with("torchbook")) need("#include <torchbook/notebook/nn.h>");
  auto value =
      value_of({.kind = Kind::module, .items = {}, .name = type},
               fmt::format("{}({})", type, constructor_arguments(*layer, "torch::nn", arguments, 0)));
  value.acts = layer->draws;
  return value;
}

std::string layer_class(const std::string& name) {
  const auto* layer = layer_named(name);
  if (layer == nullptr) throw NotPorted(fmt::format("nn.{} is not translated", name));
  return layer->type();
}

std::optional<Value> layer_member(const std::string& base, const Type& module, std::string_view name) {
  const auto* layer = layer_of(module);
  if (layer == nullptr) return std::nullopt;
  std::optional<Value> value;
  const bool recurrent = name.starts_with("weight_") || name.starts_with("bias_");
  const bool weighs =
      layer->gives == Gives::tensor && (layer->draws || layer->name.find("Norm") != layer->name.npos);
  if (recurrent)
    value = value_of(parameter_type(), fmt::format("{}->named_parameters()[\"{}\"]", base, name));
  if (weighs && (name == "weight" || name == "bias"))
    value = value_of(parameter_type(), fmt::format("{}->{}", base, name));
  if (const auto found = members.find(name); found != members.end())
    value = value_of(found->second.first, fmt::format("{}->{}", base, found->second.second));
  if (value) value->temporary = false;
  return value;
}

Type layer_result(const Type& module) {
  const auto* layer = layer_of(module);
  return layer == nullptr ? Type{.kind = Kind::tensor} : layer->result();
}

}  // namespace torchbook::translate
