// Lists the commands of torchbook.
#pragma once

#include <torchbook/cli/shared/program.h>

namespace CLI {
class App;
}

namespace torchbook::cli {

/// Adds a command with its options to a program. If the command line names the command, sets
/// `work`.
using AddCommand = void(CLI::App& app, const Program& program, Work& work);

AddCommand add_run, add_check, add_compare, add_golden, add_list, add_doctor, add_site, add_new, add_import,
    add_watch, add_carry, add_part, add_seed;

/// All commands, in the order in which the help lists them.
inline constexpr AddCommand* commands[] = {add_run,    add_check, add_compare, add_golden, add_list,
                                           add_doctor, add_site,  add_new,     add_import, add_watch,
                                           add_carry,  add_part,  add_seed};

/// Makes `check` the default if the command line has no command.
AddCommand add_check_without_command;

/// Adds the options of `run` to a notebook's program.
AddCommand add_run_of_notebook;

}  // namespace torchbook::cli
