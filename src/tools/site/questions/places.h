// Reads what questions name: tensors, parts of them, and seeds.
#pragma once

#include <tools/site/questions/questions.h>
#include <torchbook/notebook/cells/text_error.h>

#include <nlohmann/json.hpp>

namespace torchbook::site::questions {

using Json = nlohmann::ordered_json;
using notebook::TextError;

/// The words, numbers and signs of a line.
class TokenReader {
 public:
  /// Throws TextError if the text has a character that no token begins with.
  TokenReader(std::string_view text, std::size_t line);

  /// Returns the next token, empty at the end.
  std::string_view peek() const { return at_ < tokens_.size() ? tokens_[at_] : std::string_view(); }
  std::string_view next();

  /// Takes the next token if it is `token`.
  bool take(std::string_view token);

  /// Takes `token`. Throws TextError if another one is next.
  void expect(std::string_view token);

  /// Throws a TextError on this line.
  [[noreturn]] void fail(const std::string& what) const { throw TextError(line_, what); }

 private:
  std::size_t line_;
  std::vector<std::string_view> tokens_{};
  std::size_t at_ = 0;
};

/// A tensor of the page, or a part of it.
struct Part {
  std::size_t picture = 0;
  std::vector<std::size_t> elements{};  ///< row-major
  std::string indices{};                ///< `[4, 0]`; empty for all of the tensor
};

/// Reads a part, such as `t5-1[4]`.
Part read_part(TokenReader& tokens, const Askable& page);

/// Returns whether a token names a seed, such as `seed.0`.
bool is_seed(std::string_view token);

/// Returns the number of a seed. Throws TextError if the page has no such seed.
std::size_t read_seed(TokenReader& tokens, const Askable& page);

/// Reads `check`. Returns a number as it is, a part as {"of": id, "at": [elements]}, and anything else as a
/// list of its operator or function and its operands.
Json read_condition(TokenReader tokens, const Askable& page);

}  // namespace torchbook::site::questions
