// Lays out a line of C++ that may be too long, much as clang-format does.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::translate::cpp {

/// The maximum width of a line of a port.
inline constexpr std::size_t longest = 110;

/// A line with the places where it may be broken.
class Text {
 public:
  Text& operator<<(std::string_view word);
  /// Begins and ends a group in brackets.
  void open(std::string_view bracket) { tokens_.push_back({Token::open, std::string(bracket)}); }
  void close(std::string_view bracket) { tokens_.push_back({Token::close, std::string(bracket)}); }
  /// Begins and ends a group of operands, which are below each other if the group is broken.
  void begin() { open(""); }
  void end() { close(""); }
  /// Adds a blank that may become a new line.
  void blank() { tokens_.push_back({Token::blank, " "}); }

  /// Adds a comment, after which a new line must begin.
  void comment(std::string text) { tokens_.push_back({Token::comment, std::move(text)}); }

  /// Lines, and the comments after some of them, which are not in their text.
  struct Lines {
    std::vector<std::string> lines{};
    std::map<std::size_t, std::string> comments{};  ///< by the line that they follow
  };

  /// Returns the text in one line, without comments.
  std::string flat() const;
  /// Returns the text in lines of at most `longest` columns, where that is possible. `indent` is the number
  /// of columns before the first one.
  Lines lines(std::size_t indent) const;

  struct Token {
    enum Kind { word, open, close, blank, comment } kind;
    std::string text;
  };

 private:
  std::vector<Token> tokens_{};
};

}  // namespace torchbook::translate::cpp
