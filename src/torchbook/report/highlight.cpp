// Marks source text with GNU source-highlight.
#include <absl/strings/str_replace.h>
#include <srchilite/formatter.h>
#include <srchilite/formattermanager.h>
#include <srchilite/highlightrule.h>
#include <srchilite/langdefmanager.h>
#include <srchilite/regexrulefactory.h>
#include <srchilite/settings.h>
#include <srchilite/sourcehighlighter.h>
#include <torchbook/report/highlight.h>

#include <algorithm>
#include <boost/make_shared.hpp>
#include <exception>
#include <vector>

namespace torchbook::report {
namespace {

/// A kind of token: its HTML class and its terminal colour.
struct Kind {
  const char* name;
  const char* code;  // not marked if empty
};

constexpr Kind plain = {"", ""};
constexpr Kind keyword = {"keyword", "35"};
constexpr Kind type = {"type", "36"};
constexpr Kind string = {"string", "32"};
constexpr Kind comment = {"comment", "2"};
constexpr Kind number = {"number", "36"};
constexpr Kind preproc = {"preproc", "35"};
constexpr Kind function = {"function", "94"};

/// source-highlight's name for an element of a language, and its kind.
struct Element {
  const char* name;
  const Kind* kind;
};
constexpr Element elements[] = {
    {"keyword", &keyword},   {"type", &type},          {"usertype", &type}, {"classname", &type},
    {"string", &string},     {"specialchar", &string}, {"regexp", &string}, {"comment", &comment},
    {"todo", &comment},      {"url", &comment},        {"number", &number}, {"preproc", &preproc},
    {"function", &function},
};

struct Piece {
  const Kind* kind;
  std::string text;
};
using Pieces = std::vector<Piece>;

/// Appends a text to the last piece if that is of the same kind, otherwise as a new piece.
void append(Pieces& pieces, const Kind* kind, std::string_view text) {
  if (text.empty()) return;
  if (pieces.empty() || pieces.back().kind != kind) pieces.push_back({kind, {}});
  pieces.back().text += text;
}

/// Collects the tokens that source-highlight would format.
class Collector : public srchilite::Formatter {
 public:
  Collector(const Kind* kind, Pieces& pieces) : kind_(kind), pieces_(pieces) {}
  void format(const std::string& text, const srchilite::FormatterParams*) override {
    append(pieces_, kind_, text);
  }

 private:
  const Kind* kind_;
  Pieces& pieces_;
};

/// source-highlight's definition of a language, with the keywords that it lacks.
class Definition {
 public:
  Definition(const char* file, const srchilite::WordList& more_keywords) {
    try {
      const auto state = manager_.getHighlightState(srchilite::Settings::retrieveDataDir(), file);
      state->addRule(srchilite::HighlightRulePtr(rules_.createWordListRule("keyword", more_keywords)));
      state_ = state;
    } catch (const std::exception&) {  // not installed
    }
  }

  /// Returns the pieces of the code. Exceptions of the regular expressions propagate.
  Pieces pieces(std::string_view code) const {
    Pieces pieces;
    if (!state_) return pieces;
    srchilite::FormatterManager formatters(boost::make_shared<Collector>(&plain, pieces));
    for (const auto& element : elements) {
      formatters.addFormatter(element.name, boost::make_shared<Collector>(element.kind, pieces));
    }
    srchilite::SourceHighlighter highlighter(state_);
    highlighter.setFormatterManager(&formatters);
    while (!code.empty()) {
      const auto end = std::min(code.find('\n'), code.size());
      highlighter.highlightParagraph(std::string(code.substr(0, end)));
      if (end != code.size()) append(pieces, &plain, "\n");
      code.remove_prefix(std::min(end + 1, code.size()));
    }
    return pieces;
  }

 private:
  srchilite::RegexRuleFactory rules_;
  srchilite::LangDefManager manager_{&rules_};
  srchilite::HighlightStatePtr state_;
};

/// Returns the definition of a language, which is read on first use.
const Definition& definition(Language language) {
  if (language == Language::cpp) {
    static const Definition cpp("cpp.lang", {"nullptr", "concept", "requires"});
    return cpp;
  }
  static const Definition python("python.lang", {"None", "True", "False", "as", "with", "yield", "nonlocal"});
  return python;
}

/// Returns the pieces of the code, or one plain piece if they would not add up to the code.
Pieces pieces_of(std::string_view code, Language language) {
  Pieces whole = {{&plain, std::string(code)}};
  try {
    Pieces pieces = definition(language).pieces(code);
    std::string text;
    for (const auto& piece : pieces) text += piece.text;
    return text == code ? pieces : whole;
  } catch (const std::exception&) {
    return whole;
  }
}

void append_marked(std::string& marked, const Piece& piece, Markup markup) {
  const std::string_view code = markup == Markup::ansi ? piece.kind->code : piece.kind->name;
  const bool mark = !code.empty();
  if (markup == Markup::ansi) {
    if (mark) marked.append("\033[").append(code).append("m");
    marked += piece.text;
    if (mark) marked += "\033[0m";
  } else {
    if (mark) marked.append("<span class=\"").append(code).append("\">");
    marked += absl::StrReplaceAll(
        piece.text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});
    if (mark) marked += "</span>";
  }
}

}  // namespace

std::string highlighted(std::string_view code, Language language, Markup markup) {
  std::string marked;
  for (const auto& piece : pieces_of(code, language)) append_marked(marked, piece, markup);
  return marked;
}

}  // namespace torchbook::report
