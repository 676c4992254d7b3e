#include <fmt/format.h>
#include <torchbook/translate/lower/translator.h>

namespace torchbook::translate {

/// `torch.Generator().manual_seed(42)` and `generator.manual_seed(42)`
Value Translator::generator_method(const Value& generator, std::string_view name,
                                   const Arguments& arguments) {
  const auto* seed = arguments.find("seed", 0);
  if (name != "manual_seed" || seed == nullptr || !seed->is(Kind::integer))
    throw NotPorted(fmt::format("the method {} of a generator is not translated", name));
  if (generator.temporary) {
    auto value = generator;
    value.expr = cpp::call(generator.expr.text(), {seed->expr});
    return value;
  }
  return value_of(Kind::generator, cpp::method(generator.expr, "set_current_seed", {seed->expr}));
}

}  // namespace torchbook::translate
