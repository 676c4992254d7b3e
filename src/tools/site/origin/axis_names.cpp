#include <tools/part/description.h>
#include <tools/part/tensor_bits.h>
#include <tools/site/origin/axis_names.h>
#include <tools/site/origin/operation.h>
#include <torchbook/notebook/cells/axis.h>

#include <algorithm>

namespace torchbook::site {
namespace {

using trace_diff::Made;
using Names = ValueNames::Names;

bool is_elementwise(std::string_view name) {
  return is_one_of(
      name,
      {"add",   "sub",    "mul",       "div",      "true_divide", "exp",          "log",         "sqrt",
       "rsqrt", "neg",    "pow",       "abs",      "tanh",        "sigmoid",      "relu",        "gelu",
       "silu",  "square", "softmax",   "_softmax", "log_softmax", "_log_softmax", "masked_fill", "tril",
       "triu",  "to",     "_to_copy",  "clone",    "contiguous",  "cumsum",       "eq",          "ne",
       "lt",    "le",     "gt",        "ge",       "where",       "maximum",      "minimum",     "dropout",
       "clamp", "round",  "reciprocal"});
}

bool is_reshape(std::string_view name) {
  return is_one_of(name, {"view", "reshape", "flatten", "unflatten", "_unsafe_view", "_reshape_alias"});
}

bool same(const Names& one, const Names& other) { return one == other || (one && other && *one == *other); }

/// Returns what the port names, by value.
std::vector<std::pair<std::size_t, notebook::Axis>> axes_in(const trace_diff::Flow& flow) {
  std::vector<std::pair<std::size_t, notebook::Axis>> axes;
  for (std::size_t i = 0; i < flow.shown().size(); ++i) {
    constexpr std::string_view begin = "axis ";
    const std::string_view text = flow.texts[flow.trace.shown[i].name];
    if (!text.starts_with(begin)) continue;
    if (auto axis = notebook::axis_in(text.substr(begin.size())))
      axes.emplace_back(flow.shown()[i], std::move(*axis));
  }
  return axes;
}

/// Follows the names from value to value, in the order in which the program made them.
class Follower {
 public:
  Follower(const trace_diff::Flow& flow, const std::map<std::size_t, NamedProduct>& products)
      : flow_(flow), products_(products), names_(flow.size()), words_(words_of_ids(flow)) {
    for (auto& [value, axis] : axes_in(flow)) {
      if (axis.dim != notebook::of_words)
        given_[value][static_cast<std::size_t>(axis.dim)] = names_from(axis.names);
    }
    for (const auto& [value, words] : words_) {
      if (auto names = names_by_ids(value, words)) given_[value][rank(value) - 1] = std::move(names);
    }
  }

  std::vector<ValueNames> all() {
    if (given_.empty() && words_.empty()) return {};
    follow_all();
    if (name_classes()) follow_all();
    return std::move(names_);
  }

 private:
  static Names names_from(const std::vector<std::string>& texts) {
    auto names = std::make_shared<std::vector<EntryName>>();
    for (const auto& text : texts) names->push_back({.text = text});
    return names;
  }

  /// Returns the words of the ids in a row, or nullptr if there are several rows.
  Names names_by_ids(std::size_t value, const std::vector<std::string>& words) const {
    const auto shape = flow_.shape(value);
    const auto bits =
        trace_diff::elements_of(flow_.trace, flow_.texts, flow_.trace.tensors[flow_[value].tensor]);
    const auto ids = bits && bits->whole ? golden::values_of(bits->tensor()) : std::nullopt;
    if (shape.empty() || !ids || ids->size() != static_cast<std::size_t>(shape.back())) return nullptr;
    auto names = std::make_shared<std::vector<EntryName>>();
    for (std::size_t i = 0; i < ids->size(); ++i)
      names->push_back({.text = words[static_cast<std::size_t>((*ids)[i])], .ids = value, .index = i});
    return names;
  }

  void follow_all() {
    for (std::size_t value = 0; value < names_.size(); ++value) {
      auto names = followed(value);
      names.dims.resize(rank(value));
      for (const auto& [dim, given] : given_[value]) names.dims[dim] = given;
      const bool is_named = std::ranges::any_of(names.dims, [](const Names& one) { return one != nullptr; });
      if (!is_named) names.dims.clear();
      names_[value] = std::move(names);
    }
  }

  /// Returns the words of the ids that a value has, itself or in what it shows.
  const std::vector<std::string>* vocabulary_of(std::size_t value) const {
    for (; flow_[value].by == Made::By::view && !words_.contains(value);) value = flow_[value].inputs.front();
    const auto found = words_.find(value);
    return found == words_.end() ? nullptr : &found->second;
  }

  /// Names what ids choose from: the rows of an embedding, and the classes of a cross entropy, also of the
  /// logits of which these show a part. Returns whether there are any.
  bool name_classes() {
    bool is_any = false;
    const auto give = [&](std::size_t value, std::size_t dim, const std::vector<std::string>& words) {
      if (dim >= rank(value) || flow_.shape(value)[dim] != static_cast<std::int64_t>(words.size()))
        return false;
      is_any = given_[value].try_emplace(dim, names_from(words)).second || is_any;
      return true;
    };
    for (const auto& step : flow_.steps()) {
      const auto name = trace_diff::plain_name(flow_.texts[flow_.trace.operations[step.operation].name]);
      const bool looks_up = name == "embedding";
      if ((!looks_up && name != "cross_entropy_loss") || step.inputs.size() < 2) continue;
      const auto* words = vocabulary_of(step.inputs[1]);
      if (words == nullptr) continue;
      auto value = step.inputs[0];
      while (give(value, looks_up ? 0 : rank(value) - 1, *words) && flow_[value].by == Made::By::view)
        value = flow_[value].inputs.front();
    }
    return is_any;
  }

  /// Returns the names along a dimension, counted from the last one, which is 1.
  Names along(std::size_t value, std::size_t from_last) const {
    const auto& dims = names_[value].dims;
    return dims.size() < from_last ? nullptr : dims[dims.size() - from_last];
  }

  std::size_t rank(std::size_t value) const { return flow_.shape(value).size(); }

  ValueNames followed(std::size_t value) const {
    const auto& made = flow_[value];
    const auto is_later = [&](std::size_t input) { return input >= value; };
    if (made.inputs.empty() || std::ranges::any_of(made.inputs, is_later)) return {};
    if (made.by == Made::By::view) return of_view(value);
    const auto known = products_.find(value);
    if (made.by == Made::By::insertion)
      return known == products_.end() ? names_[made.inputs.front()] : of_known_product(known->second, value);
    if (made.by != Made::By::operation || made.output != 0) return {};
    if (is_product(flow_, value)) return of_product(value);
    const auto name = operation_name(flow_, value);
    if (is_elementwise(name)) return of_elements(value);
    if (name == "embedding") return of_embedding(value);
    if (name == "cat" || name == "stack") return of_list(value, name == "stack");
    if (is_reshape(name)) return of_reshape(value);
    return is_one_of(name, {"sum", "mean", "amax", "amin"}) ? of_reduction(value) : ValueNames();
  }

  // ------------------------------------------------------------ views

  ValueNames of_view(std::size_t value) const {
    const auto from = flow_[value].inputs.front();
    auto names = names_[from];
    if (const auto part = selected(flow_, value)) return of_selection(std::move(names), *part);
    if (names.dims.empty()) return names;
    if (transposed_from(flow_, value)) {
      std::swap(names.dims.back(), names.dims[names.dims.size() - 2]);
      return names;
    }
    const auto name = flow_.name(flow_[value]);
    if (name == "slice") return of_slice(std::move(names), value);
    if (is_reshape(name)) return of_reshape(value);
    if (is_one_of(name, {"transpose", "swapaxes", "swapdims"})) return of_swap(std::move(names), value);
    if (name == "unsqueeze") {
      const auto dim = dim_in(value, 1);
      if (!dim) return {};
      names.dims.insert(names.dims.begin() + static_cast<std::ptrdiff_t>(*dim), nullptr);
      return names;
    }
    const bool keeps = is_one_of(name, {"alias", "detach", "view_as", "expand", "expand_as", "contiguous"});
    return keeps && std::ranges::equal(flow_.shape(value), flow_.shape(from)) ? names : ValueNames();
  }

  /// Returns the dimension in an argument, counted from the first, or nullopt if there is none.
  std::optional<std::size_t> dim_in(std::size_t value, std::size_t argument) const {
    const auto count = static_cast<std::int64_t>(rank(value));
    const auto dim = whole_argument(flow_, value, argument);
    if (!dim || *dim < -count || *dim >= count) return std::nullopt;
    return static_cast<std::size_t>(*dim < 0 ? *dim + count : *dim);
  }

  ValueNames of_swap(ValueNames names, std::size_t value) const {
    const auto one = dim_in(value, 1), other = dim_in(value, 2);
    if (!one || !other) return {};
    std::swap(names.dims[*one], names.dims[*other]);
    return names;
  }

  /// Keeps the names of a dimension of equal length before equally many elements: a view that splits or joins
  /// other dimensions leaves its entries where they are.
  ValueNames of_reshape(std::size_t value) const {
    const auto from = flow_[value].inputs.front();
    const auto old_shape = flow_.shape(from), shape = flow_.shape(value);
    ValueNames names{.dims = std::vector<Names>(shape.size()), .row = names_[from].row};
    if (names_[from].dims.empty()) return names;
    std::int64_t stride = 1;  // of dimension i: the number of elements after it
    for (auto i = shape.size(); i-- > 0; stride *= shape[i]) {
      std::int64_t old_stride = 1;
      for (auto k = old_shape.size(); k-- > 0; old_stride *= old_shape[k]) {
        const bool is_same = shape[i] > 1 && old_shape[k] == shape[i] && old_stride == stride;
        if (is_same) names.dims[i] = names_[from].dims[k];
      }
    }
    return names;
  }

  static ValueNames of_selection(ValueNames names, const Selected& part) {
    if (names.dims.empty()) return names;
    const auto at = names.dims.begin() + part.dim;
    if (*at) names.row = (**at)[static_cast<std::size_t>(part.index)];
    names.dims.erase(at);
    return names;
  }

  /// Keeps the names of the entries that a slice keeps. Its arguments are dim, start, end and step.
  ValueNames of_slice(ValueNames names, std::size_t value) const {
    const auto along = dim_in(value, 1).value_or(0);
    const auto start = whole_argument(flow_, value, 2).value_or(0);
    const auto step = whole_argument(flow_, value, 4).value_or(1);
    auto& list = names.dims[along];
    if (!list) return names;
    const auto length = static_cast<std::int64_t>(list->size());
    auto kept = std::make_shared<std::vector<EntryName>>();
    const auto first = std::clamp<std::int64_t>(start < 0 ? start + length : start, 0, length);
    for (std::int64_t i = 0; i < flow_.shape(value)[along]; ++i)
      kept->push_back((*list)[static_cast<std::size_t>(first + i * step)]);
    list = std::move(kept);
    return names;
  }

  // ------------------------------------------------------------ operations

  /// Takes the names of all operands that are broadcast to the result. Drops those that contradict.
  ValueNames of_elements(std::size_t value) const {
    const auto shape = flow_.shape(value);
    ValueNames names{.dims = std::vector<Names>(shape.size())};
    for (std::size_t from_last = 1; from_last <= shape.size(); ++from_last) {
      bool contradicts = false;
      auto& result = names.dims[shape.size() - from_last];
      for (const auto input : flow_[value].inputs) {
        const auto own = flow_.shape(input);
        if (own.size() < from_last || own[own.size() - from_last] != shape[shape.size() - from_last])
          continue;
        const auto others = along(input, from_last);
        contradicts |= result && others && !same(result, others);
        if (!result) result = others;
      }
      if (contradicts) result = nullptr;
    }
    names.row = common_row(value);
    return names;
  }

  /// Names the rows that ids choose from a table by the ids.
  ValueNames of_embedding(std::size_t value) const {
    auto names = names_[flow_[value].inputs[1]];
    if (!names.dims.empty()) names.dims.push_back(nullptr);
    return names;
  }

  /// Names the result of `cat` or `stack`. Along the joined dimension, a stack has the names of its tensors
  /// as rows, and a cat those of their entries; along the others, all tensors must have the same names.
  ValueNames of_list(std::size_t value, bool stacks) const {
    const auto& inputs = flow_[value].inputs;
    const auto along_dim = whole_argument(flow_, value, 1) ? dim_in(value, 1) : std::optional<std::size_t>(0);
    const auto parts = rank(value) - (stacks ? 1 : 0);
    const auto is_other = [&](std::size_t input) { return rank(input) != parts; };
    if (!along_dim || std::ranges::any_of(inputs, is_other)) return {};
    ValueNames names{.dims = std::vector<Names>(rank(value))};
    for (std::size_t from_last = 1; from_last <= parts; ++from_last) {
      const auto first = along(inputs.front(), from_last);
      const bool is_common =
          std::ranges::all_of(inputs, [&](auto one) { return same(along(one, from_last), first); });
      const auto dim = parts - from_last;
      if (is_common) names.dims[dim + (stacks && dim >= *along_dim ? 1 : 0)] = first;
    }
    auto joined = std::make_shared<std::vector<EntryName>>();
    bool is_named = true;
    for (const auto input : inputs) {
      const auto entries = stacks ? nullptr : along(input, rank(value) - *along_dim);
      is_named = is_named && (stacks ? !names_[input].row.text.empty() : entries != nullptr);
      if (stacks) joined->push_back(names_[input].row);
      if (entries) joined->insert(joined->end(), entries->begin(), entries->end());
    }
    names.dims[*along_dim] = is_named ? Names(joined) : nullptr;
    return names;
  }

  /// Returns the row of which all operands that have a shape are a part.
  EntryName common_row(std::size_t value) const {
    EntryName row;
    bool is_first = true;
    for (const auto input : flow_[value].inputs) {
      if (rank(input) == 0) continue;
      if (!is_first && names_[input].row != row) return {};
      row = names_[input].row;
      is_first = false;
    }
    return row;
  }

  ValueNames of_reduction(std::size_t value) const {
    const auto from = flow_[value].inputs.front();
    auto names = names_[from];
    names.row = {};
    const auto arguments = flow_.trace.inputs(flow_[value].operation);
    if (names.dims.empty() || arguments.size() < 2 || arguments[1].tag != trace_diff::Tag::list) return {};
    const auto dims = flow_.trace.part({.first = arguments[1].index, .count = arguments[1].count});
    if (dims.size() != 1 || dims[0].tag != trace_diff::Tag::whole) return {};
    const auto dim = static_cast<std::int64_t>(dims[0].bits);
    const auto at = names.dims.begin() + (dim < 0 ? dim + static_cast<std::int64_t>(rank(from)) : dim);
    if (rank(value) == rank(from))
      *at = nullptr;
    else
      names.dims.erase(at);
    return names;
  }

  // ------------------------------------------------------------ products

  ValueNames of_product(std::size_t value) const {
    const auto left = flow_[value].inputs[0], right = flow_[value].inputs[1];
    const bool is_linear = flow_.name(flow_[value]) == "linear";
    ValueNames names;
    if (rank(left) == 1) names.row = names_[left].row;
    if (rank(left) > 1 && rank(right) == 1) names.row = names_[right].row;
    auto& dims = names.dims;
    for (auto from_last = rank(value); from_last > 2; --from_last) {
      const auto batch = along(left, from_last);
      dims.push_back(batch || is_linear ? batch : along(right, from_last));
    }
    if (rank(left) > 1) dims.push_back(along(left, 2));
    if (rank(right) > 1) dims.push_back(along(right, is_linear ? 2 : 1));
    return dims.size() == rank(value) ? names : ValueNames();
  }

  /// Names a product that a loop wrote. A matrix on the left is its rows, and one on the right its columns.
  ValueNames of_known_product(const NamedProduct& product, std::size_t value) const {
    ValueNames names;
    const auto add = [&](const NamedProduct::Side& side, std::size_t from_last) {
      const auto list = rank(side.value) > 1 ? along(side.value, from_last) : nullptr;
      const bool is_vector = rank(side.value) == 1 || side.row;
      if (!is_vector)
        names.dims.push_back(list);
      else if (side.row && along(side.value, 2))
        names.row = (*along(side.value, 2))[static_cast<std::size_t>(*side.row)];
      else
        names.row = names_[side.value].row;
    };
    add(product.left, 2);
    add(product.right, product.transposed ? 2 : 1);
    return names.dims.size() == rank(value) ? names : ValueNames();
  }

  const trace_diff::Flow& flow_;
  const std::map<std::size_t, NamedProduct>& products_;
  std::map<std::size_t, std::map<std::size_t, Names>> given_{};  // by value and dimension
  std::vector<ValueNames> names_;
  std::map<std::size_t, std::vector<std::string>> words_;
};

}  // namespace

EntryNames ValueNames::copied() const {
  EntryNames names{.row = row};
  for (const auto& list : dims) names.dims.push_back(list ? *list : std::vector<EntryName>());
  return names;
}

std::map<std::size_t, std::vector<std::string>> words_of_ids(const trace_diff::Flow& flow) {
  std::map<std::size_t, std::vector<std::string>> words;
  for (auto& [value, axis] : axes_in(flow)) {
    if (axis.dim == notebook::of_words) words[value] = std::move(axis.names);
  }
  return words;
}

std::vector<ValueNames> entry_names(const trace_diff::Flow& flow,
                                    const std::map<std::size_t, NamedProduct>& products) {
  return Follower(flow, products).all();
}

}  // namespace torchbook::site
