// Reads the names in questions: tensors, parts of them, and seeds.
#pragma once

#include <tools/site/questions/questions.h>
#include <torchbook/notebook/cells/text_error.h>

#include <map>
#include <nlohmann/json.hpp>

namespace torchbook::site::questions {

using Json = nlohmann::ordered_json;
using notebook::TextError;

/// The tensors and seeds of a page by their names.
struct Names {
  explicit Names(const Askable& asked);

  const Askable& page;
  /// The pictures that have a name: `inputs`, or `x of In [4]` if the page has other tensors named x.
  std::map<std::string, std::vector<std::size_t>, std::less<>> tensors{};
  std::map<std::string, std::size_t, std::less<>> seeds{};  ///< `seed of In [7]`

  /// Returns the tensor of a picture in the page's program.
  std::optional<std::size_t> tensor_of(std::size_t picture) const;

  /// Returns whether pictures show the same tensor.
  bool are_one(std::span<const std::size_t> pictures) const;

  /// Returns the length of the longest name at the beginning of a text, or 0.
  std::size_t length_at(std::string_view text) const;
};

/// The names, words, numbers and signs of a line.
class TokenReader {
 public:
  /// Throws TextError if the text has a character that no token begins with.
  TokenReader(std::string_view text, std::size_t line, const Names& names);

  /// Returns the next token, or one after it, empty at the end.
  std::string_view peek(std::size_t after = 0) const {
    return at_ + after < tokens_.size() ? tokens_[at_ + after] : std::string_view();
  }
  std::string_view next();

  /// Takes the next token if it is `token`.
  bool take(std::string_view token);

  /// Takes `token`. Throws TextError if another one is next.
  void expect(std::string_view token);

  /// Returns the place of the next token, and how many there are.
  std::size_t at() const { return at_; }
  std::size_t count() const { return tokens_.size(); }

  /// Returns the text from a token, which was taken, to the last one that was taken.
  std::string_view text_from(std::size_t first) const;

  /// Throws a TextError on this line.
  [[noreturn]] void fail(const std::string& what) const { throw TextError(line_, what); }

 private:
  std::size_t line_;
  std::vector<std::string_view> tokens_{};
  std::size_t at_ = 0;
};

/// Returns whether a token is a name or a word.
bool is_word(std::string_view token);

/// A tensor of the page, or a part of it.
struct Part {
  std::string_view name{};  ///< as written
  std::size_t picture = 0;
  std::vector<std::size_t> elements{};  ///< row-major
  std::string_view indices{};           ///< `[4, 0]`, as written; empty for all of the tensor
};

/// Reads a part, such as `inputs[4]`.
Part read_part(TokenReader& tokens, const Names& names);

/// Reads `check`. Returns a number as it is, infinity as ["inf"], a part as {"of": id, "at": [elements]}, a
/// side of a comparison that depends on tensors as ["said", text, side], with `true` after it if it may be
/// infinite, and anything else as a list of its operator or function and its operands.
Json read_condition(TokenReader tokens, const Names& names);

}  // namespace torchbook::site::questions
