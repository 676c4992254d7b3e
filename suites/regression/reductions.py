# Twin of reductions.cpp: the same 24 cells in PyTorch, with the same labels.

# %% [1]
import torch

# %% [2]
torch.manual_seed(5)
x = torch.randint(-9, 10, (3, 4, 5)).float()
x[0]

# %% [3]
print(x.sum(), x.sum(1))
print(x.sum((0, 2)), x.sum(dim=(1, 2), keepdim=True))
print((x > 0).sum(0), x.int().sum(-1))

# %% [4]
print(x.mean(), x.mean(dim=2))
print(x.mean((0, 1), keepdim=True))
print(x.int().double().mean(0)[0])

# %% [5]
print(x.var(), x.std(0)[0])
print(x.var(dim=1, unbiased=False))
print(torch.std(x, dim=(0, 2), keepdim=True).squeeze())

# %% [6]
variance, mean = torch.var_mean(x, dim=2)
print(variance)
print(mean)

# %% [7]
small = torch.tensor([[1.5, -2.0, 0.5], [4.0, 0.25, -3.0]])
print(small.prod(), small.prod(1), torch.prod(small, 0, keepdim=True))
print(small.cumsum(0), small.cumsum(1))
print(torch.cumprod(small, dim=1))
print(torch.logcumsumexp(small.double(), 1))

# %% [8]
print(torch.logsumexp(small, 1), torch.logsumexp(torch.tensor([1000.0, 1000.0]), 0, keepdim=True))
print(small.logsumexp((0, 1)))

# %% [9]
torch.manual_seed(3)
shuffled = torch.randperm(24).view(4, 6)
print(shuffled)
print(shuffled.max(dim=1))
smallest, rows = shuffled.min(0)
print(smallest, rows)

# %% [10]
print(
    shuffled.max(),
    shuffled.min(),
    shuffled.argmax(),
    shuffled.argmin(dim=1),
    shuffled.argmax(0, keepdim=True),
)
print(shuffled.amax((0, 1)), shuffled.amin(1, keepdim=True))
print(torch.aminmax(shuffled, dim=1))

# %% [11]
tied = torch.tensor([[2.0, 5.0, 5.0, 1.0], [7.0, 0.0, 3.0, 7.0]], requires_grad=True)
tied.amax(1).sum().backward()
print(tied.grad)
print(torch.maximum(tied.detach(), torch.full((4,), 3.0)))

# %% [12]
middle, columns = shuffled.median(dim=1)
print(middle, columns)
print(shuffled.median(), torch.tensor([1.0, float("nan"), 3.0]).nanmedian())
print(torch.tensor([[1, 2, 2, 3], [3, 3, 1, 3]]).mode(dim=1).values)

# %% [13]
print(
    shuffled.double().quantile(0.25),
    shuffled.double().quantile(torch.tensor([0.1, 0.5, 0.9], dtype=torch.float64), dim=1),
)
print(torch.cummax(shuffled[1], 0))
print(torch.cummin(shuffled[2], 0).indices)

# %% [14]
keys = torch.tensor([3, 1, 2, 3, 1, 2, 3, 0])
falling, places = torch.sort(keys, stable=True, descending=True)
print(falling, places)
print(torch.sort(keys, stable=True).indices)

# %% [15]
columns_sorted, order = shuffled.sort(dim=0, descending=True)
print(columns_sorted)
print(order)
print(torch.argsort(shuffled, dim=1))

# %% [16]
top, top_indices = shuffled.topk(2, dim=1)
print(top, top_indices)
print(torch.topk(shuffled.flatten(), 3, largest=False).values)
third, third_indices = shuffled.kthvalue(3, dim=1, keepdim=True)
print(third, third_indices)

# %% [17]
torch.manual_seed(11)
scores = torch.randn(5, 40, requires_grad=True)
best, best_indices = scores.topk(3)
best.sum().backward()
print(best.detach())
print(torch.equal(scores.grad.nonzero()[:, 1].view(5, 3), best_indices.sort(1).values), scores.grad.sum(1))

# %% [18]
found, inverse, counts = torch.unique(keys, return_inverse=True, return_counts=True)
print(found, inverse, counts)
pairs = torch.tensor([[1, 2], [0, 5], [1, 2], [0, 4]])
print(torch.unique(pairs, dim=0))
runs, lengths = torch.unique_consecutive(torch.tensor([1, 1, 2, 2, 2, 1]), return_counts=True)
print(runs, lengths)

# %% [19]
print(torch.bincount(keys), torch.bincount(keys, minlength=6))
print(torch.bincount(keys, weights=torch.arange(8.0)))
torch.manual_seed(13)
print(torch.histc(torch.rand(1000), bins=8, min=0, max=1))

# %% [20]
edges = torch.tensor([1.0, 3.0, 5.0, 7.0])
print(torch.searchsorted(edges, torch.tensor([[0.0, 3.0], [6.5, 9.0]])))
print(torch.searchsorted(edges, torch.tensor([3.0, 7.0]), right=True))
print(torch.bucketize(torch.tensor([2.0, 5.0, 7.5]), edges))

# %% [21]
steps = torch.arange(-6.0, 6.0).view(3, 4)
print(steps.norm(), steps.norm(dim=1), steps.norm(1, dim=0))
print(torch.linalg.vector_norm(steps, 3, dim=1), torch.linalg.norm(steps, float("inf")))
print(torch.linalg.matrix_norm(steps, 1), torch.dist(steps, torch.zeros(3, 4), 1))

# %% [22]
print((steps > -7).all(), (steps > 4).any(dim=1), (steps < 2).all(0, keepdim=True))
print(torch.tensor([0, 2]).any(), torch.tensor([0, 2], dtype=torch.uint8).all())
print(torch.any(torch.zeros(0, 3), 0), torch.all(torch.zeros(0, 3, dtype=torch.bool), 0))

# %% [23]
print(torch.nansum(torch.tensor([1.0, float("nan"), 2.5])), torch.tensor([1.0, float("nan")]).nanmean())
print(torch.zeros(0).sum(), torch.zeros(0, 2).prod(0), torch.zeros(3, 0).sum(1))
print(torch.tensor([3.0, float("nan"), 5.0]).max(), torch.tensor([3.0, float("nan"), 5.0]).argmax())

# %% [24]
torch.manual_seed(17)
big = torch.randint(0, 100, (70, 90, 11))
print(big.sum(), big.sum((0, 1)))
print(big.float().sum(), big.double().mean((0, 2))[:4])
print(big.half().sum(2)[0, :5], big.amax((0, 1)), big.double().var())
