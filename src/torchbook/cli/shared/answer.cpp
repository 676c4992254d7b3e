#include <fmt/format.h>
#include <torchbook/cli/shared/answer.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/golden/golden.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/report/quoted.h>

namespace torchbook::cli {
namespace {

using golden::Json;

/// Reads a line of an answer and adds its recording, if it has one. Throws GoldenError if
/// run_twins.py cannot have written the line.
void take_line(std::map<std::string, std::string>& recordings, std::string_view text,
               const std::string& python, std::string* untraced) {
  const Json line = golden::parse_json(text);
  const golden::JsonObject object(line, "");
  if (const auto failure = object.text_if_any("failure")) {
    throw UsageError(fmt::format(
        "{} has no PyTorch ({}); Debian's is the package python3-torch, --python names another Python",
        python, report::shortened(*failure)));
  }
  if (line == Json{{"ready", true}}) return;
  if (const auto why = object.text_if_any("untraced"); why && untraced != nullptr) {
    *untraced = report::shortened(*why);
    return;
  }
  if (line.size() != 1 || !line.front().is_object()) object.fail("it must hold one recording");
  recordings[line.begin().key()] = line.front().dump(1) + '\n';
}

}  // namespace

std::map<std::string, std::string> recordings_in(std::string_view answer, const std::string& python,
                                                 std::string* untraced) {
  std::map<std::string, std::string> recordings;
  std::size_t number = 1;
  for (auto end = answer.find('\n'); end != answer.npos; end = answer.find('\n'), ++number) {
    try {
      take_line(recordings, answer.substr(0, end), python, untraced);
    } catch (const golden::GoldenError& error) {
      throw UsageError(fmt::format("{} answered something that is no recording: line {}: {}", python, number,
                                   error.what()));
    }
    answer.remove_prefix(end + 1);
  }
  return recordings;
}

}  // namespace torchbook::cli
