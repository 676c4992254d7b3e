#include <tools/site/html.h>
#include <tools/site/tex.h>

#include <optional>
#include <string_view>

namespace torchbook::site {
namespace {

/// Replaces the formulas of a page, which note_html() wrote.
template <class Replacement>
std::string with_formulas(const SiteFile& page, const Replacement& replacement) {
  if (!page.name.ends_with(".html")) return page.text;
  return replaced(page.text, "<code class=\"tex", "</code>", [&](std::string_view rest) {
    const auto begin = rest.find('>') + 1;  // behind `">` or ` display">`
    return replacement(Tex{.text = unescaped(rest.substr(begin)), .display = rest.starts_with(" display")});
  });
}

}  // namespace

std::vector<Tex> tex_of(std::span<const SiteFile> files) {
  std::vector<Tex> found;
  for (const auto& file : files) {
    with_formulas(file, [&](Tex formula) -> std::optional<std::string> {
      found.push_back(std::move(formula));
      return std::nullopt;
    });
  }
  return found;
}

void set_mathml(std::vector<SiteFile>& files, std::span<const std::string> elements) {
  auto next = elements.begin();
  for (auto& file : files) {
    file.text = with_formulas(file, [&](const Tex&) {
      const auto& element = *next++;
      return element.empty() ? std::nullopt : std::optional(element);
    });
  }
}

}  // namespace torchbook::site
