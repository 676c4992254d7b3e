"""What tests/trace/program.cpp computes, in PyTorch."""
import torch


def numbers(*sizes):
    count = torch.Size(sizes).numel()
    step = torch.tensor(0.37, dtype=torch.float64)
    return torch.arange(count, dtype=torch.float64).mul(step).sin().to(torch.float32).view(sizes)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(7, 4)
        self.wide = torch.nn.Linear(4, 6)
        self.norm = torch.nn.LayerNorm(6)
        self.out = torch.nn.Linear(6, 3)
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.copy_(numbers(*parameter.shape))
        self.register_buffer("mask", torch.ones(2, 3).tril())

    def forward(self, indices):
        x = torch.nn.functional.linear(torch.embedding(self.words.weight, indices), self.wide.weight, self.wide.bias)
        x = torch.dropout(torch.relu(x), 0.5, True)
        x = torch.layer_norm(x, (6,), self.norm.weight, self.norm.bias)
        x = torch.nn.functional.linear(x, self.out.weight, self.out.bias)
        return torch.softmax(x.mul(self.mask), -1)


def training(trace, file):
    torch.manual_seed(123)
    net = Net()
    indices, target, one = torch.tensor([1, 4]), torch.tensor([0, 2]), torch.ones(())
    with trace(file, net) as running:
        running.name("indices", indices)
        loss = torch.nn.functional.cross_entropy(net(indices), target)
        running.mark("backward")
        loss.backward(one)
        running.mark("step")
        with torch.no_grad():
            for parameter in net.parameters():
                parameter.sub_(parameter.grad, alpha=0.1)


def operations(trace, file):
    torch.manual_seed(7)
    x, y = numbers(3, 4), numbers(4)
    with trace(file):
        x.add_(y)
        row = x.select(0, 1)
        row.mul_(y)
        x.t().contiguous()
        torch.cat([x, x], 1).sum(0, True)
        x.to(torch.bfloat16).gt(x)
        torch.rand(3)
        torch.randperm(5)
        x.normal_(0.5, 2.0)
        torch.view_as_complex(x.view(3, 2, 2)).conj().mul(torch.view_as_complex(x.view(3, 2, 2)))
