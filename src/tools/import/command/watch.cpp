// `torchbook watch`: builds and checks a notebook of a project whenever one of its files is saved.
#include <fmt/format.h>
#include <tools/import/command/notebook_here.h>
#include <tools/import/command/port_build.h>
#include <tools/import/command/port_check.h>
#include <tools/import/command/saved.h>
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/golden/golden.h>
#include <torchbook/notebook/lines.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace torchbook::cli {
namespace {

struct WatchOptions {
  std::string slug{};
  int timeout = 300;  ///< of a check, in seconds
};

/// The notebook that is watched.
struct Watched {
  std::string slug;
  Project project;
};

/// Thrown during a build if a file was saved since its start.
struct SavedMeanwhile {};

std::vector<std::string> files_of(const std::string& slug) {
  return {slug + ".cpp", slug + ".py", slug + ".golden", slug + ".exceptions", slug + ".carried"};
}

/// Shortens a report to the first cell that differs, the number of others, and the summary.
std::string short_report(const std::string& report) {
  const auto all = notebook::lines_of(report);
  std::vector<std::string> lines(all.begin(), all.end());
  std::erase_if(lines, [](const auto& line) { return line.empty() || line.starts_with("more: "); });
  if (lines.size() <= 2) return fmt::format("{}\n", fmt::join(lines, "\n"));
  return fmt::format("{}\n  … and {} more\n{}\n", lines.front(), lines.size() - 2, lines.back());
}

/// Builds and checks the notebook. Returns the message for the user. Throws SavedMeanwhile.
std::string verdict(const Watched& watched, int timeout) {
  const auto before = saved(files_of(watched.slug));
  const auto again = [&] {
    if (saved(files_of(watched.slug)) != before) throw SavedMeanwhile();
  };
  const auto built = build_port(watched.project, watched.slug, again);
  again();
  if (built.program.empty()) return built.why_not + '\n';
  const auto golden = golden::parse_golden(read_file(watched.slug + ".golden"));
  const auto checked = check_port(built.program, golden, timeout);
  return checked.why_not.empty() ? short_report(checked.report) : checked.why_not + '\n';
}

/// Reports the verdict on the current files, then waits until one of them is saved.
void watch_once(const Watched& watched, int timeout) {
  const auto before = saved(files_of(watched.slug));
  try {
    const auto began = std::chrono::steady_clock::now();
    write_stdout(verdict(watched, timeout));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    say_on_stderr(fmt::format("{} after {:.1f} s", watched.slug, took.count()));
  } catch (const SavedMeanwhile&) {
    return;
  } catch (const golden::GoldenError& error) {
    write_stdout(error.in_file(watched.slug + ".golden") + '\n');
  }
  wait_until_saved(files_of(watched.slug), before);
}

[[noreturn]] void watch(const WatchOptions& options) {
  const auto slug = notebook_here(options.slug);
  const auto project = project_of(".");
  if (!project) throw UsageError("no CMakeLists.txt here or above calls project(…), so nothing can be built");
  const Watched watched{.slug = slug, .project = *project};
  say_on_stderr(fmt::format("watching {0}.cpp, {0}.py and {0}.golden; Ctrl-C ends", slug));
  while (true) watch_once(watched, options.timeout);
}

}  // namespace

void add_watch(CLI::App& app, const Program& /*program*/, Work& work) {
  auto options = std::make_shared<WatchOptions>();
  auto& command = add_command(app, "watch", "build and check a notebook of this folder whenever it is saved",
                              "Ends with Ctrl-C, or with 2: wrong usage, or nothing to watch.");
  command.add_option("SLUG", options->slug, "the notebook; without one, the only one that is here");
  command.add_option("--timeout", options->timeout, "the time limit for a check")
      ->check(CLI::Range(1, 86400))
      ->type_name("SECONDS")
      ->capture_default_str();
  command.callback([options, &work] { work = [options]() -> int { watch(*options); }; });
}

}  // namespace torchbook::cli
