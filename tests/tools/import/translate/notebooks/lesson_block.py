# %%
# a block of a transformer: attention of PyTorch, residuals, a GELU MLP and dropout
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(7);

# %%
inputs = torch.tensor(
    [[0.43, 0.15, 0.89, 0.20],  # Your
     [0.55, 0.87, 0.66, 0.11],  # journey
     [0.57, 0.85, 0.64, 0.42],  # starts
     [0.22, 0.58, 0.33, 0.70],  # with
     [0.77, 0.25, 0.10, 0.95]]  # one
)
print(inputs)

# %%
norm1 = nn.LayerNorm(4)
mha = nn.MultiheadAttention(embed_dim=4, num_heads=2, batch_first=True)
norm2 = nn.LayerNorm(4)

# %%
mlp = nn.Sequential(
    nn.Linear(4, 16),
    nn.GELU(),
    nn.Linear(16, 4),
    nn.Dropout(0.1),
)
print(mlp)

# %%
x = inputs.unsqueeze(0)
h = norm1(x)
print(h)
print("variance of each row:", h.var(dim=-1, unbiased=False))

# %%
mask = torch.triu(torch.ones(5, 5, dtype=torch.bool), diagonal=1)
print(mask)

# %%
attended, weights = mha(h, h, h, attn_mask=mask)
print(weights)

# %%
x = x + attended
print(x)

# %%
y = x + mlp(norm2(x))
print(y)

# %%
unembed = nn.Parameter(torch.randn(4, 5) * 0.5)
logits = y @ unembed
print(logits.squeeze(0))

# %%
for temperature in (0.5, 1.0, 2.0):
    p = torch.softmax(logits[0, -1] / temperature, dim=-1)
    entropy = -(p * p.log()).sum()
    print(f"T={temperature}: entropy {entropy:.4f}, largest {p.max().item():.4f}")

# %%
targets = torch.tensor([1, 2, 3, 4, 0])
loss = F.cross_entropy(logits.view(-1, 5), targets)
print(f"{loss.item():.4f}")

# %%
optimizer = torch.optim.Adam(list(mlp.parameters()) + [unembed], lr=0.05, weight_decay=0.01)
optimizer.zero_grad()
loss.backward()
optimizer.step()
print(unembed)
print(unembed.grad)

# %%
mlp.eval()
print("without dropout:", (x + mlp(norm2(x)))[0, 0])

# %%
print(mlp[0].weight.grad[:2])
print(mlp[2].bias)
