// `torchbook check --operators TRACE`: records the notebooks, and has the tool `part` compare operators.
#include <torchbook/cli/commands/check.h>
#include <torchbook/cli/shared/tools.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/notebook/run_trace.h>
#include <torchbook/notebook/temporary_file.h>

namespace torchbook::cli {

int tell_operators(std::span<const notebook::PortedNotebook> notebooks, const std::string& file,
                   const Output& output, const Program& program) {
  constexpr notebook::RunTrace::Limits limits = {.largest = 0, .most_of_a_part = 10'000};
  const Tool part = {.name = "part"};
  path_of(part, program);  // this and the next line throw before the notebooks run in vain
  read_file(file, any_size);
  const notebook::TemporaryFile recorded;
  notebook::RunTrace trace(recorder().library, recorded.path(), limits);
  for (const auto& each : notebooks) notebook::run(each, std::nullopt, &trace);
  trace.finish();
  std::vector<std::string> words = {"part",        file,       recorded.path(),
                                    "--operators", "--format", std::string(option_word(output.format))};
  if (!output.to_stdout()) words.insert(words.end(), {"--output", output.file});
  run_tool(part, program, words);
}

}  // namespace torchbook::cli
