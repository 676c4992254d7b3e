// Follows strings and brackets without a grammar of Python.
#include <torchbook/notebook/cells/python_lines.h>

namespace torchbook::notebook {

void PythonLines::follow(std::string_view line) {
  bool escaped_end = false;  // a string with one quote continues after a backslash at the end of a line
  joined_ = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (in_string()) {
      if (line[i] == '\\') {
        escaped_end = ++i >= line.size();
      } else if (line.substr(i).starts_with(quote_)) {
        i += quote_.size() - 1;
        quote_ = {};
      }
    } else if (line[i] == '#') {
      return;
    } else {
      take_code(line, i);
    }
  }
  if (quote_.size() == 1 && !escaped_end) {
    quote_ = {};
    wrong_ = true;
  }
}

/// Takes the character of code at `at`. Moves `at` to the last character of a triple quote.
void PythonLines::take_code(std::string_view line, std::size_t& at) {
  constexpr std::string_view opening = "([{", closing = ")]}";
  const char c = line[at];
  if (c == '"' || c == '\'') {
    const bool triple = line.size() - at >= 3 && line[at + 1] == c && line[at + 2] == c;
    quote_ = std::string(triple ? 3 : 1, c);
    at += quote_.size() - 1;
  } else if (c == '\\') {
    joined_ = at + 1 == line.size();
  } else if (opening.find(c) != opening.npos) {
    open_.push_back(c);
  } else if (const auto kind = closing.find(c); kind != closing.npos) {
    if (open_.empty() || open_.back() != opening[kind]) {
      wrong_ = true;
    } else {
      open_.pop_back();
    }
  }
}

}  // namespace torchbook::notebook
