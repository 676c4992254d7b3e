#include <torchbook/pyrepr/f_string.h>
#include <torchbook/pyrepr/python.h>

namespace torchbook::pyrepr::inline v1::detail {

std::string formatted(std::string_view format, std::span<const FormatArgument> arguments) {
  std::string out;
  FormatReader reader(format);
  while (!reader.done()) {
    const FormatPiece piece = reader.take();
    out += piece.text;
    if (!piece.has_field) continue;
    std::string spec;
    reader.within(piece.spec, [&](const FormatPiece& part) {
      spec += part.text;
      const auto& argument = arguments[part.index];
      if (part.has_field) spec += argument.formatted(argument.value, part.conversion, part.spec);
    });
    const auto& argument = arguments[piece.index];
    out += argument.formatted(argument.value, piece.conversion, spec);
  }
  return out;
}

}  // namespace torchbook::pyrepr::inline v1::detail
