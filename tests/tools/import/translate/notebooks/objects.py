# %%
import time
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset

_ = torch.manual_seed(0)

# %%
def outer(a):
    def inner(b):
        return a * b
    return inner(3) + inner(4)

outer(2)

# %%
def times(n):
    def multiplied(x):
        return x * n
    return multiplied

tripled = times(3)
tripled(2), times(4)(5)

# %%
def compose(first, second):
    def both(x):
        return first(second(x))
    return both

plus_then_twice = compose(lambda x: x + 1, lambda x: x * 2)
plus_then_twice(torch.ones(2))

# %%
def difference_quotient(function, x, eps=1e-3):
    def at(i):
        step = torch.zeros_like(x)
        step[i] = eps
        return (function(x + step) - function(x - step)) / (2 * eps)
    return torch.stack([at(i) for i in range(len(x))])

difference_quotient(lambda t: (t ** 2).sum(), torch.tensor([1.0, 2.0]))

# %%
activations = {"relu": torch.relu, "tanh": torch.tanh}
for label, activation in activations.items():
    print(label, activation(torch.tensor([-1.0, 2.0])))
activations["relu"](torch.tensor([-1.0, 1.0]))

# %%
functions = [torch.sin, torch.cos, F.gelu]
for function in functions:
    print(function(torch.tensor(1.0)))
print(functions[0](torch.ones(2)), list(map(torch.exp, [torch.zeros(1), torch.ones(1)])))

# %%
def applied(function, x):
    return function(x)

print(applied(torch.exp, torch.zeros(2)), applied(torch.sqrt, torch.ones(2)))
chosen = torch.sin if len(functions) > 3 else torch.cos
chosen(torch.ones(1))

# %%
class Layer(nn.Module):
    gain = 2

    def __init__(self, activation=torch.relu):
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.activation = activation
        self.squashed = F.relu

    def forward(self, x):
        def doubled(y):
            return y * 2
        self.latest = self.activation(self.linear(x))
        return doubled(self.squashed(self.latest)) * self.gain

# %%
layer, other_layer = Layer(), Layer(torch.tanh)
print(layer(torch.ones(1, 2)), other_layer(torch.ones(1, 2)))
layer.latest.shape, layer.gain

# %%
def total(*values):
    result = 0
    for value in values:
        result += value
    return result

def shown(*values, scale=2):
    print(values, len(values))
    return values[0] * scale

print(total(1, 2, 3), shown(torch.ones(1)), shown(torch.ones(2), torch.zeros(2), scale=3))

# %%
def mlp(*sizes):
    layers = []
    for inputs, outputs in zip(sizes[:-1], sizes[1:]):
        layers.append(nn.Linear(inputs, outputs))
    return nn.Sequential(*layers)

mlp(2, 3, 4)

# %%
triple = (1, 2, 3)
for i in range(3):
    print(triple[i], triple[-1], triple[i - 1])

# %%
x = torch.arange(12).reshape(3, 4)
parts = torch.chunk(x, 3)
print(parts, len(parts), parts[0], parts[-1], type(parts))
parts

# %%
for i, part in enumerate(x.split(2)):
    print(i, part)
upper, lower = x.split(2)
print(x.unbind(1)[1:], list(x.unbind())[0], tuple([1, 2, 3]))
torch.cat(parts), torch.stack(x.unbind(1)), torch.where(x > 5)

# %%
[tuple(p.shape) for p in nn.Linear(2, 3).parameters()]

# %%
greatest = torch.max(torch.tensor([[1.0, 3.0], [2.0, 0.0]]), dim=1)
print(greatest, greatest.indices, f"{greatest.values}")
torch.sort(torch.tensor([3, 1, 2])), torch.topk(torch.arange(4.0), 2)

# %%
found = torch.linalg.eigh(torch.eye(2))
print(found.eigenvalues)
found

# %%
values, counts = torch.unique(torch.tensor([3, 1, 2, 3, 1, 1]), return_counts=True)
for value, count in zip(values.tolist(), counts.tolist()):
    print(f"{value} appears {count} time{'s' if count > 1 else ''}")
[[round(v, 2) for v in row] for row in torch.tensor([[0.123, 1.0], [2.0, 3.456]]).tolist()]

# %%
class Counter:
    """Counts what it is given."""

    def __init__(self):
        self.n = 0
        self.seen = []

    def add(self, k):
        self.n += k
        self.seen.append(k)
        return self.n

    def __len__(self):
        return len(self.seen)

    def __getitem__(self, i):
        return self.seen[i]

counter = Counter()
counter.add(3)
same_counter = counter
same_counter.add(4)
print(counter.n, same_counter.n, len(counter), counter[1], counter.seen)

# %%
def bump(each):
    each.add(10)

bump(counter)
counter.n = counter.n + 1
print(same_counter.n, len(same_counter))

# %%
class Meter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.total = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.total += value * n
        self.count += n

    @property
    def average(self):
        return self.total / self.count

meter = Meter()
meter.update(2.0)
meter.update(3.5, 2)
print(meter.total, meter.count, meter.average)

# %%
class Config:
    width = 3
    rate = 0.5
    name = "small"

config = Config()
print(config.width, Config.rate, config.name)

# %%
@dataclass
class GPTConfig:
    block_size: int = 8
    vocab_size: int = 10
    n_embd: int = 4

class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.wte = nn.Embedding(config.vocab_size, config.n_embd)
        self.head = nn.Linear(config.n_embd, config.vocab_size, bias=False)

    def forward(self, idx):
        B, T = idx.size()
        assert T <= self.config.block_size
        return self.head(self.wte(idx))

gpt = GPT(GPTConfig(vocab_size=12))
gpt(torch.zeros(1, 3, dtype=torch.long)).shape, gpt.config.n_embd

# %%
class Trainer:
    def __init__(self, model, rate):
        self.model = model
        self.rate = rate
        self.steps = 0

    def step(self, x):
        loss = self.model(x).sum()
        self.model.zero_grad()
        loss.backward()
        with torch.no_grad():
            for p in self.model.parameters():
                p -= self.rate * p.grad
        self.steps += 1
        return loss.item()

trainer = Trainer(nn.Linear(2, 1), 0.1)
print(trainer.step(torch.ones(1, 2)), trainer.step(torch.ones(1, 2)), trainer.steps)

# %%
class EarlyStopping:
    def __init__(self, patience=2):
        self.patience = patience
        self.best = float("inf")
        self.bad = 0

    def __call__(self, loss):
        if loss < self.best:
            self.best = loss
            self.bad = 0
        else:
            self.bad += 1
        return self.bad >= self.patience

stops = EarlyStopping()
for loss in [1.0, 0.5, 0.6, 0.7, 0.8]:
    if stops(loss):
        print("stop at", loss, stops.best)
        break

# %%
def block(inputs, outputs, normalize=True):
    layers = [nn.Linear(inputs, outputs)]
    if normalize:
        layers.append(nn.BatchNorm1d(outputs, 0.8))
    layers.append(nn.LeakyReLU(0.2))
    return layers

generator = nn.Sequential(*block(2, 4, normalize=False), *block(4, 3), nn.Linear(3, 1))
generator(torch.ones(2, 2)), generator

# %%
data = TensorDataset(torch.arange(10.0), torch.arange(10.0))
some = Subset(data, [0, 2, 5])
batches = DataLoader(some, batch_size=2)
for a, b in batches:
    print(a, b)
len(some), some[1]

# %%
begin = time.time()
elapsed = time.perf_counter() - time.perf_counter()
print(time.time() - begin < 1000, elapsed <= 0)

# %%
class FeedForward(nn.Module):
    def __init__(self, width, hidden=None, label=None):
        super().__init__()
        if hidden is None:
            hidden = 4 * width
        self.linear = nn.Linear(width, hidden)
        self.label = "feed forward" if label is None else label

    def forward(self, x):
        return self.linear(x)

print(FeedForward(2), FeedForward(2, 3, "x").label)

# %%
def maybe_dropped(x, dropout=None):
    if dropout is not None:
        x = dropout(x)
    return x

print(maybe_dropped(torch.ones(3)), maybe_dropped(torch.ones(3), nn.Dropout(0.5)))

# %%
class Cache:
    def __init__(self):
        self.k = None

    def update(self, k):
        if self.k is None:
            self.k = k
        else:
            self.k = torch.cat([self.k, k], dim=1)
        return self.k

cache = Cache()
print(cache.k)
cache.update(torch.ones(1, 2))
cache.update(torch.ones(1, 1))

# %%
rows = torch.FloatTensor([[1, 2], [3, 4]])
print(rows, torch.Tensor([1, 2]), torch.LongTensor([1, 2]), torch.Tensor(2, 3).shape)

# %%
from torch.autograd import Variable
leaf = Variable(torch.ones(2), requires_grad=True)
(leaf * leaf).sum().backward()
print(leaf.grad, Variable(rows).requires_grad)

# %%
ids = torch.tensor([2, 3, 1])
table = nn.Embedding(max(ids) + 1, 2)
print(max(ids), min(ids), table, table(ids).shape)

# %%
from collections import OrderedDict
named = nn.Sequential(OrderedDict([("hidden", nn.Linear(2, 3)), ("relu", nn.ReLU())]))
named.hidden.weight.data.fill_(0.5)
print(named, named[0].weight.shape, named.hidden.bias.shape)

# %%
whole = nn.Sequential()
whole.add_module("first", named)
whole.add_module("last", nn.Linear(3, 1, bias=False))
print(whole, whole.state_dict()["first.hidden.weight"], whole.first[0].weight.shape)

# %%
x = torch.arange(24.0).view(2, 3, 4)
total = 1
for size in x.shape[1:]:
    total *= size
y = x.view(x.shape[:-1] + (2, 2))
print(x.shape[:-1], total, y.shape, x.view(*x.shape[:2], 2, -1).shape, torch.ones(1, *x.shape).shape)

# %%
class Halves(nn.Module):
    def __init__(self, width, sizes=None, bias=False):
        super().__init__()
        if sizes is None:
            first = second = width
        else:
            first, second = sizes
        self.linear = nn.Linear(first, second, bias=bias)

    def split(self, x, parts):
        return x.view(parts, -1)

    def forward(self, x):
        return self.split(self.linear(x), x.size(0))

print(Halves(4))

# %%
Softargmax = nn.Softmax
print(Softargmax(dim=0)(torch.tensor([0.0, 0.0])))

# %%
first, second = nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False)

class Own(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(2, 2))

own = Own()
own.weight = nn.Parameter(first.weight.T)
own.weight.sum().backward()
print(own.weight.grad, first.weight.grad, own.weight, sum(p.numel() for p in own.parameters()))

# %%
sum_of_squares = (torch.ones(2, requires_grad=True) ** 2).sum()
print(torch.ones(1).grad_fn, sum_of_squares.grad_fn is None)
torch.ones(1).grad_fn

# %%
points = torch.arange(6.0).view(3, 2)
print(torch.cdist(points, points[:2]), torch.cdist(points, points[:2], p=1.0), torch.cdist(points, points[:2]).sum().item())

# %%
torch.manual_seed(3)
mixing = torch.ones(2, 2)
stretch = 2
stretch += 1
labels_of = [n * 2 for n in ["a", "b"]]

# %%
def stretched(x):
    return x * stretch

# %%
class Mixer(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        assert d % h == 0
        self.k = d // h
        self.lin = nn.Linear(d, h)
    def forward(self, x):
        print("shape", x.shape, labels_of)
        return stretched(x @ mixing)

# %%
mixer = Mixer(2, 2)
print(mixer(torch.eye(2)))
stretch = 5
mixing = mixing * 2
print(mixer(torch.eye(2)))

# %%
torch.manual_seed(0)
class Scaled(nn.Module):
    factor = 2.0
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(2, 2)
    def forward(self, x, mask=None, s=1.0):
        if mask is not None:
            x = x + mask
        return self.inner(x) * s * self.factor
scaled_by = Scaled()
print(scaled_by(torch.ones(2), None, 3.0), scaled_by(torch.ones(2)), scaled_by(torch.ones(2), torch.ones(2)))

# %%
def glued(left_text, right_text):
    return left_text + right_text
is_first = True
letter_q = "q"
print("p" + glued("a" if is_first else letter_q, "z"))

# %%
two_of = torch.tensor(2.0)
three_of = torch.tensor(3.0)
print((two_of.item() if is_first else three_of.item()) * 2.0)
print(two_of) if is_first else None
None if is_first else print(three_of)
print("last") if two_of.item() > 1 else print("first")

# %%
recorded_leaf = torch.linspace(-1, 2, 40, requires_grad=True)
product_of = (recorded_leaf * 0.3) * (torch.sin(recorded_leaf) * torch.exp(recorded_leaf))
product_of.sum().backward()
print(recorded_leaf.grad.double().sum().item())

# %%
layer_used_often = nn.Linear(3, 3)
recorded_rows = torch.randn(4, 3)
(layer_used_often(recorded_rows) * 0.1 - layer_used_often(recorded_rows * 2) * layer_used_often(recorded_rows + 1)).sum().backward()
print(layer_used_often.weight.grad.double().sum().item(), layer_used_often.bias.grad)

# %%
from pathlib import Path
folder = Path("/tmp/./torchbook//kept/")
folder.mkdir(parents=True, exist_ok=True)
kept_in = folder / "state.pt"
print(folder, f"kept in {kept_in}", [Path("a") / "/b", Path("."), Path("//a"), Path("///a/../b"), "up" / Path("c'd"), Path("x", "y/", Path("z"))])
kept_in

# %%
saved_net = nn.Linear(2, 2)
torch.save(obj=saved_net.state_dict(), f=kept_in)
with torch.no_grad():
    saved_net.weight.zero_()
print(saved_net.weight)
torch.save(nn.Linear(2, 1).state_dict(), "/tmp/torchbook/kept/other.pt")
read_net = nn.Linear(2, 2)
print(read_net.load_state_dict(torch.load("/tmp/torchbook/kept//state.pt")))
print(read_net.weight, saved_net.weight)
torch.load(f=kept_in, weights_only=True)["bias"].zero_()
print(read_net.bias, torch.load(kept_in)["bias"])

# %%
worked_on = torch.arange(5.0)
with_workers = DataLoader(TensorDataset(worked_on, worked_on * 2), batch_size=2, shuffle=True, num_workers=2)
for some_x, some_y in with_workers:
    worked_on.fill_(-1)
    print(some_x, some_y, torch.rand(1))
pass_with_workers = iter(with_workers)
print(torch.rand(1))
print(next(pass_with_workers), len(with_workers))

# %%
import string
from string import punctuation
print(string.ascii_lowercase, string.ascii_uppercase, string.ascii_letters, string.digits)
print(punctuation, "".join([c for c in "What? That's it." if c not in punctuation]))

# %%
lazy_net = nn.Sequential(nn.LazyLinear(3), nn.ReLU(), nn.LazyLinear(1, bias=False))
lazy_optimizer = torch.optim.SGD(lazy_net.parameters(), lr=0.5)
print(lazy_net, torch.rand(1))
print(lazy_net(torch.rand(2, 4)).shape, torch.rand(1))
lazy_net

# %%
def fill_made(module):
    if type(module) == nn.Linear:
        print("fills", module.in_features, module.weight.shape)
        nn.init.constant_(module.weight, 0.5)
another_lazy = nn.LazyLinear(2)
another_lazy.apply(fill_made)
lazy_net.apply(fill_made)
lazy_net(torch.ones(1, 4)).sum().backward()
lazy_optimizer.step()
print(lazy_net[0].weight, lazy_net[2].weight.grad, lazy_net(torch.ones(1, 4)))
print(another_lazy(torch.ones(1, 3)).shape, another_lazy.weight, another_lazy.bias)
another_lazy.apply(fill_made)

# %%
class Lazy(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.LazyLinear(3)
        self.output = nn.LazyLinear(1)
    def forward(self, x):
        return self.output(F.relu(self.hidden(x)))
first_lazy = Lazy()
print(first_lazy(torch.ones(2, 2)))
second_lazy = Lazy()
print(second_lazy.load_state_dict(first_lazy.state_dict()), second_lazy)
print(second_lazy(torch.ones(2, 2)), torch.rand(1))

# %%
lazy_conv = nn.LazyConv2d(2, kernel_size=(3, 1), padding=(1, 0), groups=2)
print(lazy_conv, torch.rand(1))
print(lazy_conv(torch.ones(1, 4, 2, 2)), torch.rand(1))
square_conv = nn.LazyConv2d(1, 2)
print(square_conv(torch.ones(3, 2, 2)), square_conv.weight)
lazy_conv

# %%
from pprint import pprint
pprint(nn.Linear(1, 1).state_dict())
pprint(nn.Linear(7, 3).state_dict())
pprint(nn.Linear(4, 1, bias=False).state_dict())
pprint(first_lazy.state_dict())

# %%
from collections import Counter
words_again = "the cat and the dog and the bird".split()
word_counts = Counter(words_again)
print(word_counts, len(word_counts), word_counts["the"], word_counts["fox"], len(word_counts), "fox" in word_counts)
print(sorted(word_counts, key=word_counts.get, reverse=True), max(word_counts), word_counts.most_common(2), word_counts.most_common())
for word, count in word_counts.items():
    print(word, count, end="; ")
print([w for w in word_counts], sum(word_counts.values()), list(word_counts.keys()), Counter([len(w) for w in words_again]), Counter("banana"))
number_of = dict(enumerate(["a", "b"]))
print(number_of, dict(zip(["x", "y"], [1.5, 2.5])), {v: k for k, v in number_of.items()})
print(np.zeros((2, 3), dtype=int), torch.ones(2, dtype=float), torch.tensor([1, 0], dtype=bool), np.ones(2, dtype=float))

# %%
saved_x = torch.arange(4)
torch.save(saved_x, "/tmp/torchbook/kept/x-file")
torch.save([saved_x, torch.zeros(2)], "/tmp/torchbook/kept/x-files")
saved_x[0] = 7
read_x = torch.load("/tmp/torchbook/kept/x-file")
read_x[1] = 8
also_x, read_zeros = torch.load("/tmp/torchbook/kept/x-files")
print(saved_x, read_x, torch.load("/tmp/torchbook/kept/x-file"), also_x, read_zeros, torch.load("/tmp/torchbook/kept/x-files"))
letter_of = {0: "a", 7: "b", 8: "c"}
def spelled(numbers):
    return "".join(letter_of[n.item()] for n in numbers)
print(spelled(saved_x[:1]), spelled(torch.tensor([0., 7., 8.])))
