// Counts verdicts and puts them into words.
#include <fmt/format.h>
#include <torchbook/report/details.h>
#include <torchbook/report/site/words.h>
#include <torchbook/report/words.h>

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

Data document_verdict(const golden::Judgement& judgement) {
  if (golden::is_expected(judgement)) return neither(relation(judgement, "the document"));
  if (golden::has_untrue_exception(judgement) || judgement.not_ported) {
    return verdict(false, relation(judgement, "the document"));
  }
  if (judgement.verdict == golden::Verdict::threw) return verdict(false, "threw");
  if (judgement.verdict == golden::Verdict::equal) return verdict(true, "equals the document");
  if (judgement.verdict == golden::Verdict::equal_as_printed) {
    return verdict(false, "agrees with the document as printed, not byte for byte");
  }
  return verdict(false, "differs from the document");
}

Data live_verdict(const golden::Judgement& judgement, const std::string& pytorch) {
  if (judgement.raised) return verdict(false, "threw in " + pytorch);
  if (judgement.verdict == golden::Verdict::equal)
    return verdict(true, fmt::format("equals {}, text and bits", pytorch));
  if (!judgement.difference)
    return verdict(false, fmt::format("equals the text of {}, not its bits", pytorch));
  if (judgement.verdict == golden::Verdict::equal_as_printed) {
    return verdict(false, fmt::format("agrees with {} as printed, not byte for byte", pytorch));
  }
  return verdict(false, "differs from " + pytorch);
}

/// Returns the verdict on many outputs: `all 32 outputs equal …`, or `31 of 32 outputs equal …` with what
/// became of others.
Data many_verdict(const Tally::Outputs& outputs, std::size_t of, const std::string& what) {
  if (outputs.equal == of) return verdict(true, fmt::format("all {} outputs equal {}", of, what));
  auto text = fmt::format("{} of {} outputs equal {}", outputs.equal, of, what);
  if (outputs.as_printed != 0) {
    text += fmt::format(", {} agree{} as printed", outputs.as_printed, outputs.as_printed == 1 ? "s" : "");
  }
  if (outputs.expected != 0) {
    text += fmt::format(", {} as expected {} not", outputs.expected, outputs.expected == 1 ? "does" : "do");
  }
  return verdict(outputs.equal + outputs.expected == of, text);
}

void tally(const golden::Judgement& judgement, Tally::Outputs& outputs) {
  if (golden::is_expected(judgement)) {
    ++outputs.expected;
  } else if (judgement.verdict == golden::Verdict::equal) {
    ++outputs.equal;
  } else if (judgement.verdict == golden::Verdict::equal_as_printed) {
    ++outputs.as_printed;
  }
}

}  // namespace

void Tally::add(const SiteNotebook& notebook) {
  ++notebooks;
  if (notebook.judged.failure) ++not_judged;
  if (!notebook.live_failure.empty()) ++not_live;
  for (const notebook::Cell* cell : notebook.judged.transcript.cells()) {
    if (!cell->selected) continue;
    ++cells;
    const auto* judgement = golden::judgement_of(notebook.judged.judgements, *cell);
    if (judgement == nullptr) {
      if (!notebook.judged.failure) ++not_run;
      continue;
    }
    const auto* live = golden::judgement_of(notebook.live, *cell);
    if (judgement->verdict == golden::Verdict::threw || (live != nullptr && live->raised)) ++threw;
    if (judgement->verdict == golden::Verdict::threw) continue;
    if (judgement->not_ported && !golden::is_expected(*judgement)) ++not_ported;
    if (golden::has_untrue_exception(*judgement)) ++untrue;
    if (judgement->verdict == golden::Verdict::no_output) continue;
    if (judgement->not_ported && !judgement->golden_has_output) continue;
    ++outputs;
    tally(*judgement, document);
    if (live != nullptr) tally(*live, pytorch);
  }
}

Data cell_verdicts(const notebook::Cell& cell, const SiteNotebook& notebook, const SiteContent& content) {
  Data verdicts(Data::type::list);
  const auto* judgement = golden::judgement_of(notebook.judged.judgements, cell);
  if (judgement == nullptr) {
    verdicts.push_back(neither(notebook.judged.failure ? "not compared with the document" : "did not run"));
    return verdicts;
  }
  if (judgement->verdict != golden::Verdict::no_output) verdicts.push_back(document_verdict(*judgement));
  const auto* live = golden::judgement_of(notebook.live, cell);
  // What the port lacks or threw, and pictures, are told by the document's verdict.
  const bool told = live != nullptr && (live->not_ported || live->verdict == golden::Verdict::not_compared ||
                                        (live->verdict == golden::Verdict::threw && !live->raised));
  if (live != nullptr && live->verdict != golden::Verdict::no_output && !told) {
    verdicts.push_back(live_verdict(*live, pytorch_of(content)));
  }
  return verdicts;
}

Data tally_verdicts(const Tally& tally, const SiteContent& content) {
  Data verdicts(Data::type::list);
  if (tally.not_judged < tally.notebooks) {
    verdicts.push_back(many_verdict(tally.document, tally.outputs, "the document"));
  }
  if (tally.not_judged != 0) {
    verdicts.push_back(
        verdict(false, counted(tally.not_judged, "notebook") + " not compared with the document"));
  }
  if (tally.not_ported != 0) {
    verdicts.push_back(verdict(false, counted(tally.not_ported, "cell") + " not ported"));
  }
  if (tally.untrue != 0) {
    verdicts.push_back(verdict(false, counted(tally.untrue, "exception") + " no longer true"));
  }
  if (tally.threw != 0) verdicts.push_back(verdict(false, counted(tally.threw, "cell") + " threw"));
  if (tally.not_run != 0) verdicts.push_back(verdict(false, counted(tally.not_run, "cell") + " did not run"));
  if (tally.not_live != 0) {
    verdicts.push_back(verdict(false, counted(tally.not_live, "notebook") + " not compared with PyTorch"));
  }
  if (!content.pytorch) {
    verdicts.push_back(neither("not compared with a live PyTorch"));
  } else if (tally.not_live < tally.notebooks) {
    verdicts.push_back(many_verdict(tally.pytorch, tally.outputs, pytorch_of(content) + ", text and bits"));
  }
  return verdicts;
}

}  // namespace torchbook::report
