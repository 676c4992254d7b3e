#include <fmt/format.h>
#include <tools/import/translate/cpp/print.h>
#include <tools/import/translate/cpp/walk.h>

#include <cctype>
#include <string_view>
#include <vector>

namespace torchbook::translate::cpp {
namespace {

/// A line above a port, and the names that need it. A name that ends with `::` covers all names that begin
/// with it and have no longer match, so that new names in such a namespace need no entry.
struct Header {
  std::string_view line;
  std::vector<std::string_view> names;
};

const std::vector<Header> headers = {
    {"#include <ATen/CPUGeneratorImpl.h>", {"at::CPUGeneratorImpl"}},
    {"#include <algorithm>", {"std::max", "std::min", "std::find", "std::count"}},
    {"#include <cmath>",
     {"std::acos",  "std::asin",  "std::atan", "std::atan2",     "std::ceil",  "std::cos",   "std::cosh",
      "std::exp",   "std::expm1", "std::fabs", "std::floor",     "std::isinf", "std::isnan", "std::log",
      "std::log10", "std::log1p", "std::log2", "std::nearbyint", "std::pow",   "std::sin",   "std::sinh",
      "std::sqrt",  "std::tan",   "std::tanh", "std::trunc"}},
    {"#include <cstdlib>", {"std::abs"}},
    {"#include <functional>", {"std::function"}},
    {"#include <limits>", {"std::numeric_limits"}},
    {"#include <memory>", {"std::shared_ptr", "std::make_shared", "std::dynamic_pointer_cast"}},
    {"#include <numbers>", {"std::numbers::"}},
    {"#include <set>", {"std::set"}},
    {"#include <stdexcept>", {"std::runtime_error"}},
    {"#include <string>", {"std::stod", "std::stol"}},
    {"#include <tuple>", {"std::tuple", "std::get", "std::make_tuple"}},
    {"#include <torchbook/training/attention.h>",
     {"torchbook::nn::MultiheadAttention", "torchbook::nn::MultiheadAttentionOptions"}},
    {"#include <torchbook/runtime/batches.h>", {"torchbook::data::Pass", "torchbook::data::list"}},
    {"#include <torchbook/training/normalization.h>",
     {"torchbook::nn::RMSNorm", "torchbook::nn::RMSNormOptions"}},
    {"#include <torchbook/training/transformer.h>",
     {"torchbook::nn::TransformerEncoderLayer", "torchbook::nn::TransformerEncoderLayerOptions"}},
    {"#include <torchbook/runtime/carried_state.h>", {"torchbook::CarriedState"}},
    {"#include <torchbook/runtime/class.h>", {"torchbook::Class", "torchbook::type_name"}},
    {"#include <torchbook/runtime/clock.h>", {"torchbook::seconds"}},
    {"#include <torchbook/training/data.h>", {"torchbook::data::"}},
    {"#include <torchbook/pyrepr/dict.h>", {"torchbook::Dict"}},
    {"#include <torchbook/runtime/errors.h>", {"torchbook::error_text"}},
    {"#include <torchbook/runtime/files.h>",
     {"torchbook::Checkpoint", "torchbook::keep", "torchbook::kept", "torchbook::pprinted"}},
    {"#include <torchbook/runtime/grad_fn.h>", {"torchbook::GradFn"}},
    {"#include <torchbook/training/nn.h>", {"torchbook::nn::", "torch::nn::Sequential"}},
    {"#include <torchbook/runtime/number.h>",
     {"torchbook::Number", "torchbook::abs", "torchbook::key", "torchbook::type_of"}},
    {"#include <torchbook/runtime/counter.h>", {"torchbook::Counter"}},
    {"#include <torchbook/runtime/deque.h>", {"torchbook::Deque"}},
    {"#include <torchbook/training/lazy.h>",
     {"torchbook::nn::LazyConv2d", "torchbook::nn::LazyConv2dImpl", "torchbook::nn::LazyConv2dOptions",
      "torchbook::nn::LazyLinear", "torchbook::nn::LazyLinearImpl", "torchbook::nn::LazyLinearOptions"}},
    {"#include <torchbook/runtime/modules.h>",
     {"torchbook::nn::as_made", "torchbook::nn::as_parameters", "torchbook::nn::called_as",
      "torchbook::nn::class_name", "torchbook::nn::inner", "torchbook::nn::replace_parameter"}},
    {"#include <torchbook/runtime/numpy.h>", {"torchbook::np::"}},
    {"#include <torchbook/training/numpy_random.h>", {"torchbook::np::random::"}},
    {"#include <torchbook/training/optim.h>", {"torchbook::optim::"}},
    {"#include <torchbook/runtime/path.h>", {"torchbook::Path", "torchbook::Path::working_folder"}},
    {"#include <torchbook/training/random.h>", {"torchbook::random::"}},
    {"#include <torchbook/training/schedulers.h>",
     {"torchbook::optim::CosineAnnealingLR", "torchbook::optim::CosineAnnealingWarmRestarts",
      "torchbook::optim::ExponentialLR", "torchbook::optim::LRScheduler", "torchbook::optim::LambdaLR",
      "torchbook::optim::LinearLR", "torchbook::optim::MultiStepLR", "torchbook::optim::OneCycleLR",
      "torchbook::optim::OneCycleLROptions", "torchbook::optim::ReduceLROnPlateau",
      "torchbook::optim::ReduceLROnPlateauOptions", "torchbook::optim::SequentialLR",
      "torchbook::optim::StepLR"}},
    {"#include <torchbook/runtime/sequences.h>", {"python::", "python::contains", "python::sum"}},
    {"#include <torchbook/training/state_dict.h>",
     {"torchbook::nn::state_dict", "torchbook::nn::load_state_dict", "torchbook::nn::copy",
      "torchbook::nn::IncompatibleKeys", "torchbook::nn::StateDict"}},
    {"#include <torchbook/runtime/strings.h>",
     {"python::capitalize", "python::contains",    "python::count",           "python::find",
      "python::is_alnum",   "python::is_alpha",    "python::is_digit",        "python::is_space",
      "python::join",       "python::left_strip",  "python::lines_with_ends", "python::lower",
      "python::replace",    "python::right_strip", "python::split",           "python::split_lines",
      "python::strip",      "python::title",       "python::to_int",          "python::upper"}},
    {"#include <torchbook/runtime/tensor_lists.h>",
     {"torchbook::NestedList", "torchbook::Tuple", "torchbook::list", "torchbook::rows", "python::sum",
      "torchbook::tensor", "torchbook::tuple", "torchbook::wrapped"}},
    {"#include <torchbook/runtime/text_file.h>", {"torchbook::read_text"}},
    {"#include <torchbook/runtime/arithmetic.h>",
     {"python::divisor", "python::factorial", "python::floor_divide", "python::power", "python::power_modulo",
      "python::remainder"}},
    {"#include <torchbook/pyrepr/ivalue.h>", {"torch::IValue"}},
    {"#include <torchbook/pyrepr/options.h>", {"torchbook::pyrepr::ScopedPrintOptions"}},
    {"using torch::indexing::Ellipsis;", {"Ellipsis"}},
    {"using torch::indexing::None;", {"None"}},
    {"using torch::indexing::Slice;", {"Slice"}},
    {"using torchbook::f;", {"f"}},
};

/// Adds the lines for the names in a piece of C++, such as `std::vector<torchbook::Dict<int64_t, Tensor>>`.
void add_lines(std::string_view text, std::set<std::string>& lines) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
  };
  for (std::size_t at = 0; at < text.size();) {
    auto end = at;
    while (end < text.size() && is_part(text[end])) ++end;
    const auto name = text.substr(at, end - at);
    at = end + 1;
    if (name.starts_with("python::")) lines.emplace("namespace python = torchbook::python;");
    std::size_t longest = 1;
    std::set<std::string> found;
    for (const auto& [line, entries] : headers) {
      for (const auto entry : entries) {
        const bool matches = entry == name || (entry.ends_with("::") && name.starts_with(entry));
        if (!matches || entry.size() < longest) continue;
        if (entry.size() > longest) found.clear();
        longest = entry.size();
        found.emplace(line);
      }
    }
    lines.merge(found);
  }
}

/// Adds the lines for the types that a statement names.
void add_types(const Stmt& statement, std::set<std::string>& lines) {
  std::visit(Overloaded{[&](const Declare& each) { add_lines(each.type, lines); },
                        [&](const Each& each) { add_lines(each.declared, lines); },
                        [&](const Method& each) {
                          add_lines(each.head, lines);
                          for (const auto& parameter : each.parameters) add_lines(parameter.type, lines);
                        },
                        [](const auto&) {}},
             statement.kind);
}

/// Adds the lines for the names of an expression itself.
void add_names(const Expr& expr, std::set<std::string>& lines) {
  if (expr.is(Kind::string) || expr.is(Kind::lambda) || expr.is(Kind::labelled)) {
    add_lines(expr.node().result, lines);
    for (const auto& parameter : expr.node().parameters) add_lines(parameter.type, lines);
    return;
  }
  add_lines(expr.text(), lines);
}

}  // namespace

std::set<std::string> headers_of(const Stmts& statements) {
  std::set<std::string> lines;
  for_each_statement(statements, [&](const Stmt& statement) {
    add_types(statement, lines);
    for_each_expression(statement, [&](const Expr& expr) {
      for_each_part(expr, [&](const Expr& part) { add_names(part, lines); });
    });
  });
  return lines;
}

}  // namespace torchbook::translate::cpp
