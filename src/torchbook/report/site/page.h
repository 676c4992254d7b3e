// A notebook's page.
#pragma once

#include <torchbook/report/site/site.h>

#include <cstddef>
#include <string>

namespace torchbook::report {

/// The page of the notebook at `index` of the content, without its frame.
std::string notebook_html(const SiteContent& content, std::size_t index);

}  // namespace torchbook::report
