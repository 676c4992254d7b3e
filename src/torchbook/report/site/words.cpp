// Counts verdicts and words them.
#include <fmt/format.h>
#include <torchbook/report/site/words.h>

namespace torchbook::report {
namespace {

Data verdict(bool good, const std::string& text) {
  Data data;
  data.set("kind", good ? "good" : "bad");
  data.set("mark", good ? "✓" : "✗");
  data.set("text", text);
  return data;
}

Data neither(const std::string& text) {
  Data data;
  data.set("kind", "neither");
  data.set("mark", "–");
  data.set("text", text);
  return data;
}

std::string pytorch_of(const SiteContent& content) {
  return content.pytorch ? content.pytorch->torch : "PyTorch";
}

Data live_verdict_data(const LiveVerdict& live, const std::string& pytorch) {
  if (!live.text_equal) return verdict(false, "differs from " + pytorch);
  if (!live.bits_equal) return verdict(false, fmt::format("equals the text of {}, not its bits", pytorch));
  return verdict(true, fmt::format("equals {}, text and bits", pytorch));
}

/// `all 32 outputs equal …` or `31 of 32 outputs equal …`.
std::string how_many(std::size_t equal, std::size_t of, const std::string& what) {
  if (equal == of) return fmt::format("all {} outputs equal {}", of, what);
  return fmt::format("{} of {} outputs equal {}", equal, of, what);
}

}  // namespace

void Tally::add(const SiteNotebook& notebook) {
  for (const Cell* cell : notebook.judged.transcript.cells()) {
    if (!cell->selected) continue;
    ++cells;
    const auto found = notebook.judged.judgements.find(cell->position);
    if (found == notebook.judged.judgements.end()) {
      ++not_run;
      continue;
    }
    if (found->second.verdict == Verdict::no_output) continue;
    ++outputs;
    if (found->second.verdict == Verdict::equal) ++equal;
    const auto live = notebook.live.find(cell->position);
    if (live == notebook.live.end()) continue;
    ++compared;
    if (live->second.text_equal && live->second.bits_equal) ++live_equal;
  }
}

Data cell_verdicts(const Cell& cell, const SiteNotebook& notebook, const SiteContent& content) {
  Data verdicts(Data::type::list);
  const auto found = notebook.judged.judgements.find(cell.position);
  if (found == notebook.judged.judgements.end()) {
    verdicts.push_back(neither("did not run"));
    return verdicts;
  }
  const bool document_equal = found->second.verdict == Verdict::equal;
  const auto live = notebook.live.find(cell.position);
  const bool live_differs =
      live != notebook.live.end() && !(live->second.text_equal && live->second.bits_equal);
  if (found->second.verdict != Verdict::no_output) {
    verdicts.push_back(
        verdict(document_equal, document_equal ? "equals the document" : "differs from the document"));
  }
  if (live != notebook.live.end() && (found->second.verdict != Verdict::no_output || live_differs)) {
    verdicts.push_back(live_verdict_data(live->second, pytorch_of(content)));
  }
  return verdicts;
}

Data tally_verdicts(const Tally& tally, const SiteContent& content) {
  Data verdicts(Data::type::list);
  verdicts.push_back(
      verdict(tally.equal == tally.outputs, how_many(tally.equal, tally.outputs, "the document")));
  if (tally.not_run != 0)
    verdicts.push_back(
        verdict(false, fmt::format("{} cell{} did not run", tally.not_run, tally.not_run == 1 ? "" : "s")));
  if (!content.pytorch) {
    verdicts.push_back(neither("not compared with a live PyTorch"));
  } else {
    verdicts.push_back(
        verdict(tally.live_equal == tally.outputs,
                how_many(tally.live_equal, tally.outputs, pytorch_of(content) + ", text and bits")));
  }
  return verdicts;
}

}  // namespace torchbook::report
