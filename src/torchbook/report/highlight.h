// Marks up the syntax of source text, for terminals and for pages.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::report {

/// The languages of a cell and its twin.
enum class Language { cpp, python };

/// How the parts of a text are marked.
enum class Markup {
  ansi,  ///< escape codes of the eight basic colours
  html,  ///< `<span class="keyword">…</span>`, with everything escaped
};

/// Returns the code with its parts marked: `keyword`, `type`, `string`, `comment`, `number`, `preproc`,
/// `function` and `symbol`. In html these are the names of classes. On a terminal symbols are not marked.
///
/// No mark extends over the end of a line. Without the marks the text is the code, byte for byte. Nothing is
/// marked if source-highlight's language definitions are not installed.
std::string highlighted(std::string_view code, Language language, Markup markup);

}  // namespace torchbook::report
