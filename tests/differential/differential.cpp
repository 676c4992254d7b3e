// Prints each case of a file, for differential_test.py to compare with PyTorch's text:
//   pyrepr_differential CASES ANSWERS
// record.py describes both files.
#include <ATen/ATen.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::differential {
namespace {

using pyrepr::PrintOptions;
using Integers = std::vector<std::int64_t>;

/// A case as record.py writes it.
struct Case {
  std::string kind;
  PrintOptions options;
  at::ScalarType default_dtype{};
  std::vector<at::Tensor> tensors;
  Integers integers;
  double real = 0;
  std::string text;
};

/// Takes values off the front of a file's bytes.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  bool done() const { return bytes_.empty(); }

  template <class T>
  T value() {
    T result{};
    std::memcpy(&result, take(sizeof result).data(), sizeof result);
    return result;
  }
  std::int64_t integer() { return value<std::int64_t>(); }
  std::string_view text() { return take(static_cast<std::size_t>(integer())); }

  Integers integers() {
    Integers result(static_cast<std::size_t>(integer()));
    for (auto& i : result) i = integer();
    return result;
  }

 private:
  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) throw std::runtime_error("the file of cases is cut off");
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  std::string_view bytes_;
};

at::Tensor read_tensor(Reader& reader) {
  const auto dtype = static_cast<at::ScalarType>(reader.integer());
  const std::int64_t offset = reader.integer();
  const Integers sizes = reader.integers();
  const Integers strides = reader.integers();
  const std::string_view data = reader.text();
  const auto count = static_cast<std::int64_t>(data.size() / c10::elementSize(dtype));
  const at::Tensor storage = at::empty({count}, dtype);
  if (!data.empty()) std::memcpy(storage.data_ptr(), data.data(), data.size());
  return storage.as_strided(sizes, strides, offset);
}

Case read_case(Reader& reader) {
  Case result;
  result.kind = reader.text();
  result.options.precision = static_cast<int>(reader.integer());
  result.options.threshold = reader.integer();
  result.options.edgeitems = reader.integer();
  result.options.linewidth = reader.integer();
  if (const auto sci_mode = reader.integer(); sci_mode >= 0) result.options.sci_mode = sci_mode != 0;
  result.default_dtype = static_cast<at::ScalarType>(reader.integer());
  const auto tensors = reader.integer();
  for (std::int64_t i = 0; i < tensors; ++i) result.tensors.push_back(read_tensor(reader));
  result.integers = reader.integers();
  result.real = reader.value<double>();
  result.text = reader.text();
  return result;
}

#if __has_include(<ATen/core/NamedTensor.h>)
at::Tensor named(const Case& c) {
  std::vector<at::Dimname> names;
  for (std::size_t start = 0; start < c.text.size();) {
    const std::size_t end = std::min(c.text.find(',', start), c.text.size());
    const std::string name = c.text.substr(start, end - start);
    names.push_back(name == "None" ? at::Dimname::wildcard()
                                   : at::Dimname::fromSymbol(at::Symbol::dimname(name)));
    start = end + 1;
  }
  return c.tensors[0].rename(names);
}
#endif

at::Tensor coo(const Case& c) { return at::sparse_coo_tensor(c.tensors[0], c.tensors[1], c.integers); }

template <at::Layout layout>
at::Tensor compressed(const Case& c) {
  return at::sparse_compressed_tensor(c.tensors[0], c.tensors[1], c.tensors[2], c.integers,
                                      c.tensors[2].options().layout(layout));
}

/// Makes each kind of tensor from the parts of its case.
const std::map<std::string_view, at::Tensor (*)(const Case&)> kTensors = {
    {"dense", [](const Case& c) { return c.tensors[0]; }},
    {"requires_grad", [](const Case& c) { return c.tensors[0].requires_grad_(); }},
    {"grad_fn", [](const Case& c) { return c.tensors[0].requires_grad_().clone(); }},
    {"conj", [](const Case& c) { return c.tensors[0].conj(); }},
    {"neg", [](const Case& c) { return at::_neg_view(c.tensors[0]); }},
#if __has_include(<ATen/core/NamedTensor.h>)
    {"names", named},
#endif
    {"meta", [](const Case& c) { return at::empty(c.integers, c.tensors[0].options().device(at::kMeta)); }},
    {"coo", coo},
    {"coo_coalesced", [](const Case& c) { return coo(c).coalesce(); }},
    {"csr", compressed<at::kSparseCsr>},
    {"csc", compressed<at::kSparseCsc>},
    {"bsr", compressed<at::kSparseBsr>},
    {"bsc", compressed<at::kSparseBsc>},
    {"quantized",
     [](const Case& c) {
       return at::_make_per_tensor_quantized_tensor(c.tensors[0], c.real, c.integers[0]);
     }},
    {"per_channel",
     [](const Case& c) {
       return at::_make_per_channel_quantized_tensor(c.tensors[0], c.tensors[1], c.tensors[2], c.integers[0]);
     }},
    {"nested", [](const Case& c) { return at::_nested_tensor_from_tensor_list(c.tensors); }},
};

/// Prints every other kind of value.
const std::map<std::string_view, std::string (*)(const Case&)> kTexts = {
    {"parameter",
     [](const Case& c) { return pyrepr::repr(pyrepr::Parameter{c.tensors[0].requires_grad_()}); }},
    {"format_tensor", [](const Case& c) { return pyrepr::format(c.tensors[0], c.text); }},
    {"float", [](const Case& c) { return pyrepr::repr(c.real); }},
    {"round",
     [](const Case& c) { return pyrepr::repr(pyrepr::round(c.real, static_cast<int>(c.integers[0]))); }},
    {"format_float", [](const Case& c) { return pyrepr::format(c.real, c.text); }},
    {"format_int", [](const Case& c) { return pyrepr::format(c.integers[0], c.text); }},
    {"format_bool", [](const Case& c) { return pyrepr::format(c.integers[0] != 0, c.text); }},
    {"string", [](const Case& c) { return pyrepr::repr(c.text); }},
    {"size", [](const Case& c) { return pyrepr::repr(pyrepr::Size{c.integers}); }},
};

std::string answer(const Case& c) {
  c10::set_default_dtype(c10::scalarTypeToTypeMeta(c.default_dtype));
  const pyrepr::ScopedPrintOptions options(c.options);
  const auto text = kTexts.find(c.kind);
  return text != kTexts.end() ? text->second(c) : pyrepr::repr(kTensors.at(c.kind)(c));
}

/// Writes an answer and flushes it, so that it survives if a later case crashes the program.
void write_answer(std::ostream& out, bool raised, const std::string& text) {
  const std::int64_t head[] = {raised, static_cast<std::int64_t>(text.size())};
  out.write(reinterpret_cast<const char*>(head), sizeof head);
  out << text << std::flush;
}

void answer_all(std::string_view cases, std::ostream& out) {
  for (Reader reader(cases); !reader.done();) {
    const Case c = read_case(reader);
    try {
      write_answer(out, false, answer(c));
    } catch (const std::exception& error) {
      write_answer(out, true, error.what());
    }
  }
}

std::string contents_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(std::string("cannot read ") + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace
}  // namespace torchbook::differential

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: pyrepr_differential CASES ANSWERS\n";
    return 2;
  }
  try {
    std::ofstream answers(argv[2], std::ios::binary);
    torchbook::differential::answer_all(torchbook::differential::contents_of(argv[1]), answers);
    return answers ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "pyrepr_differential: " << error.what() << '\n';
    return 1;
  }
}
