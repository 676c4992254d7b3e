// Parses the Markdown that notes need: first blocks, then the contents of lines.
#include <absl/strings/ascii.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>
#include <fmt/format.h>
#include <tools/import/notes.h>
#include <tools/import/source.h>
#include <tools/import/visible.h>
#include <tools/import/words.h>
#include <torchbook/notebook/lines.h>

#include <algorithm>
#include <utility>

namespace torchbook::importing {
namespace {

constexpr std::size_t longest_link =
    2000;  // bytes, so that an open bracket costs no search of the whole text

/// Returns the length of the mark that begins an item of a list, such as `- ` or `2. `; 0 if there is none.
std::size_t bullet_length(std::string_view line) {
  if (line.size() < 2) return 0;
  const bool mark = line[0] == '-' || line[0] == '*' || line[0] == '+';
  return mark && line[1] == ' ' ? 2 : 0;
}

bool is_numbered(std::string_view line) {
  const auto digits = line.find_first_not_of("0123456789");
  return digits != 0 && digits < 4 && digits + 1 < line.size() &&
         (line[digits] == '.' || line[digits] == ')') && line[digits + 1] == ' ';
}

/// Whether a line only separates others: `---`, `===`, `|---|---|`.
bool is_rule(std::string_view line) {
  return line.size() >= 3 && line.find_first_not_of("-=*_|: ") == line.npos;
}

std::string_view fence_of(std::string_view line) {
  for (const std::string_view fence : {"```", "~~~"}) {
    if (line.starts_with(fence)) return fence;
  }
  return {};
}

/// Converts a paragraph to plain text.
class Inline {
 public:
  Inline(std::string_view text, std::vector<std::string>& left_out) : rest_(text), left_out_(left_out) {}

  std::string plain() {
    while (!rest_.empty()) step();
    return std::move(plain_);
  }

 private:
  void step() {
    const char c = rest_[0];
    if (c == '`' || c == '$') {
      take_verbatim(c);
    } else if (take_link() || take_tag() || take_entity()) {
      return;
    } else if (rest_.starts_with("**") || rest_.starts_with("__")) {
      const bool mark = c == '*' || plain_.empty() || !absl::ascii_isalnum(plain_.back()) || is_after_word();
      if (!mark) plain_ += "__";
      rest_.remove_prefix(2);
    } else {
      take(1);
    }
  }

  /// Returns whether these two characters end a word.
  bool is_after_word() const { return rest_.size() == 2 || !absl::ascii_isalnum(rest_[2]); }

  void take(std::size_t length) {
    plain_ += rest_.substr(0, length);
    rest_.remove_prefix(length);
  }

  /// Copies code or a formula unchanged.
  void take_verbatim(char mark) {
    const auto close = rest_.substr(0, longest_link).find(mark, 1);
    take(close == rest_.npos ? 1 : close + 1);
  }

  /// Replaces `[text](address)` by its text, and drops `![text](address)`.
  bool take_link() {
    const bool picture = rest_.starts_with("![");
    if (!picture && rest_[0] != '[') return false;
    const auto near = rest_.substr(0, longest_link);
    const auto middle = near.find("](");
    const auto end = middle == near.npos ? near.npos : near.find(')', middle);
    if (end == near.npos) return false;
    const auto text = near.substr(picture ? 2 : 1, middle - (picture ? 2 : 1));
    const auto address = near.substr(middle + 2, end - middle - 2);
    const bool nested = text.find('[') != text.npos && !text.starts_with("![");
    if (nested) return false;
    if (picture) {
      leave_out(address);
    } else if (text.starts_with("![")) {  // a picture that is a link
      leave_out(address);
      rest_.remove_prefix(end + 1);
      const auto close = rest_.substr(0, longest_link).find(')');
      if (rest_.starts_with("](") && close != rest_.npos) rest_.remove_prefix(close + 1);
      return true;
    } else {
      plain_ += text;
    }
    rest_.remove_prefix(end + 1);
    return true;
  }

  /// Lists a picture by the last part of its address, without what follows a `?` or a space.
  void leave_out(std::string_view address) {
    address = address.substr(0, address.find_first_of("? "));
    while (address.ends_with('/')) address.remove_suffix(1);
    left_out_.push_back(
        fmt::format("a picture in the text: {}", cited(address.substr(address.rfind('/') + 1))));
  }

  /// Returns the address of an `<img …>`.
  static std::string_view source_of(std::string_view tag) {
    const auto begin = tag.find("src=");
    if (begin == tag.npos) return "without an address";
    tag.remove_prefix(begin + 4);
    const auto quote = tag.substr(0, 1);
    const bool quoted = quote == "\"" || quote == "'";
    if (quoted) tag.remove_prefix(1);
    return tag.substr(0, quoted ? tag.find(quote) : tag.find_first_of(" >"));
  }

  bool take_tag() {
    if (rest_[0] != '<' || rest_.size() < 2) return false;
    const bool is_tag = absl::ascii_isalpha(rest_[1]) || rest_[1] == '/' || rest_[1] == '!';
    const auto end = is_tag ? rest_.substr(0, longest_link).find('>') : rest_.npos;
    if (end == rest_.npos) return false;
    const auto tag = rest_.substr(0, end + 1);
    if (begins_with_word(tag, "<img")) leave_out(source_of(tag));
    if (begins_with_word(tag, "<br")) plain_ += ' ';
    rest_.remove_prefix(end + 1);
    return true;
  }

  bool take_entity() {
    constexpr std::pair<std::string_view, std::string_view> entities[] = {
        {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&nbsp;", " "}, {"&quot;", "\""}};
    for (const auto& [entity, character] : entities) {
      if (!rest_.starts_with(entity)) continue;
      plain_ += character;
      rest_.remove_prefix(entity.size());
      return true;
    }
    return false;
  }

  std::string_view rest_;
  std::vector<std::string>& left_out_;
  std::string plain_{};
};

/// Returns the text with each run of white space as one space, and none around it.
std::string collapsed(const std::string& text) {
  return absl::StrJoin(absl::StrSplit(text, absl::ByAnyChar(" \t\n\v\f\r"), absl::SkipEmpty()), " ");
}

/// Reads a text block by block.
class Blocks {
 public:
  Notes notes(std::string_view markdown) {
    for (const auto line : notebook::lines_of(markdown)) take(line);
    end_code();
    end_paragraph();
    return std::move(notes_);
  }

 private:
  void take(std::string_view whole) {
    auto line = stripped(whole);
    const auto fence = fence_of(line);
    if (!fence_.empty()) {
      if (fence == fence_) return end_code();
      ++code_lines_;
    } else if (!fence.empty()) {
      end_paragraph();
      fence_ = fence;
    } else {
      take_text(line);
    }
  }

  void take_text(std::string_view line) {
    while (line.starts_with('>')) line = without_indent(line.substr(1));
    const auto bullet = bullet_length(line);
    const bool heading = line.starts_with('#');
    if (heading || bullet > 0 || is_numbered(line) || line.starts_with('|') || line.empty()) end_paragraph();
    if (is_rule(line)) return end_paragraph();
    if (heading) {
      line = without_indent(line.substr(std::min(line.find_first_not_of('#'), line.size())));
    }
    paragraph_ += line.substr(bullet);
    paragraph_ += '\n';
    if (heading) end_paragraph();
  }

  void end_paragraph() {
    const auto text = collapsed(Inline(paragraph_, notes_.left_out).plain());
    if (!text.empty()) notes_.paragraphs.push_back(visible(text));
    paragraph_.clear();
  }

  void end_code() {
    if (code_lines_ > 0) {
      notes_.left_out.push_back(
          fmt::format("code in the text ({} line{})", code_lines_, code_lines_ == 1 ? "" : "s"));
    }
    code_lines_ = 0;
    fence_ = {};
  }

  Notes notes_{};
  std::string paragraph_{};
  std::string_view fence_{};  // what closes the code that is open
  std::size_t code_lines_ = 0;
};

}  // namespace

Notes notes_of(std::string_view markdown) { return Blocks().notes(markdown); }

}  // namespace torchbook::importing
