// Prints test cases for differential_test.py, which compares them with PyTorch's texts. Reads two
// lines per file from stdin: the path of the cases and the path of the answers (see record.py). A
// child process answers each file. When it ends, its wait() status is written to stdout as a line.
#include <ATen/ATen.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <torchbook/pyrepr/pyrepr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "case.h"

namespace torchbook::differential {
namespace {

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
    {"container", container_text},
    {"ivalue", ivalue_text},
    {"pretty_container", pretty_container_text},
    {"pretty_ivalue", pretty_ivalue_text},
    {"module", module_text},
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
  for (Cases rest(cases); !rest.done();) {
    const Case c = rest.take();
    try {
      write_answer(out, false, answer(c));
    } catch (const std::exception& error) {
      write_answer(out, true, error.what());
    }
  }
}

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

int answer_file(const std::string& cases, const std::string& answers) {
  std::ofstream out(answers, std::ios::binary);
  answer_all(contents_of(cases), out);
  return out ? 0 : 1;
}

int status_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waitpid");
  }
  return status;
}

/// Answers each file in a child, which a case may kill. A child starts sooner than LibTorch. This process
/// computes nothing, so that it has no threads that a child would miss.
int serve() {
  for (std::string cases, answers; std::getline(std::cin, cases) && std::getline(std::cin, answers);) {
    const pid_t child = ::fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (child == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // who ends this program ends a case that takes too long
      return answer_file(cases, answers);
    }
    std::cout << status_of(child) << std::endl;
  }
  return 0;
}

}  // namespace
}  // namespace torchbook::differential

int main(int argc, char**) {
  if (argc != 1) {
    std::cerr << "usage: pyrepr_differential <REQUESTS\n";
    return 2;
  }
  try {
    return torchbook::differential::serve();
  } catch (const std::exception& error) {
    std::cerr << "pyrepr_differential: " << error.what() << '\n';
    return 1;
  }
}
