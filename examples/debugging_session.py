"""Debugs a small network by printing: why do some weights not learn? debugging_session.cpp prints the same text."""
from collections import OrderedDict

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), nn.ReLU())
        self.head = nn.Linear(4, 1)

    def forward(self, x):
        return self.head(self.body(x))


def show_gradients(net):
    """Prints what a gradient is, for each parameter."""
    for name, parameter in net.named_parameters():
        print(f"{name + '.grad':<14}", parameter.grad)


def main():
    torch.manual_seed(0)
    net = Net()
    with torch.no_grad():
        net.body[0].bias[1] = -100  # the fault: this unit never fires
    batch = torch.randn(5, 3)
    target = torch.ones(5, 1)

    print("The network:", net, sep="\n")

    print("\nIts parameters:")
    count = 0
    for name, value in net.named_parameters():
        print(f"{name!r:<16} {value.shape} requires_grad={value.requires_grad}")
        count += value.numel()
    print(f"{count:,} numbers in {next(net.parameters()).dtype}")
    print(OrderedDict(net.head.named_parameters()))

    print(f"\nThe batch, {batch.shape} on {batch.device}:", batch, sep="\n")

    hidden = net.body(batch)
    print("\nThe hidden units:", hidden, sep="\n")
    loss = nn.functional.mse_loss(net.head(hidden), target)
    print(f"loss {loss:.4f}, or {loss!r}")

    print("\nThe gradients before backward():")
    show_gradients(net)
    loss.backward()
    print("\nThe gradients after backward():")
    show_gradients(net)

    fired = (hidden > 0).sum(0)
    dead = {unit: not fired[unit] for unit in range(4)}
    print("\nHow often each unit fires:", fired, "and whether it is dead:", dead)


if __name__ == "__main__":
    main()
