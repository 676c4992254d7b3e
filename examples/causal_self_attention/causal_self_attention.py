# Twin of causal_self_attention.cpp: the 23 cells of causal_self_attention.ipynb. Hashes of what import wrote: 033df72e 09036b9e 0ac77667 11e91243 13457d59 18c2fdd0 2141597d 22328adb 27a37835 2d5e573f 35e3c897 3b90338c 3c011a58 40b55ddf 468c32c0 5547cc2d 5ee19051 68749fa0 6fc7625b 773dadfe 7c26bc4c 7e77d0c7 8460490f 90940ef4 92a41728 931f99a0 98e92813 a01af04b a19b89ff a2537caf a5d04af6 a7d9281f a9ed3c82 aa807039 b9784e00 b9801c87 bafbb043 c182ba43 c1fd99c3 ca34945b d4956002 ddf6f301 e939f6f1 f720c3d2 f80c48a8

# %% [1]
import torch
import torch.nn as nn
import torch.nn.functional as F

words = "to be or not to be".split()
vocabulary = sorted(set(words))
vocabulary

# %% [2]
ids = torch.tensor([vocabulary.index(word) for word in words])  # (6)
inputs, targets = ids[:-1], ids[1:]  # (5), (5)
inputs, targets
# words ids: be, not, or, to

# %% [3]
for i in range(1, len(words)):
    print(" ".join(words[:i]), "->", words[i])

# %% [4]
torch.manual_seed(7)
tokens = nn.Embedding(len(vocabulary), 4)
places = nn.Embedding(len(inputs), 4)
x = tokens(inputs) + places(torch.arange(5))  # (5, 4)
x

# %% [5]
query = nn.Linear(4, 4, bias=False)
key = nn.Linear(4, 4, bias=False)
value = nn.Linear(4, 4, bias=False)
query.weight.detach()

# %% [6]
q, k, v = query(x), key(x), value(x)  # (5, 4) each
scores = q @ k.T  # (5, 5): row i has the scores of word i with each word
scores.detach()

# %% [7]
for channels in (4, 64, 1024):
    a = torch.randn(500, channels)
    b = torch.randn(500, channels)
    print(f"{channels:4} channels: spread {(a * b).sum(-1).std():.1f}, root {channels ** 0.5:.1f}")

# %% [8]
scaled = scores / k.shape[-1] ** 0.5  # (5, 5)
scaled.detach()

# %% [9]
future = torch.ones(5, 5, dtype=torch.bool).triu(1)  # (5, 5)
future

# %% [10]
masked = scaled.masked_fill(future, float("-inf"))  # (5, 5)
weights = F.softmax(masked, dim=-1)  # (5, 5)
weights.detach()

# %% [11]
context = weights @ v  # (5, 4)
context.detach()

# %% [12]
torch.manual_seed(6)
dropout = nn.Dropout(0.25)
dropout(weights).detach()

# %% [13]
class CausalSelfAttention(nn.Module):
    def __init__(self, channels, heads, length, dropout=0.0):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(channels, channels, bias=False)
        self.key = nn.Linear(channels, channels, bias=False)
        self.value = nn.Linear(channels, channels, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(channels, channels, bias=False)
        self.register_buffer("future", torch.ones(length, length, dtype=torch.bool).triu(1))

    def split(self, x):
        return x.view(x.shape[0], self.heads, -1).transpose(0, 1)  # (T, C) to (heads, T, C / heads)

    def forward(self, x):
        T, C = x.shape
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = q @ k.transpose(1, 2) / k.shape[-1] ** 0.5  # (heads, T, T)
        scores = scores.masked_fill(self.future[:T, :T], float("-inf"))
        weights = self.dropout(F.softmax(scores, dim=-1))
        context = (weights @ v).transpose(0, 1).reshape(T, C)
        return self.output(context)

# %% [14]
single = CausalSelfAttention(channels=4, heads=1, length=5)
with torch.no_grad():
    single.query.weight.copy_(query.weight)
    single.key.weight.copy_(key.weight)
    single.value.weight.copy_(value.weight)
    single.output.weight.copy_(torch.eye(4))
torch.allclose(single(x), context)

# %% [15]
torch.manual_seed(11)
attention = CausalSelfAttention(channels=4, heads=2, length=5)
attention(x).detach()  # (5, 4)

# %% [16]
with torch.no_grad():
    changed = x.clone()
    changed[-1] = 0
    same = torch.isclose(attention(changed), attention(x)).all(dim=-1)  # (5)
same

# %% [17]
theirs = nn.MultiheadAttention(4, 2, bias=False)
with torch.no_grad():
    theirs.in_proj_weight.copy_(torch.cat([attention.query.weight, attention.key.weight, attention.value.weight]))
    theirs.out_proj.weight.copy_(attention.output.weight)
batch = x.unsqueeze(1)  # (5, 1, 4)
mask = torch.zeros(5, 5).masked_fill(future, float("-inf"))  # (5, 5)
output, average = theirs(batch, batch, batch, attn_mask=mask)  # (5, 1, 4), (1, 5, 5)
print(output.shape, average.shape)
torch.allclose(output.squeeze(1), attention(x), atol=1e-6)

# %% [18]
class NextWord(nn.Module):
    def __init__(self, size, channels, heads, length, dropout):
        super().__init__()
        self.tokens = nn.Embedding(size, channels)
        self.places = nn.Embedding(length, channels)
        self.attention = CausalSelfAttention(channels, heads, length, dropout)
        self.scores = nn.Linear(channels, size)

    def forward(self, ids):
        x = self.tokens(ids) + self.places(torch.arange(ids.shape[0]))  # (T, C)
        return self.scores(x + self.attention(x))  # (T, size)


torch.manual_seed(1)
model = NextWord(len(vocabulary), channels=4, heads=2, length=5, dropout=0.1)
sum(parameter.numel() for parameter in model.parameters())

# %% [19]
logits = model(inputs)  # (5, 4)
loss = F.cross_entropy(logits, targets)
loss

# %% [20]
loss.backward()
model.attention.query.weight.grad  # (4, 4)

# %% [21]
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
model.eval()
print(f"before: {F.cross_entropy(model(inputs), targets):.4f}")
optimizer.step()
print(f"after:  {F.cross_entropy(model(inputs), targets):.4f}")

# %% [22]
model.train()
for step in range(1, 61):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs), targets)
    loss.backward()
    optimizer.step()
    if step % 15 == 0:
        print(f"step {step:2}: {loss:.2f}")

# %% [23]
model.eval()
said = ids[:1]
for _ in range(5):
    said = torch.cat([said, model(said)[-1:].argmax(dim=-1)])
" ".join(vocabulary[i] for i in said)
