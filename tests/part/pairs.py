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


def gru(evaluate, weight):
    h = tensor(2, 4)
    for _ in range(3):
        z, r = evaluate(lambda h=h: torch.sigmoid(h @ weight), lambda h=h: torch.sigmoid(h @ weight.t()))
        kept, added = evaluate(lambda z=z, h=h: (1 - z) * h, lambda z=z, r=r, h=h: z * torch.tanh(r * h))
        h = kept + added
    return h


def attention(evaluate, weight):
    x = tensor(3, 4)
    query, key = evaluate(lambda: x @ weight, lambda: (x * 2) @ weight)
    scores, value = evaluate(lambda: (query @ key.t()).softmax(-1), lambda: (x + 1) @ weight)
    return scores @ value


def softmax(evaluate, weight):
    powers, total = evaluate(lambda: weight.exp(), lambda: weight.exp().sum(-1, keepdim=True))
    return powers / total


def norm(evaluate, weight):
    centred, scale = evaluate(lambda: weight - weight.mean(-1, keepdim=True), lambda: weight.var(-1, keepdim=True).sqrt())
    return centred / scale


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
    gru, attention, norm, polynomial, arguments, softmax)]]
# The gradients of one tensor are sums of more than two, which round in another order.
GRADIENTS = [orders(backward_of(program)) for program in (gru, attention, norm, polynomial, arguments)]


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


def doubled_bias(net, x, target):
    first, _, second = net
    gates = F.linear(x, first.weight, first.bias) + F.linear(x, first.weight, first.bias)
    return F.cross_entropy(second(gates.tanh()), target)


def single_bias(net, x, target):
    first, _, second = net
    gates = F.linear(x, first.weight, first.bias) + F.linear(x, first.weight)
    return F.cross_entropy(second(gates.tanh()), target)


# The loss of both programs, and the difference of the forward pass.
FORWARD = [(trained(here), trained(there), words) for here, there, words in [
    (loss, lambda net, x, t: F.cross_entropy(net(x), t, label_smoothing=0.1), "label_smoothing of cross_entropy_loss is 0.0 here and 0.1 there"),
    (lambda net, x, t: F.cross_entropy(net(x), t, label_smoothing=0.2), loss, "label_smoothing of cross_entropy_loss is 0.2 here and 0.0 there"),
    (doubled_bias, single_bias, "argument bias of linear is float32 (8,) here and None there"),
    (single_bias, doubled_bias, "argument bias of linear is None here and float32 (8,) there"),
    (loss, lambda net, x, t: loss(net, x, t) / 2, "only there: div"),
    (loss, lambda net, x, t: loss(net, x, t) + net[0].weight.pow(2).sum(), "only there: pow, sum and add"),
    (loss, lambda net, x, t: F.cross_entropy(net(x), t, weight=torch.tensor([1.0, 2, 1])), "argument weight of cross_entropy_loss is None here and float32 (3,) there"),
    (loss, lambda net, x, t: F.cross_entropy(F.layer_norm(net(x), (3,)), t), "only there: layer_norm"),
    (lambda net, x, t: loss(net, x.tanh(), t), loss, "only here: tanh"),
    (loss, lambda net, x, t: F.nll_loss(net(x).sigmoid(), t), "cross_entropy_loss here, sigmoid and nll_loss_nd there"),
]]
