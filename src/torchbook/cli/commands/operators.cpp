// `torchbook check --operators TRACE`: records the notebooks, and has the tool `part` compare operators.
#include <torchbook/cli/commands/check.h>
#include <torchbook/cli/shared/tools.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/notebook/run_trace.h>
#include <torchbook/notebook/temporary_file.h>
#include <torchbook/report/quoted.h>

namespace torchbook::cli {

int tell_operators(std::span<const notebook::PortedNotebook> notebooks, const std::string& file,
                   const Output& output, const Program& program) {
  constexpr notebook::RunTrace::Limits limits = {.largest = 0, .most_of_a_part = 10'000};
  const auto part = path_of({.name = "part"}, program);  // this and the next line throw before notebooks run
  read_file(file, any_size);
  const notebook::TemporaryFile recorded;
  notebook::RunTrace trace(recorder().library, recorded.path(), limits);
  for (const auto& each : notebooks) notebook::run(each, std::nullopt, &trace);
  trace.finish();
  const auto ended = run_part(
      part, {file, recorded.path(), "--operators", "--format", std::string(option_word(output.format))}, "");
  if (ended.code != exit_equal) {
    say_on_stderr(report::shortened(ended.said.substr(0, ended.said.find('\n'))));  // it names the program
    return exit_usage;
  }
  write_report(ended.answer, output.file);
  return exit_equal;
}

}  // namespace torchbook::cli
