// Python's pathlib.Path, as far as a name of a file needs it.
#pragma once

#include <torchbook/pyrepr/printer.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace torchbook {

/// A path of a file, written as Python's pathlib.PosixPath writes it: without `.` and doubled slashes.
class Path {
 public:
  explicit Path(std::string_view text = "") { append(text); }

  /// Returns Python's `Path.cwd()`.
  static Path working_folder() { return Path(std::filesystem::current_path().string()); }

  /// Returns the path as Python's `str(path)`.
  std::string str() const { return text_.empty() ? "." : text_; }

  friend Path operator/(Path path, std::string_view part) {
    path.append(part);
    return path;
  }
  friend Path operator/(Path path, const Path& part) {
    path.append(part.text_);
    return path;
  }

 private:
  /// Adds the parts of a text. An absolute one replaces the path.
  void append(std::string_view text) {
    if (text.starts_with('/')) {
      // POSIX leaves the meaning of exactly two slashes to the system, so Python keeps them.
      text_ = text.starts_with("//") && !text.starts_with("///") ? "//" : "/";
    }
    while (!text.empty()) {
      const auto end = text.find('/');
      const auto part = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (part.empty() || part == ".") continue;
      if (!text_.empty() && !text_.ends_with('/')) text_ += '/';
      text_ += part;
    }
  }

  std::string text_{};
};

}  // namespace torchbook

template <>
struct torchbook::pyrepr::Printer<torchbook::Path> {
  static std::string repr(const torchbook::Path& path) {
    return "PosixPath(" + pyrepr::repr(path.str()) + ")";
  }
  static std::string str(const torchbook::Path& path) { return path.str(); }
};
