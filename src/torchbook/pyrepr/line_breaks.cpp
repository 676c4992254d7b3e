// Implements Oppen's algorithm as IPython.lib.pretty does. Text whose breaks are undecided is
// buffered. A line that becomes too long breaks its outermost breakable groups.
#include <torchbook/pyrepr/composition.h>
#include <torchbook/pyrepr/utf8.h>

#include <algorithm>
#include <deque>
#include <span>
#include <vector>

namespace torchbook::pyrepr::inline v1::detail {
namespace {

constexpr std::size_t line_width = 79;

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (; !text.empty(); text.remove_prefix(first_character(text).length)) ++width;
  return width;
}

/// A part of the text whose breakable spaces become new lines together.
struct Group {
  std::size_t depth = 0;
  std::size_t indent = 0;      ///< what it adds to the indentation
  std::size_t breakables = 0;  ///< that wait in the buffer
  bool breaks = false;         ///< its breakables are new lines from now on
};

/// The groups that may still be broken, by their depth.
class GroupQueue {
 public:
  void add(Group* group) {
    if (levels_.size() <= group->depth) levels_.resize(group->depth + 1);
    levels_[group->depth].push_back(group);
  }
  void remove(const Group* group) {
    auto& level = levels_[group->depth];
    const auto found = std::find(level.begin(), level.end(), group);
    if (found != level.end()) level.erase(found);
  }
  /// Selects the latest of the outermost groups with buffered breakables, marks it as breaking and
  /// returns it. Returns nullptr if there is none.
  Group* take();

 private:
  std::vector<std::vector<Group*>> levels_{};
};

Group* GroupQueue::take() {
  for (auto& level : levels_) {
    const auto found =
        std::find_if(level.rbegin(), level.rend(), [](const Group* group) { return group->breakables > 0; });
    if (found != level.rend()) {
      Group* const group = *found;
      level.erase(level.begin() + (found - level.rbegin()));  // IPython removes the group that mirrors it
      group->breaks = true;
      return group;
    }
    for (Group* group : level) group->breaks = true;
    level.clear();
  }
  return nullptr;
}

class Layout {
 public:
  std::string of(std::string_view text, std::span<const Composition::Mark> marks);

 private:
  /// A text, or a space that belongs to a group and may become a new line.
  struct Piece {
    std::string_view text;
    std::size_t width;
    Group* group;
    std::size_t indentation;
  };

  void begin(std::size_t indent);
  void end();
  void lines(std::string_view text);
  void text(std::string_view text);
  void breakable(std::string_view space);
  void new_line();
  void start_line(std::size_t indentation);
  void write_first();
  void break_group(const Group& group);
  void break_while_too_wide();
  void flush();

  std::string out_{};
  std::size_t out_width_ = 0;
  std::deque<Piece> buffer_{};
  std::size_t buffer_width_ = 0;
  std::deque<Group> groups_{};  // all of them, so that they stay where they are
  std::vector<Group*> open_{};
  GroupQueue queue_{};
  std::size_t indentation_ = 0;
};

std::string Layout::of(std::string_view text, std::span<const Composition::Mark> marks) {
  std::size_t done = 0;
  for (const auto& mark : marks) {
    lines(text.substr(done, mark.place - done));
    done = mark.place;
    if (mark.kind == Composition::Mark::begin) begin(mark.indent);
    if (mark.kind == Composition::Mark::end) end();
    if (mark.kind == Composition::Mark::breakable) breakable(text.substr(done++, 1));
  }
  lines(text.substr(done));
  flush();
  return std::move(out_);
}

void Layout::begin(std::size_t indent) {
  groups_.push_back({.depth = open_.size(), .indent = indent});
  open_.push_back(&groups_.back());
  queue_.add(open_.back());
  indentation_ += indent;
}

void Layout::end() {
  const Group* group = open_.back();
  open_.pop_back();
  indentation_ -= group->indent;
  if (group->breakables == 0) queue_.remove(group);
}

/// Adds text that may contain newlines. Only the text of a value does.
void Layout::lines(std::string_view text) {
  for (auto end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    this->text(text.substr(0, end));
    new_line();
    text.remove_prefix(end + 1);
  }
  this->text(text);
}

void Layout::text(std::string_view text) {
  if (text.empty()) return;
  const std::size_t width = width_of(text);
  if (buffer_.empty()) {
    out_ += text;
    out_width_ += width;
    return;
  }
  buffer_.push_back({text, width, nullptr, 0});
  buffer_width_ += width;
  break_while_too_wide();
}

void Layout::breakable(std::string_view space) {
  Group* const group = open_.back();
  if (group->breaks) {
    flush();
    start_line(indentation_);
    return;
  }
  buffer_.push_back({space, space.size(), group, indentation_});
  ++group->breakables;
  buffer_width_ += space.size();
  break_while_too_wide();
}

void Layout::new_line() {
  if (const Group* group = queue_.take()) break_group(*group);
  flush();
  start_line(indentation_);
}

void Layout::start_line(std::size_t indentation) {
  (out_ += '\n').append(indentation, ' ');
  out_width_ = indentation;
}

void Layout::write_first() {
  const Piece piece = buffer_.front();
  buffer_.pop_front();
  buffer_width_ -= piece.width;
  if (piece.group != nullptr) {
    --piece.group->breakables;
    if (piece.group->breaks) return start_line(piece.indentation);
    if (piece.group->breakables == 0) queue_.remove(piece.group);
  }
  out_ += piece.text;
  out_width_ += piece.width;
}

void Layout::break_group(const Group& group) {
  while (group.breakables > 0) write_first();
  while (!buffer_.empty() && buffer_.front().group == nullptr) write_first();
}

void Layout::break_while_too_wide() {
  while (out_width_ + buffer_width_ > line_width) {
    const Group* const group = queue_.take();
    if (group == nullptr) return;
    break_group(*group);
  }
}

void Layout::flush() {
  while (!buffer_.empty()) write_first();
}

}  // namespace

std::string Composition::laid_out() const { return Layout().of(text_, marks_); }

}  // namespace torchbook::pyrepr::inline v1::detail
