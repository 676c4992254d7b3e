#include <tools/import/translate/cpp/order.h>
#include <tools/import/translate/cpp/walk.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace torchbook::translate::cpp {
namespace {

/// Whether an expression is a stored object. A constructor takes a reference to it, and reads it
/// only after all arguments are evaluated.
bool is_place(const Expr& expr) {
  return expr.is(Kind::name) || expr.is(Kind::member) || is_element(expr) || expr.is(Kind::labelled);
}

/// Whether C++ evaluates, or can be made to evaluate, the part at `place` before the parts after
/// it.
bool is_sequenced(const Node& node, const Expr& part, std::size_t place) {
  if (!node.order.empty()) return false;
  const bool first = node.kind == Kind::method || node.kind == Kind::subscript || node.kind == Kind::choice ||
                     node.kind == Kind::invoke || (node.kind == Kind::binary && node.text == "=");
  if (place == 0 && first) return true;
  if (node.kind == Kind::binary) return node.text == "&&" || node.text == "||";
  return (node.kind == Kind::braces || node.kind == Kind::construct) && !is_place(part);
}

/// Whether a part is not always evaluated.
bool is_conditional(const Node& node, std::size_t part) {
  if (node.kind == Kind::choice) return part > 0;
  return part > 0 && node.kind == Kind::binary && (node.text == "&&" || node.text == "||");
}

/// Whether the value of an expression cannot change later.
bool is_settled(const Expr& expr) {
  if (expr.is(Kind::braces) || expr.is(Kind::labelled) || expr.is(Kind::construct))
    return std::all_of(expr.parts().begin(), expr.parts().end(), is_settled);
  if (expr.is(Kind::unary, "*")) return is_settled(expr.part(0));  // a reference, of which no copy is made
  if (expr.is(Kind::name)) return expr.effects().reads.empty();    // otherwise it is a member
  return !expr || expr.is(Kind::number) || expr.is(Kind::boolean) || expr.is(Kind::string) ||
         expr.is(Kind::lambda);
}

/// Suggests a name for the value of an expression, from the function that it calls or the member
/// that it reads.
std::string wish_for(const Expr& expr) {
  const auto& of = expr.is(Kind::invoke) ? expr.part(0) : expr;
  std::string word = of.text().substr(0, of.text().find('<'));
  word = word.substr(word.rfind(':') + 1);
  while (word.ends_with('_')) word.pop_back();
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
  const bool named = expr.is(Kind::call) || expr.is(Kind::method) || expr.is(Kind::invoke) ||
                     expr.is(Kind::member) || expr.is(Kind::name);
  if (!named || !plain || word == "forward" || word == "item" || word == "at") return "value";
  std::transform(word.begin(), word.begin() + 1, word.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return word + "_value";
}

class Orderer {
 public:
  explicit Orderer(const Fresh& fresh) : fresh_(fresh) {}

  /// Puts the parts of an expression in Python's order. Adds the statements that this takes to `before`.
  Expr settled(const Expr& expr, Stmts& before) {
    if (!expr || expr.parts().empty()) return expr;
    if (expr.is(Kind::let)) {
      const auto& node = expr.node();
      before.insert(before.end(), node.body.begin(), node.body.end());
      return settled(expr.part(0), before);
    }
    return in_sequence(expr, before);
  }

  /// Orders an expression that may run repeatedly, or not at all. Its statements are in a lambda
  /// that is called at once.
  Expr in_place(const Expr& expr) {
    Stmts inner;
    auto value = settled(expr, inner);
    if (inner.empty()) return value;
    inner.push_back({.kind = Return{value}});
    return invoke(lambda("&", {}, std::move(inner)), {}).with(expr.effects());
  }

  /// Holds an expression in a variable. Each part of braces gets its own.
  Expr hold(const Expr& expr, Stmts& before) {
    if (is_settled(expr)) return expr;
    const bool parts =
        (expr.is(Kind::braces) && expr.text().empty()) || expr.is(Kind::labelled) || expr.is(Kind::construct);
    if (!parts) return held(expr, wish_for(expr), before, fresh_);
    auto all = expr.parts();
    for (auto& part : all) part = hold(part, before);
    return expr.with_parts(std::move(all));
  }

 private:
  /// Returns the places of the parts in Python's order.
  static std::vector<std::size_t> order_of(const Expr& expr) {
    if (!expr.node().order.empty()) return expr.node().order;
    std::vector<std::size_t> order(expr.parts().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
  }

  Expr in_sequence(const Expr& expr, Stmts& before) {
    const auto& node = expr.node();
    const auto order = order_of(expr);
    std::vector<Expr> parts(order.size());
    std::vector<Stmts> needed(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto& part = node.parts[order[i]];
      parts[i] = is_conditional(node, order[i]) ? in_place(part) : settled(part, needed[i]);
    }
    bool braced = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      bool shows = false;
      for (auto j = i + 1; j < parts.size() && !shows; ++j) {
        shows = conflict(parts[i].effects(), effects_of(needed[j]));
        const bool differ =
            !is_conditional(node, order[j]) && conflict(parts[i].effects(), parts[j].effects());
        if (!differ || shows) continue;
        shows = !is_sequenced(node, parts[i], i);
        braced = braced || (!shows && node.kind == Kind::construct);
      }
      before.insert(before.end(), needed[i].begin(), needed[i].end());
      if (shows) parts[i] = hold(parts[i], before);
    }
    std::vector<Expr> placed(parts.size());
    for (std::size_t i = 0; i < order.size(); ++i) placed[order[i]] = std::move(parts[i]);
    if (!braced) return expr.with_parts(std::move(placed));
    auto construct = expr.node();
    construct.parts = std::move(placed);
    construct.braced = true;
    return Expr(std::move(construct));
  }

  const Fresh& fresh_;
};

/// Puts the expressions of statements in order.
class Statements {
 public:
  explicit Statements(const Fresh& fresh) : fresh_(fresh), orderer_(fresh) {}

  Stmts operator()(const Stmt& statement) {
    auto result = statement;
    std::visit([&](auto& each) { put(each); }, result.kind);
    before_.push_back(std::move(result));
    return std::move(before_);
  }

 private:
  void put(Evaluate& each) { each.value = orderer_.settled(each.value, before_); }
  void put(Declare& each) { each.value = orderer_.settled(each.value, before_); }
  void put(Return& each) { each.value = orderer_.settled(each.value, before_); }
  void put(Each& each) {
    each.start = orderer_.settled(each.start, before_);
    each.over = orderer_.settled(each.over, before_);
  }
  void put(If& each) {
    each.initial = orderer_.settled(each.initial, before_);
    each.test = each.initial ? orderer_.in_place(each.test) : orderer_.settled(each.test, before_);
  }
  void put(While& each) { each.test = orderer_.in_place(each.test); }
  void put(Count& each) {
    Stmts of_end, of_step;
    each.start = orderer_.settled(each.start, before_);
    const auto end = orderer_.settled(each.end, of_end);
    const auto step = orderer_.settled(each.step, of_step);
    Effects later = end.effects();
    later.add(effects_of(of_end));
    later.add(step.effects());
    if (conflict(each.start.effects(), later)) each.start = orderer_.hold(each.start, before_);
    before_.insert(before_.end(), of_end.begin(), of_end.end());
    each.end =
        !of_step.empty() || conflict(end.effects(), step.effects()) ? orderer_.hold(end, before_) : end;
    before_.insert(before_.end(), of_step.begin(), of_step.end());
    each.step = step;
  }
  void put(Assign& each) {
    if (each.sign != "=") return put_augmented(each);
    Stmts of_target;
    each.value = orderer_.settled(each.value, before_);
    each.to = orderer_.settled(each.to, of_target);
    if (conflict(each.value.effects(), effects_of(of_target)))
      each.value = orderer_.hold(each.value, before_);
    before_.insert(before_.end(), of_target.begin(), of_target.end());
  }
  /// `to += value`: Python evaluates and reads the target before the value.
  void put_augmented(Assign& each) {
    Stmts of_value;
    each.to = orderer_.settled(each.to, before_);
    each.value = orderer_.settled(each.value, of_value);
    Effects later = each.value.effects();
    later.add(effects_of(of_value));
    const bool shows = conflict(each.to.effects(), later);
    if (shows) {
      auto parts = each.to.parts();
      for (std::size_t i = 1; i < parts.size(); ++i) parts[i] = orderer_.hold(parts[i], before_);
      if (!parts.empty()) each.to = each.to.with_parts(std::move(parts));
      const auto sign = each.sign.substr(0, each.sign.size() - 1);
      const auto earlier = held(each.to, wish_for_place(each.to), before_, fresh_);
      each.value = binary(earlier, sign, each.value);
      each.sign = "=";
    }
    before_.insert(before_.end(), of_value.begin(), of_value.end());
  }
  static std::string wish_for_place(const Expr& to) {
    return to.is(Kind::name) || to.is(Kind::member) ? to.text() + "_before" : "before";
  }
  template <class Other>
  void put(Other& /*each*/) {}

  const Fresh& fresh_;
  Orderer orderer_;
  Stmts before_{};
};

}  // namespace

Stmts in_order(const Stmt& statement, const Fresh& fresh) { return Statements(fresh)(statement); }

Expr held(const Expr& expr, std::string_view hint, Stmts& before, const Fresh& fresh) {
  const auto variable = fresh(hint);
  before.push_back({.kind = Declare{.type = expr.node().held_as, .name = variable, .value = expr}});
  return name(variable);
}

}  // namespace torchbook::translate::cpp
