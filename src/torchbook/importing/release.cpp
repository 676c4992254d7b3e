// Looks for a number such as 2.4.0 in a line that names torch, or in one that holds nothing else.
#include <absl/strings/ascii.h>
#include <torchbook/importing/release.h>
#include <torchbook/importing/words.h>
#include <torchbook/notebook/lines.h>

namespace torchbook::importing {
namespace {

constexpr std::size_t longest_release = 40;

bool is_of_release(char c) { return absl::ascii_isalnum(c) || c == '.' || c == '+'; }

/// Returns the first word that begins with a number such as 2.4, including any suffix.
std::string first_release(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_of_release(text[i])) continue;
    const auto begin = i;
    while (i < text.size() && is_of_release(text[i])) ++i;
    auto word = text.substr(begin, i - begin);
    while (word.ends_with('.')) word.remove_suffix(1);
    const auto dot = word.find('.');
    const bool number = dot != word.npos && dot > 0 &&
                        word.substr(0, dot).find_first_not_of("0123456789") == word.npos &&
                        absl::ascii_isdigit(word[dot + 1]);
    if (number && word.size() <= longest_release) return std::string(word);
  }
  return {};
}

}  // namespace

std::string named_release(std::string_view text) {
  for (const auto line : notebook::lines_of(text)) {
    if (!contains(line, "torch") && !contains(line, "Torch") && !contains(line, "TORCH")) continue;
    if (auto release = first_release(line.substr(0, 1000)); !release.empty()) return release;
  }
  return {};
}

std::string shown_release(std::string_view python, std::string_view output) {
  const bool asked = contains(python, "torch.__version__") || contains(python, "version(\"torch\")") ||
                     contains(python, "version('torch')") || contains(python, "\"torch\"");
  if (!asked) return {};
  if (auto release = named_release(output); !release.empty()) return release;
  const auto lines = notebook::lines_of(output);
  return lines.size() == 1 ? first_release(lines[0].substr(0, longest_release)) : std::string();
}

}  // namespace torchbook::importing
