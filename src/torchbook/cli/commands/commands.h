// Lists the commands of torchbook.
#pragma once

#include <torchbook/cli/shared/program.h>

namespace CLI {
class App;
}

namespace torchbook::cli {

/// Adds a command with its options to a program. If it is the one that the command line asks for, `work`
/// becomes what it does.
using AddCommand = void(CLI::App& app, const Program& program, Work& work);

AddCommand add_run, add_check, add_compare, add_golden, add_list, add_doctor, add_site, add_new, add_import,
    add_watch, add_carry, add_part, add_seed;

/// All commands, in the order of the help.
inline constexpr AddCommand* commands[] = {add_run,    add_check, add_compare, add_golden, add_list,
                                           add_doctor, add_site,  add_new,     add_import, add_watch,
                                           add_carry,  add_part,  add_seed};

/// Lets the program do what `check` does if its command line has no command.
AddCommand add_check_without_command;

/// Gives the program of a notebook the options of `run`.
AddCommand add_run_of_notebook;

}  // namespace torchbook::cli
