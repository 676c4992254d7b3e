// Tests what each kind of object does, with a Builder of the test and no notebook.
#include <gtest/gtest.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/cpp/print.h>
#include <tools/import/translate/kinds/operations.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace torchbook::translate {
namespace {

class Kinds : public testing::Test {
 protected:
  Kinds() {
    b.facts = &facts;
    b.statements = &written;
    b.notebook.is_notebook = true;
    b.traits = {.knows_numbers = true, .wants_gradients = false};
  }

  /// Returns a variable of the notebook.
  Value variable(const std::string& name, Type type) {
    auto& declared = b.scope().declare(name, std::move(type));
    declared.definition = "1:1:0:" + name;
    auto value = value_of(declared.type, cpp::name(declared.code));
    value.temporary = false;
    return value;
  }

  std::string method(const Value& of, std::string_view name, std::vector<Value> given = {}) {
    return cpp::printed(call_method(b, of, name, {.positional = std::move(given)}).expr);
  }

  /// Returns the C++ of `of[at]`, where `at` is a constant.
  std::string item(const Value& of, const nlohmann::json& at) {
    return cpp::printed(element(b, of, Node(at)).expr);
  }

  /// Returns why it is refused.
  template <class Use>
  static std::string refusal(const Use& use) {
    try {
      use();
    } catch (const NotPorted& error) {
      return error.what();
    }
    return "it is translated";
  }

  const std::vector<PythonCell> cells{};
  Facts facts{};
  cpp::Stmts written{};
  Builder b{cells};
  const nlohmann::json second = {{"_", "Constant"}, {"type", "int"}, {"value", "1"}};
  const nlohmann::json letter = {{"_", "Constant"}, {"type", "str"}, {"value", "a"}};
};

Value whole(const std::string& number) {
  auto value = value_of(Kind::integer, cpp::number(number));
  value.literal = true;
  value.number = number;
  return value;
}

TEST_F(Kinds, List) {
  const auto list = variable("values", list_of(Kind::integer));
  EXPECT_EQ(method(list, "append", {whole("3")}), "values.push_back(3)");
  EXPECT_EQ(method(list, "pop"), "python::pop(values)");
  EXPECT_EQ(item(list, second), "values[1]");
  EXPECT_EQ(cpp::printed(truth(b, list)), "!values.empty()");
  const auto text = value_of(Kind::string, cpp::name("text"));
  EXPECT_EQ(refusal([&] { method(list, "append", {text}); }),
            "a list holds values of different types; a tuple may");
  EXPECT_EQ(refusal([&] { method(list, "swap"); }), "the method swap of a list is not translated");
}

TEST_F(Kinds, AnEmptyListLearnsWhatItHolds) {
  const auto list = variable("losses", Kind::list);
  EXPECT_NE(refusal([&] { method(list, "append", {whole("3")}); }), "it is translated");
  const auto* later = facts.later("1:1:0:losses");
  ASSERT_NE(later, nullptr);
  EXPECT_EQ(*later, list_of(Kind::integer));
}

TEST_F(Kinds, Dict) {
  const auto dict = variable("counts", dict_type(Kind::string, Kind::integer));
  EXPECT_EQ(item(dict, letter), "counts.at(\"a\")");
  EXPECT_EQ(method(dict, "keys"), "counts.keys()");
  EXPECT_EQ(cpp::printed(length_of(b, dict).expr), "static_cast<int64_t>(counts.size())");
  EXPECT_EQ(refusal([&] { item(dict, second); }), "the key of a dict is an int");
}

TEST_F(Kinds, String) {
  const auto text = variable("text", Kind::string);
  EXPECT_EQ(method(text, "upper"), "python::upper(text)");
  EXPECT_EQ(refusal([&] { method(text, "casefold"); }), "the method casefold of a str is not translated");
}

TEST_F(Kinds, Tensor) {
  const auto tensor = variable("x", Kind::tensor);
  EXPECT_EQ(method(tensor, "sum"), "x.sum()");
  EXPECT_EQ(method(tensor, "softmax", {whole("1")}), "x.softmax(1)");
  EXPECT_EQ(item(tensor, second), "x[1]");
  EXPECT_EQ(cpp::printed(attribute_of(b, tensor, "shape").expr), "torchbook::shape(x)");
}

TEST_F(Kinds, CounterAndPath) {
  const auto counter =
      variable("counter", named_type(Kind::counter, "torchbook::Counter<std::string>", {Type(Kind::string)}));
  EXPECT_EQ(item(counter, letter), "counter.get(\"a\", 0)");
  EXPECT_EQ(refusal([&] { item(counter, second); }), "the key of a Counter is an int");
  const auto path = variable("path", named_type(Kind::path, "torchbook::Path"));
  EXPECT_EQ(refusal([&] { length_of(b, path); }), "the length of a path is not translated");
  EXPECT_EQ(refusal([&] { method(path, "unlink"); }), "the method unlink of a path is not translated");
}

TEST_F(Kinds, Deque) {
  const auto deque =
      variable("last", named_type(Kind::deque, "torchbook::Deque<int64_t>", {Type(Kind::integer)}));
  EXPECT_EQ(method(deque, "append", {whole("3")}), "last.append(3)");
  EXPECT_EQ(method(deque, "popleft"), "last.popleft()");
  EXPECT_EQ(item(deque, second), "last[1]");
  EXPECT_EQ(cpp::printed(rows_of(b, deque).expr), "last.list()");
  EXPECT_EQ(cpp::printed(truth(b, deque)), "!last.empty()");
  const auto text = value_of(Kind::string, cpp::name("text"));
  EXPECT_EQ(refusal([&] { method(deque, "append", {text}); }),
            "a deque holds values of different types; a tuple may");
  EXPECT_EQ(refusal([&] { method(deque, "rotate"); }), "the method rotate of a deque is not translated");
}

TEST_F(Kinds, AnEmptyDequeLearnsWhatItHolds) {
  const auto deque = variable("losses", Kind::deque);
  EXPECT_NE(refusal([&] { method(deque, "pop"); }), "it is translated");
  EXPECT_NE(refusal([&] { method(deque, "append", {whole("3")}); }), "it is translated");
  const auto* later = facts.later("1:1:0:losses");
  ASSERT_NE(later, nullptr);
  EXPECT_EQ(later->name(), "torchbook::Deque<int64_t>");
}

TEST_F(Kinds, AnAttemptIsDropped) {
  const auto before = b.scope().names();
  const Snapshot snapshot(b);
  variable("x", Kind::tensor);
  b.need("#include <tuple>");
  b.state.held.insert("layer");
  b.here.in_try = true;
  b.scope().open();
  snapshot.restore();
  EXPECT_EQ(b.scope().names(), before);
  EXPECT_EQ(b.scope().depth(), 0);
  EXPECT_TRUE(b.state.needs.empty());
  EXPECT_TRUE(b.state.held.empty());
  EXPECT_FALSE(b.here.in_try);
  EXPECT_EQ(b.scope().fresh("x"), "x");  // the name is free again
}

TEST(Words, EveryKindHasThem) {
  for (int kind = 0; kind <= static_cast<int>(Kind::shown); ++kind)
    EXPECT_FALSE(in_words(Type(static_cast<Kind>(kind))).empty()) << kind;
}

}  // namespace
}  // namespace torchbook::translate
