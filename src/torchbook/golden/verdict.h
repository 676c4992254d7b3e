// Whether a run gave what its golden holds: a verdict for each cell, and where the first difference is.
#pragma once

#include <torchbook/golden/golden.h>
#include <torchbook/notebook/transcript.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace torchbook {

enum class Verdict {
  equal,      ///< every byte of stdout and result
  different,  ///< any byte, or an output that only one side has
  no_output,  ///< neither side has any
};

/// `equal`, `different`, `no-output`.
std::string_view name(Verdict verdict);

/// The first line in which a cell and its golden differ.
struct Difference {
  std::string_view where;             ///< `stdout` or `result`
  std::size_t line = 0;               ///< from 1
  std::size_t column = 0;             ///< from 1, in bytes
  std::optional<std::string> golden;  ///< the golden's line, nullopt where it has ended
  std::optional<std::string> actual;  ///< the cell's line, nullopt where it has ended
};

/// What became of one cell.
struct Judgement {
  Verdict verdict = Verdict::no_output;
  std::optional<Difference> difference;  ///< there where stdout or result differ
};

/// A run, judged.
struct JudgedTranscript {
  Transcript transcript;
  std::map<std::size_t, Judgement>
      judgements;  ///< by position: the cells that were selected, and ran or threw
};

/// Judges the selected cells. Throws GoldenError where the golden is another notebook's or its cells are not
/// the transcript's.
JudgedTranscript judge(Transcript transcript, const Golden& golden);

}  // namespace torchbook
