# Twin of number_types.cpp: the same 22 cells in PyTorch, with the same labels.

# %% [1]
import torch

# %% [2]
octets = torch.tensor([0, 1, 127, 128, 255], dtype=torch.uint8)
print(octets + 1, octets - 1, octets * 2)
print(-octets, ~octets)

# %% [3]
for dtype in [torch.int8, torch.int16, torch.int32, torch.int64]:
    largest = torch.tensor([torch.iinfo(dtype).max], dtype=dtype)
    print(largest, largest + 1, largest * 2, -largest - 1)

# %% [4]
a = torch.tensor([100, 27, -128], dtype=torch.int8)
print(a + a, a * a, a.abs(), -a)
print(a.sum(), a.prod(), a.cumsum(0))

# %% [5]
n = torch.tensor([7, -7, 7, -7, 0])
d = torch.tensor([2, 2, -2, -2, 3])
print(n / d)
print(n // d, torch.floor_divide(n, d))
print(torch.div(n, d, rounding_mode="trunc"), torch.div(n, d, rounding_mode="floor"))
print(n % d, torch.remainder(n, d), torch.fmod(n, d))

# %% [6]
x = torch.tensor([7.5, -7.5, 1.0])
print(x // 2, x % 2, torch.fmod(x, 2), torch.div(x, 2, rounding_mode="trunc"))
print(
    torch.gcd(torch.tensor([12, 18, -8]), torch.tensor([8, 27, 6])),
    torch.lcm(torch.tensor(4), torch.tensor(6)),
)
print(n ** 2, torch.tensor([2, 3], dtype=torch.int32) ** 5, 2 ** torch.arange(5))

# %% [7]
p = torch.tensor([12, 10, -1, 0])
q = torch.tensor([10, 3, 7, 5])
print(p & q, p | q, p ^ q, ~p)
print(p << 2, p >> 1, torch.bitwise_left_shift(q, torch.tensor([0, 1, 2, 3])))
print(torch.bitwise_and(p, 6), torch.bitwise_right_shift(torch.tensor([-128, 127], dtype=torch.int8), 3))

# %% [8]
t = torch.tensor([True, True, False, False])
s = torch.tensor([True, False, True, False])
print(t & s, t | s, t ^ s, ~t)
print(t + s, t * s, t.sum(), t.int() - s.int())
print(torch.logical_and(p, q), torch.logical_xor(t, s), torch.logical_not(torch.tensor([0.0, 0.5])))

# %% [9]
source = torch.tensor([-3.75, -0.5, 0.0, 1.5, 100.25])
for dtype in [
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.bool,
    torch.float16,
    torch.bfloat16,
    torch.float64,
]:
    print(source.to(dtype))

# %% [10]
wide = torch.tensor([300, -300, 70000, 2147483648, 1099511627781])
for dtype in [torch.uint8, torch.int8, torch.int16, torch.int32, torch.bool, torch.float32, torch.float64]:
    print(wide.to(dtype))

# %% [11]
dtypes = [
    torch.uint8,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
    torch.bool,
]
for first in dtypes:
    start = torch.tensor([0, 1, 3, 100]).to(first)
    print([start.to(second).double().sum().item() for second in dtypes])

# %% [12]
for first in dtypes:
    print([torch.promote_types(first, second) for second in dtypes])

# %% [13]
print(
    (torch.ones(2, dtype=torch.int32) + torch.ones(2, dtype=torch.int8)).dtype,
    (torch.ones(2, dtype=torch.uint8) + torch.ones(2, dtype=torch.int8)).dtype,
)
print((torch.ones(2, dtype=torch.int8) + 100).dtype, (torch.ones(2, dtype=torch.int8) * 1.5).dtype)
print(
    (torch.ones(2, dtype=torch.float16) + torch.ones(2, dtype=torch.bfloat16)).dtype,
    (torch.ones(2, dtype=torch.float16) + torch.tensor(1.0)).dtype,
)
print(torch.result_type(torch.tensor([1, 2]), 1.0), torch.can_cast(torch.float64, torch.int32))

# %% [14]
h = torch.tensor([1.0, 0.1, 2049.0, 65504.0, 70000.0, 6e-8], dtype=torch.float16)
print(h)
print(h + h, h * 0.5)
print(h.float()[1].item(), h.double()[2].item())

# %% [15]
g = torch.tensor([1.0, 0.1, 257.0, 65504.0, 3e38, 1e-40], dtype=torch.bfloat16)
print(g)
print(g + g, g / 3)
print(g.float()[1].item(), g.double()[2].item(), (g[:3] * g[:3]).sum())

# %% [16]
e = torch.tensor([1.0, 1e-3, 1e-4, 1e-8, 1e-17], dtype=torch.float64)
print(1 + e == 1, (1 + e.float()) == 1, (1 + e.half()) == 1, (1 + e.bfloat16()) == 1)
print(
    torch.finfo(torch.float16).eps,
    torch.finfo(torch.bfloat16).max,
    torch.finfo(torch.float32).tiny,
    torch.finfo(torch.float64).max,
)

# %% [17]
r = torch.tensor([0.5, 1.5, 2.5, -0.5, -1.5, 2.4999, -2.7])
print(r.round(), r.floor(), r.ceil(), r.trunc())
print(r.frac(), torch.round(torch.tensor([1.2345, -6.789]), decimals=2))
print(torch.tensor([2049.0, 2050.0, 2051.0]).half(), torch.tensor([257.0, 258.0, 259.0]).bfloat16())

# %% [18]
inf = float("inf")
u = torch.tensor([inf, -inf, float("nan"), 0.0, -0.0, 1.0])
print(u + 1, u * 0, 1 / u)
print(u - u, u / u, u.abs())
print(torch.isinf(u), torch.isnan(u), torch.isfinite(u))

# %% [19]
print(u == u, u != u, u < 1, u >= 0)
print(
    torch.sign(u[torch.tensor([0, 1, 3, 5])]),
    torch.signbit(u),
    torch.nan_to_num(u, nan=7.0, posinf=100.0, neginf=-100.0),
)
print(u.max(), u[:2].sum(), torch.maximum(u[:4], torch.zeros(4)), torch.fmax(u[:4], torch.zeros(4)))

# %% [20]
print(
    torch.sqrt(torch.tensor(-1.0)),
    torch.log(torch.tensor([0.0, -1.0])),
    torch.exp(torch.tensor([1000.0, -1000.0])),
)
print(torch.clamp(u, -2, 2), torch.tensor(3.4e38) * 10, torch.tensor(1e-45) / 2)
print(torch.equal(u, u.clone()), torch.allclose(u, u, equal_nan=True))

# %% [21]
third = torch.tensor(1.0, dtype=torch.float64) / 3
print(third.item(), third.float().item(), third.half().item(), third.bfloat16().item())
print(torch.tensor(16777216.0) + 1, torch.tensor(16777216.0, dtype=torch.float64) + 1)
print(
    torch.nextafter(torch.tensor(1.0), torch.tensor(2.0)).item(),
    torch.frexp(torch.tensor([10.0, 0.3])),
    torch.ldexp(torch.tensor([0.5]), torch.tensor([4])),
)

# %% [22]
m = torch.tensor([[1, 2], [3, 4]], dtype=torch.int32)
print(m @ m, m.bfloat16() @ m.bfloat16(), m.double() @ m.double())
print(m.float().mean(0), m.sum(dtype=torch.float64), m.cumsum(1).dtype, m.view(torch.uint8).shape)
print(
    torch.arange(3, dtype=torch.float16),
    torch.linspace(0, 1, 5, dtype=torch.float64),
    torch.full((2,), 3),
    torch.full((2,), 3.0, dtype=torch.bfloat16),
)
