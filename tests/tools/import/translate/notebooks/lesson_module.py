# %%
# one head of self-attention as a module; its causal mask is a buffer, and positions are learned
import torch
from torch import nn
torch.manual_seed(42);

# %%
text = "my dog loves my old ball"
tokens = text.split(" ")
vocabulary = {}
for token in tokens:
    if token not in vocabulary:
        vocabulary[token] = len(vocabulary)
print(vocabulary)

# %%
ids = torch.tensor([vocabulary[token] for token in tokens])
print("ids:", ids)
print("shape:", ids.shape)

# %%
d_model = 6
wte = nn.Embedding(len(vocabulary), d_model)
wpe = nn.Embedding(16, d_model)
x = wte(ids) + wpe(torch.arange(len(ids)))
x

# %%
class SelfAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout=0.0, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        num_tokens = x.shape[0]
        keys = self.W_key(x)
        queries = self.W_query(x)
        values = self.W_value(x)
        attn_scores = queries @ keys.T
        attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        return self.dropout(attn_weights) @ values

# %%
torch.manual_seed(123)
attention = SelfAttention(d_model, 4, 16)
print(attention.mask[:3, :3])

# %%
context = attention(x)
print(context)

# %%
scores = attention.W_query(x) @ attention.W_key(x).T / 2
print(torch.softmax(scores + torch.triu(torch.full((6, 6), float("-inf")), 1), dim=-1).sum(dim=-1))
print(f"first score {scores[0, 0].item():.3f}, largest {scores.max().item():.3f}")

# %%
out = nn.Linear(4, len(vocabulary), bias=False)
logits = out(context)
print("logits:\n", logits)

# %%
targets = torch.roll(ids, -1)
print(targets)

# %%
loss = nn.functional.cross_entropy(logits, targets)
print("loss:", loss)
print(f"loss = {loss.item():.4f}, perplexity = {loss.exp().item():.2f}")

# %%
loss.backward()
print(attention.W_value.weight.grad)
print(f"norm of the gradient: {attention.W_key.weight.grad.norm():.5f}")

# %%
learning_rate = 0.5
with torch.no_grad():
    for parameter in attention.parameters():
        parameter -= learning_rate * parameter.grad
print(attention.W_query.weight)

# %%
after = nn.functional.cross_entropy(out(attention(x)), targets)
print(f"before {loss.item():.4f}, after {after.item():.4f}, {(loss - after).item():+.2e} better")
