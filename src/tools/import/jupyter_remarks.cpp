// Examines the commands of a cell, names that Jupyter sets, and the cell's output.
#include <fmt/format.h>
#include <tools/import/jupyter_remarks.h>
#include <tools/import/python_tokens.h>
#include <tools/import/text.h>
#include <torchbook/notebook/lines.h>

#include <algorithm>
#include <cstddef>

namespace torchbook::importing {
namespace {

/// Adds a remark for each of the first lines, and one with the number of the others.
void add_remarks(const FirstLines& lines, std::string_view what, std::vector<std::string>& remarks) {
  for (const auto& line : lines.first) remarks.push_back(fmt::format("{}: {}", what, cited(line)));
  if (lines.count > lines.first.size()) {
    remarks.push_back(fmt::format("{}: {} more lines", what, lines.count - lines.first.size()));
  }
}

/// Returns whether an output contains the address of an object, as in Python's default repr.
bool prints_address(const golden::GoldenCell& cell) {
  constexpr std::string_view address = " at 0x";
  return contains(cell.out, address) || (cell.result && contains(*cell.result, address));
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

/// Returns whether Jupyter itself sets this name, to the result or source of a cell: `_`, `__`,
/// `_3`, `Out`, `In`.
bool is_name_of_jupyter(std::string_view name) {
  if (name == "_" || name == "__" || name == "___" || name == "Out" || name == "In") return true;
  if (name == "_i" || name == "_ii" || name == "_iii" || name == "_oh" || name == "_ih") return true;
  return is_digits(name.substr(1)) && name[0] == '_';
}

/// Returns whether the token is a name that is assigned here, as in `for _ in x`, `_, y = z` or
/// `lambda _: 1`.
bool is_bound(const std::vector<PythonToken>& tokens, std::size_t at) {
  const auto next = [&](std::size_t ahead) {
    return at + ahead < tokens.size() ? tokens[at + ahead].text : std::string_view();
  };
  if (at > 0) {
    const auto& before = tokens[at - 1];
    if (before.is("for") || before.is("as") || before.is("import") || before.is("lambda") || before.is("def"))
      return true;
    const std::size_t after = next(1) == ")" ? 2 : 1;  // `for i, (x, _) in y`
    if (before.is(",") && (next(after) == "in" || (next(after) == "=" && next(after + 1) != "=")))
      return true;
  }
  return next(1) == "," || next(1) == ":" || (next(1) == "=" && next(2) != "=");
}

/// Adds the names of a cell to `known`. Returns those that only Jupyter sets.
FirstLines names_of_jupyter(std::string_view python, KnownNames& known) {
  KnownNames found;
  const auto tokens = python_tokens(python).value_or(std::vector<PythonToken>());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto name = tokens[i].text;
    if (tokens[i].kind != PythonToken::Kind::word || known.contains(name)) continue;
    const bool member = i > 0 && tokens[i - 1].is(".");
    const bool jupyters = !member && is_name_of_jupyter(name) && !is_bound(tokens, i);
    if (!jupyters) {
      known.emplace(name);
    } else {
      found.emplace(name);
    }
  }
  FirstLines lines;
  for (const auto& name : found) lines.add(name);
  return lines;
}

/// Returns the command that prints how long something took; empty if there is none.
std::string_view timing_command(const TwinSource& twin) {
  if (twin.timed.count > 0) return twin.timed.first[0];
  const auto& commands = twin.commented.first;
  const auto found = std::find_if(commands.begin(), commands.end(),
                                  [](const auto& command) { return contains(command, "%time"); });
  return found == commands.end() ? std::string_view() : *found;
}

}  // namespace

bool has_code(std::string_view python) {
  const auto lines = notebook::lines_of(python);
  return std::any_of(lines.begin(), lines.end(), [](auto line) {
    line = without_indent(line);
    return !line.empty() && line[0] != '#';
  });
}

std::vector<std::string> jupyter_remarks(const TwinSource& twin, KnownNames& known) {
  std::vector<std::string> remarks;
  if (!twin.why_all.empty()) remarks.push_back(fmt::format("a comment in the twin: {}", twin.why_all));
  add_remarks(twin.commented, "a comment in the twin, because only Jupyter runs it", remarks);
  add_remarks(twin.timed, "without its magic in the twin", remarks);
  if (!twin.hidden_by.empty()) {
    remarks.push_back(fmt::format("{} hides what the cell shows; its twin shows it", twin.hidden_by));
  }
  add_remarks(names_of_jupyter(twin.text, known), "a name that only Jupyter sets, so the twin lacks it",
              remarks);
  return remarks;
}

std::string jupyter_exception(const golden::GoldenCell& shown, const TwinSource& twin) {
  if (!shown.has_output()) return {};
  if (!twin.why_all.empty()) return fmt::format("not ported: {}", twin.why_all);
  if (twin.commented.count > 0 && !has_code(twin.text)) {
    const auto more = twin.commented.count - 1;
    return fmt::format("not ported: only Jupyter runs {}{}", cited(twin.commented.first[0]),
                       more == 0 ? "" : fmt::format(" and {} more", more));
  }
  if (prints_address(shown)) return "varies /<[^<>]* at 0x[0-9a-f]+>/: it shows an address";
  if (const auto command = timing_command(twin); contains(shown.out, "Wall time: ") && !command.empty()) {
    return fmt::format("varies: {} prints how long it took", cited(command));
  }
  return {};
}

}  // namespace torchbook::importing
