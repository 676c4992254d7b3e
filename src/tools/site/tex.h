// The formulas of notes: TeX, which KaTeX turns into MathML.
#pragma once

#include <tools/site/site.h>

#include <span>
#include <string>
#include <vector>

namespace torchbook::site {

/// A formula of a note.
struct Tex {
  std::string text{};
  bool display = false;  ///< whether it stands on lines of its own
};

/// Returns the formulas of pages, in their order.
std::vector<Tex> tex_of(std::span<const SiteFile> files);

/// Replaces the formulas by these elements of MathML, in their order. A formula whose element is empty stays
/// TeX.
void set_mathml(std::vector<SiteFile>& files, std::span<const std::string> elements);

}  // namespace torchbook::site
