// Counts verdicts.
#include <fmt/format.h>
#include <torchbook/report/summary.h>

namespace torchbook {
namespace {

std::string count(std::size_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

}  // namespace

void Summary::add(const JudgedTranscript& judged) {
  ++notebooks_;
  for (const Cell* cell : judged.transcript.cells()) {
    if (!cell->selected) continue;
    ++cells_;
    const auto found = judged.judgements.find(cell->position);
    if (found == judged.judgements.end()) {
      ++not_run_;
    } else if (found->second.verdict == Verdict::equal) {
      ++equal_;
    } else if (found->second.verdict == Verdict::different) {
      ++different_;
    }
  }
}

std::string Summary::text() const {
  std::string text = fmt::format("{}, {}, {}: {} equal", count(notebooks_, "notebook"), count(cells_, "cell"),
                                 count(equal_ + different_, "output"), equal_);
  if (different_ != 0) text += fmt::format(", {} different", different_);
  if (not_run_ != 0) text += fmt::format(", {} not run", count(not_run_, "cell"));
  return text;
}

}  // namespace torchbook
