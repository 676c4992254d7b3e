"""Trains a small GPT on the letters of a text, saves it half-way, continues from the checkpoint, and samples. gpt.cpp does the
same in C++ and prints the same: gpt.py TEXT CHECKPOINT."""
import pathlib
import sys

import torch
from torch import nn
from torch.nn import functional as F
from torch.optim import lr_scheduler

CONTEXT, CHANNELS, HEADS, LAYERS, BATCH, STEPS = 32, 32, 4, 2, 16, 60


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(CHANNELS, 3 * CHANNELS)
        self.out = nn.Linear(CHANNELS, CHANNELS)
        self.dropout = nn.Dropout(0.1)
        self.register_buffer("mask", torch.tril(torch.ones(CONTEXT, CONTEXT)) == 0)  # (T, T)

    def forward(self, x):  # (B, T, C)
        batch, time, _ = x.shape
        query, key, value = (each.view(batch, time, HEADS, -1).transpose(1, 2)
                             for each in self.qkv(x).split(CHANNELS, dim=2))  # (B, heads, T, C / heads)
        scores = query @ key.transpose(-2, -1) / (CHANNELS // HEADS) ** 0.5  # (B, heads, T, T)
        weights = self.dropout(F.softmax(scores.masked_fill(self.mask[:time, :time], float("-inf")), dim=-1))
        return self.out((weights @ value).transpose(1, 2).reshape(batch, time, CHANNELS))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1 = nn.LayerNorm(CHANNELS)
        self.attention = Attention()
        self.norm2 = nn.LayerNorm(CHANNELS)
        self.mlp = nn.Sequential(nn.Linear(CHANNELS, 4 * CHANNELS), nn.GELU(), nn.Linear(4 * CHANNELS, CHANNELS))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, CHANNELS)
        self.positions = nn.Embedding(CONTEXT, CHANNELS)
        self.blocks = nn.Sequential(*(Block() for _ in range(LAYERS)))
        self.norm = nn.LayerNorm(CHANNELS)
        self.head = nn.Linear(CHANNELS, vocabulary, bias=False)
        self.apply(self.initialize)

    @staticmethod
    def initialize(module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)

    def forward(self, ids):  # (B, T)
        x = self.tokens(ids) + self.positions(torch.arange(ids.shape[1]))
        return self.head(self.norm(self.blocks(x)))  # (B, T, vocabulary)


class Training:
    def __init__(self, vocabulary):
        self.model = GPT(vocabulary)
        matrices = [each for each in self.model.parameters() if each.dim() > 1]
        vectors = [each for each in self.model.parameters() if each.dim() == 1]
        self.optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1},
                                            {"params": vectors, "weight_decay": 0.0}], lr=0.01, betas=(0.9, 0.95))
        warm = lr_scheduler.LinearLR(self.optimizer, start_factor=0.1, total_iters=10)
        cold = lr_scheduler.CosineAnnealingLR(self.optimizer, STEPS - 10, eta_min=0.001)
        self.schedule = lr_scheduler.SequentialLR(self.optimizer, [warm, cold], milestones=[10])

    def state(self, step):
        return {"model": self.model.state_dict(), "optim": self.optimizer.state_dict(),
                "schedule": self.schedule.state_dict(), "step": step}

    def load(self, state):
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optim"])
        self.schedule.load_state_dict(state["schedule"])

    def steps(self, ids, first, last):
        for step in range(first, last):
            starts = torch.randint(len(ids) - CONTEXT, (BATCH,))
            x = torch.stack([ids[start:start + CONTEXT] for start in starts.tolist()])  # (B, T)
            y = torch.stack([ids[start + 1:start + CONTEXT + 1] for start in starts.tolist()])
            loss = F.cross_entropy(self.model(x).flatten(0, 1), y.flatten())
            self.optimizer.zero_grad()
            loss.backward()
            norm = nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.schedule.step()
            if step % 10 == 9:
                print("step", step + 1, "loss", loss.item(), "norm", norm.item(), "rate", self.schedule.get_last_lr()[0])


@torch.no_grad()
def sampled(model, ids, count):
    model.eval()
    for _ in range(count):
        logits = model(ids[None, -CONTEXT:])[0, -1] / 0.8  # (vocabulary)
        ids = torch.cat([ids, torch.multinomial(F.softmax(logits, dim=-1), 1)])
    return ids


def main(text_file, checkpoint):
    text = pathlib.Path(text_file).read_text()
    letters = sorted(set(text))
    ids = torch.tensor([letters.index(letter) for letter in text])
    torch.manual_seed(1337)
    began = Training(len(letters))
    print("parameters", sum(each.numel() for each in began.model.parameters()))
    began.steps(ids, 0, STEPS // 2)
    torch.save(began.state(STEPS // 2), checkpoint)
    goes_on = Training(len(letters))
    state = torch.load(checkpoint)
    goes_on.load(state)
    goes_on.steps(ids, state["step"], STEPS)
    print("".join(letters[each] for each in sampled(goes_on.model, ids[:8], 80).tolist()))


if __name__ == "__main__":
    main(*sys.argv[1:])
