// Changes texts by pieces that goldens, recordings, ports and twins are made of.
#include <support/mutator.h>

#include <cstdlib>
#include <iterator>
#include <string_view>

namespace torchbook::test {
namespace {

constexpr std::string_view pieces[] = {"[",
                                       "]",
                                       "{",
                                       "}",
                                       "\"",
                                       "'",
                                       "'''",
                                       "\\",
                                       "\n",
                                       ":",
                                       ",",
                                       "tensor(",
                                       "1e30",
                                       "-5",
                                       "null",
                                       "true",
                                       "\\ud800",
                                       "\xff",
                                       "99999999999999999999",
                                       "# %%",
                                       "@1",
                                       "= ",
                                       "> ",
                                       "#if ",
                                       "R\"",
                                       "0x1p-9",
                                       "\\u0000",
                                       "nb.cell(\"1\");",
                                       "(",
                                       ")",
                                       "/*",
                                       "//",
                                       "\r\n",
                                       "end: "};

}  // namespace

int mutants() {
  const char* number = std::getenv("TORCHBOOK_MUTANTS");
  return number == nullptr ? 150 : std::atoi(number);
}

std::string Mutator::changed(std::string text) {
  for (auto changes = below(6) + 1; changes > 0; --changes) change(text);
  return text;
}

std::size_t Mutator::below(std::size_t end) {
  return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
}

void Mutator::change(std::string& text) {
  const auto at = below(text.size() + 1);
  const auto length = below(20);
  switch (below(6)) {
    case 0:
      text.insert(at, pieces[below(std::size(pieces))]);
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(below(text.size() + 1), text.substr(at, length));
      break;
    case 3:
      if (at < text.size()) text[at] = static_cast<char>(below(256));
      break;
    case 4:
      text.replace(at, length, pieces[below(std::size(pieces))]);
      break;
    default:
      if (below(20) == 0) text.resize(at);
  }
}

}  // namespace torchbook::test
