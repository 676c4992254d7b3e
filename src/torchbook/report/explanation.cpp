#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/report/explanation.h>
#include <torchbook/report/words.h>

#include <algorithm>

namespace torchbook::report {
namespace {

constexpr std::string_view fault =
    "the fault is in this LibTorch, its BLAS or the port, or in the twin or its PyTorch";

/// Returns the first cells of a list, and how many more there are.
std::string first_of(const std::vector<std::string>& cells) {
  constexpr std::size_t most = 4;
  const auto shown =
      fmt::format("{}", fmt::join(cells.begin(), cells.begin() + std::min(most, cells.size()), ", "));
  return cells.size() <= most ? shown : fmt::format("{} and {} more", shown, cells.size() - most);
}

/// Returns what nothing explains; `best` is nullptr if there was no setting to try.
std::string unexplained(const std::vector<golden::Cause>& causes, const Trial* best) {
  if (causes.empty()) {
    return fmt::format(
        "nothing known explains the different bits: release, build, CPU capability, BLAS and threads are "
        "those of PyTorch; {}",
        fault);
  }
  if (best == nullptr)
    return fmt::format("no setting can explain the different bits; {}, unless this is the cause:", fault);
  if (!best->failure.empty())
    return fmt::format("no setting could be tried: with {}, {}", fmt::join(best->settings, " "),
                       best->failure);
  const bool all_tried = settings(causes).size() == causes.size();
  return fmt::format("no setting explains {} of {}: {}; {}{}", best->outputs - best->equal,
                     counted(best->outputs, "compared output"), first_of(best->different), fault,
                     all_tried ? "" : ", unless the cause is one without a setting:");
}

/// Returns `with OMP_NUM_THREADS=1, all of 83 compared outputs are equal`.
std::string equal_words(const Trial& by) {
  return fmt::format(
      "with {}, {} equal", fmt::join(by.settings, " "),
      by.outputs == 1 ? "the compared output is" : fmt::format("all of {} compared outputs are", by.outputs));
}

/// Returns what settings that make all outputs equal leave open.
std::string unjudged(const Explanation& explanation, const Trial& by) {
  const auto with = equal_words(by) + ", but";
  const auto& beyond = explanation.beyond_rounding;
  if (beyond.empty())
    return fmt::format("{} it is not known whether only rounding differs without: {}\n", with,
                       explanation.not_judged);
  constexpr std::size_t most = 8;
  auto text =
      fmt::format("{} {} off by more than rounding without, so kernels here are wrong:\n", with,
                  beyond.size() == 1 ? "an operation is" : fmt::format("{} operations are", beyond.size()));
  for (std::size_t i = 0; i < std::min(most, beyond.size()); ++i) text += fmt::format("  {}\n", beyond[i]);
  return beyond.size() <= most ? text : fmt::format("{}  and {} more\n", text, beyond.size() - most);
}

}  // namespace

const Trial* Explanation::makes_all_equal() const {
  const auto found =
      std::find_if(trials.begin(), trials.end(), [](const auto& each) { return each.makes_all_equal(); });
  return found == trials.end() ? nullptr : &*found;
}

const Trial* Explanation::explained_by() const {
  return beyond_rounding.empty() && not_judged.empty() ? makes_all_equal() : nullptr;
}

const Trial* Explanation::best() const {
  if (const auto* trial = makes_all_equal()) return trial;
  const auto most = std::max_element(trials.begin(), trials.end(), [](const auto& one, const auto& other) {
    return one.equal < other.equal ||
           (one.equal == other.equal && other.failure.empty() && !one.failure.empty());
  });
  return most == trials.end() ? nullptr : &*most;
}

bool Explanation::is_fault() const {
  if (!traced.empty() || !not_judged.empty()) return false;
  const bool nobody_tried = trials.empty() && !settings(causes).empty();
  return !nobody_tried && explained_by() == nullptr;
}

std::vector<std::string> settings(const std::vector<golden::Cause>& causes) {
  std::vector<std::string> all;
  for (const auto& cause : causes) {
    if (!cause.setting.empty()) all.push_back(cause.setting);
  }
  return all;
}

std::string with_remedy(const golden::Cause& cause) {
  return cause.setting.empty() ? cause.text
                               : fmt::format("{} ({} makes it the same)", cause.text, cause.setting);
}

std::string explanation_text(const Explanation& explanation) {
  if (!explanation.traced.empty()) return explanation.traced + '\n';
  const auto& causes = explanation.causes;
  const auto* by = explanation.makes_all_equal();
  std::string text;
  if (by != nullptr) {
    text = explanation.explained_by() != nullptr ? fmt::format("explained: {}\n", equal_words(*by))
                                                 : unjudged(explanation, *by);
  } else if (!explanation.is_fault()) {
    text = "bits may differ, because\n";
  } else {
    text = unexplained(causes, explanation.best()) + '\n';
  }
  for (const auto& cause : causes) {
    const bool matters = by == nullptr || std::find(by->settings.begin(), by->settings.end(),
                                                    cause.setting) != by->settings.end();
    text += matters ? fmt::format("  {}: {}\n", cause.about, with_remedy(cause))
                    : fmt::format("  without effect: {}: {}\n", cause.about, cause.text);
  }
  if (by == nullptr && explanation.is_fault() && !explanation.how_to_trace.empty())
    text += fmt::format("  {}\n", explanation.how_to_trace);
  return text;
}

}  // namespace torchbook::report
