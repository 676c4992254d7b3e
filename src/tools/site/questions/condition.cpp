// Reads conditions by recursive descent: each function reads operands of higher precedence.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/site/questions/places.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>

namespace torchbook::site::questions {
namespace {

constexpr std::array<std::string_view, 6> functions = {"abs", "argmax", "max", "min", "mean", "sum"};
constexpr std::array<std::string_view, 6> comparisons = {"==", "!=", "<=", ">=", "<", ">"};
constexpr std::size_t most_tokens = 500;  // they bound how deep expressions are nested, here and in the page

/// The type of an expression.
enum class Yields { number, truth, numbers };

struct Expression {
  Json json;
  Yields yields = Yields::number;
  bool of_tensors = false;  ///< whether it depends on a tensor
  bool infinite = false;    ///< whether it has `inf`
};

class Reader {
 public:
  Reader(TokenReader tokens, const Names& names) : tokens_(std::move(tokens)), names_(names) {}

  Json read() {
    if (tokens_.count() > most_tokens)
      tokens_.fail(fmt::format("the condition has {} words, numbers and signs; it may have up to {}",
                               tokens_.count(), most_tokens));
    auto all = either();
    if (!tokens_.peek().empty()) fail_at(tokens_.peek());
    require(all, Yields::truth, "the condition");
    return std::move(all.json);
  }

 private:
  /// Fails because a token follows a complete condition.
  [[noreturn]] void fail_at(std::string_view token) const {
    const bool compares = std::ranges::find(comparisons, token) != comparisons.end();
    tokens_.fail(fmt::format("'{}' is unexpected; {}", token,
                             token == "="   ? "write '==' to compare"
                             : token == "," ? "a decimal point is a point, as in 0.5"
                             : compares     ? "write 'a < b < c' as 'a < b and b < c'"
                                            : "the condition is complete before it"));
  }

  void require(const Expression& one, Yields yields, std::string_view what) const {
    if (one.yields == yields) return;
    if (one.yields == Yields::numbers)
      tokens_.fail(fmt::format(
          "{} is several numbers; take one by an index, or their argmax, max, min, mean or sum", what));
    tokens_.fail(std::string(what) + (yields == Yields::truth
                                          ? " is a number; compare it, such as with '> 0.5'"
                                          : " is true or false; it should be a number"));
  }

  Expression joined(std::string_view sign, Expression left, Expression right, Yields operands,
                    Yields result) const {
    require(left, operands, fmt::format("the left side of '{}'", sign));
    require(right, operands, fmt::format("the right side of '{}'", sign));
    return {Json::array({sign, std::move(left.json), std::move(right.json)}), result,
            left.of_tensors || right.of_tensors, left.infinite || right.infinite};
  }

  /// Reads operands with these operators between them, from the left.
  Expression chain(Expression (Reader::*operand)(), std::initializer_list<std::string_view> signs,
                   Yields yields) {
    auto left = (this->*operand)();
    while (std::ranges::find(signs, tokens_.peek()) != signs.end()) {
      const auto sign = tokens_.next();
      left = joined(sign, std::move(left), (this->*operand)(), yields, yields);
    }
    return left;
  }

  Expression either() { return chain(&Reader::both, {"or"}, Yields::truth); }
  Expression both() { return chain(&Reader::negation, {"and"}, Yields::truth); }

  Expression negation() {
    if (!tokens_.take("not")) return comparison();
    auto one = negation();
    require(one, Yields::truth, "the operand of 'not'");
    one.json = Json::array({"not", std::move(one.json)});
    return one;
  }

  /// Returns a side of a comparison. If it depends on tensors, a page says its value after its text.
  static Expression said(Expression side, std::string_view text, bool may_be_infinite) {
    if (!side.of_tensors || side.yields != Yields::number) return side;
    side.json = Json::array({"said", text, std::move(side.json)});
    if (may_be_infinite) side.json.push_back(true);
    return side;
  }

  Expression comparison() {
    auto begin = tokens_.at();
    auto left = sum();
    const auto left_text = tokens_.text_from(begin);
    for (const auto sign : comparisons) {
      if (!tokens_.take(sign)) continue;
      begin = tokens_.at();
      auto right = sum();
      const bool infinite = left.infinite || right.infinite;
      return joined(sign, said(std::move(left), left_text, infinite),
                    said(std::move(right), tokens_.text_from(begin), infinite), Yields::number,
                    Yields::truth);
    }
    return left;
  }

  Expression sum() { return chain(&Reader::product, {"+", "-"}, Yields::number); }
  Expression product() { return chain(&Reader::operand, {"*", "/"}, Yields::number); }

  Expression operand() {
    const auto token = tokens_.peek();
    if (tokens_.take("(")) {
      auto inner = either();
      tokens_.expect(")");
      return inner;
    }
    if (tokens_.take("-"))
      return joined("-", {Json(0), Yields::number}, operand(), Yields::number, Yields::number);
    if (tokens_.peek(1) == "(") {
      for (const auto name : functions) {
        if (tokens_.take(name)) return call(name);
      }
      if (is_word(token) && !names_.tensors.contains(token))
        tokens_.fail(
            fmt::format("there is no function '{}'; there are {}", token, fmt::join(functions, ", ")));
    }
    if (tokens_.take("inf")) return {Json::array({"inf"}), Yields::number, false, true};
    if (is_word(token)) return entries();
    return number();
  }

  Expression call(std::string_view name) {
    tokens_.expect("(");
    auto argument = either();
    tokens_.expect(")");
    const bool of_one = name == "abs";
    const bool is_part = argument.json.is_object();
    if (of_one) require(argument, Yields::number, "the argument of abs");
    if (!of_one && !is_part)
      tokens_.fail(fmt::format("{} takes a tensor or a part of one, such as inputs[4]", name));
    return {Json::array({name, std::move(argument.json)}), Yields::number, argument.of_tensors,
            argument.infinite};
  }

  Expression entries() {
    const auto part = read_part(tokens_, names_);
    return {Json{{"of", names_.page.pictures[part.picture].id}, {"at", part.elements}},
            part.elements.size() == 1 ? Yields::number : Yields::numbers, true};
  }

  Expression number() {
    const auto token = tokens_.next();
    double value = 0;
    const auto* const end = token.data() + token.size();
    if (token.empty())
      tokens_.fail("the condition ends too early; a number or an entry such as inputs[4, 0] should follow");
    const auto [rest, error] = std::from_chars(token.data(), end, value);
    if (error != std::errc{} || rest != end)
      tokens_.fail(fmt::format(
          "'{}' is unexpected; a number or an entry such as inputs[4, 0] should come here", token));
    return {Json(value), Yields::number};
  }

  TokenReader tokens_;
  const Names& names_;
};

}  // namespace

Json read_condition(TokenReader tokens, const Names& names) {
  return Reader(std::move(tokens), names).read();
}

}  // namespace torchbook::site::questions
