// Translates for loops, and checks what loops and comprehensions go through.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// What the translation of a loop's head depends on.
struct LoopSite {
  Names reassigned{};      ///< names of the loop that the body gives another value
  Names changed{};         ///< names that `+=` and the like change, a tensor in place
  bool continues = false;  ///< the body has a continue
  bool of_comprehension = false;
};

/// The head of a loop in C++, and what its body begins and ends with.
struct LoopHead {
  std::variant<cpp::Count, cpp::Each, cpp::While> loop{};
  cpp::Stmts first{};
  cpp::Stmts last{};
  std::vector<cpp::Expr> through{};   ///< the lists that zip() goes through
  std::vector<std::string> hidden{};  ///< variables of outer loops whose names this loop gives other ones
  std::string broken{};   ///< the variable that tells whether `break` left the loop; empty if none does
  bool may_hold = false;  ///< the loop may hold its end, if the body changes what it reads
};

/// Emits a loop with its body. The head keeps the end in a variable if the body may change what the
/// end is computed from.
void end_loop(Builder& b, LoopHead& head, cpp::Stmts body);

/// Translates a loop after its head. Its `else` runs unless `break` left the loop.
void loop(Builder& b, const Node& node, LoopHead head);

void for_block(Builder& b, const Node& node);
/// Returns the head of a for statement, or of a loop in a comprehension, and declares its names.
LoopHead loop_over(Builder& b, const Node& target, const Node& over, const LoopSite& site);

}  // namespace torchbook::translate
