# %%
import math
import numpy as np
import torch

# %%
text = "the quick brown fox jumps over the lazy dog"
print(len(text), text[4], text[-3:], text[::-2], text[4:9:2], text[:100:-1] == "", text[-500:3])

# %%
words = text.split()
print(words, "-".join(words), text.upper(), text.title(), text.capitalize(), "ABC d".lower())

# %%
print("  a b ".strip() + "|", "xxabxx".strip("x"), " a ".lstrip() + "|", " a ".rstrip() + "|", "a,b,,c".split(","), "a\tb\n c".split())
print(text.count("the"), text.find("fox"), text.find("cat"), text.replace("the", "a"), text.startswith("the"), text.endswith("dog"))
print("abc".isalpha(), "a1".isalpha(), "12".isdigit(), "a1".isalnum(), " \n".isspace(), "".isdigit(), "fox" in text, "cat" not in text)

# %%
print("{} {:.3f} {:>6}|{:<6}|{:^6}|".format(1, 2.5, "a", "b", "c"), "{1}-{0}{{}}".format(1, 2), "{x!r}".format(x="y"))
print("%d %5d %-5d| %05d %+d %.2f %8.3f %e %g %s %r %5s| %-5s| 100%%" % (1, 2, 3, 4, 5, 0.125, 2.5, 1234.5, 0.00001, "s", "r", "t", "u"))
print("%s" % torch.tensor(1.5), "%s and %s" % ([1, 2], torch.tensor(2.5)), "%.1f" % 0.25, "n = %d" % 7)

# %%
int("42") + 1, float("2.5"), float("-inf"), str(2.50) + "!", str(torch.tensor([1, 2])), int(-2.7), round(2.5), round(3.5), round(2.675, 2), round(-0.5)

# %%
numbers = [3, 1, 2, 5, 4]
print(numbers[1:], numbers[:-1], numbers[::2], numbers[::-1], numbers[-2:], numbers[10:], numbers[-1], numbers[3:1:-1])
print(sorted(numbers), sorted(numbers, reverse=True), list(reversed(numbers)), min(numbers), max(numbers), sum(numbers), sum(numbers) / len(numbers))

# %%
numbers.append(9)
numbers.extend([7, 8])
numbers.insert(0, 6)
last = numbers.pop()
for i in range(-1, 2):
    print(numbers[i - 1], text[i - 2])
numbers[len(numbers) - 10] = 6
first = numbers.pop(0)
numbers += [4] * 2
numbers.sort()
print(numbers, last, first, numbers.index(7), numbers.count(4), 9 in numbers, 10 in numbers)
numbers.reverse()
copied = list(numbers)
copied[0] = 100
copied.sort(reverse=True)
print(numbers, copied, numbers + [0], [0] * 3, len(copied))

# %%
pairs = [("b", 2), ("a", 2), ("c", 1)]
for name, value in sorted(pairs, key=lambda pair: pair[1]):
    print(name, value)
print(sorted(pairs), sorted(pairs, key=lambda p: -p[1]), sorted(pairs, key=lambda p: (p[1], p[0]), reverse=True), max(pairs), min(pairs, key=lambda p: p[1]))

# %%
print(sorted(words, key=len), max(words, key=len), min(words), list(map(len, words)), [w[0] for w in words if len(w) > 3])

# %%
vocab = sorted(set(text))
stoi = {ch: i for i, ch in enumerate(vocab)}
itos = {i: ch for ch, i in stoi.items()}
print(stoi, len(vocab), len(set(words)), "the" in set(words))

# %%
counts = {}
for word in words:
    counts[word] = counts.get(word, 0) + 1
counts["fox"] += 10
print(counts, list(counts.keys())[:2], list(counts.values()), sum(counts.values()), max(counts, key=counts.get), "cat" in counts)

# %%
bigrams = {}
for one, other in zip("hello", "hello"[1:]):
    bigrams[(one, other)] = bigrams.get((one, other), 0) + 1
print(bigrams)
bigrams

# %%
flat = [x * y for x, y in zip(numbers, numbers[1:])]
grid = [(i, j) for i in range(3) for j in range(i)]
table = [[i * j for j in range(3)] for i in range(2)]
primes = [p for p in range(2, 20) if all(p % d != 0 for d in range(2, p))]
print(flat, grid, table, primes, any(p > 18 for p in primes), sum(p > 10 for p in primes), [x for row in table for x in row])
torch.tensor(table)

# %%
print(math.floor(-2.5), math.ceil(2.1), math.degrees(math.pi), math.radians(90), math.log(8, 2), math.log2(8), math.atan2(1, 2), divmod(-17, 5), math.isnan(float("nan")), abs(-3), 2 ** 10)
print(list(range(5)), list(range(5, 0, -2)), tuple([1, 2]), (1,), [True, False], [1.0, 2.5], ["a'b", 'c"d'])

# %%
x = torch.arange(6)
best = x.argmax().item()
total = 0
for row in x.float():
    total += row.item()
print(best, words[best], round(total / 4, 2), (x > 2).sum().item() / 6, type(best), type(total), type(x))

# %%
print(x.tolist(), x.view(2, 3).tolist(), torch.tensor(1.5).tolist(), (x > 2).tolist(), (x / 2).view(3, 1, 2).tolist(), list(x.view(2, 3).shape))
a, b, c = x[:3].tolist()
print(a, b, c, [round(v, 3) for v in (x / 7).tolist()])

# %%
array = np.array([[1.0, 2.0], [3.0, 4.0]])
t = torch.from_numpy(array)
copy = torch.tensor(array, dtype=torch.float32)
t += 1
shared = x.numpy()
x += 1
print(torch.from_numpy(array), copy, torch.from_numpy(shared), np.sqrt(2) * t[0, 0].item(), torch.from_numpy(np.ones(3)))

# %%
v = torch.tensor([[3.0, 4.0], [6.0, 8.0]], requires_grad=True)
print(v.norm(), torch.norm(v, p=1), v.norm(dim=1), v.norm(2, 0, True), v.detach().norm(p=float("inf")), v.norm(dim=(0, 1)))

# %%
g = torch.Generator().manual_seed(42)
print(torch.multinomial(torch.ones(5), 3, generator=g), torch.rand(2, generator=g), torch.randn(2, 2, generator=g))
g.manual_seed(42)
torch.randint(0, 10, (3,), generator=g), torch.randperm(4, generator=g)

# %%
w = torch.tensor([1.0, 2.0], requires_grad=True)
q = 3 * w ** 3
q.backward(torch.ones(2), retain_graph=True)
q.backward(gradient=torch.tensor([1.0, 0.0]))
print(w.grad)
print(torch.autograd.grad((w * w).sum(), w))
slope, = torch.autograd.grad((w ** 2).sum(), w, create_graph=True)
slope.sum().backward()
w.grad

# %%
A = torch.tensor([[4.0, 1.0], [2.0, 3.0]])
values, vectors = torch.linalg.eigh(A @ A.T)
print(torch.linalg.inv(A), torch.linalg.det(A), torch.linalg.norm(A), torch.linalg.solve(A, A[0]), torch.linalg.matrix_rank(A).item(), [round(v, 3) for v in values.tolist()])

# %%
def describe(name, t, digits=2):
    """Describes a tensor."""
    print(f"{name}: {round(t.mean().item(), digits)} {t.max().item():.1f} {len(t)}")
describe("A", A)
describe("w", torch.tensor([1.0, 2.0, 4.0]), digits=3)

# %%
try:
    print("before")
    torch.ones(2, 3) @ torch.ones(2, 3)
    print("behind")
except RuntimeError as error:
    print("Error:", error)
    print(f"{error}")
try:
    torch.zeros(3) + torch.zeros(2)
except RuntimeError as e:
    print(e)
try:
    torch.ones(3).backward()
except RuntimeError:
    print("no graph")
try:
    fine = torch.ones(2) * 2
except RuntimeError as e:
    print(e)
print(fine)

# %%
settings = {"std": 0.5, "layers": 2, "dtype": torch.float32, "name": "it's"}
print(settings, f"{settings}")
n = 3
print(10 ** 6, n ** 3, (n - 5) ** 3, math.factorial(n + 2), 2 ** n, (-2) ** 3, 0 ** 0)
def shape_of(t):
    print(tuple(t.shape), list(t.shape))
shape_of(x)
shape_of(x.view(2, 3))
shape_of(torch.tensor(1))
print(tuple(x.shape), tuple(x.view(2, 3).shape))
starts = torch.tensor([0, 2])
print(torch.stack([x[i:i + 2] for i in starts]), text[starts[1]:9], words[starts[1]])
for point in [(1.0, 2.0), (3.0, 4.0)]:
    print(torch.tensor([point]))

# %%
kinds, amounts = torch.unique(torch.tensor([3, 1, 3, 2]), return_counts=True)
across, down = torch.meshgrid(kinds, torch.tensor([5, 6]), indexing="ij")
print(kinds, amounts, across, down, torch.tensor([2.0, 1.0, 2.0]).unique(), torch.unique(x, return_inverse=True, return_counts=True))
print(torch.as_tensor([1.5, 2]), x.byte().dtype, x.char(), x.ndimension(), len(kinds.unique()))

# %%
lines = "one\r\ntwo\n\nthree\vfour\n".splitlines()
print(lines, "".splitlines(), "\n".splitlines(), "a\rb".splitlines())
step = -2
print([place for place in range(7, 0, step)])
for place in range(5, 0, step):
    print(place)

# %%
class Line:
    def __init__(self, slope, offsets):
        self.slope = slope
        self.size = len(offsets)
        self.offsets = offsets

    def at(self, x):
        return self.slope * x + self.offsets

    def move(self, by):
        for offset in self.offsets:
            offset -= by

class Fixed:
    def __init__(self):
        self.count = 3

offsets = torch.tensor([1.0, 2.0])
line = Line(2.0, offsets)
line.move(0.5)
print(line.at(3), line.slope, line.size, offsets, Fixed().count)

# %%
context = [0] * 3
windows = []
for number in range(4):
    windows.append(context)
    context = context[1:] + [number]
print(windows, torch.tensor(windows).shape, torch.tensor([context]))
def halved(x, twice):
    if twice:
        half = None
    else:
        half = x / 2
    return x, half
function = halved
print(function(torch.ones(1), True), function(torch.ones(1), False))

# %%
flags = 6
print(flags & 3, flags | 1, flags ^ 5, ~flags, 1 << 4, flags >> 1, (flags & 1) == 0, 2 + (flags & 3) * 2)
width = 7.5
print(width // 2, -width // 2, width % 2, -width % 2, width % -2, 6.0 // 3, -0.0 // 3.0, 1 // 0.1, width // 3 * 3 + width % 3)
print(int(True), max(1, 5, 3), min(2.5, 0.5, 1.5), pow(2, 5))
print([1, 2, 3][0], (4, 5, 6)[-1], [1, 2] == [1, 2], (1, 2) < (1, 3), words[:2] == ["the", "quick"], [flags] != [5])

# %%
def squared(x):
    return x ** 2
def slope(f, x, h=1e-3):
    return (f(x + h) - f(x - h)) / (2 * h)
def greeting(name, word="Hello", *, mark="!"):
    return f"{word}, {name}{mark}"
print(f"{slope(squared, 3.0):.6f}", slope(squared, -1.5) < -2.9)
print(greeting("Ada"), greeting("Bob", mark="?"), greeting("Eve", "Bye"))

# %%
table = np.array([[1, 2], [3, 4]], dtype="float32")
column = np.array([1.5, 2.5], dtype=np.float64)
print(torch.from_numpy(table), torch.tensor(column), torch.from_numpy(table).dtype)

# %%
options = {"bias": True, "size": [1, 2], "name": "x", "pair": (3, 4.5), "learning rate": 0.1}
for key, value in options.items():
    print(f"{key:>15}|{value!s:>10}|{value}")
for value in options.values():
    print(value)
print(len(options), "bias" in options, options.get("name"), options.get("depth", 3), options["size"][0])
layer_options = dict(in_features=2, out_features=3, bias=False)
print(torch.nn.Linear(**layer_options)(torch.ones(2)).shape)
plan = {"layer sizes": [2, 3], "dtype": torch.float64}
print(torch.zeros(plan["layer sizes"], dtype=plan["dtype"]))

# %%
first_one, *between, last_one = [1, 2, 3, 4]
top_row, *other_rows = torch.arange(6).reshape(3, 2)
*but_last, last_letter = "hello"
print(first_one, between, last_one, top_row, other_rows, but_last, last_letter)

# %%
changing = torch.ones(1)
for step in range(2):
    changing = 0.5 * step
    print(changing)
for changing in range(2):
    print(changing)
doubled = [2 * n for n in range(4) if n != 1 and n < 3]
print(doubled, sum(n * 0.5 for n in doubled), sum(n > 1 for n in doubled))

# %%
schedule_of = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.1)
by_function = torch.optim.lr_scheduler.LambdaLR(schedule_of, lr_lambda=lambda epoch: 0.95 ** (epoch + 1))
for _ in range(3):
    schedule_of.step()
    by_function.step()
    print(by_function.get_last_lr())

# %%
milestones_of = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.1)
by_milestones = torch.optim.lr_scheduler.MultiStepLR(milestones_of, milestones=[1, 2], gamma=0.5)
for _ in range(3):
    milestones_of.step()
    by_milestones.step()
    print(by_milestones.get_last_lr())

# %%
base = 3
def shifted_by(t, by=base, *, times=1):
    return t * times + by

grid_of = torch.arange(6).reshape(2, 3)
print(shifted_by(grid_of), shifted_by(grid_of, 2), shifted_by(grid_of, times=2))
print(grid_of.stride(), grid_of.t().stride(), grid_of[1].storage_offset(), grid_of.data_ptr() == grid_of.view(6).data_ptr())
assert [1, 2] == [1, 2]
f"{base:>3}" < f"{grid_of[0, 1]}"

# %%
grid = np.array([[1, 2], [3, 4]])
half = grid / 2
print(grid, half + 1, 1 - half, half * grid, grid > 2, grid == grid, -grid, grid.T, half ** 2, 1e9 * half)
grid.dtype, grid, half

# %%
first = half[0]
first *= 10
half[1] += grid[0]
print(half, grid[:, 1], grid[0, 1:], grid.tolist(), grid.astype(np.float32), grid.flatten(), len(grid))
[half, np.zeros_like(grid)]

# %%
chosen = np.zeros((3, 4))
rows_of = np.array([2, 0])
bytes_of = (torch.tensor([3, 0, 3]) > 1).byte().numpy()
chosen[rows_of] = 1
chosen[rows_of, 1:3] = 2.5
chosen[bytes_of, np.array([0, 1, 3], dtype=np.int32)] = 7
chosen[chosen == 0] = -1
chosen[1] = 9
chosen[..., np.array([-1])] = rows_of.size
print(chosen)

# %%
def reduced(values, first):
    if first:
        dim = 0
    else:
        dim = (0, -1)
    return values.sum(dim), values.mean(dim, keepdim=True), values.var(dim=dim), values.std(dim, unbiased=False), values.amax(dim)
reduced(torch.arange(6.0).view(2, 3) ** 2, True), reduced(torch.arange(6.0).view(2, 3) ** 2, False)

# %%
print(np.arange(0, 1, 0.1), np.linspace(0, 1, 5), np.zeros((2, 3)), np.full((2,), 7), np.eye(3), np.arange(1200).reshape(2, 600))
np.ones((1, 2), dtype=np.float32)

# %%
def first_of_cell(x):
    return second_of_cell(x) + offset_of_cell

class ScaledByCell:
    def __call__(self, x):
        return x * scale_of_cell

offset_of_cell = 4

def second_of_cell(x):
    return x * scale_of_cell

if __name__ == "__main__":
    scale_of_cell = 3  # below what reads it
    print(first_of_cell(2), ScaledByCell()(5))
    scale_of_cell

# %%
np.random.seed(42)
print(np.random.rand(), np.random.randn(), np.random.randint(10), np.random.rand(3), np.random.randn(2, 2))

# %%
np.random.seed(0)
data = np.random.randn(5, 2)
noise = np.random.normal(0, 0.1, size=(5, 1))
print(data, noise, np.random.normal(size=3), np.random.normal(loc=2.0, scale=0.5), np.random.normal(1, 2, 3))
data * 2 + noise

# %%
print(np.random.uniform(-1, 1), np.random.uniform(size=2), np.random.uniform(0, 5, (2, 2)), np.random.random(), np.random.random((2, 3)))
print(np.random.standard_normal(3), np.random.random_sample(2))

# %%
print(np.random.randint(0, 10, size=5), np.random.randint(3, size=(2, 4)), np.random.randint(-5, 5), np.random.randint(low=2, high=1000, size=3), np.random.randint(0, 2, 10))

# %%
print(np.random.permutation(7), np.random.choice(10, 4), np.random.choice(10, size=4, replace=False))

# %%
np.random.seed(2**31)
inputs = torch.from_numpy(np.random.rand(3, 2)).float()
print(inputs, torch.tensor(np.random.randn(2), dtype=torch.float32))

# %%
small_of = np.array([1.5, -2.0, 0.1])
counts_of = np.array([[1, 2, 3], [4, 5, 6]])
print(small_of[0], small_of[-1], counts_of[1, 2], counts_of[0][1], f"{small_of[2]:.2f} {small_of[2]} {counts_of[0, 0]:>4}")

# %%
# before numpy 2
small_of[2], counts_of[0, 1]

# %%
print(small_of[0] + 1, small_of[0] * small_of[1], counts_of[0, 0] + counts_of[1, 1], counts_of[0, 0] / 2, 3 - small_of[2], float(counts_of[0, 2]), int(small_of[1]), small_of[0] > 1, counts_of[0, 1] == 2, math.sqrt(counts_of[1, 0]))

# %%
kept_of = small_of[1]
small_of[1] = 7.0
print(kept_of, small_of[1], kept_of.item())

# %%
torch_of = torch.tensor([0.1, 1e-5, 123456.789]).numpy()
print(torch_of[0], torch_of[1], torch_of[2], f"{torch_of[0]:.3f}", float(torch_of[0]))

# %%
print(small_of[small_of > 0], counts_of[counts_of > 2], counts_of[counts_of == 9])
mask_of = counts_of < 4
order_of = np.array([2, 0])
print(counts_of[mask_of], small_of[order_of])

# %%
torch.manual_seed(0)
class LinearOfOwn:
    def __init__(self, fan_in, fan_out, bias=True):
        self.weight = torch.randn((fan_in, fan_out)) / fan_in**0.5
        self.bias = torch.zeros(fan_out) + 1 if bias else None

    def __call__(self, x):
        self.out = x @ self.weight
        if self.bias is not None:
            self.out += self.bias
        return self.out

    def parameters(self):
        return [self.weight] + ([] if self.bias is None else [self.bias])

with_bias = LinearOfOwn(2, 3)
without_bias = LinearOfOwn(2, 3, bias=False)
print(with_bias(torch.ones(1, 2)), without_bias(torch.ones(1, 2)), len(with_bias.parameters()), len(without_bias.parameters()), without_bias.bias, with_bias.bias)

# %%
has_two_of = len(without_bias.parameters()) > 1
none_of_all = torch.ones(2) if has_two_of else None
print(none_of_all, none_of_all is None)

# %%
stock = {"a": 1, "b": 2, "c": 3}
del stock["a"]
stock.update({"d": 4, "b": 5})
print(stock, len(stock), stock["c"], "a" in stock)
stock["a"] = 6
print(stock, list(stock), 2 ** -3, 10 ** -2)

# %%
from pathlib import Path
import typing as tp
block = 3
places = {"a": 1, "b": 2}
pair = torch.ones(2)

# %%
with open("words.txt") as file:
    names = file.readlines()
print(len(names), repr(names[0]))

# %%
for line_of_file in open("words.txt"):
    pass
print(repr(line_of_file))

# %%
def load_names(path: Path) -> list[str]:
    with path.open("r") as f:
        return f.read().splitlines()
print(load_names(Path("words.txt"))[:2])

# %%
print(len((Path.cwd() / "words.txt").read_text().split()))

# %%
def encode_by(text, table=places, n=block * 2, weights=pair):
    return [table[c] * n for c in text], weights.sum()
print(encode_by("ab"), encode_by("b", {"b": 7}))

# %%
places["b"] = 10
pair += 1
print(encode_by("ab"))

# %%
def never(names: tp.List[str], counts: tp.Dict[str, int], sizes: list[int]):
    out = []
    for name in names:
        for c in name + ".":
            out.append(counts[c] + sizes[0])
    return torch.tensor(out)

# %%
filled = np.ones(5)
shared = torch.from_numpy(filled)
np.add(filled, 1, out=filled)
print(filled, shared)

# %%
print(np.add(filled, 1), np.subtract(1, filled), np.divide(filled, 3))

# %%
counts_2d = np.array([[3, 1], [2, 5]])
print(np.max(counts_2d), counts_2d.min(), np.sum(counts_2d), counts_2d.mean(), np.mean([1, 2, 2]), np.max([0.5, 2.5]), np.mean(counts_2d == counts_2d), np.sum(counts_2d > 1))

# %%
# before numpy 2
np.max(counts_2d), counts_2d.sum()

# %%
np.random.seed(3)
samples = np.random.randn(300, 40)
normal = (samples - samples.mean(axis=0)) / samples.std(axis=0)
print(samples[:200, :].sum(), normal.mean(0)[:3], np.std(normal, axis=1, ddof=1)[:3], samples[:, 2].mean(), samples.T.sum(axis=0)[:2])
print(samples[::2].sum(axis=0)[:2], samples[:, :3].sum(), np.mean([0.1, 0.7, 1e-3, 2.5]), np.var([1, 2, 2], ddof=1))

# %%
shares = samples[:4, :3] / samples[:4, :3].sum(axis=1, keepdims=True)
print(shares, shares.sum(axis=-1), shares.max(axis=0), shares.argmax(axis=1), np.min(shares, axis=1, keepdims=True))
print(counts_2d.sum(axis=0), counts_2d.mean(axis=1), counts_2d.std(), (counts_2d > 2).sum(axis=1), counts_2d.sum(1, keepdims=True))

# %%
average = samples[0].mean()
print(f"{average:.6f}", average * 2, round(float(samples[0].std()), 4), torch.rand(1000).numpy().mean())

# %%
halves = np.array([2.5, -1.5, 0.3, 7.0, -1.5])
print(np.sqrt(halves), np.abs(halves), np.floor(halves), np.ceil(halves), np.round(halves), np.square(halves), np.negative(halves))
print(np.argmin(halves), halves.argmax(), np.argmax(counts_2d), np.trunc(halves.astype("float32")), np.argmin([3, 1, 2]))

# %%
print(np.triu(np.ones([2, 3, 3]), k=1), np.tril(counts_2d))

# %%
np.linspace(0.1, 100)[:3], np.linspace(0, 1).shape

# %%
mixed = torch.tensor([1.7, 2])
moved = mixed.to("cpu", torch.double)
print(moved, mixed.to(dtype=torch.long)[0].item(), mixed.to(device="cpu", dtype=torch.int32), mixed.type(torch.long), mixed.type(dtype=torch.float64).mean(), mixed.layout)

# %%
torch.add(5, 5), torch.add(5, 5).dtype, torch.add(5, 2.5), torch.mul(2, mixed), torch.add(mixed, 10, alpha=2), torch.sub(1, mixed), torch.div(3, 2), torch.div(3, mixed)

# %%
print(torch.device("cuda", 0), torch.device("cpu", 0))
torch.device("cuda", 1)

# %%
import random
kinds_of = []
for i in range(3):
    kinds_of.append(torch.tensor(i))
print(kinds_of)

# %%
kinds_of = []
for i in range(3):
    kinds_of.append(i / 2)
print(kinds_of)

# %%
def halving(n):
    while True:
        if n % 2 == 1:
            return n
        n = n // 2
print(halving(24))

# %%
def split_in_two(items, share=0.5, seed=42):
    random.seed(seed)
    mixed = list(items)
    random.shuffle(mixed)
    at = int(share * len(items))
    return mixed[:at], mixed[at:]
four_words = ["a", "b", "c", "d"]
first, second = split_in_two(four_words)
print(first, second, four_words)

# %%
index_by = {"a": 1, "b": 2, ".": 0}
letter_by = {i: s for s, i in index_by.items()}
four_words = ["ab", "ba", "aab", "b"]
uniform_p = torch.ones(3, 3) / 3

# %%
def get_indexes(four_words, index_by=index_by):
    xs, ys = [], []
    for w in four_words:
        chs = ["."] + list(w) + ["."]
        for a, b in zip(chs, chs[1:]):
            ix1, ix2 = index_by[a], index_by[b]
            xs.append(ix1)
            ys.append(ix2)
    return xs, ys

# %%
def calculate_loss(four_words, index_by=index_by) -> None:
    n = 0
    log_likelihood = 0
    xs, ys = get_indexes(four_words, index_by)
    for ix1, ix2 in zip(xs, ys):
        prob = uniform_p[ix1, ix2]
        logprob = torch.log(prob)
        log_likelihood += logprob
        n += 1
    print(f"{log_likelihood=}", n)
calculate_loss(four_words)

# %%
def both(n):
    xs, ys = [n], {}
    for i in range(n):
        xs.append(i)
        ys[i] = i * 2
    return xs, ys
p1, q1 = both(2)
p1.append(7)
q1[9] = 1
r1, s1 = both(2)
print(p1, q1, r1, s1)

# %%
# names that only some blocks assign
wet, cold = True, False
if wet:
    weather = 1
if cold:
    weather = 2
print(weather)

# %%
# sizes that have a name
of_three = torch.ones(2, 1, 3)
last_sizes = of_three.size()[-2:]
all_sizes = of_three.shape
print(last_sizes, all_sizes, all_sizes[1:])

# %%
print(torch.zeros(last_sizes))

# %%
# Python's words for an error
for written in ("12", " +7 ", "1.5", "it's", ""):
    try:
        whole = int(written)
    except ValueError as error:
        whole = 0
        print("no", error)
    print(whole)
try:
    print([1, 2][whole + 5])
except IndexError as error:
    print(error)

# %%
zero = whole * 0

# %%
# before Python 3.14
only = [1]
for tried in range(5):
    try:
        if tried == 0:
            print(5 / zero)
        if tried == 1:
            print(5.0 / zero)
        if tried == 2:
            print(5 // zero)
        if tried == 3:
            print(5 % zero)
        print(only.pop(tried))
    except Exception as error:
        print(error)

# %%
# before Python 3.12
try:
    print(5.0 % zero)
except ZeroDivisionError as error:
    print(error)

# %%
# the None of a call
def announce(text):
    print("now", text)

said = announce("first")
print(said, announce("second"), type(3))

# %%
for line in range(2):
    print(line)
    for line in [0.5]:
        print(line)

# %%
place = torch.device("cuda" if torch.cuda.is_available() else "cpu")
if place.type == "cpu":
    print(place.type, torch.cuda.device_count(), torch.cuda.memory_allocated(), torch.cuda.memory_reserved(place))

# %%
spread = torch.full((3,), 0.5)
print(torch.normal(mean=torch.arange(3.0), std=spread), torch.normal(0.0, spread), torch.normal(torch.arange(3.0), 2.0))

# %%
known_letters = set({"a": 1, "b": 2}.keys())
for pair_of_letters in ["ab", "cd", "ac"]:
    if any(each not in known_letters for each in pair_of_letters):
        print(pair_of_letters)

# %%
from_torch = torch.ones(2, 3)
copied_from_torch = torch.tensor(from_torch)
copied_from_torch += 1
print(from_torch, copied_from_torch, torch.tensor([row.sum() for row in from_torch]))

# %%
resized = np.array([1.0, 2.0])
print(resized.shape, resized[0], resized[1:])
resized = np.array([[1.0, 2.0], [3.0, 4.0]])
print(resized.shape, resized[0], resized[1, 0])

# %%
torch.set_default_dtype(torch.float64)
print(torch.ones(2) / 3)
torch.set_default_tensor_type(torch.FloatTensor)
print(torch.ones(2) / 3, torch.get_default_dtype())

# %%
from collections import deque
last_three = deque([1, 2], maxlen=3)
print(last_three, len(last_three), last_three[0], last_three[-1])
for number in range(3, 6):
    last_three.append(number)
last_three.appendleft(9)
print(last_three, last_three.pop(), last_three.popleft(), last_three, f"{last_three}", 4 in last_three, list(last_three))
same_three = last_three
same_three.append(7)
print(last_three[0] + same_three.pop() * 10, last_three, sum(last_three), deque(last_three, 2), [n + 1 for n in last_three])
last_three

# %%
def keep(history, value):
    history.append(value)
    return sum(history) / len(history)

recent_losses = deque(maxlen=2)
for step in range(4):
    recent_losses.append(step / 4)
    print(keep(recent_losses, step / 2), max(recent_losses), recent_losses[step % 2])
kept_tensors = deque([torch.zeros(2)], maxlen=1 + 1)
kept_tensors.appendleft(torch.ones(2))
print(torch.stack(list(kept_tensors)), kept_tensors)
for i, loss in enumerate(recent_losses):
    print(i, loss)
try:
    kept_tensors[5]
except IndexError:
    print("too short")
deque(list(range(9)) * 5, maxlen=60)

# %%
# variables of the notebook that functions assign
ticks = 0
def tick(by=1):
    global ticks
    ticks += by
    return ticks
print(ticks, tick(), ticks, ticks + tick(2) + ticks, f"{ticks} {tick()} {ticks}")
for _ in range(ticks):
    tick()
print(ticks)

# %%
while ticks < 12:
    tick()
moving, moves = torch.zeros(2), 0.5
def move(x, before):
    global moving, moves
    moving = moving * 0.5 + x
    moves *= 2
    return x, before
print(move(torch.ones(2), moving), moving, moves)
moving += 1
print(move(moving, moving), moving, moves, ticks)

# %%
class Ticker:
    def __init__(self):
        self.first = tick()
    def next(self):
        return tick(self.first)
ticker = Ticker()
print(ticks, ticker.next(), ticks, Ticker().first, ticks)

# %%
first_reading = 4
def half_reading():
    global first_reading
    return first_reading / 2
print(half_reading())

# %%
# what stays empty
never_filled, never_counted = [], {}
from_below = 3
print(from_below)
