#include <fmt/format.h>
#include <tools/seed/read_call.h>
#include <torchbook/cli/system/child.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/golden/golden.h>
#include <torchbook/golden/json_text.h>

#include <chrono>
#include <string_view>

namespace torchbook::seeds {

extern const std::string_view calls;  // the text of calls.py

namespace {

/// Returns the answer of calls.py.
nlohmann::json ask(const nlohmann::json& question, const std::string& python) {
  constexpr std::chrono::seconds longest{60};
  // -I: modules in the current folder must not shadow Python's own.
  cli::Child child({python, "-I", "-c", std::string(calls)}, golden::text_of_json(question, -1));
  const auto ended = child.wait(longest, [](std::chrono::seconds) {});
  try {
    return golden::parse_json(ended.answer, {.depth = 10, .values = 100'000});
  } catch (const golden::GoldenError&) {
    throw cli::UsageError(fmt::format("{} did not read the call; it {}", python, how_it_ended(ended)));
  }
}

}  // namespace

TensorCall read_call(const std::string& text, const std::string& python) {
  return call_of(ask({{"call", text}}, python));
}

std::optional<CallInCell> shown_call(const std::vector<std::string>& cells, std::size_t shown,
                                     const std::string& python) {
  const auto answer = ask({{"cells", cells}, {"shown", shown}}, python);
  if (answer.is_null()) return std::nullopt;
  CallInCell result{.cell = answer.at("cell").get<std::size_t>(), .first = answer.at("first").get<bool>()};
  try {
    result.call = call_of(answer);
  } catch (const SeedError& error) {
    result.why = error.what();
  }
  return result;
}

}  // namespace torchbook::seeds
