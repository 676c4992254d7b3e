// Defines the types that parts of the translator exchange.
#pragma once

#include <torchbook/translate/cpp/expr.h>
#include <torchbook/translate/scope.h>

#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace torchbook::translate {

/// What is in the brackets of `x[…]`: an int, or the list of indices that LibTorch takes.
struct Index {
  cpp::Expr code{};
  bool is_one = false;  ///< it is an int
};

/// Builds a call from its arguments, which are in the order of the parameters.
using Call = std::function<cpp::Expr(std::vector<cpp::Expr>)>;

/// What the translation of a loop's head depends on.
struct LoopSite {
  Names reassigned{};      ///< names of the loop that the body gives another value
  bool continues = false;  ///< the body has a continue
  bool of_comprehension = false;
};

/// The head of a loop in C++, and what its body begins and ends with.
struct LoopHead {
  std::variant<cpp::Count, cpp::Each, cpp::While> loop{};
  cpp::Stmts first{};
  cpp::Stmts last{};
  std::vector<cpp::Expr> through{};  ///< the lists that zip() goes through
  std::string broken{};   ///< the variable that tells whether `break` left the loop; empty if none does
  bool lasting = false;   ///< nothing changes the lists that are its items, under any name
  bool may_hold = false;  ///< the loop may hold its end, if the body changes what it reads
};

/// The name of a module whose class is known inside a block.
struct Narrowed {
  std::string name;
  Variable before;  ///< what it is outside of the block
};

}  // namespace torchbook::translate
