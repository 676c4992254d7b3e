// Maps keys to steps, and lays out cells as screens.
#include <absl/strings/ascii.h>
#include <fmt/format.h>
#include <torchbook/cli/shared/step.h>
#include <torchbook/cli/shared/terminal.h>
#include <torchbook/cli/system/raw_terminal.h>
#include <torchbook/report/terminal/terminal.h>
#include <torchbook/report/terminal/text.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace torchbook::cli {
namespace {

constexpr std::string_view help_text =  // at most 39 columns wide
    "  any other key   on, as space or right\n"
    "  b  k  left      back\n"
    "  12 enter  12 g  to the cell @12\n"
    "  Esc             forgets that number\n"
    "  g  G            first cell, last cell\n"
    "  ?  h            this help\n"
    "  q  Esc  Ctrl-D  quit\n";

enum class Command { none, next, back, first, last, help, quit };

Command command_of_character(char key) {
  constexpr char control_d = '\x04';
  switch (key) {
    case 'b':
    case 'k':
    case '\b':
    case '\x7f':
      return Command::back;
    case 'g':
      return Command::first;
    case 'G':
      return Command::last;
    case '?':
    case 'h':
      return Command::help;
    case 'q':
    case control_d:
      return Command::quit;
    default:
      return Command::next;
  }
}

Command command_of(const Key& key) {
  switch (key.kind) {
    case Key::character:
      return command_of_character(key.value);
    case Key::right:
    case Key::down:
    case Key::page_down:
      return Command::next;
    case Key::left:
    case Key::up:
    case Key::page_up:
      return Command::back;
    case Key::home:
      return Command::first;
    case Key::end:
      return Command::last;
    case Key::escape:
    case Key::end_of_input:
      return Command::quit;
    case Key::unknown:
    case Key::redraw:
      break;
  }
  return Command::none;
}

/// A part of the status line.
struct StatusPart {
  int weight;  // where the line is too narrow, the part of the least weight is left out
  std::string separator;
  std::string text;
};

/// Returns the status line with the parts that fit into `columns`.
std::string fitting(std::vector<StatusPart> parts, std::size_t columns) {
  for (;;) {
    std::string line;
    for (const auto& part : parts) line += (line.empty() ? "" : part.separator) + part.text;
    if (report::display_width(line) <= columns || parts.empty()) return line;
    parts.erase(std::min_element(parts.begin(), parts.end(),
                                 [](const auto& a, const auto& b) { return a.weight < b.weight; }));
  }
}

/// A cell that can be shown, with its run.
struct Stop {
  const golden::JudgedTranscript* run;
  const notebook::Cell* cell;  // nullptr if a restored state threw before the first cell
};

/// The current cell and page, and the contents of the screen.
class Walk {
 public:
  Walk(const std::vector<golden::JudgedTranscript>& judged, const ReportOptions& options)
      : judged_(judged), options_(options) {
    lay_out();
  }

  bool over() const { return over_ || stops_.empty(); }

  void press(const Key& key) {
    message_.clear();
    if (key.kind == Key::redraw) return lay_out();
    if (std::exchange(help_, false) && key.kind != Key::end_of_input) return;
    if (key.kind == Key::character && takes_number(key.value)) return;
    const bool was_typing = !std::exchange(number_, {}).empty();
    if (was_typing && key.kind == Key::escape) return;
    obey(command_of(key));
  }

  void draw(RawTerminal& terminal) const {
    const std::string_view text = help_ ? help_text : pages_[page_];
    const auto line = fitting(status(), size_.columns - 1);
    terminal.draw(text, style_.colour ? report::coloured(line, "7", true) : line, size_.rows);
  }

 private:
  /// Lays the texts out again for the current size of the terminal.
  void lay_out() {
    size_ = terminal_size();
    style_ = terminal_style(options_);
    stops_.clear();
    texts_.clear();
    for (const auto& run : judged_) {
      for (auto& shown : report::cell_texts(run, style_)) {
        stops_.push_back({&run, shown.cell});
        texts_.push_back(std::move(shown.text));
      }
    }
    if (!stops_.empty()) go_to(at_);
  }

  /// Handles a key of a cell's number: a digit, a backspace, or a key that ends the number. Returns
  /// whether it was one.
  bool takes_number(char key) {
    if (absl::ascii_isdigit(key)) {
      number_ += key;
      return true;
    }
    if (number_.empty()) return false;
    if (key == '\b' || key == '\x7f') {
      number_.pop_back();
      return true;
    }
    if (key != '\r' && key != '\n' && key != 'g') return false;
    jump(std::exchange(number_, {}));
    return true;
  }

  void jump(const std::string& position) {
    for (std::size_t i = 0; i < stops_.size(); ++i) {
      const bool here = stops_[i].run == stops_[at_].run && stops_[i].cell != nullptr;
      if (here && fmt::format("{}", stops_[i].cell->position) == position) return go_to(i);
    }
    message_ = fmt::format("there is no cell @{} here", position);
  }

  void go_to(std::size_t stop) {
    const std::string_view text = texts_[stop];
    at_ = stop;
    page_ = 0;
    pages_ = report::pages(text.substr(text.find_first_not_of('\n')), size_.columns,
                           std::max<std::size_t>(size_.rows - 1, 1));
  }

  void obey(Command command) {
    switch (command) {
      case Command::next:
        return next();
      case Command::back:
        return back();
      case Command::first:
        return go_to(0);
      case Command::last:
        return go_to(stops_.size() - 1);
      case Command::help:
        help_ = true;
        return;
      case Command::quit:
        over_ = true;
        return;
      case Command::none:
        return;
    }
  }

  void next() {
    if (page_ + 1 < pages_.size()) {
      ++page_;
    } else if (at_ + 1 < stops_.size()) {
      go_to(at_ + 1);
    } else {
      message_ = "this is the last cell";
    }
  }

  void back() {
    if (page_ != 0) {
      --page_;
    } else if (at_ != 0) {
      go_to(at_ - 1);
    } else {
      message_ = "this is the first cell";
    }
  }

  /// Returns `mathematical_trick @3 of 14, In [13], equal, page 1 of 2    ? help, q quit`.
  std::vector<StatusPart> status() const {
    if (help_) return {{0, "", "press any key to continue"}};
    const Stop& stop = stops_[at_];
    std::vector<StatusPart> parts = {{1, "", stop.run->transcript.slug}};
    if (stop.cell != nullptr) {
      const auto verdict = stop.run->judgements.at(stop.cell->position).verdict;
      parts.push_back(
          {7, " ", fmt::format("@{} of {}", stop.cell->position, stop.run->transcript.cells().size())});
      parts.push_back({4, ", ", fmt::format("In [{}]", stop.cell->label)});
      parts.push_back({5, ", ", std::string(golden::row_of(verdict).name)});
    }
    if (const auto count = pages_.size(); count > 1) {
      parts.push_back({6, ", ", fmt::format("page {} of {}", page_ + 1, count)});
    }
    if (!number_.empty()) {
      parts.push_back({8, "    ", fmt::format("to @{}", number_)});
    } else if (!message_.empty()) {
      parts.push_back({8, "    ", message_});
    } else {
      parts.push_back({2, "    ", "? help"});
      parts.push_back({0, ", ", "q quit"});
    }
    return parts;
  }

  const std::vector<golden::JudgedTranscript>& judged_;
  const ReportOptions& options_;
  TerminalSize size_{};
  report::TerminalStyle style_{};
  std::vector<Stop> stops_{};
  std::vector<std::string> texts_{};
  std::size_t at_ = 0;
  std::vector<std::string> pages_{};  // of the current cell
  std::size_t page_ = 0;
  std::string number_{};   // the digits typed so far
  std::string message_{};  // why the last key did nothing
  bool help_ = false;
  bool over_ = false;
};

}  // namespace

void step(const std::vector<golden::JudgedTranscript>& judged, const ReportOptions& options) {
  Walk walk(judged, options);
  if (walk.over()) return;
  RawTerminal terminal(STDIN_FILENO, STDOUT_FILENO);
  while (!walk.over()) {
    walk.draw(terminal);
    walk.press(terminal.key());
  }
  terminal.leave();
}

}  // namespace torchbook::cli
