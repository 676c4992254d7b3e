// Writes reports as JSON, with the keys in the documented order.
#include <torchbook/report/programs/json.h>
#include <torchbook/report/verdict_words.h>
#include <torchbook/report/words.h>

#include <nlohmann/json.hpp>

namespace torchbook::report {
namespace {

using OrderedJson = nlohmann::ordered_json;

template <class T>
OrderedJson or_null(const std::optional<T>& value) {
  return value ? OrderedJson(*value) : OrderedJson(nullptr);  // a number that is not finite also becomes null
}

OrderedJson text_or_null(const std::string& text) {
  return text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
}

OrderedJson line_json(const golden::LineDifference& difference) {
  return {{"output", difference.where},
          {"line", difference.line},
          {"column", difference.column},
          {"golden", or_null(difference.golden)},
          {"here", or_null(difference.actual)}};
}

OrderedJson element_json(const golden::ElementDifference& element, std::string_view against) {
  const golden::TensorDifference& values = element.values;
  const bool compared = !values.mismatch;
  const bool bits = values.elements != 0;
  return {
      {"output", element.where},
      {"tensor", element.tensor == 0 ? OrderedJson(nullptr) : OrderedJson(element.tensor)},
      {"mismatch", compared ? OrderedJson(nullptr) : OrderedJson(mismatch_text(*values.mismatch, against))},
      {"index", compared && element.tensor != 0 ? OrderedJson(values.index) : OrderedJson(nullptr)},
      {"golden", compared ? OrderedJson(values.golden) : OrderedJson(nullptr)},
      {"here", compared ? OrderedJson(values.actual) : OrderedJson(nullptr)},
      {"absolute_error", or_null(values.absolute)},
      {"relative_error", or_null(values.relative)},
      {"ulps", or_null(values.ulps)},
      {"elements", bits ? OrderedJson(values.elements) : OrderedJson(nullptr)},
      {"differing", bits ? OrderedJson(values.differing) : OrderedJson(nullptr)},
      {"largest_ulps", or_null(values.largest_ulps)},
      {"largest_ulps_index", values.largest_ulps ? OrderedJson(values.largest_at) : OrderedJson(nullptr)}};
}

OrderedJson operations_json(const std::vector<golden::TracedOperation>& operations) {
  OrderedJson all = OrderedJson::array();
  for (const auto& one : operations) {
    all.push_back({{"operation", one.number}, {"name", one.name}, {"line", text_or_null(one.line)}});
  }
  return all;
}

OrderedJson partings_json(const std::vector<golden::Parting>& partings) {
  OrderedJson all = OrderedJson::array();
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

OrderedJson difference_json(const notebook::Cell& cell, const golden::Judgement& judgement,
                            std::string_view against) {
  OrderedJson values = OrderedJson::array();
  for (const auto& element : judgement.elements) values.push_back(element_json(element, against));
  OrderedJson json = {
      {"error", or_null(cell.error)},
      {"text", judgement.difference ? line_json(*judgement.difference) : OrderedJson(nullptr)},
      {"values", std::move(values)}};
  if (judgement.raised) json["raised"] = *judgement.raised;
  if (!judgement.partings.empty()) json["partings"] = partings_json(judgement.partings);
  return json;
}

/// Adds the keys `source` and, if it is selected, `twin` of a cell or a restored state.
template <class Item>
void add_sources(OrderedJson& json, const Item& item, Sources sources) {
  json["source"] = shows_cpp(sources) ? OrderedJson(item.source) : OrderedJson(nullptr);
  if (shows_python(sources)) json["twin"] = item.twin;
}

OrderedJson exception_json(const golden::Judgement& judgement) {
  const auto& exception = *judgement.exception;
  return {{"kind", golden::kind_name(exception.kind)},
          {"reason", exception.reason},
          {"place", exception.place},
          {"holds", judgement.exception_holds}};
}

OrderedJson cell_json(const notebook::Cell& cell, const golden::Judgement& judgement,
                      std::string_view against, const CellContent& content) {
  OrderedJson json = {{"position", cell.position}, {"label", cell.label}};
  add_sources(json, cell, content.sources);
  json["stdout"] = cell.out;
  json["result"] = or_null(cell.result);
  json["verdict"] = golden::verdict_name(judgement.verdict);
  if (judgement.exception) json["exception"] = exception_json(judgement);
  if (judgement.not_ported) json["not_ported"] = *judgement.not_ported;
  if (!judgement.carried.empty()) json["carried"] = judgement.carried;
  if (content.times) json["seconds"] = cell.seconds;
  if (golden::has_reasons(judgement)) json["difference"] = difference_json(cell, judgement, against);
  return json;
}

OrderedJson notebook_json(const golden::JudgedTranscript& judged, const CellContent& content) {
  OrderedJson cells = OrderedJson::array();
  OrderedJson restored = OrderedJson::array();
  for (const auto& item : judged.transcript.items) {
    if (const auto* cell = std::get_if<notebook::Cell>(&item)) {
      const auto* judgement = golden::judgement_of(judged.judgements, *cell);
      if (judgement != nullptr) cells.push_back(cell_json(*cell, *judgement, judged.against, content));
    } else if (const auto* state = std::get_if<notebook::Restored>(&item)) {
      OrderedJson json = {{"note", state->note}};
      add_sources(json, *state, content.sources);
      restored.push_back(std::move(json));
    }
  }
  OrderedJson notebook = {{"notebook", judged.transcript.slug},
                          {"document", judged.transcript.document},
                          {"cells", std::move(cells)},
                          {"restored", std::move(restored)}};
  if (!judged.golden_from.empty()) notebook["golden"] = judged.golden_from;
  if (judged.compared_with) notebook["compared_with"] = fingerprint_json(*judged.compared_with);
  if (const auto errors = thrown(judged); !errors.empty()) notebook["error"] = errors.front();
  if (judged.failure) notebook["failure"] = *judged.failure;
  return notebook;
}

void add_explanation(OrderedJson& json, const Explanation& explanation) {
  OrderedJson causes = OrderedJson::array();
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
                         {"failure", text_or_null(trial->failure)}};
  }
}

OrderedJson outline_json(const notebook::Transcript& outline) {
  OrderedJson cells = OrderedJson::array();
  for (const notebook::Cell* cell : outline.cells()) {
    cells.push_back({{"position", cell->position}, {"label", cell->label}, {"source", cell->source}});
  }
  OrderedJson json = {{"notebook", outline.slug}, {"document", outline.document}};
  if (!outline.suite.empty()) json["suite"] = outline.suite;
  json["cells"] = std::move(cells);
  return json;
}

std::string dumped(const OrderedJson& json) {
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) +
         '\n';  // bytes that are not UTF-8 become U+FFFD
}

}  // namespace

nlohmann::ordered_json fingerprint_json(const trace::Fingerprint& fingerprint) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : fingerprint_fields(fingerprint)) json[std::string(name)] = value;
  json["threads"] = fingerprint.threads;
  return json;
}

std::string json_report(const golden::JudgedTranscript& judged, const CellContent& content,
                        const trace::Fingerprint& fingerprint) {
  OrderedJson report = notebook_json(judged, content);
  report["fingerprint"] = fingerprint_json(fingerprint);
  return dumped(report);
}

std::string json_report(std::span<const golden::JudgedTranscript> judged, const CellContent& content,
                        const trace::Fingerprint& fingerprint,
                        const std::optional<Explanation>& explanation) {
  OrderedJson notebooks = OrderedJson::array();
  for (const auto& one : judged) notebooks.push_back(notebook_json(one, content));
  OrderedJson report = {{"notebooks", std::move(notebooks)}};
  if (explanation) add_explanation(report, *explanation);
  report["fingerprint"] = fingerprint_json(fingerprint);
  return dumped(report);
}

std::string json_outline(const notebook::Transcript& outline) { return dumped(outline_json(outline)); }

std::string json_outline(std::span<const notebook::Transcript> outlines) {
  OrderedJson notebooks = OrderedJson::array();
  for (const auto& outline : outlines) notebooks.push_back(outline_json(outline));
  return dumped({{"notebooks", std::move(notebooks)}});
}

}  // namespace torchbook::report
