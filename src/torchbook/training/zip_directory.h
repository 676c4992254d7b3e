// Finds the records of a zip file whose data are not compressed, as torch.save writes them.
#pragma once

#include <torchbook/training/input_file.h>

#include <cstdint>
#include <map>
#include <string>

namespace torchbook::training {

/// The place of a record's data in a file.
struct Record {
  std::uint64_t offset;
  std::uint64_t size;
};

/// The records of a checkpoint by name: `data.pkl`, `data/0` …
using Records = std::map<std::string, Record, std::less<>>;

/// Returns the records that are in the first folder of a zip file, by their names in it. Does not check their
/// checksums; nor does torch.load.
Records zip_records(InputFile& file);

}  // namespace torchbook::training
