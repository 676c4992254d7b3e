// Counts verdicts and puts them into words.
#include <fmt/format.h>
#include <torchbook/report/details.h>
#include <torchbook/report/site/words.h>
#include <torchbook/report/words.h>

namespace torchbook::report {
namespace {

WordedVerdict verdict(bool good, std::string text) { return {good ? "good" : "bad", std::move(text)}; }

WordedVerdict neither(std::string text) { return {"neither", std::move(text)}; }

std::string pytorch_of(const SiteContent& content) {
  return content.pytorch ? content.pytorch->torch : "PyTorch";
}

std::string document_words(const golden::Judgement& judgement) {
  switch (judgement.verdict) {
    case golden::Verdict::threw:
      return "threw";
    case golden::Verdict::equal:
      return "equals the document";
    case golden::Verdict::equal_as_printed:
      return "agrees with the document as printed, not byte for byte";
    default:
      return "differs from the document";
  }
}

std::string live_words(const golden::Judgement& judgement, const std::string& pytorch) {
  if (judgement.raised) return "threw in " + pytorch;
  if (judgement.verdict == golden::Verdict::equal) return fmt::format("equals {}, text and bits", pytorch);
  if (!judgement.difference) return fmt::format("equals the text of {}, not its bits", pytorch);
  if (judgement.verdict == golden::Verdict::equal_as_printed) {
    return fmt::format("agrees with {} as printed, not byte for byte", pytorch);
  }
  return "differs from " + pytorch;
}

/// Returns the verdict by the side that `against` names. `words` is for a cell of which nothing is known and
/// that is ported.
WordedVerdict worded(const golden::Judgement& judgement, std::string_view against, std::string words) {
  if (golden::is_expected(judgement)) return neither(relation(judgement, against));
  if (golden::has_untrue_exception(judgement) || judgement.not_ported) words = relation(judgement, against);
  return verdict(golden::passes(judgement, golden::Accept::equal), std::move(words));
}

/// Returns the verdict on many outputs: `all 32 outputs equal …`, or `31 of 32 outputs equal …` with what
/// became of others.
WordedVerdict many_verdict(const Tally::Outputs& outputs, std::size_t of, const std::string& what) {
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

std::vector<WordedVerdict> cell_verdicts(const notebook::Cell& cell, const SiteNotebook& notebook,
                                         const SiteContent& content) {
  std::vector<WordedVerdict> verdicts;
  const auto* judgement = golden::judgement_of(notebook.judged.judgements, cell);
  if (judgement == nullptr) {
    verdicts.push_back(
        verdict(false, notebook.judged.failure ? "not compared with the document" : "did not run"));
    return verdicts;
  }
  if (judgement->verdict != golden::Verdict::no_output) {
    verdicts.push_back(worded(*judgement, "the document", document_words(*judgement)));
  }
  const auto* live = golden::judgement_of(notebook.live, cell);
  // What the port lacks or threw, and pictures, are told by the document's verdict.
  const bool told = live != nullptr && (live->not_ported || live->verdict == golden::Verdict::not_compared ||
                                        (live->verdict == golden::Verdict::threw && !live->raised));
  if (live != nullptr && live->verdict != golden::Verdict::no_output && !told) {
    const auto pytorch = pytorch_of(content);
    verdicts.push_back(worded(*live, pytorch, live_words(*live, pytorch)));
  }
  return verdicts;
}

std::vector<WordedVerdict> tally_verdicts(const Tally& tally, const SiteContent& content) {
  std::vector<WordedVerdict> verdicts;
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

Data verdicts_data(const std::vector<WordedVerdict>& verdicts) {
  Data list(Data::type::list);
  for (const auto& [kind, text] : verdicts) {
    Data data;
    data.set("kind", std::string(kind));
    data.set("mark", kind == "good" ? "✓" : kind == "bad" ? "✗" : "–");
    data.set("text", text);
    list.push_back(data);
  }
  return list;
}

}  // namespace torchbook::report
