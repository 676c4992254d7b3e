// Makes the site for teaching: pages that show each PyTorch cell beside its C++ cell.
#pragma once

#include <torchbook/golden/judge.h>
#include <torchbook/notebook/fingerprint.h>
#include <torchbook/report/summary.h>

#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::site {

/// A notebook of the site.
struct SiteNotebook {
  golden::JudgedTranscript judged;  ///< judged by the document
  golden::Judgements live{};        ///< the same cells, judged by a live PyTorch; empty if there was none
  std::string
      live_failure{};  ///< why a live PyTorch could not judge them; empty if it did, or if there was none
  std::string questions_file{};  ///< the name of the file of the questions; empty if there is none
  std::string questions{};       ///< its text (questions/questions.h)
};

/// A file of questions that does not fit its notebook. The message names the file and the line.
struct QuestionsError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Everything that the pages show.
struct SiteContent {
  std::vector<SiteNotebook> notebooks;
  std::optional<notebook::Fingerprint> here{};     ///< the LibTorch that ran the ports
  std::optional<notebook::Fingerprint> pytorch{};  ///< the PyTorch that ran the twins; nullopt if none did
  std::string not_compared{};                      ///< why no PyTorch ran, as a sentence
  std::string guide{};  ///< the porting guide in Markdown; if it is empty, the site has none
  std::string stamp{};  ///< the pages reload when another stamp is written; empty: they never do
};

/// A file of the site.
struct SiteFile {
  std::string name;
  std::string text;
};

/// Counts the outputs of the documents that the live PyTorch has, too. `all` lacks those of cells that have
/// no twin.
report::Outputs live_outputs(std::span<const SiteNotebook> notebooks);

/// Returns whether the page of a notebook with this slug would overwrite a page of the site itself.
bool is_reserved(std::string_view slug);

/// Returns the slug that the first line of a file of questions names, empty if it names none.
std::string slug_of_questions(std::string_view text);

/// Checks the lines of a file of questions before the notebooks run, without looking up their names. Throws
/// QuestionsError.
void check_questions(const std::string& file, std::string_view text, std::string_view slug);

/// Returns the site's files: pages, style and scripts. `index.html` is the last page, and the stamp the last
/// file, because browsers then reload the others. They need no other files. The bytes depend only on the
/// content. A page contains the selected cells of a run. Throws QuestionsError.
std::vector<SiteFile> site_files(const SiteContent& content);

}  // namespace torchbook::site
