#include <absl/strings/ascii.h>
#include <absl/strings/str_replace.h>
#include <tools/site/html.h>
#include <torchbook/report/quoted.h>

#include <algorithm>
#include <stdexcept>

namespace torchbook::site {

std::string escaped(std::string_view text) {
  return absl::StrReplaceAll(
      report::pictured(text),
      {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});
}

std::string unescaped(std::string_view html) {
  return absl::StrReplaceAll(std::string(html),
                             {{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}});
}

std::string paragraph(std::string_view text) {
  std::string html;
  while (!text.empty()) {
    const auto open = text.find('`');
    const auto close = open == text.npos ? text.npos : text.find('`', open + 1);
    html += escaped(text.substr(0, close == text.npos ? text.npos : open));
    if (close == text.npos) break;
    html += "<code>" + escaped(text.substr(open + 1, close - open - 1)) + "</code>";
    text.remove_prefix(close + 1);
  }
  return html;
}

std::string page_name(std::string_view slug) {
  std::string name(slug);
  for (char& c : name) {
    if (!absl::ascii_isalnum(c) && c != '_') c = '-';
  }
  return name + ".html";
}

std::string title_of(std::string_view slug) {
  std::string title(slug);
  std::replace(title.begin(), title.end(), '_', ' ');
  if (!title.empty()) title[0] = absl::ascii_toupper(title[0]);
  return title;
}

Data object(std::initializer_list<std::pair<const char*, Data>> fields) {
  Data data;
  for (const auto& [name, value] : fields) data.set(name, value);
  return data;
}

Data text_or_false(const std::string& text) { return text.empty() ? Data(false) : Data(text); }

Data text_or_false(const std::optional<std::string>& text) { return text ? Data(*text) : Data(false); }

std::string filled(std::string_view text, const Data& data) {
  kainjow::mustache::mustache page{std::string(text)};
  page.set_custom_escape([](const std::string& value) { return escaped(value); });
  if (!page.is_valid()) throw std::logic_error("a template of the site: " + page.error_message());
  return page.render(data);
}

}  // namespace torchbook::site
