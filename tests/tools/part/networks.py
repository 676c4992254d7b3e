"""Small networks in which causes can be planted: planted("name") tells whether one is."""
import torch
import torch.nn.functional as F
from torch import nn

_planted = set()


def plant(*names):
    """Plants causes, and no others."""
    _planted.clear()
    _planted.update(names)


def planted(name):
    return name in _planted


class Attention(nn.Module):
    """Causal attention with several heads, as in the sixth notebook."""

    def __init__(self, channels=16, heads=2, dropout=0.2):
        super().__init__()
        self.heads = heads
        self.W_query = nn.Linear(channels, channels, bias=False)
        self.W_key = nn.Linear(channels, channels, bias=False)
        self.W_value = nn.Linear(channels, channels, bias=False)
        self.out = nn.Linear(channels, channels)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(8, 8), diagonal=1))

    def split(self, x):
        return x.view(*x.shape[:2], self.heads, -1).transpose(1, 2)

    def forward(self, x):
        time = x.shape[1]
        query, key, value = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        if planted("key is not transposed as it should be"):
            key = key.flip(-1)  # PLANT key is not transposed as it should be
        scores = query @ key.transpose(2, 3)
        if planted("scores are scaled before the mask"):
            scores = scores * key.shape[-1] ** -0.5  # PLANT scores are scaled before the mask
        mask = self.mask.bool()[:time, :time]
        filled = -1e9 if planted("mask is filled with another number") else -torch.inf
        scores = scores.masked_fill(mask, filled)  # PLANT mask is filled with another number
        if planted("scale is another number"):
            weights = torch.softmax(scores / 3.0, dim=-1)  # PLANT scale is another number
        elif planted("softmax by its formula"):
            weights = by_formula(scores / key.shape[-1] ** 0.5)
        elif planted("softmax along another dimension"):
            weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-2).nan_to_num()  # PLANT softmax along another dimension
        elif planted("softmax in double precision"):
            weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1, dtype=torch.float64).float()  # PLANT softmax in double precision
        else:
            weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
        if not planted("no dropout"):
            weights = self.dropout(weights)
        context = (weights @ value).transpose(1, 2)
        if planted("heads are joined in another order"):
            context = context.flip(2)  # PLANT heads are joined in another order
        return self.out(context.contiguous().view(x.shape))


def by_formula(scores):
    powers = torch.exp(scores)  # PLANT softmax by its formula
    return powers / powers.sum(-1, keepdim=True)


class Block(nn.Module):
    """A block of a GPT."""

    def __init__(self, channels=16):
        super().__init__()
        self.norm1 = nn.LayerNorm(channels)
        self.attention = Attention(channels)
        self.norm2 = nn.LayerNorm(channels)
        self.up = nn.Linear(channels, 4 * channels)
        self.down = nn.Linear(4 * channels, channels)

    def forward(self, x):
        if planted("norm behind the attention"):
            x = x + self.norm1(self.attention(x))  # PLANT norm behind the attention
        elif planted("no skip connection"):
            x = self.attention(self.norm1(x))
        else:
            x = x + self.attention(self.norm1(x))
        if planted("norm by its formula"):
            normed = (x - x.mean(-1, keepdim=True)) / (x.var(-1, unbiased=False, keepdim=True) + 1e-5).sqrt()  # PLANT norm by its formula
            normed = normed * self.norm2.weight + self.norm2.bias
        elif planted("another eps"):
            normed = F.layer_norm(x, (16,), self.norm2.weight, self.norm2.bias, 1e-3)  # PLANT another eps
        else:
            normed = self.norm2(x)
        hidden = self.up(normed)
        if planted("gelu by tanh"):
            hidden = F.gelu(hidden, approximate="tanh")  # PLANT gelu by tanh
        elif planted("relu instead of gelu"):
            hidden = F.relu(hidden)  # PLANT relu instead of gelu
        else:
            hidden = F.gelu(hidden)
        return x + self.down(hidden)


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(11, 16)
        self.positions = nn.Embedding(8, 16)
        self.blocks = nn.Sequential(Block(), Block())
        self.head = nn.Linear(16, 11)

    def forward(self, tokens):
        first = 1 if planted("positions begin at one") else 0
        positions = torch.arange(first, first + tokens.shape[1])  # PLANT positions begin at one
        x = self.tokens(tokens) + self.positions(positions)
        return self.head(self.blocks(x))


class Convolution(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.conv2 = nn.Conv2d(4, 8, 3)
        self.head = nn.Linear(8 * 9, 5)

    def forward(self, x):
        x = self.conv1(x)
        x = self.norm(x)
        if planted("leaky relu"):
            x = F.leaky_relu(x, 0.01)  # PLANT leaky relu
        else:
            x = F.relu(x)
        if planted("average pooling"):
            x = F.avg_pool2d(x, 2)  # PLANT average pooling
        elif planted("pooling by three"):
            x = F.max_pool2d(x, 3, stride=2, padding=1)  # PLANT pooling by three
        else:
            x = F.max_pool2d(x, 2)
        x = self.conv2(x)
        x = torch.sigmoid(x) if planted("sigmoid instead of tanh") else torch.tanh(x)  # PLANT sigmoid instead of tanh
        x = F.max_pool2d(x, 2, stride=1)
        if planted("channels last"):
            x = x.permute(0, 2, 3, 1)  # PLANT channels last
        x = x.reshape(x.shape[0], -1)
        return self.head(x)


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(6, 8, num_layers=2, batch_first=True)
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        if planted("time runs backward"):
            x = x.flip(1)  # PLANT time runs backward
        start = None
        if planted("state begins with ones"):
            start = (torch.ones(2, x.shape[0], 8), torch.ones(2, x.shape[0], 8))  # PLANT state begins with ones
        outputs, _ = self.lstm(x, start)
        if planted("first step instead of the last"):
            last = outputs[:, 0]  # PLANT first step instead of the last
        elif planted("mean over time"):
            last = outputs.mean(1)  # PLANT mean over time
        else:
            last = outputs[:, -1]
        return self.head(last)


class Regression(nn.Module):
    """Two layers, which one step trains."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(5, 7)
        self.second = nn.Linear(7, 1)

    def forward(self, x):
        return self.second(torch.tanh(self.first(x)))


def train(net, x, target):
    rate = 0.2 if planted("another learning rate") else 0.1
    decay = 0.01 if planted("weight decay") else 0.0
    momentum = 0.9
    if planted("adam"):
        optimizer = torch.optim.Adam(net.parameters(), lr=rate, foreach=False)
    else:
        optimizer = torch.optim.SGD(net.parameters(), lr=rate, momentum=momentum, weight_decay=decay, foreach=False,
                                    nesterov=planted("nesterov"))
    for _ in range(2):
        if not planted("gradients are not cleared"):
            optimizer.zero_grad(set_to_none=False)
        output = net(x)
        if planted("sum of squares"):
            loss = F.mse_loss(output, target, reduction="sum")  # PLANT sum of squares
        elif planted("absolute error"):
            loss = F.l1_loss(output, target)  # PLANT absolute error
        elif planted("half of the loss"):
            loss = F.mse_loss(output, target) / 2  # PLANT half of the loss
        else:
            loss = F.mse_loss(output, target)
        loss.backward()
        if planted("gradients are clipped"):
            nn.utils.clip_grad_norm_(net.parameters(), 0.01)  # PLANT gradients are clipped
        optimizer.step()
    return net(x)
