# Twin of attention_layers.cpp: the same 32 cells in PyTorch, with the same labels.

# %% [1]
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

# %% [2]
torch.manual_seed(1)
B, H, T, D = 2, 4, 5, 8
q = torch.randn(B, H, T, D)
k = torch.randn(B, H, T, D)
v = torch.randn(B, H, T, D)
q.shape, q[0, 0, 0, :4]

# %% [3]
scores = q @ k.transpose(-2, -1) / math.sqrt(D)
scores[0, 0]

# %% [4]
weights = F.softmax(scores, dim=-1)
print(torch.allclose(weights.sum(-1), torch.ones(B, H, T)))
weights[0, 0]

# %% [5]
output = weights @ v
print(output.shape, output.double().sum())
output[1, 3, :2]


# %% [6]
def by_hand(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    scores = scores.masked_fill(~mask, float("-inf"))
    return F.softmax(scores, dim=-1) @ v


# %% [7]
def fused(q, k, v, mask):
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return by_hand(q, k, v, mask)


# %% [8]
everything = torch.ones(T, T, dtype=torch.bool)
result = fused(q, k, v, everything)
print(torch.allclose(result, output, atol=1e-6))
result[0, 2, :2]

# %% [9]
causal = torch.tril(torch.ones(T, T, dtype=torch.bool))
causal

# %% [10]
causal_weights = F.softmax(scores.masked_fill(~causal, float("-inf")), dim=-1)
causal_weights[0, 0, 2:]

# %% [11]
causal_output = by_hand(q, k, v, causal)
print(torch.equal(causal_output[:, :, 0], v[:, :, 0]))
causal_output[0, 0, 3:]

# %% [12]
print(torch.allclose(fused(q, k, v, causal), causal_output, atol=1e-6))
fused(q, k, v, causal).double().sum()

# %% [13]
lengths = torch.tensor([5, 3])
real = torch.arange(T) < lengths[:, None]
real

# %% [14]
padded_output = by_hand(q, k, v, real[:, None, None, :])
print(padded_output.double().sum())
print(torch.allclose(padded_output[0], output[0], atol=1e-6))
padded_output[1, 0, 3:]

# %% [15]
both = real[:, None, None, :] & causal
print(both.shape, both.sum())
fused(q, k, v, both)[1, 2, 3:, :6]

# %% [16]
learned = q.clone().requires_grad_()
loss = by_hand(learned, k, v, causal).square().mean()
loss.backward()
print(f"loss {loss.item():.4f}")
learned.grad[0, 0, 2:] * 100

# %% [17]
torch.manual_seed(2)
attention = nn.MultiheadAttention(16, 4)
x = torch.randn(T, B, 16)
y, attended = attention(x, x, x)
print(y.shape, attended.shape)
y[0].detach()[:, :6]

# %% [18]
attended[1].detach()

# %% [19]
y, heads = attention(x, x, x, average_attn_weights=False)
print(heads.shape, torch.allclose(heads.mean(1), attended))
heads[0, :, 0].detach()

# %% [20]
y, attended = attention(x, x, x, key_padding_mask=~real, attn_mask=~causal)
print(y.double().sum().detach())
attended[1].detach()

# %% [21]
attention.zero_grad()
y.square().mean().backward()
print(attention.in_proj_weight.grad.norm(), attention.out_proj.weight.grad.norm())
attention.out_proj.bias.grad[:5] * 100

# %% [22]
encoder = torch.randn(3, B, 16)
y, attended = attention(x, encoder, encoder)
print(y.shape, attended.shape)
attended[0].detach()


# %% [23]
def sinusoidal(length, channels):
    position = torch.arange(length).float()[:, None]
    frequency = torch.exp(torch.arange(0, channels, 2).float() * (-math.log(10000.0) / channels))
    table = torch.zeros(length, channels)
    table[:, 0::2] = torch.sin(position * frequency)
    table[:, 1::2] = torch.cos(position * frequency)
    return table


# %% [24]
positions = sinusoidal(T, 16)
positions[1:, :6]

# %% [25]
x_at = x + positions[:, None]
print(x_at.shape, x_at.double().sum())
positions @ positions.t()


# %% [26]
def rotate(x, start):
    T, D = x.size(-2), x.size(-1)
    position = torch.arange(start, start + T).float()[:, None]
    angle = position / 10.0 ** torch.arange(0, D // 2).float()
    first, second = x.chunk(2, dim=-1)
    turned = [first * angle.cos() - second * angle.sin(), second * angle.cos() + first * angle.sin()]
    return torch.cat(turned, dim=-1)


# %% [27]
rotated = rotate(q, 0)
print(torch.equal(rotated[:, :, 0], q[:, :, 0]))
print(torch.allclose(rotated.norm(dim=-1), q.norm(dim=-1)))
rotated[0, 0, 1:3]

# %% [28]
near = rotate(q, 0) @ rotate(k, 0).transpose(-2, -1)
far = rotate(q, 7) @ rotate(k, 7).transpose(-2, -1)
print(torch.allclose(near, far, atol=1e-4))
near[0, 0]


# %% [29]
class EncoderLayer(nn.Module):
    def __init__(self, channels, heads, hidden):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(channels)
        self.norm2 = nn.LayerNorm(channels)
        self.qkv = nn.Linear(channels, 3 * channels)
        self.proj = nn.Linear(channels, channels)
        self.up = nn.Linear(channels, hidden)
        self.down = nn.Linear(hidden, channels)

    def forward(self, x, mask):
        B, T, C = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(B, T, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4)
        y = by_hand(q, k, v, mask)
        x = x + self.proj(y.transpose(1, 2).reshape(B, T, C))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


# %% [30]
torch.manual_seed(3)
layer = EncoderLayer(16, 4, 32)
print(sum(p.numel() for p in layer.parameters()))
tokens = torch.randn(B, T, 16)
out = layer(tokens, causal)
print(out.shape, out.double().sum().detach())
out[0, :, :5].detach()

# %% [31]
changed = tokens.clone()
changed[:, 3] = 0.5
print((layer(changed, causal) - out).abs().sum((0, 2)).detach())

# %% [32]
target = torch.randn(B, T, 16)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
for step in range(4):
    loss = F.mse_loss(layer(tokens, causal), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"step {step}: loss {loss.item():.4f}")
layer.qkv.weight.grad.norm(), layer.norm1.weight.grad[:4]
