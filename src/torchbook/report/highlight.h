// Source text with its syntax marked up, for terminals and for pages.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::report {

/// The languages that a cell and its twin are written in.
enum class Language { cpp, python };

/// How the parts of a text are marked.
enum class Markup {
  ansi,  ///< escape codes of the eight basic colours
  html,  ///< `<span class="keyword">…</span>`, everything escaped
};

/// The code with its parts marked: `keyword`, `type`, `string`, `comment`, `number`, `preproc`, `function`
/// and `symbol`, which in html are the names of the classes (a terminal leaves symbols as they are). No mark
/// reaches over the end of a line, and without the marks the text is the code, byte for byte. Where
/// source-highlight's language definitions are not installed nothing is marked.
std::string highlighted(std::string_view code, Language language, Markup markup);

}  // namespace torchbook::report
