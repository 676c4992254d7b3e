# Twin of linear_algebra.cpp: the same 23 cells in PyTorch, with the same labels.

# %% [1]
import torch

# %% [2]
a = torch.tensor([[4.0, 1.0, 0.0], [1.0, 3.0, -1.0], [0.0, -1.0, 2.75]])
b = torch.tensor([[1.0, 2.0], [0.5, -1.0], [-2.0, 4.0]])
v = torch.tensor([1.0, -2.0, 3.0])
a @ b

# %% [3]
print(torch.matmul(a, v), v @ a, torch.matmul(v, v))
print(torch.mm(a, b), torch.mv(a, v), torch.dot(v, v))
print(torch.addmm(torch.ones(3, 2), a, b, beta=0.5, alpha=2.0))

# %% [4]
torch.manual_seed(1)
p = torch.randint(-3, 4, (2, 3, 4)).float()
q = torch.randint(-3, 4, (2, 4, 2)).float()
print(torch.bmm(p, q))
print((p @ q[0]).shape, torch.matmul(p.unsqueeze(1), q).shape)
print(torch.baddbmm(torch.ones(2, 3, 2), p, q, alpha=-1)[1])

# %% [5]
print(torch.einsum("bij,bjk->bik", p, q)[0])
print(torch.einsum("bij,bij->b", p, p), torch.einsum("ii->i", a), torch.einsum("i,j->ij", v, v))
print(torch.einsum("bij,bjk,bk->bi", p, q, torch.ones(2, 2)))

# %% [6]
print(torch.outer(v, v), torch.ger(v, b[:, 0]))
print(torch.kron(torch.eye(2), b))
print(torch.cross(v, torch.tensor([0.0, 1.0, 1.0]), dim=0), torch.trace(a))

# %% [7]
print(torch.tensordot(p, q, dims=([2], [1])).shape, torch.tensordot(a, b, dims=1))
print(torch.tensordot(p, q, dims=([0, 2], [0, 1])))
print(torch.linalg.multi_dot([v, a, b]))

# %% [8]
print(torch.inverse(a), (torch.linalg.inv(a) @ a - torch.eye(3)).abs().max() < 1e-5)
print(torch.det(a), torch.linalg.det(a[:2, :2]))

# %% [9]
sign, logdet = torch.linalg.slogdet(-a)
print(sign, logdet)
print(torch.logdet(a))

# %% [10]
print(torch.linalg.solve(a, b))
print(torch.linalg.solve(a, v), (a @ torch.linalg.solve(a, v) - v).abs().max() < 1e-5)
print(torch.linalg.solve_triangular(torch.tril(a), b, upper=False))

# %% [11]
lower = torch.linalg.cholesky(a)
print(lower)
print(torch.cholesky_solve(b, lower), torch.cholesky_inverse(lower))

# %% [12]
torch.manual_seed(2)
m = torch.randint(-4, 5, (4, 3)).double()
Q, R = torch.linalg.qr(m)
signs = torch.sign(torch.diagonal(R))
print(Q * signs)
print(torch.triu(R * signs.unsqueeze(1)))

# %% [13]
U, S, Vh = torch.linalg.svd(m, full_matrices=False)
print(S, torch.linalg.svdvals(m[:3]))
flips = torch.sign(U.gather(0, U.abs().argmax(0, keepdim=True)))
print(U * flips)
print(Vh * flips.t())

# %% [14]
values, vectors = torch.linalg.eigh(a)
fixed = torch.sign(vectors.gather(0, vectors.abs().argmax(0, keepdim=True)))
print(values, torch.linalg.eigvalsh(a))
print(vectors * fixed)

# %% [15]
turn = torch.tensor([[0.3, -1.2], [0.8, 0.3]], dtype=torch.float64)
print(torch.linalg.eigvals(turn).imag.sort().values)
print(torch.matrix_exp(turn * 0.5), torch.linalg.matrix_power(turn, 3))

# %% [16]
torch.manual_seed(4)
points = torch.randint(-5, 6, (8, 2)).double()
heights = points @ torch.tensor([2.0, -1.0], dtype=torch.float64) + torch.arange(8) * 0.25
print(torch.linalg.lstsq(points, heights.unsqueeze(1)).solution.round(decimals=4))
print(torch.linalg.pinv(points) @ heights)

# %% [17]
singular = torch.tensor([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]])
print(torch.linalg.matrix_rank(singular), torch.linalg.matrix_rank(a))
print(torch.linalg.pinv(singular))
print(torch.linalg.cond(a), torch.linalg.norm(a, "nuc"), torch.linalg.norm(a, 2))

# %% [18]
w = a.clone().requires_grad_()
torch.logdet(w).backward()
print(w.grad, torch.allclose(w.grad, torch.inverse(a).t()))

# %% [19]
w = a.clone().requires_grad_()
loss = torch.linalg.solve(w, v).pow(2).sum() + torch.linalg.eigvalsh(w).max()
loss.backward()
print(loss.detach())
print(w.grad)

# %% [20]
torch.manual_seed(6)
big = torch.randint(-8, 9, (512, 512)).float()
square = big @ big
print(square.double().sum(), square[0, :5], square[511, 507:])

# %% [21]
odd = torch.randint(-8, 9, (127, 253)).float()
other = torch.randint(-8, 9, (253, 65)).float()
product = odd @ other
print(product.shape, product.double().sum(), product[126, 60:])
print((odd.t() @ odd).trace(), (other.t() @ odd.t() - product.t()).abs().max())

# %% [22]
torch.manual_seed(8)
left = torch.randn(127, 253)
right = torch.randn(253, 65)
print(
    f"{(left @ right).double().sum().item():.1f} {torch.matmul(left, right[:, 0]).double().norm().item():.2f}"
)
print(torch.round((left @ right)[:3, :4], decimals=2))
print(
    torch.round(
        torch.bmm(left.view(1, 127, 253).expand(3, 127, 253), right.expand(3, 253, 65))[2, 5, :4], decimals=2
    ),
)

# %% [23]
wide = torch.randint(-100, 100, (33, 77))
print((wide @ wide.t()).sum(), (wide @ wide.t())[0, :6])
print((wide.double() @ wide.double().t()).logdet().item() > 0)
