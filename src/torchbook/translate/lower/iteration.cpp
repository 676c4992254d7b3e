// Checks what loops and comprehensions iterate over.
#include <fmt/format.h>
#include <torchbook/translate/cpp/walk.h>
#include <torchbook/translate/lower/translator.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

bool has_items(const Type& type) {
  return type.is(Kind::list) || type.is(Kind::dict) || type.name() == "torch::nn::ModuleList" || is_row(type);
}

/// Whether a name in C++ is that of a container: a variable, or a member of the class.
bool names_container(const Frame& frame, const std::string& code) {
  for (const auto* each = &frame; each != nullptr; each = each->outer) {
    if (const auto* variable = each->scope.with_code(code)) return has_items(variable->type);
    if (each->of_class == nullptr) continue;
    for (const auto& [name, type] : each->of_class->members) {
      const auto found = each->of_class->codes.find(name);
      if (has_items(type) && found != each->of_class->codes.end() && found->second == code) return true;
    }
  }
  return false;
}

}  // namespace

/// Whether a loop unpacks the items of `enumerate(a)` or `zip(a, b)` directly. Then C++ needs no
/// list of tuples.
bool Translator::is_plain_loop(const Node& target, const Node& call, const LoopSite& site) const {
  if (!target.is("Tuple") || !call.list("keywords").empty()) return false;
  const auto given = call.list("args").size();
  if (call.child("func").text("id") == "zip") return given == target.list("elts").size();
  return (given == 1 || given == 2) && !site.continues;
}

/// Python re-reads a list at every step of a loop over it. C++ does not, and a reallocation
/// invalidates its iterators.
void Translator::refuse_changes_of(const cpp::Expr& over, const cpp::Effects& body) {
  if (over.is(cpp::Kind::call, "python::range")) return;  // its bounds are evaluated once
  cpp::Effects reads;
  const auto read_field = [&](const std::string& name) {
    reads.reads.insert({cpp::Place::field, name});
    reads.reads.insert({cpp::Place::contents, "." + name});
  };
  for (const auto& read : over.effects().reads) {
    if (read.place == cpp::Place::field) read_field(read.name);
  }
  cpp::for_each_node(over, [&](const cpp::Expr& each) {
    if (each.is(cpp::Kind::member)) read_field(each.text());
    const bool container = each.is(cpp::Kind::name) && names_container(*frame_, each.text());
    if (container) reads.reads.insert({cpp::Place::contents, each.text()});
  });
  if (conflict(body, reads)) throw NotPorted("a loop changes what it goes through");
}

}  // namespace torchbook::translate
