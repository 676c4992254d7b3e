# %%
import torch
import torch.nn as nn
from torch.nn import functional as F

poem = """The rain fell on the river, and the river ran to the sea.
The sea rose to the sky, and the sky sent the rain again.
So the rain is the river, and the river is the rain,
and nobody knows where the water began.
""" * 4
letters = sorted(set(poem))
print(len(poem), "".join(letters).strip())

# %%
place_of = {letter: place for place, letter in enumerate(letters)}
letter_at = {place: letter for place, letter in enumerate(letters)}
encode = lambda words: [place_of[letter] for letter in words]
decode = lambda places: "".join([letter_at[place] for place in places])
print(encode("the rain"), decode(encode("the rain")))

# %%
tokens = torch.tensor(encode(poem), dtype=torch.long)
split_at = int(0.8 * len(tokens))
fit, held_out = tokens[:split_at], tokens[split_at:]
held_out[:7]

# %%
time, batch = 6, 3

def get_batch(part):
    source = fit if part == "fit" else held_out
    starts = torch.randint(len(source) - time, (batch,))
    inputs = torch.stack([source[start:start + time] for start in starts])
    targets = torch.stack([source[start + 1:start + time + 1] for start in starts])
    return inputs, targets

# %%
torch.manual_seed(5)
inputs, targets = get_batch("fit")
print(inputs.shape, targets[0].tolist())
for t in range(time):
    print(repr(decode(inputs[0, :t + 1].tolist())), "before", repr(letter_at[targets[0, t].item()]))

# %%
class Bigrams(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.rows = nn.Embedding(size, size)

    def forward(self, inputs, targets=None):
        scores = self.rows(inputs)
        if targets is None:
            loss = None
        else:
            loss = F.cross_entropy(scores.flatten(0, 1), targets.flatten())
        return scores, loss

# %%
bigrams = Bigrams(len(letters))
scores, loss = bigrams(inputs, targets)
print(scores.shape, loss)

# %%
fitter = torch.optim.AdamW(bigrams.parameters(), lr=0.02)
for _ in range(15):
    inputs, targets = get_batch("fit")
    scores, loss = bigrams(inputs, targets)
    fitter.zero_grad(set_to_none=True)
    loss.backward()
    fitter.step()
loss.item()

# %%
channels, head_count, depth, rate = 8, 2, 2, 0.1
device = "cuda" if torch.cuda.is_available() else "cpu"
batch = 5

def get_batch(part):
    source = held_out if part == "held out" else fit
    starts = torch.randint(len(source) - time, (batch,))
    inputs = torch.stack([source[start:start + time] for start in starts])
    targets = torch.stack([source[start + 1:start + time + 1] for start in starts])
    return inputs.to(device), targets.to(device)

# %%
class Head(nn.Module):
    """Attention to what came before."""
    def __init__(self, width):
        super().__init__()
        self.queries, self.keys = nn.Linear(channels, width), nn.Linear(channels, width)
        self.values = nn.Linear(channels, width, bias=False)
        self.drop = nn.Dropout(rate)
        self.register_buffer("causal", torch.tril(torch.ones(time, time)))

    def forward(self, x):
        T = x.shape[1]
        keys = self.keys(x)
        scores = self.queries(x) @ keys.transpose(-2, -1) * keys.shape[-1] ** -0.5
        scores = scores.masked_fill(self.causal[:T, :T] == 0, float("-inf"))
        return self.drop(F.softmax(scores, dim=-1)) @ self.values(x)

# %%
class Layer(nn.Module):
    def __init__(self, heads):
        super().__init__()
        self.heads = nn.ModuleList([Head(channels // heads) for _ in range(heads)])
        self.mix = nn.Linear(channels, channels)
        self.think = nn.Sequential(nn.Linear(channels, 2 * channels), nn.ReLU(), nn.Linear(2 * channels, channels))
        self.before, self.between = nn.LayerNorm(channels), nn.LayerNorm(channels)

    def forward(self, x):
        normal = self.before(x)
        x = x + self.mix(torch.cat([head(normal) for head in self.heads], dim=-1))
        return x + self.think(self.between(x))

# %%
class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.of_token = nn.Embedding(len(letters), channels)
        self.of_place = nn.Embedding(time, channels)
        self.layers = nn.Sequential(*[Layer(heads=head_count) for _ in range(depth)])
        self.to_scores = nn.Linear(channels, len(letters))
        self.apply(self.start)

    def start(self, part):
        if isinstance(part, nn.Linear):
            nn.init.normal_(part.weight, mean=0.0, std=0.1)
            if part.bias is not None:
                nn.init.zeros_(part.bias)
        elif isinstance(part, nn.Embedding):
            nn.init.normal_(part.weight, mean=0.0, std=0.1)

    def forward(self, inputs, targets=None):
        places = torch.arange(inputs.shape[1], device=device)
        scores = self.to_scores(self.layers(self.of_token(inputs) + self.of_place(places)))  # (B, T, V)
        if targets is None:
            return scores, None
        B, T, V = scores.shape
        return scores, F.cross_entropy(scores.view(B * T, V), targets.view(B * T))

    def generate(self, tokens, max_new_tokens):
        for _ in range(max_new_tokens):
            scores, _ = self(tokens[:, -time:])
            chances = F.softmax(scores[:, -1, :], dim=-1)
            tokens = torch.cat((tokens, torch.multinomial(chances, num_samples=1)), dim=1)
        return tokens

# %%
torch.manual_seed(11)
writer = Writer().to(device)
print(sum(weight.numel() for weight in writer.parameters()) / 1000, "thousand weights")

# %%
@torch.no_grad()
def estimate_loss():
    means = {}
    writer.eval()
    for part in ["fit", "held out"]:
        losses = torch.zeros(4)
        for i in range(4):
            some, after = get_batch(part)
            scores, loss = writer(some, after)
            losses[i] = loss.item()
        means[part] = losses.mean()
    writer.train()
    return means

# %%
fitter = torch.optim.AdamW(writer.parameters(), lr=0.01)
for step in range(9):
    if step % 4 == 0:
        now = estimate_loss()
        print(f"after {step} steps: {now['fit']:.4f}, held out {now['held out']:.4f}")
    inputs, targets = get_batch("fit")
    scores, loss = writer(inputs, targets)
    fitter.zero_grad(set_to_none=True)
    loss.backward()
    fitter.step()

# %%
first = torch.zeros((1, 1), dtype=torch.long, device=device)
print(decode(writer.generate(first, max_new_tokens=30)[0].tolist()))

# %%
def attention(q, k, v):
    weights = F.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1)
    return weights @ v, weights

# %%
words = ["the", "rain", "is", "a", "river"]
E = torch.randn(5, 4)
out, w = attention(E, E, E)
for i, word in enumerate(words):
    best = max(range(len(words)), key=lambda j: w[i, j].item())
    print(f"{word:>6} looks at {words[best]}")
nearest = max(range(5), key=lambda i: w[0, i].item())
print(nearest, words[nearest], out.shape, min(range(5), key=lambda i: E[i, 0]))
