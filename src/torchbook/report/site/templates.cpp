// Fills in templates.
#include <torchbook/report/site/markup.h>
#include <torchbook/report/site/templates.h>

#include <stdexcept>

namespace torchbook::report {

std::string filled(std::string_view text, const Data& data) {
  kainjow::mustache::mustache page{std::string(text)};
  page.set_custom_escape([](const std::string& value) { return escaped(value); });
  if (!page.is_valid()) throw std::logic_error("a template of the site: " + page.error_message());
  return page.render(data);
}

}  // namespace torchbook::report
