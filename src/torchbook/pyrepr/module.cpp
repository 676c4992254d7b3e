// Prints the tree of a module's children as Python's Module.__repr__ does.
#include <c10/util/Type.h>
#include <torchbook/pyrepr/module.h>
#include <torchbook/pyrepr/module_kinds.h>
#include <torchbook/pyrepr/release.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <typeindex>
#include <typeinfo>
#include <utility>
#include <vector>

namespace torchbook::pyrepr::inline v1 {

const std::vector<ModuleKind>& all_module_kinds() {
  static const auto kinds =
      join_kinds(activation_kinds(), container_kinds(), convolution_kinds(), layer_kinds(), loss_kinds(),
                 normalization_kinds(), pooling_kinds(), transformer_kinds());
  return kinds;
}

std::string module_class_name(std::string_view demangled) {
  // A `::` inside brackets belongs to an argument: Block<torch::nn::Linear>, f(ns::Type)::Local.
  std::size_t start = demangled.size();
  std::size_t end = demangled.size();
  int depth = 0;
  while (start > 0) {
    const char c = demangled[start - 1];
    if (c == '>' || c == ')' || c == ']') ++depth;
    if (depth == 0 && c == ':') break;
    if (c == '<' || c == '(' || c == '[') {
      if (--depth == 0) end = start - 1;
    }
    --start;
  }
  std::string_view name = demangled.substr(start, end - start);
  if (name.size() > 4 && name.ends_with("Impl")) name.remove_suffix(4);
  return std::string(name);
}

namespace {

using torch::nn::Module;

/// Returns how modules of this class print, or nullptr for a class that is neither LibTorch's nor derived
/// from one of them.
const ModuleKind* kind_of(const Module& module) {
  const auto& kinds = all_module_kinds();
  auto found = std::find_if(kinds.begin(), kinds.end(),
                            [&](const ModuleKind& kind) { return kind.type == typeid(module); });
  if (found == kinds.end()) {
    found = std::find_if(kinds.begin(), kinds.end(),
                         [&](const ModuleKind& kind) { return kind.includes(module); });
  }
  return found == kinds.end() ? nullptr : &*found;
}

std::string name_of(const Module& module) {
  if (const auto* named = dynamic_cast<const ClassName*>(&module)) return named->class_name();
  return module_class_name(c10::demangle(typeid(module).name()));
}

/// Returns whether a line is empty after Python's strip(). Considers only ASCII spaces.
bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\v\f\r\x1c\x1d\x1e\x1f") == line.npos;
}

/// Python raises RecursionError at about the same depth.
constexpr std::size_t deepest_indent = 2000;

class ModulePrinter {
 public:
  /// Appends a module's text, or `None`. Its lines after the first one are indented by `indent` columns.
  void print(const Module* module, std::size_t indent);
  std::string take() { return std::move(out_); }

 private:
  bool print_contents(const Module& module, std::size_t indent);
  bool print_lines(std::size_t extra, const ModuleChildren& children, std::size_t indent);
  bool print_folded(const ModuleChildren& children, std::size_t indent);
  void break_lines(std::size_t start, std::size_t indent);
  std::string text_of(const Module* module, std::size_t indent);
  void start_line(std::size_t indent) { (out_ += '\n').append(indent, ' '); }

  std::string out_;
  /// The indentation of blank lines, if this release empties them: that of the outermost enclosing
  /// module that is not a ModuleList. A ModuleList indents all lines.
  std::optional<std::size_t> blank_indent_;
};

void ModulePrinter::print(const Module* module, std::size_t indent) {
  if (module == nullptr) {
    out_ += "None";
    return;
  }
  if (indent > deepest_indent)
    throw std::invalid_argument("a module has children more than 1000 levels deep; does it contain itself?");
  out_ += name_of(*module) + '(';
  if (print_contents(*module, indent + 2)) start_line(indent);
  out_ += ')';
}

/// Appends the text between the parentheses. Returns whether it starts new lines.
bool ModulePrinter::print_contents(const Module& module, std::size_t indent) {
  const ModuleKind* kind = kind_of(module);
  if (kind != nullptr && kind->folds) return print_folded(kind->children(module), indent);
  const std::size_t start = out_.size();
  if (const auto* own = dynamic_cast<const ExtraRepr*>(&module)) {
    out_ += own->extra_repr();
  } else if (kind != nullptr) {
    ExtraText extra(out_);
    kind->write_extra(module, extra);
  }
  const bool own_children = kind != nullptr && kind->children != nullptr;
  return print_lines(start, own_children ? kind->children(module) : module.named_children(), indent);
}

/// Moves the extra_repr, which starts at `extra`, to lines of its own, and appends the children,
/// each on a new line. Without children, a single-line extra_repr stays as it is. Returns whether
/// there are new lines.
bool ModulePrinter::print_lines(std::size_t extra, const ModuleChildren& children, std::size_t indent) {
  if (children.is_empty() && out_.find('\n', extra) == out_.npos) return false;
  if (out_.size() > extra) break_lines(extra, indent);
  const bool empties = release::blank_lines_stay_empty && !blank_indent_;
  if (empties) blank_indent_ = indent - 2;
  for (const auto& child : children) {
    start_line(indent);
    ((out_ += '(') += child.key()) += "): ";
    print(child.value().get(), indent);
  }
  if (empties) blank_indent_.reset();
  return true;
}

/// Puts each line of the text from `start` on into an indented line.
void ModulePrinter::break_lines(std::size_t start, std::size_t indent) {
  const std::string text = out_.substr(start);
  out_.resize(start);
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string_view line = std::string_view(text).substr(from, end - from);
    if (blank_indent_ && is_blank(line)) {
      start_line(*blank_indent_);
    } else {
      start_line(indent);
      out_ += line;
    }
    from = end + 1;
  }
}

/// Appends the children of a ModuleList. Consecutive children with equal texts share one line, such
/// as `(0-2): 3 x Linear(…)`.
bool ModulePrinter::print_folded(const ModuleChildren& children, std::size_t indent) {
  std::string text = children.is_empty() ? "" : text_of(children[0].value().get(), indent);
  for (std::size_t first = 0, end = 0; first < children.size(); first = end) {
    std::string next;
    while (++end < children.size() && (next = text_of(children[end].value().get(), indent)) == text) {
    }
    start_line(indent);
    (out_ += '(') += std::to_string(first);
    if (end - first > 1) (out_ += '-') += std::to_string(end - 1);
    out_ += "): ";
    if (end - first > 1) (out_ += std::to_string(end - first)) += " x ";
    out_ += text;
    text = std::move(next);
  }
  return !children.is_empty();
}

std::string ModulePrinter::text_of(const Module* module, std::size_t indent) {
  std::string outer = std::exchange(out_, {});
  print(module, indent);
  return std::exchange(out_, std::move(outer));
}

}  // namespace

std::string detail::repr_module(const Module& module) {
  ModulePrinter printer;
  printer.print(&module, 0);
  return printer.take();
}

}  // namespace torchbook::pyrepr::inline v1
