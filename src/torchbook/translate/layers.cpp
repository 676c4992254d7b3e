// Has the tables of PyTorch's layers, losses, optimizers and functional forms, and translates their calls.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/translate/translator.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// A class of PyTorch. `first` are the arguments of the class of options in C++, in the order of Python's
/// parameters; `others` are set by their names. A name that ends with `[]` takes a list.
struct Layer {
  std::string_view name;
  std::string_view type;     ///< in C++
  std::string_view options;  ///< empty if it has none
  std::vector<std::string_view> first;
  std::vector<std::string_view> others;
  bool draws = false;  ///< it draws its first weights
};

/// A line for each class; the parameters are those of Python, in its order.
const std::vector<Layer> layers = {
    {"Linear",
     "torchbook::nn::Linear",
     "torch::nn::LinearOptions",
     {"in_features", "out_features"},
     {"bias"},
     true},
    {"Embedding",
     "torch::nn::Embedding",
     "torch::nn::EmbeddingOptions",
     {"num_embeddings", "embedding_dim"},
     {"padding_idx"},
     true},
    {"LayerNorm",
     "torch::nn::LayerNorm",
     "torch::nn::LayerNormOptions",
     {"normalized_shape[]"},
     {"eps", "elementwise_affine"}},
    {"BatchNorm1d",
     "torch::nn::BatchNorm1d",
     "torch::nn::BatchNorm1dOptions",
     {"num_features"},
     {"eps", "momentum", "affine"}},
    {"BatchNorm2d",
     "torch::nn::BatchNorm2d",
     "torch::nn::BatchNorm2dOptions",
     {"num_features"},
     {"eps", "momentum", "affine"}},
    {"Conv1d",
     "torch::nn::Conv1d",
     "torch::nn::Conv1dOptions",
     {"in_channels", "out_channels", "kernel_size"},
     {"stride", "padding", "dilation", "groups", "bias"},
     true},
    {"Conv2d",
     "torch::nn::Conv2d",
     "torch::nn::Conv2dOptions",
     {"in_channels", "out_channels", "kernel_size"},
     {"stride", "padding", "dilation", "groups", "bias"},
     true},
    {"MaxPool1d",
     "torch::nn::MaxPool1d",
     "torch::nn::MaxPool1dOptions",
     {"kernel_size"},
     {"stride", "padding"}},
    {"MaxPool2d",
     "torch::nn::MaxPool2d",
     "torch::nn::MaxPool2dOptions",
     {"kernel_size"},
     {"stride", "padding"}},
    {"AvgPool2d",
     "torch::nn::AvgPool2d",
     "torch::nn::AvgPool2dOptions",
     {"kernel_size"},
     {"stride", "padding"}},
    {"Dropout", "torch::nn::Dropout", "torch::nn::DropoutOptions", {"p"}, {"inplace"}},
    {"Flatten", "torch::nn::Flatten", "torch::nn::FlattenOptions", {}, {"start_dim", "end_dim"}},
    {"Softmax", "torch::nn::Softmax", "torch::nn::SoftmaxOptions", {"dim"}, {}},
    {"LogSoftmax", "torch::nn::LogSoftmax", "torch::nn::LogSoftmaxOptions", {"dim"}, {}},
    {"ReLU", "torch::nn::ReLU", "torch::nn::ReLUOptions", {}, {"inplace"}},
    {"LeakyReLU", "torch::nn::LeakyReLU", "torch::nn::LeakyReLUOptions", {}, {"negative_slope", "inplace"}},
    {"GELU", "torch::nn::GELU", "", {}, {}},
    {"SiLU", "torch::nn::SiLU", "", {}, {}},
    {"Tanh", "torch::nn::Tanh", "", {}, {}},
    {"Sigmoid", "torch::nn::Sigmoid", "", {}, {}},
    {"Identity", "torch::nn::Identity", "", {}, {}},
    {"CrossEntropyLoss", "torch::nn::CrossEntropyLoss", "", {}, {}},
    {"MSELoss", "torch::nn::MSELoss", "", {}, {}},
    {"L1Loss", "torch::nn::L1Loss", "", {}, {}},
    {"NLLLoss", "torch::nn::NLLLoss", "", {}, {}},
    {"BCELoss", "torch::nn::BCELoss", "", {}, {}},
    {"BCEWithLogitsLoss", "torch::nn::BCEWithLogitsLoss", "", {}, {}},
};

const std::vector<Layer> optimizers = {
    {"SGD",
     "torch::optim::SGD",
     "torch::optim::SGDOptions",
     {"lr"},
     {"momentum", "dampening", "weight_decay", "nesterov"}},
    {"Adam",
     "torchbook::optim::Adam",
     "torch::optim::AdamOptions",
     {"lr"},
     {"betas", "eps", "weight_decay", "amsgrad"}},
    {"AdamW",
     "torchbook::optim::AdamW",
     "torch::optim::AdamWOptions",
     {"lr"},
     {"betas", "eps", "weight_decay", "amsgrad"}},
};

/// Functions of torch.nn.functional that are operators: what they are called there, and where the arguments
/// come from.
const std::map<std::string_view, std::string_view> functional = {
    {"softmax", "softmax"},
    {"log_softmax", "log_softmax"},
    {"relu", "relu"},
    {"sigmoid", "sigmoid"},
    {"tanh", "tanh"},
    {"gelu", "gelu"},
    {"silu", "silu"},
    {"mse_loss", "mse_loss"},
    {"l1_loss", "l1_loss"},
    {"cross_entropy", "cross_entropy_loss"},
    {"one_hot", "one_hot"},
    {"linear", "linear"},
    {"layer_norm", "layer_norm"},
    {"cosine_similarity", "cosine_similarity"},
    {"pad", "pad"},
    {"scaled_dot_product_attention", "scaled_dot_product_attention"},
    {"logsigmoid", "log_sigmoid"}};

std::string_view without_brackets(std::string_view name) {
  if (name.ends_with("[]")) name.remove_suffix(2);
  return name;
}

/// Returns an argument in C++. Numbers alone stand for lists of one.
std::string argument_code(const Value& value, std::string_view name) {
  if (name.ends_with("[]") && value.is(Kind::integer)) return fmt::format("{{{}}}", value.code);
  if (value.is(Kind::size)) return fmt::format("{}.vec()", value.sizes);
  if (value.literal && !value.elements.empty()) return in_braces(value.elements);
  if (!value.type.is_number() || value.is(Kind::scalar))
    throw NotPorted("a layer has an option that is no number");
  return value.code;
}

const Layer* find(const std::vector<Layer>& all, std::string_view name) {
  for (const auto& layer : all) {
    if (layer.name == name) return &layer;
  }
  return nullptr;
}

/// Returns the arguments of the class in C++: its first ones, or an object of options. `skipped` arguments
/// come before.
std::string constructor_arguments(const Layer& layer, const Arguments& arguments, std::size_t skipped) {
  std::vector<std::string> first;
  std::string others;
  std::size_t position = skipped;
  std::size_t used = 0;
  for (const auto name : layer.first) {
    if (const auto* value = arguments.find(without_brackets(name), position++)) {
      first.push_back(argument_code(*value, name));
      ++used;
    }
  }
  for (const auto name : layer.others) {
    if (const auto* value = arguments.find(name, position++)) {
      others += fmt::format(".{}({})", name, argument_code(*value, name));
      ++used;
    }
  }
  if (used + skipped != arguments.positional.size() + arguments.named.size()) {
    throw NotPorted(fmt::format("{} has an argument that is not translated", layer.name));
  }
  const bool braces = !first.empty() && first[0].starts_with('{');
  if (others.empty() && !braces && skipped == 0) return fmt::format("{}", fmt::join(first, ", "));
  if (others.empty() && first.empty()) return {};
  return fmt::format("{}({}){}", layer.options, fmt::join(first, ", "), others);
}

}  // namespace

/// `nn.Sequential(a, b)` and `nn.ModuleList([a, b])`, or both of a list that was made before.
Value Translator::call_list_of_modules(const std::string& name, const Arguments& arguments) {
  Type type{.kind = Kind::module, .items = {}, .name = "torch::nn::" + name};
  auto modules = arguments.positional;
  const bool row = name == "Sequential";
  const bool list = modules.size() == 1 && modules[0].is(Kind::list);
  if (list && !modules[0].literal && !modules[0].type.items.empty() &&
      modules[0].type.items[0].is(Kind::module)) {
    if (!row) type.items = modules[0].type.items;
    const auto made = scope().fresh("layers");
    line(fmt::format("{} {};", type.name, made));
    line(fmt::format("for (const auto& each : {}) {}->push_back(each);", modules[0].code, made));
    return value_of(type, made);
  }
  if (list && !row) modules = modules[0].elements;
  if (modules.empty() || !arguments.named.empty())
    throw NotPorted(fmt::format("nn.{} is called in another form", name));
  std::vector<std::string> codes;
  for (const auto& module : modules) {
    if (!module.is(Kind::module))
      throw NotPorted(fmt::format("nn.{} takes something else than modules", name));
    codes.push_back(module.code);
  }
  const bool same =
      std::all_of(modules.begin(), modules.end(), [&](const Value& m) { return m.type == modules[0].type; });
  if (same && !row) type.items = {modules[0].type};
  auto value = value_of(type, fmt::format("{}({})", type.name, fmt::join(codes, ", ")));
  value.acts = true;
  return value;
}

Value Translator::call_nn(const std::string& name, const Arguments& arguments) {
  if (name == "Parameter" || name == "parameter.Parameter") return parameter(arguments);
  if (name == "Sequential" || name == "ModuleList") return call_list_of_modules(name, arguments);
  const auto* layer = find(layers, name);
  if (layer == nullptr) throw NotPorted(fmt::format("nn.{} is not translated", name));
  const bool bare = arguments.positional.empty() && arguments.named.empty();
  if (bare && !layer->first.empty() && name != "Dropout") {
    throw NotPorted(fmt::format("nn.{} lacks the argument {}", name, layer->first[0]));
  }
  if (layer->type.starts_with("torchbook")) need("#include <torchbook/notebook/nn.h>");
  auto value = value_of({.kind = Kind::module, .items = {}, .name = std::string(layer->type)},
                        fmt::format("{}({})", layer->type, constructor_arguments(*layer, arguments, 0)));
  value.acts = layer->draws;
  return value;
}

/// `nn.init.normal_(w, mean=0.0, std=0.02)`
Value Translator::call_init(const std::string& name, const Arguments& arguments) {
  static const std::map<std::string_view, std::vector<std::string_view>> known = {
      {"normal_", {"tensor", "mean", "std"}},
      {"uniform_", {"tensor", "a", "b"}},
      {"zeros_", {"tensor"}},
      {"ones_", {"tensor"}},
      {"constant_", {"tensor", "val"}},
      {"xavier_uniform_", {"tensor", "gain"}},
      {"xavier_normal_", {"tensor", "gain"}}};
  const auto found = known.find(name);
  if (found == known.end()) throw NotPorted(fmt::format("nn.init.{} is not translated", name));
  std::vector<std::string> codes;
  for (std::size_t i = 0; i < found->second.size(); ++i) {
    const auto* value = arguments.find(found->second[i], i);
    if (value == nullptr) break;
    codes.push_back(value->code);
  }
  if (codes.empty() || codes.size() != arguments.positional.size() + arguments.named.size()) {
    throw NotPorted(fmt::format("nn.init.{} is called in another form", name));
  }
  auto value = tensor_of(fmt::format("torch::nn::init::{}({})", name, fmt::join(codes, ", ")));
  value.acts = true;
  return value;
}

Value Translator::call_optimizer(const std::string& name, const Arguments& arguments) {
  const auto* optimizer = find(optimizers, name);
  if (optimizer == nullptr || arguments.positional.empty())
    throw NotPorted(fmt::format("torch.optim.{} is not translated", name));
  const auto& parameters = arguments.positional[0];
  const bool fits = parameters.is(Kind::list) && !parameters.type.items.empty() &&
                    parameters.type.items[0].is(Kind::tensor);
  if (!fits) throw NotPorted("an optimizer takes something else than a list of parameters");
  const auto given = parameters.literal ? in_braces(parameters.elements) : parameters.code;
  if (optimizer->type.starts_with("torchbook")) need("#include <torchbook/notebook/optim.h>");
  const auto options = constructor_arguments(*optimizer, arguments, 1);
  if (options.empty() && name == "SGD") throw NotPorted("torch.optim.SGD has no learning rate");
  auto value =
      value_of({.kind = Kind::optimizer, .items = {}, .name = std::string(optimizer->type)},
               fmt::format("{}({}{}{})", optimizer->type, given, options.empty() ? "" : ", ", options));
  value.acts = true;
  return value;
}

Value Translator::call_functional(const std::string& name, const Arguments& arguments) {
  const auto found = functional.find(name);
  if (found == functional.end()) throw NotPorted(fmt::format("F.{} is not translated", name));
  return call_torch(found->second, arguments, false);
}

}  // namespace torchbook::translate
