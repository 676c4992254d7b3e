# %%
import random
import torch
import torch.nn.functional as F
from torch import nn
torch.manual_seed(0)
random.seed(0);

# %%
# two names of one list, which a later cell changes
first = [3, 1, 2]
second = first
print(second)

# %%
# not ported: first and second are one list, which it changes; list(first) copies it
random.shuffle(second)
print(first)

# %%
print(first, second)

# %%
counts = {"a": 1}
same_counts = counts

# %%
# not ported: counts and same_counts are one dict, which it changes; dict(counts) copies it
counts["b"] = 2

# %%
# not ported: same_words and words are one list, which it changes; list(same_words) copies it
words = ["a"]
same_words = words
words.append("b")

# %%
# not ported: row and rows have a list in common, which it changes
rows = [[1]]
row = [2]
rows += [row]
row.append(3)
print(rows)

# %%
# not ported: left and pairs have a list in common, which it changes
pairs = [[1], [2]]
left, right = pairs
left.append(3)
print(pairs)

# %%
# not ported: joined and last have a list in common, which it changes
joined = [[1], [2]]
last = joined[-1]
last.append(7)
print(joined)

# %%
# not ported: before and inserted have a list in common, which it changes
inserted = [[1]]
before = [2]
inserted.insert(0, before)
before.append(3)
print(inserted)

# %%
# not ported: of_pair and pair have a list in common, which it changes
pair = ([1, 2], 3)
of_pair, _ = pair
of_pair.append(5)
print(pair)

# %%
# not ported: chosen and one are one list, which it changes; list(chosen) copies it
one = [1, 2]
other = [3]
chosen = one if len(one) > 1 else other
chosen.append(9)
print(one)

# %%
# not ported: found and lists have a list in common, which it changes
lists = {"a": [1]}
found = lists.get("a", [7])
found.append(2)
print(lists)

# %%
# not ported: longest and unequal have a list in common, which it changes
unequal = [[1], [2, 3]]
longest = max(unequal, key=len)
longest.append(1)
print(unequal)

# %%
# not ported: it changes a list that no variable of C++ holds
numbers = [[1], [2]]
for each in numbers:
    each.append(3)
print(numbers)

# %%
# not ported: one_of and two_of are one list, which it changes; list(one_of) copies it
def twice():
    ones = [1]
    return ones, ones
one_of, two_of = twice()
one_of.append(2)
print(two_of)

# %%
class Holding:
    def __init__(self, held):
        self.held = held
given = [1, 2]
holding = Holding(given)

# %%
# not ported: given and holding.held are one list, which it changes; list(given) copies it
given.append(3)

# %%
# numbers that C++ holds in another form
# not ported: f holds an int of more than 64 bits
f = 1
for i in range(1, 26):
    f *= i

# %%
# not ported: product holds an int of more than 64 bits
def factorial(n):
    product = 1
    for i in range(1, n + 1):
        product *= i
    return product
small = factorial(25) % 1_000_003

# %%
# not ported: its result holds an int of more than 64 bits
def cube_of_product(n, m):
    return n * m * n * m * n * m
print(cube_of_product(3_000_000, 5) % 7)

# %%
# not ported: smaller is 369581 in Python and 922864 in C++
smaller = sum(n ** 5 for n in range(1, 5000)) % 1_000_003

# %%
# not ported: the result of a power of ints is not an int of 64 bits
print(3 ** 50)

# %%
below = -2
print(3 ** 30, 2 ** below, 3 ** -2, torch.tensor(3.0).item() ** 3, [10 ** -i for i in range(1, 4)])

# %%
# not ported: the result of a power of ints is not an int of 64 bits
for n in range(-4, -3):
    print(2 ** n)

# %%
portions = [0.5, 1.5]
print(sum(each for each in portions if each > 1))

# %%
# not ported: 0 an int in the golden
print(sum(each for each in portions if each > 2))

# %%
# what is None, a number or a tensor
def scored(x, targets=None):
    if targets is None:
        loss = 0
    else:
        loss = F.mse_loss(x, targets)
    return x * 2, loss
ones = torch.ones(2)
scores, no_loss = scored(ones)
scores, loss = scored(ones, ones * 3)
print(scores, loss)

# %%
# not ported: 0 an int in the golden
print(no_loss)

# %%
def distance(x, y=None):
    if y is None:
        return 0
    return (x - y).mean()
print(distance(ones, ones * 2) + distance(ones))

# %%
def text_of(n=None):
    return f"n is {n}"
print(text_of(3))

# %%
# not ported: its C++ throws: bad optional access
def length_of(n=None):
    return f"{n} letters"
print(length_of(3), length_of())

# %%
early = 1.5
print(early)
for part in torch.ones(2, 2):
    early = early + part

# %%
class Net(nn.Module):
    def __init__(self, deep):
        super().__init__()
        self.first = nn.Linear(2, 2)
        self.extra = None
        if deep:
            self.extra = nn.Linear(2, 2)

    def forward(self, x):
        return self.extra(self.first(x))
net = Net(True)
print(net(torch.ones(1, 2)), net.extra(torch.ones(1, 2)))

# %%
# not ported: index 5 is out of bounds
try:
    torch.ones(3)[5]
except Exception as error:
    print(error)

# %%
# not ported: it shows 2 in Python and 1 in C++
def reader():
    place = 1
    def read():
        return place
    place = 2
    return read
print(reader()())

# %%
# not ported: set_start_method
torch.multiprocessing.set_start_method("fork")

# %%
class Noisy(torch.utils.data.Dataset):
    def __getitem__(self, place):
        return torch.rand(2), place

    def __len__(self):
        return 4
loader = torch.utils.data.DataLoader(Noisy(), batch_size=2, num_workers=2)

# %%
# not ported: torch.get_rng_state() is
for batch in loader:
    print(batch)

# %%
print(torch.rand(2))

# %%
# names that are None first are None for the proof, too, and not empty
kept_weights = None
kept_layer = None

# %%
if kept_weights is None and kept_layer is None:
    kept_layer = nn.Linear(2, 1)
    kept_weights = {k: v.clone() for k, v in kept_layer.state_dict().items()}
print(kept_layer.load_state_dict(kept_weights), kept_weights)

# %%
import numpy as np
whole = 0
for number in np.arange(4):
    whole += number
print(whole)

# %%
# not ported: C++ counts the bytes of a str, Python its characters
word = "é"
print(len(word))

# %%
# not ported: C++ repeats copies of a list, Python the list itself
both_rows = [[0] * 2] * 2
both_rows[0][1] = 5
print(both_rows)

# %%
# not ported: C++ adds up to 8192 floats, in rows, as all releases of NumPy do
print(np.ones(8193).mean())
