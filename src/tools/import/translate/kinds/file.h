// Translates reading text files, and saving and loading the state of a module. Writing a file is refused,
// because `torchbook import` runs the port at once. A saved state stays in memory.
#pragma once

#include <tools/import/translate/rows/row.h>

namespace torchbook::translate {

/// `torch.save(model.state_dict(), "model.pth")`
Value save(Builder& b, const Node& node);

/// `checkpoint["epoch"]`
Value checkpoint_item(Builder& b, const Value& checkpoint, const Node& slice);

/// `torch.load("model.pth")`
Value load(Builder& b, const Arguments& arguments);

/// `open("input.txt", "r", encoding="utf-8")`
Value opened(Builder& b, const RowCall& given);

/// Binds a name to an opened file. C++ opens the file only where Python reads it.
void name_file(Builder& b, const std::string& name, const Value& file);

/// `for line in file:`
Value file_rows(Builder& b, const Value& file);

/// `file.read()`, `file.readlines()`
Value file_method(Builder& b, const Value& file, std::string_view name, const Arguments& arguments);

/// `with open("input.txt") as file:`; false if it is another with statement.
bool with_file(Builder& b, const Node& node);

/// Returns the text of a file. Python would return an empty str from a second call.
Value text_of_file(Builder& b, const Value& file);

}  // namespace torchbook::translate
