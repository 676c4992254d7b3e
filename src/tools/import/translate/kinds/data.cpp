// Translates torch.utils.data: data sets, and loaders that make batches of them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/data.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/rows/calls_by_schema.h>

namespace torchbook::translate {
namespace {

constexpr std::string_view tensor_dataset = "torchbook::data::TensorDataset<";
constexpr std::string_view subset = "torchbook::data::Subset<";

/// Returns the type of a batch of items.
Type batch_of(const Type& item) {
  if (item.is(Kind::tensor) || item.is(Kind::integer) || item.is(Kind::floating)) return Type(Kind::tensor);
  if (!item.is(Kind::tuple)) refuse("a loader makes batches of {}", in_words(item));
  auto batch = tuple_type({}, types::Group::batch);
  for (const auto& part : item.items) batch.items.push_back(batch_of(part));
  return batch;
}

/// Returns the options of a loader: `{.batch_size = 32}`; empty if it has none.
cpp::Expr loader_options(const Arguments& arguments) {
  std::vector<std::string> names;
  std::vector<cpp::Expr> values;
  std::size_t used = 1;
  std::size_t position = 1;
  for (const auto* option : {"batch_size", "shuffle", "drop_last", "num_workers"}) {
    const auto* value = arguments.find(option, position <= 2 ? position++ : Arguments::by_name);
    if (value == nullptr) continue;
    ++used;
    if (!value->is(Kind::integer) && !value->is(Kind::boolean)) refuse("a loader has another option");
    if (std::string_view(option) == "num_workers" && value->number == "0") continue;
    names.emplace_back(option);
    values.push_back(value->expr);
  }
  if (used != arguments.count()) refuse("a loader has an option that is not translated");
  return names.empty() ? cpp::Expr() : cpp::fields("", std::move(names), std::move(values));
}

/// `TensorDataset(x, y)`
Value tensor_dataset_of(const Arguments& arguments) {
  Type item = Kind::tuple;
  for (const auto& tensor : arguments.positional) {
    if (!tensor.is(Kind::tensor)) refuse("a TensorDataset takes something else than tensors");
    item.items.push_back(Type(Kind::tensor));
  }
  if (item.items.empty()) refuse("a TensorDataset has no tensors");
  const std::vector<std::string> types(item.items.size(), "Tensor");
  const auto type = fmt::format("{}{}>", tensor_dataset, fmt::join(types, ", "));
  return value_of(named_type(Kind::data_set, type, {item}),
                  cpp::call(type, expressions_of(arguments.positional)));
}

}  // namespace

/// Returns the type of the items of a data set.
static Type item_of(Builder& b, const Value& dataset) {
  const auto& type = dataset.type;
  if (dataset.is(Kind::tensor)) return Type(Kind::tensor);
  if (type.is(Kind::data_set)) return type.items[0];
  if (auto* made = b.class_of(type); made != nullptr && made->methods.contains("__getitem__")) {
    auto& method = made->methods.at("__getitem__");
    b.learn_call(method, {Type(Kind::integer)});
    if (method.translated) return method.result;
  }
  refuse("it takes items of {}", in_words(type));
}

Value call_data(Builder& b, const std::string& name, const Arguments& arguments) {
  if (name == "TensorDataset") return tensor_dataset_of(arguments);
  const auto* dataset = arguments.find("dataset", 0);
  if (dataset == nullptr) refuse("torch.utils.data.{} is not translated", name);
  const auto item = item_of(b, *dataset);
  const auto* made = b.class_of(dataset->type);
  if (made != nullptr && !made->methods.contains("__len__")) refuse("a data set has no __len__");
  const auto of = cpp_type(dataset->type);
  if (const auto* places = arguments.find("indices", 1); name == "Subset" && places != nullptr) {
    const auto rows = rows_of(b, *places);
    if (!rows.type.items[0].is(Kind::integer)) refuse("a Subset takes something else than ints");
    const auto type = fmt::format("{}{}>", subset, of);
    return value_of(named_type(Kind::data_set, type, {item}), cpp::call(type, {dataset->expr, rows.expr}));
  }
  const auto* generator = arguments.find("generator", 2);
  const bool drawn = generator == nullptr ? arguments.named.empty()
                                          : generator->is(Kind::random) && arguments.named.size() == 1;
  if (name == "random_split" && arguments.positional.size() == 2 && drawn &&
      arguments.positional[1].is(Kind::list) && arguments.positional[1].literal) {
    const auto part = named_type(Kind::data_set, fmt::format("{}{}>", subset, of), {item});
    std::vector<cpp::Expr> given = {dataset->expr, in_braces(arguments.positional[1].elements)};
    if (generator != nullptr) given.push_back(generator->expr);
    return value_of(list_of(part), cpp::call("torchbook::data::random_split", std::move(given)));
  }
  if (name != "DataLoader") refuse("torch.utils.data.{} is not translated", name);
  std::vector<cpp::Expr> given = {dataset->expr};
  if (auto options = loader_options(arguments)) given.push_back(std::move(options));
  const auto type = fmt::format("torchbook::data::DataLoader<{}>", of);
  return value_of(named_type(Kind::loader, type, {batch_of(item), dataset->type}),
                  cpp::call(type, std::move(given)));
}

Value data_item(Builder& b, const Value& data, const Node& slice) {
  const auto place = expression(b, slice);
  if (!place.is(Kind::integer)) refuse("an index of {} is not translated", in_words(data.type));
  const auto* made = b.class_of(data.type);
  const bool shared = made != nullptr && made->is_shared;
  auto value = value_of(item_of(b, data), {});
  value.expr = cpp::subscript(shared ? cpp::unary("*", data.expr) : data.expr, place.expr);
  if (made != nullptr) value.expr = value.expr.with_only(made->methods.find("__getitem__")->second.effects);
  return value;
}

Value data_length(Builder& /*b*/, const Value& data) {
  return value_of(Kind::integer, cpp::method(data.expr, "size"));
}

}  // namespace torchbook::translate
