// Inserts a notebook after the others, above the program that is to contain it.
#include <absl/strings/ascii.h>
#include <fmt/format.h>
#include <tools/import/cmake_line.h>
#include <tools/import/words.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace torchbook::importing {
namespace {

/// A call such as `torchbook_add_notebook(one)`.
struct CMakeCommand {
  std::string name;                      ///< in small letters, because CMake does not tell them apart
  std::vector<std::string> arguments{};  ///< without their quotes; variables stay
  std::size_t begin = 0;                 ///< the offset of its name
  std::size_t end = 0;                   ///< the offset of its closing bracket
};

/// Scans one CMake text by the grammar of cmake-language(7): commands, quoted, bracket and plain arguments,
/// and comments.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<CMakeCommand> commands() {
    while (skip_space()) {
      auto command = take_command();
      if (!command) break;
      commands_.push_back(std::move(*command));
    }
    return std::move(commands_);
  }

 private:
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  /// Skips white space and comments. Returns whether something follows.
  bool skip_space() {
    while (at_ < text_.size()) {
      if (next() == '#') {
        ++at_;
        if (!take_bracketed()) at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (white_space.find(next()) == white_space.npos) {
        return true;
      } else {
        ++at_;
      }
    }
    return false;
  }

  std::optional<CMakeCommand> take_command() {
    CMakeCommand command{.name = {}, .begin = at_};
    while (absl::ascii_isalnum(next()) || next() == '_') command.name += absl::ascii_tolower(text_[at_++]);
    while (next() == ' ' || next() == '\t') ++at_;
    if (command.name.empty() || next() != '(') return std::nullopt;
    ++at_;
    for (std::size_t depth = 1; skip_space();) {
      if (next() == '(') {
        ++depth;
        ++at_;
      } else if (next() == ')') {
        command.end = at_++;
        if (--depth == 0) return command;
      } else {
        command.arguments.push_back(take_argument());
      }
    }
    return std::nullopt;
  }

  std::string take_argument() {
    if (next() == '"') return take_quoted();
    if (auto bracketed = take_bracketed()) return *bracketed;
    const auto begin = at_;
    while (at_ < text_.size() && std::string_view(" \t\r\n()#\"").find(next()) == std::string_view::npos) {
      at_ += next() == '\\' ? 2 : 1;
    }
    at_ = std::min(at_, text_.size());
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string take_quoted() {
    const auto begin = ++at_;
    while (at_ < text_.size() && next() != '"') at_ += next() == '\\' ? 2 : 1;
    const auto end = std::min(at_, text_.size());
    at_ = std::min(end + 1, text_.size());
    return std::string(text_.substr(begin, end - begin));
  }

  /// Reads a bracket argument, `[[…]]` or `[=[…]=]`, if one begins here.
  std::optional<std::string> take_bracketed() {
    if (next() != '[') return std::nullopt;
    const auto open = text_.find_first_not_of('=', at_ + 1);
    if (open == text_.npos || text_[open] != '[') return std::nullopt;
    const auto close = fmt::format("]{}]", text_.substr(at_ + 1, open - at_ - 1));
    const auto end = std::min(text_.find(close, open), text_.size());
    at_ = std::min(end + close.size(), text_.size());
    return std::string(text_.substr(open + 1, end - open - 1));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<CMakeCommand> commands_{};
};

/// Returns the commands of CMake code, without those in comments and strings. Stops at the first
/// syntax error. Takes linear time.
std::vector<CMakeCommand> cmake_commands(std::string_view text) { return Scanner(text).commands(); }

constexpr std::string_view add_notebook = "torchbook_add_notebook";
constexpr std::string_view add_program = "torchbook_add_program";

/// Returns whether a text calls a function with this first argument.
bool calls(std::string_view cmake, std::string_view function, std::string_view argument) {
  const auto commands = cmake_commands(cmake);
  return std::any_of(commands.begin(), commands.end(), [&](const auto& command) {
    return command.name == function && !command.arguments.empty() && command.arguments[0] == argument;
  });
}

/// Returns the offset after the line of a command, or that of the next command if it is on the same
/// line.
std::size_t behind(std::string_view cmake, const CMakeCommand& command, const CMakeCommand& next) {
  const auto line = cmake.find('\n', command.end);
  return std::min(line == cmake.npos ? cmake.size() : line + 1, next.begin);
}

/// Returns the offset of a command's line, or of the command itself if other text precedes it on
/// the line.
std::size_t above(std::string_view cmake, const CMakeCommand& command) {
  const auto line = cmake.rfind('\n', command.begin) + 1;  // npos + 1 is 0
  return stripped(cmake.substr(line, command.begin - line)).empty() ? line : command.begin;
}

}  // namespace

std::string cmake_line(std::string_view slug) { return fmt::format("{}({})", add_notebook, slug); }

bool has_notebook(std::string_view cmake, std::string_view slug) { return calls(cmake, add_notebook, slug); }

bool has_program(std::string_view cmake, std::string_view name) { return calls(cmake, add_program, name); }

bool is_project(std::string_view cmake) {
  const auto commands = cmake_commands(cmake);
  return std::any_of(commands.begin(), commands.end(),
                     [](const auto& command) { return command.name == "project"; });
}

std::optional<std::string> with_notebook(std::string_view cmake, std::string_view slug) {
  const auto commands = cmake_commands(cmake);
  const auto program = std::find_if(commands.begin(), commands.end(),
                                    [](const auto& command) { return command.name == add_program; });
  if (program == commands.end()) return std::nullopt;
  auto place = above(cmake, *program);
  for (auto command = commands.begin(); command != program; ++command) {
    if (command->name == add_notebook) place = behind(cmake, *command, command[1]);
  }
  std::string text(cmake);
  const auto& arguments = program->arguments;
  if (std::find(arguments.begin(), arguments.end(), "NOTEBOOKS") != arguments.end()) {
    text.insert(program->end, " " + std::string(slug));
  }
  return text.insert(place, with_line_ends_of(cmake, cmake_line(slug) + '\n'));
}

}  // namespace torchbook::importing
