// Does not use caffe2's PyTorchStreamReader, which allocates the sizes that a file announces, and inflates.
#include <torchbook/training/zip_directory.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace torchbook::training {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t end_size = 22, locator_size = 20, end64_size = 56, entry_size = 46, local_size = 30;

/// The part of a zip file that lists the records.
struct Directory {
  std::uint64_t count, size, offset;
};

Directory find_directory(InputFile& file) {
  constexpr std::uint64_t longest_comment = 0xFFFF;
  const auto tail_size = std::min(file.size(), end_size + longest_comment + locator_size);
  const auto tail = file.bytes(file.size() - tail_size, tail_size);
  const auto end = tail.rfind("PK\5\6"sv);
  if (end == std::string::npos || tail.size() - end < end_size) throw CutOff();
  if (end >= locator_size && tail.compare(end - locator_size, 4, "PK\6\7"sv) == 0) {
    const auto end64 = file.bytes(little_endian<std::uint64_t>(tail, end - locator_size + 8), end64_size);
    return {little_endian<std::uint64_t>(end64, 32), little_endian<std::uint64_t>(end64, 40),
            little_endian<std::uint64_t>(end64, 48)};
  }
  return {little_endian<std::uint16_t>(tail, end + 10), little_endian<std::uint32_t>(tail, end + 12),
          little_endian<std::uint32_t>(tail, end + 16)};
}

/// Replaces the numbers of an entry that need more than 32 bits by those of its extra field for 64 bits.
void take_64_bits(std::string_view extra, std::uint64_t& unpacked, std::uint64_t& packed,
                  std::uint64_t& offset) {
  while (extra.size() >= 4) {
    const std::size_t size = little_endian<std::uint16_t>(extra, 2);
    if (size > extra.size() - 4) break;
    if (auto field = extra.substr(4, size); little_endian<std::uint16_t>(extra) == 1) {
      for (auto* number : {&unpacked, &packed, &offset}) {
        if (*number != 0xFFFFFFFF) continue;
        if (field.size() < 8) damaged("its zip directory");
        *number = little_endian<std::uint64_t>(field);
        field.remove_prefix(8);
      }
      return;
    }
    extra.remove_prefix(4 + size);
  }
}

/// Returns the place of a record's data, which follow a header of their own.
Record record_at(InputFile& file, std::uint64_t offset, std::uint64_t size) {
  const auto header = file.bytes(offset, local_size);
  if (!header.starts_with("PK\3\4"sv)) damaged("its zip directory");
  return {offset + local_size + little_endian<std::uint16_t>(header, 26) +
              little_endian<std::uint16_t>(header, 28),
          size};
}

}  // namespace

Records zip_records(InputFile& file) {
  const auto [count, size, offset] = find_directory(file);
  const auto bytes = file.bytes(offset, size);
  std::string_view rest = bytes;
  Records records;
  std::string folder;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (rest.size() < entry_size || !rest.starts_with("PK\1\2"sv)) damaged("its zip directory");
    const std::size_t name_size = little_endian<std::uint16_t>(rest, 28),
                      extra_size = little_endian<std::uint16_t>(rest, 30);
    const std::size_t whole = entry_size + name_size + extra_size + little_endian<std::uint16_t>(rest, 32);
    if (whole > rest.size()) damaged("its zip directory");
    std::string_view name = rest.substr(entry_size, name_size);
    std::uint64_t packed = little_endian<std::uint32_t>(rest, 20),
                  unpacked = little_endian<std::uint32_t>(rest, 24);
    std::uint64_t at = little_endian<std::uint32_t>(rest, 42);
    take_64_bits(rest.substr(entry_size + name_size, extra_size), unpacked, packed, at);
    if (i == 0) folder = name.substr(0, name.find('/') + 1);
    if (name.starts_with(folder)) {
      if (little_endian<std::uint16_t>(rest, 10) != 0 || packed != unpacked)
        throw std::runtime_error("it is a compressed zip file; torch.save writes one that is not");
      records.insert_or_assign(std::string(name.substr(folder.size())), record_at(file, at, unpacked));
    }
    rest.remove_prefix(whole);
  }
  return records;
}

}  // namespace torchbook::training
