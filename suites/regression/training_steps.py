# Twin of training_steps.cpp: the same 23 cells in PyTorch, with the same labels.

# %% [1]
import torch
import torch.nn as nn
import torch.nn.functional as F


# %% [2]
class Net(nn.Module):
    def __init__(self, inputs, hidden, outputs):
        super().__init__()
        self.first = nn.Linear(inputs, hidden)
        self.second = nn.Linear(hidden, outputs)

    def forward(self, x):
        return self.second(torch.tanh(self.first(x)))


# %% [3]
torch.manual_seed(3)
x = torch.randn(32, 3)
y = torch.sin(x[:, :1]) + 0.5 * x[:, 1:2] * x[:, 2:]
y[:4]

# %% [4]
torch.manual_seed(1)
net = Net(3, 8, 1)
loss = F.mse_loss(net(x), y)
loss.backward()
print(loss.detach())
for name, parameter in net.named_parameters():
    print(name, parameter.shape, parameter.grad.flatten()[:3])

# %% [5]
F.mse_loss(net(x), y).backward()
print(net.second.bias.grad)
net.zero_grad()
F.mse_loss(net(x), y).backward()
print(net.second.bias.grad)

# %% [6]
torch.manual_seed(1)
net = Net(3, 8, 1)
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(10):
    sgd.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    sgd.step()
    print(f"{step} {loss.item():.4f}")

# %% [7]
torch.manual_seed(1)
net = Net(3, 8, 1)
heavy_ball = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
for step in range(10):
    heavy_ball.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    heavy_ball.step()
    print(f"{step} {loss.item():.4f}")
net.second.weight.detach()

# %% [8]
torch.manual_seed(1)
net = Net(3, 8, 1)
nesterov = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=0.01, nesterov=True)
for step in range(10):
    nesterov.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    nesterov.step()
    print(f"{step} {loss.item():.4f}")
net.second.weight.detach()

# %% [9]
torch.manual_seed(1)
net = Net(3, 8, 1)
adam = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(10):
    adam.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    adam.step()
    print(f"{step} {loss.item():.4f}")
net.second.weight.detach()

# %% [10]
torch.manual_seed(1)
net = Net(3, 8, 1)
adamw = torch.optim.AdamW(net.parameters(), lr=0.01, weight_decay=0.1)
for step in range(10):
    adamw.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    adamw.step()
    print(f"{step} {loss.item():.4f}")
net.second.weight.detach()

# %% [11]
torch.manual_seed(1)
net = Net(3, 8, 1)
rmsprop = torch.optim.RMSprop(net.parameters(), lr=0.01, alpha=0.9)
for step in range(10):
    rmsprop.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    rmsprop.step()
    print(f"{step} {loss.item():.4f}")
net.second.weight.detach()

# %% [12]
torch.manual_seed(1)
net = Net(3, 8, 1)
adagrad = torch.optim.Adagrad(net.parameters(), lr=0.05)
for step in range(10):
    adagrad.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    adagrad.step()
    print(f"{step} {loss.item():.4f}")
net.second.weight.detach()

# %% [13]
torch.manual_seed(1)
net = Net(3, 8, 1)
amsgrad = torch.optim.Adam(
    net.parameters(), lr=0.02, betas=(0.8, 0.99), eps=1e-6, weight_decay=0.05, amsgrad=True
)
for step in range(10):
    amsgrad.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    amsgrad.step()
print(loss.detach())
net.first.bias.detach()

# %% [14]
torch.manual_seed(1)
net = Net(3, 8, 1)
decayed = torch.optim.SGD(net.parameters(), lr=0.2)
scheduler = torch.optim.lr_scheduler.StepLR(decayed, step_size=3, gamma=0.5)
for step in range(10):
    decayed.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    decayed.step()
    print(f"{step} {decayed.param_groups[0]['lr']:.4f} {loss.item():.4f}")
    scheduler.step()

# %% [15]
torch.manual_seed(1)
net = Net(3, 8, 1)
clipped = torch.optim.SGD(net.parameters(), lr=0.1)
decay = torch.optim.lr_scheduler.ExponentialLR(clipped, gamma=0.9)
for step in range(5):
    clipped.zero_grad()
    loss = F.mse_loss(net(x) * 10, y)
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    clipped.step()
    decay.step()
    print(f"{loss.item():.4f} {norm.item():.4f} {clipped.param_groups[0]['lr']:.5f}")

# %% [16]
F.mse_loss(net(x), y * 10).backward()
torch.nn.utils.clip_grad_value_(net.parameters(), 0.25)
net.second.weight.grad

# %% [17]
t = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)
slope = torch.autograd.grad((t ** 4).sum(), t, create_graph=True)[0]
print(slope)
curvature = torch.autograd.grad(slope.sum(), t, create_graph=True)[0]
print(curvature)
print(torch.autograd.grad(curvature.sum(), t)[0])

# %% [18]
torch.manual_seed(2)
critic = Net(3, 4, 1)
points = x[:5].clone().requires_grad_()
slopes = torch.autograd.grad(critic(points).sum(), points, create_graph=True)[0]
penalty = ((slopes.norm(dim=1) - 1) ** 2).mean()
penalty.backward()
print(penalty.detach())
print(critic.first.weight.grad)

# %% [19]
with torch.no_grad():
    silent = critic(x[:2])
held = critic(x[:2]).detach()
print(silent.requires_grad, held.requires_grad, critic(x[:2]).requires_grad)
print(torch.equal(silent, held), silent)

# %% [20]
s = torch.tensor(3.0, requires_grad=True)
(s * s.detach() + s ** 2).backward()
print(s.grad)
with torch.no_grad():
    s -= 0.1 * s.grad
    s.grad.zero_()
print(s, s.grad)

# %% [21]
torch.manual_seed(6)
frozen = Net(3, 4, 1)
for parameter in frozen.first.parameters():
    parameter.requires_grad_(False)
F.mse_loss(frozen(x), y).backward()
print(frozen.first.weight.grad, frozen.second.bias.grad)

# %% [22]
torch.manual_seed(4)
source = Net(3, 4, 1)
torch.manual_seed(5)
copy = Net(3, 4, 1)
print(torch.equal(source(x), copy(x)))
copy.load_state_dict(source.state_dict())
print(torch.equal(source(x), copy(x)))
copy(x[:3]).detach()

# %% [23]
optimizer = torch.optim.SGD(copy.parameters(), lr=0.1)
F.mse_loss(copy(x), y).backward()
optimizer.step()
print(torch.equal(source.second.bias, copy.second.bias))
print(source.second.bias.detach(), copy.second.bias.detach())
for name, value in source.state_dict().items():
    print(name, value.shape)
