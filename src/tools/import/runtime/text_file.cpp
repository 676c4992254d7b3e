#include <fmt/format.h>
#include <torchbook/runtime/text_file.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace torchbook {
namespace {

constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 30U;

[[noreturn]] void refuse(const std::string& path, std::string_view why) {
  throw std::runtime_error(fmt::format("{} {}", path, why));
}

/// Replaces "\r\n" and "\r" by "\n", as Python does.
std::string with_plain_ends(const std::string& text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool carriage = text[at] == '\r';
    if (carriage && at + 1 < text.size() && text[at + 1] == '\n') continue;
    result += carriage ? '\n' : text[at];
  }
  return result;
}

}  // namespace

std::string read_text(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    refuse(path, fmt::format("does not exist in {}; import and run the port where the file is",
                             std::filesystem::current_path(error).string()));
  if (!std::filesystem::is_regular_file(path, error))
    refuse(path, fmt::format("is not a text file in {}", std::filesystem::current_path(error).string()));
  const auto size = std::filesystem::file_size(path, error);
  if (error || size > most_bytes) refuse(path, "is larger than 1 GiB");
  std::string text(static_cast<std::size_t>(size), '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file.read(text.data(), static_cast<std::streamsize>(size))) refuse(path, "cannot be read");
  return with_plain_ends(text);
}

}  // namespace torchbook
