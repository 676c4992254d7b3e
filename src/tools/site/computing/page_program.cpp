#include <absl/strings/str_replace.h>
#include <tools/site/computing/cut.h>
#include <tools/site/computing/nodes.h>
#include <tools/site/computing/page_program.h>
#include <tools/site/origin/axis_names.h>
#include <tools/site/origin/variables.h>

#include <map>
#include <set>

namespace torchbook::site {
namespace {

constexpr int version = 1;
constexpr std::size_t largest_program = 500'000;  // bytes, unless the rest cannot be cut out

/// Returns the shown nodes of each cell: its tensors, the number that it may display, and the tensors of
/// which it took numbers, to print them or for other uses.
Json cells_of(const Nodes& nodes, const Kept& kept) {
  std::map<std::size_t, Json> cells;
  const auto cell = [&](std::size_t position) -> Json& {
    return cells.try_emplace(position, Json{{"cell", position}, {"shown", Json::array()}}).first->second;
  };
  for (const auto& shown : nodes.shown()) cell(shown.position)["shown"].push_back(*kept.place(shown.node));
  for (const auto& [position, node] : nodes.scalars()) {
    if (position != 0) cell(position)["scalar"] = *kept.place(node);
  }
  for (const auto& taken : nodes.taken()) {
    if (taken.position != 0 && kept.place(taken.node))
      cell(taken.position)[taken.is_printed && !kept.is_cut(taken.position) ? "printed" : "taken"].push_back(
          *kept.place(taken.node));
  }
  Json list = Json::array();
  for (auto& [position, one] : cells) list.push_back(std::move(one));
  return list;
}

using Words = std::map<std::size_t, std::vector<std::string>>;  // by value

/// Returns the words of tensors of ids.
Json words_json(const Words& words, const Nodes& nodes, const Kept& kept) {
  Json list = Json::array();
  for (const auto& [value, vocabulary] : words)
    list.push_back({{"value", value}, {"tensor", *kept.place(nodes.node_of(value))}, {"words", vocabulary}});
  return list;
}

PageProgram program_of_nodes(const Nodes& nodes, std::span<const Picture> pictures, const Words& words) {
  std::set<std::size_t> roots;
  for (const auto& [value, vocabulary] : words) roots.insert(nodes.node_of(value));
  for (const auto& shown : nodes.shown()) roots.insert(shown.node);
  for (const auto& [position, node] : nodes.scalars()) roots.insert(node);
  for (const auto& picture : pictures) {
    if (picture.traced) roots.insert(nodes.node_of(*picture.traced));
  }
  Kept kept(nodes, std::move(roots));
  kept.cut_to(largest_program);
  PageProgram program;
  for (const auto& picture : pictures)
    program.tensors.push_back(picture.traced ? kept.place(nodes.node_of(*picture.traced)) : std::nullopt);
  auto tensors = kept.tensors();
  for (const auto& node : tensors) {
    if (node.contains("seed")) program.seeds.push_back(node.value("cell", std::size_t{0}));
  }
  const Json json{{"version", version},
                  {"tensors", std::move(tensors)},
                  {"cells", cells_of(nodes, kept)},
                  {"words", words_json(words, nodes, kept)},
                  {"taken", kept.taken()}};
  program.json = absl::StrReplaceAll(json.dump(), {{"<", "\\u003c"}});
  return program;
}

}  // namespace

PageProgram program_of(const notebook::Transcript& transcript, std::span<const Picture> pictures) {
  if (transcript.trace.empty()) return {};
  trace_diff::Texts texts;
  const auto read = trace_diff::read_trace(transcript.trace, texts);
  const trace_diff::Flow flow(read, texts);
  Nodes nodes(flow, printing(flow, transcript));
  for (const auto& [value, name] : variables(flow, transcript)) nodes.set_name(value, name);
  return program_of_nodes(nodes, pictures, words_of_ids(flow));
}

}  // namespace torchbook::site
