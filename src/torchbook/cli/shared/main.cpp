// Names a program, and maps exceptions to exit codes.
#include <fmt/format.h>
#include <torchbook/cli/shared/command_line.h>
#include <torchbook/cli/shared/main.h>
#include <torchbook/cli/system/cleanup.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <system_error>

namespace torchbook::cli {

int do_as_asked(const Program& program, const Prepare& prepare, int argc, const char* const* argv) {
  CLI::App app;
  Work work;
  app.name(program.name);
  app.set_version_flag("--version", fmt::format("{} {} (LibTorch {})", program.name, TORCHBOOK_VERSION,
                                                TORCHBOOK_TORCH_VERSION));
  format_help(app);
  prepare(app, program, work);
  if (const auto answer = parse_command_line(app, argc, argv)) {
    write_stdout(*answer);
    return exit_equal;
  }
  return work();
}

int guarded(const Program& program, const Work& work) {
  // If these signals are ignored, a closed pipe or a file at its size limit makes the write fail.
  // The error is reported, and no file is left half-written.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);  // if the parent ignores it, no child can be waited for
  clean_up_on_signals();
  take_closed_standard_descriptors();
  const auto& name = program.name;
  try {
    return work();
  } catch (const UsageError& error) {
    say(program, {error.what()});
    return exit_usage;
  } catch (const std::system_error& error) {  // as when there is no room for a temporary file
    say(program, {error.what()});
    return exit_usage;
  } catch (const std::bad_alloc&) {
    say_on_stderr(fmt::format("{}: {}", name, memory_ran_out));
    return exit_usage;
  } catch (const std::exception& error) {
    say_on_stderr(fmt::format("{}: outside a cell: {}", name, error.what()));
    return exit_threw;
  }
}

void end_program(int code) {
  std::fflush(nullptr);
  std::_Exit(code);
}

}  // namespace torchbook::cli
