// Reads by recursive descent.
#include <fmt/format.h>
#include <tools/seed/call_text.h>
#include <tools/seed/expression.h>
#include <torchbook/notebook/parse_integer.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <utility>

namespace torchbook::seeds {
namespace {

using Kind = Expression::Kind;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Returns the result of an operation, or nullopt if it is not supported or does not fit 64 bits.
std::optional<std::int64_t> computed(std::string_view operation, std::int64_t a, std::int64_t b) {
  std::int64_t result = 1;
  if (operation == "+") return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (operation == "-") return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (operation == "*") return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (operation == "//") return a < 0 || b <= 0 ? std::nullopt : std::optional(a / b);
  if (b < 0 || b > 64) return std::nullopt;
  for (; b > 0; --b) {
    if (__builtin_mul_overflow(result, a, &result)) return std::nullopt;
  }
  return result;
}

class Reader {
 public:
  Reader(std::string_view text, const Constants& constants) : left_(text), constants_(constants) {}

  Expression whole() {
    auto expression = sum();
    skip_spaces();
    if (!left_.empty()) fail();
    return expression;
  }

 private:
  static constexpr int deepest = 8;

  [[noreturn]] void fail() const {
    if (left_.empty()) throw SeedError("the call ends too early");
    throw SeedError(
        fmt::format("the call cannot be read from \"{}\" on; it takes numbers only", left_.substr(0, 20)));
  }

  void skip_spaces() { left_.remove_prefix(std::min(left_.find_first_not_of(" \t\n"), left_.size())); }

  bool take(std::string_view what) {
    skip_spaces();
    if (!left_.starts_with(what)) return false;
    left_.remove_prefix(what.size());
    return true;
  }

  std::string word(bool (*belongs)(char)) {
    std::size_t size = 0;
    while (size < left_.size() && belongs(left_[size])) ++size;
    std::string taken(left_.substr(0, size));
    left_.remove_prefix(size);
    return taken;
  }

  std::string name() {
    return word([](char c) { return is_letter(c) || is_digit(c); });
  }

  Expression number() {
    const auto is_part = [](char c) { return is_digit(c) || c == '.' || c == '_'; };
    auto digits = word(is_part);
    if (left_.starts_with('e')) {
      left_.remove_prefix(1);
      digits += left_.starts_with('-') ? "e-" : "e";
      if (left_.starts_with('-') || left_.starts_with('+')) left_.remove_prefix(1);
      digits += word(is_digit);
    }
    std::erase(digits, '_');
    return {.kind = Kind::number, .text = std::move(digits)};
  }

  Expression string() {
    const char quote = left_.front();
    const auto end = left_.find(quote, 1);
    if (end == left_.npos) throw SeedError("a string in the call has no end");
    Expression read{.kind = Kind::string, .text = std::string(left_.substr(1, end - 1))};
    left_.remove_prefix(end + 1);
    return read;
  }

  /// Takes `name =`, and returns the name. Otherwise takes nothing, and returns an empty text.
  std::string keyword() {
    skip_spaces();
    const auto before = left_;
    if (!left_.empty() && is_letter(left_.front())) {
      auto read = name();
      if (take("=")) return read;
    }
    left_ = before;
    return {};
  }

  /// Reads items or arguments up to and including the closing bracket.
  void fill(Expression& to, std::string_view close) {
    while (!take(close)) {
      const auto name = to.kind == Kind::call ? keyword() : std::string();
      auto item = sum();
      if (name.empty()) {
        to.items.push_back(std::move(item));
      } else {
        to.named.insert_or_assign(name, std::move(item));
      }
      if (!take(",") && !left_.starts_with(close)) fail();
    }
  }

  /// Reads a list, a tuple or an expression in parentheses: `(3)` is 3, and `(3,)` is a tuple.
  Expression bracket() {
    Expression sequence{.kind = Kind::sequence};
    if (take("[")) {
      fill(sequence, "]");
      return sequence;
    }
    take("(");
    const auto text = left_;
    fill(sequence, ")");
    const auto inside = text.substr(0, text.size() - left_.size() - 1);
    const bool tuple =
        sequence.items.size() != 1 || inside.substr(0, inside.find_last_not_of(" \t\n") + 1).ends_with(',');
    return tuple ? sequence : Expression(sequence.items.front());
  }

  Expression primary() {
    skip_spaces();
    if (left_.empty()) fail();
    const char first = left_.front();
    if (first == '(' || first == '[') return bracket();
    if (first == '\'' || first == '"') return string();
    if (is_digit(first) || (first == '.' && left_.size() > 1 && is_digit(left_[1]))) return number();
    if (!is_letter(first)) fail();
    return {.kind = Kind::name, .text = name()};
  }

  /// Reads the arguments of `called`. If it is a module, the arguments of its constructor follow
  /// them.
  Expression arguments(Expression called) {
    Expression call{.kind = Kind::call, .text = called.text};
    if (called.kind == Kind::name) call.items = std::move(called.items);
    fill(call, ")");
    if (called.kind != Kind::call) return call;
    std::move(called.items.begin(), called.items.end(), std::back_inserter(call.items));
    call.named.merge(called.named);
    return call;
  }

  /// Reads an expression, followed by any calls and member names.
  Expression postfix() {
    auto expression = primary();
    for (int steps = 0; expression.kind == Kind::name || expression.kind == Kind::call; ++steps) {
      if (steps == 2 * deepest) throw SeedError("the call is nested too deeply");
      if (take(".")) {
        auto member = primary();
        if (expression.kind == Kind::call) member.items.push_back(std::move(expression));
        expression = std::move(member);
      } else if (take("(")) {
        expression = arguments(std::move(expression));
      } else {
        break;
      }
    }
    const auto known = expression.kind == Kind::name ? constants_.find(expression.text) : constants_.end();
    if (known == constants_.end()) return expression;
    return {.kind = Kind::number, .text = fmt::format("{}", known->second)};
  }

  Expression power() {
    if (++depth_ > deepest) throw SeedError("the call is nested too deeply");
    const bool negative = take("-");
    auto left = postfix();
    if (take("**")) left = combined("**", left, power());
    --depth_;
    if (negative)
      left = left.text.starts_with('-') ? combined("-", {.kind = Kind::number, .text = "0"}, left)
                                        : Expression{.kind = left.kind, .text = "-" + left.text};
    return left;
  }

  /// Reads operands joined by operations of one precedence.
  Expression chain(std::initializer_list<std::string_view> operations, Expression (Reader::*operand)()) {
    auto left = (this->*operand)();
    while (true) {
      const auto* const operation = std::find_if(operations.begin(), operations.end(),
                                                 [&](const auto& candidate) { return take(candidate); });
      if (operation == operations.end()) return left;
      left = combined(*operation, left, (this->*operand)());
    }
  }

  Expression product() { return chain({"//", "*"}, &Reader::power); }
  Expression sum() { return chain({"+", "-"}, &Reader::product); }

  static Expression combined(std::string_view operation, const Expression& a, const Expression& b) {
    const auto left = notebook::parse_integer<std::int64_t>(a.text),
               right = notebook::parse_integer<std::int64_t>(b.text);
    const auto result = left && right ? computed(operation, *left, *right) : std::nullopt;
    if (!result) {
      throw SeedError(
          fmt::format("the call has \"{} {} {}\", which is no whole number here", a.text, operation, b.text));
    }
    return {.kind = Kind::number, .text = fmt::format("{}", *result)};
  }

  std::string_view left_;
  const Constants& constants_;
  int depth_ = 0;
};

}  // namespace

Expression read_expression(std::string_view text, const Constants& constants) {
  return Reader(text, constants).whole();
}

}  // namespace torchbook::seeds
