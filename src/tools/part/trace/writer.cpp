// Writes a trace file record by record.
#include <fcntl.h>
#include <sys/stat.h>
#include <tools/part/trace/checksum.h>
#include <tools/part/trace/writer.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace torchbook::trace {
namespace {

constexpr std::size_t most_in_memory = 64 << 10;

std::string reason() { return std::generic_category().message(errno); }

/// Empties an open file if it is a trace. Returns why it may not be replaced, or an empty string if
/// it may.
std::string why_kept(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return reason();
  if (!S_ISREG(status.st_mode) || status.st_size == 0) return "";
  std::array<char, magic.size()> head{};
  const auto size = pread(descriptor, head.data(), head.size(), 0);
  if (size < 0) return reason();
  if (std::string_view(head.data(), static_cast<std::size_t>(size)) != magic) {
    return "it is no trace, so it is not replaced";
  }
  return ftruncate(descriptor, 0) == 0 ? "" : reason();
}

}  // namespace

Writer::Writer(std::string file, const Options& options)
    : file_(std::move(file)), options_(options), process_(getpid()) {
  descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  std::string why = descriptor_ < 0 ? reason() : why_kept(descriptor_);
  if (!why.empty()) {
    if (descriptor_ >= 0) close(descriptor_);
    throw std::runtime_error(file_ + ": " + why);
  }
  Payload head;
  head.add_bytes(magic);
  head.add(version);
  buffer_ = head.bytes();
}

Writer::~Writer() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::uint32_t Writer::string(std::string_view text) {
  if (text.empty()) return 0;
  const auto found = strings_.find(text);
  if (found != strings_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(strings_.size() + 1);
  strings_.emplace(text, number);
  record(RecordKind::string, text);
  return number;
}

void Writer::value(std::uint64_t hash, std::string_view bytes) {
  if (!hashes_.insert(hash).second) return;
  Payload payload;
  payload.add(hash);
  payload.add(static_cast<std::uint64_t>(bytes.size()));
  payload.add_bytes(bytes.substr(0, options_.largest));
  record(RecordKind::value, payload.bytes());
}

void Writer::record(RecordKind kind, std::string_view payload) {
  if (failed() || descriptor_ < 0) return;
  if (payload.size() > largest_record) return fail("a record would be larger than 1 GiB");
  size_ += head_size + payload.size() + 2 * checksum_size;
  if (size_ > options_.most) return fail("the trace would have more bytes than are allowed");
  Payload head;
  head.add(kind);
  head.add(static_cast<std::uint32_t>(payload.size()));
  head.add(checksum(head.bytes()));
  if (buffer_.size() + head.bytes().size() + payload.size() + checksum_size > most_in_memory) flush();
  buffer_ += head.bytes();
  buffer_ += payload;
  head.clear();
  head.add(checksum(payload));
  buffer_ += head.bytes();
}

void Writer::flush() {
  std::string_view rest = getpid() == process_ ? buffer_ : std::string_view();
  while (!rest.empty() && !failed()) {
    const auto written = write(descriptor_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      failure_ = reason();
    }
  }
  buffer_.clear();
}

void Writer::fail(const std::string& why) {
  flush();  // what was recorded before is kept
  if (!failed()) failure_ = why;
}

void Writer::finish() {
  if (descriptor_ >= 0) {
    flush();
    const int closed = close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail(reason());
  }
  if (failed()) throw std::runtime_error(file_ + ": " + failure_);
}

}  // namespace torchbook::trace
