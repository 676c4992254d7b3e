# %%
# a batched language model of characters, trained for a few steps
import torch
import torch.nn as nn
from torch.nn import functional as F

# %%
text = "hello world"
chars = sorted(list(set(text)))
vocab_size = len(chars)
print("".join(chars))
print(vocab_size)

# %%
stoi = {ch: i for i, ch in enumerate(chars)}
itos = {i: ch for i, ch in enumerate(chars)}
encode = lambda s: [stoi[c] for c in s]
decode = lambda l: "".join([itos[i] for i in l])
print(encode("hold"), decode(encode("hold")))

# %%
data = torch.tensor(encode(text), dtype=torch.long)
print(data.shape, data.dtype)
print(data)

# %%
B, T, C = 2, 4, 8
xb = torch.stack([data[i:i + T] for i in (0, 5)])
yb = torch.stack([data[i + 1:i + T + 1] for i in (0, 5)])
print("inputs:")
print(xb)
print("targets:")
print(yb)

# %%
class TinyModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok_emb = nn.Embedding(vocab_size, C)
        self.pos_emb = nn.Embedding(T, C)
        self.qkv = nn.Linear(C, 3 * C, bias=False)
        self.ln = nn.LayerNorm(C)
        self.head = nn.Linear(C, vocab_size)

    def forward(self, idx, targets=None):
        b, t = idx.shape
        x = self.tok_emb(idx) + self.pos_emb(torch.arange(t))
        q, k, v = self.qkv(self.ln(x)).split(C, dim=2)
        q = q.view(b, t, 2, C // 2).transpose(1, 2)
        k = k.view(b, t, 2, C // 2).transpose(1, 2)
        v = v.view(b, t, 2, C // 2).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (C // 2) ** -0.5
        att = att.masked_fill(torch.tril(torch.ones(t, t)) == 0, float("-inf"))
        y = F.softmax(att, dim=-1) @ v
        x = x + y.transpose(1, 2).contiguous().view(b, t, C)
        logits = self.head(x)
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.view(b * t, vocab_size), targets.view(b * t))
        return logits, loss

# %%
torch.manual_seed(2)
model = TinyModel()
print(f"{sum(p.numel() for p in model.parameters())} parameters")

# %%
logits, loss = model(xb, yb)
print(logits.shape)
print(loss)

# %%
print(logits[0])

# %%
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
for step in range(4):
    logits, loss = model(xb, yb)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    print(f"step {step}: loss {loss.item():.4f}")

# %%
print(model.tok_emb.weight[:2])
print(model.head.bias.data)

# %%
history = []
sgd = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for step in range(3):
    _, loss = model(xb, yb)
    sgd.zero_grad()
    loss.backward()
    sgd.step()
    history.append(loss.item())
    print("step", step, "loss", f"{history[-1]:.3f}")

# %%
model.eval()
with torch.no_grad():
    logits, _ = model(xb)
print(logits[:, -1, :])

# %%
probs = F.softmax(logits[:, -1, :], dim=-1)
print(probs)
print(probs.sum(dim=-1))

# %%
print(f"mean {logits.mean().item():.4f}, std {logits.std().item():.4f}")
print(f"accuracy {(logits.argmax(dim=-1) == yb).float().mean().item():.2f}")

# %%
print(model.pos_emb.weight.grad.abs().mean())
