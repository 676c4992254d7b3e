// Makes the content of sites and reads their pages, for their tests.
#pragma once

#include <gtest/gtest.h>
#include <report/samples.h>
#include <tools/site/site.h>

#include <string>
#include <utility>
#include <vector>

namespace torchbook::test {

/// Returns text that a page must show and a browser must not obey, for the field `where`.
inline std::string hostile(const std::string& where) {
  return where +
         " </script><script>document.title='obeyed'</script></pre></textarea>--><!-- <b onclick=\"x\" "
         "c='d'> " +
         "{{title}} {{{main}}} {{#items}} {{/items}} {{> frame}} {{=<% %>=}} ]]> &amp; &lt; &nosuch; "
         "\x01\x7f\xff\u202e\u009b \\ " +
         "javascript:alert(1)";
}

/// Returns content with hostile text in every field that a page shows.
inline site::SiteContent hostile_content() {
  notebook::Cell bad =
      cell(1, hostile("label"), hostile("stdout") + "\n", "tensor([1., 2.]) " + hostile("result"));
  bad.source = hostile("source");
  bad.twin = hostile("twin");
  bad.tensors = {tensor({2}, {1, 2})};
  notebook::Cell threw = cell(2, "None", "", std::nullopt);
  threw.error = hostile("error");
  threw.ran = true;
  notebook::Transcript transcript{.slug = hostile("slug"), .document = hostile("document"), .items = {}};
  transcript.items.emplace_back(notebook::Note{hostile("note") + " `" + hostile("code in a note") + "`"});
  transcript.items.emplace_back(notebook::Restored{.note = hostile("restored"),
                                                   .source = hostile("restored source"),
                                                   .twin = hostile("restored twin"),
                                                   .error = hostile("restored error")});
  transcript.items.emplace_back(std::move(bad));
  transcript.items.emplace_back(std::move(threw));
  site::SiteNotebook notebook{.judged = {.transcript = std::move(transcript), .judgements = {}}};
  golden::Judgement judgement;
  judgement.verdict = golden::Verdict::different;
  judgement.difference = golden::LineDifference{
      .where = "stdout", .line = 1, .column = 1, .golden = hostile("golden"), .actual = hostile("actual")};
  notebook.judged.judgements[1] = judgement;
  judgement.partings.push_back({.kind = hostile("kind"),
                                .what = hostile("what"),
                                .from = hostile("from"),
                                .lines = {hostile("heading"), hostile("line")}});
  notebook.live[1] = judgement;
  const auto fingerprint = [](const std::string& who) {
    return notebook::Fingerprint{.torch = hostile(who + " torch"),
                                 .build = hostile(who + " build"),
                                 .cpu_capability = hostile(who + " cpu"),
                                 .blas = hostile(who + " blas"),
                                 .threads = 1,
                                 .compiler = hostile(who + " compiler")};
  };
  site::SiteContent content;
  content.notebooks.push_back(notebook);
  content.notebooks.push_back(std::move(notebook));
  content.here = fingerprint("here");
  content.pytorch = fingerprint("pytorch");
  content.guide = "# Guide\n\n" + hostile("guide") + "\n\n```cpp\n" + hostile("guide code") + "\n```\n";
  return content;
}

/// Returns the text of a file of the site.
inline std::string text_of(const site::SiteContent& content, const std::string& name) {
  for (const auto& file : site::site_files(content)) {
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
