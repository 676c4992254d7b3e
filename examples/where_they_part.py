"""Attention over a batch, recorded: where_they_part.py FILE. The port where_they_part.cpp should compute the same."""
import sys

import torch
import torchbook


class Attention(torch.nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.W_query = torch.nn.Linear(channels, channels)
        self.W_key = torch.nn.Linear(channels, channels)
        self.W_value = torch.nn.Linear(channels, channels)

    def forward(self, x):
        query, key, value = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = query @ key.transpose(1, 2)
        weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
        return weights @ value


torch.manual_seed(123)
attention = Attention(768)
x = torch.rand(2, 6, 768)
with torchbook.trace(sys.argv[1], attention):
    context = attention(x)
