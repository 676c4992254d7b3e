// Follows Python's strings and brackets from line to line.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::notebook {

/// Knows, line by line, whether the next one begins inside a string, inside brackets or after a backslash.
class PythonLines {
 public:
  /// Whether the next line begins inside a string of several lines.
  bool in_string() const { return !quote_.empty(); }

  /// Whether the next line continues the last one: in a string, in brackets or after a backslash.
  bool goes_on() const { return in_string() || !open_.empty() || joined_; }

  /// Whether the lines are complete: nothing continues, and all quotes and brackets have a partner.
  bool is_whole() const { return !goes_on() && !wrong_; }

  /// Reads a line without its newline, in linear time.
  void follow(std::string_view line);

 private:
  void take_code(std::string_view line, std::size_t& at);

  std::string quote_{};  // of the string that is open: one or three quotes
  std::string open_{};   // the brackets that are open
  bool joined_ = false;  // a backslash ended the last line
  bool wrong_ = false;   // a quote or a bracket had no counterpart
};

}  // namespace torchbook::notebook
