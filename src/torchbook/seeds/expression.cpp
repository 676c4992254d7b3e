// Reads calls, names, numbers and sequences by recursive descent.
#include <fmt/format.h>
#include <torchbook/seeds/call_text.h>
#include <torchbook/seeds/expression.h>

#include <algorithm>
#include <utility>

namespace torchbook::seeds {
namespace {

using Kind = Expression::Kind;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Reader {
 public:
  explicit Reader(std::string_view text) : left_(text) {}

  Expression whole() {
    auto expression = postfix();
    skip_spaces();
    if (!left_.empty()) fail();
    return expression;
  }

 private:
  static constexpr int deepest = 8;

  [[noreturn]] void fail() const {
    throw SeedError(left_.empty()
                        ? std::string("the call ends too early")
                        : fmt::format("the call cannot be read from \"{}\" on; its sizes must be numbers",
                                      left_.substr(0, 20)));
  }

  void skip_spaces() { left_.remove_prefix(std::min(left_.find_first_not_of(" \t\n"), left_.size())); }

  bool take(char c) {
    skip_spaces();
    if (!left_.starts_with(c)) return false;
    left_.remove_prefix(1);
    return true;
  }

  std::string word(bool (*belongs)(char)) {
    std::size_t size = 0;
    while (size < left_.size() && belongs(left_[size])) ++size;
    std::string taken(left_.substr(0, size));
    left_.remove_prefix(size);
    return taken;
  }

  Expression number() {
    auto digits = word([](char c) { return is_digit(c) || c == '.' || c == 'e' || c == '-' || c == '_'; });
    std::erase(digits, '_');
    return {.kind = Kind::number, .text = std::move(digits)};
  }

  /// Reads what stands up to the closing bracket.
  void fill(Expression& to, char close) {
    while (!take(close)) {
      auto item = postfix();
      if (item.kind == Kind::name && to.kind == Kind::call && take('=')) {
        to.named.insert_or_assign(item.text, postfix());
      } else {
        to.items.push_back(std::move(item));
      }
      if (!take(',') && !left_.starts_with(close)) fail();
    }
  }

  Expression primary() {
    skip_spaces();
    Expression sequence{.kind = Kind::sequence};
    if (take('(')) {
      fill(sequence, ')');
    } else if (take('[')) {
      fill(sequence, ']');
    } else if (!left_.empty() && (is_digit(left_.front()) || left_.front() == '-')) {
      return number();
    } else if (!left_.empty() && is_letter(left_.front())) {
      return {.kind = Kind::name, .text = word([](char c) { return is_letter(c) || is_digit(c); })};
    } else {
      fail();
    }
    return sequence;
  }

  /// Reads an expression with the calls, and the parts of a dotted name, behind it.
  Expression postfix() {
    if (++depth_ > deepest) throw SeedError("the call is nested too deeply");
    auto expression = primary();
    while (true) {
      if (take('.')) {
        auto name = primary();
        if (expression.kind == Kind::call) name.items.push_back(std::move(expression));
        expression = std::move(name);
      } else if (expression.kind == Kind::name && take('(')) {
        expression.kind = Kind::call;
        fill(expression, ')');
      } else {
        --depth_;
        return expression;
      }
    }
  }

  std::string_view left_;
  int depth_ = 0;
};

}  // namespace

Expression read_expression(std::string_view text) { return Reader(text).whole(); }

}  // namespace torchbook::seeds
