// Runs torchbook-part with the marks of a notebook's cells, and reads its answer.
#include <fmt/format.h>
#include <torchbook/cli/commands/partings.h>
#include <torchbook/cli/shared/tools.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/notebook/ported_notebook.h>

namespace torchbook::cli {
namespace {

using golden::field;
using golden::Json;
using golden::part_of;
using golden::text_if_any;

/// Returns the names and lines of the cells and restored states, by their marks.
Json places_of(const notebook::Transcript& transcript) {
  Json places = Json::object();
  std::size_t position = 0;
  const auto place = [&](std::string name, std::size_t line) {
    return Json{{"name", std::move(name)}, {"line", fmt::format("{}:{}", transcript.port_file, line)}};
  };
  for (const auto& item : transcript.items) {
    if (const auto* cell = std::get_if<notebook::Cell>(&item)) {
      position = cell->position;
      places[notebook::mark_of(position)] =
          place(fmt::format("In [{}] (@{})", cell->label, position), cell->line);
    } else if (const auto* state = std::get_if<notebook::Restored>(&item)) {
      const auto mark = notebook::mark_of_restored(position + 1);
      if (!places.contains(mark))
        places[mark] = place(fmt::format("the state restored before @{}", position + 1), state->line);
    }
  }
  return places;
}

/// Returns the cells that differ, by position, and whether they threw.
Json cells_of(const golden::JudgedTranscript& judged) {
  Json cells = Json::object();
  for (const auto& [position, judgement] : judged.judgements) {
    if (golden::row_of(judgement.verdict).has_reasons)
      cells[std::to_string(position)] = judgement.verdict == golden::Verdict::threw;
  }
  return cells;
}

std::vector<golden::TracedOperation> operations_in(const Json& list) {
  std::vector<golden::TracedOperation> operations;
  for (const auto& json : list) {
    operations.push_back({.number = field<std::size_t>(json, "operation"),
                          .name = field<std::string>(json, "name"),
                          .line = text_if_any(json, "line").value_or("")});
  }
  return operations;
}

golden::Parting parting_in(const Json& json) {
  return {.kind = field<std::string>(json, "kind"),
          .what = field<std::string>(json, "what"),
          .advice = text_if_any(json, "advice").value_or(""),
          .from = text_if_any(json, "from").value_or(""),
          .here = operations_in(part_of(json, "here")),
          .there = operations_in(part_of(json, "there")),
          .lines = golden::field_or(json, "text", std::vector<std::string>())};
}

}  // namespace

void add_partings(golden::JudgedTranscript& judged, const std::string& here, const std::string& there) {
  const Program program{.name = std::string(notebook::program_name())};
  const auto part = path_of({.name = "part"}, program);
  const Json asked = {{"places", places_of(judged.transcript)}, {"cells", cells_of(judged)}};
  const auto ended = run_part(part, {here, there, "--partings"}, golden::text_of_json(asked, -1));
  try {
    const Json answer = golden::parse_json(ended.answer);
    judged.unshown = golden::text_if_any(answer, "unshown").value_or("");
    for (auto& [position, judgement] : judged.judgements) {
      const auto found = answer.find(std::to_string(position));
      if (found == answer.end()) continue;
      for (const auto& each : *found) judgement.partings.push_back(parting_in(each));
    }
  } catch (const golden::GoldenError&) {
    throw UsageError(fmt::format("the traces of {} are not compared: {} {}", judged.transcript.slug, part,
                                 how_it_ended(ended)));
  }
}

}  // namespace torchbook::cli
