# %%
# a lesson on attention, of which a page computes everything
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0);

# %%
sentence = "the cat sat on the mat"
words = sentence.split()
vocab = sorted(set(words))
stoi = {word: i for i, word in enumerate(vocab)}
ids = torch.tensor([stoi[word] for word in words])
print(ids)

# %%
embedding = nn.Embedding(len(vocab), 4)
W_q = nn.Linear(4, 4, bias=False)
W_k = nn.Linear(4, 4, bias=False)
W_v = nn.Linear(4, 4, bias=False)
norm = nn.LayerNorm(4)
head = nn.Linear(4, len(vocab))

# %%
x = embedding(ids)
print(x)

# %%
position = torch.arange(len(ids)).unsqueeze(1)
rate = torch.exp(torch.arange(0, 4, 2) * (-math.log(10000.0) / 4))
waves = torch.zeros(len(ids), 4)
waves[:, 0::2] = torch.sin(position * rate)
waves[:, 1::2] = torch.cos(position * rate)
x = x + waves
print(x)

# %%
q, k, v = W_q(x), W_k(x), W_v(x)
print(q)

# %%
T = len(ids)
q, k, v = (each.view(T, 2, 2).transpose(0, 1) for each in (q, k, v))
scores = q @ k.transpose(-2, -1) / math.sqrt(2)
scores = scores.masked_fill(torch.tril(torch.ones(T, T)) == 0, float("-inf"))
weights = F.softmax(scores, dim=-1)
print(weights)

# %%
context = (weights @ v).transpose(0, 1).contiguous().view(T, 4)
h = norm(x + context)
print(h)

# %%
logits = head(h)
loss = F.cross_entropy(logits[:-1], ids[1:])
print(f"loss {loss.item():.4f}")

# %%
loss.backward()
print(W_q.weight.grad)
print(embedding.weight.grad)

# %%
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
optimizer.step()
print(head.weight)

# %%
adam = torch.optim.AdamW(W_q.parameters(), lr=0.01)
adam.step()
print(W_q.weight)

# %%
print(F.dropout(h, 0.2))

# %%
probabilities = F.softmax(logits[-1], dim=-1)
print(probabilities)

# %%
print(weights[0, -1])
