// Converts the Markdown of notes and of the porting guide with md4c, then colours its code like that of
// cells.
#include <absl/strings/ascii.h>
#include <absl/strings/str_replace.h>
#include <md4c-html.h>
#include <tools/site/pages.h>
#include <torchbook/report/highlight.h>
#include <torchbook/report/quoted.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace torchbook::site {
namespace {

/// HTML that stops growing at its limit: md4c pads each row of a table to the length of the first one, and
/// copies the target of a reference to each of its uses.
struct BoundedHtml {
  std::size_t limit;
  std::string text{};
  bool is_too_long = false;
};

void append(const MD_CHAR* text, MD_SIZE size, void* html) {
  auto& bounded = *static_cast<BoundedHtml*>(html);
  bounded.is_too_long = bounded.is_too_long || size > bounded.limit - bounded.text.size();
  if (!bounded.is_too_long) bounded.text.append(text, size);
}

std::string with_highlighted(std::string_view html, std::string_view name, report::Language language) {
  const std::string open = "<pre><code class=\"language-" + std::string(name) + "\">";
  return replaced(html, open, "</code></pre>", [&](std::string_view code) -> std::optional<std::string> {
    return "<pre><code>" + report::highlighted(unescaped(code), language, report::Markup::html) +
           "</code></pre>";
  });
}

/// Returns the anchor of a heading as on GitHub: its words in lower case, joined with `-`.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    if (absl::ascii_isalnum(c) || c == '-' || c == '_') anchor += absl::ascii_tolower(c);
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

/// Adds an anchor to each heading with this tag.
std::string with_anchors(std::string_view html, const std::string& tag) {
  return replaced(html, "<" + tag + ">", "</" + tag + ">",
                  [&](std::string_view heading) -> std::optional<std::string> {
                    return "<" + tag + " id=\"" + anchor_of(plain(heading)) + "\">" + std::string(heading) +
                           "</" + tag + ">";
                  });
}

/// Moves all headings below the title down by one level: each chapter has a title of its own.
std::string with_one_title(const std::string& html) {
  const auto title = std::min(html.find('\n'), html.size());
  return html.substr(0, title) +
         absl::StrReplaceAll(html.substr(title),
                             {{"<h1>", "<h2>"}, {"</h1>", "</h2>"}, {"<h2>", "<h3>"}, {"</h2>", "</h3>"}});
}

/// Lets links to chapters lead to their place on the page. Links to other documents become text.
std::string with_links_on_page(std::string_view html) {
  return replaced(html, "<a href=\"", "</a>", [](std::string_view link) -> std::optional<std::string> {
    const auto target = link.substr(0, link.find('"'));
    if (target.starts_with("https://") || target.starts_with("http://")) return std::nullopt;
    if (target.find('#') >= target.find('/')) return std::string(link.substr(link.find('>') + 1));
    return "<a href=\"" + std::string(link.substr(link.find('#'))) + "</a>";
  });
}

/// Returns Markdown as HTML. HTML in it becomes text. Markdown that is very long, or whose HTML would be far
/// longer, stays as it is.
std::string html_of(std::string_view markdown, unsigned flags) {
  constexpr std::size_t longest = 200'000;  // md4c takes time in proportion to columns times rows of a table
  const std::string clean = report::pictured(markdown);
  BoundedHtml bounded{.limit = 10'000 + 20 * clean.size(), .is_too_long = clean.size() > longest};
  if (!bounded.is_too_long && md_html(clean.data(), static_cast<MD_SIZE>(clean.size()), append, &bounded,
                                      flags | MD_FLAG_TABLES | MD_FLAG_NOHTML, 0) != 0) {
    throw std::runtime_error("a text cannot be read as Markdown");
  }
  if (bounded.is_too_long) return "<pre>" + escaped(clean) + "</pre>\n";
  auto html = with_highlighted(bounded.text, "cpp", report::Language::cpp);
  html = with_highlighted(html, "python", report::Language::python);
  return replaced(html, "<th>", "</th>", [](std::string_view head) -> std::optional<std::string> {
    return head.empty() ? "<td></td>" : "<th scope=\"col\">" + std::string(head) + "</th>";
  });
}

/// Returns the text between the first `open` in `html` and the next `close`; empty if there is none.
std::string_view between(std::string_view html, std::string_view open, std::string_view close) {
  const auto start = html.find(open);
  if (start == html.npos) return {};
  html.remove_prefix(start + open.size());
  return html.substr(0, html.find(close));
}

}  // namespace

std::string note_html(std::string_view markdown) {
  auto html = html_of(markdown, MD_FLAG_STRIKETHROUGH | MD_FLAG_LATEXMATHSPANS);
  html = replaced(html, "<img ", ">", [](std::string_view picture) -> std::optional<std::string> {
    return std::string(between(picture, "alt=\"", "\""));
  });
  html = replaced(html, "<a href=\"", "</a>", [](std::string_view link) -> std::optional<std::string> {
    if (link.starts_with("https://") || link.starts_with("http://")) return std::nullopt;
    return std::string(link.substr(link.find('>') + 1));
  });
  return absl::StrReplaceAll(html, {{"<h1>", "<h2 class=\"part\">"},
                                    {"</h1>", "</h2>"},
                                    {"<h5>", "<h4>"},
                                    {"</h5>", "</h4>"},
                                    {"<h6>", "<h4>"},
                                    {"</h6>", "</h4>"},
                                    {"<x-equation>", "<code class=\"tex\">"},
                                    {"<x-equation type=\"display\">", "<code class=\"tex display\">"},
                                    {"</x-equation>", "</code>"}});
}

std::string line_html(std::string_view markdown) {
  return std::string(between(note_html(markdown), "<p>", "</p>"));
}

std::string plain(std::string_view html) {
  return unescaped(replaced(html, "<", ">", [](std::string_view) { return std::optional<std::string>(""); }));
}

std::string guide_html(const std::string& markdown) {
  auto html = with_one_title(html_of(markdown, 0));
  for (const char* tag : {"h2", "h3"}) html = with_anchors(html, tag);
  return with_links_on_page(html);
}

}  // namespace torchbook::site
