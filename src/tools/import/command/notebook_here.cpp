#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/command/notebook_here.h>
#include <torchbook/cli/system/exit.h>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace torchbook::cli {

std::string notebook_here(const std::string& named) {
  namespace fs = std::filesystem;
  std::vector<std::string> slugs;
  for (const auto& each : fs::directory_iterator(".")) {
    auto port = each.path();
    if (port.extension() == ".golden" && fs::exists(port.replace_extension(".cpp")))
      slugs.push_back(port.stem().string());
  }
  std::sort(slugs.begin(), slugs.end());
  if (slugs.empty())
    throw UsageError("no notebook is here; run this in the folder of a notebook's port and golden");
  if (named.empty() && slugs.size() == 1) return slugs.front();
  if (std::find(slugs.begin(), slugs.end(), named) != slugs.end()) return named;
  const auto all = fmt::format("{}", fmt::join(slugs, ", "));
  throw UsageError(named.empty()
                       ? fmt::format("several notebooks are here; name one: {}", all)
                       : fmt::format("{}.cpp and its golden are not here; here are {}", named, all));
}

}  // namespace torchbook::cli
