// Counts the verdicts of documents and of a live PyTorch, and marks them.
#include <fmt/format.h>
#include <tools/site/pages.h>
#include <torchbook/report/verdict_words.h>
#include <torchbook/report/words.h>

#include <algorithm>

namespace torchbook::site {
namespace {

MarkedText verdict(bool good, std::string text) { return {good ? "good" : "bad", std::move(text)}; }

MarkedText neither(std::string text) { return {"neither", std::move(text)}; }

MarkedText marked(const golden::Judgement& judgement, std::string_view against, bool with_bits) {
  auto text = report::relation(judgement, against);
  if (with_bits && judgement.verdict == golden::Verdict::equal && !judgement.exception)
    text += ", text and bits";
  return golden::is_expected(judgement)
             ? neither(std::move(text))
             : verdict(golden::passes(judgement, golden::Accept::equal), std::move(text));
}

/// Returns whether a page shows a verdict on a cell. Most cells without output have none.
bool has_verdict(const golden::Judgement& judgement) {
  return golden::row_of(judgement.verdict).counted || golden::has_untrue_exception(judgement);
}

std::string pytorch_of(const SiteContent& content) {
  return content.pytorch ? content.pytorch->torch : "PyTorch";
}

/// The results of comparing notebooks with their documents and with a live PyTorch.
struct SiteCounts {
  report::Summary document{};
  std::size_t raised = 0;    ///< cells that threw in their twins only
  std::size_t not_live = 0;  ///< notebooks that a live PyTorch could not judge

  void add(const SiteNotebook& notebook) {
    document.add(notebook.judged);
    if (!notebook.live_failure.empty()) ++not_live;
    for (const auto& [position, judgement] : notebook.judged.judgements) {
      const auto live = notebook.live.find(position);
      const bool twin_raised = live != notebook.live.end() && live->second.raised;
      if (twin_raised && judgement.verdict != golden::Verdict::threw) ++raised;
    }
  }
};

/// Returns the verdict on outputs. It is good if all of them are equal or differ as expected.
MarkedText outputs_verdict(const report::Outputs& outputs, std::size_t of, const std::string& against) {
  return verdict(outputs.equal + outputs.expected == of, report::outputs_text(outputs, of, against));
}

}  // namespace

std::vector<MarkedText> cell_verdicts(const notebook::Cell& cell, const SiteNotebook& notebook,
                                      const SiteContent& content) {
  std::vector<MarkedText> verdicts;
  const auto* judgement = golden::judgement_of(notebook.judged.judgements, cell);
  if (judgement == nullptr) {
    verdicts.push_back(
        verdict(false, notebook.judged.failure ? "not compared with the document" : "did not run"));
    return verdicts;
  }
  if (has_verdict(*judgement)) verdicts.push_back(marked(*judgement, "the document", false));
  const auto* live = golden::judgement_of(notebook.live, cell);
  if (live == nullptr) return verdicts;
  // The document's verdict already covers cells that are not ported, cells that threw, and pictures.
  const bool says_more =
      golden::row_of(live->verdict).compared || live->raised || golden::has_untrue_exception(*live);
  if (says_more) verdicts.push_back(marked(*live, pytorch_of(content), true));
  return verdicts;
}

std::vector<MarkedText> verdicts_on(std::span<const SiteNotebook> notebooks, const SiteContent& content) {
  SiteCounts counts;
  for (const auto& notebook : notebooks) counts.add(notebook);
  const auto& document = counts.document;
  std::vector<MarkedText> verdicts;
  const auto add_bad = [&](std::size_t count, std::string_view noun, std::string_view what) {
    if (count != 0)
      verdicts.push_back(verdict(false, fmt::format("{} {}", report::counted(count, noun), what)));
  };
  if (document.not_judged < document.notebooks)
    verdicts.push_back(outputs_verdict(document.outputs, document.outputs.all, "the document"));
  add_bad(document.not_judged, "notebook", "not compared with the document");
  for (const auto& row : golden::verdicts) {
    const auto raised = row.verdict == golden::Verdict::threw ? counts.raised : 0;
    if (!row.ran) add_bad(document.unexpected.with(row.verdict) + raised, "cell", golden::spaced_name(row));
  }
  add_bad(document.untrue, "exception", "no longer true");
  add_bad(document.not_run, "cell", "did not run");
  add_bad(counts.not_live, "notebook", "not compared with PyTorch");
  if (!content.pytorch) {
    verdicts.push_back(neither("compared with the document’s printed outputs"));
  } else if (counts.not_live < document.notebooks) {
    verdicts.push_back(outputs_verdict(live_outputs(notebooks), document.outputs.all,
                                       pytorch_of(content) + ", text and bits"));
  }
  return verdicts;
}

std::size_t selected_cells(const notebook::Transcript& transcript) {
  const auto cells = transcript.cells();
  return static_cast<std::size_t>(
      std::count_if(cells.begin(), cells.end(), [](const notebook::Cell* cell) { return cell->selected; }));
}

report::Outputs live_outputs(std::span<const SiteNotebook> notebooks) {
  report::Outputs outputs;
  for (const auto& notebook : notebooks) {
    for (const auto& [position, judgement] : notebook.judged.judgements) {
      const auto live = notebook.live.find(position);
      if (live != notebook.live.end() && golden::has_counted_output(judgement)) outputs.add(live->second);
    }
  }
  return outputs;
}

void set_counts(Data& data, const SiteNotebook& notebook, const SiteContent& content) {
  report::Summary summary;
  summary.add(notebook.judged);
  data.set("cells", report::counted(selected_cells(notebook.judged.transcript), "cell"));
  data.set("outputs", fmt::format("{}", summary.outputs.all));
  data.set("verdicts", verdicts_data(verdicts_on({&notebook, 1}, content)));
}

Data verdicts_data(const std::vector<MarkedText>& verdicts) {
  return list_of(verdicts, [](const MarkedText& verdict) {
    const auto* const sign = verdict.mark == "good" ? "✓" : verdict.mark == "bad" ? "✗" : "–";
    return object({{"kind", std::string(verdict.mark)}, {"mark", sign}, {"text", verdict.text}});
  });
}

}  // namespace torchbook::site
