// The commands that tools have: `torchbook site` runs the program torchbook-site, as git does it.
#include <fmt/format.h>
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/shared/tools.h>
#include <torchbook/cli/system/exit.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::cli {
namespace {

/// A command of a tool.
struct ToolCommand {
  std::string_view name;
  std::string_view description;
  Tool tool;
};

const ToolCommand tool_commands[] = {
    {"import", "translate a Python notebook into C++: golden, twin and port", {.name = "import"}},
    {"watch", "build and check a notebook of this folder whenever it is saved", {.name = "import"}},
    {"carry", "run a twin, and save the values that its port carries", {.name = "import"}},
    {"part", "find the first difference between a trace of C++ and one of Python", {.name = "part"}},
    {"site",
     "write pages that show each PyTorch cell beside its C++ cell",
     {.name = "site", .has_notebooks = true}},
    {"seed", "find the seed of printed random numbers", {.name = "seed"}},
    {"regression",
     "run the wide suite in two seconds: COMMAND is run, check, compare or list",
     {.name = "regression"}},
};

}  // namespace

void add_tools(CLI::App& app, const Program& program, Work& /*work*/) {
  for (const auto& each : tool_commands) {
    auto* command = app.add_subcommand(std::string(each.name), std::string(each.description));
    command->set_help_flag();
    command->prefix_command();
    command->callback([&each, &program] {
      throw UsageError(fmt::format("{1} is the first word: {0} {1} …", program.name, each.name));
    });
  }
}

void run_tool_if_asked(const Program& program, std::span<const char* const> words) {
  std::vector<std::string> asked(words.begin(), words.end());
  if (asked.size() == 2 && asked[0] == "help") asked = {asked[1], "--help"};
  const auto* const found =
      std::find_if(std::begin(tool_commands), std::end(tool_commands),
                   [&](const auto& one) { return !asked.empty() && one.name == asked[0]; });
  if (found == std::end(tool_commands)) return;
  if (found->name == "regression") asked.erase(asked.begin());  // it is no command of that program
  run_tool(found->tool, program, asked);
}

}  // namespace torchbook::cli
