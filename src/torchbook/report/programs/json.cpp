// Writes reports as JSON, with the keys in the documented order.
#include <torchbook/golden/json_text.h>
#include <torchbook/report/programs/json.h>
#include <torchbook/report/verdict_words.h>
#include <torchbook/report/words.h>

namespace torchbook::report {
namespace {

using golden::Json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);  // a number that is not finite also becomes null
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json line_json(const golden::LineDifference& difference) {
  return {{"output", difference.where},
          {"line", difference.line},
          {"column", difference.column},
          {"golden", or_null(difference.golden)},
          {"here", or_null(difference.actual)}};
}

Json element_json(const golden::ElementDifference& element, std::string_view against) {
  const golden::TensorDifference& values = element.values;
  const auto source = source_of(element, against);
  const bool compared = !values.mismatch;
  const bool bits = values.elements != 0;
  return {{"output", element.where},
          {"tensor", element.tensor == 0 ? Json(nullptr) : Json(element.tensor)},
          {"mismatch", compared ? Json(nullptr) : Json(mismatch_text(*values.mismatch, source))},
          {"index",
           compared && (element.tensor != 0 || !values.index.empty()) ? Json(values.index) : Json(nullptr)},
          {"golden", compared ? Json(values.golden) : Json(nullptr)},
          {"here", compared ? Json(values.actual) : Json(nullptr)},
          {"absolute_error", or_null(values.absolute)},
          {"relative_error", or_null(values.relative)},
          {"ulps", or_null(values.ulps)},
          {"elements", bits ? Json(values.elements) : Json(nullptr)},
          {"differing", bits ? Json(values.differing) : Json(nullptr)},
          {"largest_ulps", or_null(values.largest_ulps)},
          {"largest_ulps_index", values.largest_ulps ? Json(values.largest_at) : Json(nullptr)},
          {"against", source}};
}

Json operations_json(const std::vector<golden::TracedOperation>& operations) {
  Json all = Json::array();
  for (const auto& one : operations) {
    all.push_back({{"operation", one.number}, {"name", one.name}, {"line", text_or_null(one.line)}});
  }
  return all;
}

Json difference_json(const notebook::Cell& cell, const golden::Judgement& judgement,
                     std::string_view against) {
  Json values = Json::array();
  for (const auto& element : judgement.elements) values.push_back(element_json(element, against));
  Json json = {{"error", or_null(cell.error)},
               {"text", judgement.difference ? line_json(*judgement.difference) : Json(nullptr)},
               {"values", std::move(values)}};
  if (judgement.raised) json["raised"] = *judgement.raised;
  if (!judgement.partings.empty()) json["partings"] = partings_json(judgement.partings);
  return json;
}

/// Adds the keys `source` and, if it is selected, `twin` of a cell or a restored state.
template <class Item>
void add_sources(Json& json, const Item& item, Sources sources) {
  json["source"] = shows_cpp(sources) ? Json(item.source) : Json(nullptr);
  if (shows_python(sources)) json["twin"] = item.twin;
}

Json exception_json(const golden::Judgement& judgement) {
  const auto& exception = *judgement.exception;
  return {{"kind", golden::row_of(exception.kind).name},
          {"parts", exception.parts.text},
          {"reason", exception.reason},
          {"place", exception.place},
          {"holds", judgement.exception_holds}};
}

Json cell_json(const notebook::Cell& cell, const golden::Judgement& judgement, std::string_view against,
               const CellContent& content) {
  Json json = {{"position", cell.position}, {"label", cell.label}};
  add_sources(json, cell, content.sources);
  json["stdout"] = cell.out;
  json["result"] = or_null(cell.result);
  json["verdict"] = golden::row_of(judgement.verdict).name;
  if (judgement.exception) json["exception"] = exception_json(judgement);
  if (judgement.not_ported) json["not_ported"] = *judgement.not_ported;
  if (!judgement.carried.empty()) json["carried"] = judgement.carried;
  if (content.times) json["seconds"] = cell.seconds;
  if (golden::row_of(judgement.verdict).has_reasons)
    json["difference"] = difference_json(cell, judgement, against);
  return json;
}

Json notebook_json(const golden::JudgedTranscript& judged, const CellContent& content) {
  Json cells = Json::array();
  Json restored = Json::array();
  for (const auto& item : judged.transcript.items) {
    if (const auto* cell = std::get_if<notebook::Cell>(&item)) {
      const auto* judgement = golden::judgement_of(judged.judgements, *cell);
      if (judgement != nullptr) cells.push_back(cell_json(*cell, *judgement, judged.against, content));
    } else if (const auto* state = std::get_if<notebook::Restored>(&item)) {
      Json json = {{"note", state->note}};
      add_sources(json, *state, content.sources);
      restored.push_back(std::move(json));
    }
  }
  Json notebook = {{"notebook", judged.transcript.slug},
                   {"document", judged.transcript.document},
                   {"cells", std::move(cells)},
                   {"restored", std::move(restored)}};
  if (!judged.golden_from.empty()) notebook["golden"] = judged.golden_from;
  if (judged.compared_with) notebook["compared_with"] = fingerprint_json(*judged.compared_with);
  if (const auto errors = thrown(judged); !errors.empty()) notebook["error"] = errors.front();
  if (judged.failure) notebook["failure"] = *judged.failure;
  return notebook;
}

void add_explanation(Json& json, const Explanation& explanation) {
  Json causes = Json::array();
  for (const auto& cause : explanation.causes) {
    causes.push_back(
        {{"about", cause.about}, {"text", cause.text}, {"setting", text_or_null(cause.setting)}});
  }
  json["causes"] = std::move(causes);
  if (const auto* trial = explanation.best()) {
    json["run_again"] = {{"settings", trial->settings},
                         {"outputs", trial->outputs},
                         {"equal", trial->equal},
                         {"different", trial->different},
                         {"failure", text_or_null(trial->failure)},
                         {"beyond_rounding", explanation.beyond_rounding},
                         {"not_judged", text_or_null(explanation.not_judged)}};
  }
}

Json outline_json(const notebook::Transcript& outline) {
  Json cells = Json::array();
  for (const notebook::Cell* cell : outline.cells()) {
    cells.push_back({{"position", cell->position}, {"label", cell->label}, {"source", cell->source}});
  }
  Json json = {{"notebook", outline.slug}, {"document", outline.document}};
  json["cells"] = std::move(cells);
  return json;
}

}  // namespace

Json partings_json(const std::vector<golden::Parting>& partings) {
  Json all = Json::array();
  for (const auto& one : partings) {
    all.push_back({{"kind", one.kind},
                   {"what", one.what},
                   {"advice", text_or_null(one.advice)},
                   {"from", text_or_null(one.from)},
                   {"here", operations_json(one.here)},
                   {"there", operations_json(one.there)},
                   {"text", one.lines}});
  }
  return all;
}

Json fingerprint_json(const notebook::Fingerprint& fingerprint) {
  Json json = Json::object();
  for (const auto& [name, value] : fingerprint_fields(fingerprint)) json[std::string(name)] = value;
  json["threads"] = fingerprint.threads;
  return json;
}

std::string json_report(const golden::JudgedTranscript& judged, const CellContent& content,
                        const notebook::Fingerprint& fingerprint) {
  Json report = notebook_json(judged, content);
  report["fingerprint"] = fingerprint_json(fingerprint);
  return golden::text_of_json(report, 2);
}

std::string json_report(std::span<const golden::JudgedTranscript> judged, const CellContent& content,
                        const notebook::Fingerprint& fingerprint,
                        const std::optional<Explanation>& explanation) {
  Json notebooks = Json::array();
  for (const auto& one : judged) notebooks.push_back(notebook_json(one, content));
  Json report = {{"notebooks", std::move(notebooks)}};
  if (explanation) add_explanation(report, *explanation);
  report["fingerprint"] = fingerprint_json(fingerprint);
  return golden::text_of_json(report, 2);
}

std::string json_outline(const notebook::Transcript& outline) {
  return golden::text_of_json(outline_json(outline), 2);
}

std::string json_outline(std::span<const notebook::Transcript> outlines) {
  Json notebooks = Json::array();
  for (const auto& outline : outlines) notebooks.push_back(outline_json(outline));
  return golden::text_of_json(Json{{"notebooks", std::move(notebooks)}}, 2);
}

}  // namespace torchbook::report
