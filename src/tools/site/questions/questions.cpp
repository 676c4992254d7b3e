#include <absl/strings/ascii.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/site/questions/places.h>
#include <tools/site/site.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/parse_integer.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

namespace torchbook::site::questions {
namespace {

using notebook::trimmed;

constexpr std::string_view title = "questions on ";
constexpr std::array<std::string_view, 5> keys = {"ask", "change", "check", "hint", "answer"};

/// A line of a question, with those that continue it.
struct Field {
  std::string text;
  std::size_t line = 0;
};

/// The lines of a question by their keys.
using Block = std::map<std::string_view, Field>;

/// The numbers that a question lets a reader change.
struct Allowed {
  std::optional<std::size_t> most{};  ///< the largest number of changes
  std::vector<Part> parts{};
  std::vector<std::size_t> seeds{};
};

// ------------------------------------------------------------ lines

void require_complete(const std::vector<Block>& blocks) {
  if (blocks.empty()) return;
  for (const auto key : keys) {
    if (!blocks.back().contains(key))
      throw TextError(
          blocks.back().at("ask").line,
          fmt::format("the question has no '{}'; it needs ask, change, check, hint and answer", key));
  }
}

/// Returns the key at the beginning of a line.
std::string_view key_of(std::string_view line, std::size_t number) {
  const auto word = line.substr(0, line.find(':'));
  const auto key = std::ranges::find(keys, word);
  if (word.size() < line.size() && key != keys.end()) return *key;
  const auto lower = absl::AsciiStrToLower(std::string(trimmed(word)));
  const auto meant = std::ranges::find(keys, lower);
  if (meant != keys.end())
    throw TextError(number, fmt::format("the line begins with '{}'; it should begin with '{}:'",
                                        line.substr(0, word.size() + 1), *meant));
  throw TextError(number,
                  fmt::format("the line begins with '{}'; it should begin with 'ask:', 'change:', 'check:', "
                              "'hint:' or 'answer:', or with spaces if it continues the line before it",
                              line.substr(0, std::min(word.size() + 1, line.find(' ')))));
}

void add_line(std::vector<Block>& blocks, std::string_view line, std::size_t number) {
  const auto key = key_of(line, number);
  if (key == "ask") {
    require_complete(blocks);
    blocks.emplace_back();
  }
  if (blocks.empty()) throw TextError(number, "a question must begin with 'ask:'");
  const auto text = trimmed(line.substr(key.size() + 1));
  if (text.empty()) throw TextError(number, fmt::format("the text after '{}:' is missing", key));
  const bool is_new = blocks.back().try_emplace(key, Field{std::string(text), number}).second;
  if (!is_new)
    throw TextError(number,
                    fmt::format("the question has '{}' already, in line {}", key, blocks.back()[key].line));
}

/// Returns the field with the largest line.
Field& last_field(Block& block) {
  return std::ranges::max_element(block, {}, [](const auto& field) { return field.second.line; })->second;
}

std::vector<Block> blocks_of(std::string_view text, std::string_view slug) {
  if (slug_of_questions(text) != slug)
    throw TextError(1, fmt::format("the first line must be '{}{}'", title, slug));
  std::vector<Block> blocks;
  std::size_t number = 0;
  for (const auto line : notebook::lines_of(text)) {
    if (++number == 1 || trimmed(line).empty() || line.starts_with('#')) continue;
    if (line.starts_with(' ') && !blocks.empty()) {
      last_field(blocks.back()).text += ' ' + std::string(trimmed(line));
    } else {
      add_line(blocks, line, number);
    }
  }
  require_complete(blocks);
  return blocks;
}

// ------------------------------------------------------------ changes

/// Reads the name of a seed and returns its number, or nullopt if a name of no seed is next.
std::optional<std::size_t> take_seed(TokenReader& tokens, const Names& names) {
  const auto found = names.seeds.find(tokens.peek());
  if (found == names.seeds.end()) return std::nullopt;
  tokens.next();
  return found->second;
}

Allowed read_allowed(const Field& field, const Names& names) {
  TokenReader tokens(field.text, field.line, names);
  Allowed allowed;
  if (const auto most = notebook::parse_integer<std::size_t>(tokens.peek())) {
    if (*most == 0) tokens.fail("'0 of' allows no change; it should be at least 1");
    allowed.most = most;
    tokens.next();
    tokens.expect("of");
  }
  do {
    if (const auto seed = take_seed(tokens, names))
      allowed.seeds.push_back(*seed);
    else
      allowed.parts.push_back(read_part(tokens, names));
  } while (tokens.take(","));
  if (!tokens.peek().empty())
    tokens.fail(fmt::format("'{}' is unexpected; ',' separates the parts of 'change'", tokens.peek()));
  return allowed;
}

/// Describes the allowed changes as HTML: `one number of <a>inputs</a>[4]`.
std::string allowed_html(const Allowed& allowed, const Askable& page) {
  std::vector<std::string> names;
  for (const auto& part : allowed.parts)
    names.push_back(fmt::format("<a href=\"#{}\">{}</a>{}", page.pictures[part.picture].id,
                                escaped(part.name), part.indices));
  std::string text = !allowed.most        ? ""
                     : *allowed.most == 1 ? "one number"
                                          : fmt::format("at most {} numbers", *allowed.most);
  if (!names.empty()) text += fmt::format("{} of {}", allowed.most ? "" : "numbers", fmt::join(names, ", "));
  for (const auto seed : allowed.seeds)
    text += fmt::format("{}the seed of <a href=\"#cell-{}\">{}</a>", text.empty() ? "" : ", ",
                        page.seeds[seed].position, escaped(page.seeds[seed].cell));
  return text;
}

Json allowed_json(const Allowed& allowed, const Askable& page) {
  Json parts = Json::array();
  for (const auto& part : allowed.parts)
    parts.push_back({{"of", page.pictures[part.picture].id}, {"at", part.elements}});
  return {{"most", allowed.most ? Json(*allowed.most) : Json()}, {"parts", parts}, {"seeds", allowed.seeds}};
}

/// A change of an answer.
struct Change {
  std::string_view text{};  ///< as written: `inputs[4, 0] = 3`
  std::string address{};    ///< as a page's address has it: `t1-1.12=3`
};

/// Reads a number, and says whether it is zero.
std::string read_number(TokenReader& tokens, bool& is_zero) {
  const std::string sign = tokens.take("-") ? "-" : "";
  const std::string number(tokens.next());
  double value = 0;
  const auto* const end = number.data() + number.size();
  const auto [rest, error] = std::from_chars(number.data(), end, value);
  if (number.empty() || error != std::errc{} || rest != end)
    tokens.fail(fmt::format("'{}{}' is not a number", sign, number));
  is_zero = value == 0;
  return sign + number;
}

/// Reads a number or a quotient after `=`.
std::string read_value(TokenReader& tokens) {
  tokens.expect("=");
  bool is_zero = false;
  auto text = read_number(tokens, is_zero);
  if (!tokens.take("/")) return text;
  text += '/' + read_number(tokens, is_zero);
  if (is_zero) tokens.fail(fmt::format("'{}' divides by zero", text));
  return text;
}

/// Returns the target of a change in the form of a page's address: `t1-1.12` or `seed.0`.
std::string read_target(TokenReader& tokens, const Allowed& allowed, const Names& names) {
  const auto first = tokens.at();
  if (const auto seed = take_seed(tokens, names)) {
    if (std::ranges::count(allowed.seeds, *seed)) return fmt::format("seed.{}", *seed);
  } else {
    const auto one = read_part(tokens, names);
    const auto text = tokens.text_from(first);
    if (one.elements.size() != 1)
      tokens.fail(fmt::format("'{}' is several numbers; an answer changes one at a time", text));
    const bool may = std::ranges::any_of(allowed.parts, [&](const Part& part) {
      return part.picture == one.picture && std::ranges::count(part.elements, one.elements[0]);
    });
    if (may) return fmt::format("{}.{}", names.page.pictures[one.picture].id, one.elements[0]);
  }
  tokens.fail(fmt::format("'change' does not allow '{}'", tokens.text_from(first)));
}

std::vector<Change> read_answer(const Field& field, const Allowed& allowed, const Names& names) {
  TokenReader tokens(field.text, field.line, names);
  std::vector<Change> changes;
  do {
    const auto first = tokens.at();
    const auto target = read_target(tokens, allowed, names);
    const auto number = read_value(tokens);
    changes.push_back({tokens.text_from(first), target + '=' + number});
  } while (tokens.take(","));
  if (!tokens.peek().empty())
    tokens.fail(fmt::format("'{}' is unexpected; ',' separates changes", tokens.peek()));
  if (allowed.most && changes.size() > *allowed.most)
    tokens.fail(fmt::format("the answer has {} changes; 'change' allows {}", changes.size(), *allowed.most));
  return changes;
}

Data question_data(const Block& block, const Names& names) {
  const auto allowed = read_allowed(block.at("change"), names);
  const auto& check = block.at("check");
  const auto answer = read_answer(block.at("answer"), allowed, names);
  std::vector<std::string> addresses;
  addresses.reserve(answer.size());
  for (const auto& change : answer) addresses.push_back(change.address);
  return object({{"ask", paragraph(block.at("ask").text)},
                 {"may", allowed_html(allowed, names.page)},
                 {"allowed", allowed_json(allowed, names.page).dump()},
                 {"check", read_condition(TokenReader(check.text, check.line, names), names).dump()},
                 {"hint", paragraph(block.at("hint").text)},
                 {"answer", fmt::format("{}", fmt::join(addresses, "&"))},
                 {"changes", list_of(answer, [](const Change& change) {
                    return object({{"text", std::string(change.text)}});
                  })}});
}

}  // namespace
}  // namespace torchbook::site::questions

namespace torchbook::site {

std::string slug_of_questions(std::string_view text) {
  const auto normal = notebook::with_newlines(text);
  const auto line = std::string_view(normal).substr(0, normal.find('\n'));
  return line.starts_with(questions::title)
             ? std::string(notebook::trimmed(line.substr(questions::title.size())))
             : "";
}

void check_questions(const std::string& file, std::string_view text, std::string_view slug) {
  notebook::in_file<QuestionsError>(file, [&] { questions::blocks_of(notebook::with_newlines(text), slug); });
}

Data questions_data(std::string_view text, std::string_view slug, const Askable& page) {
  const auto blocks = questions::blocks_of(notebook::with_newlines(text), slug);
  const questions::Names names(page);
  return list_of(blocks, [&](const auto& block) { return questions::question_data(block, names); });
}

}  // namespace torchbook::site
