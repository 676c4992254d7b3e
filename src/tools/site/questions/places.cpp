#include <absl/strings/ascii.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/site/questions/places.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/parse_integer.h>
#include <torchbook/report/words.h>

#include <algorithm>
#include <numeric>

namespace torchbook::site::questions {
namespace {

constexpr auto is_digit = [](char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); };
constexpr auto is_letter = [](char c) { return absl::ascii_isalpha(static_cast<unsigned char>(c)); };

/// Returns the length of the digits at `at`.
std::size_t digits_at(std::string_view text, std::size_t at) {
  const auto rest = text.substr(std::min(at, text.size()));
  return static_cast<std::size_t>(std::ranges::find_if_not(rest, is_digit) - rest.begin());
}

/// Returns the length of a number such as `0.05` or `5e-05` at the beginning of a text.
std::size_t number_length(std::string_view text) {
  auto length = digits_at(text, 0);
  if (text.substr(length).starts_with('.')) length += 1 + digits_at(text, length + 1);
  if (length < text.size() && (text[length] == 'e' || text[length] == 'E')) {
    const bool has_sign = length + 1 < text.size() && (text[length + 1] == '-' || text[length + 1] == '+');
    const auto digits = digits_at(text, length + 1 + (has_sign ? 1 : 0));
    if (digits != 0) length += 1 + (has_sign ? 1 : 0) + digits;
  }
  return length;
}

/// Returns the length of a word such as `argmax`, `t5-1` or `seed.0`.
std::size_t word_length(std::string_view text) {
  auto length = static_cast<std::size_t>(std::ranges::find_if_not(text, is_letter) - text.begin());
  const auto word = text.substr(0, length);
  if (word == "seed" && text.substr(length).starts_with('.')) return length + 1 + digits_at(text, length + 1);
  if (word != "t" && word != "u") return length;
  length += digits_at(text, length);
  const bool has_number = text.substr(length).starts_with('-') && digits_at(text, length + 1) != 0;
  return has_number ? length + 1 + digits_at(text, length + 1) : length;
}

std::size_t token_length(std::string_view text) {
  if (is_letter(text.front())) return word_length(text);
  if (is_digit(text.front()) || (text.front() == '.' && digits_at(text, 1) != 0)) return number_length(text);
  for (const std::string_view sign :
       {"==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "(", ")", "[", "]", ",", ":"}) {
    if (text.starts_with(sign)) return sign.size();
  }
  return 0;
}

/// Returns the ids of the tensors in the cell that a wrong id names, or what an id looks like.
std::string known_ids(std::string_view id, std::span<const Picture> pictures) {
  std::vector<std::string> ids;
  const auto cell = id.empty() ? id : id.substr(1, id.find('-') - (id.find('-') == id.npos ? 0 : 1));
  for (const auto& picture : pictures) {
    if (fmt::format("{}", picture.position) == cell)
      ids.push_back(fmt::format("{} ({})", picture.id, picture.name));
  }
  if (ids.empty()) return "an id such as t5-1 names the first tensor of the cell at position 5";
  return fmt::format("the cell at position {} has {}", cell, fmt::join(ids, ", "));
}

std::size_t picture_of(TokenReader& tokens, const Askable& page) {
  const auto id = tokens.next();
  const auto found = std::ranges::find(page.pictures, id, &Picture::id);
  if (found == page.pictures.end())
    tokens.fail(fmt::format("the page has no tensor '{}'; {}", id, known_ids(id, page.pictures)));
  const auto place = static_cast<std::size_t>(found - page.pictures.begin());
  if (place >= page.computed.size() || !page.computed[place])
    tokens.fail(fmt::format("the page cannot compute {}; name another tensor", id));
  return place;
}

/// Reads an index along a dimension of `size`. Returns nullopt for `:`.
std::optional<std::size_t> read_index(TokenReader& tokens, std::int64_t size) {
  if (tokens.take(":")) return std::nullopt;
  const bool from_end = tokens.take("-");
  const auto token = tokens.next();
  const auto given = notebook::parse_integer<std::int64_t>(token);
  const auto index = given && from_end ? size - *given : given.value_or(-1);
  if (!given || index < 0 || index >= size)
    tokens.fail(fmt::format("the index '{}{}' is out of range; this dimension has the indices 0 to {}",
                            from_end ? "-" : "", token, size - 1));
  return static_cast<std::size_t>(index);
}

}  // namespace

TokenReader::TokenReader(std::string_view text, std::size_t line) : line_(line) {
  while (true) {
    text = notebook::trimmed(text);
    if (text.empty()) return;
    const auto length = token_length(text);
    if (length == 0) fail(fmt::format("'{}' means nothing here", text.substr(0, text.find(' '))));
    tokens_.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
}

std::string_view TokenReader::next() {
  const auto token = peek();
  ++at_;
  return token;
}

bool TokenReader::take(std::string_view token) {
  if (peek() != token || token.empty()) return false;
  ++at_;
  return true;
}

void TokenReader::expect(std::string_view token) {
  if (take(token)) return;
  fail(peek().empty() ? fmt::format("'{}' is missing at the end", token)
                      : fmt::format("'{}' is unexpected; it should be '{}'", peek(), token));
}

Part read_part(TokenReader& tokens, const Askable& page) {
  Part part{.picture = picture_of(tokens, page)};
  const auto& shape = page.pictures[part.picture].numbers.shape;
  std::vector<std::optional<std::size_t>> indices;
  std::vector<std::string> texts;
  if (tokens.take("[")) {
    do {
      if (indices.size() == shape.size())
        tokens.fail(fmt::format("{} has {}; it takes no more indices", page.pictures[part.picture].id,
                                report::counted(shape.size(), "dimension")));
      indices.push_back(read_index(tokens, shape[indices.size()]));
      texts.push_back(indices.back() ? fmt::format("{}", *indices.back()) : ":");
    } while (tokens.take(","));
    tokens.expect("]");
    part.indices = fmt::format("[{}]", fmt::join(texts, ", "));
  }
  part.elements = {0};
  for (std::size_t dim = 0; dim < shape.size(); ++dim) {
    const auto size = static_cast<std::size_t>(shape[dim]);
    std::vector<std::size_t> elements;
    for (const auto before : part.elements) {
      for (std::size_t i = 0; i < size; ++i) {
        if (dim >= indices.size() || !indices[dim] || *indices[dim] == i)
          elements.push_back(before * size + i);
      }
    }
    part.elements = std::move(elements);
  }
  return part;
}

bool is_seed(std::string_view token) { return token.starts_with("seed."); }

std::size_t read_seed(TokenReader& tokens, const Askable& page) {
  const auto token = tokens.next();
  const auto number = notebook::parse_integer<std::size_t>(token.substr(token.find('.') + 1));
  if (!number || *number >= page.seeds.size())
    tokens.fail(fmt::format("the page has no '{}'; it has {}{}", token,
                            report::counted(page.seeds.size(), "seed"),
                            page.seeds.size() == 1 ? ", seed.0"
                            : page.seeds.empty()   ? ""
                                                   : ", from seed.0 on"));
  return *number;
}

}  // namespace torchbook::site::questions
