#include <torchbook/pyrepr/print.h>

#include <cerrno>
#include <ostream>
#include <system_error>

namespace torchbook::pyrepr::inline v1::detail {

std::string PrintedText::text() const {
  std::string text;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (i != 0) text += separator_;
    text += values_[i];
  }
  return text += ending_;
}

void PrintedText::write() const {
  const std::string whole = text();
  if (auto* const* stream = std::get_if<std::ostream*>(&file_.to)) {
    **stream << whole << std::flush;
    if (!**stream) throw std::ios_base::failure("print cannot write to the stream");
    return;
  }
  std::FILE* const to = std::get<std::FILE*>(file_.to);
  errno = 0;
  if (std::fwrite(whole.data(), 1, whole.size(), to) != whole.size() || std::fflush(to) != 0) {
    throw std::system_error(errno, std::generic_category(), "print cannot write to the file");
  }
}

}  // namespace torchbook::pyrepr::inline v1::detail
