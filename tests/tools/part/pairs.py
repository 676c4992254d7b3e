"""Pairs of small programs that differ by one cause each, and what `torchbook part` must say first. `None` means that the
programs are equal. A program takes nothing, or a module, which the test makes and names in the trace."""
import torch
import torch.nn.functional as F
from torch import nn


def tensor(*sizes, shift=0.0):
    return (torch.arange(torch.Size(sizes).numel(), dtype=torch.float64) * 0.37 + shift).sin().float().view(sizes)


def in_order(*calls):
    """Returns the results of calls that run from the left, as in Python, or from the right, as g++ runs operands."""
    return [call() for call in calls]


def from_right(*calls):
    return [call() for call in calls[::-1]][::-1]


def orders(program):
    """Returns a pair of programs that differ only in the order in which operands are evaluated."""
    return lambda: program(in_order), lambda: program(from_right)


def backward_of(program):
    def run(evaluate):
        weight = tensor(4, 4).requires_grad_()
        program(evaluate, weight).sum().backward()
        return weight.grad * 2

    return run


def lstm(evaluate, weight, steps=3):
    h = c = tensor(2, 2)
    for _ in range(steps):
        i, f, g, o = h.matmul(weight).chunk(4, 1)
        kept, added = evaluate(lambda f=f, c=c: torch.sigmoid(f) * c,
                               lambda i=i, g=g: (lambda a, b: a * b)(*evaluate(lambda: torch.sigmoid(i), lambda: torch.tanh(g))))
        c = kept + added
        a, b = evaluate(lambda o=o: torch.sigmoid(o), lambda c=c: torch.tanh(c))
        h = a * b
    return h


def attention(evaluate, weight):
    x = tensor(3, 4)
    query, key = evaluate(lambda: x @ weight, lambda: (x * 2) @ weight)
    scores, value = evaluate(lambda: (query @ key.t()).softmax(-1), lambda: (x + 1) @ weight)
    return scores @ value


def softmax(evaluate, weight):
    powers, total = evaluate(lambda: weight.exp(), lambda: weight.exp().sum(-1, keepdim=True))
    return powers / total


def polynomial(evaluate, weight):
    parts = evaluate(lambda: weight * 2, lambda: weight.pow(2) * 3, lambda: weight.pow(3) * 4)
    return parts[0] + parts[1] + parts[2]


def arguments(evaluate, weight):
    return torch.cat(evaluate(lambda: weight.sin(), lambda: weight.cos(), lambda: weight.tanh())) * 2


def residual(evaluate, weight):
    x = tensor(2, 4)
    for _ in range(3):
        a, b = evaluate(lambda x=x: x.relu() @ weight, lambda x=x: x.tanh())
        x = a + b
    return x


def forward_of(program):
    return lambda evaluate: program(evaluate, tensor(4, 4))


def lstm_of(evaluate):
    return lstm(evaluate, tensor(2, 8))


def lstm_backward(evaluate):
    lstm(evaluate, tensor(2, 8).requires_grad_()).sum().backward()


ORDER = [orders(program) for program in [lstm_of, lstm_backward, backward_of(softmax), backward_of(residual)] + [forward_of(one) for one in (
    attention, polynomial, arguments, softmax)]]
# The gradients of one tensor are sums of more than two, which round in another order.
GRADIENTS = [orders(backward_of(program)) for program in (attention, polynomial, arguments)]


def trained(loss_of):
    """Returns a program that trains two layers for two steps."""
    def run(net):
        x, target = tensor(5, 4), torch.tensor([0, 1, 2, 0, 1])
        for _ in range(2):
            net.zero_grad()
            loss_of(net, x, target).backward()
            with torch.no_grad():
                for parameter in net.parameters():
                    parameter -= 0.1 * parameter.grad

    return run


def layers():
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))


def loss(net, x, target):
    return F.cross_entropy(net(x), target)


# The loss of both programs, and the difference of the forward pass.
FORWARD = [(trained(here), trained(there), words) for here, there, words in [
    (loss, lambda net, x, t: F.cross_entropy(net(x), t, label_smoothing=0.1), "label_smoothing of cross_entropy_loss is 0.0 here and 0.1 there"),
    (loss, lambda net, x, t: loss(net, x, t) + net[0].weight.pow(2).sum(), "only there: pow, sum and add"),
    (loss, lambda net, x, t: F.cross_entropy(net(x), t, weight=torch.tensor([1.0, 2, 1])), "argument weight of cross_entropy_loss is None here and float32 (3,) there"),
    (loss, lambda net, x, t: F.cross_entropy(F.layer_norm(net(x), (3,)), t), "only there: layer_norm"),
    (lambda net, x, t: loss(net, x.tanh(), t), loss, "only here: tanh"),
    (loss, lambda net, x, t: F.nll_loss(net(x).sigmoid(), t), "cross_entropy_loss here, sigmoid and nll_loss_nd there"),
]]


def other(kind, words, advice=""):
    """Returns what the first difference must be, and a part of its advice. No advice may then speak of weights."""
    return kind, words, advice


A, B = tensor(3, 4), tensor(3, 4, shift=0.5)
ORDER_WORDS = "{} takes the same operands in another order"
OPERANDS = [(lambda call=call: call(A, B) * 2, lambda call=call: call(B, A) * 2,
             other("argument", ORDER_WORDS.format(name), "same order in both"))
            for name, call in [
                ("sub", torch.sub), ("div", torch.div), ("pow", lambda a, b: torch.pow(a.abs(), b.abs())), ("atan2", torch.atan2),
                ("fmod", torch.fmod), ("cat", lambda a, b: torch.cat([a, b])), ("stack", lambda a, b: torch.stack([a, b])),
                ("where", lambda a, b: torch.where(A > 0, a, b)), ("lerp", lambda a, b: torch.lerp(a, b, 0.3)),
                ("matmul", lambda a, b: torch.matmul(a[:, :3], b[:, :3]))]]

VIEW_WORDS = "another view of the same tensor"


def attention_of(exchanged=False, heads=True, joined=True, value=2):
    """Returns attention in two heads, of which one step may be another."""
    def run(net):
        parts = net(tensor(2, 4, 8)).split(8, dim=2)
        q, k, v = (part.view(2, 4, 2, 4) for part in (*parts[:2], parts[value]))
        if heads:
            q, k, v = q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)
        scores = k @ q.transpose(-2, -1) if exchanged else q @ k.transpose(-2, -1)
        y = scores.softmax(-1) @ v
        return (y.transpose(1, 2) if joined else y).contiguous().view(2, 4, 8) * 2

    return run


A8, B8 = tensor(3, 8), tensor(3, 8, shift=0.5)
OTHER_VIEWS = [(attention_of(), attention_of(**change), other("argument", words)) for change, words in [
    ({"exchanged": True}, "another view of what linear gave: split(8, 2)[0] here, split(8, 2)[1] there"),
    ({"heads": False}, "argument self of matmul is another view of what linear gave: transpose(1, 2) here, nothing there"),
    ({"joined": False}, "argument self of mul is another view of what matmul gave: transpose(1, 2) and contiguous(0) here, nothing there"),
    ({"value": 1}, "argument other of matmul is another view of what linear gave: split(8, 2)[2] here, split(8, 2)[1] there")]] + [
    (here, there, other("argument", words)) for here, there, words in [
        (lambda net: net(A8) @ net(B8).T * 2, lambda net: net(B8) @ net(A8).T * 2, ORDER_WORDS.format("matmul")),
        (lambda net: A8 @ B8.T * 2, lambda net: B8 @ A8.T * 2, ORDER_WORDS.format("matmul")),
        (lambda net: net(A8)[1:].T[0] * 2, lambda net: net(A8)[2:].T[0] * 2, "slice(0, 1, 1) here, slice(0, 2, 1) there"),
        (lambda net: net(A8).max(0)[0] * 2.0, lambda net: net(A8).max(0)[1] * 2.0, "argument self of mul is output 1 of max here, and output 2 there"),
        (lambda net: F.mse_loss(net(A8), net(B8), reduction="sum") * 2, lambda net: F.mse_loss(net(A8), net(B8)) * 2,
         "argument reduction of mse_loss is 'sum' here and 'mean' there"),
        (lambda net: F.l1_loss(net(A8), net(B8), reduction="none").sum(), lambda net: F.l1_loss(net(A8), net(B8)).sum(),
         "argument reduction of l1_loss is 'none' here and 'mean' there")]]


class Weight(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 4))


TRANSPOSED = [(here, there, other("argument", VIEW_WORDS)) for here, there in [
    (lambda net: F.linear(A, net.weight), lambda net: F.linear(A, net.weight.t())),
    (lambda net: A @ net.weight, lambda net: A @ net.weight.t()),
    (lambda net: F.linear(A, net.weight), lambda net: A @ net.weight),
    (lambda net: F.embedding(torch.tensor([0, 2]), net.weight), lambda net: F.embedding(torch.tensor([0, 2]), net.weight.t())),
    (lambda net: net.weight.exp().sum(0), lambda net: net.weight.permute(1, 0).exp().sum(0)),
    (lambda net: F.linear(A, net.weight).sum().backward(), lambda net: F.linear(A, net.weight.t()).sum().backward()),
]]

CONSTANTS = [(lambda call=call, one=one: call(one) + 1, lambda call=call, two=two: call(two) + 1, other("argument", words))
             for call, one, two, words in [
                 (lambda n: A * n, 2.0, 3.0, "argument other of mul is 2.0 here and 3.0 there"),
                 (lambda n: A + n, 0.5, 0.25, "argument other of add is 0.5 here and 0.25 there"),
                 (A.pow, 2, 3, "argument exponent of pow is 2 here and 3 there"),
                 (lambda n: A.clamp(min=n), 0.0, 0.1, "argument min of clamp is 0.0 here and 0.1 there"),
                 (lambda n: F.leaky_relu(A, n), 0.01, 0.1, "argument negative_slope of leaky_relu is 0.01 here and 0.1 there"),
                 (lambda n: F.layer_norm(A, (4,), eps=n), 1e-5, 1e-1, "argument eps of layer_norm is 1e-05 here and 0.1 there"),
                 (lambda n: torch.full((2,), n), 1.5, 2.5, "argument fill_value of full is 1.5 here and 2.5 there"),
                 (lambda n: A.sum(n), 0, 1, "argument dim[0] of sum is 0 here and 1 there"),
                 (lambda n: A.softmax(n), 0, 1, "argument dim of softmax is 0 here and 1 there"),
                 (lambda n: A.sub(B, alpha=n), 1, 2, "argument alpha of sub is 1 here and 2 there")]]

DOUBLE = torch.float64
DTYPES = [(lambda call=call: call(DOUBLE) + 1, lambda call=call: call(torch.float32) + 1, other("argument", words))
          for call, words in [
              (lambda t: A * torch.tensor([1, 2, 3, 4], dtype=t), "argument other of mul is float64 (4,) here and float32 (4,) there"),
              (lambda t: A + torch.tensor([[0.1], [0.2], [0.3]], dtype=t), "argument other of add is float64 (3, 1) here and float32 (3, 1) there"),
              (lambda t: torch.tensor([1.0, 2], dtype=t).exp(), "argument self of exp is float64 (2,) here and float32 (2,) there"),
              (lambda t: A * torch.linspace(0, 1, 4, dtype=t), "argument dtype of linspace is float64 here and float32 there"),
              (lambda t: A * torch.arange(4, dtype=t), "argument dtype of arange is float64 here and float32 there"),
              (lambda t: A.softmax(-1, dtype=t), "argument dtype of softmax is float64 here and float32 there"),
              (lambda t: A.sum(0, dtype=t), "argument dtype of sum is float64 here and float32 there")]]


def shuffled(size=8, batch=4, generator=None):
    loader = torch.utils.data.DataLoader(tensor(size, 2), batch, shuffle=True, generator=generator)
    return [batch * 2 for batch in loader]


def seeded(seed):
    return torch.Generator().manual_seed(seed)


LOADER = "Use torchbook::DataLoader in C++."
OWN = "draws from a generator of its own"
LOADERS = [(here, there, other("random", words, LOADER)) for here, there, words in [
    (shuffled, lambda: shuffled(generator=seeded(3)), "random_ " + OWN),
    (lambda: shuffled(generator=seeded(3)), shuffled, "random_ " + OWN),
    (lambda: shuffled(generator=seeded(3)), lambda: shuffled(generator=seeded(4)), "seeded with 3 here and with 4 there"),
    (lambda: A[torch.randperm(3)] * 2, lambda: A[torch.randperm(3, generator=seeded(5))] * 2, "randperm " + OWN),
    (lambda: A[torch.randperm(3, generator=seeded(5))] * 2, lambda: A[torch.randperm(3, generator=seeded(6))] * 2, "seeded with 5 here"),
    (lambda: A[torch.randint(3, (9,))] * 2, lambda: A[torch.randint(3, (9,), generator=seeded(2))] * 2, "random_ " + OWN),
    (lambda: A.abs().multinomial(2) * 2,
     lambda: A.abs().multinomial(2, generator=seeded(9)) * 2, OWN)]]


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 4)


def changed(make, after=True):
    """Returns a program that computes with a tensor, changes its memory by NumPy if `after` is true, and computes again."""
    def run(net):
        x = make(net)
        first = x * 2
        if after:
            x.detach().numpy()[0, 0] = 5
        return first + x.exp()

    return run


TAKES, CHANGED = "{} takes {} here, {} there", "{} was changed {} by something that is no operation"
BOTH = "a.weight and a.bias", "b.weight and b.bias"
OTHER_MEMORY = [(here, there, other(kind, words, "in both")) for here, there, kind, words in [
    (lambda net: net.a(A) * 2, lambda net: net.b(A) * 2, "argument", TAKES.format("linear", *BOTH)),
    (lambda net: net.a(net.a(A)).exp(), lambda net: net.b(net.a(A)).exp(), "argument", TAKES.format("linear", *BOTH)),
    (lambda net: F.linear(A, net.a.weight, net.b.bias), lambda net: net.a(A), "argument", TAKES.format("linear", "b.bias", "a.bias")),
    (lambda net: net.b(net.a(A)).exp().mean().backward(), lambda net: net.b(net.b(A)).exp().mean().backward(), "argument",
     TAKES.format("linear", *BOTH)),
    (changed(lambda net: torch.from_numpy(A.numpy().copy())), changed(lambda net: torch.from_numpy(A.numpy().copy()), False),
     "argument", CHANGED.format("argument self of exp", "here")),
    (changed(lambda net: net.a.weight, False), changed(lambda net: net.a.weight), "argument", CHANGED.format("a.weight of exp", "there")),
    (changed(lambda net: A * 3), changed(lambda net: A * 3, False), "argument", CHANGED.format("argument self of exp", "here")),
    (changed(lambda net: A.clone(), False), changed(lambda net: A.clone()), "argument", CHANGED.format("argument self of exp", "there"))]]


def drawn(draw, seed):
    def run():
        first = draw()
        if seed is not None:
            torch.manual_seed(seed)
        return first + draw()

    return run


DRAWS = [lambda: torch.rand(9), lambda: torch.randint(99, (9,)), lambda: F.dropout(A, 0.5)]
SEEDS = [(drawn(draw, 1), drawn(draw, None), other("random", "was seeded again here, with 1")) for draw in DRAWS]
SEEDS += [(drawn(draw, None), drawn(draw, 7), other("random", "was seeded again there, with 7")) for draw in DRAWS]


def loaded(shuffle=True, epochs=1):
    """Goes through a loader, and then draws."""
    loader = torch.utils.data.DataLoader(tensor(8, 2), 4, shuffle=shuffle)
    for _ in range(epochs):
        batches = [batch * 2 for batch in loader]
    return torch.rand(3) * batches[0].sum()


def between(draw, use=False):
    """Returns a program that calls `draw` between two draws, and adds what it gives to the first if `use` is true."""
    def run():
        first = torch.rand(4)
        second = draw()
        return (first + second if use else first) * torch.randn(4)

    return run


def in_a_loop(draws):
    x = torch.ones(4)
    for _ in range(3):
        x = x + torch.rand(4)
        for _ in range(draws):
            y = torch.rand(4)
        x = x * y
    return x


def batches(extra):
    if extra:
        torch.rand(1)
    data = torch.arange(50) * 3
    x, y = (torch.stack([data[i + shift:i + shift + 5] for i in torch.randint(40, (4,))]) for shift in (0, 1))
    return x * 2 + y


def labelled(label, draws=False):
    """Computes a loss, and may draw indices that nothing reads."""
    if draws:
        torch.randint(3, (2,))
    return F.cross_entropy(A, torch.tensor([0, 1, label])) * 2


SAME_DRAWS = "same random numbers in the same order"
BEFORE = "before {}, {} drew random numbers here and {} there; only {}: {} ("
DRAWN = [(here, there, other(kind, words, advice)) for here, there, kind, words, advice in [
    (loaded, lambda: loaded(False), "operations", "only here: random_, item and randperm", SAME_DRAWS),
    (lambda: loaded(epochs=3), lambda: loaded(epochs=2), "random", BEFORE.format("rand", "2 operations", 0, "here", "random_"), SAME_DRAWS),
    (between(lambda: torch.rand(3)), between(lambda: None), "random", BEFORE.format("randn", "1 operation", 0, "here", "rand"), SAME_DRAWS),
    (between(lambda: None), between(lambda: torch.randn(3)), "random", BEFORE.format("randn", "0 operations", 1, "there", "randn"), SAME_DRAWS),
    (between(lambda: torch.rand(4), True), between(lambda: None), "random", BEFORE.format("randn", "1 operation", 0, "here", "rand"), SAME_DRAWS),
    (lambda: in_a_loop(1), lambda: in_a_loop(2), "random", "only there: rand", SAME_DRAWS),
    (lambda: batches(True), lambda: batches(False), "random", BEFORE.format("randint", "1 operation", 0, "here", "rand"), SAME_DRAWS),
    (lambda: labelled(2, True), lambda: labelled(0), "argument", "argument target of cross_entropy_loss differs", "same data"),
    (lambda: F.dropout(A, 0.5) + torch.rand(4), lambda: F.dropout(A, 0.5, False) + torch.rand(4), "argument",
     "argument train of dropout is True here and False there", "")]]


def broadcast(operation):
    def run(net):
        scale = tensor(4, 1).requires_grad_()
        operation(net.a(A).unsqueeze(0), scale.unsqueeze(1)).sum(0).tanh().sum().backward()

    return run


def sampled(seed):
    """Selects parts of a text by numbers that were drawn."""
    def run(net):
        data = torch.arange(50) * 0.1
        rows = [data[i:i + 4] for i in torch.randint(40, (4,), generator=seeded(seed))]
        net.a(torch.stack(rows)).sum().backward()

    return run


# One difference, from which all others follow: gradients of what was broadcast, and what was selected by drawn numbers.
FOLLOWED = [
    (broadcast(torch.mul), broadcast(torch.add), "mul here, add there"),
    (broadcast(torch.add), broadcast(lambda a, b: a + 2 * b), "only there: mul"),
    (sampled(3), sampled(4), "seeded with 3 here and with 4 there")]


SQUARE = tensor(4, 4)


def in_double():
    """Multiplies in float64 a matrix that is filled number by number, as C++ fills torch::tensor({1.0, 2.0})."""
    filled = torch.empty(4, 4)
    for i, row in enumerate(SQUARE.tolist()):
        for j, number in enumerate(row):
            filled[i][j].fill_(number)
    return (filled.double() @ filled.double()).float().softmax(-1)


# What only one side has, and to what it leads.
ONE_SIDED = [
    (in_double, lambda: (SQUARE @ SQUARE).softmax(-1), "only here: to and to"),
    (lambda: torch.zeros(3, 3) + A @ B.t(), lambda: 0 + (A * 2) @ B.t(), "zeros here, mul there")]


def made(first, second, in_place):
    """Returns two layers. The second one is made first unless they are made in place."""
    def make():
        one = first() if in_place else None
        two = second()
        return nn.Sequential(first() if one is None else one, two)

    return make


MAKING = [(made(one, two, True), made(one, two, False), words) for one, two, words in [
    (lambda: nn.Linear(4, 4), lambda: nn.Linear(4, 4), "0.weight here is what 1.weight is there: layers were made in another order"),
    (lambda: nn.Linear(4, 8), lambda: nn.Linear(8, 2), "0.weight and 3 more differ before anything ran")]]

# Other operations with the same bits.
SAME_BITS = [(here, there) for here, there in [
    (lambda: A.relu() + 1, lambda: A.clamp(min=0) + 1), (lambda: A.neg() + 1, lambda: A * -1 + 1),
    (lambda: A.square() + 1, lambda: A * A + 1), (lambda: A.abs() + 1, lambda: A.neg().abs() + 1),
    (lambda: A * 2, lambda: A + A), (lambda: A / 2 + 1, lambda: A * 0.5 + 1), (lambda: A - 1, lambda: A + -1),
    (lambda: A.max() + 1, lambda: A.flatten().max(0)[0] + 1), (lambda: torch.zeros(3) + A[:, 0], lambda: torch.full((3,), 0.0) + A[:, 0]),
    (lambda: A.neg().neg() + 1, lambda: A + 1)]]
