#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/site/questions/places.h>
#include <tools/site/site.h>
#include <torchbook/golden/tensor_difference.h>
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

/// What a question lets a reader change.
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

void add_line(std::vector<Block>& blocks, std::string_view line, std::size_t number) {
  const auto colon = line.find(':');
  const auto key = std::ranges::find(keys, line.substr(0, colon));
  if (colon == line.npos || key == keys.end())
    throw TextError(
        number,
        "a line must begin with 'ask:', 'change:', 'check:', 'hint:' or 'answer:', or with spaces to "
        "continue the line before it");
  if (*key == "ask") {
    require_complete(blocks);
    blocks.emplace_back();
  }
  if (blocks.empty()) throw TextError(number, "a question must begin with 'ask:'");
  const auto text = trimmed(line.substr(colon + 1));
  if (text.empty()) throw TextError(number, fmt::format("the text after '{}:' is missing", *key));
  const bool is_new = blocks.back().try_emplace(*key, Field{std::string(text), number}).second;
  if (!is_new)
    throw TextError(number,
                    fmt::format("the question has '{}' already, in line {}", *key, blocks.back()[*key].line));
}

/// Returns the field with the largest line.
Field& last_field(Block& block) {
  return std::ranges::max_element(block, {}, [](const auto& field) { return field.second.line; })->second;
}

std::vector<Block> blocks_of(std::string_view text, std::string_view slug) {
  std::vector<Block> blocks;
  std::size_t number = 0;
  for (const auto line : notebook::lines_of(text)) {
    ++number;
    if (number == 1) {
      if (!are_questions_on(slug, line))
        throw TextError(1, fmt::format("the first line must be '{}{}'", title, slug));
    } else if (trimmed(line).empty() || line.starts_with('#')) {
      continue;
    } else if (line.starts_with(' ') && !blocks.empty()) {
      last_field(blocks.back()).text += ' ' + std::string(trimmed(line));
    } else {
      add_line(blocks, line, number);
    }
  }
  if (number == 0) throw TextError(1, fmt::format("the first line must be '{}{}'", title, slug));
  require_complete(blocks);
  return blocks;
}

// ------------------------------------------------------------ changes

Allowed read_allowed(const Field& field, const Askable& page) {
  TokenReader tokens(field.text, field.line);
  Allowed allowed;
  if (const auto most = notebook::parse_integer<std::size_t>(tokens.peek())) {
    if (*most == 0) tokens.fail("'0 of' allows no change; it should be at least 1");
    allowed.most = most;
    tokens.next();
    tokens.expect("of");
  }
  do {
    if (is_seed(tokens.peek()))
      allowed.seeds.push_back(read_seed(tokens, page));
    else
      allowed.parts.push_back(read_part(tokens, page));
  } while (tokens.take(","));
  if (!tokens.peek().empty())
    tokens.fail(fmt::format("'{}' is unexpected; ',' separates what may be changed", tokens.peek()));
  return allowed;
}

/// Returns what may be changed, as HTML: `at most 1 number of <a>inputs</a>[4]`.
std::string allowed_html(const Allowed& allowed, const Askable& page) {
  std::vector<std::string> names;
  for (const auto& part : allowed.parts) {
    const auto& picture = page.pictures[part.picture];
    names.push_back(fmt::format("<a href=\"#{}\">{}</a>{}", picture.id, escaped(picture.name), part.indices));
  }
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

/// Returns a change of an answer as Python would write it: `inputs[4, 0] = 3`.
std::string change_text(std::string_view change, const Allowed& allowed, const Field& field,
                        const Askable& page) {
  const auto equals = change.find('=');
  const auto point = change.rfind('.', equals);
  const auto fail = [&](const std::string& what) { throw TextError(field.line, what); };
  double number = 0;
  const auto given = change.substr(std::min(equals, change.size() - 1) + 1);
  const auto read = std::from_chars(given.data(), given.data() + given.size(), number);
  const auto index = point == change.npos
                         ? std::nullopt
                         : notebook::parse_integer<std::size_t>(change.substr(point + 1, equals - point - 1));
  if (equals == change.npos || !index || read.ec != std::errc{} || read.ptr != given.data() + given.size())
    fail(fmt::format("'{}' is no change; it should be as in a page's address, such as t1-1.12=3 or seed.0=8",
                     change));
  const auto name = change.substr(0, point);
  if (name == "seed") {
    if (!std::ranges::count(allowed.seeds, *index))
      fail(fmt::format("'{}' is none of what 'change' allows", change));
    return fmt::format("seed of {} = {}", page.seeds[*index].cell, given);
  }
  for (const auto& part : allowed.parts) {
    const auto& picture = page.pictures[part.picture];
    if (picture.id != name || !std::ranges::count(part.elements, *index)) continue;
    return fmt::format("{}[{}] = {}", picture.name,
                       fmt::join(golden::index_of(*index, picture.numbers.shape), ", "), given);
  }
  fail(fmt::format("'{}' is none of what 'change' allows", change));
  return {};
}

Data answer_data(const Field& field, const Allowed& allowed, const Askable& page) {
  Data changes(Data::type::list);
  std::size_t count = 0;
  for (std::string_view left = field.text; !left.empty();) {
    const auto end = left.find('&');
    changes.push_back(object({{"text", change_text(trimmed(left.substr(0, end)), allowed, field, page)}}));
    left.remove_prefix(end == left.npos ? left.size() : end + 1);
    ++count;
  }
  if (allowed.most && count > *allowed.most)
    throw TextError(field.line,
                    fmt::format("the answer has {} changes; 'change' allows {}", count, *allowed.most));
  return changes;
}

Data question_data(const Block& block, const Askable& page) {
  const auto allowed = read_allowed(block.at("change"), page);
  const auto& check = block.at("check");
  return object({{"ask", paragraph(block.at("ask").text)},
                 {"may", allowed_html(allowed, page)},
                 {"allowed", allowed_json(allowed, page).dump()},
                 {"check", read_condition(TokenReader(check.text, check.line), page).dump()},
                 {"hint", paragraph(block.at("hint").text)},
                 {"answer", block.at("answer").text},
                 {"changes", answer_data(block.at("answer"), allowed, page)}});
}

}  // namespace
}  // namespace torchbook::site::questions

namespace torchbook::site {

bool are_questions_on(std::string_view slug, std::string_view first_line) {
  constexpr auto title = questions::title;
  return first_line.starts_with(title) && notebook::trimmed(first_line.substr(title.size())) == slug;
}

Data questions_data(std::string_view text, std::string_view slug, const Askable& page) {
  const std::string normal = notebook::with_newlines(text);
  return list_of(questions::blocks_of(normal, slug),
                 [&](const auto& block) { return questions::question_data(block, page); });
}

}  // namespace torchbook::site
