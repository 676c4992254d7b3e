// Translates paths of pathlib.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `Path("models", "first")`
Value path_of_file(const Arguments& arguments);

/// `folder / "model.pth"`
Value path_binary(Builder& b, Ast operation, const Value& left, const Value& right);

/// `path.open()`, `path.read_text()`, and `folder.mkdir(parents=True, exist_ok=True)`: without a file to
/// write, C++ needs no folder.
Value path_method(Builder& b, const Value& path, std::string_view name, const Arguments& arguments);

}  // namespace torchbook::translate
