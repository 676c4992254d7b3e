// Makes the page of a notebook.
#pragma once

#include <torchbook/report/site/site.h>

#include <cstddef>
#include <string>

namespace torchbook::report {

/// Returns the page of the notebook at `index` of the content, without its frame.
std::string notebook_html(const SiteContent& content, std::size_t index);

}  // namespace torchbook::report
