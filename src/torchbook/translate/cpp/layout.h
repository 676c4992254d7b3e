// Lays out a line of C++ that may be too long, much as clang-format does.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::translate::cpp {

/// The most columns of a line of a port.
inline constexpr std::size_t longest = 110;

/// A line with the places where it may be broken.
class Text {
 public:
  Text& operator<<(std::string_view word);
  /// Begins and ends what is in brackets.
  void open(std::string_view bracket) { tokens_.push_back({Token::open, std::string(bracket)}); }
  void close(std::string_view bracket) { tokens_.push_back({Token::close, std::string(bracket)}); }
  /// Begins and ends operands, which are below each other where they are broken.
  void begin() { open(""); }
  void end() { close(""); }
  /// Adds a blank that may become a new line.
  void blank() { tokens_.push_back({Token::blank, " "}); }

  /// Returns the text in one line.
  std::string flat() const;
  /// Returns the text in lines of at most `longest` columns, where that is possible. `indent` is the number
  /// of columns before the first one.
  std::vector<std::string> lines(std::size_t indent) const;

  struct Token {
    enum Kind { word, open, close, blank } kind;
    std::string text;
  };

 private:
  std::vector<Token> tokens_{};
};

}  // namespace torchbook::translate::cpp
