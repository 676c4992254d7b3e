// Python's methods of str, for texts in ASCII.
#pragma once

#include <torchbook/pyrepr/python.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::python {
namespace detail {

constexpr std::string_view white_space = " \t\n\r\v\f\x1C\x1D\x1E\x1F";

constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_letter(char c) { return is_upper(c) || is_lower(c); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char to_upper(char c) { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }
constexpr char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

/// Returns whether a text is not empty and `fits` holds for all its characters.
template <class Fits>
bool is_all(std::string_view text, Fits fits) {
  return !text.empty() && std::all_of(text.begin(), text.end(), fits);
}

}  // namespace detail

/// Return `text.upper()`, `text.lower()`, `text.title()` and `text.capitalize()`.
inline std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), detail::to_upper);
  return text;
}
inline std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), detail::to_lower);
  return text;
}
inline std::string title(std::string text) {
  bool inside = false;
  for (char& c : text) {
    c = inside ? detail::to_lower(c) : detail::to_upper(c);
    inside = detail::is_letter(c);
  }
  return text;
}
inline std::string capitalize(std::string text) {
  text = lower(std::move(text));
  if (!text.empty()) text[0] = detail::to_upper(text[0]);
  return text;
}

/// Return `text.isalpha()`, `text.isdigit()`, `text.isalnum()` and `text.isspace()`.
inline bool is_alpha(std::string_view text) { return detail::is_all(text, detail::is_letter); }
inline bool is_digit(std::string_view text) { return detail::is_all(text, detail::is_digit); }
inline bool is_alnum(std::string_view text) {
  return detail::is_all(text, [](char c) { return detail::is_letter(c) || detail::is_digit(c); });
}
inline bool is_space(std::string_view text) {
  return detail::is_all(text, [](char c) { return detail::white_space.find(c) != std::string_view::npos; });
}

/// Return `text.lstrip(characters)`, `text.rstrip(characters)` and `text.strip(characters)`.
inline std::string left_strip(std::string_view text, std::string_view characters = detail::white_space) {
  text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
  return std::string(text);
}
inline std::string right_strip(std::string_view text, std::string_view characters = detail::white_space) {
  return std::string(text.substr(0, text.find_last_not_of(characters) + 1));
}
inline std::string strip(std::string_view text, std::string_view characters = detail::white_space) {
  return left_strip(right_strip(text, characters), characters);
}

/// Returns `text.split()`: the words.
inline std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  for (auto begin = text.find_first_not_of(detail::white_space); begin != text.npos;) {
    const auto end = std::min(text.find_first_of(detail::white_space, begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(detail::white_space, end);
  }
  return words;
}

/// Returns `text.split(separator)`. The separator is not empty.
inline std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (auto end = text.find(separator); end != text.npos; end = text.find(separator)) {
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  parts.emplace_back(text);
  return parts;
}

/// Returns `text.splitlines()`.
inline std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of("\n\r\v\f\x1C\x1D\x1E"), text.size());
    lines.emplace_back(text.substr(0, end));
    const std::size_t width = text.substr(end, 2) == "\r\n" ? 2 : 1;
    text.remove_prefix(std::min(end + width, text.size()));
  }
  return lines;
}

/// Returns the lines of a text with their ends, as `file.readlines()` does.
inline std::vector<std::string> lines_with_ends(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

/// Returns `separator.join(words)`.
inline std::string join(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const auto& word : words) {
    if (&word != words.data()) text += separator;
    text += word;
  }
  return text;
}

/// Returns `text.replace(from, to)`. `from` is not empty.
inline std::string replace(std::string_view text, std::string_view from, std::string_view to) {
  return join(split(text, from), to);
}

/// Returns `text.count(part)`. `part` is not empty.
inline std::int64_t count(std::string_view text, std::string_view part) {
  return static_cast<std::int64_t>(split(text, part).size()) - 1;
}

/// Returns `text.find(part)`: -1 if the text does not contain it.
inline std::int64_t find(std::string_view text, std::string_view part) {
  return static_cast<std::int64_t>(text.find(part));
}

/// Returns `int(text)`. Throws std::invalid_argument if that raises.
inline std::int64_t to_int(const std::string& text) {
  auto digits = strip(text);
  if (digits.starts_with('+') && digits.substr(1, 1) != "-") digits.erase(0, 1);
  const char* const end = digits.data() + digits.size();
  std::int64_t number = 0;
  if (std::from_chars(digits.data(), end, number).ptr != end || digits.empty())
    throw std::invalid_argument("invalid literal for int() with base 10: " +
                                pyrepr::detail::repr_string(text));
  return number;
}

/// Returns `part in text`.
inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace torchbook::python
