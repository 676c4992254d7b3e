// Tests the text of TorchScript's values.
#include <ATen/ATen.h>
#include <ATen/core/enum_type.h>
#include <ATen/core/jit_type.h>
#include <gtest/gtest.h>
#include <torchbook/pyrepr/ivalue.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <stdexcept>
#include <string>

#include "judged.h"

namespace torchbook::pyrepr {
namespace {

using c10::IValue;

TEST(IValue, IsWhatItHolds) {
  EXPECT_REPR("None", IValue(), "None");
  EXPECT_REPR("torch.ones(1)", IValue(at::ones({1})), "tensor([1.])");
  EXPECT_REPR("2", IValue(2), "2");
  EXPECT_REPR("2.0", IValue(2.0), "2.0");
  EXPECT_REPR("True", IValue(true), "True");
  EXPECT_REPR("1j", IValue(c10::complex<double>(0, 1)), "1j");
  EXPECT_REPR("\"it's\"", IValue("it's"), "\"it's\"");
  EXPECT_PYTHON("str(\"it's\")", str(IValue("it's")), "it's");
  EXPECT_PYTHON("f'{2.5:.2f}'", format(IValue(2.5), ".2f"), "2.50");
  EXPECT_REPR("torch.device('cpu')", IValue(at::Device(at::kCPU)), "device(type='cpu')");
}

TEST(IValue, HoldsContainers) {
  EXPECT_REPR("[1, 2]", IValue(std::vector<std::int64_t>{1, 2}), "[1, 2]");
  EXPECT_REPR("[torch.ones(1)]", IValue(std::vector{at::ones({1})}), "[tensor([1.])]");
  EXPECT_REPR("(1, 'a')", IValue(std::make_tuple(std::int64_t{1}, "a")), "(1, 'a')");
  EXPECT_REPR("(1.5,)", IValue(std::make_tuple(1.5)), "(1.5,)");
  c10::Dict<std::string, std::int64_t> ages;
  ages.insert("z", 1);
  ages.insert("a", 2);
  EXPECT_REPR("{'z': 1, 'a': 2}", IValue(ages), "{'z': 1, 'a': 2}");
  EXPECT_PYTHON_RAISES("format((1, 2), 'd')", "TypeError", format(IValue(std::make_tuple(1.0, 2.0)), "d"),
                       fmt::format_error);
}

TEST(IValue, HoldsANamedTuple) {
  const auto type =
      c10::TupleType::createNamed(c10::QualifiedName("__torch__.Point"), std::vector<std::string>{"x", "y"},
                                  std::vector<c10::TypePtr>{c10::TensorType::get(), c10::IntType::get()});
  const IValue point(c10::ivalue::Tuple::createNamed({at::ones({1}), 2}, type));
  EXPECT_REPR("collections.namedtuple('Point', 'x y')(torch.ones(1), 2)", point,
              "Point(x=tensor([1.]), y=2)");
}

TEST(IValue, HoldsAnEnumerator) {
  const auto type = c10::EnumType::create(c10::QualifiedName("__torch__.Color"), c10::IntType::get(),
                                          {{"RED", IValue(1)}}, {});
  const IValue red(c10::make_intrusive<c10::ivalue::EnumHolder>(type, "RED", 1));
  EXPECT_REPR("enum.Enum('Color', {'RED': 1}).RED", red, "<Color.RED: 1>");
}

TEST(IValue, RefusesWhatPythonShowsNoValueOf) {
  const IValue future(c10::make_intrusive<c10::ivalue::Future>(c10::IntType::get()));
  EXPECT_THROW(repr(future), std::invalid_argument);
}

TEST(IValue, TakesAThousandLevelsAndNoMore) {
  // Each level is a list in a list. The innermost one is empty.
  const auto nested = [](int levels) {
    IValue value(c10::List<IValue>(c10::AnyType::get()));
    for (int level = 1; level < levels; ++level) {
      c10::List<IValue> outer(c10::AnyType::get());
      outer.push_back(value);
      value = outer;
    }
    return value;
  };
  EXPECT_EQ(repr(nested(1000)), std::string(1000, '[') + std::string(1000, ']'));
  EXPECT_THROW(repr(nested(1001)), std::invalid_argument);
  c10::List<IValue> itself(c10::AnyType::get());
  itself.push_back(itself);
  EXPECT_THROW(repr(itself), std::invalid_argument);
  itself.clear();  // it would never be freed otherwise
  EXPECT_EQ(repr(nested(1000)).size(), 2000U);
}

}  // namespace
}  // namespace torchbook::pyrepr
