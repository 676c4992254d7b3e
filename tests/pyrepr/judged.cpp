// Records expectations for the judge. It is apart from judged.h because every printing test includes that.
#include <pyrepr/judged.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

namespace torchbook::test {
namespace {

void record(const nlohmann::json& line) {
  if (const char* path = std::getenv("TORCHBOOK_JUDGE_OUT"))
    std::ofstream(path, std::ios::app) << line << '\n';
}

}  // namespace

void record_text(std::string_view python, std::string_view expected) {
  record({{"python", python}, {"text", expected}});
}

void record_raises(std::string_view python, std::string_view exception) {
  record({{"python", python}, {"raises", exception}});
}

}  // namespace torchbook::test
