# Twin of normalization.cpp: the same 30 cells in PyTorch, with the same labels.

# %% [1]
import torch
import torch.nn as nn
import torch.nn.functional as F

# %% [2]
torch.manual_seed(4)
x = torch.randn(4, 6) * 3 + 1
x

# %% [3]
norm = nn.LayerNorm(6)
y = norm(x)
print(torch.allclose(y.mean(-1), torch.zeros(4), atol=1e-6))
print(torch.allclose(y.var(-1, unbiased=False), torch.ones(4), atol=1e-4))
y.detach()

# %% [4]
mean = x.mean(-1, keepdim=True)
variance = x.var(-1, unbiased=False, keepdim=True)
by_hand = (x - mean) / torch.sqrt(variance + 1e-5)
print(torch.allclose(by_hand, y, atol=1e-6))
torch.cat([mean, variance], dim=1)

# %% [5]
with torch.no_grad():
    norm.weight.copy_(torch.tensor([1.0, 2.0, 0.5, 1.5, 1.0, 3.0]))
    norm.bias.copy_(torch.tensor([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]))
norm(x).detach()[:2]

# %% [6]
target = torch.randn(4, 6)
learned = x.clone().requires_grad_()
loss = F.mse_loss(norm(learned), target)
loss.backward()
print(f"loss {loss.item():.4f}")
print(norm.weight.grad)
print(norm.bias.grad)
learned.grad[:2]

# %% [7]
print(torch.allclose(learned.grad.sum(-1), torch.zeros(4), atol=1e-5))
images = torch.randn(2, 4, 3, 5) * 2 - 0.5
over_two = F.layer_norm(images, [3, 5])
print(over_two.shape, over_two.abs().double().sum())
over_two[0, 1]

# %% [8]
F.layer_norm(x, [6], weight=torch.full((6,), 2.0), bias=torch.ones(6), eps=0.1)[1]

# %% [9]
batch_norm = nn.BatchNorm1d(3)
torch.manual_seed(5)
batch = torch.randn(6, 3) * torch.tensor([1.0, 2.0, 4.0]) + torch.tensor([0.0, 1.0, -2.0])
y = batch_norm(batch)
print(batch_norm.running_mean, batch_norm.running_var, batch_norm.num_batches_tracked)
y.detach()

# %% [10]
for step in range(3):
    batch_norm(torch.randn(6, 3) + step)
    print(step, batch_norm.running_mean, batch_norm.running_var)
batch_norm.num_batches_tracked

# %% [11]
batch_norm.eval()
print(batch_norm.training)
y = batch_norm(batch)
by_hand = (batch - batch_norm.running_mean) / torch.sqrt(batch_norm.running_var + 1e-5)
print(torch.allclose(y, by_hand, atol=1e-5))
y.detach()

# %% [12]
learned = batch.clone().requires_grad_()
batch_norm(learned).square().mean().backward()
print(batch_norm.weight.grad, batch_norm.bias.grad)
learned.grad[:2]

# %% [13]
batch_norm.train()
batch_norm.zero_grad()
learned = batch.clone().requires_grad_()
(batch_norm(learned) ** 3).mean().backward()
print(batch_norm.weight.grad, batch_norm.bias.grad)
learned.grad

# %% [14]
averaged = nn.BatchNorm1d(3, momentum=None)
for step in range(3):
    averaged(batch * (step + 1))
averaged.running_mean, averaged.running_var

# %% [15]
plain = nn.BatchNorm1d(3, affine=False, track_running_stats=False)
print(len(list(plain.parameters())))
sequence = torch.randn(2, 3, 4)
plain(sequence)[0]

# %% [16]
F.batch_norm(batch, torch.zeros(3), torch.full((3,), 4.0), eps=0.01)[:3]

# %% [17]
batch_norm2d = nn.BatchNorm2d(4, momentum=0.3)
y = batch_norm2d(images)
print(y.shape, batch_norm2d.running_mean, batch_norm2d.running_var)
print(y.abs().double().sum().detach())
y[1, 2].detach()

# %% [18]
batch_norm2d.eval()
y = batch_norm2d(images)
print(y.double().sum().detach())
y[1, 2].detach()

# %% [19]
group_norm = nn.GroupNorm(2, 4)
y = group_norm(images)
groups = images.view(2, 2, -1)
by_hand = (groups - groups.mean(-1, keepdim=True)) / torch.sqrt(groups.var(-1, unbiased=False, keepdim=True) + 1e-5)
print(torch.allclose(by_hand.view_as(images), y, atol=1e-5))
y[1, :, 0].detach()

# %% [20]
learned = images.clone().requires_grad_()
weights = torch.randn(2, 4, 3, 5)
(group_norm(learned) * weights).sum().backward()
print(group_norm.weight.grad, group_norm.bias.grad)
learned.grad[0, :, 1]

# %% [21]
one_group = F.group_norm(images, 1)
four_groups = F.group_norm(images, 4)
print(torch.allclose(one_group, F.layer_norm(images, [4, 3, 5]), atol=1e-5))
print(torch.allclose(four_groups, over_two, atol=1e-5))
one_group[1, 3]

# %% [22]
instance_norm = nn.InstanceNorm2d(4, affine=True)
y = instance_norm(images)
print(torch.allclose(y, four_groups, atol=1e-5))
y[1, 0].detach()

# %% [23]
tracked = nn.InstanceNorm1d(3, track_running_stats=True)
tracked(sequence)
print(tracked.running_mean, tracked.running_var)
tracked.eval()
tracked(sequence)[1]


# %% [24]
class RMSNorm(nn.Module):
    def __init__(self, channels, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(channels))

    def forward(self, x):
        scale = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)
        return x * scale * self.weight


# %% [25]
rms_norm = RMSNorm(6)
y = rms_norm(x)
print(torch.allclose(y.pow(2).mean(-1), torch.ones(4), atol=1e-5))
y.detach()

# %% [26]
learned = x.clone().requires_grad_()
loss = F.mse_loss(rms_norm(learned), target)
loss.backward()
print(f"loss {loss.item():.4f}")
print(rms_norm.weight.grad)
learned.grad[:3]

# %% [27]
F.local_response_norm(images, 3, alpha=0.5, beta=0.75, k=1.0)[0, :, 0]

# %% [28]
lengths = F.normalize(x, dim=-1)
print(torch.allclose(lengths.norm(dim=-1), torch.ones(4)))
F.normalize(x, p=1.0, dim=0)

# %% [29]
torch.manual_seed(6)
model = nn.Sequential(
    nn.Linear(6, 8),
    nn.LayerNorm(8),
    nn.ReLU(),
    nn.Linear(8, 8),
    nn.BatchNorm1d(8),
    nn.Tanh(),
    nn.Linear(8, 6),
)
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
for step in range(5):
    loss = F.mse_loss(model(x), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"step {step}: loss {loss.item():.4f}")

# %% [30]
model.eval()
print(f"loss in eval {F.mse_loss(model(x), target).item():.4f}")
model(x).detach()[:2]
