// Reads the pages of a site, for their tests.
#pragma once

#include <gtest/gtest.h>
#include <torchbook/golden/judgement.h>
#include <torchbook/report/site/site.h>

#include <string>
#include <utility>

namespace torchbook::test {

/// Returns a site with one notebook, judged by its golden.
inline report::SiteContent content_of(notebook::Transcript transcript, const golden::Golden& golden) {
  report::SiteContent content;
  content.not_compared = "there was none.";
  content.notebooks.push_back({.judged = golden::judge(std::move(transcript), golden)});
  return content;
}

/// Returns the text of a file of the site.
inline std::string text_of(const report::SiteContent& content, const std::string& name) {
  for (const auto& file : report::site_files(content)) {
    if (file.name == name) return file.text;
  }
  ADD_FAILURE() << "no " << name;
  return {};
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

inline std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace torchbook::test
