// Reads conditions. Each function reads what binds tighter than its own operators.
#include <fmt/format.h>
#include <tools/site/questions/places.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>

namespace torchbook::site::questions {
namespace {

/// What an expression yields.
enum class Yields { number, truth, numbers };

struct Expression {
  Json json;
  Yields yields = Yields::number;
};

class Reader {
 public:
  Reader(TokenReader tokens, const Askable& page) : tokens_(std::move(tokens)), page_(page) {}

  Json read() {
    auto all = either();
    if (!tokens_.peek().empty())
      tokens_.fail(fmt::format("'{}' is unexpected; the condition is complete before it", tokens_.peek()));
    require(all, Yields::truth, "the condition");
    return std::move(all.json);
  }

 private:
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
    return {Json::array({sign, std::move(left.json), std::move(right.json)}), result};
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
    require(one, Yields::truth, "what follows 'not'");
    return {Json::array({"not", std::move(one.json)}), Yields::truth};
  }

  Expression comparison() {
    auto left = sum();
    for (const auto* sign : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (tokens_.take(sign)) return joined(sign, std::move(left), sum(), Yields::number, Yields::truth);
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
    for (const std::string_view name : {"abs", "argmax", "max", "min", "mean", "sum"}) {
      if (tokens_.take(name)) return call(name);
    }
    if (token.starts_with('t') || token.starts_with('u')) return entries();
    return number();
  }

  Expression call(std::string_view name) {
    tokens_.expect("(");
    auto argument = either();
    tokens_.expect(")");
    const bool of_one = name == "abs";
    const bool is_part = argument.json.is_object();
    if (of_one) require(argument, Yields::number, "what abs takes");
    if (!of_one && !is_part)
      tokens_.fail(fmt::format("{} takes a tensor or a part of one, such as t5-1[4]", name));
    return {Json::array({name, std::move(argument.json)}), Yields::number};
  }

  Expression entries() {
    const auto part = read_part(tokens_, page_);
    return {Json{{"of", page_.pictures[part.picture].id}, {"at", part.elements}},
            part.elements.size() == 1 ? Yields::number : Yields::numbers};
  }

  Expression number() {
    const auto token = tokens_.next();
    double value = 0;
    const auto* const end = token.data() + token.size();
    if (token.empty())
      tokens_.fail("the condition ends too early; a number or an entry such as t5-1[4, 0] should follow");
    const auto [rest, error] = std::from_chars(token.data(), end, value);
    if (error != std::errc{} || rest != end)
      tokens_.fail(
          fmt::format("'{}' is unexpected; a number or an entry such as t5-1[4, 0] should come here", token));
    return {Json(value), Yields::number};
  }

  TokenReader tokens_;
  const Askable& page_;
};

}  // namespace

Json read_condition(TokenReader tokens, const Askable& page) {
  return Reader(std::move(tokens), page).read();
}

}  // namespace torchbook::site::questions
