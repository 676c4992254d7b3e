"""The modules of GPT-2 with the twelve blocks of its smallest size, but narrow, so that they are made quickly."""
from collections import OrderedDict

import torch
from torch import nn

WIDTH = 48
WORDS = 503


# gpt2.h has the same modules in the same order.
class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.c_attn = nn.Linear(WIDTH, 3 * WIDTH)
        self.c_proj = nn.Linear(WIDTH, WIDTH)
        self.attn_dropout = nn.Dropout(0.1)
        self.resid_dropout = nn.Dropout(0.1)


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.c_fc = nn.Linear(WIDTH, 4 * WIDTH)
        self.c_proj = nn.Linear(4 * WIDTH, WIDTH)
        self.act = nn.GELU("tanh")
        self.dropout = nn.Dropout(0.1)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1 = nn.LayerNorm(WIDTH)
        self.attn = Attention()
        self.ln_2 = nn.LayerNorm(WIDTH)
        self.mlp = MLP()


class GPT2(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(WORDS, WIDTH)
        self.wpe = nn.Embedding(32, WIDTH)
        self.drop = nn.Dropout(0.1)
        self.h = nn.ModuleList(Block() for _ in range(12))
        self.ln_f = nn.LayerNorm(WIDTH)
        self.lm_head = nn.Linear(WIDTH, WORDS, bias=False)


def state_dict(model):
    """Returns the names and tensors of a model's state, with values that C++ makes, too."""
    return OrderedDict((name, torch.arange(value.numel()).view(value.shape) / 7)
                       for name, value in model.named_parameters())
