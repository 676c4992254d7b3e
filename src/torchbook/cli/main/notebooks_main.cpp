// The main function of programs with notebooks: adds their commands.
#include <fmt/format.h>
#include <torchbook/cli/main/notebooks_main.h>
#include <torchbook/cli/shared/command_line.h>
#include <torchbook/cli/shared/main.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <memory>
#include <string>

namespace torchbook::cli {
namespace {

/// The name of torchbook's own program, as opposed to a notebook's.
constexpr const char* torchbook_program = "torchbook";

/// Adds the commands that only ./torchbook has, so that --help lists all commands. A user who tries
/// one here is told where it is.
void add_script_commands(CLI::App& app) {
  const auto add = [&](const std::string& name, const std::string& description) {
    auto* command = app.add_subcommand(name, description + " (./torchbook only)");
    command->set_help_flag();
    command->prefix_command();
    command->callback([name] {
      throw UsageError(fmt::format(
          "{} is a command of ./torchbook, the script in the source tree; this program has no such command",
          name));
    });
  };
  add("test", "test the core and the five notebooks, a tool, or all");
  add("matrix", "build and check on other releases of LibTorch, in other Debians");
}

/// Adds the command `help`.
void add_help(CLI::App& app, Work& work) {
  auto topic = std::make_shared<std::string>();
  auto* help = app.add_subcommand("help", "show this help, or that of a command");
  help->add_option("COMMAND", *topic, "the command");
  help->callback([&app, topic, &work] {
    const auto named = app.get_subcommands([&](const CLI::App* one) { return one->get_name() == *topic; });
    if (!topic->empty() && named.empty()) throw UsageError(unknown_command(app, *topic));
    const CLI::App* asked = named.empty() ? nullptr : named.front();
    work = [&app, asked] {
      const auto normal = CLI::AppFormatMode::Normal;
      write_stdout(asked == nullptr ? app.get_formatter()->make_help(&app, app.get_name(), normal)
                                    : asked->help(app.get_name()));
      return exit_equal;
    };
  });
}

using Commands = std::span<AddCommand* const>;

void add_commands(CLI::App& app, const Program& program, Commands commands, Work& work) {
  app.description(
      "Runs PyTorch notebooks as C++ and compares their outputs with PyTorch's.\n"
      "Without arguments: checks all notebooks, and shows failures and the summary.");
  add_check_without_command(app, program, work);
  app.require_subcommand(0, 1);
  for (auto* const add : commands) add(app, program, work);
  add_tools(app, program, work);
  if (program.name == torchbook_program) add_script_commands(app);
  add_help(app, work);
}

/// Adds all options and commands of a program.
void prepare(CLI::App& app, const Program& program, Commands commands, Work& work) {
  if (program.several) {
    add_commands(app, program, commands, work);
  } else {
    app.description("Runs a PyTorch notebook as C++ and compares its outputs with PyTorch's.");
    add_run_of_notebook(app, program, work);
  }
}

}  // namespace

int notebooks_main(const Program& program, Commands commands, int argc, const char* const* argv) {
  return guarded(program, [&] {
    if (program.several && argc > 1)
      run_tool_if_asked(program, {argv + 1, static_cast<std::size_t>(argc - 1)});
    const Prepare prepare_program = [commands](CLI::App& app, const Program& own, Work& work) {
      prepare(app, own, commands, work);
    };
    return do_as_asked(program, prepare_program, argc, argv);
  });
}

}  // namespace torchbook::cli
