// Follows IPython's inputtransformer2 and prefilter.
#include <absl/algorithm/container.h>
#include <absl/strings/ascii.h>
#include <absl/strings/str_replace.h>
#include <fmt/format.h>
#include <tools/import/jupyter_cell.h>
#include <tools/import/text.h>
#include <torchbook/notebook/lines.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace torchbook::importing {
namespace {

/// The magics of IPython that work without `%`, and its aliases of shell commands.
constexpr std::array automagics = std::to_array<std::string_view>(
    {"alias",    "autoawait",    "autocall",   "automagic",  "bookmark", "cat",       "cd",
     "clear",    "colors",       "conda",      "config",     "cp",       "debug",     "dhist",
     "dirs",     "doctest_mode", "ed",         "edit",       "env",      "gui",       "hist",
     "history",  "ldir",         "less",       "lf",         "lk",       "ll",        "load",
     "load_ext", "logstart",     "ls",         "lsmagic",    "lx",       "macro",     "magic",
     "mamba",    "man",          "matplotlib", "micromamba", "mkdir",    "more",      "mv",
     "notebook", "page",         "pastebin",   "pdb",        "pdef",     "pdoc",      "pfile",
     "pinfo",    "pinfo2",       "pip",        "popd",       "pprint",   "precision", "prun",
     "psearch",  "psource",      "pushd",      "pwd",        "pycat",    "pylab",     "quickref",
     "recall",   "rehashx",      "reload_ext", "rep",        "rerun",    "reset",     "reset_selective",
     "rm",       "rmdir",        "run",        "save",       "sc",       "set_env",   "store",
     "sx",       "system",       "tb",         "time",       "timeit",   "unalias",   "unload_ext",
     "uv",       "who",          "who_ls",     "whos",       "xdel",     "xmode"});

std::string_view first_word(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_of_word);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

/// Returns whether the next word cannot follow in Python: true for `pip install`, false for
/// `ls in names`.
bool is_followed_by_word(std::string_view rest) {
  if (!rest.starts_with(' ')) return false;
  const auto next = first_word(without_indent(rest));
  constexpr std::array operators =
      std::to_array<std::string_view>({"and", "or", "in", "is", "not", "if", "for", "else"});
  return !next.empty() && !absl::c_linear_search(operators, next);
}

bool is_automagic(std::string_view text, bool alone, const KnownNames& known) {
  const auto word = first_word(text);
  if (!absl::c_linear_search(automagics, word)) return false;
  const auto rest = text.substr(word.size());
  if (is_followed_by_word(rest)) return true;
  if (known.contains(word)) return false;
  const auto argument = without_indent(rest);
  return alone && !rest.starts_with('.') && !argument.starts_with('=') && !argument.starts_with(',');
}

/// Returns whether the line ends with a `?` outside of strings and comments, which Python does not
/// allow.
bool is_question(std::string_view text) {
  return text.ends_with('?') && text.find_first_of("#'\"") == text.npos;
}

/// Returns the text after the `=` of `files = !ls` or `t = %timeit -o f()`; empty for other lines.
std::string_view assigned_command(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == text.npos || text.substr(0, equals).find_first_of("(#'\"") != text.npos) return {};
  const auto value = without_indent(text.substr(equals + 1));
  const bool magic = value.size() > 1 && value[0] == '%' && absl::ascii_isalpha(value[1]);
  return magic || value.starts_with('!') ? value : std::string_view();
}

using Lines = std::vector<std::string_view>;

/// Returns whether a line is empty or white space, as defined by Python's str.isspace().
bool is_white_space(std::string_view line) {
  constexpr std::array<std::string_view, 4> separators = {"\u2028", "\u2029", "\u0085", "\u00a0"};
  while (!(line = without_indent(line)).empty()) {
    const auto separator =
        std::find_if(separators.begin(), separators.end(), [&](auto one) { return line.starts_with(one); });
    if (separator == separators.end()) return false;
    line.remove_prefix(separator->size());
  }
  return true;
}

void remove_blank_lines_above(Lines& lines) {
  lines.erase(lines.begin(), std::find_if_not(lines.begin(), lines.end(), is_white_space));
}

/// Removes the first line's indentation from each line that begins with it.
void remove_indent(Lines& lines) {
  if (lines.empty()) return;
  const auto indent = lines[0].substr(0, lines[0].find_first_not_of(white_space));
  for (auto& line : lines) {
    if (line.starts_with(indent)) line.remove_prefix(indent.size());
  }
}

/// Returns the length of a prompt of Python at the beginning of a line; 0 if there is none.
std::size_t classic_prompt(std::string_view line) {
  if (!line.starts_with(">>>") && !line.starts_with("...")) return 0;
  if (line.size() == 3) return 3;
  return line[3] == ' ' ? 4 : 0;
}

/// Returns the length of a prompt such as `In [1]: ` or `   ...: `; 0 if there is none.
std::size_t jupyter_prompt(std::string_view line) {
  if (const auto dots = without_indent(line); dots.starts_with("...")) {
    const auto colon = dots.find_first_not_of('.');
    if (colon == dots.npos || dots[colon] != ':') return 0;
    const auto end = line.size() - dots.size() + colon + 1;
    return end + (end < line.size() && line[end] == ' ' ? 1 : 0);
  }
  constexpr std::string_view start = "In [";
  if (!line.starts_with(start)) return 0;
  const auto close = line.find_first_not_of("0123456789", start.size());
  return close > start.size() && line.substr(std::min(close, line.size())).starts_with("]: ") ? close + 3 : 0;
}

/// Removes prompts if one of the first two lines has one. A first line that begins with `...` is
/// Python, not a prompt.
void remove_prompts(Lines& lines, std::size_t (*prompt)(std::string_view)) {
  const bool python = !lines.empty() && classic_prompt(lines[0]) > 0 && lines[0].starts_with("...");
  const bool first = !lines.empty() && !python && prompt(lines[0]) > 0;
  if (!first && (lines.size() < 2 || prompt(lines[1]) == 0)) return;
  for (auto& line : lines) line.remove_prefix(prompt(line));
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const auto line : lines) text.append(line).push_back('\n');
  return text;
}

/// Follows leading_indent, classic_prompt and ipython_prompt of inputtransformer2, in this order. Cleans the
/// lines below a cell magic separately, because Jupyter treats them as a cell of their own.
std::string cleaned(std::string_view text, bool below_magic) {
  auto lines = notebook::lines_of(text);
  remove_blank_lines_above(lines);
  remove_indent(lines);
  remove_prompts(lines, classic_prompt);
  remove_prompts(lines, jupyter_prompt);
  auto python = joined(lines);
  const bool magic = !below_magic && python.starts_with("%%");
  if (!magic) return python;
  const auto body = python.find('\n') + 1;
  return python.substr(0, body) + cleaned(std::string_view(python).substr(body), true);
}

}  // namespace

std::string python_cell(std::string_view source) {
  return cleaned(absl::StrReplaceAll(std::string(source), {{"\r\n", "\n"}, {"\r", "\n"}}), false);
}

bool is_jupyters(std::string_view line, bool alone, const KnownNames& known) {
  const auto text = stripped(line);
  if (text.empty()) return false;
  constexpr std::string_view escapes = "%!?,;/";  // no statement of Python begins with these
  if (escapes.find(text[0]) != escapes.npos || is_question(text)) return true;
  return !assigned_command(text).empty() || is_automagic(text, alone, known);
}

std::optional<std::string> timed_python(std::string_view line) {
  const auto text = stripped(line);
  const auto assigned = assigned_command(text);
  auto magic = assigned.empty() ? text : assigned;
  if (magic.starts_with('%')) magic.remove_prefix(1);
  if (first_word(magic) != "time") return std::nullopt;
  const auto python = without_indent(magic.substr(4));
  if (python.empty() || magic[4] != ' ') return std::nullopt;
  const auto indent = line.substr(0, line.find_first_not_of(" \t"));
  const auto target = text.substr(0, text.size() - magic.size());
  const auto name = assigned.empty() ? std::string_view() : target.substr(0, target.find('=') + 1);
  return fmt::format("{}{}{}{}", indent, name, name.empty() ? "" : " ", python);
}

CellMagic cell_magic(std::string_view line) {
  if (!line.starts_with("%%")) return CellMagic::none;
  line.remove_prefix(2);
  const auto name = line.substr(0, line.find_first_of(" \t"));
  constexpr std::array runs = std::to_array<std::string_view>({"time", "prun", "mprun", "lprun", "debug"});
  constexpr std::array discards =
      std::to_array<std::string_view>({"timeit", "memit", "python", "python2", "python3", "pypy"});
  if (absl::c_linear_search(runs, name)) return CellMagic::runs;
  if (absl::c_linear_search(discards, name)) return CellMagic::discards;
  return name == "capture" ? CellMagic::hides : CellMagic::other;
}

}  // namespace torchbook::importing
