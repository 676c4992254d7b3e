// Looks for lines of CMake that begin with a call.
#include <torchbook/importing/cmake_line.h>
#include <torchbook/importing/words.h>
#include <torchbook/notebook/lines.h>

namespace torchbook::importing {
namespace {

constexpr std::string_view add_notebook = "torchbook_add_notebook(";
constexpr std::string_view add_program = "torchbook_add_program(";

/// Returns what stands behind a call at the beginning of a line, or nullopt if it does not stand there.
std::optional<std::string_view> behind_call(std::string_view line, std::string_view call) {
  line = without_indent(line);
  if (!line.starts_with(call)) return std::nullopt;
  return without_indent(line.substr(call.size()));
}

/// Returns whether a line calls a function with this first argument.
bool calls(std::string_view cmake, std::string_view call, std::string_view argument) {
  for (const auto line : notebook::lines_of(cmake)) {
    const auto rest = behind_call(line, call);
    if (rest && rest->substr(0, rest->find_first_of(" \t)")) == argument) return true;
  }
  return false;
}

}  // namespace

std::string cmake_line(std::string_view slug) { return std::string(add_notebook) + std::string(slug) + ")"; }

bool has_notebook(std::string_view cmake, std::string_view slug) { return calls(cmake, add_notebook, slug); }

bool has_program(std::string_view cmake, std::string_view name) { return calls(cmake, add_program, name); }

std::optional<std::string> with_notebook(std::string_view cmake, std::string_view slug) {
  std::size_t at = 0, behind_notebook = 0;
  for (const auto line : notebook::lines_of(cmake)) {
    if (behind_call(line, add_program)) {
      const auto place = behind_notebook > 0 ? behind_notebook : at;
      auto text = std::string(cmake);
      text.insert(place, cmake_line(slug) + '\n');
      return text;
    }
    at += line.size() + 1;
    if (behind_call(line, add_notebook) && line.find(')') != line.npos) behind_notebook = at;
  }
  return std::nullopt;
}

}  // namespace torchbook::importing
