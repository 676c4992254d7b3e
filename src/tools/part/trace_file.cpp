// Reads the records of a trace one after the other.
#include <fmt/format.h>
#include <tools/part/trace/checksum.h>
#include <tools/part/trace/format.h>
#include <tools/part/trace_file.h>

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

namespace torchbook::trace_diff {
namespace {

constexpr std::size_t longest_text = 1024;  // what is longer is cut; no name is
constexpr int most_nested_lists = 8;
constexpr std::size_t most_nested_operations = 1000;
constexpr std::uint8_t most_dimensions = 64;
constexpr std::uint64_t most_values_of_a_trace = 0x7fffffff;

std::string text_in(const nlohmann::json& run, const char* field) {
  const auto found = run.find(field);
  return found != run.end() && found->is_string() ? found->get<std::string>() : "";
}

int small_number_in(const nlohmann::json& run, const char* field) {
  const auto found = run.find(field);
  return found != run.end() && found->is_number_unsigned() && *found < 1'000'000 ? found->get<int>() : 0;
}

/// The bytes of a record that are not read yet. They are little-endian.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : bytes_(bytes) {}

  std::size_t left() const { return bytes_.size(); }

  /// Returns the next bytes. Throws TraceError if fewer are left.
  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size()) throw TraceError("a record is shorter than what it holds");
    const auto taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  template <typename Number>
  Number number() {
    static_assert(std::endian::native == std::endian::little, "traces are little-endian");
    Number number;
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return number;
  }

 private:
  std::string_view bytes_;
};

class Reader {
 public:
  Reader(Texts& texts, ReadTrace& trace) : texts_(texts), trace_(trace) {}

  /// Reads one record.
  void read(trace::RecordKind kind, std::string_view payload) {
    Cursor cursor(payload);
    switch (kind) {
      case trace::RecordKind::string:
        return numbers_.push_back(texts_.number_of(payload.substr(0, longest_text)));
      case trace::RecordKind::run:
        return read_run(payload);
      case trace::RecordKind::named:
        return read_named(cursor);
      case trace::RecordKind::value:
        return read_bytes(cursor);
      case trace::RecordKind::begin:
        return begin(cursor);
      case trace::RecordKind::end:
        return end(cursor);
      case trace::RecordKind::mark:
        mark_ = text(cursor);
        return;
      case trace::RecordKind::finished:
        trace_.finished = true;
        return;
      case trace::RecordKind::arguments: {
        const auto operation = text(cursor);
        trace_.arguments[operation] = text(cursor);
        return;
      }
    }
    throw TraceError(fmt::format("there is no record of the kind {}", static_cast<int>(kind)));
  }

  /// Removes the operations that were running when the trace was cut off: their outputs are
  /// unknown.
  void close() {
    if (running_.empty()) return;
    const auto first = running_.front();
    trace_.operations.resize(first);
    std::erase_if(trace_.shown, [&](const Shown& shown) { return shown.operation > first; });
  }

 private:
  std::uint32_t text(Cursor& cursor) {
    const auto number = cursor.number<std::uint32_t>();
    if (number >= numbers_.size()) throw TraceError(fmt::format("there is no text {}", number));
    return numbers_[number];
  }

  void read_run(std::string_view payload) {
    const auto run = nlohmann::json::parse(payload, nullptr, false);
    if (!run.is_object()) throw TraceError("what it says of its run is no JSON object");
    trace_.language = text_in(run, "language");
    trace_.recorder = text_in(run, "recorder");
    auto& fingerprint = trace_.fingerprint;
    const auto* product = trace_.language == "Python" ? "PyTorch " : "LibTorch ";
    fingerprint.torch = product + text_in(run, "libtorch");
    fingerprint.build = text_in(run, "build");
    fingerprint.cpu_capability = text_in(run, "capability");
    fingerprint.blas = text_in(run, "blas");
    fingerprint.compiler = text_in(run, "compiler");
    fingerprint.threads = small_number_in(run, "threads");
    fingerprint.onednn = small_number_in(run, "onednn");
  }

  void read_named(Cursor& cursor) {
    const auto name = text(cursor);
    const auto role = static_cast<trace::NamedRole>(cursor.number<std::uint8_t>());
    const auto number = tensor(cursor);
    if (role != trace::NamedRole::shown) {
      trace_.named.push_back(
          {.name = name, .tensor = number, .is_parameter = role == trace::NamedRole::parameter});
      return;
    }
    const auto operation = static_cast<std::uint32_t>(trace_.operations.size());
    trace_.shown.push_back({.name = name, .tensor = number, .operation = operation, .mark = mark_});
  }

  void read_bytes(Cursor& cursor) {
    const auto hash = cursor.number<std::uint64_t>();
    const auto total = cursor.number<std::uint64_t>();
    trace_.bytes.try_emplace(hash, Bytes{.bytes = cursor.take(cursor.left()), .total = total});
  }

  void begin(Cursor& cursor) {
    if (running_.size() >= most_nested_operations) throw TraceError("operations are nested too deeply");
    Operation operation;
    operation.name = text(cursor);
    operation.module = text(cursor);
    operation.line = text(cursor);
    operation.mark = mark_;
    operation.backward = cursor.number<std::uint8_t>() != 0;
    operation.before = generator(cursor);
    operation.inputs = values(cursor, 0);
    if (!running_.empty()) {
      operation.parent = running_.back();
      operation.backward |= trace_.operations[running_.back()].backward;
    } else {
      keep_nodes(operation);
    }
    running_.push_back(static_cast<std::uint32_t>(trace_.operations.size()));
    trace_.operations.push_back(operation);
  }

  /// Knows the operations between two nodes of the backward graph to be backward: autograd runs them itself,
  /// to add gradients, or to sum those of a tensor that was broadcast.
  void keep_nodes(const Operation& next) {
    const auto count = static_cast<std::uint32_t>(trace_.operations.size());
    if (next.backward) {
      for (auto i = node_; i < count; ++i) trace_.operations[i].backward = true;
      node_ = count;
      return;
    }
    const auto& name = texts_[next.name];
    const bool is_between = adds_gradients(name) || name == "aten::sum.dim_IntList" || name == "aten::view";
    if (node_ < count && (!is_between || trace_.operations[node_].line != next.line)) node_ = no_operation;
  }

  void end(Cursor& cursor) {
    if (running_.empty()) throw TraceError("an operation ends that did not begin");
    auto& operation = trace_.operations[running_.back()];
    operation.after = generator(cursor);
    operation.outputs = values(cursor, 0);
    pop();
  }

  void pop() {
    trace_.operations[running_.back()].next = static_cast<std::uint32_t>(trace_.operations.size());
    running_.pop_back();
  }

  std::uint32_t generator(Cursor& cursor) {
    const auto kind = cursor.number<std::uint8_t>();
    if (kind == trace::no_generator) return no_operation;
    GeneratorState state{.is_fresh = kind == trace::fresh_generator};
    state.seed = cursor.number<std::uint64_t>();
    state.hash = cursor.number<std::uint64_t>();
    trace_.generators.push_back(state);
    return static_cast<std::uint32_t>(trace_.generators.size() - 1);
  }

  /// Reads values into consecutive elements of ReadTrace::values. The elements of lists come before
  /// them.
  Range values(Cursor& cursor, int depth) {
    if (depth > most_nested_lists) throw TraceError("lists are nested too deeply");
    const auto count = cursor.number<std::uint32_t>();
    if (count > cursor.left() || trace_.values.size() + count > most_values_of_a_trace) {
      throw TraceError("a record is shorter than what it holds");
    }
    std::vector<Value> row;
    row.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) row.push_back(value(cursor, depth));
    const auto first = static_cast<std::uint32_t>(trace_.values.size());
    trace_.values.insert(trace_.values.end(), row.begin(), row.end());
    return {.first = first, .count = count};
  }

  Value value(Cursor& cursor, int depth) {
    Value value;
    const auto tag = cursor.number<std::uint8_t>();
    if (tag > static_cast<std::uint8_t>(Tag::other))
      throw TraceError(fmt::format("there is no value of the kind {}", tag));
    value.tag = static_cast<Tag>(tag);
    switch (value.tag) {
      case Tag::none:
        break;
      case Tag::tensor:
        value.index = tensor(cursor);
        break;
      case Tag::whole:
      case Tag::real:
        value.bits = cursor.number<std::uint64_t>();
        break;
      case Tag::boolean:
        value.bits = cursor.number<std::uint8_t>() != 0;
        break;
      case Tag::text:
      case Tag::other:
        value.index = text(cursor);
        break;
      case Tag::complex:
        value.bits = cursor.number<std::uint64_t>();
        value.imaginary = cursor.number<std::uint64_t>();
        break;
      case Tag::list: {
        const auto range = values(cursor, depth + 1);
        value.index = range.first;
        value.count = range.count;
      }
    }
    return value;
  }

  std::uint32_t tensor(Cursor& cursor) {
    SeenTensor tensor;
    tensor.dtype = text(cursor);
    tensor.device = text(cursor);
    const auto flags = cursor.number<std::uint8_t>();
    tensor.strided = (flags & trace::not_strided) == 0;
    tensor.dim = cursor.number<std::uint8_t>();
    if (tensor.dim > most_dimensions) throw TraceError("a tensor has too many dimensions");
    tensor.sizes = static_cast<std::uint32_t>(trace_.sizes.size());
    const int numbers = tensor.strided ? 2 * tensor.dim : tensor.dim;
    for (int i = 0; i < numbers; ++i) trace_.sizes.push_back(cursor.number<std::int64_t>());
    tensor.storage = cursor.number<std::uint32_t>();
    tensor.hash = cursor.number<std::uint64_t>();
    if ((flags & trace::has_offset) != 0) tensor.offset = cursor.number<std::int64_t>();
    trace_.tensors.push_back(tensor);
    return static_cast<std::uint32_t>(trace_.tensors.size() - 1);
  }

  Texts& texts_;
  ReadTrace& trace_;
  std::vector<std::uint32_t> numbers_ = {0};  // of the trace's texts
  std::vector<std::uint32_t> running_;
  std::uint32_t node_ =
      no_operation;  // the last node, while only operations follow that autograd may run itself
  std::uint32_t mark_ = 0;
};

/// Returns the next bytes of a record that begins at `start`, and skips their checksum. Throws TraceError if
/// it is wrong.
std::string_view checked(Cursor& file, std::size_t size, std::size_t start) {
  const auto bytes = file.take(size);
  if (file.number<std::uint32_t>() != trace::checksum(bytes)) {
    throw TraceError(
        fmt::format("it is damaged: the record at byte {} has a wrong checksum; record it again", start));
  }
  return bytes;
}

}  // namespace

ReadTrace read_trace(std::string_view bytes, Texts& texts) {
  if (!bytes.starts_with(trace::magic))
    throw TraceError("it is no trace: it does not begin with \"torchbook trace\"");
  Cursor file(bytes.substr(trace::magic.size()));
  if (file.left() < sizeof(std::uint32_t)) throw TraceError("it ends after its first line");
  const auto version = file.number<std::uint32_t>();
  if (version != trace::version) {
    throw TraceError(
        fmt::format("it has version {} of the format; this torchbook reads version {}: record it again",
                    version, trace::version));
  }
  ReadTrace trace;
  Reader reader(texts, trace);
  constexpr auto around = trace::head_size + 2 * trace::checksum_size;
  while (file.left() >= around && !trace.finished) {
    const auto start = bytes.size() - file.left();
    Cursor head(checked(file, trace::head_size, start));
    const auto kind = static_cast<trace::RecordKind>(head.number<std::uint8_t>());
    const auto size = head.number<std::uint32_t>();
    if (size + trace::checksum_size > file.left()) break;  // it was cut off
    reader.read(kind, checked(file, size, start));
  }
  if (trace.finished && file.left() > 0) throw TraceError("something follows its end");
  reader.close();
  return trace;
}

}  // namespace torchbook::trace_diff
