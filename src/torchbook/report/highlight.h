// Marks up the syntax of source text, for terminals and for pages.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::report {

/// The languages of a cell and its twin.
enum class Language { cpp, python };

/// How tokens are marked.
enum class Markup {
  ansi,  ///< escape codes of the eight basic colours
  html,  ///< `<span class="keyword">…</span>`, with everything escaped
};

/// Returns the code with its tokens marked: `keyword`, `type`, `string`, `comment`, `number`,
/// `preproc` and `function`. In HTML these are class names.
///
/// Code that is none of these stays plain. No mark spans several lines, and marking changes nothing else in
/// the text. Takes time in proportion to the length of the code, whatever its bytes are.
std::string highlighted(std::string_view code, Language language, Markup markup);

}  // namespace torchbook::report
