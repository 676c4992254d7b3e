// Wraps help texts between words, which CLI11 does only since version 2.5.
#include <fmt/format.h>
#include <torchbook/cli/shared/help_format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

namespace torchbook::cli {
namespace {

constexpr std::size_t screen = 80;
constexpr std::size_t name_width = 34;  // the width of the names of options and commands

/// Wraps `text` between words at `width` columns. A longer word stays whole.
std::string wrapped(std::string_view text, std::size_t width, std::string_view indent) {
  std::string lines;
  while (text.size() > width || text.substr(0, width).find('\n') != text.npos) {
    auto end = text.substr(0, width + 1).find('\n');
    if (end == text.npos) end = text.substr(0, width + 1).rfind(' ');
    if (end == text.npos) end = text.find_first_of(" \n");
    if (end == text.npos) break;
    lines += fmt::format("{}\n{}", text.substr(0, end), indent);
    text.remove_prefix(end + 1);
  }
  return lines.append(text);
}

class Formatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool positional) const override {
    return entry(make_option_name(option, positional) + make_option_opts(option), make_option_desc(option));
  }

  /// Leaves out the options that this one needs or excludes. The error messages name them.
  std::string make_option_opts(const CLI::Option* option) const override {
    auto text = CLI::Formatter::make_option_opts(option);
    for (const auto* more : {" Needs:", " Excludes:"}) text.resize(std::min(text.find(more), text.size()));
    return text;
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return entry(command->get_name(), command->get_description());
  }

  std::string make_description(const CLI::App* app) const override {
    return wrapped(CLI::Formatter::make_description(app), screen, "");
  }

 private:
  static std::string entry(const std::string& name, const std::string& description) {
    const std::string indent(name_width, ' ');
    const std::string left = "  " + name;
    const auto start =
        left.size() < name_width ? fmt::format("{:<{}}", left, name_width) : left + '\n' + indent;
    return start + wrapped(description, screen - name_width, indent) + '\n';
  }
};

}  // namespace

void format_help(CLI::App& app) { app.formatter(std::make_shared<Formatter>()); }

}  // namespace torchbook::cli
