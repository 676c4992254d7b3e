// Lists the names that cannot be those of a global function, a file or a CMake target.
#include <absl/strings/ascii.h>
#include <fmt/format.h>
#include <tools/import/cpp_keywords.h>
#include <tools/import/slug.h>
#include <tools/import/text.h>
#include <torchbook/notebook/cells/target_names.h>
#include <torchbook/pyrepr/utf8.h>

#include <algorithm>
#include <array>

namespace torchbook::importing {
namespace {

constexpr std::size_t longest_slug = 100;  // the names of several files begin with it

/// Names with small letters that torch/torch.h declares in the global namespace, and the program's
/// own. Types that end with `_t`, and macros with a prefix in `macro_starts`, are not listed.
constexpr std::string_view globals =
    " main std python at c10d caffe2 detail absl pybind11 nlohmann nb ska ska_ordered strong tm errno stdin "
    "stdout stderr assert assert_perror alloca offsetof typeof environ linux unix timezone daylight "
    "tzname signgam optarg optind opterr optopt getdate_err fd_set fd_mask va_list u_char u_short u_int "
    "u_long ushort uint ulong google PyObject pyobj_list issubnormal math_errhandling sched_priority "
    "strdupa strndupa timeradd timerclear timercmp timerisset timersub MaxTypeIndex stat signal ";

/// How macros begin that have small letters: `SYS_read`, `DEFINE_bool`.
constexpr std::array macro_starts =
    std::to_array<std::string_view>({"SYS_", "PRI", "SCN", "C10_", "AT_", "TORCH_", "DEFINE_", "DECLARE_",
                                     "FLAGS_", "pthread_", "program_invocation_", "M_", "L_", "P_", "THP"});

/// Returns whether a text is one of `words`, each of which is between spaces.
bool is_word_of(std::string_view words, std::string_view text) {
  return contains(words, fmt::format(" {} ", text));
}

/// Returns whether torch/torch.h uses the name for a macro, a type, a variable or a namespace.
bool is_of_c(std::string_view text) {
  return text.ends_with("_t") || is_word_of(globals, text) ||
         std::any_of(macro_starts.begin(), macro_starts.end(),
                     [&](auto start) { return text.starts_with(start); });
}

bool has_small_letter(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return absl::ascii_islower(c); });
}

bool is_letter_or_digit(char c) { return absl::ascii_isalnum(c); }

/// Returns the letter of ASCII in one of the letters from U+00C0 to U+017F, as u in u with an umlaut; a space
/// if it has none.
char without_accent(char32_t letter) {
  constexpr char32_t first = 0xC0;
  constexpr std::string_view letters =
      "AAAAAA CEEEEIIII NOOOOO  UUUUY  aaaaaa ceeeeiiii nooooo  uuuuy y"
      "AaAaAaCcCcCcCcDd  EeEeEeEeEeGgGgGgGgHh  IiIiIiIiI IiJjKk LlLlLlLl  NnNnNnn  OoOoOo  RrRrRrSsSsSsSsTtTt"
      "  UuUuUuUuUuUuWwYyYZzZzZzs";
  return letter >= first && letter - first < letters.size() ? letters[letter - first] : ' ';
}

/// Replaces accented letters by their ASCII base letters, and other characters outside of ASCII by
/// spaces.
std::string in_ascii(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto character = pyrepr::detail::first_character(text);
    result += character.length == 1 && absl::ascii_isascii(static_cast<unsigned char>(text[0]))
                  ? text[0]
                  : without_accent(character.code);
    text.remove_prefix(character.length);
  }
  return result;
}

}  // namespace

std::string why_no_slug(std::string_view text) {
  if (text.empty()) return "is empty; a slug has letters, digits and '_'";
  if (text.size() > longest_slug) return "is longer than 100 characters";
  const bool plain =
      std::all_of(text.begin(), text.end(), [](char c) { return is_letter_or_digit(c) || c == '_'; });
  if (!plain || absl::ascii_isdigit(text[0])) {
    return "is not a name of a C++ function; a slug has letters, digits and '_', and begins with a letter";
  }
  if (text[0] == '_' || text.find("__") != text.npos) {
    return "is reserved in C++; a slug begins with a letter and has no '__'";
  }
  if (is_cpp_keyword(text)) return "is a keyword of C++; another name must be the slug";
  if (!has_small_letter(text)) {
    return fmt::format("has no small letter, like macros of C++; {} would do",
                       absl::AsciiStrToLower(std::string(text)));
  }
  if (is_of_c(text) || notebook::is_target_name(text)) {
    return "is the name of something else in the program; another name must be the slug";
  }
  return {};
}

std::string slug_of(std::string_view file) {
  file.remove_prefix(file.rfind('/') + 1);  // npos + 1 is 0
  if (const auto dot = file.rfind('.'); dot != file.npos && dot > 0) file = file.substr(0, dot);
  std::string slug;
  for (const char c : in_ascii(file).substr(0, longest_slug - std::string_view("notebook_").size())) {
    if (is_letter_or_digit(c)) {
      slug.push_back(c);
    } else if (!slug.empty() && slug.back() != '_') {
      slug.push_back('_');
    }
  }
  while (slug.ends_with('_')) slug.pop_back();
  if (slug.empty()) return "notebook_1";
  if (!has_small_letter(slug)) absl::AsciiStrToLower(&slug);
  if (absl::ascii_isdigit(slug[0])) slug.insert(0, "notebook_");
  return why_no_slug(slug).empty() ? slug : slug + "_notebook";
}

}  // namespace torchbook::importing
