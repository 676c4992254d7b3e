#include <fmt/format.h>
#include <tools/import/translate/rows/layers.h>
#include <tools/import/translate/syntax/syntax.h>
#include <torch/version.h>

#include <algorithm>
#include <map>
#include <vector>

namespace torchbook::translate {
namespace {

/// A line for each class; the parameters are those of Python, in its order.
const std::vector<Layer> layers = {
    {"Linear", "in_features out_features", "bias", true},
    {"LazyLinear", "out_features", "bias", true},
    {"LazyConv2d", "out_channels kernel_size", "stride padding dilation groups bias", true},
    {"Embedding", "num_embeddings embedding_dim", "padding_idx", true},
    {"LayerNorm", "normalized_shape", "eps elementwise_affine"},
    {"BatchNorm1d", "num_features", "eps momentum affine"},
    {"BatchNorm2d", "num_features", "eps momentum affine"},
    {"Conv1d", "in_channels out_channels kernel_size", "stride padding dilation groups bias", true},
    {"Conv2d", "in_channels out_channels kernel_size", "stride padding dilation groups bias", true},
    {"MaxPool1d", "kernel_size", "stride padding"},
    {"MaxPool2d", "kernel_size", "stride padding"},
    {"AvgPool2d", "kernel_size", "stride padding"},
    {"Dropout", "p?", "inplace"},
    {"Flatten", "", "start_dim end_dim", false, LayerResult::reshaped},
    {"Unflatten", "dim unflattened_size", "", false, LayerResult::reshaped},
    {"Softmax", "dim", ""},
    {"LogSoftmax", "dim", ""},
    {"ReLU", "", "inplace"},
    {"LeakyReLU", "", "negative_slope inplace"},
    {"GELU", "", ""},
    {"SiLU", "", ""},
    {"Tanh", "", ""},
    {"Sigmoid", "", ""},
    {"Identity", "", ""},
    {"BatchNorm3d", "num_features", "eps momentum affine"},
    {"GroupNorm", "num_groups num_channels", "eps affine"},
    {"InstanceNorm2d", "num_features", "eps momentum affine"},
    {"Conv3d", "in_channels out_channels kernel_size", "stride padding dilation groups bias", true},
    {"ConvTranspose1d", "in_channels out_channels kernel_size",
     "stride padding output_padding groups bias dilation", true},
    {"ConvTranspose2d", "in_channels out_channels kernel_size",
     "stride padding output_padding groups bias dilation", true},
    {"AvgPool1d", "kernel_size", "stride padding"},
    {"AdaptiveAvgPool1d", "output_size", ""},
    {"AdaptiveAvgPool2d", "output_size", ""},
    {"AdaptiveMaxPool2d", "output_size", ""},
    {"Dropout2d", "p?", "inplace"},
    {"ELU", "", "alpha inplace"},
    {"ReLU6", "", "inplace"},
    {"Softplus", "", "beta threshold"},
    {"PReLU", "", "num_parameters init"},
    {"LogSigmoid", "", ""},
    {"Mish", "", ""},
    {"Softsign", "", ""},
    {"Bilinear", "in1_features in2_features out_features", "bias", true},
    {"RNN", "input_size hidden_size", "num_layers nonlinearity bias batch_first dropout bidirectional", true,
     LayerResult::two_tensors},
    {"GRU", "input_size hidden_size", "num_layers bias batch_first dropout bidirectional", true,
     LayerResult::two_tensors},
    {"LSTM", "input_size hidden_size", "num_layers bias batch_first dropout bidirectional", true,
     LayerResult::tensor_and_two},
    {"RNNCell", "input_size hidden_size", "bias", true},
    {"GRUCell", "input_size hidden_size", "bias", true},
    {"LSTMCell", "input_size hidden_size", "bias", true, LayerResult::two_tensors},
    {"MultiheadAttention", "embed_dim num_heads", "dropout bias *batch_first", true, LayerResult::attention},
    {"TransformerEncoderLayer", "d_model nhead",
     "dim_feedforward dropout activation layer_norm_eps batch_first norm_first bias", true,
     LayerResult::encoded},
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)
    {"RMSNorm", "normalized_shape", "eps elementwise_affine"},
#endif
    {"SmoothL1Loss", "", "reduction"},
    {"HuberLoss", "", "reduction"},
    {"CrossEntropyLoss", "", "reduction label_smoothing ignore_index"},
    {"MSELoss", "", "reduction"},
    {"L1Loss", "", "reduction"},
    {"NLLLoss", "", "reduction"},
    {"KLDivLoss", "", "reduction"},
    {"BCELoss", "", "reduction"},
    {"BCEWithLogitsLoss", "", "reduction"},
};

const std::vector<Layer> optimizers = {
    {"SGD", "lr", "momentum dampening weight_decay nesterov"},
    {"Adam", "lr?", "betas eps weight_decay amsgrad"},
    {"AdamW", "lr?", "betas eps weight_decay amsgrad"},
    {"Adagrad", "lr?", "lr_decay weight_decay initial_accumulator_value eps"},
    {"RMSprop", "lr?", "alpha eps weight_decay momentum centered"},
};

/// Returns an argument in C++.
cpp::Expr argument_code(const Value& value, std::string_view name) {
  if (name == "normalized_shape" && value.is(Kind::integer)) return cpp::braces({value.expr});
  if (value.is(Kind::size)) return sizes_as_vector(value);
  if (value.literal && !value.elements.empty()) return in_braces(value.elements);
  if (auto mode = mode_of(value)) return mode;
  if (value.is(Kind::tensor) && value.type.numbers() == Numbers::integer)
    return cpp::method(value.expr, "item<int64_t>");
  if (!value.type.is_number() || value.is(Kind::scalar))
    refuse("a layer has an option that is neither a number nor a str");
  return value.expr;
}

std::vector<std::string_view> words_of(std::string_view names) {
  std::vector<std::string_view> words;
  while (!names.empty()) {
    words.push_back(names.substr(0, names.find(' ')));
    names.remove_prefix(std::min(names.size(), words.back().size() + 1));
  }
  return words;
}

const Layer* find(const std::vector<Layer>& all, std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::string Layer::type() const {
  // LibTorch's own class runs other operations than PyTorch's.
  return fmt::format("{}::{}", name == "Linear" ? "torchbook::nn" : options_space(), name);
}

std::string_view Layer::options_space() const {
  const bool own = is_lazy() || takes_masks() || name == "RMSNorm";
  return own ? "torchbook::nn" : "torch::nn";
}

bool Layer::takes_masks() const {
  return result_kind == LayerResult::attention || result_kind == LayerResult::encoded;
}

std::vector<CallParameter> Layer::parameters(std::vector<CallParameter> before) const {
  auto all = std::move(before);
  for (const auto marked : words_of(first)) {
    const bool optional = marked.ends_with('?');
    all.push_back({.name = marked.substr(0, marked.size() - (optional ? 1 : 0)), .optional = optional});
  }
  for (const auto name : words_of(others)) all.push_back({.name = name, .optional = true});
  return all;
}

bool Layer::is_lazy() const { return name.starts_with("Lazy"); }

bool Layer::may_change() const {
  const bool counts = name.find("BatchNorm") != name.npos || name.find("InstanceNorm") != name.npos;
  return counts || is_lazy() || others.find("inplace") != others.npos;
}

cpp::Effects Layer::effects() const {
  auto effects = cpp::reads(cpp::Place::memory);
  if (may_change()) effects.add(cpp::writes(cpp::Place::memory));
  const bool drops = name.find("Dropout") != name.npos || others.find("dropout") != others.npos;
  if (drops || is_lazy()) effects.add(cpp::draws());
  return effects;
}

Type Layer::result() const {
  Type type = Kind::tensor;
  auto two = tuple_type({type, type});
  if (result_kind == LayerResult::attention || result_kind == LayerResult::two_tensors) return two;
  if (result_kind == LayerResult::tensor_and_two) return tuple_type({type, two});
  if (name.ends_with("Loss")) type.know_numbers(Numbers::floating);
  return type;
}

cpp::Expr mode_of(const Value& value) {
  static const std::map<std::string_view, std::string_view> modes = {{"none", "torch::kNone"},
                                                                     {"mean", "torch::kMean"},
                                                                     {"sum", "torch::kSum"},
                                                                     {"relu", "torch::kReLU"},
                                                                     {"tanh", "torch::kTanh"},
                                                                     {"fan_in", "torch::kFanIn"},
                                                                     {"fan_out", "torch::kFanOut"},
                                                                     {"leaky_relu", "torch::kLeakyReLU"},
                                                                     {"linear", "torch::kLinear"},
                                                                     {"sigmoid", "torch::kSigmoid"},
                                                                     {"gelu", "torch::kGELU"},
                                                                     {"nearest", "torch::kNearest"},
                                                                     {"bilinear", "torch::kBilinear"},
                                                                     {"bicubic", "torch::kBicubic"},
                                                                     {"trilinear", "torch::kTrilinear"}};
  const auto found = value.expr.is(cpp::Kind::string) ? modes.find(value.expr.text()) : modes.end();
  return found == modes.end() ? cpp::Expr() : cpp::name(found->second);
}

const Layer* layer_named(std::string_view name) { return find(layers, name); }

bool names_lazy_layer(const Node& tree) {
  return tree.any([](const Node& node) {
    const auto name = node.is(Ast::Attribute) ? node.attr() : node.is(Ast::alias) ? node.name() : "";
    const auto* layer = layer_named(name);
    return layer != nullptr && layer->is_lazy();
  });
}

std::vector<std::string> layer_names() {
  std::vector<std::string> names = {"Module", "Sequential", "ModuleList", "Parameter", "functional", "init"};
  names.reserve(names.size() + layers.size());
  for (const auto& layer : layers) names.emplace_back(layer.name);
  return names;
}

const Layer* layer_of(const Type& module) {
  const auto& type = module.name();
  const auto* layer = find(layers, type.substr(type.rfind(':') + 1));
  const bool known =
      layer != nullptr && (layer->type() == type || type == fmt::format("torch::nn::{}", layer->name));
  return known ? layer : nullptr;
}

const Layer* optimizer_named(std::string_view name) { return find(optimizers, name); }

bool is_scheduler(const Type& type) {
  const std::string_view name = type.name();
  return optimizer_named(name.substr(name.rfind(':') + 1)) == nullptr;
}

Type optimizer_type(std::string_view name) {
  return named_type(Kind::optimizer, fmt::format("torchbook::optim::{}", name));
}

std::optional<Type> library_type(std::string_view path, const std::vector<Type>& items) {
  const auto name = path.substr(path.rfind('.') + 1);
  static const std::map<std::string_view, Type> others = {
      {"collections.OrderedDict", named_type(Kind::state_dict, state_dict)},
      {"pathlib.PosixPath", named_type(Kind::path, "torchbook::Path")},
      {"torch.device", Kind::device},
      {"torch.dtype", Kind::dtype},
      {"torch._C.Generator", Kind::random}};
  if (const auto found = others.find(path); found != others.end()) return found->second;
  if (path.starts_with("torch.optim.") && optimizer_named(name) != nullptr) return optimizer_type(name);
  if (path == "torch.utils.data.dataloader.DataLoader") return named_type(Kind::loader, {}, items);
  if (path.starts_with("torch.utils.data.dataset."))
    return named_type(Kind::data_set, std::string(name), items);
  if (!path.starts_with("torch.nn.modules.")) return std::nullopt;
  const auto* layer = layer_named(name);
  if (layer != nullptr) return module_type(layer->type());
  auto type = module_type(fmt::format("torch::nn::{}", name));
  if (name == "Sequential") type.items = items;
  for (const auto& item : is_module_list(type) ? items : std::vector<Type>()) {
    if (std::find(type.items.begin(), type.items.end(), item) == type.items.end()) type.items.push_back(item);
  }
  return name == "Sequential" || is_module_list(type) ? std::optional(type) : std::nullopt;
}

std::vector<cpp::Expr> constructor_arguments(const Layer& layer, std::string_view space,
                                             const std::vector<const Value*>& given, std::size_t skipped) {
  std::vector<cpp::Expr> first;
  std::vector<std::pair<std::string, cpp::Expr>> others;
  const auto parameters = layer.parameters();
  const auto firsts = words_of(layer.first).size();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto* value = given[skipped + i];
    if (value == nullptr) continue;
    const auto name = parameters[i].bare_name();
    const auto code = argument_code(*value, name);
    if (i < firsts) first.push_back(code);
    if (i >= firsts) others.emplace_back(name, code);
  }
  std::size_t acting = 0;
  for (const auto& each : first) acting += each.acts() ? 1 : 0;
  for (const auto& [name, each] : others) acting += each.acts() ? 1 : 0;
  if (acting > 1) refuse("several arguments of a layer draw or change something");
  const bool braces =
      std::any_of(first.begin(), first.end(), [](const auto& each) { return each.is(cpp::Kind::braces); });
  if (others.empty() && !braces && skipped == 0) return first;
  if (others.empty() && first.empty()) return {};
  auto options = cpp::call(fmt::format("{}::{}Options", space, layer.name), std::move(first));
  for (auto& [name, value] : others) options = cpp::method(options, name, {value});
  return {options};
}

}  // namespace torchbook::translate
