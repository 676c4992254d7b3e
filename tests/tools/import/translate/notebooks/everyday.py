# %%
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
from typing import List, Optional
from torch.utils.data import Dataset, DataLoader

torch.manual_seed(1337)
device = 'cuda' if torch.cuda.is_available() else 'cpu'
device

# %%
class Windows(Dataset):
    """Windows of a sequence of ids."""

    def __init__(self, ids, block_size):
        self.ids = ids
        self.block_size = block_size

    def __len__(self):
        return len(self.ids) - self.block_size

    def __getitem__(self, index):
        x = self.ids[index:index + self.block_size]
        y = self.ids[index + 1:index + self.block_size + 1]
        return x, y

# %%
ids = torch.randint(0, 20, (400,))
n = int(0.9 * len(ids))
train_set = Windows(ids[:n], 8)
val_set = Windows(ids[n:], 8)
train_loader = DataLoader(train_set, batch_size=16, shuffle=True)
val_loader = DataLoader(val_set, batch_size=16)
len(train_set), len(val_set), len(train_loader)

# %%
class Model(nn.Module):
    def __init__(self, vocab_size, width, dropout=0.1):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, width)
        self.norm = nn.LayerNorm(width)
        self.hidden = nn.Linear(width, 4 * width)
        self.drop = nn.Dropout(dropout)
        self.head = nn.Linear(4 * width, vocab_size)

    def forward(self, idx, targets=None):
        x = self.norm(self.embedding(idx))
        x = self.drop(F.gelu(self.hidden(x)))
        logits = self.head(x)
        if targets is None:
            return logits, None
        B, T, C = logits.shape
        loss = F.cross_entropy(logits.view(B * T, C), targets.view(B * T))
        return logits, loss

# %%
model = Model(20, 16).to(device)
print(sum(p.numel() for p in model.parameters()) / 1e3, 'K parameters')
model

# %%
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.1)
optimizer

# %%
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=40)

# %%
@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    loss_sum, count, correct = 0.0, 0, 0
    for xb, yb in loader:
        xb, yb = xb.to(device), yb.to(device)
        logits, loss = model(xb, yb)
        loss_sum += loss.item() * yb.size(0)
        correct += (logits.argmax(dim=-1) == yb).sum().item()
        count += yb.size(0)
    model.train()
    return loss_sum / count, correct / (count * 8)

# %%
"%.4f %.3f" % evaluate(model, val_loader)

# %%
history = {'train': [], 'val': [], 'lr': []}
best = None
for epoch in range(3):
    model.train()
    running = 0.0
    for step, (xb, yb) in enumerate(train_loader):
        xb, yb = xb.to(device), yb.to(device)
        optimizer.zero_grad(set_to_none=True)
        logits, loss = model(xb, yb)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        running += loss.item() * xb.size(0)
    train_loss = running / len(train_set)
    val_loss, val_acc = evaluate(model, val_loader)
    history['train'].append(train_loss)
    history['val'].append(val_loss)
    history['lr'].append(optimizer.param_groups[0]['lr'])
    if best is None or val_loss < best:
        best = val_loss
        torch.save({'model': model.state_dict(), 'optimizer': optimizer.state_dict(), 'epoch': epoch, 'val_loss': val_loss}, 'everyday.pth')
    print(f'epoch {epoch + 1:2d} | train {train_loss:.4f} | val {val_loss:.4f} | acc {100 * val_acc:5.2f} % | ppl {math.exp(val_loss):.2f} | lr {scheduler.get_last_lr()[0]:.2e}')

# %%
checkpoint = torch.load('everyday.pth', map_location=device)
restored = Model(20, 16)
restored.load_state_dict(checkpoint['model'])
print(checkpoint['epoch'], checkpoint['val_loss'])

# %%
restored.eval()
model.eval()
x, y = val_set[0]
with torch.no_grad():
    a, _ = model(x.unsqueeze(0))
    b, _ = restored(x.unsqueeze(0))
print(torch.equal(a, b), (a - b).abs().max().item())
probs = F.softmax(b[:, -1, :], dim=-1)
top = torch.topk(probs, 3)
top.values, top.indices

# %%
idx = x.unsqueeze(0)
for _ in range(10):
    logits, _ = restored(idx[:, -8:])
    probs = F.softmax(logits[:, -1, :] / 0.8, dim=-1)
    idx = torch.cat([idx, torch.multinomial(probs, num_samples=1)], dim=1)
print(idx[0].tolist())

# %%
layers = []
sizes = [4, 8, 8, 2]
for i in range(len(sizes) - 1):
    layers += [nn.Linear(sizes[i], sizes[i + 1]), nn.ReLU()]
mlp = nn.Sequential(*layers[:-1])
mlp

# %%
class Stopper:
    def __init__(self, patience=2):
        self.best = None
        self.bad = 0
        self.patience = patience

    def step(self, loss):
        if self.best is None or loss < self.best:
            self.best = loss
            self.bad = 0
        else:
            self.bad += 1
        return self.bad >= self.patience
stopper = Stopper()
print([stopper.step(l) for l in [1.0, 0.5, 0.6, 0.7, 0.4]], stopper.best)

# %%
class Account:
    def __init__(self):
        self.balance = 100

    def grow(self):
        self.balance *= 1.05
account = Account()
account.grow()
print(account.balance)

# %%
def join(words: Optional[List[str]] = None):
    if words is None:
        words = ['a', 'b']
    return ' '.join(words)
print(join(), join(['x', 'y', 'z']))

# %%
def step(model, optimizer=None):
    loss = model(torch.ones(1, 4)).sum()
    if optimizer is not None:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()
opt = torch.optim.SGD(mlp.parameters(), lr=0.1)
print(f"{step(mlp):.4f} {step(mlp, opt):.4f} {step(mlp):.4f}")

# %%
class Squares(torch.utils.data.Dataset):
    def __init__(self, n, transform=None):
        self.data = torch.arange(n).float()
        self.transform = transform

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        x = self.data[i]
        if self.transform:
            x = self.transform(x)
        return x
squares = Squares(5, transform=lambda x: x ** 2)
print([squares[i].item() for i in range(len(squares))])

# %%
α = 0.5
μ = torch.tensor([1.0, 2.0])
print(α * μ)

# %%
rows = [[1, 2], [3], []]
print(rows, [len(r) for r in rows])

# %%
grid = [[0] * 3] * 2
print(grid)

# %%
grid2 = [[0] * 3 for _ in range(2)]
grid2[0][1] = 5
print(grid2)

# %%
seen = set()
for w in ['a', 'b', 'a']:
    if w in seen:
        print('again', w)
    seen.add(w)
print(len(seen), sorted(seen))

# %%
d = {'a': 1, 'b': 2}
x = d.pop('a')
d.setdefault('c', 7)
print(x, d, d.pop('zz', 9))

# %%
xs = [1, 2, 3, 2]
xs.remove(2)
del xs[0]
print(xs)
print([])

# %%
from torch.utils.data import DataLoader, TensorDataset
gen = torch.Generator().manual_seed(3)
loader = DataLoader(TensorDataset(torch.arange(6)), batch_size=2, shuffle=True, generator=gen)
for (batch,) in loader:
    print(batch)

# %%
torch.set_grad_enabled(False)
y = torch.ones(2, requires_grad=True) * 2
torch.set_grad_enabled(True)
print(y.requires_grad)

# %%
try:
    v = int('12')
except ValueError:
    print('no')
else:
    print('else', v)

# %%
del d['b']
print(d, 'b' in d)

# %%
input = torch.ones(2, 3)
lin = nn.Linear(3, 1)
for name, p in lin.named_parameters():
    print(name, tuple(p.shape))
print(lin(input).shape)

# %%
n = 3
n = n / 2
print(n)

# %%
try:
    torch.ones(2) @ torch.ones(3)
except RuntimeError as e:
    print(type(e).__name__, e)
finally:
    print('done')

# %%
from collections import defaultdict
counts = defaultdict(int)
for ch in 'hello':
    counts[ch] += 1
print(dict(counts), counts['z'], len(counts))
groups = defaultdict(list)
for w in ['to', 'tea', 'ten']:
    groups[len(w)].append(w)
print(groups[3], len(groups))
totals = defaultdict(float)
totals['loss'] += 0.5
print(totals['loss'], 'loss' in totals)

# %%
known = {3, 1, 2}
print(sorted(known), 2 in known, len(known))

# %%
# an int first, and a float where a line, a branch or a loop that reads it assigns one
accs = [0.5, 0.75]
best_acc = 0
for a in accs: best_acc = max(best_acc, a)
w = 0
while w < 1: w += .3
t = 0; print(t)
for a in accs: t += a
def chosen(flag):
    r = 0
    if flag:
        r = 0.5
    return r
print(best_acc, w, t, chosen(True), chosen(False))

# %%
# containers that are empty again at the end
class U(nn.Module):
    def __init__(self):
        super().__init__()
        self.downs = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)])
        self.ups = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)])
    def forward(self, x):
        skips = []
        for d in self.downs:
            skips.append(x)
            x = F.relu(d(x))
        for u in self.ups:
            x = u(x) + skips.pop()
        return x
print(U()(torch.ones(1, 2)).shape)
stack = []
stack.append(3)
while stack:
    print(stack.pop())

# %%
# sequences of other layers in one name, and from one function
for act in [nn.ReLU(), nn.Tanh()]:
    net = nn.Sequential(nn.Linear(4, 2), act)
    print(net(torch.ones(1, 4)).shape)
def make_model(kind):
    if kind == 'mlp':
        return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    return nn.Sequential(nn.Linear(4, 2))
made = make_model('mlp')
print(made(torch.ones(1, 4)).shape)

# %%
# schedules of all kinds, and the text and the state of an optimizer that has some
weight = nn.Parameter(torch.ones(2))
sgd = torch.optim.SGD([weight], lr=0.1, momentum=0.9)
warm = torch.optim.lr_scheduler.LinearLR(sgd, total_iters=3)
cold = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(sgd, T_0=2, eta_min=0.01)
both = torch.optim.lr_scheduler.SequentialLR(sgd, schedulers=[warm, cold], milestones=[3])
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(sgd, patience=1, factor=0.5)
for step in range(6):
    loss = (weight * weight).sum()
    sgd.zero_grad()
    loss.backward()
    sgd.step()
    both.step()
    plateau.step(loss)
    print(step, sgd.param_groups[0]["lr"])
print(sgd)

# %%
adamw = torch.optim.AdamW([weight], lr=0.1)
one = torch.optim.lr_scheduler.OneCycleLR(adamw, max_lr=0.1, epochs=2, steps_per_epoch=3, pct_start=0.5)
for _ in range(3):
    adamw.step()
    one.step()
kept_state = one.state_dict()
adamw.step()
one.step()
print(one.get_last_lr())
one.load_state_dict(kept_state)
one.step()
print(one.get_last_lr())

# %%
rms = torch.optim.RMSprop([weight], lr=0.01, alpha=0.9, momentum=0.5, centered=True)
ada = torch.optim.Adagrad([weight], lr=0.1, lr_decay=0.01, initial_accumulator_value=0.1, eps=1e-8)
for _ in range(3):
    rms.zero_grad()
    (weight * weight).sum().backward()
    rms.step()
    ada.step()
print(weight, rms, ada)
