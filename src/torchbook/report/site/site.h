// The teaching companion: pages on which each PyTorch cell stands beside its C++ cell.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/notebook/fingerprint.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::report {

/// A notebook of the site.
struct SiteNotebook {
  golden::JudgedTranscript judged;  ///< judged by the document
  golden::Judgements live{};        ///< the same cells, judged by a live PyTorch; empty where none was
  std::string
      live_failure{};  ///< why a live PyTorch could not judge them; empty if it did, or if none was there
};

/// Everything that the pages tell.
struct SiteContent {
  std::vector<SiteNotebook> notebooks;
  std::optional<notebook::Fingerprint> here{};     ///< what ran the ports
  std::optional<notebook::Fingerprint> pytorch{};  ///< what ran the twins; nullopt where no PyTorch did
  std::string not_compared{};                      ///< why none did, in a sentence
  std::string guide{};  ///< the porting guide, in Markdown; empty: the site has none
};

/// A file of the site.
struct SiteFile {
  std::string name;
  std::string text;
};

/// The site's files: pages, style and scripts; `index.html` is the last. They need nothing but each other,
/// and the same content gives the same bytes. A page holds of a run what is selected in it.
std::vector<SiteFile> site_files(const SiteContent& content);

}  // namespace torchbook::report
