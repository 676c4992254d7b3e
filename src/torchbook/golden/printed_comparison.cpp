// Finds the first place where two texts disagree, and the values there.
#include <torchbook/golden/printed_comparison.h>
#include <torchbook/golden/printed_number.h>

#include <algorithm>
#include <cmath>

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

/// Returns the index at which the `torch.Size` around a token is, if there is one.
std::size_t start_of_size(const Printed& printed, std::size_t at) {
  while (at > 0 && (printed.tokens[at - 1].number || text_at(printed, at - 1) == ",")) --at;
  return std::max<std::size_t>(at, 3) - 3;
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

/// Returns the mismatch of the values at `at`, the first token in which two texts do not agree: tensors or
/// sizes around it that differ in shape or dtype, or values of different kinds (an int and a float, a tensor
/// and a number, None and a value). Kinds are recognized by how a value starts.
std::optional<Mismatch> mismatch_at(const Printed& golden, const Printed& actual, std::size_t at) {
  const auto tensor = golden.tokens[at].tensor;
  if (tensor != 0 && tensor == actual.tokens[at].tensor) {
    if (auto mismatch = tensor_mismatch(golden, actual, tensor)) return mismatch;
  }
  if (auto mismatch = size_mismatch(golden, actual, at)) return mismatch;
  return kind_mismatch(golden, actual, at);
}

/// Returns the values of both texts at the token `at`. They must be of one kind.
PrintedPair pair_at(const Printed& golden, const Printed& actual, std::size_t at) {
  const PrintedToken& left = golden.tokens[at];
  const PrintedToken& right = actual.tokens[at];
  PrintedPair pair{.golden = std::string(piece(golden.text, left.range)),
                   .actual = std::string(piece(actual.text, right.range))};
  if (left.element) {
    pair.tensor = left.tensor;
    pair.index = golden.index_of(left);
  }
  if (!left.number) return pair;  // two bools
  const PrintedNumber number(pair.golden);
  pair.absolute = number.distance(PrintedNumber(pair.actual));
  pair.relative = *pair.absolute / std::fabs(number.value());
  return pair;
}

/// Returns the values at the token `at`, where the texts disagree, or nullopt if there are no
/// values.
std::optional<PrintedPair> differing_pair(const Printed& golden, const Printed& actual, std::size_t at) {
  const PrintedToken& left = golden.tokens[at];
  const PrintedToken& right = actual.tokens[at];
  if (auto mismatch = mismatch_at(golden, actual, at)) {
    const std::size_t tensor = left.tensor == right.tensor ? left.tensor : 0;
    return PrintedPair{.tensor = tensor, .mismatch = std::move(mismatch)};
  }
  const auto is_value = [](const PrintedToken& token) { return token.number || token.element; };
  if (!is_value(left) || !is_value(right)) return std::nullopt;
  return pair_at(golden, actual, at);
}

}  // namespace

PrintedComparison compare_printed(std::string_view golden, std::string_view actual) {
  const Printed left = read_printed(golden);
  const Printed right = read_printed(actual);
  PrintedComparison comparison;
  for (std::size_t i = 0; i < std::min(left.tokens.size(), right.tokens.size()); ++i) {
    const auto one = piece(golden, left.tokens[i].range);
    const auto other = piece(actual, right.tokens[i].range);
    if (one == other) continue;
    const bool numbers = left.tokens[i].number && right.tokens[i].number;
    if (!numbers || !PrintedNumber(one).agrees_with(PrintedNumber(other))) {
      comparison.first = differing_pair(left, right, i);
      return comparison;
    }
    if (!comparison.first && PrintedNumber(one).distance(PrintedNumber(other)) != 0) {
      comparison.first = pair_at(left, right, i);
    }
  }
  comparison.agree = left.tokens.size() == right.tokens.size();
  if (!comparison.agree) comparison.first.reset();
  return comparison;
}

}  // namespace torchbook::golden
