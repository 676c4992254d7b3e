// Writes reports as JSON, keys in the documented order.
#include <torchbook/report/json.h>

#include <nlohmann/json.hpp>

namespace torchbook {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::optional<std::string>& text) { return text ? Json(*text) : Json(nullptr); }

/// The keys `source` and, where it is asked for, `twin`, of a cell or a restored state.
template <class Item>
void add_sources(Json& json, const Item& item, Sources sources) {
  json["source"] = shows_cpp(sources) ? Json(item.source) : Json(nullptr);
  if (shows_python(sources)) json["twin"] = item.twin;
}

Json cell_json(const Cell& cell, const Judgement& judgement, Sources sources) {
  Json json = {{"position", cell.position}, {"label", cell.label}};
  add_sources(json, cell, sources);
  json["stdout"] = cell.out;
  json["result"] = text_or_null(cell.result);
  json["verdict"] = name(judgement.verdict);
  return json;
}

Json notebook_json(const JudgedTranscript& judged, Sources sources) {
  Json cells = Json::array();
  Json restored = Json::array();
  for (const auto& item : judged.transcript.items) {
    if (const auto* cell = std::get_if<Cell>(&item)) {
      const auto found = judged.judgements.find(cell->position);
      if (found != judged.judgements.end()) cells.push_back(cell_json(*cell, found->second, sources));
    } else if (const auto* state = std::get_if<Restored>(&item)) {
      Json json = {{"note", state->note}};
      add_sources(json, *state, sources);
      restored.push_back(std::move(json));
    }
  }
  Json notebook = {{"notebook", judged.transcript.slug},
                   {"document", judged.transcript.document},
                   {"cells", std::move(cells)},
                   {"restored", std::move(restored)}};
  if (const auto error = judged.transcript.error()) notebook["error"] = *error;
  return notebook;
}

Json outline_json(const Transcript& outline) {
  Json cells = Json::array();
  for (const Cell* cell : outline.cells()) {
    cells.push_back({{"position", cell->position}, {"label", cell->label}, {"source", cell->source}});
  }
  return {{"notebook", outline.slug}, {"document", outline.document}, {"cells", std::move(cells)}};
}

std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) +
         '\n';  // bytes that are no UTF-8 become U+FFFD
}

}  // namespace

std::string json_report(const JudgedTranscript& judged, Sources sources) {
  return dumped(notebook_json(judged, sources));
}

std::string json_report(std::span<const JudgedTranscript> judged, Sources sources) {
  Json notebooks = Json::array();
  for (const auto& one : judged) notebooks.push_back(notebook_json(one, sources));
  return dumped({{"notebooks", std::move(notebooks)}});
}

std::string json_outline(const Transcript& outline) { return dumped(outline_json(outline)); }

std::string json_outline(std::span<const Transcript> outlines) {
  Json notebooks = Json::array();
  for (const auto& outline : outlines) notebooks.push_back(outline_json(outline));
  return dumped({{"notebooks", std::move(notebooks)}});
}

}  // namespace torchbook
