// Writes the values of variables as texts into the file that TORCHBOOK_PROOF names.
#include <ATen/ATen.h>
#include <c10/core/DefaultDtype.h>
#include <c10/util/hash.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/runtime/proof.h>
#include <torchbook/training/numpy_random.h>
#include <torchbook/training/random.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>

namespace torchbook::proof {
namespace {

constexpr std::size_t longest_text = 200;     // bytes of a leaf
constexpr std::size_t most_items = 100'000;   // of an array
constexpr std::int64_t most_readable = 6;     // elements of a tensor that are written as numbers
constexpr std::int64_t most_elements = 1000;  // of a tensor that is written out

std::string hash_of(const std::string& bytes) {
  constexpr std::size_t digits = 16;
  return bytes.empty() ? "" : c10::sha1(bytes).str().substr(0, digits);  // an empty text has none
}

/// Returns `float32`.
std::string dtype_text(const at::Tensor& value) {
  const auto text = pyrepr::repr(value.scalar_type());
  return text.substr(text.find('.') + 1);
}

/// Returns the elements of a contiguous tensor: numbers, bytes, or their hash if there are many.
std::string elements(const at::Tensor& value) {
  std::vector<std::string> items;
  if (value.numel() <= most_readable && !value.is_complex()) {
    const auto flat = value.reshape({-1});
    for (std::int64_t i = 0; i < flat.numel(); ++i) items.push_back(leaf(pyrepr::repr(flat[i].item())));
  } else {
    const std::string bytes(static_cast<const char*>(value.data_ptr()), value.nbytes());
    if (value.numel() > most_elements) return leaf(hash_of(bytes));
    const std::vector<std::uint8_t> plain(bytes.begin(), bytes.end());
    for (auto at = plain.begin(); at < plain.end(); at += static_cast<std::ptrdiff_t>(value.itemsize()))
      items.push_back(
          leaf(fmt::format("{:02x}", fmt::join(at, at + static_cast<std::ptrdiff_t>(value.itemsize()), ""))));
  }
  return fmt::format("[{}]", fmt::join(items, ","));
}

/// Returns `"tensor float32 (2, 3) requires_grad",[...]`, without the gradient.
std::string description(const at::Tensor& value) {
  const at::NoGradGuard guard;
  const auto plain = value.detach().resolve_conj().resolve_neg().contiguous();
  const auto head = fmt::format("tensor {} ({}){}", dtype_text(value), fmt::join(value.sizes(), ", "),
                                value.requires_grad() ? " requires_grad" : "");
  return fmt::format("{},{}", leaf(head), elements(plain));
}

/// The file that reports the variables, the variables, and the last text of each.
struct ProofLog {
  std::FILE* file = nullptr;
  std::map<std::string, std::function<std::string()>> held{};
  std::map<std::string, std::string> last{};

  ProofLog() {
    if (const char* name = std::getenv("TORCHBOOK_PROOF"); name != nullptr) file = std::fopen(name, "a");
  }

  void note(std::size_t cell, const std::string& name, const std::string& text) {
    auto& before = last[name];
    fmt::print(file, "{}\t{}\t{}\n", cell, name, text == before ? "=" : text);
    before = text;
  }
};

ProofLog& proof_log() {
  static ProofLog log;
  return log;
}

/// The objects of the text that is being made.
struct Shared {
  std::map<const void*, std::size_t> numbers{};
  std::size_t count = 0;
};

Shared& shared_objects() {
  static Shared shared;
  return shared;
}

}  // namespace

std::string leaf(std::string_view text) {
  if (text.size() > longest_text)
    return leaf(fmt::format("{} bytes, {}", text.size(), hash_of(std::string(text))));
  std::string escaped = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c == '\n' ? "\\n" : std::string(1, c);
  }
  return escaped + '"';
}

std::string tensor(const at::Tensor& value) {
  if (!value.defined()) return leaf("None");
  if (value.unsafeGetTensorImpl()->is_wrapped_number()) return leaf(pyrepr::repr(value.item()));
  if (value.layout() != at::kStrided || value.is_quantized() || !value.device().is_cpu()) return "null";
  const bool has_gradient = value.requires_grad() && value.is_leaf() && value.grad().defined();
  return fmt::format("[{},{}]", description(value),
                     has_gradient ? description(value.grad()) : leaf("no gradient"));
}

std::string array(const std::vector<std::string>& items) {
  auto text = fmt::format("[{}]", fmt::join(items, ","));
  if (items.size() <= most_items) return text;
  // A hash must not cover values that are not compared, or that have no order.
  if (text.find("null") != text.npos || text.find("\"members\"") != text.npos) return "null";
  return leaf(fmt::format("{} items, {}", items.size(), hash_of(text)));
}

std::string dict(const Members& items) {
  std::vector<std::string> pairs;
  for (const auto& [name, value] : items)
    pairs.push_back(fmt::format("[{},{}]", leaf(pyrepr::repr(name)), value));
  return R"({"dict":)" + array(pairs) + "}";
}

std::string object(const Members& members) {
  std::string text;
  for (const auto& [name, value] : members)
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", leaf(name), value);
  return fmt::format(R"({{"members":{{{}}}}})", text);
}

std::string object(const torch::nn::Module& module, Members members) {
  const auto parameters = module.named_parameters();
  const auto buffers = module.named_buffers();
  for (const auto& each : parameters) members.emplace_back(each.key(), tensor(each.value()));
  for (const auto& each : buffers) members.emplace_back(each.key(), tensor(each.value()));
  members.emplace_back("training", leaf(module.is_training() ? "True" : "False"));
  return object(members);
}

std::string shared(const void* pointer, const std::function<std::string()>& text) {
  auto& [numbers, count] = shared_objects();
  const auto [known, is_new] = numbers.emplace(pointer, count);
  if (!is_new) return fmt::format(R"({{"id":{}}})", known->second);
  const auto number = count++;
  auto made = text();
  if (made.starts_with(R"({"members")")) return fmt::format(R"({{"id":{},{})", number, made.substr(1));
  numbers.erase(pointer);  // only objects have numbers
  return made;
}

void hold(const std::string& name, std::function<std::string()> text) {
  proof_log().held[name] = std::move(text);
}

void drop(const std::string& name) { proof_log().held.erase(name); }

void tell(std::size_t cell) {
  auto& log = proof_log();
  if (log.file == nullptr) return;
  for (const auto& [name, text] : log.held) {
    shared_objects() = {};
    log.note(cell, name, text());
  }
  const auto state = at::globalContext().defaultGenerator(at::kCPU).get_state();
  log.note(cell, "torch.get_rng_state()", tensor(state));
  log.note(cell, "torch.get_default_dtype()", leaf(pyrepr::repr(c10::get_default_dtype_as_scalartype())));
  log.note(cell, "torch.is_grad_enabled()", leaf(at::GradMode::is_enabled() ? "True" : "False"));
  const auto words_of = [](const random::State& of) {
    return leaf(hash_of(fmt::format("{} {}", fmt::join(of.words, " "), of.place)));
  };
  if (const auto drawn = random::state()) log.note(cell, "random.getstate()", words_of(*drawn));
  if (const auto drawn = np::random::state()) log.note(cell, "np.random.get_state()", words_of(*drawn));
  std::fflush(log.file);
}

}  // namespace torchbook::proof
