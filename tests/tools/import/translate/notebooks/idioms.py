# %%
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(12)
a = 3
ready = True
x = torch.tensor([[1, 2.5], [3, 4]])
w = torch.tensor([1.0, 2.0], requires_grad=True)
layer = nn.Linear(2, 1)
row = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))

# %%
portion = 1
print(portion)
for i in range(2):
    portion = portion * 0.5

# %%
portion = 1
for i in range(2):
    if i > 0:
        portion = portion * 0.5
print(f"{portion:.2f}", portion / 2)

# %%
for tried in range(3):
    if tried == 5:
        break
else:
    print("none", tried)

# %%
def first_even_of(values):
    for v in values:
        if v % 2 == 0:
            best = v
            break
    else:
        best = -1
    return best

print(first_even_of([1, 3, 4]), first_even_of([1, 3, 5]))

# %%
turns = 2
while turns > 0:
    turns -= 1
    for turn in range(2):
        if turn == 1:
            break
else:
    print("done", turns)

# %%
def count_of(model):
    return sum(p.numel() for p in model.parameters())

count_of(row), count_of(layer)

# %%
class Quiet(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    @torch.no_grad()
    def repeated(self, x):
        for _ in range(3):
            x, _ = self.layer(x).sort()
        return x

print(Quiet().repeated(torch.ones(1, 2)).requires_grad)

# %%
width = 3
class Wide(nn.Module):
    def __init__(self):
        super().__init__()
        self.width = width
        self.linear = nn.Linear(width, 2)

    def forward(self, x):
        return self.linear(x) * width

print(Wide()(torch.ones(1, 3)), Wide().width)

# %%
class Odd(nn.Module):
    def __init__(self, default):
        super().__init__()
        self.default = default
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return self.helper(x)

    def helper(self, x):
        return x * self.default

odd = Odd(2)
print(odd.calls, odd(x).sum(), odd.training)
odd.eval()

# %%
def numbered(t, n):
    if n > 2:
        return 0, t
    return n, t

numbered(x, a)

# %%
if a > 2:
    chosen = nn.ReLU()
    place = torch.device("cpu")
print(chosen(x), place)

# %%
weights_of_row = sum(p.numel() for p in row.parameters() if p.requires_grad and p.dim() > 1)
print(weights_of_row, sum([row_of.sum() for row_of in x]))

# %%
from dataclasses import dataclass

@dataclass
class Options:
    depth: int = 2
    rate: float = 0.5

options = Options(depth=3)
options.rate = 0.1
options.depth, options.rate

# %%
steps_of = torch.optim.SGD(params=row.parameters(), lr=0.1, momentum=0.9)
schedule = torch.optim.lr_scheduler.StepLR(steps_of, step_size=2, gamma=0.5)
steps_of.zero_grad(set_to_none=True)
nn.utils.clip_grad_norm_(row.parameters(), max_norm=1.0)
schedule.step()
print(schedule.get_last_lr(), steps_of.param_groups[0]["lr"])
for group in steps_of.param_groups:
    group["lr"] = 0.05
print(steps_of.param_groups[0]["lr"])

# %%
from torch.utils.data import DataLoader, Dataset, TensorDataset
pairs = TensorDataset(torch.arange(6), torch.ones(6, 2))
loader = DataLoader(pairs, batch_size=4, shuffle=True)
for number_of, (xb, yb) in enumerate(loader):
    print(number_of, xb, yb.shape)
first_x, first_y = next(iter(loader))
len(loader), len(loader.dataset), pairs[2]

# %%
for batch in loader:
    print(batch)

# %%
smaller = min(2, 0.5)
halves = [1, 2.5, True]
print(max(1, 2.5), smaller, halves, sum(halves), halves[0] + 1, halves[1] * 2, halves[0] / 2)
lowest = 1e9
for i in range(5, 2, -1):
    if i < lowest:
        lowest = i
print(lowest, lowest // 2, lowest % 2, -lowest, lowest == 3, f"{lowest:.1f}")
print(torch.tensor(halves), torch.full((2,), lowest), torch.ones(2) * lowest, int(lowest), float(lowest))

# %%
def halved(n):
    if n % 2 == 0:
        return n // 2
    return n / 2
print([halved(i) for i in range(4)], halved(5) + 1, "even" if halved(0) else "odd")

# %%
paces = [0.5, 1.5]
paces[0] = 2
paces.append(3)
totals = {"a": 1.0}
totals["b"] = 2
print(paces, totals)

# %%
none = [v for v in [1, 2] if v > 5]
gain = 0
for v in none:
    gain += v * 0.5
print(gain)
steady = 0
for v in range(3):
    steady += 0.5
print(steady)

# %%
score = torch.tensor(1)
score = score + 0.5
score.item() * 2

# %%
def first_of(t):
    return round(t[0].item(), 2)
first_of(torch.arange(6)), first_of(torch.arange(6).float())

# %%
for place in range(3):
    place = place + 1
    print(place)

# %%
def dataset_of(tensors):
    return torch.utils.data.TensorDataset(*tensors)
len(dataset_of((torch.ones(3, 1), torch.ones(3))))

# %%
u_h = [3, 1]
t_h = u_h
both_h = [u_h, t_h]
by_name_h = {"k": u_h}
print(t_h, both_h, by_name_h)

# %%
nested_i = [[1, 2], [3, 4]]
copy_i = [each for each in nested_i if len(each) > 1]
first_i, *rest_i = nested_i
print(copy_i, first_i, rest_i, sorted(nested_i, key=len))

# %%
import random
random.seed(42)
letters = list("abcdefg")
random.shuffle(letters)
print(letters, random.random(), random.randint(1, 6), random.uniform(0, 1), random.randrange(3, 9))
print(random.gauss(0, 1), random.gauss(2, 3), random.choice(letters), random.choices(letters, k=3))
print(random.sample(letters, 3), random.sample(range(1000), k=4), random.sample(range(1000), 100)[:5])
random.seed(-12345678901)
print([random.randint(0, 9) for _ in range(5)], random.randint(0, 10**12))

# %%
class Projection(nn.Module):
    def __init__(self, d, scale=2.0):
        super().__init__()
        self.l = nn.Linear(d, d)
        self.scale = scale
    def forward(self, x):
        return self.l(x) * self.scale
    def width(self):
        return self.l.weight.shape[0]
class Head(Projection):
    def __init__(self, d):
        """Has two layers."""
        super().__init__(d, scale=3.0)
        self.m = nn.Linear(d, 1)
    def forward(self, x):
        h = super().forward(x)
        return self.m(h)
class Shifted(Projection):
    def forward(self, x):
        return super().forward(x) + 1
class Same(Head):
    pass
head = Head(3)
print(head, head.width())
print(head(torch.ones(2, 3)), Shifted(2, 0.5)(torch.ones(1, 2)), Same(2)(torch.ones(1, 2)))
for n, p in head.named_parameters():
    print(n, p.shape)

# %%
class Halving(nn.Module):
    def forward(self, x):
        if self.training:
            return x / 2
        return x
halving = Halving()
print(halving(torch.ones(1)), halving.training)
halving.eval()
print(halving(torch.ones(1)), halving.training)

# %%
class Residual(nn.Module):
    def __init__(self, d, projects=True):
        super().__init__()
        self.inner = nn.Linear(d, d)
        self.shortcut = None
        if projects:
            self.shortcut = nn.Linear(d, d)
    def forward(self, x):
        y = self.inner(x)
        if self.shortcut is not None:
            y = y + self.shortcut(x)
        return y
print(Residual(2)(torch.ones(1, 2)), Residual(2, False)(torch.ones(1, 2)))
print([name for name, _ in Residual(1, False).named_parameters()])

# %%
heads = nn.MultiheadAttention(4, 2, batch_first=True)
tokens = torch.rand(2, 3, 4)
queries = torch.rand(2, 5, 4)
causal = torch.triu(torch.ones(3, 3), diagonal=1).bool()
padding = torch.tensor([[False, False, True], [False, True, True]])
print(heads, [name for name, _ in heads.named_parameters()])
context, weights = heads(tokens, tokens, tokens)
print(context, weights)
context, weights = heads(queries, tokens, tokens, average_attn_weights=False)
print(context, weights)
context, _ = heads(queries, tokens, tokens * 2, need_weights=False)
print(context, heads(tokens, tokens, tokens, attn_mask=causal)[0])
context, weights = heads(tokens, tokens, tokens, key_padding_mask=padding, attn_mask=causal)
context.sum().backward()
print(context, weights, heads.in_proj_weight.grad.sum(), heads.in_proj_bias.grad)

# %%
heads.eval()
with torch.no_grad():
    print(heads(tokens, tokens, tokens), heads(tokens, tokens, tokens, key_padding_mask=padding))
    print(heads(tokens, tokens, tokens, need_weights=False)[0])

# %%
dropping = nn.MultiheadAttention(embed_dim=6, num_heads=3, dropout=0.5, bias=False)
steps = torch.rand(4, 2, 6)
print(dropping(steps, steps, steps), dropping(steps[:, 0], steps[:, 0], steps[:, 0]))

# %%
block = nn.TransformerEncoderLayer(4, 2, dim_feedforward=8, dropout=0.2, activation="gelu", batch_first=True, norm_first=True)
print(block, [name for name, _ in block.named_parameters()])
encoded = block(tokens, src_key_padding_mask=padding)
encoded.sum().backward()
print(encoded, block(tokens, causal))

# %%
block.eval()
with torch.no_grad():
    print(block(tokens), block(src=tokens, src_key_padding_mask=padding))
print(nn.TransformerEncoderLayer(d_model=6, nhead=3, dim_feedforward=5, dropout=0.0)(steps))

# %%
class OneHead(nn.Module):
    """One head of attention."""

    def __init__(self, channels, size, bias=False):
        super().__init__()
        self.size = size
        self.key = nn.Linear(channels, size, bias=bias)
        self.scale = nn.Parameter(torch.ones(size))
        self.register_buffer("mask", torch.tril(torch.ones(4, 4)))

    def forward(self, x):
        T = x.shape[0]
        size = self.size
        return self.key(x) * self.scale * size + self.mask[:T, 0:1]

one_head = OneHead(2, 3)
one_head(x)

# %%
rounds = 3
steps_before = [rounds + 1 for rounds in range(rounds)]
rounds, steps_before

# %%
one_half = other_half = torch.zeros(2, 2)
other_half[:, 0] += 1
top, bottom = x.split(1)
print(one_half, top, bottom)

# %%
either = torch.tensor([1, 2]).sum()
for _ in range(2):
    print(either.item() + 1)
    either = either.float()

# %%
import copy
kept_state = copy.deepcopy(row.state_dict())
row.load_state_dict(kept_state);

# %%
layer.weight.data = torch.ones(1, 2)
layer.bias = nn.Parameter(torch.zeros(1))
layer.weight.requires_grad = False
print(layer.weight, layer.bias)

# %%
outer_row = nn.Sequential(nn.Sequential(nn.ReLU()), nn.Tanh())
outer_row[0][0](x - 2)

# %%
nn.init.kaiming_normal_(layer.weight, mode="fan_out", nonlinearity="relu")
nn.init.zeros_(layer.bias)

# %%
falling = 0.0
for i in range(3):
    falling += i
for i in range(4, 0, -2):
    falling -= i
stride = 0
while True:
    stride += 1
    if stride < 3:
        continue
    break
falling, stride

# %%
label = [f"{a} rows", "b"]
print(label[0] + f"{a}", "café", f"{a} µm")
changed_counts = [1, 2]
changed_counts[-1] = 3
changed_counts[0] += 1
left, right = 1, 2
left, right = right, left
changed_counts, left, right

# %%
config = {"channels": 2, "bias": False}
print(nn.Linear(config["channels"], 3, bias=config["bias"])(x).shape)
pace = 0.5
def shifted(t):
    return t + pace

half = lambda number: number / 2
shifted(x), half(3), half(3.0)

# %%
isinstance(a, int), isinstance(label, float), isinstance(x, torch.Tensor), type(x)

# %%
X_id = torch.ones(2)
Y_id = torch.ones(2)
before = id(Y_id)
Y_id = Y_id + X_id
print(id(Y_id) == before)

# %%
before = id(X_id)
X_id += Y_id
X_id[:] = X_id + Y_id
Z_id = X_id
print(id(X_id) == before, id(Z_id) == id(X_id), id(Y_id) != before)

# %%
try:
    print(torch.ones(3)[5])
except:
    print("too far")

# %%
class Tally:
    def __init__(self):
        self.n = 0
    def add(self):
        self.n += 1

tally = Tally()
same_tally = tally
same_tally.add()
print(tally is same_tally, Tally() is tally, tally is not same_tally, tally.n)
base = torch.ones(2, 2)
also = base
listed = [base, torch.ones(2, 2)]
print(also is base, base.T is base, base.contiguous() is base, base.to(torch.float32) is base, base[:] is base)
print(base.clone() is not base, base.float() is base, base.add_(1) is base, listed[0] is base, listed[1] is base)

# %%
torch.manual_seed(42)

class BigramWithZero(nn.Module):
    def __init__(self, vocab_size):
        super().__init__()
        self.table = nn.Embedding(vocab_size, vocab_size)
    def forward(self, idx, targets=None):
        logits = self.table(idx)
        if targets is None:
            loss = 0
        else:
            B, T, C = logits.shape
            logits = logits.view(B*T, C)
            targets = targets.view(B*T)
            loss = F.cross_entropy(logits, targets)
        return logits, loss
    def generate(self, idx, n):
        for _ in range(n):
            logits, _ = self(idx)
            probs = F.softmax(logits[:, -1, :], dim=-1)
            idx = torch.cat((idx, torch.multinomial(probs, 1)), dim=1)
        return idx
    def generate_again(self, idx, n):
        for _ in range(n):
            logits, loss = self(idx)
            probs = F.softmax(logits[:, -1, :], dim=-1)
            idx = torch.cat((idx, torch.multinomial(probs, 1)), dim=1)
        return idx

bigram_with_zero = BigramWithZero(5)
places_of_zero = torch.tensor([[1, 2], [3, 4]])
scores_of_zero, loss_of_zero = bigram_with_zero(places_of_zero, places_of_zero)
print(scores_of_zero.shape, loss_of_zero)
print(bigram_with_zero.generate(torch.zeros((1, 1), dtype=torch.long), 5)[0].tolist())
print(bigram_with_zero.generate_again(torch.zeros((1, 1), dtype=torch.long), 5)[0].tolist())

# %%
board = torch.zeros(3, 4)
board[1] = torch.ones(1, 4)
for place in range(2):
    board[place] += torch.full((1, 4), 2.).view(-1)
    board[place] = torch.full((1, 4), float(place)) + board[place]
print(board)
cube = torch.zeros(2, 3, 4)
cube[0] = torch.ones(1, 1, 3, 4)
cube[1][0] = torch.arange(4.).view(1, 4)
print(cube)

# %%
repeated_labels = []
for label in range(3):
    repeated_labels += [label] * 2
repeated_labels += range(2)
print(repeated_labels)
loss_history = {"train": [], "test": []}
new_losses = {"train": 1.5, "test": 2.0}
for part in loss_history:
    loss_history[part].append(new_losses[part])
for part in list(loss_history):
    loss_history[part].append(0.5)
print(loss_history)

# %%
run_settings = {"epochs": 10, "rate": 0.1, "name": "first"}
run_settings

# %%
print(run_settings["epochs"])
{"epochs": 10, "hidden": [32, 64], "dropout": 0.5, "the name of this run": "a long one", "shuffle": True}

# %%
from collections import Counter
word_counts = Counter()
for word in ["b", "a", "b"]:
    word_counts[word] += 1
word_counts["c"] = 5
print(word_counts, word_counts["missing"], len(word_counts), "missing" in word_counts)

# %%
for number in np.array([1.5, 2.5]):
    print(number, number + 1)
for row in np.array([[1, 2], [3, 4]]):
    print(row, row[0])
whole = 0
for place, number in enumerate(np.arange(4)):
    whole += number
    print(place, number)
print(whole)

# %%
# before numpy 2
print([number * 2 for number in np.array([1.5, 2.5])])

# %%
groups = {}
for number in range(5):
    if number % 2 not in groups:
        groups[number % 2] = []
    groups[number % 2].append(number * 0.5)
groups[7] = []
print(groups, groups[1][-1])
