// Tests that faults in goldens and in recorded bits are all seen, each in its cell and with the right
// verdict.
#include <gtest/gtest.h>
#include <support/goldens.h>
#include <torchbook/golden/golden.h>
#include <torchbook/golden/judge.h>
#include <torchbook/notebook/ported_notebook.h>

#include <cctype>
#include <iostream>
#include <string>
#include <vector>

namespace torchbook::test {
namespace {

/// A notebook that ran once, and its golden.
struct Judged {
  notebook::Transcript transcript;
  golden::Golden golden;

  /// Returns whether a golden with a fault in cell `position` gives that cell this verdict, and
  /// leaves all other cells equal.
  bool catches(const golden::Golden& faulty, std::size_t position, golden::Verdict verdict) const {
    const auto judged = golden::judge(transcript, faulty);
    for (const auto& [at, judgement] : judged.judgements) {
      const bool fine =
          judgement.verdict == golden::Verdict::equal || judgement.verdict == golden::Verdict::no_output;
      if (at == position ? judgement.verdict != verdict : !fine) return false;
    }
    return true;
  }
};

/// Returns every notebook with its golden from the document.
std::vector<Judged> with_goldens() {
  std::vector<Judged> all;
  for (const auto& notebook : notebook::linked_notebooks())
    all.push_back({notebook::run(notebook), golden::parse_golden(notebook.golden)});
  return all;
}

/// Returns every notebook with a golden that has bits. The bits come from the run itself, so they are the
/// same for every release.
std::vector<Judged> with_bits() {
  auto all = with_goldens();
  for (auto& [transcript, golden] : all) {
    for (const notebook::Cell* cell : transcript.cells())
      golden.cells[cell->position - 1].tensors = cell->tensors;
  }
  return all;
}

void report(const char* where, std::size_t planted, std::size_t caught) {
  std::cout << "planted in " << where << ": " << planted << " faults, " << caught << " caught\n";
  EXPECT_EQ(caught, planted);
}

/// Plants a fault at every place of every output at which `plant` returns a changed text.
template <class Plant>
void plant_in_outputs(const char* where, golden::Verdict verdict, std::size_t at_least, const Plant& plant) {
  std::size_t planted = 0;
  std::size_t caught = 0;
  for (const auto& notebook : with_goldens()) {
    golden::Golden faulty = notebook.golden;
    for (auto& cell : faulty.cells) {
      const auto plant_in = [&](std::string& text) {
        const std::string whole = text;
        for (std::size_t i = 0; i < whole.size(); ++i) {
          text = whole;
          if (!plant(text, i)) continue;
          ++planted;
          if (notebook.catches(faulty, cell.position, verdict)) {
            ++caught;
          } else if (planted - caught < 10) {
            ADD_FAILURE() << notebook.golden.slug << " @" << cell.position << ", byte " << i << " of\n"
                          << text;
          }
        }
        text = whole;
      };
      plant_in(cell.out);
      if (cell.result) plant_in(*cell.result);
    }
  }
  report(where, planted, caught);
  EXPECT_GE(planted, at_least);
}

TEST(PlantedFaults, OneDigitOfAGoldenIsDifferent) {
  plant_in_outputs("the digits of goldens", golden::Verdict::different, 3000,
                   [](std::string& text, std::size_t i) {
                     if (std::isdigit(static_cast<unsigned char>(text[i])) == 0) return false;
                     text[i] = text[i] == '9' ? '0' : static_cast<char>(text[i] + 1);
                     return true;
                   });
}

TEST(PlantedFaults, OneSignOfAGoldenIsDifferent) {
  plant_in_outputs("the signs of goldens", golden::Verdict::different, 30,
                   [](std::string& text, std::size_t i) {
                     if (text[i] != '-' || i + 1 == text.size() ||
                         std::isdigit(static_cast<unsigned char>(text[i + 1])) == 0) {
                       return false;
                     }
                     text[i] = ' ';
                     return true;
                   });
}

TEST(PlantedFaults, ABlankLineMoreIsALayoutFault) {
  plant_in_outputs("the lines of goldens", golden::Verdict::equal_as_printed, 150,
                   [](std::string& text, std::size_t i) {
                     if (text[i] != '\n') return false;
                     text.insert(i, 1, '\n');
                     return true;
                   });
}

TEST(PlantedFaults, AMissingCellIsRefused) {
  std::size_t planted = 0;
  std::size_t caught = 0;
  for (const auto& notebook : with_goldens()) {
    for (std::size_t i = 0; i < notebook.golden.cells.size(); ++i) {
      golden::Golden faulty = notebook.golden;
      faulty.cells.erase(faulty.cells.begin() + static_cast<std::ptrdiff_t>(i));
      ++planted;
      try {
        golden::judge(notebook.transcript, faulty);
      } catch (const golden::GoldenError&) {
        ++caught;
      }
    }
  }
  report("the cells of goldens", planted, caught);
  EXPECT_EQ(planted, cell_count());
}

TEST(PlantedFaults, AMissingOutputIsDifferent) {
  std::size_t planted = 0;
  std::size_t caught = 0;
  for (const auto& notebook : with_goldens()) {
    for (std::size_t i = 0; i < notebook.golden.cells.size(); ++i) {
      if (!notebook.golden.cells[i].has_output()) continue;
      golden::Golden faulty = notebook.golden;
      faulty.cells[i].out.clear();
      faulty.cells[i].result.reset();
      ++planted;
      if (notebook.catches(faulty, i + 1, golden::Verdict::different)) ++caught;
    }
  }
  report("the outputs of goldens", planted, caught);
  EXPECT_EQ(planted, output_count());
}

/// Returns whether the only difference of cell `position` is one ulp in this element of its tensor
/// `recorded`, and the judgement names the text that shows the tensor.
bool is_one_ulp(const golden::JudgedTranscript& judged, std::size_t position, std::size_t recorded,
                std::size_t element) {
  const auto& judgement = judged.judgements.at(position);
  if (judgement.elements.size() != 1) return false;
  const auto& [where, number, is_recorded, values] = judgement.elements.front();
  const auto& shape = judged.transcript.cells()[position - 1]->tensors[recorded].shape;
  if (!is_recorded || values.index.size() != shape.size()) return false;
  std::size_t flat = 0;
  for (std::size_t dim = 0; dim < shape.size(); ++dim) {
    flat = flat * static_cast<std::size_t>(shape[dim]) + static_cast<std::size_t>(values.index[dim]);
  }
  for (const auto& shown : judgement.shown) {
    if (shown.recorded == recorded && (shown.where != where || shown.number != number)) return false;
  }
  return flat == element && values.differing == 1 && values.ulps == 1 && values.largest_ulps == 1;
}

TEST(PlantedFaults, OneUlpOfOneElementIsSeenThere) {
  std::size_t planted = 0;
  std::size_t caught = 0;
  for (const auto& notebook : with_bits()) {
    for (std::size_t i = 0; i < notebook.golden.cells.size(); ++i) {
      golden::Golden faulty = notebook.golden;
      auto& tensors = *faulty.cells[i].tensors;
      for (std::size_t recorded = 0; recorded < tensors.size(); ++recorded) {
        auto& tensor = tensors[recorded];
        if (tensor.dtype != "torch.float32") continue;
        for (std::size_t byte = 0; byte < tensor.bytes.size(); byte += 4) {
          if (static_cast<unsigned char>(tensor.bytes[byte]) == 0xFF) continue;  // adding one would carry
          ++tensor.bytes[byte];
          ++planted;
          const auto judged = golden::judge(notebook.transcript, faulty);
          const bool right = judged.judgements.at(i + 1).verdict == golden::Verdict::equal_as_printed;
          if (right && is_one_ulp(judged, i + 1, recorded, byte / 4)) ++caught;
          --tensor.bytes[byte];
        }
      }
    }
  }
  report("the last bits of tensors", planted, caught);
  EXPECT_GE(planted, 500U);
}

}  // namespace
}  // namespace torchbook::test
