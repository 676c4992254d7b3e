# Twin of activations.cpp: the same 30 cells in PyTorch, with the same labels.

# %% [1]
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

# %% [2]
x = torch.tensor([-2.0, -1.0, -0.5, -0.3, 0.2, 0.7, 1.5, 3.5])
points = torch.linspace(-2.5, 3.5, 7)
points


# %% [3]
def gradient(function):
    learned = x.clone().requires_grad_()
    function(learned).sum().backward()
    return learned.grad


# %% [4]
print(F.relu(x))
print(F.relu6(x * 2))
gradient(F.relu)

# %% [5]
print(F.gelu(x))
print(gradient(F.gelu))
x * 0.5 * (1 + torch.erf(x / math.sqrt(2)))

# %% [6]
print(F.gelu(x, approximate="tanh"))
print(gradient(lambda x: F.gelu(x, approximate="tanh")))
0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))

# %% [7]
print(F.silu(x))
print(gradient(F.silu))
torch.allclose(F.silu(x), x * torch.sigmoid(x))

# %% [8]
print(F.mish(x))
print(gradient(F.mish))
torch.allclose(F.mish(x), x * torch.tanh(F.softplus(x)))

# %% [9]
print(F.elu(x))
print(F.elu(x, alpha=0.5))
gradient(lambda x: F.elu(x, 0.5))

# %% [10]
print(F.selu(x))
print(F.celu(x, 2.0))
print(gradient(F.selu))
gradient(lambda x: F.celu(x, 2.0))

# %% [11]
print(F.leaky_relu(x))
print(F.leaky_relu(x, 0.2))
gradient(lambda x: F.leaky_relu(x, 0.2))

# %% [12]
weight = torch.tensor([0.25], requires_grad=True)
y = F.prelu(x, weight)
y.sum().backward()
print(y.detach(), weight.grad)
prelu = nn.PReLU(2, init=0.1)
channels = points[:6].view(1, 2, 3)
prelu(channels).square().sum().backward()
prelu.weight.grad

# %% [13]
print(F.softplus(x))
print(F.softplus(x, beta=2, threshold=5))
gradient(lambda x: F.softplus(x, 2, 5))

# %% [14]
print(F.hardtanh(x))
print(F.hardtanh(x, -2.0, 0.5))
gradient(F.hardtanh)

# %% [15]
print(F.hardswish(x))
print(F.hardsigmoid(x))
print(gradient(F.hardswish))
gradient(F.hardsigmoid)

# %% [16]
print(torch.sigmoid(x))
print(F.logsigmoid(x))
print(gradient(torch.sigmoid))
gradient(F.logsigmoid)

# %% [17]
print(torch.tanh(points))
print(gradient(torch.tanh))
torch.allclose(torch.tanh(points), 2 * torch.sigmoid(2 * points) - 1, atol=1e-6)

# %% [18]
print(F.softsign(x))
print(F.tanhshrink(x))
print(F.softshrink(x, 0.5) + 0)
print(F.hardshrink(x, 0.5))
gradient(F.softsign)

# %% [19]
print(F.threshold(x, 0.5, -1.0))
print(gradient(lambda x: F.threshold(x, 0.5, -1.0)))
gradient(F.tanhshrink)

# %% [20]
torch.manual_seed(18)
scores = torch.randn(3, 5)
probabilities = F.softmax(scores, dim=-1)
print(probabilities)
print(F.softmin(scores, dim=0))
F.log_softmax(scores, dim=-1)

# %% [21]
print(torch.allclose(torch.logsumexp(scores, -1, keepdim=True), scores - F.log_softmax(scores, -1), atol=1e-6))
large = torch.tensor([1000.0, 1001.0, 1002.0])
print(F.softmax(large, dim=0))
F.log_softmax(large - 500, dim=0)

# %% [22]
learned = scores.clone().requires_grad_()
F.softmax(learned, dim=-1)[:, 2].sum().backward()
learned.grad

# %% [23]
learned = scores.clone().requires_grad_()
F.log_softmax(learned, dim=-1)[:, 2].sum().backward()
learned.grad

# %% [24]
jacobian = torch.diag(probabilities[0]) - torch.outer(probabilities[0], probabilities[0])
jacobian

# %% [25]
torch.manual_seed(19)
print(F.gumbel_softmax(scores, tau=2.0))
torch.manual_seed(19)
F.gumbel_softmax(scores, tau=2.0, hard=True)

# %% [26]
print(F.glu(scores[:, :4], dim=-1))
learned = scores[:, :4].clone().requires_grad_()
F.glu(learned, dim=1).sum().backward()
learned.grad


# %% [27]
def swiglu(x):
    gate, value = x.chunk(2, dim=-1)
    return F.silu(gate) * value
swiglu(scores[:, :4])


# %% [28]
layers = [nn.ReLU(), nn.GELU(), nn.SiLU(), nn.Mish(), nn.ELU(), nn.Softplus()]
layers += [nn.Hardtanh(), nn.LogSigmoid(), nn.Tanh(), nn.Sigmoid()]
for layer in layers:
    print(layer(points).double().sum())

# %% [29]
torch.manual_seed(20)
print(F.rrelu(x, 0.1, 0.3, training=True))
print(F.rrelu(x, 0.1, 0.3))
clamped = x.clone()
F.relu_(clamped)
clamped

# %% [30]
second = torch.tensor([-1.0, 0.5, 2.0], requires_grad=True)
first_order = torch.autograd.grad(torch.tanh(second).sum(), second, create_graph=True)[0]
second_order = torch.autograd.grad(first_order.sum(), second)[0]
print(first_order.detach())
second_order
