# %%
import torch
import torch.nn.functional as F

_ = torch.manual_seed(0)

# %%
class Linear:
    def __init__(self, fan_in, fan_out, bias=True):
        self.weight = torch.randn((fan_in, fan_out)) / fan_in**0.5
        self.bias = torch.zeros(fan_out) if bias else None

    def __call__(self, x):
        self.out = x @ self.weight
        if self.bias is not None:
            self.out += self.bias
        return self.out

    def parameters(self):
        return [self.weight] + ([] if self.bias is None else [self.bias])

class BatchNorm1d:
    def __init__(self, dim, eps=1e-5, momentum=0.1):
        self.eps = eps
        self.momentum = momentum
        self.training = True
        self.gamma = torch.ones(dim)
        self.beta = torch.zeros(dim)
        self.running_mean = torch.zeros(dim)
        self.running_var = torch.ones(dim)

    def __call__(self, x):
        if self.training:
            mean = x.mean(0, keepdim=True)
            var = x.var(0, keepdim=True)
        else:
            mean = self.running_mean
            var = self.running_var
        self.out = self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta
        if self.training:
            with torch.no_grad():
                self.running_mean = (1 - self.momentum) * self.running_mean + self.momentum * mean
                self.running_var = (1 - self.momentum) * self.running_var + self.momentum * var
        return self.out

    def parameters(self):
        return [self.gamma, self.beta]

class Tanh:
    def __call__(self, x):
        self.out = torch.tanh(x)
        return self.out

    def parameters(self):
        return []

# %%
layers = [Linear(4, 6, bias=False), BatchNorm1d(6), Tanh(), Linear(6, 3), BatchNorm1d(3)]
with torch.no_grad():
    layers[-1].gamma *= 0.1
    for layer in layers[:-1]:
        if isinstance(layer, Linear):
            layer.weight *= 5 / 3
C = torch.randn(7, 2)
parameters = [C] + [p for layer in layers for p in layer.parameters()]
print(sum(p.nelement() for p in parameters), len(layers))
for p in parameters:
    p.requires_grad = True

# %%
targets = torch.tensor([0, 2, 1, 1, 0])
for step in range(3):
    x = C[torch.randint(0, 7, (5, 2))].view(5, -1)
    for layer in layers:
        x = layer(x)
    loss = F.cross_entropy(x, targets)
    for layer in layers:
        layer.out.retain_grad()
    for p in parameters:
        p.grad = None
    loss.backward()
    for p in parameters:
        p.data += -0.1 * p.grad
    print(step, loss.item())

# %%
for i, layer in enumerate(layers[:-1]):
    if isinstance(layer, Tanh):
        t = layer.out
        print("layer %d (%10s): mean %+.2f, grad %e" % (i, layer.__class__.__name__, t.mean(), t.grad.std()))
    elif isinstance(layer, Linear) and layer.bias is not None:
        print(i, type(layer).__name__, layer.bias)

# %%
for layer in layers:
    layer.training = False
[(type(layer).__name__, tuple(layer.out.shape)) for layer in layers]

# %%
x = torch.ones(2, 4)
for layer in layers:
    x = layer(x)
x

# %%
print([layer.weight.shape for layer in layers if isinstance(layer, Linear)], layers[0].weight[0], layers[3](torch.ones(1, 6)))

# %%
class Sequential:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        self.out = x
        return self.out

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]

# %%
def eval_mode(model):
    for layer in model.layers:
        layer.training = False

def show(model):
    for layer in model.layers:
        print(layer.__class__.__name__, ":", tuple(layer.out.shape))

# %%
class Flatten:
    def __init__(self, n):
        self.n = n

    def __call__(self, IX):
        B, T, E = IX.shape
        x = IX.view(B, T // self.n, E * self.n)
        if x.shape[1] == 1:
            x = x.squeeze(1)
        self.out = x
        return self.out

    def parameters(self):
        return []

# %%
def build(hidden):
    model = Sequential([
        Flatten(2), Linear(6, hidden, bias=False), Tanh(),
        Flatten(2), Linear(2 * hidden, hidden), BatchNorm1d(hidden, momentum=0.5), Linear(hidden, 2),
    ])
    with torch.no_grad():
        model.layers[-1].weight *= 0.1
    for p in model.parameters():
        p.requires_grad = True
    return model

# %%
model = build(hidden=5)
print(model(torch.randn(3, 4, 3)).shape, sum(p.nelement() for p in model.parameters()))
show(model)

# %%
eval_mode(model)
model(torch.arange(12.0).view(1, 4, 3))

# %%
class Circle:
    def __init__(self, radius):
        self.radius = radius
        self.name = "circle"

    def area(self):
        return 3.0 * self.radius**2

    @property
    def sides(self):
        return 0

class Square:
    def __init__(self, side):
        self.side = side
        self.name = "square"

    def area(self):
        return 1.0 * self.side * self.side

    @property
    def sides(self):
        return 4

shapes = [Circle(2), Square(3)] + [Square(1)]
for shape in shapes:
    print(shape.name, shape.area(), shape.sides, not isinstance(shape, Square))
shapes[0].name = "disc"
print(max(shape.area() for shape in shapes), [shape.name for shape in shapes])

# %%
def largest(shapes):
    best = shapes[0]
    for shape in shapes:
        if shape.area() > best.area():
            best = shape
    return best

best = largest(shapes)
best.name = "largest"
print(shapes[0].name, type(best).__name__)

# %%
g = torch.Generator().manual_seed(5)
print(torch.rand(2, generator=g))

# %%
class Noise:
    def __init__(self, size):
        self.weight = torch.randn(size, generator=g)

    def __call__(self, x):
        return x + self.weight

class Twice:
    def __init__(self, parts):
        self.parts = parts

    def __getitem__(self, at):
        return self.parts[at]

    def __call__(self, x):
        for part in self.parts:
            x = part(part(x))
        return x

g = torch.Generator().manual_seed(6)
twice = Twice([Noise(2), Tanh()])
twice[-2].weight.data *= 0.5
print(twice(torch.ones(2)), twice[0].weight, twice[1].out)

# %%
class Drawn:
    def __init__(self, size, generator=None):
        self.weight = torch.randn(size, generator=generator)
        self.seeded = generator is not None

    def params(self):
        return [self.weight]

class Fixed:
    def __init__(self):
        self.seeded = False

    def params(self):
        return []

def pair_of(size):
    drawn = torch.Generator().manual_seed(3)
    parts = [Drawn(size, generator=drawn), Drawn(size), Fixed()]
    params = [torch.zeros(1)] + [p for part in parts for p in part.params()]
    return params, parts

# %%
params, parts = pair_of(2)
for p in params:
    p -= 1
params.append(torch.ones(1))
print(params, [part.seeded for part in parts], parts[0].weight)
