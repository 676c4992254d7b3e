// Reads golden files strictly and writes them: an incomplete golden is an error, never a shorter golden.
#include <fmt/format.h>
#include <torchbook/golden/golden.h>
#include <torchbook/notebook/cells/label.h>

#include <algorithm>
#include <charconv>

namespace torchbook::golden {
namespace {

constexpr std::size_t longest_quoted = 100;  // bytes of a text that an error repeats

/// Reads a text line by line.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  std::size_t number() const { return number_; }  // the number of the line taken last

  std::string_view take() {
    ++number_;
    const auto end = rest_.find('\n');
    if (end == rest_.npos) fail("the file breaks off in the middle of a line");
    const auto line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return line;
  }

  [[noreturn]] void fail(std::string_view what) const { throw GoldenError(number_, std::string(what)); }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

/// Takes `prefix` off the text. Returns false if the text does not start with it.
bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool take_number(std::string_view& text, std::size_t& number) {
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end.ec != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end.ptr - text.data()));
  return true;
}

void read_title(Lines& lines, Golden& golden) {
  auto line = lines.take();
  const bool named = take_prefix(line, "golden of ");
  const auto from = line.find(", from ");
  if (!named || from == line.npos) lines.fail("a golden starts with 'golden of <slug>, from <document>'");
  golden.slug = line.substr(0, from);
  golden.document = line.substr(from + std::string_view(", from ").size());
  if (golden.document.ends_with('\r'))
    lines.fail("it ends in a carriage return; a golden's lines end in a newline");
}

GoldenCell read_heading(const Lines& lines, std::string_view line, std::size_t expected) {
  GoldenCell cell;
  const bool heading = take_prefix(line, "@") && take_number(line, cell.position) &&
                       take_prefix(line, " In [") && line.size() > 1 && line.ends_with("]");
  if (!heading) lines.fail("expected a cell's heading, such as '@3 In [7]', or the last line, 'end: …'");
  if (cell.position != expected) {
    lines.fail(fmt::format("expected cell @{}, found @{}", expected, cell.position));
  }
  cell.label = line.substr(0, line.size() - 1);
  if (!notebook::is_label(cell.label)) lines.fail(notebook::label_rule);
  cell.line = lines.number();
  return cell;
}

/// Follows the last printed line if that line did not end with a newline.
constexpr std::string_view no_newline = "\\ no newline";

/// Returns the text after `> ` or `= `. An empty line may lack that space.
std::string_view content(std::string_view line) { return line.substr(std::min<std::size_t>(2, line.size())); }

bool is_output(std::string_view line, char kind) {
  return !line.empty() && line[0] == kind && (line.size() == 1 || line[1] == ' ');
}

void read_output(const Lines& lines, std::string_view line, GoldenCell& cell) {
  const bool has_text =
      cell.out.size() > 1 && cell.out.back() == '\n' && cell.out[cell.out.size() - 2] != '\n';
  if (line == no_newline && has_text && !cell.result) {
    cell.out.pop_back();
  } else if (is_output(line, '>') && !cell.result && (cell.out.empty() || cell.out.ends_with('\n'))) {
    cell.out.append(content(line)).push_back('\n');
  } else if (is_output(line, '=')) {
    if (cell.result) cell.result->push_back('\n');
    if (!cell.result) cell.result.emplace();
    cell.result->append(content(line));
  } else {
    lines.fail(
        "expected '> ' and a printed line, '= ' and a displayed line, or an empty line ('\\ no newline' may "
        "follow "
        "the last printed line)");
  }
}

/// Returns the last line of the golden's file, without a newline: `end: 12 cells, 10 with output`.
std::string end_line(const Golden& golden) {
  return fmt::format("end: {} cells, {} with output", golden.cells.size(), output_count(golden));
}

void check_end(const Lines& lines, std::string_view line, const Golden& golden) {
  const std::string expected = end_line(golden);
  if (line != expected) {
    const bool is_short = line.size() <= longest_quoted;
    lines.fail(fmt::format("the last line must be '{}'{}", expected,
                           is_short ? fmt::format(", it is '{}'", line) : ""));
  }
  if (!lines.done()) lines.fail("nothing may follow the last line");
}

/// Prefixes each line of a text with `mark` and a space. An empty line becomes the mark alone.
std::string marked(std::string_view text, char mark) {
  std::string lines;
  for (;;) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    lines += line.empty() ? fmt::format("{}\n", mark) : fmt::format("{} {}\n", mark, line);
    if (end == text.npos) return lines;
    text.remove_prefix(end + 1);
  }
}

std::string outputs_of(const GoldenCell& cell) {
  std::string text;
  const std::string_view out = cell.out;
  if (out.ends_with('\n')) {
    text += marked(out.substr(0, out.size() - 1), '>');
  } else if (!out.empty()) {
    text += marked(out, '>') + "\\ no newline\n";
  }
  if (cell.result) text += marked(*cell.result, '=');
  return text;
}

}  // namespace

std::size_t output_count(const Golden& golden) {
  return static_cast<std::size_t>(std::count_if(golden.cells.begin(), golden.cells.end(),
                                                [](const auto& cell) { return cell.has_output(); }));
}

Golden parse_golden(std::string_view text) {
  if (text.empty())
    throw GoldenError(0, "the file is empty; a golden starts with 'golden of <slug>, from <document>'");
  Lines lines(text);
  Golden golden;
  read_title(lines, golden);
  bool heading = false;  // a heading or the end must come next
  while (!lines.done()) {
    const auto line = lines.take();
    if (line.empty() && !heading) {
      heading = true;
    } else if (heading && line.starts_with("end: ")) {
      check_end(lines, line, golden);
      return golden;
    } else if (heading) {
      golden.cells.push_back(read_heading(lines, line, golden.cells.size() + 1));
      heading = false;
    } else if (golden.cells.empty()) {
      lines.fail("expected an empty line after the title");
    } else {
      read_output(lines, line, golden.cells.back());
    }
  }
  lines.fail("the file breaks off: its last line, 'end: …', is missing");
}

std::string golden_text(const Golden& golden) {
  auto text = fmt::format("golden of {}, from {}\n", golden.slug, golden.document);
  for (const auto& cell : golden.cells) {
    text += fmt::format("\n@{} In [{}]\n{}", cell.position, cell.label, outputs_of(cell));
  }
  return text + '\n' + end_line(golden) + '\n';
}

void require_slug(std::string_view named, std::string_view slug) {
  if (named == slug) return;
  throw GoldenError(1, fmt::format("this belongs to {}, not to {}",
                                   named.size() > longest_quoted ? "another notebook"
                                                                 : fmt::format("the notebook {}", named),
                                   slug));
}

void require_same_cells(const Golden& golden, std::string_view slug,
                        std::span<const std::string_view> labels) {
  require_slug(golden.slug, slug);
  const auto& cells = golden.cells;
  for (std::size_t i = 0; i < std::min(cells.size(), labels.size()); ++i) {
    if (cells[i].label == labels[i]) continue;
    throw GoldenError(cells[i].line, fmt::format("cell @{} is In [{}] here, but In [{}] in the notebook {}",
                                                 i + 1, cells[i].label, labels[i], slug));
  }
  if (cells.size() < labels.size()) {
    throw GoldenError(0, fmt::format("it ends before cell @{} In [{}], which the notebook {} has",
                                     cells.size() + 1, labels[cells.size()], slug));
  }
  if (cells.size() > labels.size()) {
    const auto& extra = cells[labels.size()];
    throw GoldenError(extra.line,
                      fmt::format("here is cell @{} In [{}], but the notebook {} has no further cell",
                                  labels.size() + 1, extra.label, slug));
  }
}

}  // namespace torchbook::golden
