# %%
import torch
from torch import nn
torch.manual_seed(0);

# %%
# an index that draws is evaluated once
torch.manual_seed(1)
hist = [0, 0, 0]
hist[torch.randint(0, 3, (1,)).item()] += 1
print(hist, torch.rand(1))

# %%
torch.manual_seed(3)
table = {"a": 1, "b": 2}
letters = ["a", "b"]
table[letters[torch.randint(0, 2, (1,)).item()]] += 5
print(table, torch.rand(1))

# %%
# the target is read before the value changes it
class Counter:
    def __init__(self):
        self.n = 1
    def bump(self):
        self.n = self.n * 10
        return self.n
    def add(self):
        self.n += self.bump()
        return self.n
    def both(self):
        return self.n, self.bump()
    def ratio(self):
        return self.n - self.bump()
    def less(self):
        self.n = self.n - 1 - 2
        return self.n
counter = Counter()
print(counter.add(), counter.n)

# %%
print(counter.both())

# %%
print(counter.n)

# %%
counted = Counter()
print(counted.n, counted.bump(), counted.n)

# %%
print(counted.ratio())

# %%
print(counted.less(), counted.n)

# %%
counted.n += counted.bump()
print(counted.n)

# %%
# the left operand changes what the right one reads
changing = torch.ones(3)
print(changing.add_(1).sum() * 10 + changing.sum())

# %%
bn = nn.BatchNorm1d(2)
rows = torch.arange(8.0).view(4, 2)
print((bn(rows).mean() * 0 + bn.running_mean.sum()).item())

# %%
later = torch.ones(3)
print(later.sum() + later.mul_(2).sum())

# %%
print(later.sum().item(), later.add_(1).sum().item(), later.sum().item())

# %%
[later.sum().item(), later.add_(1)[0].item(), later.sum().item()]

# %%
# effects of methods, indices and lengths
class Items:
    def __init__(self):
        self.items = [1]
        self.asked = 0
    def push(self, v):
        self.items.append(v)
        return len(self.items)
    def __len__(self):
        self.asked += 1
        return len(self.items)
    def __getitem__(self, i):
        self.asked += 1
        return self.items[i] + self.asked
stack = Items()
print(len(stack.items), stack.push(5), len(stack.items))

# %%
print(stack[0], stack[0], stack.asked)

# %%
print(len(stack), stack.asked, len(stack), stack.asked)

# %%
print(stack[0] - stack[1])

# %%
class Noisy:
    def __init__(self, n):
        self.n = n
    def __len__(self):
        return self.n
    def __getitem__(self, i):
        return torch.rand(1).item() + i
torch.manual_seed(4)
noisy = Noisy(3)
print(noisy[0], noisy[1])

# %%
(noisy[0], noisy[1])

# %%
# an f-string makes its text field by field
shown = torch.zeros(2)
print(f"{shown} {shown.add_(1)} {shown}")

# %%
shown = torch.zeros(2)
print(f"{shown.sum().item()} {shown.add_(1).sum().item()} {shown.sum().item()}")

# %%
given = torch.zeros(2)
print("{} {}".format(given, given.add_(1)))

# %%
print("%s %s" % (given.sum().item(), given.add_(1).sum().item()))

# %%
print(given, given.add_(1), given)

# %%
# the bounds of a range are evaluated once
falling = [1, 2, 3, 4]
print([falling.pop() for _ in range(len(falling))], falling)

# %%
growing = [1, 2]
for i in range(len(growing)):
    growing.append(i)
print(growing)

# %%
limits = {"n": 3}
for i in range(limits["n"]):
    limits["n"] = 1
    print(i)

# %%
n = 4
for n in range(n):
    print(n)
print(n)

# %%
step = -1
down = 3
for i in range(0, 3, -step):
    down += i
    step = 1
print(down, step)

# %%
class Bounded:
    def __init__(self):
        self.n = 3
    def run(self):
        total = 0
        for i in range(self.n):
            self.n = self.n + 1
            total += i
        return total
bounded = Bounded()
print(bounded.run(), bounded.n)

# %%
# a sequence that changes while a loop goes through it
first = [1, 2, 3]
second = [4, 5, 6]
for p, q in zip(first, second):
    second = second[1:]
    print(p, q)
print(second)

# %%
class Pushes:
    def __init__(self):
        self.items = [1, 2]
    def push(self, v):
        if len(self.items) < 6:
            self.items.append(v)
    def run(self):
        for v in self.items:
            self.push(v)
        return len(self.items)
    def fill(self):
        return [v for v in self.items if v > 0]
pushes = Pushes()
print(pushes.run(), pushes.items)

# %%
outer_list = [1, 2]
def lengthen(v):
    if len(outer_list) < 5:
        outer_list.append(v)
for v in outer_list:
    lengthen(v)
print(outer_list)

# %%
numbered = [1, 2]
for index, v in enumerate(numbered):
    if index < 3:
        numbered.append(v)
print(numbered)

# %%
# constants with a sign
step = -1
print(list(range(0, 3, -step)), -step, - -step, 2 - step)
for i in range(0, 3, -step):
    print(i)

# %%
# an attribute of a class makes no object
torch.manual_seed(5)
class SA:
    width = 3
    def __init__(self):
        self.weight = torch.rand(2)
        self.width = 4
print(SA.width, torch.rand(1))

# %%
print(SA().width)

# %%
# a power with a gradient
# before torch 2
base = torch.tensor([1.0, 2.0], requires_grad=True)
print(2 ** base, 2.5 ** base, base ** 2)

# %%
half = torch.tensor([1, 2])
print(2 ** half, 2.5 ** half, (2 ** half).dtype)

# %%
total = 10
total = total - 1 - 2
total -= 1 - 2
part = 0.1
part = part + 0.2 + 0.3
print(total, part)

# %%
# negative places
i = -1
places = [1, 2, 3]
print(places[i], places[i - 1], "abc"[i], (4, 5, 6)[i])
places[i] = 9
places[i] += 1
print(places, torch.arange(3)[i], places.pop(i), places)

# %%
shape_of = torch.zeros(2, 3).shape
for i in (-1, 0):
    print(shape_of[i], torch.zeros(4, 5).shape[i])

# %%
# a parameter keeps what its place held when the call began
class Keeper:
    def __init__(self):
        self.h = torch.ones(2)
        self.s = "a"
        self.t = (1, 2)
        self.items = [torch.zeros(2)]
    def step(self, x):
        self.h = self.h + 1
        return x + self.h
    def text(self, t):
        self.s = self.s + "x"
        return t
    def swap(self, t):
        self.t = (5, 6)
        return t
    def push(self, v):
        for i in range(10):
            self.items.append(v + i)
        return v.sum().item()
    def first(self, v):
        self.items[0] = self.items[0] + 1
        return v * 10
keeper = Keeper()
print(keeper.step(keeper.h), keeper.h)

# %%
print(keeper.text(keeper.s), keeper.s)

# %%
print(keeper.swap(keeper.t), keeper.t)

# %%
print(keeper.push(keeper.items[0]), len(keeper.items))

# %%
print(keeper.first(keeper.items[0]), keeper.items[0])

# %%
keeper.h = torch.ones(2)
def outside(h):
    keeper.h = keeper.h * 3
    return h + 1
print(outside(keeper.h), keeper.h)

# %%
for row in keeper.items:
    keeper.first(row)
    print(row)

# %%
batch = torch.zeros(2, 3)
print(batch.shape + (1,), batch.shape[:-1] + (4, 2))

# %%
# before torch 2.7
print((1,) + batch.shape)

# %%
# what a cell that is not translated changed
class Plain:
    def __init__(self):
        self.n = 1
        self.w = torch.zeros(2)
ke = Plain()
lin = nn.Linear(2, 1)
kept = torch.zeros(2)
view_of = kept.view(1, 2)
other = torch.ones(2)
def read_other():
    return other.sum().item()

# %%
kf = ke
names = {**{"a": 1}}

# %%
kf.n = 50

# %%
print(ke.n)

# %%
nn.init.constant_(lin.weight, 0.5); names = {**{"a": 1}}

# %%
print(lin.weight)

# %%
view_of.add_(1); names = {**{"a": 1}}

# %%
print(kept)

# %%
other = other + 1; names = {**{"a": 1}}

# %%
print(read_other())

# %%
number = 1
class Stepper:
    def __init__(self):
        self.n = 1
        self.seen = torch.zeros(1)
    def bump(self):
        self.n += 1
    def keep(self, t):
        self.seen = t
stepper = Stepper()
given_away = torch.zeros(2)
stepper.keep(given_away)
def change_given():
    given_away.add_(1)
leaf = torch.ones(2, requires_grad=True)
loss = (leaf * 2).sum()
resting = torch.zeros(2)

# %%
def change_number():
    global number
    number = 5

# %%
names = {**{"a": 1}}; stepper.bump()

# %%
print(stepper.n)

# %%
names = {**{"a": 1}}; change_given()

# %%
print(given_away)

# %%
names = {**{"a": 1}}; change_number()

# %%
print(number)

# %%
names = {**{"a": 1}}; loss.backward()

# %%
print(leaf.grad)

# %%
names = {**{"a": 1}}; torch.nn.functional.relu(resting.sub_(1), inplace=True)

# %%
print(resting)

# %%
untouched = torch.ones(2)

# %%
print(untouched.sum().item(), {**{"a": 1}})

# %%
print(untouched)

# %%
class Holder:
    def __init__(self):
        self.items = [1, 2]
        self.t = torch.zeros(2)

    def renew(self, x):
        self.items = [x]
        return x

    def renew_t(self, x):
        self.t = torch.ones(2) * x
        return x

# %%
holder_a = Holder()
print(holder_a.t.add(holder_a.renew_t(5)))

# %%
holder_b = Holder()
holder_b.t[0] += holder_b.renew_t(3)
print(holder_b.t)

# %%
holder_c = Holder()
before_c = holder_c.t
holder_c.t += holder_c.renew_t(3)
print(before_c)

# %%
holder_d = Holder()
for z, u in zip(holder_d.items, [holder_d.renew(8), 2]):
    print(z, u)

# %%
# a backslash at the end \ \
print("shown")
k_end = 1  # C:\dir\
print(k_end)

# %%
print({torch.rand(1).item() > 2})

# %%
leaf_of_lost = torch.ones(2, requires_grad=True)
leaf_of_none = torch.ones(2, requires_grad=True)
part_of_lost = leaf_of_lost * 2

# %%
print([].__class__.__name__, part_of_lost.sum().backward())

# %%
(leaf_of_none * 3).sum().backward()
print(leaf_of_none.grad)

# %%
print("leaf_of_lost" in globals(), leaf_of_lost.grad)

# %%
leaf_of_lost = torch.ones(2, requires_grad=True)
(leaf_of_lost ** 2).sum().backward()
leaf_of_lost.grad

# %%
branch_of = 1
if branch_of > 2:
    torch.manual_seed(1)
print(torch.rand(1))

# %%
torch.manual_seed(4)
print(torch.rand(1))

# %%
shown_first = 3
summed = 0
print(shown_first)

# %%
print([shown_first], f"{shown_first:3}", 1 if shown_first == 3 else 2)

# %%
for i in range(2):
    shown_first = shown_first + torch.ones(2)
print(shown_first)

# %%
for i in range(3):
    summed = summed + torch.tensor(1.5)
print(summed)

# %%
kept_number = 5
if kept_number > 7:
    kept_number = torch.ones(2)
kept_number

# %%
half_of = 1.5
print(half_of)
with torch.no_grad():
    for i in range(2):
        if i == 1:
            half_of = torch.ones(2) * half_of
    print(half_of)

# %%
def shows_its_sum(rows):
    total = 0
    print(total)
    for row in rows:
        total = total + row
    return total

print(shows_its_sum(torch.ones(2, 2)))

# %%
below_zero = -7
large = 10
print((large + 1) ** 21 % 1000, below_zero ** 3 % 13, (below_zero + 0) ** 20 % -13, 3 ** large % 7, large ** 0 % 1)

# %%
# names that mean something else by the time they are read
class Steps(nn.Module):
    def step(self, x):
        return x
    def forward(self, x):
        return self.step(x)
class LongerSteps(Steps):
    def step(self, x):
        return x + 1
print(LongerSteps()(torch.ones(1)))

# %%
class Answer:
    def value(self):
        return 1
def answer():
    return Answer().value()
print(answer())
class Answer:
    def value(self):
        return 2
print(answer())

# %%
prices = {"a": 1}
def price_of(letter, prices=prices):
    return prices[letter]
prices = {"a": 2}
print(price_of("a"))

# %%
decaying = nn.Parameter(torch.ones(1))
for _ in range(2):
    print(decaying)
    decaying = decaying * 0.5

# %%
import numpy as np
np.random.seed(7)
print(np.random.rand())

# %%
names = {**{"a": np.random.rand()}}

# %%
print(np.random.rand())

# %%
import random
random.seed(7)
def drawn_by(n):
    return [random.randint(0, 9) for _ in range(n)]
print(drawn_by(2))

# %%
names = {**{"a": random.random()}}

# %%
print(drawn_by(3))

# %%
torch.set_printoptions(precision=2); names = {**{"a": 1}}

# %%
print(untouched / 3)

# %%
torch.set_printoptions(precision=4)

# %%
torch.set_default_dtype(torch.float64); names = {**{"a": 1}}

# %%
print(torch.ones(1).dtype)

# %%
# a comment does not swallow the line below it \\
swallowed = 12
# nor does this one \\
swallowed = min(swallowed, 10)
swallowed, "hidden ‮ and ﻿"
