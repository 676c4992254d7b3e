// What two traces differ in, in words, for every report.
#pragma once

#include <torchbook/part/difference.h>
#include <torchbook/part/tensor_bits.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::report {

/// The cell, or restored state, of a notebook that a mark stands for.
struct MarkedPlace {
  std::string name;  ///< `In [7]`
  std::string line;  ///< `sample.cpp:12`, where it begins
};

/// Two traces and their comparison.
struct Parting {
  const part::Trace& here;
  const part::Trace& there;
  const part::Texts& texts;
  const part::Verdict& verdict;
  std::string here_name{};  ///< of the file
  std::string there_name{};
  /// What the marks of a notebook mean. Another mark is told as it is.
  std::map<std::string, MarkedPlace, std::less<>> places{};
};

/// Returns `other random numbers`, and so on.
std::string kind_words(part::Kind kind);

/// Returns one word, for programs and for the classes of the page: `random`, and so on.
std::string kind_word(part::Kind kind);

/// Returns where operations of one of the traces stand: `operations 14 to 16, in layers.0, net.py:12`.
/// Operations count from 1, as they began.
std::string place(const Parting& parting, const part::Trace& trace,
                  const std::vector<std::uint32_t>& operations);

/// What the tensors of a pair have in common and what not.
struct TensorComparison {
  std::string words;   ///< in one line: `17 of 48 elements differ, by at most 2 ulps, …`
  std::string here{};  ///< all values of a small tensor, if they differ; otherwise empty
  std::string there{};
  bool equal = false;
  std::optional<part::BitsDifference> difference{};
};

TensorComparison compare_tensors(const Parting& parting, const part::TensorPair& pair);

/// Returns whether a difference is the first of its kind. Reports tell more of these.
bool is_first_of_kind(const part::Verdict& verdict, std::size_t index);

/// Returns a line for each trace that was cut off: where it ends, and that what follows is not compared.
std::vector<std::string> cut_lines(const Parting& parting);

/// Returns `3 operations follow`.
std::string followers_words(const part::Difference& difference);

/// How the error of a difference looks in an operation that followed from it.
struct Growth {
  part::Pair pair;
  TensorComparison output;  ///< of its first output
};

/// Returns a few of the operations that followed, from the first to the last.
std::vector<Growth> growth(const Parting& parting, const part::Difference& difference);

/// Returns a difference in indented lines, without its heading: its operations, tensors, advice, and what
/// followed from it.
std::string difference_lines(const Parting& parting, const part::Difference& difference);

/// Returns what the two programs ran on, if bits may depend on it: `CPU capability: AVX2 here, DEFAULT
/// there`.
std::vector<std::string> environment_differences(const Parting& parting);

/// Returns the name of an operation without namespace and overload, and its line if it is known: `softmax
/// (net.py:3)`.
std::string operation_words(const part::Trace& trace, const part::Texts& texts, std::uint32_t operation);

}  // namespace torchbook::report
