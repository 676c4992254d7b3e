// Refuses format specs with Python's messages.
#include <fmt/format.h>
#include <torchbook/pyrepr/format_spec.h>

#include <cstdint>
#include <string>

namespace torchbook::pyrepr::inline v1::detail {
namespace {

/// Returns a presentation type as Python's messages show it.
std::string shown(char32_t type) {
  if (type > 32 && type < 128) return {static_cast<char>(type)};
  return fmt::format("\\x{:x}", static_cast<std::uint32_t>(type));
}

}  // namespace

FormatSpec checked_format_spec(std::string_view text, const FormattedType& of) {
  const FormatSpec spec = parse_format_spec(text, of);
  if (!spec.fault) return spec;
  throw fmt::format_error(
      fmt::format(fmt::runtime(spec.fault.message), spec.grouping, shown(spec.type), text, of.name));
}

void refuse_spec(std::string_view python_type) {
  throw fmt::format_error(fmt::format(fmt::runtime(no_spec_taken.message), "", "", "", python_type));
}

}  // namespace torchbook::pyrepr::inline v1::detail
