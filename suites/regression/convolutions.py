# Twin of convolutions.cpp: the same 32 cells in PyTorch, with the same labels.

# %% [1]
import torch
import torch.nn as nn
import torch.nn.functional as F

# %% [2]
torch.manual_seed(7)
signal = torch.randn(2, 3, 10)
conv1d = nn.Conv1d(3, 4, kernel_size=3)
y = conv1d(signal)
print(y.shape, y.double().sum().detach())
y[0].detach()

# %% [3]
windows = signal.unfold(2, 3, 1)
by_hand = torch.einsum("bctk,ock->bot", windows, conv1d.weight) + conv1d.bias[:, None]
print(windows.shape, torch.allclose(by_hand, y, atol=1e-5))

# %% [4]
strided = nn.Conv1d(3, 2, kernel_size=4, stride=2, padding=1)
y = strided(signal)
print(y.shape)
y[1].detach()

# %% [5]
dilated = nn.Conv1d(3, 2, kernel_size=3, dilation=3, padding=3)
y = dilated(signal)
print(y.shape)
y[0].detach()

# %% [6]
depthwise = nn.Conv1d(3, 6, kernel_size=3, groups=3, bias=False)
print(depthwise.weight.shape)
depthwise(signal)[0].detach()

# %% [7]
causal = F.conv1d(F.pad(signal, (2, 0)), conv1d.weight, conv1d.bias)
print(causal.shape)
causal[0, :, :4].detach()

# %% [8]
torch.manual_seed(8)
image = torch.randn(2, 3, 6, 6)
conv2d = nn.Conv2d(3, 4, kernel_size=3, padding=1)
y = conv2d(image)
print(y.shape, y.double().sum().detach())
y[0, 1].detach()

# %% [9]
learned = image.clone().requires_grad_()
loss = conv2d(learned).square().mean()
loss.backward()
print(f"loss {loss.item():.4f}")
print(conv2d.bias.grad)
print(conv2d.weight.grad[2, 1])
learned.grad[1, 0] * 10

# %% [10]
patches = F.unfold(image, kernel_size=3, padding=1)
by_hand = (conv2d.weight.view(4, -1) @ patches).view(2, 4, 6, 6) + conv2d.bias[:, None, None]
print(patches.shape, torch.allclose(by_hand, y, atol=1e-5))
patches[0, :9, :4]

# %% [11]
counts = F.fold(F.unfold(torch.ones(1, 1, 6, 6), 3, padding=1), (6, 6), 3, padding=1)
folded = F.fold(patches, (6, 6), 3, padding=1)
print(torch.allclose(folded, image * counts, atol=1e-5))
counts[0, 0]

# %% [12]
F.conv2d(image, conv2d.weight, conv2d.bias, stride=(2, 1), padding=(0, 1), dilation=(1, 2))[0, 0].detach()

# %% [13]
for padding_mode in ["reflect", "replicate", "circular"]:
    torch.manual_seed(9)
    padded = nn.Conv2d(3, 2, kernel_size=3, padding=1, padding_mode=padding_mode)
    y = padded(image)
    print(padding_mode, y.shape, y.double().sum().detach())
    print(y[0, 0, 0].detach())

# %% [14]
same = F.conv2d(image, torch.ones(1, 3, 3, 3) / 27, padding="same")
print(same.shape)
same[0, 0, :3]

# %% [15]
separable = nn.Sequential(nn.Conv2d(3, 3, 3, groups=3), nn.Conv2d(3, 5, 1))
y = separable(image)
print(y.shape, sum(p.numel() for p in separable.parameters()))
y[1, 4].detach()

# %% [16]
torch.manual_seed(10)
transposed1d = nn.ConvTranspose1d(3, 2, kernel_size=4, stride=2, padding=1)
y = transposed1d(signal)
print(y.shape)
y[0, :, :8].detach()

# %% [17]
transposed = nn.ConvTranspose2d(3, 2, kernel_size=3, stride=2, padding=1, output_padding=1)
y = transposed(image)
print(y.shape, y.double().sum().detach())
y[0, 1, :4, :8].detach()

# %% [18]
learned = image.clone().requires_grad_()
y = transposed(learned)
y.square().mean().backward()
print(transposed.bias.grad)
print(transposed.weight.grad[0, 1])
learned.grad[0, 2, :3] * 10

# %% [19]
kernel = torch.randn(3, 2, 3, 3)
forward = F.conv_transpose2d(image, kernel, groups=1)
learned = torch.zeros(2, 2, 8, 8, requires_grad=True)
F.conv2d(learned, kernel).backward(image)
print(torch.allclose(forward, learned.grad, atol=1e-5))
forward[0, 0, :3]

# %% [20]
pooled, at = F.max_pool2d(image, 2, return_indices=True)
print(at[0, 0])
pooled[0]

# %% [21]
print(F.max_unpool2d(pooled, at, 2)[0, 0])
F.max_pool2d(image, kernel_size=3, stride=2, padding=1, dilation=1)[1, 0]

# %% [22]
learned = image.clone().requires_grad_()
F.max_pool2d(learned, 3, stride=1).sum().backward()
learned.grad[0, 0]

# %% [23]
print(F.avg_pool2d(image, 2)[0, 0])
print(F.avg_pool2d(image, 3, stride=2, padding=1)[0, 0])
F.avg_pool2d(image, 3, stride=2, padding=1, count_include_pad=False)[0, 0]

# %% [24]
print(F.adaptive_avg_pool2d(image, (2, 4))[0, 0])
print(F.adaptive_max_pool2d(image, 4)[0, 0])
F.adaptive_avg_pool2d(image, 1).flatten(1)

# %% [25]
print(F.max_pool1d(signal, 3, stride=2)[0])
print(F.avg_pool1d(signal, 4, stride=3)[1])
F.lp_pool1d(signal.abs(), 2.0, 3)[0]

# %% [26]
learned = signal.clone().requires_grad_()
(F.adaptive_avg_pool1d(learned, 4) * torch.arange(4)).sum().backward()
learned.grad[0, 0]

# %% [27]
small = torch.arange(6.0).view(1, 1, 2, 3)
for mode in ["reflect", "replicate", "circular"]:
    print(mode)
    print(F.pad(small, (1, 2, 1, 0), mode=mode)[0, 0])
F.pad(small, (1, 1, 0, 1), value=-1.0)[0, 0]

# %% [28]
print(F.interpolate(small, scale_factor=2, mode="nearest")[0, 0])
print(F.interpolate(small, size=(3, 5), mode="bilinear", align_corners=False)[0, 0])
print(F.interpolate(small, size=(3, 5), mode="bilinear", align_corners=True)[0, 0])
F.interpolate(small, size=(4, 4), mode="bicubic", align_corners=False)[0, 0]

# %% [29]
print(F.interpolate(small, size=(1, 2), mode="area")[0, 0])
print(F.interpolate(signal[:1, :1, :4], size=7, mode="linear", align_corners=False))
learned = small.clone().requires_grad_()
larger = F.interpolate(learned, size=(3, 4), mode="bilinear", align_corners=False)
(larger * torch.arange(12.0).view(3, 4)).sum().backward()
learned.grad[0, 0]

# %% [30]
print(F.pixel_shuffle(torch.arange(8.0).view(1, 4, 1, 2), 2)[0, 0])
theta = torch.tensor([[[0.8, 0.2, 0.1], [-0.2, 0.8, 0.0]]])
grid = F.affine_grid(theta, [1, 1, 3, 3], align_corners=False)
print(grid[0, 0])
F.grid_sample(image[:1, :1], grid, mode="bilinear", padding_mode="zeros", align_corners=False)[0, 0]

# %% [31]
volume = torch.randn(1, 2, 4, 4, 4)
conv3d = nn.Conv3d(2, 1, 3, padding=1, stride=2)
y = conv3d(volume)
print(y.shape, F.max_pool3d(volume, 2).double().sum())
y[0, 0].detach()

# %% [32]
torch.manual_seed(11)
network = nn.Sequential(
    nn.Conv2d(3, 6, 3, padding=1),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(6, 4, 3, padding=1),
    nn.ReLU(),
    nn.AdaptiveAvgPool2d(1),
    nn.Flatten(),
    nn.Linear(4, 3),
)
labels = torch.tensor([0, 2])
optimizer = torch.optim.SGD(network.parameters(), lr=0.5)
for step in range(4):
    loss = F.cross_entropy(network(image), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"step {step}: loss {loss.item():.4f}")
network(image).detach()
