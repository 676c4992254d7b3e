// Asks a Python to run twins, and reads its answer.
#include <fmt/format.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/python.h>

#include <nlohmann/json.hpp>

namespace torchbook::cli {

extern const std::string_view run_twins;  // the text of run_twins.py

namespace {

using OrderedJson = nlohmann::ordered_json;

std::string as_json(const std::map<std::string, std::string>& twins) {
  for (const auto& [slug, text] : twins) {
    try {
      OrderedJson(text).dump();
    } catch (const OrderedJson::exception&) {
      throw UsageError(fmt::format("the twin of {} is no text in UTF-8", slug));
    }
  }
  return OrderedJson(twins).dump();
}

}  // namespace

RunningTwins::RunningTwins(const std::string& python, const std::map<std::string, std::string>& twins)
    : python_(python), child_({python, "-c", std::string(run_twins)}, as_json(twins)) {
  slugs_.reserve(twins.size());
  for (const auto& [slug, text] : twins) slugs_.push_back(slug);
}

std::map<std::string, std::string> RunningTwins::recordings(int seconds) {
  const auto ended = child_.wait(std::chrono::seconds(seconds), [&](std::chrono::seconds passed) {
    tell_waiting(passed, python_ + " to run the twins");
  });
  if (ended.timed_out) {
    throw UsageError(
        fmt::format("{} did not run the twins within {} s (--timeout sets another limit)", python_, seconds));
  }
  if (ended.code != 0 || ended.answer.empty()) {
    throw UsageError(fmt::format("{} did not run the twins; it {}", python_, how_it_ended(ended)));
  }
  const OrderedJson answer = OrderedJson::parse(ended.answer, nullptr, /*allow_exceptions=*/false);
  if (answer.is_object() && answer.contains("failure")) {
    throw UsageError(fmt::format(
        "{} has no PyTorch ({}); Debian's is the package python3-torch, --python names another Python",
        python_, answer.value("failure", "")));
  }
  std::map<std::string, std::string> texts;
  for (const auto& slug : slugs_) {
    if (!answer.is_object() || !answer.contains(slug) || !answer[slug].is_object()) {
      throw UsageError(fmt::format("{} answered something that is no recording", python_));
    }
    texts[slug] = answer[slug].dump(1) + '\n';
  }
  return texts;
}

}  // namespace torchbook::cli
