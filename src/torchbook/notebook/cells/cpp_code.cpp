#include <absl/strings/ascii.h>
#include <torchbook/notebook/cells/cpp_code.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/pyrepr/utf8.h>

#include <algorithm>

namespace torchbook::notebook {
namespace {

/// Returns the size of the string or character literal that a text begins with.
std::size_t size_of_literal(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() && text[size] != text[0]) size += text[size] == '\\' ? 2U : 1U;
  return size + 1;
}

/// Returns the code of a line. `end` is the end of the comment or raw string that is open where the line
/// begins, and becomes the end of the one that is open where the line ends.
std::string code_of(std::string_view line, std::string& end) {
  std::string code;
  while (!line.empty()) {
    const auto in_number = [&] {  // the ' of 1'000
      return !code.empty() && is_word_character(code.back()) && line.size() > 1 && is_word_character(line[1]);
    };
    std::size_t size = 1;
    if (!end.empty()) {
      size = line.find(end);
      if (size == line.npos) break;
      size += end.size();
      end.clear();
    } else if (line.starts_with("//")) {
      break;
    } else if (line.starts_with("/*")) {
      end = "*/";
      size = end.size();
      code += ' ';
    } else if (line.starts_with("R\"")) {
      end = ")" + std::string(line.substr(2, line.find('(') - 2)) + '"';
      size = end.size() + 1;
      code += "\"\"";
    } else if (line[0] == '"' || (line[0] == '\'' && !in_number())) {
      size = size_of_literal(line);
      code += "\"\"";
    } else {
      size = std::max<std::size_t>(std::min(line.find_first_of("/R\"'"), line.size()), 1);
      code += line.substr(0, size);
    }
    line.remove_prefix(std::min(size, line.size()));
  }
  return code;
}

bool is_between(char32_t code, char32_t first, char32_t last) { return code >= first && code <= last; }

/// Returns the bytes as octal escapes.
std::string octal(std::string_view bytes) {
  std::string result;
  for (const char c : bytes) {
    const auto digit = [&](int shift) {
      return static_cast<char>('0' + ((static_cast<unsigned char>(c) >> shift) & 7));
    };
    result += {'\\', digit(6), digit(3), digit(0)};
  }
  return result;
}

}  // namespace

std::vector<CodeLine> code_lines(std::string_view cpp) {
  std::vector<CodeLine> lines;
  std::string end;
  for (const auto text : lines_of(cpp)) {
    const bool in_raw_string = end.starts_with(')');
    lines.push_back({.text = text, .code = code_of(text, end), .in_raw_string = in_raw_string});
  }
  return lines;
}

bool is_name(std::string_view text) {
  const auto is_in_name = [](char c) { return absl::ascii_isalnum(c) || c == '_'; };
  return !text.empty() && !absl::ascii_isdigit(text.front()) &&
         std::all_of(text.begin(), text.end(), is_in_name);
}

bool is_word_character(char c) { return absl::ascii_isalnum(c) || c == '_' || !absl::ascii_isascii(c); }

bool is_invisible(char32_t code) {
  const bool control = (code < 0x20 && code != '\n' && code != '\t') || is_between(code, 0x7F, 0x9F);
  const bool direction = code == 0x061C || is_between(code, 0x200B, 0x200F) ||
                         is_between(code, 0x2028, 0x202E) || is_between(code, 0x2060, 0x2069);
  return control || direction || code == 0xFEFF || is_between(code, 0xDC80, 0xDCFF);
}

std::string string_literal(std::string_view text, Letters letters) {
  std::string result = "\"";
  bool after_question = false;
  while (!text.empty()) {
    const auto [code, length] = pyrepr::detail::first_character(text);
    const auto character = text.substr(0, length);
    if (code == '\n') {
      result += "\\n";
    } else if (code == '\t') {
      result += "\\t";
    } else if (is_invisible(code) || (code > 0x7F && letters == Letters::ascii)) {
      result += octal(character);
    } else {
      const bool trigraph = code == '?' && after_question;
      if (code == '"' || code == '\\' || trigraph) result += '\\';
      result += character;
    }
    after_question = code == '?';
    text.remove_prefix(length);
  }
  return result + '"';
}

}  // namespace torchbook::notebook
