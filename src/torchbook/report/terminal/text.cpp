// Measures texts as terminals do.
#include <fmt/format.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/report/terminal/text.h>

#include <algorithm>

namespace torchbook::report {

std::string coloured(std::string_view text, std::string_view code, bool colour) {
  return colour ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

std::size_t display_width(std::string_view line) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\033') {
      i = std::min(line.find('m', i), line.size());
    } else if ((static_cast<unsigned char>(line[i]) & 0xC0) != 0x80) {  // not a continuation byte
      ++width;
    }
  }
  return width;
}

std::vector<std::string_view> wrapped(std::string_view line, std::size_t width) {
  std::vector<std::string_view> lines;
  std::size_t start = 0;  // of the line that is being filled
  std::size_t end = 0;    // of its last word
  std::size_t columns = 0;
  for (;;) {
    const auto word = line.find_first_not_of(' ', end);
    if (word == line.npos) break;
    const auto word_end = std::min(line.find(' ', word), line.size());
    const auto word_columns = display_width(line.substr(word, word_end - word));
    columns += word - end + word_columns;
    if (columns > width && end != start) {
      lines.push_back(line.substr(start, end - start));
      start = word;
      columns = word_columns;
    }
    end = word_end;
  }
  lines.push_back(line.substr(start));
  return lines;
}

std::vector<std::string> pages(std::string_view text, std::size_t width, std::size_t height) {
  std::vector<std::string> pages(1);
  std::size_t used = 0;
  for (const auto whole : notebook::lines_of(text)) {
    for (const auto line : wrapped(whole, width)) {
      const auto rows = std::max<std::size_t>(1, (display_width(line) + width - 1) / width);
      if (used != 0 && used + rows > height) {
        pages.emplace_back();
        used = 0;
      }
      pages.back().append(line).push_back('\n');
      used += rows;
    }
  }
  return pages;
}

}  // namespace torchbook::report
