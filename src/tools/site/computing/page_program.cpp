#include <absl/strings/str_replace.h>
#include <tools/site/computing/nodes.h>
#include <tools/site/computing/page_program.h>

#include <algorithm>

namespace torchbook::site {
namespace {

constexpr int version = 1;
constexpr std::size_t largest_program = 200'000;  // bytes

/// Renumbers the kept nodes, which are in the order of `place`.
void renumber(Json& value, const std::vector<std::size_t>& place) {
  if (value.is_array()) {
    for (auto& one : value) renumber(one, place);
  } else if (value.is_object() && value.contains("tensor")) {
    value["tensor"] = place[value["tensor"].get<std::size_t>()];
  }
}

/// The nodes that are needed, and their new numbers.
class Kept {
 public:
  explicit Kept(const Nodes& nodes) : nodes_(nodes), is_kept_(nodes.nodes().size()) {}

  void keep(std::size_t node) {
    std::vector<std::size_t> left{node};
    while (!left.empty()) {
      const auto one = left.back();
      left.pop_back();
      if (is_kept_[one]) continue;
      is_kept_[one] = true;
      const auto& operands = nodes_.operands()[one];
      left.insert(left.end(), operands.begin(), operands.end());
    }
  }

  /// Returns the new number of each node.
  std::vector<std::size_t> places() const {
    std::vector<std::size_t> place(is_kept_.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < place.size(); ++i) place[i] = is_kept_[i] ? next++ : 0;
    return place;
  }

  Json json(const std::vector<std::size_t>& place) const {
    Json tensors = Json::array();
    for (std::size_t i = 0; i < is_kept_.size(); ++i) {
      if (!is_kept_[i]) continue;
      auto node = nodes_.nodes()[i];
      if (node.contains("values") && node["values"].is_null())
        throw NoProgram("the numbers of a tensor are not known");
      if (node.contains("args")) renumber(node["args"], place);
      if (node.contains("through")) renumber(node["through"], place);
      tensors.push_back(std::move(node));
    }
    return tensors;
  }

 private:
  const Nodes& nodes_;
  std::vector<bool> is_kept_;
};

/// Returns what each cell shows: its tensors, and the number that it may display.
Json cells_of(const Nodes& nodes, const std::vector<std::size_t>& place) {
  std::map<std::size_t, Json> cells;
  const auto cell = [&](std::size_t position) -> Json& {
    return cells.try_emplace(position, Json{{"cell", position}, {"shown", Json::array()}}).first->second;
  };
  for (const auto& shown : nodes.shown()) cell(shown.position)["shown"].push_back(place[shown.node]);
  for (const auto& [position, node] : nodes.scalars()) {
    if (position != 0) cell(position)["scalar"] = place[node];
  }
  Json list = Json::array();
  for (auto& [position, one] : cells) list.push_back(std::move(one));
  return list;
}

PageProgram program_of_flow(const trace_diff::Flow& flow, std::span<const Picture> pictures) {
  const Nodes nodes(flow);
  Kept kept(nodes);
  PageProgram program;
  for (const auto& shown : nodes.shown()) kept.keep(shown.node);
  for (const auto& [position, node] : nodes.scalars()) kept.keep(node);
  for (const auto draw : nodes.draws()) kept.keep(draw);
  for (const auto& picture : pictures) {
    program.tensors.push_back(picture.traced ? std::optional(nodes.node_of(*picture.traced)) : std::nullopt);
    if (program.tensors.back()) kept.keep(*program.tensors.back());
  }
  const auto place = kept.places();
  for (auto& tensor : program.tensors) {
    if (tensor) tensor = place[*tensor];
  }
  const Json json{{"version", version}, {"tensors", kept.json(place)}, {"cells", cells_of(nodes, place)}};
  program.json = absl::StrReplaceAll(json.dump(), {{"<", "\\u003c"}});
  return program;
}

}  // namespace

PageProgram program_of(const std::string& trace, std::span<const Picture> pictures) {
  if (trace.empty()) return {};
  try {
    trace_diff::Texts texts;
    const auto read = trace_diff::read_trace(trace, texts);
    auto program = program_of_flow(trace_diff::Flow(read, texts), pictures);
    if (program.json.size() > largest_program) throw NoProgram("the run is too long");
    return program;
  } catch (const NoProgram& reason) {
    return {.why = reason.what()};
  }
}

}  // namespace torchbook::site
