// Translates if, while, with, try and raise. Declares the names that outlive a block.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Translates a statement with a block. Names that it assigns and later lines read are declared above it.
void hoisted(Builder& b, const Node& owner, const std::function<void()>& write);

void block(Builder& b, const std::vector<Node>& statements);
/// Translates a block that may not run.
void branch(Builder& b, const std::vector<Node>& statements, bool never = false);

/// Translates a block by `write`. If the block does not run according to `never` or Python's run, it needs no
/// translation.
void block_or_never(Builder& b, const std::vector<Node>& statements, const std::function<void()>& write,
                    bool never = false);

void if_block(Builder& b, const Node& node);
void while_block(Builder& b, const Node& node);
void with_block(Builder& b, const Node& node);
/// `except RuntimeError as error:` catches any exception of LibTorch, which is not always a c10::Error.
void try_block(Builder& b, const Node& node);

/// `raise ValueError("it is empty")`. It ends the cell in both languages.
void raise(Builder& b, const Node& node);

}  // namespace torchbook::translate
