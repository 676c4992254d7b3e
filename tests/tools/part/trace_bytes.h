// Writes traces for tests, byte by byte according to the format's documentation, independently of
// the recorder.
#pragma once

#include <tools/part/trace/checksum.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::trace_diff::test {

/// A tensor of one dimension, float32.
struct Floats {
  std::vector<float> values;
  std::uint32_t storage = 0;
};

/// The bytes of a trace. Texts get their numbers in the order of their first use.
class TraceBytes {
 public:
  TraceBytes() : bytes_("torchbook trace\n") { append(bytes_, std::uint32_t{2}); }

  /// Adds an operation without nested operations.
  TraceBytes& operation(std::string_view name, const std::vector<Floats>& inputs,
                        const std::vector<Floats>& outputs, double scalar = 1) {
    std::string begin;
    append(begin, text(name));
    append(begin, std::uint32_t{0});
    append(begin, text("net.py:" + std::to_string(++line_)));
    append(begin, std::uint8_t{0});
    append(begin, std::uint8_t{0});
    append(begin, static_cast<std::uint32_t>(inputs.size() + 1));
    for (const auto& one : inputs) value(begin, one);
    append(begin, std::uint8_t{3});
    append(begin, scalar);
    record(5, begin);
    std::string end;
    append(end, std::uint8_t{0});
    append(end, static_cast<std::uint32_t>(outputs.size()));
    for (const auto& one : outputs) value(end, one);
    record(6, end);
    ++operations_;
    return *this;
  }

  /// Tells the names of an operation's arguments.
  TraceBytes& arguments(std::string_view operation, std::string_view names) {
    std::string both;
    append(both, text(operation));
    append(both, text(names));
    return record(9, both);
  }

  /// Adds a mark: the following records belong to `text`.
  TraceBytes& mark(std::string_view text) {
    std::string payload;
    append(payload, this->text(text));
    return record(7, payload);
  }

  /// Says that the program shows a tensor.
  TraceBytes& shown(std::string_view name, const Floats& floats) {
    std::string payload;
    append(payload, text(name));
    append(payload, std::uint8_t{3});
    tensor(payload, floats);
    return record(3, payload);
  }

  /// Adds a record of any kind.
  TraceBytes& record(int kind, std::string_view payload) {
    std::string head;
    append(head, static_cast<std::uint8_t>(kind));
    append(head, static_cast<std::uint32_t>(payload.size()));
    bytes_ += head;
    append(bytes_, trace::checksum(head));
    bytes_ += payload;
    append(bytes_, trace::checksum(payload));
    return *this;
  }

  TraceBytes& finish() {
    std::string count;
    append(count, operations_);
    return record(8, count);
  }

  const std::string& bytes() const { return bytes_; }

  template <class Number>
  static void append(std::string& to, Number number) {
    to.append(reinterpret_cast<const char*>(&number), sizeof number);
  }

 private:
  std::uint32_t text(std::string_view wanted) {
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      if (texts_[i] == wanted) return static_cast<std::uint32_t>(i + 1);
    }
    texts_.emplace_back(wanted);
    record(1, wanted);
    return static_cast<std::uint32_t>(texts_.size());
  }

  /// The reader only compares hashes, so any hash function will do.
  static std::uint64_t hash_of(std::string_view bytes) {
    std::uint64_t hash = 1469598103934665603U;
    for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211U;
    return hash;
  }

  void value(std::string& to, const Floats& floats) {
    append(to, std::uint8_t{1});
    tensor(to, floats);
  }

  void tensor(std::string& to, const Floats& floats) {
    const std::string_view elements(reinterpret_cast<const char*>(floats.values.data()),
                                    floats.values.size() * sizeof(float));
    std::string held;
    append(held, hash_of(elements));
    append(held, static_cast<std::uint64_t>(elements.size()));
    held += elements;
    const auto dtype = text("float32");
    const auto device = text("cpu");
    record(4, held);
    append(to, dtype);
    append(to, device);
    append(to, std::uint8_t{0});
    append(to, std::uint8_t{1});
    append(to, static_cast<std::int64_t>(floats.values.size()));
    append(to, std::int64_t{1});
    append(to, floats.storage);
    append(to, hash_of(elements));
  }

  std::string bytes_;
  std::vector<std::string> texts_;
  std::uint64_t operations_ = 0;
  int line_ = 0;
};

}  // namespace torchbook::trace_diff::test
