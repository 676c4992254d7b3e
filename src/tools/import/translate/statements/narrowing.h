// Translates tests of a module's class (isinstance, type) and `apply`, which visits each module of
// a tree.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// The name of a module whose class is known inside a block.
struct Narrowed {
  std::string name;
  Variable before;  ///< as it is outside of the block
};

/// `type(layer).__name__`
std::optional<Value> class_name(Builder& b, const Node& node);

/// If a test asks for the class of a module, or of an object with a common base, fills the head of the if,
/// and gives the variable that class inside the block. Returns the variable as it was, to be restored after
/// the block.
std::optional<Narrowed> narrowed(Builder& b, const Node& test, cpp::If& head);

/// `model.apply(init_weights)`
Value apply(Builder& b, const Value& module, const Node& function);

}  // namespace torchbook::translate
