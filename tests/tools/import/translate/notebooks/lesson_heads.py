# %%
# several heads as a list of modules, with a temperature and the words that come next
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

# %%
vocab = ["<s>", "I", "like", "tea", "coffee", "you", "."]
stoi = {w: i for i, w in enumerate(vocab)}
itos = dict(enumerate(vocab))
print(stoi["tea"], itos[4])

# %%
sentence = "<s> I like tea . you like coffee"
ids = torch.tensor([stoi[w] for w in sentence.split()], dtype=torch.long)
ids

# %%
class Head(nn.Module):
    """One head of self-attention."""

    def __init__(self, n_embd, head_size, block_size):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)
        self.register_buffer("tril", torch.tril(torch.ones(block_size, block_size)))

    def forward(self, x):
        T, C = x.shape
        k = self.key(x)
        q = self.query(x)
        wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float("-inf"))
        wei = F.softmax(wei, dim=-1)
        return wei @ self.value(x)

class MultiHead(nn.Module):
    def __init__(self, n_embd, n_head, block_size):
        super().__init__()
        self.heads = nn.ModuleList([Head(n_embd, n_embd // n_head, block_size) for _ in range(n_head)])
        self.proj = nn.Linear(n_embd, n_embd)

    def forward(self, x):
        out = torch.cat([h(x) for h in self.heads], dim=-1)
        return self.proj(out)

# %%
torch.manual_seed(1337)
n_embd, n_head, block_size = 6, 2, 8
token_embedding = nn.Embedding(len(vocab), n_embd)
mha = MultiHead(n_embd, n_head, block_size)
ln = nn.LayerNorm(n_embd)
lm_head = nn.Linear(n_embd, len(vocab))
print(sum(p.numel() for p in mha.parameters()), "parameters")

# %%
def positions(length, width):
    pe = torch.zeros(length, width)
    pos = torch.arange(0, length, dtype=torch.float).unsqueeze(1)
    div = torch.exp(torch.arange(0, width, 2).float() * (-math.log(100.0) / width))
    pe[:, 0::2] = torch.sin(pos * div)
    pe[:, 1::2] = torch.cos(pos * div)
    return pe

# %%
emb = token_embedding(ids) + positions(len(ids), n_embd)
print("embedded", emb.shape)
print(emb)

# %%
x = emb + mha(ln(emb))
x

# %%
wei = (mha.heads[0].query(emb) @ mha.heads[0].key(emb).T).softmax(dim=-1)
print(wei)
print(f"{wei[1, 2].item():.1%} of the attention of {sentence.split()[1]!r}")

# %%
logits = lm_head(x)
loss = F.cross_entropy(logits[:-1], ids[1:])
print(f"loss: {loss.item():.4f} (uniform: {math.log(len(vocab)):.4f})")

# %%
losses = F.cross_entropy(logits[:-1], ids[1:], reduction="none")
for word, one in zip(sentence.split()[1:], losses):
    print(f"{word:>8}: {one.item():.4f}")

# %%
temperature = 0.7
probs = F.softmax(logits[-1] / temperature, dim=-1)
for i, p in enumerate(probs):
    print(f"{itos[i]:<8} {p.item():6.3f}")

# %%
top = torch.topk(probs, 3)
print(top.values)
print(top.indices)

# %%
loss.backward()
total = torch.stack([p.grad.norm() for p in mha.parameters()]).norm()
print("gradient norm", total)
print(lm_head.bias.grad)

# %%
with torch.no_grad():
    lm_head.bias -= 0.1 * lm_head.bias.grad
lm_head.bias
