// Defines the main of a tool, which `torchbook` runs with the command and its arguments. Called by itself, as
// `torchbook-import NOTEBOOK`, it takes its first command.
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/shared/main.h>
#include <torchbook/notebook/ported_notebook.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace torchbook::cli;

void prepare(CLI::App& app, const Program& program, Work& work) {
  app.require_subcommand(1, 1);
  for (auto* const add : commands()) add(app, program, work);
}

/// Returns the words of the command line, with the first command if they begin with none.
std::vector<std::string> with_command(const Program& program, int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
  CLI::App app;
  Work work;
  prepare(app, program, work);
  const auto all = app.get_subcommands({});
  const std::string word = argc > 1 ? words[1] : "";
  const bool known = word == "--version" || std::any_of(all.begin(), all.end(), [&](const CLI::App* one) {
                       return one->get_name() == word;
                     });
  if (!known) words.insert(words.begin() + 1, all.front()->get_name());
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  const Program program{.name = std::string(torchbook::notebook::program_name()), .path = argv[0]};
  end_program(guarded(program, [&] {
    const auto words = with_command(program, argc, argv);
    std::vector<const char*> line;
    line.reserve(words.size());
    for (const auto& word : words) line.push_back(word.c_str());
    return do_as_asked(program, prepare, static_cast<int>(line.size()), line.data());
  }));
}
