// Prints the texts of values as a proving program writes them, a line each, and tells of settings. The
// comments in the functions below have the same values in Python; proof_test.py compares the texts.
#include <torch/torch.h>
#include <torchbook/pyrepr/dict.h>
#include <torchbook/runtime/counter.h>
#include <torchbook/runtime/deque.h>
#include <torchbook/runtime/number.h>
#include <torchbook/runtime/numpy.h>
#include <torchbook/runtime/path.h>
#include <torchbook/runtime/proof.h>
#include <torchbook/runtime/tensor_lists.h>
#include <torchbook/training/nn.h>
#include <torchbook/training/numpy_random.h>
#include <torchbook/training/random.h>

#include <iostream>
#include <limits>
#include <optional>

namespace {

using torchbook::Counter;
using torchbook::Deque;
using torchbook::Dict;
using Ints = std::vector<std::int64_t>;
using Strings = std::vector<std::string>;

template <class... Values>
void show(const Values&... values) {
  ((std::cout << torchbook::proof::text(values) << '\n'), ...);
}

template <class Value>
void show_each(const std::vector<Value>& values) {
  for (const auto& value : values) show(value);
}

/// Returns `count` copies of a text.
std::string times(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

Ints range(std::int64_t end) {
  Ints all;
  for (std::int64_t i = 0; i < end; ++i) all.push_back(i);
  return all;
}

void show_plain_values() {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  // True, False
  show(true, false);
  // 0, -1, 2**63 - 1, -2**63
  show(std::int64_t{0}, std::int64_t{-1}, largest, -largest - 1);
  // *[0.0, -0.0, 1.0, 0.1, 1 / 3, 1e16, 1e22, 1e-5, 123456.789, 5e-324, math.inf, -math.inf, math.nan]
  show_each<double>(
      {0.0, -0.0, 1.0, 0.1, 1. / 3, 1e16, 1e22, 1e-5, 123456.789, 5e-324, inf, -inf, std::nan("")});
  // 1 + 2j, complex(0, -1.5)
  show(c10::complex<double>(1, 2), c10::complex<double>(0, -1.5));
  // *["", "a b", "it's", 'say "x"', """it's "x" """, "a\nb\r\tc", "back\\slash", "\0\x1b\x7f", "'"]
  show_each<std::string>(
      {"", "a b", "it's", "say \"x\"", "it's \"x\" ", "a\nb\r\tc", "back\\slash", {"\0\x1b\x7f", 3}, "'"});
  // *["grün", "日本語", "🙂", "a\u00a0b", "\u200b", "e\u0301", "\ufeff", "\x85"]
  show_each<std::string>({"grün", "日本語", "🙂", "a\u00a0b", "\u200b", "e\u0301", "\ufeff", "\xc2\x85"});
  // *["x" * n for n in (197, 198, 199, 200, 201, 5000)]
  for (const int n : {197, 198, 199, 200, 201, 5000}) show(times("x", n));
  // "é" * 99, "é" * 100, "\n" * 99, "\n" * 100, '"' * 198, '"' * 199, "日" * 66, "日" * 67
  show(times("é", 99), times("é", 100), times("\n", 99), times("\n", 100), times("\"", 198), times("\"", 199),
       times("日", 66), times("日", 67));
  // Path("a//b/./c"), Path("/"), Path(), Path("it's/grün"), Path("d/" * 150)
  show(torchbook::Path("a//b/./c"), torchbook::Path("/"), torchbook::Path(), torchbook::Path("it's/grün"),
       torchbook::Path(times("d/", 150)));
  // torch.float32, torch.bool, torch.complex64, torch.device("cpu")
  show(torch::kFloat32, torch::kBool, torch::kComplexFloat, torch::Device("cpu"));
  // 3, 0.5
  show(torchbook::Number(std::int64_t{3}), torchbook::Number(0.5));
  // None, 1, "a", None
  show(std::optional<std::int64_t>(), std::optional<std::int64_t>(1), std::optional<std::string>("a"),
       std::shared_ptr<std::int64_t>());
  // np.float64(1.5), np.float32(0.1), np.int64(-3)
  const auto of_double = torch::tensor(1.5, torch::kFloat64), of_float = torch::tensor(0.1F);
  show(torchbook::np::Element(of_double), torchbook::np::Element(of_float, 2),
       torchbook::np::Element(torch::tensor(std::int64_t{-3})));
}

void show_containers() {
  // [], [1, 2], [1.5], ["a", "it's\n"], [True, False], [[], [1]], [None, 1]
  show(Ints{}, Ints{1, 2}, std::vector<double>{1.5}, Strings{"a", "it's\n"}, std::vector<bool>{true, false},
       std::vector<Ints>{{}, {1}}, std::vector<std::optional<std::int64_t>>{std::nullopt, 1});
  // (), (1,), (1, "a"), (1, (2.0, [3])), (1, 2, 3)
  show(std::tuple<>(), std::make_tuple(1), std::make_tuple(1, std::string("a")),
       std::make_tuple(1, std::make_tuple(2.0, Ints{3})), torchbook::Tuple<std::int64_t>(Ints{1, 2, 3}));
  // {}, {"b": 1, "a": 2}, {1: [1]}, {(1, "x"): None}, {"a": {"b": {}}}
  show(Dict<std::string, std::int64_t>(), Dict<std::string, std::int64_t>{{"b", 1}, {"a", 2}},
       Dict<std::int64_t, Ints>{{1, {1}}},
       Dict<std::tuple<std::int64_t, std::string>, std::optional<std::int64_t>>{{{1, "x"}, std::nullopt}},
       Dict<std::string, Dict<std::string, Dict<std::string, bool>>>{{"a", {{"b", {}}}}});
  // Counter("abcab"), Counter([3, 3, 1]), Counter()
  show(Counter<std::string>(Strings{"a", "b", "c", "a", "b"}), Counter<std::int64_t>(Ints{3, 3, 1}),
       Counter<std::string>());
  // deque([1, 2, 3], 2), deque()
  show(Deque<std::int64_t>(Ints{1, 2, 3}, 2), Deque<std::string>());
  // *[list(range(n)) for n in (999, 1000, 1001, 5000)]
  for (const int n : {999, 1000, 1001, 5000}) show(range(n));
  // ["é\n"] * 1001, [["x" * 300]] * 1001, [list(range(1001)), [1]], [[list(range(1001))]] * 2
  show(Strings(1001, "é\n"), std::vector<Strings>(1001, {times("x", 300)}),
       std::vector<Ints>{range(1001), {1}}, std::vector<std::vector<Ints>>(2, {range(1001)}));
  // {i: str(i) for i in range(1000)}, {i: str(i) for i in range(1001)}
  Dict<std::int64_t, std::string> strings;
  for (const auto i : range(1000)) strings[i] = std::to_string(i);
  show(strings);
  strings[1000] = "1000";
  show(strings);
  // [torch.ones(2)] * 1001, [torch.ones(2).to_sparse()] * 1001, ["null"] * 1001
  show(std::vector<at::Tensor>(1001, torch::ones(2)),
       std::vector<at::Tensor>(1001, torch::ones(2).to_sparse()), Strings(1001, "null"));
  // torch.Size([2, 3]), [torch.Size([2])], torch.ones(2, 3).shape
  show(torch::ones({2, 3}).sizes(), std::vector<at::IntArrayRef>{torch::ones(2).sizes()},
       torchbook::pyrepr::shape(torch::ones({2, 3})));
}

void show_tensors() {
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  // *[torch.arange(n).to(d) for d in DTYPES for n in (0, 1, 2, 6, 7)]
  for (const auto dtype : {at::kByte, at::kChar, at::kShort, at::kInt, at::kLong, at::kHalf, at::kBFloat16,
                           at::kFloat, at::kDouble, at::kBool, at::kComplexFloat, at::kComplexDouble}) {
    for (const int n : {0, 1, 2, 6, 7}) show(torch::arange(n).to(dtype));
  }
  // *[torch.tensor(0.1, dtype=d) for d in DTYPES[5:9]], torch.tensor(3), torch.tensor(True), torch.tensor(1j)
  for (const auto dtype : {at::kHalf, at::kBFloat16, at::kFloat, at::kDouble})
    show(torch::tensor(0.1, dtype));
  show(torch::tensor(std::int64_t{3}), torch::tensor(true), torch::tensor(c10::complex<float>(0, 1)));
  // torch.tensor([0.1, -0.0, math.inf, -math.inf, math.nan, 1e30]), torch.tensor([math.nan] * 7)
  show(torch::tensor({0.1F, -0.0F, 1 / 0.0F, -1 / 0.0F, nan, 1e30F}), torch::full(7, nan));
  // torch.tensor([2**63 - 1, -2**63]), torch.tensor([255, 0], dtype=torch.uint8)
  show(torch::tensor({std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}),
       torch::tensor({255, 0}, torch::kByte));
  // torch.ones(0, 3), torch.ones(2, 0, 3), torch.ones(1, 1, 1), torch.ones(2, 3), torch.zeros(100, 100)
  show(torch::ones({0, 3}), torch::ones({2, 0, 3}), torch::ones({1, 1, 1}), torch::ones({2, 3}),
       torch::zeros({100, 100}));
  const auto x = torch::arange(24., torch::kFloat).reshape({2, 3, 4}),
             small = torch::arange(6.).reshape({2, 3});
  // X, X.t() if X.dim() < 3 else X.transpose(0, 2), X[:, 1], X[..., ::2], X[1:, :, 1:3], X.flip(0), X[0, 0,
  // 1]
  show(x, x.transpose(0, 2), x.select(1, 1), x.slice(2, 0, 4, 2), x.slice(0, 1).slice(2, 1, 3), x.flip(0),
       x[0][0][1]);
  // S, S.t(), S[:, 1], S[:, ::2], S[0].expand(2, 3), torch.ones(1).expand(3, 4), S.diagonal()
  show(small, small.t(), small.select(1, 1), small.slice(1, 0, 3, 2), small[0].expand({2, 3}),
       torch::ones(1).expand({3, 4}), small.diagonal());
  const auto c = torch::complex(small, small.flip(0));
  // C, C.conj(), C.t().conj(), C.real, C.imag, C.conj().imag, torch.view_as_real(C), C[0].conj()[:1]
  show(c, c.conj(), c.t().conj(), at::real(c), at::imag(c), at::imag(c.conj()), torch::view_as_real(c),
       c[0].conj().slice(0, 0, 1));
  // torch.ones(2).to_sparse(), torch.quantize_per_tensor(S, 0.1, 0, torch.quint8), torch.ones(2,
  // device="meta")
  show(torch::ones(2).to_sparse(), torch::quantize_per_tensor(small, 0.1, 0, torch::kQUInt8),
       torch::ones(2, torch::kMeta));
  // None
  show(at::Tensor());
  // A[0], A[1], A[2], A[0].T, A[3], [A[1]]
  show(small.to(torch::kDouble), torch::arange(7), torch::ones({3, 3}, torch::kDouble),
       small.to(torch::kDouble).t(), torch::tensor({true, false}), std::vector<at::Tensor>{torch::arange(7)});
}

void show_gradients() {
  const auto fresh = torch::ones(3).requires_grad_(), leaf = torch::ones(3).requires_grad_();
  const auto large = torch::ones({3, 3}).requires_grad_(), frozen = torch::ones(2).requires_grad_();
  (leaf * torch::arange(3)).sum().backward();
  (large.t() * torch::arange(9).reshape({3, 3})).sum().backward();
  frozen.sum().backward();
  frozen.requires_grad_(false);
  // G[0], G[1], G[2], G[3], G[0] * 2, G[1][0], G[1].detach(), G[1].grad, (G[0] * 2).sum()
  show(fresh, leaf, large, frozen, fresh * 2, leaf[0], leaf.detach(), leaf.grad(), (fresh * 2).sum());
}

/// A class of the notebook, as the translator writes it for the proving program.
struct Point {
  std::int64_t x = 1;
  Ints items{2, 3};
  std::shared_ptr<Point> next{};

  std::string proved() const {
    return torchbook::proof::object({{"x", torchbook::proof::text(x)},
                                     {"items", torchbook::proof::text(items)},
                                     {"next", torchbook::proof::text(next)}});
  }
};

struct NetImpl : torch::nn::Module {
  torch::nn::Linear one = register_module("one", torch::nn::Linear(2, 3));
  at::Tensor scale = register_parameter("scale", torch::ones(2));
  at::Tensor mask = register_buffer("mask", torch::zeros(8));
  std::int64_t size = 5;

  std::string proved() const {
    return torchbook::proof::object(*this, {{"size", torchbook::proof::text(size)}});
  }
};
TORCH_MODULE(Net);

struct Config {
  std::string name = "it's";
  double rate = 0.1;
  std::string proved() const {
    return torchbook::proof::dict(
        {{"name", torchbook::proof::text(name)}, {"rate", torchbook::proof::text(rate)}});
  }
};

void show_objects() {
  Point point;
  point.next = std::make_shared<Point>();
  auto looped = std::make_shared<Point>();
  looped->next = looped;
  // Point(), Point(Point()), [Point()], LOOPED, [Point() for _ in range(1001)]
  show(Point(), point, std::vector<Point>(1), looped, std::vector<Point>(1001));
  looped->next = nullptr;
  // {"name": "it's", "rate": 0.1}
  show(Config());
  torch::manual_seed(1);
  // *modules()
  const Net net;
  show(net, *net);
  torch::nn::Sequential layers(torch::nn::Linear(2, 2), torch::nn::ReLU(), torch::nn::BatchNorm1d(2));
  show(layers, layers[0]);
  torch::nn::Sequential frozen(torch::nn::Linear(2, 2));
  frozen->eval();
  frozen->parameters()[0].requires_grad_(false);
  show(frozen);
  show(torch::nn::Embedding(3, 2));
  show(torch::nn::Linear(torch::nn::LinearOptions(2, 1).bias(false)));
}

void seed_all() {
  torch::manual_seed(7);
  torch::randn(3);
  torchbook::random::seed(7);
  torchbook::random::random();
  torchbook::np::random::seed(7);
  torchbook::np::random::rand();
}

}  // namespace

int main() try {
  show_plain_values();
  show_containers();
  show_tensors();
  show_gradients();
  show_objects();
  std::int64_t counted = 1;
  torchbook::proof::hold("counted", [&] { return torchbook::proof::text(counted); });
  torchbook::proof::tell(1);
  counted = 2;
  seed_all();
  torchbook::proof::tell(2);
  torchbook::proof::drop("counted");
  torch::set_default_dtype(caffe2::TypeMeta::fromScalarType(torch::kFloat64));
  const torch::NoGradGuard guard;
  torchbook::proof::tell(3);
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
