// Writes the lines of a port.
#pragma once

#include <torchbook/translate/state.h>
#include <torchbook/translate/value.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::translate {

/// Adds lines to the cell that is being translated.
class Writer : protected State {
 protected:
  explicit Writer(const std::vector<PythonCell>& cells) : State{.cells_ = cells} {}

  /// Adds a line, with the indent of the block that it stands in.
  void line(std::string text);
  /// Returns the lines that `write` would have added.
  template <class Write>
  std::vector<std::string> captured(const Write& write) {
    std::vector<std::string> added;
    auto* const before = std::exchange(lines_, &added);
    write();
    lines_ = before;
    return added;
  }
  /// Gives a value a variable of its own, whose name is made of `wish`.
  Value hold(Value value, std::string_view wish);
  /// Returns the key of a definition in Facts.
  std::string key(const Node& node, std::string_view name) const;
  /// Says that the port needs a line above its function, as an include.
  void need(std::string_view what) { port_.needs.emplace(what); }
  Scope& scope() { return frame_->scope; }
};

}  // namespace torchbook::translate
