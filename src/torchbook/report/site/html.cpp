#include <absl/strings/ascii.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/site/html.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace torchbook::report {
namespace {

struct Entity {
  char character;
  std::string_view name;
};
constexpr Entity entities[] = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};

}  // namespace

std::string escaped(std::string_view text) {
  std::string html;
  for (const char c : pictured(text)) {
    const auto found = std::find_if(std::begin(entities), std::end(entities),
                                    [c](const Entity& entity) { return entity.character == c; });
    if (found != std::end(entities)) {
      html += found->name;
    } else {
      html += c;
    }
  }
  return html;
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
  for (char& c : title) {
    if (c == '_') c = ' ';
  }
  if (!title.empty()) title[0] = absl::ascii_toupper(title[0]);
  return title;
}

std::string filled(std::string_view text, const Data& data) {
  kainjow::mustache::mustache page{std::string(text)};
  page.set_custom_escape([](const std::string& value) { return escaped(value); });
  if (!page.is_valid()) throw std::logic_error("a template of the site: " + page.error_message());
  return page.render(data);
}

}  // namespace torchbook::report
