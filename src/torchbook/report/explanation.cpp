#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/report/explanation.h>
#include <torchbook/report/words.h>

namespace torchbook::report {
namespace {

std::string outcome(const Trial& trial) {
  if (!trial.failure.empty()) return trial.failure;
  if (trial.equal == trial.outputs) return fmt::format("all of {} equal", counted(trial.outputs, "output"));
  return fmt::format("{} of {} equal, {} not", trial.equal, counted(trial.outputs, "output"),
                     trial.outputs - trial.equal);
}

}  // namespace

std::vector<std::string> settings(const std::vector<golden::Cause>& causes) {
  std::vector<std::string> all;
  for (const auto& cause : causes) {
    if (!cause.setting.empty()) all.push_back(cause.setting);
  }
  return all;
}

std::string explanation_text(const Explanation& explanation) {
  if (explanation.causes.empty()) {
    return "nothing known explains the other bits: release, build, CPU capability, BLAS and threads are "
           "those of "
           "PyTorch\n";
  }
  std::string text = "bits may differ, because\n";
  for (const auto& cause : explanation.causes) {
    text += fmt::format("  {}: {}", cause.about, cause.text);
    if (!cause.setting.empty()) text += fmt::format(" ({} makes it the same)", cause.setting);
    text += '\n';
  }
  if (explanation.trial) {
    text += fmt::format("run again with {}: {}\n", fmt::join(settings(explanation.causes), " "),
                        outcome(*explanation.trial));
  }
  return text;
}

}  // namespace torchbook::report
