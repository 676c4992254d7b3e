// Compares C++ token by token.
#include <fmt/format.h>
#include <torchbook/importing/update_translation.h>
#include <torchbook/importing/words.h>
#include <torchbook/notebook/cells/cpp_keywords.h>
#include <torchbook/notebook/cells/cpp_tokens.h>
#include <torchbook/notebook/lines.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace torchbook::importing {
namespace {

using Tokens = std::vector<notebook::CppToken>;
using Words = std::set<std::string>;

std::string text_of(const DraftCell& cell) {
  std::string text;
  for (const auto& line : cell.cpp) text += line + '\n';
  return text;
}

bool same(const Tokens& a, const Tokens& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& one, const auto& other) { return one.text == other.text; });
}

/// Returns the words of C++ that can be names of variables: no keywords, no members, no names of namespaces
/// and none inside of these.
Words variables_in(std::string_view text) {
  const auto tokens = notebook::cpp_tokens(text);
  Words words;
  const auto is = [&](std::size_t at, std::string_view what) {
    return at < tokens.size() && tokens[at].is(what);
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool member =
        i > 0 && (is(i - 1, ".") || is(i - 1, ":") || (i > 1 && is(i - 1, ">") && is(i - 2, "-")));
    const bool outer = is(i + 1, ":") && is(i + 2, ":");
    if (tokens[i].kind != notebook::CppToken::Kind::word || member || outer) continue;
    if (!notebook::is_cpp_keyword(tokens[i].text)) words.insert(tokens[i].text);
  }
  return words;
}

/// Whether C++ says that the cell is not ported, and has what import keeps of such a cell.
bool is_frame(const Tokens& tokens, const DraftCell& cell) {
  constexpr std::size_t size = 7;  // of nb.not_ported("why");
  return tokens.size() >= size && tokens[0].is("nb") && tokens[2].is("not_ported") &&
         same({tokens.begin() + size, tokens.end()}, notebook::cpp_tokens(text_of(cell)));
}

/// Whether a cell of the old port has the C++ that import writes now.
bool is_as_imported(const OldCpp& old, const DraftCell& cell) {
  const auto tokens = notebook::cpp_tokens(old.source);
  if (contains(old.above, "nb.restored(")) return false;
  return cell.why.empty() ? same(tokens, notebook::cpp_tokens(text_of(cell))) : is_frame(tokens, cell);
}

/// Returns the name that a line such as `using torch::Tensor;` declares; empty if it is no such line.
std::string declared_by(std::string_view need) {
  if (!need.starts_with("using ")) return {};
  const auto name = need.substr(need.rfind(':') + 1);
  return std::string(name.substr(0, name.size() - 1));
}

/// Returns the offset after the last line that begins so; 0 if there is none.
std::size_t behind_last(std::string_view text, std::string_view begin) {
  std::size_t place = 0, end = 0;
  for (const auto line : notebook::lines_of(text)) {
    end += line.size() + 1;
    if (line.starts_with(begin)) place = end;
  }
  return place;
}

/// Goes through the cells from the first to the last.
class Decider {
 public:
  Decider(const Draft& draft, const std::vector<std::optional<OldCpp>>& kept) : draft_(draft), kept_(kept) {
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (!kept[i] || is_as_imported(*kept[i], draft.cells[i])) continue;
      auto words = variables_in(kept[i]->source);
      words.merge(variables_in(kept[i]->above));
      others_.emplace_back(i, std::move(words));
    }
    for (const auto& need : draft.needs) known_.insert(declared_by(need));
  }

  std::vector<TakenTranslation> decided() {
    std::vector<TakenTranslation> taken;
    for (std::size_t i = 0; i < draft_.cells.size(); ++i) {
      const auto& cell = draft_.cells[i];
      auto& decision = taken.emplace_back();
      if (!kept_[i]) {
        decision.why = cell.why.empty() && !cell.cpp.empty() ? why_not(cell) : cell.why;
        decision.is_taken = decision.why.empty() && !cell.cpp.empty();
      }
      const bool as_imported = kept_[i] ? is_as_imported(*kept_[i], cell) : decision.why.empty();
      const auto* const lost = lost_name(cell);
      if (!as_imported || lost != nullptr) lose(cell, as_imported ? lost->second : i + 1);
      known_.merge(variables_in(text_of(cell)));
    }
    return taken;
  }

 private:
  using Lost = std::map<std::string, std::size_t>;

  /// Returns a name that a cell uses and that import's C++ does not define; nullptr if there is none.
  const Lost::value_type* lost_name(const DraftCell& cell) const {
    for (const auto& name : cell.uses) {
      if (const auto lost = lost_.find(name); lost != lost_.end()) return &*lost;
    }
    return nullptr;
  }

  void lose(const DraftCell& cell, std::size_t position) {
    for (const auto& name : cell.changes) lost_.insert_or_assign(name, position);
  }

  std::string why_not(const DraftCell& cell) const {
    if (const auto* const lost = lost_name(cell); lost != nullptr) {
      return fmt::format("{} depends on cell @{}, whose C++ is not what import writes", lost->first,
                         lost->second);
    }
    for (const auto& word : variables_in(text_of(cell))) {
      if (known_.contains(word)) continue;
      for (const auto& [at, words] : others_) {
        if (words.contains(word)) return fmt::format("cell @{} has another {}", at + 1, word);
      }
    }
    return {};
  }

  const Draft& draft_;
  const std::vector<std::optional<OldCpp>>& kept_;
  std::vector<std::pair<std::size_t, Words>> others_{};  // what is in C++ that is not import's
  Lost lost_{};                      // names that depend on it, and the position of its cell
  Words known_ = {"nb", "int64_t"};  // in import's C++ of the cells so far
};

}  // namespace

std::vector<TakenTranslation> taken_translations(const Draft& draft,
                                                 const std::vector<std::optional<OldCpp>>& kept) {
  return Decider(draft, kept).decided();
}

std::string with_needs(std::string_view head, const Draft& draft,
                       const std::vector<TakenTranslation>& taken) {
  Words words;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (taken[i].is_taken) words.merge(variables_in(text_of(draft.cells[i])));
  }
  std::string text(head);
  if (words.empty()) return text;
  const auto lines = notebook::lines_of(head);
  for (const auto& need : draft.needs) {
    const auto name = declared_by(need);
    const bool needless = !name.empty() && !words.contains(name);
    if (needless || std::find(lines.begin(), lines.end(), need) != lines.end()) continue;
    const auto behind_names = name.empty() ? 0 : behind_last(text, "using ");
    const auto place = behind_names != 0 ? behind_names : behind_last(text, "#include ");
    text.insert(place, (behind_names == 0 && !name.empty() ? "\n" : "") + need + '\n');
  }
  return text;
}

}  // namespace torchbook::importing
