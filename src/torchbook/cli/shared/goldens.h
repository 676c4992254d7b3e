// Finds the golden that a notebook is compared with, with its exceptions and recorded tensors, and judges by
// it.
#pragma once

#include <torchbook/golden/exceptions.h>
#include <torchbook/golden/judge.h>
#include <torchbook/golden/recording.h>
#include <torchbook/notebook/fingerprint.h>
#include <torchbook/notebook/ported_notebook.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::cli {

/// A golden with its exceptions, and with the tensors of the built-in recording if there is one. They are
/// compared if the recording says what they depend on: bit for bit if this program has the same, otherwise
/// within rounding.
struct ChosenGolden {
  golden::Golden golden;
  std::string file;       ///< the name of its file
  std::string release{};  ///< the release of PyTorch with these outputs; empty if it is unknown
};

/// Returns the golden in a file, or in stdin if `file` is `-`. Throws UsageError, with file and line, if it
/// is broken or belongs to another notebook. `here` is the fingerprint of this program.
ChosenGolden named_golden(const notebook::PortedNotebook& notebook, const std::string& file,
                          const notebook::Fingerprint& here);

/// Returns the golden that is built in for this release of LibTorch; if there is none, the golden for all
/// releases. Throws UsageError, with file and line, if it is broken. `here` is the fingerprint of this
/// program.
ChosenGolden built_in_golden(const notebook::PortedNotebook& notebook, const notebook::Fingerprint& here);

/// Judges a run of the notebook.
golden::JudgedTranscript judged_by(const ChosenGolden& chosen, const notebook::PortedNotebook& notebook,
                                   notebook::Transcript transcript);

/// A recording that is built in.
struct BuiltInRecording {
  std::string_view file;
  std::string_view text;
  golden::RecordingFile base{};  ///< the recording for all releases, if this one is for a single release
};

/// Returns the recording for the release of LibTorch in `torch`, such as `LibTorch 2.6.0`; if there is none,
/// that for all releases, which may be empty.
BuiltInRecording built_in_recording(const notebook::PortedNotebook& notebook, std::string_view torch);

/// Adds the exceptions that concern the port (golden/exceptions.h) to the golden. Throws
/// UsageError, with file and line, if they are broken.
void add_exceptions_of_the_port(golden::Golden& golden, const notebook::PortedNotebook& notebook);

/// Reads the file of exceptions that `--exceptions` names; none if the name is empty. Throws UsageError, with
/// file and line, if it is broken or names no notebook or cell of this program.
std::vector<golden::Exceptions> exceptions_in(const std::string& file);

/// Adds those of these exceptions that are the notebook's to a golden, in place of those that its cells have.
void add_exceptions(golden::Golden& golden, const std::vector<golden::Exceptions>& all);

/// Returns `sample.2.6.golden, from PyTorch 2.6.0 and sample.py`, or an empty text if the golden is
/// the document's own.
std::string golden_from(const ChosenGolden& chosen, const notebook::PortedNotebook& notebook);

}  // namespace torchbook::cli
