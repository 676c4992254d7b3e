#include <fmt/format.h>
#include <tools/import/translate/cpp/layout.h>
#include <tools/import/translate/cpp/print.h>
#include <tools/import/translate/cpp/walk.h>
#include <torchbook/notebook/cells/cpp_code.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace torchbook::translate::cpp {
namespace {

/// How strongly the outermost operator of an expression binds, from weak to strong.
enum class Binding {
  assignment,
  choice,
  either,
  both,
  bits,
  equality,
  relation,
  sum,
  product,
  unary,
  postfix
};

Binding binding_of(const Expr& expr) {
  static const std::map<std::string_view, Binding> operators = {
      {"=", Binding::assignment}, {"||", Binding::either},   {"&&", Binding::both},
      {"|", Binding::bits},       {"&", Binding::bits},      {"^", Binding::bits},
      {"<<", Binding::bits},      {">>", Binding::bits},     {"==", Binding::equality},
      {"!=", Binding::equality},  {"<", Binding::relation},  {"<=", Binding::relation},
      {">", Binding::relation},   {">=", Binding::relation}, {"+", Binding::sum},
      {"-", Binding::sum},        {"*", Binding::product},   {"/", Binding::product}};
  if (expr.is(Kind::binary)) return operators.at(expr.text());
  if (expr.is(Kind::choice)) return Binding::choice;
  if (expr.is(Kind::unary) || (expr.is(Kind::number) && expr.text().starts_with('-'))) return Binding::unary;
  if (expr.is(Kind::labelled)) return binding_of(expr.part(0));
  return Binding::postfix;
}

/// Whether an expression has braces. A macro would take the commas in them for separators of its
/// arguments.
bool has_braces(const Expr& expr) {
  bool found = false;
  for_each_part(expr,
                [&](const Expr& part) { found = found || part.is(Kind::braces) || part.is(Kind::lambda); });
  return found;
}

class Printer {
 public:
  explicit Printer(Text& out) : out_(out) {}

  void print(const Expr& expr, Binding least = Binding::assignment) {
    if (!expr) return;
    const bool weak = binding_of(expr) < least;
    if (weak) out_.open("(");
    bare(expr);
    if (weak) out_.close(")");
  }

  void parameters(const std::vector<Parameter>& all, const std::set<std::string>& mentioned) {
    out_.open("(");
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i > 0) out_ << ",", out_.blank();
      const bool used = mentioned.contains(all[i].name);
      out_ << all[i].type << " " << (used ? all[i].name : fmt::format("/*{}*/", all[i].name));
      if (!all[i].default_value) continue;
      out_ << " = ";
      print(all[i].default_value);
    }
    out_.close(")");
  }

  /// Writes a lambda up to its opening brace.
  void head(const Expr& lambda) {
    const auto& node = lambda.node();
    out_ << "[" << node.text << "]";
    const bool bare = node.parameters.empty() && node.result.empty() && node.text == "&" && !is_function_;
    if (!bare) parameters(node.parameters, mentioned_in(node.body));
    if (!node.result.empty()) out_ << " -> " << node.result;
    out_ << " {";
  }
  void as_function() { is_function_ = true; }

  void arguments(const Expr& expr, std::size_t from, std::string_view open, std::string_view close) {
    out_.open(open);
    for (auto i = from; i < expr.parts().size(); ++i) {
      if (i > from) out_ << ",", comment_after(expr, i - 1), out_.blank();
      if (i - from < expr.node().names.size()) {
        out_ << "." << expr.node().names[i - from] << " = ";
      }
      const bool guarded = i == from && expr.is(Kind::call, "TORCH_CHECK") && has_braces(expr.part(i));
      if (guarded) out_.open("(");
      print(expr.part(i));
      if (guarded) out_.close(")");
    }
    out_.close(close);
  }

 private:
  void comment_after(const Expr& expr, std::size_t part) {
    const auto& comments = expr.node().comments;
    if (part < comments.size() && !comments[part].empty()) out_.comment(comments[part]);
  }

  void bare(const Expr& expr) {
    const auto kind = expr.kind();
    const auto& text = expr.text();
    if (kind == Kind::binary) return binary(expr);
    if (kind == Kind::choice) return choice(expr);
    if (kind == Kind::construct) return construct(expr);
    if (kind == Kind::lambda || kind == Kind::let) return function(expr);
    if (kind == Kind::string) return void(out_ << notebook::string_literal(text));
    if (kind == Kind::labelled) out_ << "/*" << text << "=*/";
    if (kind == Kind::labelled) return print(expr.part(0));
    if (kind == Kind::unary) out_ << text;
    if (kind == Kind::unary) return print(expr.part(0), text == "!" ? Binding::unary : Binding::postfix);
    const bool follows =
        kind == Kind::invoke || kind == Kind::method || kind == Kind::member || kind == Kind::subscript;
    if (follows) print(expr.part(0), Binding::postfix);
    if (kind == Kind::method || kind == Kind::member) out_ << (expr.node().arrow ? "->" : ".");
    out_ << text;
    if (kind == Kind::call || kind == Kind::invoke || kind == Kind::method)
      arguments(expr, follows ? 1 : 0, "(", ")");
    if (kind == Kind::subscript) arguments(expr, 1, "[", "]");
    if (kind == Kind::braces) arguments(expr, 0, "{", "}");
  }

  /// Writes a lambda, or for a let that was not put in order, the call of one.
  void function(const Expr& expr) {
    if (expr.is(Kind::lambda)) {
      head(expr);
      return body(expr.node().body);
    }
    out_ << "[&] {";
    auto statements = expr.node().body;
    statements.push_back({.kind = Return{expr.part(0)}});
    body(statements);
    out_ << "()";
  }

  void choice(const Expr& expr) {
    out_.begin();
    print(expr.part(0), Binding::either);
    out_.blank();
    out_ << "? ";
    print(expr.part(1), Binding::either);
    out_.blank();
    out_ << ": ";
    print(expr.part(2), Binding::choice);
    out_.end();
  }

  void binary(const Expr& expr) {
    const auto own = binding_of(expr);
    const auto tighter = static_cast<Binding>(static_cast<int>(own) + 1);
    auto left = own, right = tighter;
    if (own == Binding::equality || own == Binding::relation) left = right = Binding::sum;
    if (own == Binding::both || own == Binding::either) left = right = Binding::equality;
    if (own == Binding::bits) left = right = Binding::postfix;
    if (own == Binding::assignment) right = Binding::assignment;
    const bool chain =
        (own == Binding::both || own == Binding::either) && expr.part(0).is(Kind::binary, expr.text());
    if (own != Binding::assignment) out_.begin();
    print(expr.part(0), chain ? own : left);
    out_ << " " << expr.text();
    out_.blank();
    print(expr.part(1), right);
    if (own != Binding::assignment) out_.end();
  }

  void construct(const Expr& expr) {
    const bool braced = expr.node().braced;
    out_ << (braced && expr.text() == "std::make_tuple" ? std::string("std::tuple") : expr.text());
    arguments(expr, 0, braced ? "{" : "(", braced ? "}" : ")");
  }

  /// Writes the statements of a lambda that is in an expression, and the closing brace.
  void body(const Stmts& statements);

  Text& out_;
  bool is_function_ = false;
};

/// Writes statements.
class Lines {
 public:
  explicit Lines(int indent, bool proves = false) : indent_(indent), proves_(proves) {}

  void print(const Stmts& statements) {
    for (const auto& statement : statements) print(statement);
  }
  std::vector<std::string> take() {
    drop_blanks();
    align_comments();
    return std::move(lines_);
  }

 private:
  void print(const Stmt& statement) {
    const auto first = lines_.size();
    std::visit([this](const auto& each) { write(each); }, statement.kind);
    if (statement.comment.empty()) return;
    comments_[lines_.size() - 1] = {statement.comment, first};
  }

  void write(const Evaluate& each) {
    Text text;
    Printer(text).print(each.value);
    add(text << ";");
  }
  void write(const Declare& each) {
    Text text;
    text << each.type << " " << each.name;
    if (each.value.is(Kind::lambda)) {
      text << " = ";
      Printer printer(text);
      printer.as_function();
      printer.head(each.value);
      return add_body(text, each.value.node().body, "};");
    }
    if (each.constructs) {
      const bool braces = each.value.is(Kind::braces) || each.value.node().braced;
      if (braces || !each.value.parts().empty())
        Printer(text).arguments(each.value, 0, braces ? "{" : "(", braces ? "}" : ")");
    } else if (each.value) {
      text << " =", text.blank();
      const bool repeats =
          each.value.is(Kind::braces) && !each.value.text().empty() && each.type.ends_with(each.value.text());
      if (repeats) {
        Printer(text).arguments(each.value, 0, "{", "}");
      } else {
        Printer(text).print(each.value);
      }
    }
    add(text << ";");
  }
  void write(const Assign& each) {
    Text text;
    Printer(text).print(each.to, Binding::unary);
    text << " " << each.sign, text.blank();
    Printer(text).print(each.value);
    add(text << ";");
  }
  void write(const Return& each) {
    Text text;
    text << "return" << (each.value ? " " : "");
    Printer(text).print(each.value);
    add(text << ";");
  }
  void write(const Plain& each) {
    if (!each.text.empty()) return add(each.text);
    if (!lines_.empty() && !lines_.back().empty() && !lines_.back().ends_with('{')) lines_.emplace_back();
  }
  void write(const If& each) {
    write(each, "if (");
    if (!each.is_short) add("}");
  }
  void write(const If& each, std::string_view opening) {
    Text text;
    text.open(opening);
    if (!each.declared.empty()) {
      text << each.declared << " = ";
      Printer(text).print(each.initial);
      if (each.test) text << "; ";
    }
    Printer(text).print(each.test);
    text.close(")");
    if (each.is_short) return in_line(text, each.body);
    add(text << " {");
    inner(each.body);
    if (each.else_body.empty()) return;
    const auto* more = each.else_body.size() == 1 ? std::get_if<If>(&each.else_body[0].kind) : nullptr;
    if (more != nullptr) return write(*more, "} else if (");
    add("} else {");
    inner(each.else_body);
  }
  void write(const While& each) {
    Text text;
    text.open("while (");
    Printer(text).print(each.test);
    text.close(")");
    block(text, each.body);
  }
  void write(const Count& each);
  void write(const Each& each);
  void write(const Block& each) {
    add("{");
    inner(each.body);
    add("}");
  }
  void write(const Try& each) {
    add("try {");
    inner(each.body);
    add(fmt::format("}} catch (const std::exception&{}{}) {{", each.name.empty() ? "" : " ", each.name));
    inner(each.handler);
    add("}");
  }
  void write(const Method& each) {
    Text text;
    text << each.head;
    auto used = mentioned_in(each.body);
    if (each.base) used.merge(mentioned_in(each.base));
    Printer(text).parameters(each.parameters, used);
    text << each.tail;
    if (each.base) Printer(text << " : ").print(each.base);
    add_body(text << " {", each.body, "}");
  }
  void write(const Struct& each) {
    add(each.head + " {");
    inner(each.body);
    if (proves_ && !each.proved.empty()) add("  " + each.proved);
    add("};");
  }

  /// Adds the body of a function. `head` ends with its opening brace. A body of one short statement
  /// stays in the same line.
  void add_body(Text& head, const Stmts& body, std::string_view closing) {
    if (body.empty()) return add(head << closing);
    const bool one =
        body.size() == 1 && body[0].comment.empty() &&
        (std::holds_alternative<Return>(body[0].kind) || std::holds_alternative<Evaluate>(body[0].kind) ||
         std::holds_alternative<Assign>(body[0].kind));
    Lines inside(0);
    if (one) inside.print(body);
    const auto lines = inside.take();
    const auto size = static_cast<std::size_t>(indent_) + head.flat().size() + closing.size() + 2;
    if (lines.size() == 1 && size + lines[0].size() <= longest)
      return add(head.flat() + " " + lines[0] + " " + std::string(closing));
    add(head);
    inner(body);
    add(std::string(closing));
  }

  void drop_blanks() {
    while (!lines_.empty() && lines_.back().empty()) lines_.pop_back();
  }

  void inner(const Stmts& statements) {
    indent_ += 2;
    print(statements);
    indent_ -= 2;
    drop_blanks();
  }

  /// Adds a head with statements in braces, or with a short one in the same line.
  void block(Text& head, const Stmts& body) {
    add(head << " {");
    inner(body);
    add("}");
  }
  void in_line(Text& head, const Stmts& body) {
    Lines line(0);
    line.print(body);
    add(head << " " << line.take().at(0));
  }

  void add(const std::string& text) {
    lines_.push_back(std::string(static_cast<std::size_t>(indent_), ' ') + text);
  }
  void add(const Text& text) {
    auto laid_out = text.lines(static_cast<std::size_t>(indent_));
    for (auto& [line, comment] : laid_out.comments)
      comments_[lines_.size() + line] = {comment, lines_.size()};
    for (auto& line : laid_out.lines) lines_.push_back(std::move(line));
  }
  void align_comments();

  int indent_;
  bool proves_;
  std::vector<std::string> lines_{};
  struct Comment {
    std::string text;
    std::size_t statement;  // its first line
  };
  std::map<std::size_t, Comment> comments_{};  // by the line that they follow
};

void Lines::write(const Count& each) {
  Text text;
  text.open("for (");
  text << each.type << " " << each.name << " = ";
  Printer(text).print(each.start);
  if (!each.held.empty()) {
    text << ",", text.blank();
    text << each.held << " = ";
    Printer(text).print(each.end);
  }
  text << "; " << each.name << " " << each.compare << " ";
  if (each.held.empty()) {
    Printer(text).print(each.end, Binding::sum);
  } else {
    text << each.held;
  }
  if (each.step) {
    text << "; " << each.name << " += ";
    Printer(text).print(each.step);
  } else {
    text << "; " << (each.compare == ">" ? "--" : "++") << each.name;
  }
  text.close(")");
  block(text, each.body);
}

void Lines::write(const Each& each) {
  Text text;
  text.open("for (");
  if (!each.counter.empty()) {
    text << "int64_t " << each.counter << " = ";
    Printer(text).print(each.start);
    text << "; ";
  }
  text << each.declared << " : ";
  Printer(text).print(each.over);
  text.close(")");
  each.body.size() == 1 && each.is_short ? in_line(text, each.body) : block(text, each.body);
}

/// Aligns the comments of consecutive lines, as clang-format does. A comment without room goes above its
/// statement.
void Lines::align_comments() {
  constexpr std::string_view mark = "  // ";
  std::multimap<std::size_t, std::string> above;  // by the line that they precede
  std::erase_if(comments_, [&](const auto& each) {
    const auto& [text, statement] = each.second;
    const bool fits = lines_[each.first].size() + mark.size() + text.size() <= longest;
    if (!fits) above.emplace(statement, text);
    return !fits;
  });
  for (auto first = comments_.begin(); first != comments_.end();) {
    auto end = first;
    std::size_t code = 0, comment = 0;
    for (auto line = first->first; end != comments_.end() && end->first == line; ++line, ++end) {
      code = std::max(code, lines_[line].size());
      comment = std::max(comment, end->second.text.size());
    }
    const bool aligned = code + mark.size() + comment <= longest;
    for (; first != end; ++first) {
      auto& line = lines_[first->first];
      if (aligned) line.resize(code, ' ');
      line.append(mark).append(first->second.text);
    }
  }
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const auto indent = std::min(lines_[i].find_first_not_of(' '), lines_[i].size());
    for (auto [each, end] = above.equal_range(i); each != end; ++each)
      lines.push_back(std::string(indent, ' ') + "// " + each->second);
    lines.push_back(std::move(lines_[i]));
  }
  lines_ = std::move(lines);
}

void Printer::body(const Stmts& statements) {
  Lines lines(0);
  lines.print(statements);
  for (const auto& line : lines.take())
    out_ << " " << line.substr(std::min(line.find_first_not_of(' '), line.size()));
  out_ << " }";
}

}  // namespace

std::vector<std::string> printed(const Stmts& statements, int indent, bool proves) {
  Lines lines(indent, proves);
  lines.print(statements);
  return lines.take();
}

std::string printed(const Expr& expr) {
  Text text;
  Printer(text).print(expr);
  return text.flat();
}

}  // namespace torchbook::translate::cpp
