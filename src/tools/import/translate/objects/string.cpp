// Translates the methods of str, and what else is done with texts.
#include <fmt/format.h>
#include <tools/import/translate/lower/translator.h>
#include <torchbook/runtime/strings.h>

#include <algorithm>
#include <array>

namespace torchbook::translate {
namespace {

/// What a method of str knows of letters. In UTF-8, some methods do the same for bytes as for letters.
enum class Letters {
  counted,  ///< it counts or changes single letters
  spaces,   ///< it knows those that are white space
  whole     ///< it finds or compares texts
};

/// A method of str. Its arguments are strs.
struct StrMethod {
  std::string_view name;
  std::size_t fewest, most;  ///< arguments
  std::string_view code;  ///< a function that takes the text first; a method of std::string if it has a dot
  Kind result = Kind::string;
  Letters letters = Letters::counted;
};

const std::vector<StrMethod> methods = {
    {"upper", 0, 0, "python::upper"},
    {"lower", 0, 0, "python::lower"},
    {"title", 0, 0, "python::title"},
    {"capitalize", 0, 0, "python::capitalize"},
    {"strip", 0, 1, "python::strip", Kind::string, Letters::spaces},
    {"lstrip", 0, 1, "python::left_strip", Kind::string, Letters::spaces},
    {"rstrip", 0, 1, "python::right_strip", Kind::string, Letters::spaces},
    {"replace", 2, 2, "python::replace", Kind::string, Letters::whole},
    {"split", 0, 1, "python::split", Kind::list, Letters::spaces},
    {"splitlines", 0, 0, "python::split_lines", Kind::list, Letters::spaces},
    {"count", 1, 1, "python::count", Kind::integer, Letters::whole},
    {"find", 1, 1, "python::find", Kind::integer},
    {"isalpha", 0, 0, "python::is_alpha", Kind::boolean},
    {"isdigit", 0, 0, "python::is_digit", Kind::boolean},
    {"isalnum", 0, 0, "python::is_alnum", Kind::boolean},
    {"isspace", 0, 0, "python::is_space", Kind::boolean},
    {"startswith", 1, 1, ".starts_with", Kind::boolean, Letters::whole},
    {"endswith", 1, 1, ".ends_with", Kind::boolean, Letters::whole},
};

/// Methods whose argument must not be empty.
constexpr std::array<std::string_view, 3> want_text = {"replace", "split", "count"};

/// Whether a literal of C++ holds the text without escapes.
bool is_plain_text(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](unsigned char c) { return c < ' ' || c == '"' || c == '\\'; });
}

/// Returns the words of a text that is written out.
Value words_of(const std::string& text) {
  auto list = value_of(list_of(Type(Kind::string)), cpp::braces({}));
  list.literal = true;
  for (const auto& word : python::split(text)) {
    list.elements.push_back(value_of(Kind::string, string_literal(word)));
    list.elements.back().literal = true;
  }
  if (!list.elements.empty()) list.expr = printable(list);
  return list;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80; });
}

/// Whether a text has white space beyond ASCII.
bool has_other_space(std::string_view text) {
  static constexpr std::array<std::string_view, 19> spaces = {
      "\u0085", "\u00A0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",
      "\u2007", "\u2008", "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000"};
  return std::any_of(spaces.begin(), spaces.end(),
                     [&](std::string_view each) { return text.find(each) != text.npos; });
}

/// Sets `found` if a str with letters beyond ASCII is used for anything but printing.
void look_beyond_ascii(const Node& node, bool printed, bool& found) {
  if (node.is("Constant")) {
    const auto text = node.text("type") == "str" ? node.text("value") : "";
    found = found || (!is_ascii(text) && !printed);
    return;
  }
  const bool prints = called_name(node) == "print";
  const bool text = printed && node.is("JoinedStr");
  const bool alone = node.is("Expr") && node.child("value").is("Constant");  // a docstring
  for (const auto& child : node.children()) look_beyond_ascii(child, prints || text || alone, found);
}

}  // namespace

/// A std::string counts bytes, a str characters. Without letters beyond ASCII, both are the same.
void Translator::refuse_letters_beyond_ascii() {
  if (!beyond_ascii_) {
    bool found = false;
    for (const auto& cell : cells_) {
      if (cell.tree != nullptr) look_beyond_ascii(Node(*cell.tree), false, found);
    }
    beyond_ascii_ = found;
  }
  if (*beyond_ascii_)
    throw NotPorted("the notebook has strs with letters beyond ASCII, and C++ counts bytes");
}

/// Whether a str of the notebook has white space beyond ASCII.
bool Translator::has_other_spaces() {
  return std::any_of(cells_.begin(), cells_.end(), [](const PythonCell& cell) {
    return cell.tree != nullptr && Node(*cell.tree).any([](const Node& node) {
      return node.is("Constant") && node.text("type") == "str" && has_other_space(node.text("value"));
    });
  });
}

/// `text[0]`
Value Translator::character_of(const Value& text, const Value& at) {
  refuse_letters_beyond_ascii();
  auto whole = text;
  whole.expr = as_string(text);
  return value_of(Kind::string, cpp::braces({checked_element(whole, at)}, "std::string"));
}

Value Translator::string_method(const Value& text, std::string_view name, const Arguments& arguments) {
  const auto& values = arguments.positional;
  const bool one = values.size() == 1 && arguments.named.empty();
  if (name == "join" && one && !values[0].is(Kind::tensor)) {
    const auto words = rows_of(values[0]);
    if (!words.type.items[0].is(Kind::string)) throw NotPorted("it joins something else than strs");
    return value_of(Kind::string, cpp::call("python::join", {words.expr, text.expr}).in_order({1, 0}));
  }
  if (name == "format") return formatted(text, arguments);
  const auto found = std::find_if(methods.begin(), methods.end(), [&](const StrMethod& method) {
    return method.name == name && method.fewest <= values.size() && values.size() <= method.most;
  });
  const bool strings =
      std::all_of(values.begin(), values.end(), [](const Value& value) { return value.is(Kind::string); });
  const bool empty = !values.empty() && values[0].is_text("") &&
                     std::find(want_text.begin(), want_text.end(), name) != want_text.end();
  if (found == methods.end() || !strings || empty || !arguments.named.empty())
    throw NotPorted("the method {} of a str is not translated", name);
  const bool given = !values.empty();
  const bool plain_argument = given && values[0].literal && is_ascii(values[0].expr.text());
  const bool spaces = found->letters == Letters::spaces && (given ? plain_argument : !has_other_spaces());
  const bool parts_of_text = found->letters == Letters::whole || (given && name == "split");
  if (!spaces && !parts_of_text) refuse_letters_beyond_ascii();
  if (name == "split" && values.empty() && text.literal && is_plain_text(text.expr.text()))
    return words_of(text.expr.text());
  auto parts = expressions_of(values);
  const auto type = found->result == Kind::list ? list_of(Type(Kind::string)) : Type(found->result);
  if (found->code.starts_with('.')) {
    const auto method = std::string(found->code.substr(1));
    return value_of(type, cpp::method(as_string(text), method, std::move(parts)));
  }
  parts.insert(parts.begin(), text.expr);
  return value_of(type, cpp::call(found->code, std::move(parts)));
}

Value Translator::string_item(const Value& text, const Node& slice) {
  if (slice.is("Slice")) return slice_of(text, slice);
  return character_of(text,
                      is_written_number(slice) ? place_written(expression(slice).number) : place_of(slice));
}

Value Translator::string_rows(const Value& text) {
  refuse_letters_beyond_ascii();
  return value_of(list_of(Kind::string), cpp::call("python::characters", {text.expr}));
}

Value Translator::string_length(const Value& text) {
  refuse_letters_beyond_ascii();
  return value_of(Kind::integer, cpp::cast("int64_t", cpp::method(as_string(text), "size")));
}

}  // namespace torchbook::translate
