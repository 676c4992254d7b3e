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

constexpr std::size_t most_names = 8;  // in a message

constexpr auto is_digit = [](char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); };

/// Returns whether a Python name may contain a character. Bytes of UTF-8 count as letters.
constexpr auto is_in_word = [](char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' ||
         static_cast<unsigned char>(c) > 127;
};

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

/// Returns the length of a name such as `inputs` or `query.weight` at the beginning of a text. What is
/// called, as `x.sum(`, is no part of it.
std::size_t name_length(std::string_view text) {
  const auto word_at = [&](std::size_t at) {
    const auto rest = text.substr(std::min(at, text.size()));
    return static_cast<std::size_t>(std::ranges::find_if_not(rest, is_in_word) - rest.begin());
  };
  auto length = word_at(0);
  while (text.substr(length).starts_with('.')) {
    const auto more = word_at(length + 1);
    if (more == 0 || text.substr(length + 1 + more).starts_with('(')) break;
    length += 1 + more;
  }
  return length;
}

/// Returns the length of a number, a name or a sign, or 0 if the text begins with none of them.
std::size_t token_length(std::string_view text) {
  if (is_digit(text.front()) || (text.front() == '.' && digits_at(text, 1) != 0)) return number_length(text);
  if (is_in_word(text.front())) return name_length(text);
  for (const std::string_view sign :
       {"==", "!=", "<=", ">=", "<", ">", "=", "+", "-", "*", "/", "(", ")", "[", "]", ",", ":"}) {
    if (text.starts_with(sign)) return sign.size();
  }
  return 0;
}

/// Advises what to write instead of a text that is not a token.
std::string advice(std::string_view text) {
  if (text.starts_with("&")) return "; write 'and'";
  if (text.starts_with("|")) return "; write 'or'";
  if (text.starts_with("!")) return "; write 'not'";
  if (text.starts_with('"') || text.starts_with('\'')) return "; an index is a number";
  const auto word = text.substr(1, text.find('(') - 1);
  if (text.starts_with('.') && word.size() + 1 < text.size() && std::ranges::all_of(word, is_in_word))
    return fmt::format("; write {}(…), with its argument in the brackets", word);
  return "";
}

/// Returns whether a name at the beginning of a text ends where it does.
bool is_whole(std::string_view name, std::string_view text) {
  const auto rest = text.substr(name.size());
  return rest.empty() || !is_in_word(rest.front()) || !is_in_word(name.back());
}

/// Returns up to `most_names` names of tensors and seeds that contain a word, or otherwise of any.
std::string names_like(std::string_view word, const Names& names) {
  std::vector<std::string_view> like, all;
  for (const auto& picture : names.page.pictures) all.push_back(picture.name);
  for (const auto& [name, seed] : names.seeds) all.push_back(name);
  std::ranges::copy_if(all, std::back_inserter(like),
                       [&](std::string_view name) { return name.find(word) != name.npos; });
  auto& shown = like.empty() ? all : like;
  const bool more = shown.size() > most_names;
  if (more) shown.resize(most_names);
  return fmt::format("{}{}", fmt::join(shown, ", "), more ? " and others" : "");
}

/// Returns the names of pictures, up to `most_names`.
std::string names_of(std::span<const std::size_t> pictures, const Names& names) {
  std::vector<std::string_view> shown;
  for (const auto picture : pictures) {
    if (shown.size() < most_names) shown.push_back(names.page.pictures[picture].name);
  }
  return fmt::format("{}{}", fmt::join(shown, ", "), shown.size() < pictures.size() ? " and others" : "");
}

/// Reads the name of a tensor, and returns a picture of it.
std::size_t read_picture(TokenReader& tokens, const Names& names) {
  const auto name = tokens.next();
  if (name.empty()) tokens.fail("a name of a tensor or a seed is missing at the end");
  const auto found = names.tensors.find(name);
  if (found == names.tensors.end())
    tokens.fail(fmt::format("the page has no '{}'; it has {}", name, names_like(name, names)));
  const auto& all = found->second;
  if (!names.are_one(all))
    tokens.fail(fmt::format("'{}' is the name of several tensors: {}", name, names_of(all, names)));
  if (!names.tensor_of(all.front()))
    tokens.fail(fmt::format("the page cannot compute {}; name another tensor", name));
  return all.front();
}

/// Reads an index along a dimension of `size`. Returns nullopt for `:`.
std::optional<std::size_t> read_index(TokenReader& tokens, std::int64_t size) {
  if (tokens.take(":")) return std::nullopt;
  const bool from_end = tokens.take("-");
  const auto token = tokens.next();
  const auto given = notebook::parse_integer<std::int64_t>(token);
  if (is_word(token))
    tokens.fail(fmt::format("the index '{}' is not a number; an index is a number or ':'", token));
  const auto index = given && from_end ? size - *given : given.value_or(-1);
  if (!given || index < 0 || index >= size)
    tokens.fail(fmt::format("the index '{}{}' is out of range; this dimension has the indices 0 to {}",
                            from_end ? "-" : "", token, size - 1));
  return static_cast<std::size_t>(index);
}

}  // namespace

Names::Names(const Askable& asked) : page(asked) {
  const auto add = [&](bool are_parts) {
    for (std::size_t i = 0; i < page.pictures.size(); ++i) {
      const auto& picture = page.pictures[i];
      const auto bracket = picture.variable.find('[');
      if ((bracket != std::string::npos) != are_parts) continue;
      if (picture.name != picture.variable) tensors[picture.name].push_back(i);
      const auto whole = tensors.find(picture.variable.substr(0, bracket));
      const bool is_weight =
          picture.variable.find('.') != std::string::npos;  // the name is that of the first one
      const bool is_reached = whole != tensors.end() && (is_weight || (are_parts && are_one(whole->second)));
      if (!picture.variable.empty() && !is_reached) tensors[picture.variable].push_back(i);
    }
  };
  add(false);
  add(true);  // `inputs[0]` is a part of `inputs`, if the page has that
  for (std::size_t i = 0; i < page.seeds.size(); ++i) {
    auto name = "seed of " + page.seeds[i].cell;
    if (seeds.contains(name)) name = fmt::format("seed {} of {}", i + 1, page.seeds[i].cell);
    seeds[name] = i;
  }
}

std::optional<std::size_t> Names::tensor_of(std::size_t picture) const {
  return picture < page.computed.size() ? page.computed[picture] : std::nullopt;
}

bool Names::are_one(std::span<const std::size_t> pictures) const {
  return std::ranges::all_of(pictures,
                             [&](std::size_t one) { return tensor_of(one) == tensor_of(pictures.front()); });
}

std::size_t Names::length_at(std::string_view text) const {
  std::size_t longest = 0;
  const auto try_all = [&](const auto& names) {
    for (const auto& [name, what] : names) {
      if (name.size() > longest && text.starts_with(name) && is_whole(name, text)) longest = name.size();
    }
  };
  try_all(tensors);
  try_all(seeds);
  return longest;
}

TokenReader::TokenReader(std::string_view text, std::size_t line, const Names& names) : line_(line) {
  while (true) {
    text = notebook::trimmed(text);
    if (text.empty()) return;
    const auto length = std::max(names.length_at(text), token_length(text));
    if (length == 0)
      fail(fmt::format("'{}' means nothing here{}", text.substr(0, text.find(' ')), advice(text)));
    tokens_.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
}

std::string_view TokenReader::text_from(std::size_t first) const {
  const char* const begin = tokens_[first].data();
  const auto last = tokens_[std::min(at_, tokens_.size()) - 1];
  return {begin, static_cast<std::size_t>(last.data() + last.size() - begin)};
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

bool is_word(std::string_view token) {
  return !token.empty() && is_in_word(token.front()) && !is_digit(token.front());
}

Part read_part(TokenReader& tokens, const Names& names) {
  const auto first = tokens.at();
  Part part{.name = tokens.peek(), .picture = read_picture(tokens, names)};
  const auto& shape = names.page.pictures[part.picture].numbers.shape;
  std::vector<std::optional<std::size_t>> indices;
  if (tokens.take("[")) {
    do {
      if (indices.size() == shape.size())
        tokens.fail(fmt::format("{} has {}; it takes no more indices", part.name,
                                report::counted(shape.size(), "dimension")));
      indices.push_back(read_index(tokens, shape[indices.size()]));
    } while (tokens.take(","));
    tokens.expect("]");
  }
  part.indices = tokens.text_from(first).substr(part.name.size());
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

}  // namespace torchbook::site::questions
