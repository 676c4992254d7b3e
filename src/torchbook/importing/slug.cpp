// Knows which names a function of the global namespace, a file and a target of CMake can have.
#include <absl/strings/ascii.h>
#include <torchbook/importing/slug.h>
#include <torchbook/importing/words.h>

#include <algorithm>
#include <array>

namespace torchbook::importing {
namespace {

constexpr std::size_t longest_slug = 100;  // the names of several files begin with it

constexpr std::array keywords = std::to_array<std::string_view>(
    {"alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",          "bitand",
     "bitor",       "bool",     "break",      "case",      "catch",     "char",          "char16_t",
     "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",      "compl",
     "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",     "continue",
     "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast",  "else",
     "enum",        "explicit", "export",     "extern",    "false",     "float",         "for",
     "friend",      "goto",     "if",         "inline",    "int",       "long",          "mutable",
     "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",       "operator",
     "or",          "or_eq",    "private",    "protected", "public",    "register",      "requires",
     "return",      "short",    "signed",     "sizeof",    "static",    "static_assert", "reinterpret_cast",
     "static_cast", "struct",   "switch",     "template",  "this",      "thread_local",  "throw",
     "true",        "try",      "typedef",    "typeid",    "typename",  "union",         "unsigned",
     "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",         "xor",
     "xor_eq"});

/// Namespaces, types, variables and macros of the global namespace, and names that targets of CMake have.
constexpr std::array taken = std::to_array<std::string_view>(
    {"main",     "std",     "torch",         "torchbook", "at",         "c10",      "caffe2",
     "fmt",      "absl",    "pybind11",      "nb",        "size_t",     "ssize_t",  "tm",
     "errno",    "stdin",   "stdout",        "stderr",    "assert",     "environ",  "EOF",
     "NULL",     "linux",   "unix",          "NAN",       "INFINITY",   "timezone", "daylight",
     "tzname",   "signgam", "all",           "clean",     "edit_cache", "help",     "install",
     "list",     "package", "rebuild_cache", "test",      "cli",        "cells",    "golden",
     "notebook", "pyrepr",  "report",        "doctor",    "check",      "compare",  "run",
     "site",     "matrix",  "FILE",          "DIR",       "div_t",      "ldiv_t",   "lldiv_t",
     "fpos_t",   "time_t",  "clock_t",       "stat",      "signal",     "int8_t",   "int16_t",
     "int32_t",  "int64_t", "va_list",       "wint_t",    "off_t",      "pid_t"});

bool is_letter_or_digit(char c) { return absl::ascii_isalnum(c); }

}  // namespace

std::string why_no_slug(std::string_view text) {
  if (text.empty()) return "is empty; a slug has letters, digits and '_'";
  if (text.size() > longest_slug) return "is longer than 100 characters";
  const bool plain =
      std::all_of(text.begin(), text.end(), [](char c) { return is_letter_or_digit(c) || c == '_'; });
  if (!plain || absl::ascii_isdigit(text[0])) {
    return "is no name of a C++ function; a slug has letters, digits and '_', and begins with a letter";
  }
  if (text[0] == '_' || text.find("__") != text.npos) {
    return "is reserved in C++; a slug begins with a letter and has no '__'";
  }
  if (is_one_of(keywords, text)) return "is a keyword of C++; another name must be the slug";
  if (is_one_of(taken, text))
    return "is the name of something else in the program; another name must be the slug";
  return {};
}

std::string slug_of(std::string_view file) {
  file.remove_prefix(file.rfind('/') + 1);  // npos + 1 is 0
  if (const auto dot = file.rfind('.'); dot != file.npos && dot > 0) file = file.substr(0, dot);
  std::string slug;
  for (const char c : file.substr(0, longest_slug - std::string_view("notebook_").size())) {
    if (is_letter_or_digit(c)) {
      slug.push_back(c);
    } else if (!slug.empty() && slug.back() != '_') {
      slug.push_back('_');
    }
  }
  while (slug.ends_with('_')) slug.pop_back();
  if (slug.empty()) return "notebook_1";
  if (absl::ascii_isdigit(slug[0])) slug.insert(0, "notebook_");
  return why_no_slug(slug).empty() ? slug : slug + "_notebook";
}

}  // namespace torchbook::importing
