#include <fmt/format.h>
#include <torchbook/golden/exceptions.h>
#include <torchbook/golden/golden.h>
#include <torchbook/notebook/cells/label.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/parse_integer.h>

#include <map>
#include <optional>

namespace torchbook::golden {
namespace {

using notebook::trimmed;

constexpr std::size_t longest_reason = 200;  // bytes
constexpr std::string_view title = "exceptions of ";

Exception exception_of(std::string_view line, std::size_t number) {
  const auto space = line.find_first_of(" \t");
  const auto position = notebook::parse_integer<std::size_t>(
      line.starts_with('@') ? line.substr(1, space == line.npos ? space : space - 1) : "");
  if (!position || *position == 0) {
    throw GoldenError(number,
                      "a line must be '@POSITION KIND: REASON', such as '@3 differs: prints the time'");
  }
  const auto rest = space == line.npos ? std::string_view() : line.substr(space);
  const auto colon = rest.find(':');
  const auto kind = kind_named(trimmed(rest.substr(0, colon)));
  if (!kind) {
    throw GoldenError(
        number, "the kind of an exception must be 'differs', 'varies', 'printed', 'picture' or 'not ported'");
  }
  const auto reason = colon == rest.npos ? std::string_view() : trimmed(rest.substr(colon + 1));
  if (reason.empty() && *kind != ExceptionKind::picture) {
    throw GoldenError(number, fmt::format("the reason is missing; it comes after '@{} {}: '", *position,
                                          row_of(*kind).name));
  }
  if (reason.size() > longest_reason || notebook::has_control_characters(reason)) {
    throw GoldenError(
        number, fmt::format("a reason must have at most {} bytes and no control characters", longest_reason));
  }
  return {.position = *position, .kind = *kind, .reason = std::string(reason), .line = number, .place = {}};
}

}  // namespace

std::optional<ExceptionKind> kind_named(std::string_view name) {
  for (const auto& row : exception_kinds) {
    if (row.name == name) return row.kind;
  }
  return std::nullopt;
}

Exceptions parse_exceptions(std::string_view text, std::string_view file) {
  const std::string normal = notebook::with_newlines(text);
  Exceptions exceptions;
  std::map<std::size_t, std::size_t> named;  // the line of each position
  std::size_t number = 0;
  for (const auto line : notebook::lines_of(normal)) {
    ++number;
    if (number == 1) {
      if (!line.starts_with(title)) break;
      exceptions.slug = trimmed(line.substr(title.size()));
      continue;
    }
    if (trimmed(line).empty() || line.starts_with('#')) continue;
    auto one = exception_of(line, number);
    one.place = fmt::format("{}:{}", file, number);
    const auto [other, is_new] = named.emplace(one.position, number);
    if (!is_new) {
      throw GoldenError(number, fmt::format("cell @{} has an exception already, in line {}; a cell has one",
                                            one.position, other->second));
    }
    exceptions.cells.push_back(std::move(one));
  }
  if (exceptions.slug.empty()) throw GoldenError(1, "the first line must be 'exceptions of <slug>'");
  return exceptions;
}

void require_cells(const Exceptions& exceptions, std::string_view slug, std::size_t cells) {
  require_slug(exceptions.slug, slug);
  for (const auto& one : exceptions.cells) {
    if (one.position <= cells) continue;
    throw GoldenError(one.line, fmt::format("there is no cell @{}; the notebook {} has {}", one.position,
                                            slug, notebook::counted(cells, "cell")));
  }
}

Exceptions of_the_port(Exceptions exceptions) {
  std::erase_if(exceptions.cells, [](const Exception& one) { return !row_of(one.kind).of_the_port; });
  return exceptions;
}

void add_exceptions(Golden& golden, const Exceptions& exceptions) {
  for (const auto& one : exceptions.cells) golden.cells.at(one.position - 1).exception = one;
}

}  // namespace torchbook::golden
