#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/match.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/functions/function_calls.h>
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

/// `TensorDataset(x, y)`
Value tensor_dataset_of(const Arguments& arguments) {
  for (const auto& tensor : arguments.positional) {
    if (!tensor.is(Kind::tensor)) refuse("a TensorDataset takes something other than tensors");
  }
  if (arguments.positional.empty()) refuse("a TensorDataset has no tensors");
  const auto type = tensor_dataset_type(arguments.positional.size());
  return value_of(type, cpp::call(type.name(), expressions_of(arguments.positional)));
}

}  // namespace

Type tensor_dataset_type(std::size_t tensors) {
  Type item = Kind::tuple;
  item.items.assign(tensors, Type(Kind::tensor));
  const std::vector<std::string> types(tensors, "Tensor");
  return named_type(Kind::data_set, fmt::format("{}{}>", tensor_dataset, fmt::join(types, ", ")), {item});
}

/// Returns the type of the items of a data set.
static Type item_of(Builder& b, const Type& type) {
  if (type.is(Kind::tensor)) return Type(Kind::tensor);
  if (type.is(Kind::data_set)) return type.items[0];
  if (auto* made = b.class_of(type); made != nullptr && made->methods.contains("__getitem__")) {
    auto& method = made->methods.at("__getitem__");
    check_call(b, method, {Type(Kind::integer)});
    if (method.translated) return method.result;
  }
  refuse("it takes items of {}", in_words(type));
}

/// Returns the type of the items of a data set whose length is asked for.
static Type item_of_sized(Builder& b, const Type& dataset) {
  const auto* const made = b.class_of(dataset);
  if (made != nullptr && !made->methods.contains("__len__")) refuse("a data set has no __len__");
  return item_of(b, dataset);
}

Type subset_type(Builder& b, const Type& dataset) {
  return named_type(Kind::data_set, fmt::format("{}{}>", subset, cpp_type(dataset)),
                    {item_of_sized(b, dataset)});
}

Type loader_type(Builder& b, const Type& dataset) {
  return named_type(Kind::loader, fmt::format("torchbook::data::DataLoader<{}>", cpp_type(dataset)),
                    {batch_of(item_of_sized(b, dataset)), dataset});
}

/// `Subset(dataset, [0, 2])`
static Value subset_of(Builder& b, const Arguments& arguments) {
  const auto [dataset, places] = match("Subset", arguments, {{"dataset"}, {"indices"}});
  const auto rows = rows_of(b, *places);
  if (!rows.type.items[0].is(Kind::integer)) refuse("a Subset takes something other than ints");
  const auto type = subset_type(b, dataset->type);
  return value_of(type, cpp::call(type.name(), {dataset->expr, rows.expr}));
}

/// `random_split(dataset, [80, 20])`
static Value random_split(Builder& b, const Arguments& arguments) {
  const auto [dataset, lengths, generator] =
      match("random_split", arguments,
            {{"dataset"}, {"lengths", {Kind::list}}, {"generator", {Kind::random}, true}});
  if (!lengths->literal) refuse("random_split takes lengths that are not written out");
  const auto part = subset_type(b, dataset->type);
  std::vector<cpp::Expr> given = {dataset->expr, in_braces(lengths->elements)};
  if (generator != nullptr) given.push_back(generator->expr);
  return value_of(list_of(part), cpp::call("torchbook::data::random_split", std::move(given)));
}

/// `DataLoader(dataset, batch_size=32)`
static Value loader_of(Builder& b, const Arguments& arguments) {
  const std::vector<Kind> numbers = {Kind::integer, Kind::boolean};
  const std::vector<CallParameter> options = {{"dataset"},
                                              {"batch_size", numbers, true},
                                              {"shuffle", numbers, true},
                                              {"*drop_last", numbers, true},
                                              {"*num_workers", numbers, true},
                                              {"*generator", {Kind::random}, true}};
  const auto given = match_row("DataLoader", arguments, options);
  const auto& dataset = *given[0];
  const auto type = loader_type(b, dataset.type);
  const auto* batch_size = given[1];
  auto chosen = cpp::call("torchbook::data::DataLoaderOptions",
                          batch_size == nullptr ? std::vector<cpp::Expr>{} : std::vector{batch_size->expr});
  bool any = batch_size != nullptr;
  for (std::size_t i = 2; i < given.size(); ++i) {
    const auto name = options[i].bare_name();
    if (given[i] == nullptr || (name == "num_workers" && given[i]->number == "0")) continue;
    chosen = cpp::method(chosen, name, {given[i]->expr});
    any = true;
  }
  std::vector<cpp::Expr> parts = {dataset.expr};
  if (any) parts.push_back(chosen);
  return value_of(type, cpp::call(type.name(), std::move(parts)));
}

Value call_data(Builder& b, const std::string& name, const Arguments& arguments) {
  if (name == "TensorDataset") return tensor_dataset_of(arguments);
  if (name == "Subset") return subset_of(b, arguments);
  if (name == "random_split") return random_split(b, arguments);
  if (name == "DataLoader") return loader_of(b, arguments);
  refuse("torch.utils.data.{} is not translated", name);
}

Value data_item(Builder& b, const Value& data, const Node& slice) {
  const auto place = expression(b, slice);
  if (!place.is(Kind::integer)) refuse("an index of {} is not translated", in_words(data.type));
  const auto* made = b.class_of(data.type);
  const bool shared = made != nullptr && made->is_shared;
  auto value = value_of(item_of(b, data.type), {});
  value.expr = cpp::subscript(shared ? cpp::unary("*", data.expr) : data.expr, place.expr);
  if (made != nullptr) value.expr = value.expr.with_only(made->methods.find("__getitem__")->second.effects);
  return value;
}

Value data_length(Builder& /*b*/, const Value& data) {
  return value_of(Kind::integer, cpp::method(data.expr, "size"));
}

}  // namespace torchbook::translate
