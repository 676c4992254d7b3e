// Renders the parts of the pages that site.cpp puts together.
#pragma once

#include <tools/site/html.h>
#include <tools/site/origin/pictures.h>
#include <tools/site/site.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::site {

/// Returns whether the site has small_gpt.html.
bool has_small_gpt(const SiteContent& content);

/// Returns the page of the notebook at `index` of the content, without its frame. Throws QuestionsError.
std::string notebook_html(const SiteContent& content, std::size_t index);

/// Returns a note's Markdown as HTML without pictures, whose links lead to the web only. Its headings begin
/// at level 2.
std::string note_html(std::string_view markdown);

/// Returns the first paragraph of some Markdown as HTML for another element, empty if it has none.
std::string line_html(std::string_view markdown);

/// Returns the text of some HTML.
std::string plain(std::string_view html);

/// Returns the title of a notebook: its first heading of level 1 that begins a note, or otherwise its slug.
std::string title_of(const notebook::Transcript& transcript);

/// Returns torchbook's own Markdown as HTML with highlighted code. Links to repository files become
/// plain text, because the site does not contain these files.
std::string guide_html(const std::string& markdown);

/// Returns the HTML of a picture: a table for each of its matrices, the legend of its colours, and its origin
/// if it has one. `all` holds all pictures of the notebook.
/// `computed` is its tensor in the page's program, if that has it.
std::string tensor_html(const Picture& picture, std::span<const Picture> all,
                        std::optional<std::size_t> computed);

/// Returns an output in which each element of a picture has its own span. Pages use it to highlight
/// the element.
std::string output_html(const std::string& text, bool result, std::span<const Picture> pictures);

/// A statement on a page, and its mark.
struct MarkedText {
  std::string_view mark;  ///< `good`, `bad`, or `neither` for a result that is neither equal nor a failure
  std::string text;
};

/// Returns the verdicts on a cell: by the document, and by the live PyTorch if there was one. A
/// verdict is bad if golden::passes() does not accept the cell, or if there is no judgement. A cell
/// without output has no verdict unless it has an exception that is untrue.
std::vector<MarkedText> cell_verdicts(const notebook::Cell& cell, const SiteNotebook& notebook,
                                      const SiteContent& content);

/// Returns the combined verdicts on some notebooks of the site.
std::vector<MarkedText> verdicts_on(std::span<const SiteNotebook> notebooks, const SiteContent& content);

/// Returns how many cells a page shows.
std::size_t selected_cells(const notebook::Transcript& transcript);

/// Sets `cells`, `outputs` and `verdicts` of a notebook.
void set_counts(Data& data, const SiteNotebook& notebook, const SiteContent& content);

/// Returns the verdicts for a template, each as `{kind, mark, text}`.
Data verdicts_data(const std::vector<MarkedText>& verdicts);

}  // namespace torchbook::site
