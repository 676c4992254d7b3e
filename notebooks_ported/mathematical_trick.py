# Twin of mathematical_trick.cpp: the same 14 cells in PyTorch, with the same labels.

# %% [62]
import torch
import torch.nn.functional as F

# %% [restored] the generator before cell 3: with this seed and one earlier draw, x is that of the document
torch.manual_seed(1431708788)
_ = torch.randn(4, 8, 2)

# %% [3]
B, T, C = 4, 8, 2
x = torch.randn(B, T, C)
# axis x 1: t0, t1, t2, t3, t4, t5, t6, t7
x.shape

# %% [13]
x[0]

# %% [22]
xbow = torch.zeros((B, T, C))
for b in range(B):
    for t in range(T):
        xprev = x[b, : t + 1]
        xbow[b, t] = torch.mean(xprev, 0)
# axis xbow 1: t0, t1, t2, t3, t4, t5, t6, t7

# %% [23]
x[0]

# %% [25]
xbow[0]

# %% [26]
torch.tril(torch.ones(3, 3))

# %% [35]
a = torch.tril(torch.ones(3, 3))
a_sum = torch.sum(a, 1, keepdim=True)
print(a.shape)
print(a_sum.shape)

# %% [40]
print(f"a = {a}")
print(f"a_sum = {a_sum}")
print(f"a/a_sum = {a / a_sum}")

# %% [45]
torch.manual_seed(42)
a = torch.tril(torch.ones(3, 3))
a = a / torch.sum(a, 1, keepdim=True)
b = torch.randint(0, 10, (3, 2)).float()
c = a @ b
print(f"b = {b}")
print("below c metrix is a cumulative avg of all the rows above of mat b")
print(f"c = {c}")

# %% [49]
wei = torch.tril(torch.ones(T, T))
wei = wei / torch.sum(wei, 1, keepdim=True)
# axis wei 0: t0, t1, t2, t3, t4, t5, t6, t7
# axis wei 1: t0, t1, t2, t3, t4, t5, t6, t7
xbow2 = wei @ x
torch.allclose(xbow, xbow2)

# %% [54]
print(f"x's first input : \n {x[0]}")
print("xbow is essentially a cumulative avg of x for each row")
print(f"xbow's first input : \n {xbow[0]}")

# %% [78]
tril = torch.tril(torch.ones(T, T))
wei = torch.zeros(T, T)
wei = wei.masked_fill(tril == 0, float("-inf"))
# axis wei 0: t0, t1, t2, t3, t4, t5, t6, t7
# axis wei 1: t0, t1, t2, t3, t4, t5, t6, t7
wei = F.softmax(wei, dim=1)
xbow3 = wei @ x
torch.allclose(xbow, xbow3)

# %% [76]
(
    " \n"
    "- dim 0 means across the rows, and 1 means across the columns \n"
    '- so here, we think we want the softmax "across the rows", meaning take the first row, '
    "and then perform softmax on each of it's element\n"
    "- now, that is actually across the columns in pytorch language \n"
    "- what is happening is that you want a softmax for the element of each of the columns in the first row\n"
    "- hence, this is actually a operation column wise / across the columns, "
    "and so the dim would be 1 not 0 \n"
)
