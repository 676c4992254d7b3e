// Finds the types of a function's parameters: from its calls, or else from their uses.
#include <tools/import/translate/lower/translator.h>
#include <tools/import/translate/tables/layers.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// Whether an expression computes a number with the parameter: `4 * size`.
bool computes_with(const Node& node, std::string_view parameter) {
  if (!node.is("BinOp")) return node.is_name(parameter);
  return computes_with(node.child("left"), parameter) || computes_with(node.child("right"), parameter);
}

/// Returns the type of a layer's argument.
Kind kind_of_argument(std::string_view name) {
  static const std::set<std::string_view> bools = {"bias",   "batch_first",        "bidirectional",
                                                   "affine", "elementwise_affine", "inplace"};
  static const std::set<std::string_view> floats = {"p", "dropout", "eps", "momentum", "negative_slope"};
  return bools.contains(name) ? Kind::boolean : floats.contains(name) ? Kind::floating : Kind::integer;
}

/// Returns the constructor of the last class that has one; nullopt if none has.
std::optional<Node> constructor_in(const std::vector<Node>& classes) {
  for (auto made = classes.rbegin(); made != classes.rend(); ++made) {
    for (const auto& each : made->list("body")) {
      if (is_constructor(each)) return each;
    }
  }
  return std::nullopt;
}

}  // namespace

/// Returns the type that an annotation names: `torch.Tensor`, `list[int]`, `Dict[str, int]`; nullopt for
/// others.
std::optional<Type> Translator::annotated_type(const Node& annotation) const {
  static const std::map<std::string_view, Type> types = {
      {"torch.Tensor", Kind::tensor}, {"int", Kind::integer},
      {"float", Kind::floating},      {"bool", Kind::boolean},
      {"str", Kind::string},          {"pathlib.Path", object_type("torchbook::Path")}};
  const auto name_of = [&](const Node& node) {
    return path_of(node).value_or(node.is("Name") ? std::string(node.text("id")) : "");
  };
  if (!annotation.is("Subscript")) {
    const auto found = types.find(name_of(annotation));
    return found == types.end() ? std::nullopt : std::optional(found->second);
  }
  const auto container = name_of(annotation.child("value"));
  const auto inner = annotation.child("slice");
  if (container == "list" || container == "typing.List") {
    const auto item = annotated_type(inner);
    return item ? std::optional(list_of(*item)) : std::nullopt;
  }
  const bool dict = (container == "dict" || container == "typing.Dict") && inner.is("Tuple");
  if (!dict || inner.list("elts").size() != 2) return std::nullopt;
  const auto key = annotated_type(inner.list("elts")[0]);
  const auto value = annotated_type(inner.list("elts")[1]);
  const bool plain = key && (key->is(Kind::string) || key->is(Kind::integer));
  return plain && value ? std::optional(dict_type(*key, *value)) : std::nullopt;
}

/// Returns the kind that a class of the notebook wants for a parameter that a call of it passes on.
std::optional<Kind> Translator::kind_by_class(const NewClass& made, const Node& call,
                                              std::string_view parameter, int depth) {
  constexpr int deepest = 8;
  const auto constructor = made.methods.find("__init__");
  const auto node = constructor_in(made.nodes);
  if (constructor == made.methods.end() || !node || depth == deepest) return std::nullopt;
  const auto kind_of = [&](std::string_view name) -> std::optional<Kind> {
    const auto kind = type_by_use(*node, name, depth + 1).kind();
    const bool plain = kind != Kind::tensor && kind != Kind::record;  // what is not known is a tensor, too
    return plain ? std::optional(kind) : std::nullopt;
  };
  const auto given = call.list("args");
  const auto& parameters = constructor->second.parameters;
  for (std::size_t i = 0; i < std::min(given.size(), parameters.size()); ++i) {
    if (computes_with(given[i], parameter)) return kind_of(parameters[i].name);
  }
  for (const auto& each : call.list("keywords")) {
    if (each.has("arg") && computes_with(each.child("value"), parameter)) return kind_of(each.text("arg"));
  }
  return std::nullopt;
}

std::optional<Kind> Translator::kind_by_call(const Node& call, std::string_view parameter, int depth) {
  static const std::set<std::string_view> sized = {"torch.zeros", "torch.ones", "torch.empty", "torch.rand",
                                                   "torch.randn", "torch.eye",  "range"};
  const auto called = call.child("func");
  const auto* const variable = called.is("Name") ? scope().find(called.text("id")) : nullptr;
  if (variable != nullptr && variable->type.is(Kind::new_class))
    return kind_by_class(classes_.at(variable->type.name()), call, parameter, depth);
  const bool builtin = called.is("Name") && variable == nullptr;
  const auto path = path_of(called).value_or(builtin ? std::string(called.text("id")) : "");
  constexpr std::string_view layers = "torch.nn.";
  const auto* layer = path.starts_with(layers) ? layer_named(path.substr(layers.size())) : nullptr;
  if (layer == nullptr && !sized.contains(path)) return std::nullopt;
  const auto given = call.list("args");
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!computes_with(given[i], parameter)) continue;
    return layer == nullptr ? Kind::integer : kind_of_argument(layer->parameter(i));
  }
  for (const auto& each : call.list("keywords")) {
    if (layer != nullptr && each.has("arg") && computes_with(each.child("value"), parameter))
      return kind_of_argument(each.text("arg"));
  }
  return std::nullopt;
}

/// Returns the type of the notebook's dict that has the keys by which a function indexes a parameter, as in
/// `config["heads"]`; nullopt if it uses no keys, or if no dict or several have them.
std::optional<Type> Translator::record_by_use(const Node& function, std::string_view parameter) {
  std::set<std::string> keys;
  function.walk([&](const Node& node) {
    const bool of_it = node.is("Subscript") && node.child("value").is_name(parameter);
    if (of_it && node.child("slice").is("Constant") && node.child("slice").text("type") == "str")
      keys.emplace(node.child("slice").text("value"));
  });
  std::set<std::string> found;
  for (const auto& name : notebook_.scope.names()) {
    const auto* variable = notebook_.scope.find(name);
    const auto record = variable != nullptr && variable->missing.empty() && variable->type.is(Kind::record)
                            ? records_.find(variable->type.name())
                            : records_.end();
    if (record == records_.end()) continue;
    const auto& fields = record->second.fields;
    const bool has_all = std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
      return std::any_of(fields.begin(), fields.end(), [&](const auto& field) { return field.first == key; });
    });
    if (has_all) found.insert(record->first);
  }
  if (keys.empty() || found.size() != 1) return std::nullopt;
  return named_type(Kind::record, *found.begin());
}

Type Translator::type_by_use(const Node& function, std::string_view parameter, int depth) {
  static const std::set<std::string_view> of_strs = {"strip", "lower", "upper", "splitlines"};
  for (const auto& each : function.child("args").list("args")) {
    if (each.text("arg") != parameter || !each.has("annotation")) continue;
    if (const auto annotated = annotated_type(each.child("annotation"))) return *annotated;
  }
  if (const auto record = record_by_use(function, parameter)) return *record;
  Type type = Kind::tensor;
  const bool constructs = is_constructor(function);
  function.walk([&](const Node& node) {
    const bool str = node.is("Attribute") && of_strs.contains(node.text("attr")) &&
                     computes_with(node.child("value"), parameter);
    if (str) type = Kind::string;
    // `d_model // heads`
    const bool divides =
        constructs && node.is("BinOp") && (node.child("op").is("FloorDiv") || node.child("op").is("Mod"));
    if (divides &&
        (computes_with(node.child("left"), parameter) || computes_with(node.child("right"), parameter)))
      type = Kind::integer;
    if (!node.is("Call")) return;
    if (const auto kind = kind_by_call(node, parameter, depth)) type = *kind;
  });
  return type;
}

/// Returns what Python's run shows about the cell; nullptr if nothing is known.
const Observed* Translator::observed() const {
  const auto& cell = cells_.at(cell_ - 1);
  return cell.is_recorded ? &cell.observed : nullptr;
}

/// Returns how Python called a function of the cell; nullptr if it did not, or if that is not known.
const CalledFunction* Translator::called(const Node& function) const {
  const auto* const all = observed();
  if (all == nullptr) return nullptr;
  const auto found = all->functions.find({function.line(), function.column()});
  return found == all->functions.end() ? nullptr : &found->second;
}

/// Tells the facts with which types Python called a function.
void Translator::note_observed(const Node& node, const Function& function) {
  const auto* const seen = called(node);
  if (seen == nullptr) return;
  std::vector<std::optional<Type>> types;
  for (const auto& parameter : function.parameters) {
    const auto found = seen->parameters.find(parameter.name);
    const bool known = found != seen->parameters.end() && found->second && !is_empty(*found->second);
    types.push_back(known && !parameter.takes_rest ? found->second : std::nullopt);
  }
  facts_->observe(function.key, types);
}

/// Returns the types of a function's parameters from its calls. Without calls, a parameter has the
/// type of its default value, or one that fits its uses.
std::vector<Type> Translator::parameter_types(const Node& node, const Function& function) {
  if (const auto* known = facts_->parameters(function.key)) {
    auto types = *known;
    for (auto& type : types) {
      if (type.is(Kind::none)) type = Kind::tensor;
    }
    return types;
  }
  if (function.key.ends_with(":__getitem__") && function.parameters.size() == 1) return {Type(Kind::integer)};
  std::vector<Type> types;
  for (const auto& parameter : function.parameters) {
    const auto otherwise = parameter.otherwise ? expression(*parameter.otherwise).type : Type{};
    types.push_back(otherwise.is(Kind::none) ? type_by_use(node, parameter.name) : otherwise);
  }
  return types;
}

}  // namespace torchbook::translate
