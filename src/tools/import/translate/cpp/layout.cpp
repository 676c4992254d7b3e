#include <tools/import/translate/cpp/layout.h>

#include <algorithm>
#include <utility>

namespace torchbook::translate::cpp {
namespace {

using Token = Text::Token;

class Layout {
 public:
  Layout(const std::vector<Token>& tokens, std::size_t indent) : tokens_(tokens), line_(indent, ' ') {
    std::vector<std::size_t> opened;
    ends_.resize(tokens.size());
    widths_.push_back(0);
    comments_.push_back(0);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const bool comment = tokens[i].kind == Token::comment;
      widths_.push_back(widths_.back() + (comment ? 0 : tokens[i].text.size()));
      comments_.push_back(comments_.back() + (comment ? 1 : 0));
      if (tokens[i].kind == Token::open) opened.push_back(i);
      if (tokens[i].kind != Token::close || opened.empty()) continue;
      ends_[opened.back()] = i;
      opened.pop_back();
    }
  }

  Text::Lines lines() {
    statement();
    lines_.lines.push_back(std::move(line_));
    return std::move(lines_);
  }

 private:
  /// A half-open range of tokens. Ranges between breaks exclude the blanks at the breaks.
  struct Range {
    std::size_t from, to;
  };

  /// Returns the width of a range in one line: more than any line has if a comment is in the middle of it.
  std::size_t width(const Range& range) const {
    const bool breaks = range.from < range.to && comments_[range.to - 1] > comments_[range.from];
    return widths_[range.to] - widths_[range.from] + (breaks ? longest : 0);
  }
  bool fits(std::size_t more) const { return line_.size() + more <= longest; }

  /// Returns the parts of a range between its breaks. Breaks inside nested brackets do not count.
  std::vector<Range> segments(const Range& range) const {
    std::vector<Range> result = {{range.from, range.from}};
    for (auto i = range.from; i < range.to; ++i) {
      if (tokens_[i].kind == Token::open) i = ends_[i];
      if (tokens_[i].kind == Token::blank) result.push_back({i + 1, i + 1});
      result.back().to = i + 1;
    }
    for (std::size_t i = 0; i + 1 < result.size(); ++i) result[i].to = result[i + 1].from - 1;
    return result;
  }

  void break_line(std::size_t column) {
    lines_.lines.push_back(std::exchange(line_, std::string(column, ' ')));
  }

  std::size_t hanging() const { return std::min(line_.find_first_not_of(' '), line_.size()) + 4; }

  /// Returns the width of a range up to its first bracket.
  std::size_t head(const Range& range) const {
    auto end = range.from;
    while (end < range.to && tokens_[end].kind != Token::open) ++end;
    return widths_[end] - widths_[range.from];
  }

  /// Whether a range that begins at a column can be broken so that its parts are below each other there.
  bool aligns(const Range& range, std::size_t column, std::size_t tail) const {
    if (column + width(range) + tail <= longest) return true;
    auto at = range.from;
    while (at < range.to && tokens_[at].kind != Token::open) ++at;
    if (at == range.to) return false;
    const auto& opening = tokens_[at].text;
    const auto inner = column + head(range) + opening.size();
    const auto parts = segments({at + 1, ends_[at]});
    const auto after = width({ends_[at], range.to}) + tail;
    if (opening.empty() && all_fit(parts, inner, after)) return true;
    if (opening.empty() || parts.size() == 1) {
      const auto& last = parts.back();
      return aligns(last, inner + width({at + 1, last.from}), after);
    }
    return all_fit(parts, inner, after);
  }

  /// Whether each of several parts fits into a line that begins at a column.
  bool all_fit(const std::vector<Range>& parts, std::size_t column, std::size_t tail) const {
    return std::all_of(parts.begin(), parts.end(), [&](const Range& part) {
      return column + width(part) + (part.to == parts.back().to ? tail : 0) <= longest;
    });
  }

  /// `name = value;`: breaks after `=` if the value then fits into one line, or can be aligned only there.
  void statement() {
    const auto parts = segments({0, tokens_.size()});
    const auto column = hanging();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto& part = parts[i];
      const auto here = line_.size() + 1;
      const bool better = column + width(part) <= longest || here + head(part) + 1 > longest ||
                          (!aligns(part, here, 0) && aligns(part, column, 0));
      next(i > 0 && !fits(1 + width(part)) && better, column, i > 0);
      segment(part, 0);
    }
  }

  void next(bool breaks, std::size_t column, bool separates) {
    if (breaks) break_line(column);
    if (separates && !breaks) line_ += ' ';
  }

  /// Writes a range, whose lines begin at a column. `tail` is the width of the text that must fit
  /// after it in the last line.
  void fill(const Range& range, std::size_t column, std::size_t tail, bool one_a_line) {
    const auto parts = segments(range);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto after = i + 1 == parts.size() ? tail : 0;
      const bool better =
          column + width(parts[i]) + after <= longest || !aligns(parts[i], line_.size() + 1, after);
      next(i > 0 && (one_a_line || (!fits(1 + width(parts[i]) + after) && better)), column, i > 0);
      segment(parts[i], after);
    }
  }

  void segment(const Range& range, std::size_t tail) {
    const bool whole = fits(width(range) + tail);
    for (auto i = range.from; i < range.to; ++i) {
      const auto& token = tokens_[i];
      if (token.kind == Token::comment) {
        lines_.comments.emplace(lines_.lines.size(), token.text);
      } else if (whole || token.kind != Token::open) {
        word(token.text, whole);
      } else {
        group({i, ends_[i]}, width({ends_[i] + 1, range.to}) + tail);
        i = ends_[i];
      }
    }
  }

  /// Writes brackets with their contents: parts below each other after the opening bracket, or from
  /// the next line on if there is too little room.
  void group(const Range& brackets, std::size_t tail) {
    const Range inside{brackets.from + 1, brackets.to};
    const auto& opening = tokens_[brackets.from].text;
    line_ += opening;
    const auto after = tokens_[brackets.to].text.size() + tail;
    const auto parts = segments(inside);
    const bool whole = fits(width(inside) + after);
    const bool nests = inside.from < inside.to && tokens_[inside.from].text == "{";
    const bool names = inside.from < inside.to && tokens_[inside.from].text.starts_with('.');
    const bool keyword = opening.size() > 1;  // `for (`
    const auto column = hanging();
    const bool single = parts.size() == 1 && column + width(inside) + after > longest;
    const bool aligned = single ? aligns(parts[0], line_.size(), after) : all_fit(parts, line_.size(), after);
    const bool hangs = !whole && !aligned && !nests && !opening.empty() && !keyword && column < line_.size();
    if (hangs) break_line(column);
    const bool commented = comments_[inside.to] > comments_[inside.from];
    const bool one_a_line = (opening == "{" && (nests || names) && !whole) || commented;
    fill(inside, line_.size(), after, one_a_line);
    line_ += tokens_[brackets.to].text;
  }

  /// Writes a word. Splits a long string into several literals, which C++ joins.
  void word(std::string_view text, bool whole) {
    const auto column = line_.size();
    while (!whole && text.starts_with('"') && !fits(text.size() + 1)) {
      const auto room = longest - std::min(longest, line_.size() + 1);
      const auto cut = text.substr(0, room).rfind(' ');
      if (cut == text.npos || cut < 2) break;
      line_.append(text.substr(0, cut + 1)).append("\"");
      break_line(column);
      line_ += '"';
      text.remove_prefix(cut + 1);
    }
    line_ += text;
  }

  const std::vector<Token>& tokens_;
  std::vector<std::size_t> ends_{};      // of each opening bracket
  std::vector<std::size_t> widths_{};    // of all tokens before one
  std::vector<std::size_t> comments_{};  // among all tokens before one
  Text::Lines lines_{};
  std::string line_;
};

}  // namespace

Text& Text::operator<<(std::string_view word) {
  if (word.empty()) return *this;
  const bool joins = !tokens_.empty() && tokens_.back().kind == Token::word && !word.starts_with('"');
  if (joins) {
    tokens_.back().text += word;
  } else {
    tokens_.push_back({Token::word, std::string(word)});
  }
  return *this;
}

std::string Text::flat() const {
  std::string text;
  for (const auto& token : tokens_) {
    if (token.kind != Token::comment) text += token.text;
  }
  return text;
}

Text::Lines Text::lines(std::size_t indent) const { return Layout(tokens_, indent).lines(); }

}  // namespace torchbook::translate::cpp
