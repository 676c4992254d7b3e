// Translates for loops, and the loops of comprehensions.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// What the translation of a loop's head depends on.
struct LoopSite {
  Names reassigned{};      ///< names of the loop that the body assigns
  Names changed{};         ///< names that `+=` and the like change, tensors in place
  bool continues = false;  ///< the body has a continue
  bool of_comprehension = false;
};

/// The head of a loop in C++, and the first and last statements of its body.
struct LoopHead {
  std::variant<cpp::Count, cpp::Each, cpp::While> loop{};
  cpp::Stmts first{};
  cpp::Stmts last{};
  std::vector<cpp::Expr> zipped{};  ///< the arguments of zip()
  std::vector<std::string>
      shadowed{};  ///< names of outer loops that this loop reuses for variables of its own
  std::string
      break_flag{};  ///< the variable that says whether `break` left the loop; empty without a `break`
  bool may_hold_end =
      false;  ///< the end may be held in a variable, if the body changes what it is computed from
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
