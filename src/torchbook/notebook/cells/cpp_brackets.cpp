// Matches the brackets of C++ source.
#include <torchbook/notebook/cells/cpp_tokens.h>
#include <torchbook/notebook/cells/text_error.h>

namespace torchbook::notebook {

std::vector<std::size_t> bracket_partners(const std::vector<CppToken>& tokens) {
  std::vector<std::size_t> partners(tokens.size());
  std::vector<std::size_t> open;
  constexpr std::string_view opening = "([{", closing = ")]}";
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    partners[i] = i;
    if (tokens[i].kind != CppToken::Kind::punctuation) continue;
    const char c = tokens[i].text[0];
    if (opening.find(c) != opening.npos) open.push_back(i);
    const auto kind = closing.find(c);
    if (kind == closing.npos) continue;
    if (open.empty()) {
      throw TextError(tokens[i].line,
                      std::string("this '") + c + "' closes nothing; brackets must be in pairs");
    }
    const auto& opened = tokens[open.back()];
    if (opened.text[0] != opening[kind]) {
      throw TextError(tokens[i].line, std::string("this '") + c + "' cannot close the '" + opened.text +
                                          "' of line " + std::to_string(opened.line));
    }
    partners[i] = open.back();
    partners[open.back()] = i;
    open.pop_back();
  }
  if (!open.empty()) {
    throw TextError(tokens[open.back()].line,
                    "this '" + tokens[open.back()].text + "' is never closed; brackets must be in pairs");
  }
  return partners;
}

}  // namespace torchbook::notebook
