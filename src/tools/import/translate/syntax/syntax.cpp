#include <absl/strings/ascii.h>
#include <fmt/format.h>
#include <tools/import/translate/syntax/syntax.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>

namespace torchbook::translate {
namespace {

using Json = nlohmann::json;

bool is_node(const Json& json) { return json.is_object() && json.contains("_"); }

int number_or(const Json& json, const char* name, int fallback) {
  const auto found = json.find(name);
  return found != json.end() && found->is_number_integer() ? found->get<int>() : fallback;
}

bool is_dotted_name(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return absl::ascii_isalnum(c) || c == '_' || c == '.' || c >= 0x80;
  });
}

/// Whether a text can be a number as Python writes it, such as 1e-05.
bool is_number(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return absl::ascii_isalnum(c) || c == '.' || c == '+' || c == '-' || c == '(' || c == ')';
  });
}

std::size_t size_of(const Json& node, const char* list) {
  const auto found = node.find(list);
  return found != node.end() ? found->size() : 0;
}

/// Whether a list of a node may have this many elements. The translation relies on the sizes that
/// Python's trees always have.
bool may_have(const Json& node, std::string_view list, std::size_t size) {
  static const std::set<std::string_view> never_empty = {"generators", "items", "ops", "targets"};
  static const std::map<std::string_view, const char*> partners = {
      {"comparators", "ops"}, {"keys", "values"}, {"kw_defaults", "kwonlyargs"}, {"ops", "comparators"}};
  const auto& kind = node.at("_");
  if (never_empty.contains(list) || (list == "values" && kind == "BoolOp") ||
      (list == "body" && kind != "Module")) {
    if (size == 0) return false;
  }
  if (list == "defaults") return size <= size_of(node, "posonlyargs") + size_of(node, "args");
  const auto partner = partners.find(list);
  return partner == partners.end() || size == size_of(node, partner->second);
}

/// The classes of nodes by their names.
constexpr std::pair<std::string_view, Ast> classes[] = {{"Add", Ast::Add},
                                                        {"alias", Ast::alias},
                                                        {"And", Ast::And},
                                                        {"AnnAssign", Ast::AnnAssign},
                                                        {"arg", Ast::arg},
                                                        {"arguments", Ast::arguments},
                                                        {"Assert", Ast::Assert},
                                                        {"Assign", Ast::Assign},
                                                        {"AsyncFor", Ast::AsyncFor},
                                                        {"AsyncFunctionDef", Ast::AsyncFunctionDef},
                                                        {"AsyncWith", Ast::AsyncWith},
                                                        {"Attribute", Ast::Attribute},
                                                        {"AugAssign", Ast::AugAssign},
                                                        {"Await", Ast::Await},
                                                        {"BinOp", Ast::BinOp},
                                                        {"BitAnd", Ast::BitAnd},
                                                        {"BitOr", Ast::BitOr},
                                                        {"BitXor", Ast::BitXor},
                                                        {"BoolOp", Ast::BoolOp},
                                                        {"Break", Ast::Break},
                                                        {"Call", Ast::Call},
                                                        {"ClassDef", Ast::ClassDef},
                                                        {"Compare", Ast::Compare},
                                                        {"comprehension", Ast::comprehension},
                                                        {"Constant", Ast::Constant},
                                                        {"Continue", Ast::Continue},
                                                        {"Del", Ast::Del},
                                                        {"Delete", Ast::Delete},
                                                        {"Dict", Ast::Dict},
                                                        {"DictComp", Ast::DictComp},
                                                        {"Div", Ast::Div},
                                                        {"Eq", Ast::Eq},
                                                        {"ExceptHandler", Ast::ExceptHandler},
                                                        {"Expr", Ast::Expr},
                                                        {"FloorDiv", Ast::FloorDiv},
                                                        {"For", Ast::For},
                                                        {"FormattedValue", Ast::FormattedValue},
                                                        {"FunctionDef", Ast::FunctionDef},
                                                        {"GeneratorExp", Ast::GeneratorExp},
                                                        {"Global", Ast::Global},
                                                        {"Gt", Ast::Gt},
                                                        {"GtE", Ast::GtE},
                                                        {"If", Ast::If},
                                                        {"IfExp", Ast::IfExp},
                                                        {"Import", Ast::Import},
                                                        {"ImportFrom", Ast::ImportFrom},
                                                        {"In", Ast::In},
                                                        {"Invert", Ast::Invert},
                                                        {"Is", Ast::Is},
                                                        {"IsNot", Ast::IsNot},
                                                        {"JoinedStr", Ast::JoinedStr},
                                                        {"keyword", Ast::keyword},
                                                        {"Lambda", Ast::Lambda},
                                                        {"List", Ast::List},
                                                        {"ListComp", Ast::ListComp},
                                                        {"Load", Ast::Load},
                                                        {"LShift", Ast::LShift},
                                                        {"Lt", Ast::Lt},
                                                        {"LtE", Ast::LtE},
                                                        {"Match", Ast::Match},
                                                        {"MatchAs", Ast::MatchAs},
                                                        {"MatchStar", Ast::MatchStar},
                                                        {"MatMult", Ast::MatMult},
                                                        {"Mod", Ast::Mod},
                                                        {"Module", Ast::Module},
                                                        {"Mult", Ast::Mult},
                                                        {"Name", Ast::Name},
                                                        {"NamedExpr", Ast::NamedExpr},
                                                        {"Nonlocal", Ast::Nonlocal},
                                                        {"Not", Ast::Not},
                                                        {"NotEq", Ast::NotEq},
                                                        {"NotIn", Ast::NotIn},
                                                        {"Or", Ast::Or},
                                                        {"Pass", Ast::Pass},
                                                        {"Pow", Ast::Pow},
                                                        {"Raise", Ast::Raise},
                                                        {"Return", Ast::Return},
                                                        {"RShift", Ast::RShift},
                                                        {"Set", Ast::Set},
                                                        {"SetComp", Ast::SetComp},
                                                        {"Slice", Ast::Slice},
                                                        {"Starred", Ast::Starred},
                                                        {"Store", Ast::Store},
                                                        {"Sub", Ast::Sub},
                                                        {"Subscript", Ast::Subscript},
                                                        {"Try", Ast::Try},
                                                        {"TryStar", Ast::TryStar},
                                                        {"Tuple", Ast::Tuple},
                                                        {"UAdd", Ast::UAdd},
                                                        {"UnaryOp", Ast::UnaryOp},
                                                        {"USub", Ast::USub},
                                                        {"While", Ast::While},
                                                        {"With", Ast::With},
                                                        {"withitem", Ast::withitem},
                                                        {"Yield", Ast::Yield},
                                                        {"YieldFrom", Ast::YieldFrom}};

}  // namespace

std::string_view name_of(Ast kind) {
  const auto* found = std::find_if(std::begin(classes), std::end(classes),
                                   [&](const auto& each) { return each.second == kind; });
  return found == std::end(classes) ? "other" : found->first;
}

Node::Node(const Json& json) : json_(&json), kind_(Ast::other) {
  static const std::unordered_map<std::string_view, Ast> known(std::begin(classes), std::end(classes));
  const auto found = known.find(text("_"));
  if (found != known.end()) kind_ = found->second;
}

const Json& Node::field(const char* name) const {
  const auto found = json_->find(name);
  if (found == json_->end()) refuse("Python's tree lacks the field {}", name);
  return *found;
}

int Node::line() const { return number_or(*json_, "lineno", 0); }
int Node::last_line() const { return number_or(*json_, "end_lineno", line()); }
int Node::column() const { return number_or(*json_, "col_offset", 0); }
int Node::end_column() const { return number_or(*json_, "end_col_offset", 0); }

std::string_view called_name(const Node& node) {
  return node.is(Ast::Call) && node.func().is(Ast::Name) ? node.func().id() : "";
}

std::string_view called_method(const Node& node) {
  return node.is(Ast::Call) && node.func().is(Ast::Attribute) ? node.func().attr() : "";
}

bool is_written_number(const Node& node) {
  if (node.is(Ast::UnaryOp)) {
    return node.op().is(Ast::USub) && node.operand().is(Ast::Constant) && is_written_number(node.operand());
  }
  return node.is(Ast::Constant) && node.type() == "int";
}

std::string in_words(const Node& node) {
  static const std::map<std::string_view, std::string_view> words = {
      {"Set", "a set in braces"},
      {"SetComp", "a set comprehension"},
      {"Starred", "an argument or element with *"},
      {"NamedExpr", "an assignment inside of an expression, :=,"},
      {"Yield", "yield"},
      {"YieldFrom", "yield from"},
      {"Await", "await"},
      {"Slice", "a slice outside of an index"},
      {"Nonlocal", "the statement nonlocal"},
      {"Match", "the statement match"},
      {"AsyncFunctionDef", "async def"},
      {"AsyncFor", "async for"},
      {"AsyncWith", "async with"}};
  const auto found = words.find(node.text("_"));
  return std::string(found == words.end() ? node.text("_") : found->second);
}

Node Node::child(const char* name) const {
  const auto& json = field(name);
  if (!is_node(json)) refuse("Python's tree has another field {}", name);
  return Node(json);
}

std::vector<Node> Node::list(const char* name) const {
  std::vector<Node> nodes;
  for (const auto& json : field(name)) {
    if (!is_node(json)) refuse("Python's tree has another field {}", name);
    nodes.emplace_back(json);
  }
  if (!may_have(*json_, name, nodes.size())) {
    refuse("Python's tree has {} {}", nodes.size(), name);
  }
  return nodes;
}

std::vector<std::string> Node::texts(const char* name) const {
  std::vector<std::string> texts;
  for (const auto& json : field(name)) {
    const auto* text = json.get_ptr<const std::string*>();
    if (text == nullptr || !is_dotted_name(*text)) {
      refuse("Python's tree has another field {}", name);
    }
    texts.push_back(*text);
  }
  return texts;
}

std::string_view Node::text(const char* name) const {
  const auto* text = field(name).get_ptr<const std::string*>();
  const bool is_value = std::string_view(name) == "value";
  const auto type = is_value ? json_->find("type") : json_->end();
  const bool is_free = type != json_->end() && (*type == "str" || *type == "bytes");
  const bool is_all =
      std::string_view(name) == "name" && json_->at("_") == "alias" && text != nullptr && *text == "*";
  const bool may_be_number = is_value || std::string_view(name) == "spelled";
  if (text == nullptr ||
      (!is_free && !is_all && !is_dotted_name(*text) && !(may_be_number && is_number(*text)))) {
    refuse("Python's tree has another field {}", name);
  }
  return *text;
}

std::int64_t Node::number(const char* name) const {
  const auto& json = field(name);
  if (!json.is_number_integer()) refuse("Python's tree has another field {}", name);
  return json.get<std::int64_t>();
}

bool Node::has(const char* name) const {
  const auto found = json_->find(name);
  return found != json_->end() && !found->is_null();
}

std::vector<Node> Node::children() const {
  std::vector<Node> nodes;
  for (const auto& json : *json_) {
    if (is_node(json)) nodes.emplace_back(json);
    if (!json.is_array()) continue;
    for (const auto& item : json) {
      if (is_node(item)) nodes.emplace_back(item);
    }
  }
  return nodes;
}

}  // namespace torchbook::translate
