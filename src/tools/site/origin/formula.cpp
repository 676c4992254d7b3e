// Writes operations as a formula.
#include <fmt/format.h>
#include <tools/site/origin/operation.h>
#include <tools/site/origin/origin.h>

#include <algorithm>
#include <map>
#include <utility>

namespace torchbook::site {
namespace {

using trace_diff::Made;
using trace_diff::Tag;

constexpr int deepest = 6;
constexpr std::size_t most_parts = 24;

/// Thrown if an operation cannot be written as a readable formula.
struct NoFormula {};

std::string_view sign_of(std::string_view operation) {
  static const std::map<std::string_view, std::string_view> signs = {
      {"add", "+"}, {"sub", "−"}, {"mul", "×"}, {"div", "/"}, {"matmul", "@"}, {"mm", "@"},
      {"bmm", "@"}, {"mv", "@"},  {"eq", "=="}, {"ne", "!="}, {"lt", "<"},     {"gt", ">"}};
  const auto found = signs.find(operation);
  return found == signs.end() ? std::string_view() : found->second;
}

/// Returns how many arguments of a function a formula shows. Later arguments, such as dtypes, are
/// only numbers in a trace. Returns 0 if the function cannot be shown.
std::size_t most_arguments(std::string_view function, bool takes_tensors) {
  if (function.starts_with('_')) return 0;
  if (is_one_of(function, {"sum", "mean", "prod", "cumsum", "cumprod", "softmax", "log_softmax", "full"}))
    return 2;
  if (is_one_of(function, {"zeros", "ones", "eye", "rand", "randn"})) return 1;
  return takes_tensors ? most_parts : 0;
}

class Formula {
 public:
  Formula(const trace_diff::Flow& flow, const FindPicture& picture_of)
      : flow_(flow), picture_of_(picture_of) {}

  /// Writes the operation that made a value.
  void write_operation(std::size_t value, bool inside = false) {
    const auto& made = flow_[value];
    if (made.by != Made::By::operation && made.by != Made::By::view) throw NoFormula();
    if (++depth_ > deepest || !flow_.texts[flow_.trace.operations[made.operation].name].starts_with("aten::"))
      throw NoFormula();
    if (made.by == Made::By::view) {
      write_view(value);
    } else if (!write_signed(value, inside)) {
      write_call(value);
    }
    --depth_;
  }

  std::vector<FormulaPart> parts() {
    if (!text_.empty()) parts_.push_back({.text = std::exchange(text_, {})});
    return std::move(parts_);
  }

 private:
  void write_operand(std::size_t value) {
    if (const auto picture = picture_of_(value)) {
      parts_.push_back({.text = std::exchange(text_, {}), .tensor = picture});
      if (parts_.size() > most_parts) throw NoFormula();
    } else {
      write_operation(value, true);
    }
  }

  void write_number(double number) { text_ += fmt::format("{:.4g}", number); }

  /// Writes an argument of the operation of `value`. `next` counts the tensors among the arguments.
  void write_argument(std::size_t value, const trace_diff::Value& argument, std::size_t& next) {
    std::size_t operand = trace_diff::Flow::none;
    if (argument.tag == Tag::tensor) operand = flow_[value].inputs.at(next++);
    if (const auto number = number_of(flow_, argument, operand)) {
      write_number(*number);
    } else if (argument.tag == Tag::tensor) {
      write_operand(operand);
    } else {
      throw NoFormula();
    }
  }

  /// Writes `a + b`, in parentheses if `inside`. Returns false if the operation cannot be written
  /// with a sign.
  bool write_signed(std::size_t value, bool inside) {
    const auto sign = sign_of(operation_name(flow_, value));
    const auto inputs = flow_.trace.inputs(flow_[value].operation);
    if (sign.empty() || inputs.size() < 2) return false;
    if (inputs.size() > 2 && inputs[2].tag != Tag::none &&
        (sign == "/" || number_of(flow_, inputs[2], 0) != 1))
      return false;  // a rounded quotient, or a sum with a factor
    std::size_t next = 0;
    if (inside) text_ += '(';
    write_argument(value, inputs[0], next);
    text_ += fmt::format(" {} ", sign);
    write_argument(value, inputs[1], next);
    if (inside) text_ += ')';
    return true;
  }

  /// Writes a view, such as `row 2 of x`.
  void write_view(std::size_t value) {
    const auto name = operation_name(flow_, value);
    if (const auto from = transposed_from(flow_, value)) {
      text_ += "transposed ";
      return write_operand(*from);
    }
    if (const auto part = selected(flow_, value)) return write_selected(*part);
    if (is_one_of(name, {"view", "reshape", "flatten", "squeeze", "unsqueeze", "_unsafe_view"})) {
      text_ += "reshaped ";
    } else if (is_one_of(name, {"slice", "narrow", "chunk", "split", "unbind", "split_with_sizes"})) {
      text_ += "a part of ";
    } else {
      return write_call(value);
    }
    write_operand(flow_[value].inputs.front());
  }

  void write_selected(const Selected& part) {
    const auto rank = flow_.shape(part.from).size();
    const auto outer = selected(flow_, part.from);
    if (rank == 1 && outer && outer->dim == 0 && flow_.shape(outer->from).size() == 2 &&
        !picture_of_(part.from)) {
      text_ += fmt::format("entry [{}, {}] of ", outer->index, part.index);
      return write_operand(outer->from);
    }
    if (rank == 1 || (part.dim == 0 && rank > 2)) {
      text_ += fmt::format("{}[{}] of ", rank == 1 ? "entry " : "", part.index);
    } else if (rank == 2) {
      text_ += fmt::format("{} {} of ", part.dim == 0 ? "row" : "column", part.index);
    } else {
      throw NoFormula();
    }
    write_operand(part.from);
  }

  /// Writes `sum(x, 1)`: the tensors and numbers among the arguments.
  void write_call(std::size_t value) {
    const auto name = operation_name(flow_, value);
    const auto inputs = flow_.trace.inputs(flow_[value].operation);
    if (name == "to" || name == "_to_copy") {
      write_operand(flow_[value].inputs.front());
      text_ += " as " + flow_.texts[flow_.trace.tensors[flow_[value].tensor].dtype];
      return;
    }
    const auto most = most_arguments(name, !flow_[value].inputs.empty());
    if (most == 0 || flow_[value].output != 0) throw NoFormula();
    text_ += fmt::format("{}(", name);
    std::size_t next = 0;
    bool first = true;
    for (const auto& argument : inputs.first(std::min(most, inputs.size()))) {
      if (argument.tag == Tag::none || argument.tag == Tag::boolean || argument.tag == Tag::text) continue;
      if (!first) text_ += ", ";
      first = false;
      argument.tag == Tag::list ? write_list(value, argument, next) : write_argument(value, argument, next);
    }
    text_ += ')';
  }

  void write_list(std::size_t value, const trace_diff::Value& list, std::size_t& next) {
    const auto items = flow_.trace.part({.first = list.index, .count = list.count});
    if (items.size() > most_parts) throw NoFormula();
    if (items.size() != 1) text_ += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i != 0) text_ += ", ";
      write_argument(value, items[i], next);
    }
    if (items.size() != 1) text_ += ']';
  }

  const trace_diff::Flow& flow_;
  const FindPicture& picture_of_;
  std::vector<FormulaPart> parts_;
  std::string text_;  // after the last picture
  int depth_ = 0;
};

}  // namespace

std::optional<std::vector<FormulaPart>> formula_of(const trace_diff::Flow& flow, std::size_t value,
                                                   const FindPicture& picture_of) {
  Formula formula(flow, picture_of);
  try {
    formula.write_operation(value);
  } catch (const NoFormula&) {
    return std::nullopt;
  }
  auto parts = formula.parts();
  const auto names_one = [](const FormulaPart& part) { return part.tensor.has_value(); };
  if (std::none_of(parts.begin(), parts.end(), names_one)) return std::nullopt;
  return parts;
}

}  // namespace torchbook::site
