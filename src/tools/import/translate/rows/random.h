// Translates Python's module random, seeds, generators and clocks.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Notes a draw from Python's random or from numpy.random. Refuses it without a seed above it, because it
/// differs from run to run, or if an untranslated cell has drawn since.
void draw_after_seed(Builder& b, bool in_numpy);

/// Returns nullopt if it is another function.
std::optional<Value> call_outside(Builder& b, const std::string& path, const Node& node);

/// `torch.Generator().manual_seed(42)` and `generator.manual_seed(42)`
Value generator_method(Builder& b, const Value& generator, std::string_view name, const Arguments& arguments);

}  // namespace torchbook::translate
