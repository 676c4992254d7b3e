// Translates try statements that catch errors of LibTorch, and raise.
#include <fmt/format.h>
#include <torchbook/translate/lower/translator.h>

#include <set>

namespace torchbook::translate {
namespace {

/// Refuses statements that may raise in Python but not in C++, or with another message.
void refuse_errors_of_python(const Node& statement) {
  static const std::set<std::string_view> kinds = {
      "Assign", "AugAssign",      "Attribute", "BinOp", "Call",    "Constant",
      "Expr",   "FormattedValue", "JoinedStr", "List",  "Name",    "Slice",
      "Store",  "Load",           "Subscript", "Tuple", "UnaryOp", "keyword"};
  static const std::set<std::string_view> operators = {"Add", "Sub", "Mult", "Div", "MatMult", "Pow", "USub"};
  static const std::set<std::string_view> of_python = {"item", "numpy", "tolist"};
  statement.walk([](const Node& node) {
    const bool known = kinds.contains(node.kind()) || operators.contains(node.kind());
    const bool raises = node.is("Attribute") && of_python.contains(node.text("attr"));
    const auto called = called_name(node);
    const bool builtin = !called.empty() && called != "print";
    if (!known || raises || builtin) throw NotPorted("a try statement has more than operations on tensors");
  });
}

}  // namespace

/// `except RuntimeError as error:` catches what LibTorch throws, which is not always a c10::Error.
void Translator::try_block(const Node& node) {
  const auto handlers = node.list("handlers");
  const bool plain = handlers.size() == 1 && node.list("orelse").empty() && node.list("finalbody").empty();
  if (!plain || !handlers[0].has("type") || !handlers[0].child("type").is_name("RuntimeError")) {
    throw NotPorted("a try statement catches something else than a RuntimeError");
  }
  for (const auto& statement : node.list("body")) refuse_errors_of_python(statement);
  cpp::Try written;
  const bool before = std::exchange(tries_, true);
  written.body = captured([&] { branch(node.list("body")); });
  tries_ = before;
  scope().open();
  if (handlers[0].has("name")) {
    const auto name = std::string(handlers[0].text("name"));
    written.name = scope().declare(name, Kind::error).code;
  }
  written.handler = captured([&] { branch(handlers[0].list("body")); });
  scope().close();
  emit(std::move(written));
}

void Translator::note_raise() {
  if (tries_) throw NotPorted("what raises stands in a try");
  frame_->raises = true;
}

/// `raise ValueError("it is empty")`. It ends the cell in both languages.
void Translator::raise(const Node& node) {
  static const std::set<std::string_view> known = {"ValueError",          "RuntimeError",   "TypeError",
                                                   "IndexError",          "AssertionError", "Exception",
                                                   "NotImplementedError", "AttributeError"};
  if (!node.has("exc") || node.has("cause")) throw NotPorted("it raises in a form that is not translated");
  note_raise();
  const auto raised = node.child("exc");
  const auto type = raised.is("Call") ? raised.child("func") : raised;
  const auto given = raised.is("Call") ? raised.list("args") : std::vector<Node>{};
  if (!type.is("Name") || !known.contains(type.text("id")) || scope().find(type.text("id")) != nullptr ||
      given.size() > 1)
    throw NotPorted("it raises something else than an exception of Python's own");
  auto text = value_of(Kind::string, string_literal(type.text("id")));
  if (!given.empty()) text = expression(given[0]);
  if (!text.is(Kind::string)) throw NotPorted("an exception says something else than a str");
  emit(cpp::Evaluate{
      cpp::call("throw std::runtime_error", {text.expr}).with(cpp::writes(cpp::Place::control))});
}

}  // namespace torchbook::translate
