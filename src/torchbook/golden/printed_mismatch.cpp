// Recognizes the kinds of values by how they start.
#include <torchbook/golden/printed_mismatch.h>
#include <torchbook/golden/printed_number.h>

#include <string>

namespace torchbook::golden {
namespace {

std::string_view text_at(const Printed& printed, std::size_t at) {
  return at < printed.tokens.size() ? piece(printed.text, printed.tokens[at].range) : std::string_view{};
}

std::string shape_of(const PrintedTensor& tensor) {
  return tensor.shape ? shape_text(*tensor.shape) : std::string();
}

/// Compares a tensor that began with the same tokens in both texts.
std::optional<Mismatch> tensor_mismatch(const Printed& golden, const Printed& actual, std::size_t tensor) {
  const PrintedTensor& left = golden.tensors[tensor - 1];
  const PrintedTensor& right = actual.tensors[tensor - 1];
  if (left.shape && right.shape && left.shape != right.shape) {
    return mismatch_of("shape", shape_of(right), shape_of(left));
  }
  const auto dtype = [](const Printed& printed, const PrintedTensor& of) {
    const auto text = piece(printed.text, of.dtype);
    return text.empty() ? std::string("the default") : std::string(text);
  };
  if (!left.shape || !right.shape || dtype(golden, left) == dtype(actual, right)) return std::nullopt;
  return mismatch_of("dtype", dtype(actual, right), dtype(golden, left));
}

/// Returns the sizes of the `torch.Size([` at a token, as the text of a tuple. Returns an empty text if there
/// is no `torch.Size([`.
std::string size_at(const Printed& printed, std::size_t at) {
  if (text_at(printed, at) != "torch.Size" || text_at(printed, at + 1) != "(" ||
      text_at(printed, at + 2) != "[") {
    return {};
  }
  std::string sizes;
  std::size_t count = 0;
  for (at += 3; at < printed.tokens.size() && printed.tokens[at].number; at += 2) {
    if (count++ != 0) sizes += ", ";
    sizes += text_at(printed, at);
    if (text_at(printed, at + 1) != ",") {
      ++at;
      break;
    }
  }
  if (text_at(printed, at) != "]") return {};
  return '(' + sizes + (count == 1 ? ",)" : ")");
}

/// Returns the index of the `torch.Size` around a token, or `at` if there is none.
std::size_t start_of_size(const Printed& printed, std::size_t at) {
  std::size_t start = at;
  while (start > 0 && (printed.tokens[start - 1].number || text_at(printed, start - 1) == ",")) --start;
  return start >= 3 && text_at(printed, start - 3) == "torch.Size" ? start - 3 : at;
}

std::optional<Mismatch> size_mismatch(const Printed& golden, const Printed& actual, std::size_t at) {
  const auto left = size_at(golden, start_of_size(golden, at));
  const auto right = size_at(actual, start_of_size(actual, at));
  if (left.empty() || right.empty() || left == right) return std::nullopt;
  return mismatch_of("size", right, left);
}

/// The text and the kind of a value, for messages: `4` is `an int`. Either may be empty: None has
/// only the text `None`, a tensor only the kind `a tensor of shape (2,)`.
struct Value {
  std::string text{};
  std::string kind{};
};

Value number_at(const Printed& printed, std::size_t at) {
  const PrintedNumber number(text_at(printed, at));
  const bool goes_on =
      at + 1 < printed.tokens.size() && printed.tokens[at].range.end == printed.tokens[at + 1].range.begin;
  const bool complex = goes_on && (printed.tokens[at + 1].number || text_at(printed, at + 1) == "j");
  return {std::string(text_at(printed, at)), complex            ? "part of a complex number"
                                             : number.integer() ? "an int"
                                                                : "a float"};
}

/// Returns whether a bracket follows a word without a space, as the parenthesis of a call does.
bool is_attached(const Printed& printed, std::size_t at) {
  if (at == 0 || printed.tokens[at - 1].range.end != printed.tokens[at].range.begin) return false;
  constexpr std::string_view before_a_value = "([{,=:<>'\"|";
  return before_a_value.find(text_at(printed, at - 1).back()) == before_a_value.npos;
}

/// Returns the value that starts at a token, or nullopt for words and punctuation.
std::optional<Value> value_at(const Printed& printed, std::size_t at) {
  const PrintedToken& token = printed.tokens[at];
  const auto text = text_at(printed, at);
  if (token.number) return number_at(printed, at);
  if (text == "True" || text == "False") return Value{std::string(text), "a bool"};
  if (text == "None") return Value{.text = "None"};
  if (text == "tensor" && token.tensor != 0) {
    const auto shape = shape_of(printed.tensors[token.tensor - 1]);
    return Value{.kind = shape.empty() ? "a tensor" : "a tensor of shape " + shape};
  }
  if (const auto size = size_at(printed, at); !size.empty()) return Value{.kind = "a torch.Size of " + size};
  if (token.tensor != 0 || is_attached(printed, at)) return std::nullopt;
  if (text == "[") return Value{.kind = "a list"};
  if (text == "(") return Value{.kind = "a tuple"};
  return std::nullopt;
}

std::optional<Mismatch> kind_mismatch(const Printed& golden, const Printed& actual, std::size_t at) {
  const auto left = value_at(golden, at);
  const auto right = value_at(actual, at);
  if (!left || !right || left->kind == right->kind) return std::nullopt;
  const auto joined = [](const Value& value, const std::string& between) {
    return value.text.empty() || value.kind.empty() ? value.text + value.kind
                                                    : value.text + between + value.kind;
  };
  return Mismatch{.actual = joined(*right, " is "), .golden = joined(*left, " ")};
}

}  // namespace

std::optional<Mismatch> mismatch_at(const Printed& golden, const Printed& actual, std::size_t at) {
  const auto tensor = golden.tokens[at].tensor;
  if (tensor != 0 && tensor == actual.tokens[at].tensor) {
    if (auto mismatch = tensor_mismatch(golden, actual, tensor)) return mismatch;
  }
  if (auto mismatch = size_mismatch(golden, actual, at)) return mismatch;
  return kind_mismatch(golden, actual, at);
}

}  // namespace torchbook::golden
