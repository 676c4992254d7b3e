// Writes a trace file record by record.
#pragma once

#include <tools/part/trace/format.h>
#include <torchbook/trace/trace.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>

namespace torchbook::trace {

static_assert(std::endian::native == std::endian::little,
              "a trace file has the bytes of numbers as they are in memory");

/// Collects the bytes of a record.
class Payload {
 public:
  /// Appends the bytes of a number.
  template <class T>
  void add(T number) {
    const std::size_t size = bytes_.size();
    bytes_.resize(size + sizeof(T));
    std::memcpy(bytes_.data() + size, &number, sizeof(T));
  }

  void add_bytes(std::string_view bytes) { bytes_ += bytes; }
  void clear() { bytes_.clear(); }
  std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

inline constexpr std::size_t largest_record = std::size_t{1} << 30;

/// Writes a trace file. It keeps little in memory. The file always ends with a whole record, unless
/// the program is killed during a write. A forked child writes nothing.
///
/// After the first failure it writes nothing more. finish() reports that failure.
class Writer {
 public:
  /// Opens `file` and writes its header. Replaces an existing trace. Throws std::runtime_error if
  /// the file cannot be written or is not a trace.
  Writer(std::string file, const Options& options);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Returns the number of a text. Writes a new text first. The number of "" is 0.
  std::uint32_t string(std::string_view text);

  /// Writes the first Options::largest of the bytes with this hash, unless they were written
  /// before.
  void value(std::uint64_t hash, std::string_view bytes);

  /// Writes a record.
  void record(RecordKind kind, std::string_view payload);

  /// Stops writing because of `why`. Earlier records are kept. Later failures are not reported.
  void fail(const std::string& why);
  bool failed() const { return !failure_.empty(); }

  /// Writes the buffered records and closes the file. Throws std::runtime_error if anything failed.
  void finish();

 private:
  void flush();

  std::string file_;
  Options options_;
  std::size_t size_ = 0;  // of all records
  int descriptor_ = -1;
  int process_;  // a child that is forked writes nothing
  std::string buffer_;
  std::string failure_;
  std::map<std::string, std::uint32_t, std::less<>> strings_;
  std::unordered_set<std::uint64_t> hashes_;  // of the values that are written
};

}  // namespace torchbook::trace
