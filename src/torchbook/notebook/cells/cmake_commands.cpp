// Scans CMake code by the grammar of cmake-language(7).
#include <absl/strings/ascii.h>
#include <torchbook/notebook/cells/cmake_commands.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace torchbook::notebook {
namespace {

/// Scans one text: commands, quoted, bracket and plain arguments, and comments.
class CMakeScanner {
 public:
  explicit CMakeScanner(std::string_view text) : text_(text), at_(text.starts_with("\xEF\xBB\xBF") ? 3 : 0) {}

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
      } else if (!absl::ascii_isspace(next())) {
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
    const auto close = "]" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "]";
    const auto end = std::min(text_.find(close, open), text_.size());
    at_ = std::min(end + close.size(), text_.size());
    const auto begin = std::min(text_.substr(open + 1).starts_with('\n') ? open + 2 : open + 1, end);
    return std::string(text_.substr(begin, end - begin));
  }

  std::string_view text_;
  std::size_t at_;
  std::vector<CMakeCommand> commands_{};
};

}  // namespace

std::vector<CMakeCommand> cmake_commands(std::string_view text) { return CMakeScanner(text).commands(); }

}  // namespace torchbook::notebook
