# Twin of indexing.cpp: the same 24 cells in PyTorch, with the same labels.

# %% [1]
import torch
import torch.nn.functional as F

# %% [2]
torch.manual_seed(1)
embedding = torch.nn.Embedding(6, 4, padding_idx=0)
words = torch.tensor([[1, 3, 0], [3, 5, 0]])
embedded = embedding(words)
print(embedded.shape)
embedded[0]

# %% [3]
(embedded * torch.arange(1.0, 5.0)).sum().backward()
embedding.weight.grad

# %% [4]
table = torch.arange(12.0).view(4, 3).requires_grad_()
rows = F.embedding(torch.tensor([2, 2, 0]), table, padding_idx=0)
(rows ** 2).sum().backward()
print(rows)
print(table.grad)

# %% [5]
x = torch.arange(20).view(4, 5)
print(torch.index_select(x, 0, torch.tensor([3, 1, 1])))
print(x.index_select(1, torch.tensor([4, 0])))

# %% [6]
order = torch.tensor([[4, 3, 2], [0, 0, 1], [2, 2, 2], [1, 4, 0]])
print(torch.gather(x, 1, order))
print(x.gather(0, torch.tensor([[0, 1, 2, 3, 0]])))

# %% [7]
scores = torch.tensor([[0.5, -1.0, 2.0], [3.0, 0.25, -0.75]], requires_grad=True)
target = torch.tensor([2, 0])
picked = scores.gather(1, target.unsqueeze(1)).squeeze(1)
print(picked.detach())
(picked * torch.tensor([1.0, 10.0])).sum().backward()
print(scores.grad)

# %% [8]
by_column = torch.argsort(x % 7, dim=1)
print(by_column)
print(torch.take_along_dim(x, by_column, dim=1))
print(torch.take_along_dim(x, torch.tensor([[2], [0], [1], [3]]), dim=1))
print(torch.take(x, torch.tensor([0, 19, 7])))

# %% [9]
placed = torch.zeros(3, 5, dtype=torch.int64)
placed.scatter_(1, torch.tensor([[0, 2], [4, 1], [3, 0]]), torch.tensor([[1, 2], [3, 4], [5, 6]]))
print(placed)
print(placed.scatter(0, torch.tensor([[2, 2, 0, 1, 1]]), -1))

# %% [10]
counts = torch.zeros(2, 4).scatter_add(
    1, torch.tensor([[0, 0, 3], [1, 2, 1]]), torch.tensor([[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]])
)
counts

# %% [11]
added = torch.ones(4, 2).index_add(
    0, torch.tensor([0, 3, 0]), torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), alpha=0.5
)
print(added)
print(added.index_copy(0, torch.tensor([2]), torch.zeros(1, 2)))
print(added.index_fill(1, torch.tensor([1]), 7.0))

# %% [12]
grid = torch.zeros(3, 3)
grid.index_put_(
    (torch.tensor([0, 1, 0, 2]), torch.tensor([1, 1, 1, 0])),
    torch.tensor([1.0, 2.0, 3.0, 4.0]),
    accumulate=True,
)
print(grid)
grid.index_put_((torch.tensor([2, 2]),), torch.ones(3), accumulate=True)
print(grid)

# %% [13]
torch.manual_seed(7)
noise = torch.randint(-5, 6, (3, 4))
print(noise)
print(torch.masked_select(noise, noise > 1))
print(noise.masked_fill(noise < 0, 0))
print(noise.masked_scatter(noise < 0, torch.arange(100, 112)))

# %% [14]
left = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
right = torch.tensor([10.0, 20.0, 30.0], requires_grad=True)
chosen = torch.where(left > 0, left * 2, right * 3)
chosen.sum().backward()
print(chosen.detach(), left.grad, right.grad)

# %% [15]
positions = torch.nonzero(noise > 1)
print(positions)
row, column = torch.where(noise < -3)
print(row, column)
print(torch.count_nonzero(noise, dim=0))

# %% [16]
y = torch.arange(24).view(2, 3, 4)
print(y[:, [0, 2]].shape, y[[1, 0], :, [3, 2]].shape)
print(y[[1, 0], :, [3, 2]])
print(y[torch.tensor([[0], [1]]), torch.tensor([2, 0]), 1])
print(y[..., None, -1].shape, y[1, ::2, 1:3])

# %% [17]
z = y.clone()
z[:, 1] = 0
z[1, :, torch.tensor([0, 3])] = torch.tensor([-1, -2])
z[z > 20] = 99
z[0, 0, ::2] += 50
z

# %% [18]
weight = torch.tensor([0.5, 1.5, 2.5], requires_grad=True)
used = weight[torch.tensor([2, 0, 2, 2])]
(used * torch.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
weight.grad

# %% [19]
whole = torch.arange(14).view(2, 7)
print(whole.narrow(1, 2, 3))
for part in torch.chunk(whole, 3, dim=1):
    print(part.shape, part.sum())
for part in whole.split([1, 4, 2], dim=1):
    print(part)

# %% [20]
first, second = whole.unbind(0)
second[0] = 100
whole.select(1, 6).fill_(-6)
print(first, second)
whole

# %% [21]
small = torch.arange(6).view(2, 3)
print(small.flip(1), small.flip((0, 1)))
print(torch.roll(small, 1), torch.roll(small, (1, -1), (0, 1)))
print(torch.rot90(small, 1, (0, 1)))

# %% [22]
print(small.repeat_interleave(2, dim=1))
print(torch.repeat_interleave(small, torch.tensor([1, 3]), dim=0))
print(small.repeat(2, 2), small.tile((1, 2)).shape)
print(small[:, :1].expand(2, 4))

# %% [23]
print(F.one_hot(torch.tensor([[0, 2], [1, 0]])))
print(F.one_hot(torch.tensor([3, 1]), num_classes=5).float() @ torch.arange(5.0))

# %% [24]
print(torch.diagonal(x, 1), torch.diag(torch.tensor([1, 2, 3])))
print(torch.tril_indices(3, 3))
print(x.unfold(1, 3, 2))
print(x.movedim(0, 1)[1], x.t().swapaxes(0, 1).equal(x))
