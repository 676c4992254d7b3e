# %%
import math
import torch
from torch import nn

torch.manual_seed(1);

# %%
X = torch.randn(100, 4)
true_w = torch.tensor([1.0, -2.0, 0.5, 3.0])
y = X @ true_w + 0.1 * torch.randn(100)
y.shape, X.dtype

# %%
class MLP(nn.Module):
    """A small network."""
    def __init__(self, n_in, n_hidden, n_out=1):
        super(MLP, self).__init__()
        self.net = nn.Sequential(
            nn.Linear(n_in, n_hidden),
            nn.ReLU(),
            nn.Linear(n_hidden, n_out),
        )

    def forward(self, x):
        return self.net(x).squeeze(-1)

model = MLP(4, 8)
print(model)

# %%
sum(p.numel() for p in model.parameters())

# %%
loss_fn = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
losses = []
for epoch in range(20):
    optimizer.zero_grad()
    pred = model(X)
    loss = loss_fn(pred, y)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
    if epoch % 5 == 0:
        print(f"epoch {epoch:3d} loss {loss.item():.4f}")

# %%
for name, param in model.named_parameters():
    print(name, param.shape, param.requires_grad)

# %%
with torch.no_grad():
    test = model(torch.ones(2, 4))
test

# %%
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split
import torch.nn.functional as F

torch.manual_seed(7)
points = torch.randn(60, 2)
kinds = (points[:, 0] * points[:, 1] > 0).long()
pairs = TensorDataset(points, kinds)
train_pairs, valid_pairs = random_split(pairs, [45, 15])
print(len(train_pairs), len(valid_pairs), train_pairs[0])

# %%
train_loader = DataLoader(train_pairs, batch_size=8, shuffle=True)
valid_loader = DataLoader(valid_pairs, batch_size=5)
for step, (xb, yb) in enumerate(train_loader):
    print(step, xb.shape, yb)
xb, yb = next(iter(train_loader))
print(len(train_loader), len(valid_loader.dataset), yb)

# %%
class Classifier(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.fc1 = nn.Linear(2, hidden)
        self.bn = nn.BatchNorm1d(hidden)
        self.drop = nn.Dropout(0.1)
        self.fc2 = nn.Linear(hidden, 2)
        self.scale = nn.Parameter(torch.ones(1))
        self.apply(self._start)

    def _start(self, module):
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.kaiming_uniform_(module.weight, nonlinearity="relu")
            nn.init.zeros_(module.bias)

    def forward(self, x):
        x = F.relu(self.bn(self.fc1(x)))
        return self.fc2(self.drop(x)) * self.scale

torch.manual_seed(8)
classifier = Classifier(6)
print(classifier.fc1.weight, classifier.scale)
classifier.fc2.bias

# %%
def run_epoch(net, loader, criterion, optimizer):
    net.train()
    total_loss, hits, seen = 0.0, 0, 0
    for xb, yb in loader:
        optimizer.zero_grad(set_to_none=True)
        scores = net(xb)
        loss = criterion(scores, yb)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), max_norm=0.5)
        optimizer.step()
        total_loss += loss.item() * len(xb)
        hits += (scores.argmax(dim=1) == yb).sum().item()
        seen += yb.size(0)
    return total_loss / seen, hits / seen

# %%
@torch.no_grad()
def evaluate(net, loader):
    net.eval()
    hits = 0
    for xb, yb in loader:
        hits += (net(xb).argmax(1) == yb).sum().item()
    return hits / len(loader.dataset)

# %%
adam = torch.optim.Adam(classifier.parameters(), lr=0.05)
schedule = torch.optim.lr_scheduler.StepLR(adam, step_size=2, gamma=0.5)
cosine = torch.optim.lr_scheduler.CosineAnnealingLR(adam, T_max=4)
for epoch in range(4):
    train_loss, train_hits = run_epoch(classifier, train_loader, nn.CrossEntropyLoss(), adam)
    schedule.step()
    cosine.step()
    print(f"{epoch}: {train_loss:.6f} {train_hits:.2%} {evaluate(classifier, valid_loader):.3f} {adam.param_groups[0]['lr']}")
schedule.get_last_lr()

# %%
for key, value in classifier.state_dict().items():
    print(key, value.shape, value.sum())
print(classifier.state_dict()["fc2.bias"])

# %%
twin = Classifier(6)
print(twin.load_state_dict(classifier.state_dict()))
twin.eval()
print(torch.equal(twin(points), classifier(points)), twin.bn.running_mean)

# %%
for name, child in classifier.named_children():
    print(name, child, type(child).__name__)

# %%
for p in classifier.fc1.parameters():
    p.requires_grad_(False)
print(sum(p.numel() for p in classifier.parameters() if p.requires_grad))
print(list(classifier.fc1.parameters()))

# %%
class Squares(Dataset):
    def __init__(self, count):
        self.x = torch.arange(count)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[index], self.x[index].item() ** 2.0

squares = Squares(7)
by_three = DataLoader(squares, batch_size=3, shuffle=True, drop_last=True)
for numbers, their_squares in by_three:
    print(numbers, their_squares)
len(by_three), len(squares), squares[3][0]

# %%
torch.manual_seed(9)
lstm = nn.LSTM(3, 4, num_layers=2, batch_first=True)
out, (hidden, memory) = lstm(torch.randn(2, 5, 3))
print(out[0, -1], hidden.shape, memory[0, 0])
lstm.bias_ih_l1

# %%
gru = nn.GRU(3, 2)
states, last = gru(torch.randn(4, 1, 3), torch.zeros(1, 1, 2))
print(states[-1], last)

# %%
torch.manual_seed(10)
conv = nn.Sequential(nn.Conv2d(1, 2, 3, padding=1), nn.BatchNorm2d(2), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
image = torch.randn(2, 1, 4, 4)
for layer in conv:
    image = layer(image)
    print(layer.__class__.__name__, image.shape)
print(conv[0].weight[0], image)

# %%
torch.manual_seed(11)
print(F.dropout(torch.ones(6), p=0.3), F.dropout(torch.ones(2), training=False))
print(F.max_pool2d(torch.arange(16.0).view(1, 1, 4, 4), 2), F.conv2d(torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2), padding=1))

# %%
trained = torch.tensor([1.0, 4.0], requires_grad=True)
print(trained * 2, trained / 2, trained + 1, trained - 1, 2 - trained, 2 / trained)
print(trained.norm(), trained.detach().norm(1), nn.utils.clip_grad_norm_([trained], 1.0))
trained ** 2

# %%
loose = nn.Parameter(torch.tensor(2.0))
print(f"{loose} {loose.item():.1f}", loose * 2)
layer = nn.Linear(2, 1)
layer.weight = nn.Parameter(torch.ones(1, 2))
layer.bias.data = torch.tensor([0.5])
print(layer(torch.tensor([1.0, 2.0])), layer.weight, layer.bias)

# %%
blocks = [nn.Linear(2, 3), nn.ReLU()]
for _ in range(2):
    blocks.append(nn.Linear(3, 3))
blocks.append(nn.Sigmoid())
stacked = nn.Sequential(*blocks)
print(stacked, len(stacked))
stacked(torch.ones(2)).shape

# %%
dropout = 0.5
block = 4
class Small(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.block = block
        self.embedding = nn.Embedding(size, block)
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(block, size)
        self.apply(self.begin)

    def begin(self, module):
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, std=0.2)

    def generate(self, tokens, count):
        for _ in range(count):
            logits, loss = self(tokens[:, -self.block:])
            chosen = torch.multinomial(torch.softmax(logits[:, -1, :], dim=-1), num_samples=1)
            tokens = torch.cat((tokens, chosen), dim=1)
        return tokens

    def forward(self, tokens, targets=None):
        logits = self.head(self.dropout(self.embedding(tokens)))
        if targets is None:
            loss = None
        else:
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
        return logits, loss

# %%
letters = "abcdefgh"
decode = lambda numbers: "".join([letters[i] for i in numbers])
small = Small(len(letters))
print(decode([0, 7]), decode(small.generate(torch.zeros((1, 1), dtype=torch.long), count=9)[0].tolist()))
print(small(torch.zeros(1, 2, dtype=torch.long))[1], dropout, block)
small(torch.tensor([[1, 2]]), torch.tensor([[2, 3]]))[1]

# %%
class Windows(torch.utils.data.Dataset):
    def __init__(self, tokens, size, stride):
        self.inputs = []
        self.targets = []
        for i in range(0, len(tokens) - size, stride):
            self.inputs.append(tokens[i:i + size])
            self.targets.append(tokens[i + 1:i + size + 1])

    def __len__(self):
        return len(self.inputs)

    def __getitem__(self, place):
        return self.inputs[place], self.targets[place]

windows = Windows(torch.arange(20), 4, 3)
window_loader = torch.utils.data.DataLoader(windows, batch_size=2, shuffle=True)
for given, wanted in window_loader:
    print(len(windows), given, wanted)

# %%
torch.manual_seed(11)
points = torch.utils.data.TensorDataset(torch.rand(7, 1, 2, 2), torch.arange(7))
point_loader = torch.utils.data.DataLoader(points, batch_size=3, shuffle=True)
batches = iter(point_loader)
torch.rand(2)
pictures, numbers = next(batches)
print(pictures, numbers)
pictures, numbers = next(batches)
print(numbers, torch.rand(1))

# %%
flat = nn.Linear(4, 7)
losses = {"train": [], "test": []}
trainer = torch.optim.SGD(flat.parameters(), lr=0.1)
for epoch in range(2):
    for i, (pictures, numbers) in enumerate(point_loader):
        pictures = pictures.reshape(-1, 4).to("cpu")
        loss = nn.functional.cross_entropy(flat(pictures), numbers)
        trainer.zero_grad()
        loss.backward()
        trainer.step()
        losses["train"].append(loss.item())
    losses["test"].append(loss.item())
    print(f"{epoch} {i} {loss.item():.4f}")
print(losses["test"], len(losses["train"]))

# %%
def gradient_of(training):
    with torch.set_grad_enabled(training):
        total = flat(torch.ones(1, 4)).sum()
    return total.requires_grad

with torch.set_grad_enabled(False):
    frozen = flat(torch.ones(2, 4))
print(gradient_of(True), gradient_of(1 > 2), frozen)

# %%
class Clipped(torch.autograd.Function):
    """A relu."""

    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return input.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        input, = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad_input[input < 0] = 0
        return grad_input

torch.manual_seed(12)
signed = torch.randn(2, 3, requires_grad=True)
clip = Clipped.apply
clipped = clip(signed)
print(clipped)
clipped.pow(2).sum().backward()
print(signed.grad)
clipped

# %%
class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor, times):
        ctx.factor = factor
        ctx.times = times
        ctx.positive = x > 0
        return x * factor * times

    @staticmethod
    def backward(ctx, g):
        print("backward", ctx.factor, ctx.times)
        return g * ctx.factor * ctx.times * ctx.positive, None, None

scaled_leaf = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
scaled = Scaled.apply(scaled_leaf, 2, 0.5)
scaled.sum().backward()
print(scaled, scaled_leaf.grad)
with torch.no_grad():
    print(Scaled.apply(scaled_leaf, 3, 1.5))

# %%
class Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y, x + y

    @staticmethod
    def backward(ctx, of_product, of_sum):
        x, y = ctx.saved_tensors
        print(of_product, of_sum)
        return of_product * y + of_sum, of_product * x + of_sum

product, total = Two.apply(scaled_leaf, scaled_leaf.detach() + 1)
print(product, total)
product.sum().backward()
print(scaled_leaf.grad)
both = Two.apply(scaled_leaf, 2 * scaled_leaf)
print(both, len(both))

# %%
class Exponent(torch.autograd.Function):
    @staticmethod
    def forward(ctx, i):
        result = i.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        result, = ctx.saved_tensors
        return grad_output * result

def sum_of_exponents(values):
    return Exponent.apply(values).sum()

twice = torch.tensor([0.5, 1.5], requires_grad=True)
once, = torch.autograd.grad(sum_of_exponents(twice), twice, create_graph=True)
print(once)
once.sum().backward()
print(twice.grad)

# %%
points = [torch.tensor([1.0], requires_grad=True), torch.tensor([2.0], requires_grad=True)]
movers = [torch.optim.SGD([point], lr=0.1, momentum=0.9) for point in points]
for step, (point, mover) in enumerate(zip(points, movers), start=1):
    for _ in range(step):
        mover.zero_grad()
        (point * point).sum().backward()
        mover.step()
    if step == 1:
        continue
    print(step, point)
for mover in movers:
    mover.step()
print(points)

# %%
class Stacked(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.steps = nn.ModuleList()
        for i in range(len(sizes) - 1):
            self.steps.append(nn.Linear(sizes[i], sizes[i + 1]))
            self.steps.append(nn.Tanh())
        self.steps.append(nn.Dropout(0.5))
        self.ends = nn.ModuleList([nn.Linear(2, 1), nn.Sigmoid()])

    def forward(self, x):
        for step in self.steps:
            x = step(x)
        return self.ends[1](self.ends[0](x))

torch.manual_seed(5)
stacked = Stacked([3, 4, 2])
print(stacked, len(stacked.steps), stacked.ends[1])
for i, step in enumerate(stacked.steps):
    print(i, step)
print(stacked(torch.ones(2, 3)), torch.rand(1))

# %%
torch.manual_seed(13)
unflatten = nn.Unflatten(1, (2, 3))
decoder = nn.Sequential(nn.Linear(4, 12), nn.Unflatten(dim=1, unflattened_size=(3, 2, 2)), nn.Conv2d(3, 1, 2))
print(unflatten, decoder)
unflat = unflatten(torch.arange(12).view(2, 6))
decoded = decoder(torch.ones(2, 4))
unflat[0, 1] = 7
unflat[1][0] = torch.tensor([1, 2, 3])
print(unflat, unflat.shape, decoded, decoded.dim(), nn.Unflatten(-1, [2, -1])(torch.ones(2, 4)))

# %%
# the best weights, as everybody keeps them
import copy
keeper = nn.Linear(2, 1)
best_loss = float("inf")
best_weights = None
for weight in [0.5, 0.25, 1.0]:
    with torch.no_grad():
        keeper.weight.fill_(weight)
    loss = (keeper.weight ** 2).sum().item()
    if best_weights is None or loss < best_loss:
        best_loss = loss
        best_weights = {k: v.clone() for k, v in keeper.state_dict().items()}
    print(best_weights is None, loss)
print(keeper.load_state_dict(best_weights), keeper.weight, list(best_weights), best_weights["weight"])

# %%
best_state = None
best_layer = None
print(best_state is None, best_layer is None)

# %%
for step in range(3):
    if best_state is not None:
        print("kept before", step)
    if not best_state:
        best_state = copy.deepcopy(keeper.state_dict())
    if best_layer is None:
        best_layer = nn.Linear(1, 1)
print(best_state, "weight" in best_state, best_state is None, best_layer is None, best_layer.weight.shape)

# %%
for name in keeper.state_dict():
    print(name, keeper.state_dict()[name].shape)
kept_state = keeper.state_dict()
print(len(kept_state.values()), list(kept_state.keys()), keeper.state_dict())
