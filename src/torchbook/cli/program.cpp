// Writes the reports, and turns errors into messages and exit codes.
#include <fmt/format.h>
#include <torchbook/cli/cleanup.h>
#include <torchbook/cli/descriptor.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/files.h>
#include <torchbook/cli/import.h>
#include <torchbook/cli/new.h>
#include <torchbook/cli/program.h>
#include <torchbook/cli/reports.h>
#include <torchbook/cli/seed.h>
#include <torchbook/cli/site.h>
#include <torchbook/cli/write_file.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

namespace torchbook::cli {
namespace {

void write_report(const std::string& report, const std::string& path) {
  if (path.empty() || path == "-") {
    write_stdout(report);
  } else {
    write_file(path, report);
  }
}

int write_site_and_report(const Options& options, const std::string& name) {
  const WrittenSite site = write_site(options);
  write_stdout(site.report);
  for (const auto& error : site.errors) say_on_stderr(fmt::format("{}: {}", name, error));
  return site.code;
}

int import_and_report(const Options& options, const std::string& name) {
  const auto tell = [&](const Imported& imported) {
    write_stdout(imported.report);
    for (const auto& line : imported.said) say_on_stderr(fmt::format("{}: {}", name, line));
    return imported.code;
  };
  const Imported imported = import_notebook(options);
  const int code = tell(imported);  // before the build, which takes long
  return imported.port ? tell(judge_port(*imported.port, options.compare.timeout)) : code;
}

int answer_request(const Request& request, const std::string& name, bool several) {
  if (const auto* answer = std::get_if<Answer>(&request)) {
    write_stdout(answer->text);
    return exit_equal;
  }
  const auto& options = std::get<Options>(request);
  if (options.action == Action::site) return write_site_and_report(options, name);
  if (options.action == Action::create) {
    write_stdout(write_new_project(options.folder));
    return exit_equal;
  }
  if (options.action == Action::import) return import_and_report(options, name);
  if (options.action == Action::seed) {
    const SeedAnswer answer = search_seed(options, name);
    write_stdout(answer.report);
    return answer.code;
  }
  const Outcome outcome = carry_out(options, several);
  if (!options.junit.empty()) write_report(outcome.junit, options.junit);
  for (const auto& file : outcome.files) write_report(file.text, file.path);
  if (outcome.files.empty() && outcome.made) write_report(outcome.report, options.output);
  for (const auto& error : outcome.errors) say_on_stderr(fmt::format("{}: {}", name, error));
  return outcome.code;
}

}  // namespace

int program_main(const std::string& name, bool several, const std::function<Request()>& parse) {
  // Without these signals, a closed pipe or a file that may not grow is an error of the write. That error is
  // reported, and nothing is left half-written.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);  // if the parent ignores it, no child can be waited for
  clean_up_on_signals();
  take_closed_standard_descriptors();
  try {
    return answer_request(parse(), name, several);
  } catch (const UsageError& error) {
    say_on_stderr(fmt::format("{}: {}", name, error.what()));
    return exit_usage;
  } catch (const Interrupted& by) {
    return 128 + by.signal;
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
