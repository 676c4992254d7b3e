// Defines the state of a function that is being translated.
#pragma once

#include <torchbook/translate/lower/definitions.h>
#include <torchbook/translate/scope.h>

#include <map>
#include <optional>
#include <string>

namespace torchbook::translate {

/// A name that is declared above a block.
struct Hoisted {
  int depth;     ///< of the blocks around the declaration
  int branches;  ///< around the declaration
  std::optional<Type> type{};
  std::string code{};
  bool is_static = false;
};

/// A function that is being translated; the notebook itself is the outermost.
struct Frame {
  Scope scope{};
  Frame* outer = nullptr;  ///< the function around it, or the notebook; nullptr for the notebook itself
  Uses uses{};
  std::optional<Type> result{};  ///< of the first `return`
  Names returned{};              ///< names that a `return` gives
  NewClass* of_class = nullptr;  ///< for a method
  bool is_notebook = false;
  bool is_constructor = false;
  bool is_returned = false;    ///< the function around it returns it, and with it copies of what it reads
  bool raises = false;         ///< it has a raise, or calls what has one
  Names outer_names{};         ///< those of the functions around it, or of the notebook, that it reads
  bool reads_outside = false;  ///< it reads variables of the functions around it, or of the notebook
  int loops = 0;               ///< how many loops are open
  std::string broken{};        ///< of the innermost loop, as in LoopHead
  int branches = 0;            ///< how many blocks are open that may not run; loops are taken to run
  /// Names that a block assigns and later lines read. They are declared above the block, once their type is
  /// known.
  std::map<std::string, Hoisted, std::less<>> hoisted{};
};

}  // namespace torchbook::translate
