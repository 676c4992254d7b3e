"""Small programs that differ in one value, and what `torchbook part` must tell of it."""
import torch
from torch import nn


def statistics(value):
    norm = nn.BatchNorm1d(3)
    norm(torch.randn(4, 3) * value)
    norm.eval()
    norm(torch.ones(4, 3))


def momentum(value):
    norm = nn.BatchNorm1d(3, momentum=value)
    norm(torch.randn(4, 3))
    norm.eval()
    norm(torch.ones(4, 3))


def element(value):
    x = torch.zeros(4)
    x[value] = 1.0
    return x * 2


def row(value):
    return (torch.randn(4, 3) * 2)[value] + 1


def squeezed(value):
    output = torch.tensor([[1.0], [2.0]]) * 2
    return (output.squeeze(1) if value else output) - torch.tensor([3.0, 4.0])


def moved(value):
    x = torch.rand(5, 4) + 0.5
    return (x.exp().log() if value else x.log().exp()) * 2


PROGRAMS = [
    (statistics, 1.0, 2.0, "argument", "argument other of mul is 1.0 here and 2.0 there"),
    (momentum, 0.1, 0.2, "argument", "argument momentum of batch_norm is 0.1 here and 0.2 there"),
    (element, 1, 2, "argument", "copy_ writes to another part of argument self of mul: select(0, 1) here, select(0, 2) there"),
    (row, -1, 0, "argument", "argument self of add is another view of what mul gave: select(0, -1) here, select(0, 0) there"),
    (moved, True, False, "operations", "exp, at another place in the order"),
    (squeezed, True, False, "argument", "argument self of sub is another view of what mul gave: squeeze(1) here, nothing there"),
]
