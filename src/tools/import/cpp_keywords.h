#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace torchbook::importing {

/// Returns whether a text is a keyword of C++20 or an alternative operator such as `and`.
inline bool is_cpp_keyword(std::string_view text) {
  static constexpr std::array keywords = std::to_array<std::string_view>(
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
  return std::find(keywords.begin(), keywords.end(), text) != keywords.end();
}

}  // namespace torchbook::importing
