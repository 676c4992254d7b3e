#include <absl/strings/ascii.h>
#include <fmt/format.h>
#include <tools/import/notes.h>
#include <tools/import/source.h>
#include <tools/import/text.h>
#include <tools/import/visible.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace torchbook::importing {
namespace {

// In bytes: an unclosed span must not cost a search of the whole text.
constexpr std::size_t longest_link = 2000;
constexpr std::size_t longest_code = 100'000;

/// Returns the end of the span that a run of one character opens at the beginning of a text; npos if it is
/// not closed.
std::size_t end_of_run(std::string_view text, std::size_t length) {
  const auto run = text.substr(0, length);
  for (auto at = text.find(run, length); at != text.npos;) {
    const auto end = std::min(text.find_first_not_of(run[0], at), text.size());
    if (end - at == length) return end;
    at = text.find(run, end);
  }
  return text.npos;
}

/// Copies a text without pictures and tags.
class Copy {
 public:
  explicit Copy(std::string_view markdown) : rest_(markdown) {}

  NoteText note() {
    while (!rest_.empty()) step();
    note_.markdown = visible(stripped(note_.markdown));
    return std::move(note_);
  }

 private:
  void step() {
    const char c = rest_[0];
    if (c == '`' || c == '$' || rest_.starts_with("~~~")) {
      take_verbatim();
    } else if (!take_picture() && !take_tag()) {
      take(1);
    }
  }

  void take(std::size_t length) {
    note_.markdown += rest_.substr(0, length);
    rest_.remove_prefix(length);
  }

  /// Copies code or a formula unchanged.
  void take_verbatim() {
    const auto length = std::min(rest_.find_first_not_of(rest_[0]), rest_.size());
    const auto end = end_of_run(rest_.substr(0, length < 3 ? longest_link : longest_code), length);
    take(end == rest_.npos ? length : end);
  }

  /// Leaves out `![text](address)`.
  bool take_picture() {
    if (!rest_.starts_with("![")) return false;
    const auto near = rest_.substr(0, longest_link);
    const auto middle = near.find("](");
    const auto end = middle == near.npos ? near.npos : near.find(')', middle);
    if (end == near.npos) return false;
    leave_out(near.substr(middle + 2, end - middle - 2));
    rest_.remove_prefix(end + 1);
    return true;
  }

  /// Lists a picture by the last part of its address, up to a `?` or a space.
  void leave_out(std::string_view address) {
    address = address.substr(0, address.find_first_of("? "));
    while (address.ends_with('/')) address.remove_suffix(1);
    note_.left_out.push_back(
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

  /// Leaves out a tag of HTML. An address, `<https://pytorch.org>`, is none.
  bool take_tag() {
    if (rest_[0] != '<' || rest_.size() < 2 || rest_.starts_with("<http")) return false;
    const bool is_tag = absl::ascii_isalpha(rest_[1]) || rest_[1] == '/' || rest_[1] == '!';
    const auto end = is_tag ? rest_.substr(0, longest_link).find('>') : rest_.npos;
    if (end == rest_.npos) return false;
    const auto tag = rest_.substr(0, end + 1);
    if (begins_with_word(tag, "<img")) leave_out(source_of(tag));
    if (begins_with_word(tag, "<br")) note_.markdown += ' ';
    rest_.remove_prefix(end + 1);
    return true;
  }

  std::string_view rest_;
  NoteText note_{};
};

}  // namespace

NoteText note_of(std::string_view markdown) { return Copy(markdown).note(); }

}  // namespace torchbook::importing
