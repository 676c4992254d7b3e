# %%
import math
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

_ = torch.manual_seed(3)

# %%
logits = torch.randn(4, 3)
classes = torch.tensor([0, 2, 1, 2])
wanted = torch.rand(4, 3)
print(F.mse_loss(logits, wanted), F.l1_loss(logits, wanted, reduction="sum"), F.smooth_l1_loss(logits, wanted), F.huber_loss(logits, wanted))
print(F.cross_entropy(logits, classes), F.cross_entropy(logits, classes, reduction="none"), F.cross_entropy(logits, classes, label_smoothing=0.1))
print(F.cross_entropy(logits, classes, ignore_index=2), F.nll_loss(F.log_softmax(logits, dim=1), classes))
print(F.binary_cross_entropy(torch.sigmoid(logits), wanted), F.binary_cross_entropy_with_logits(logits, wanted))

# %%
print(F.kl_div(F.log_softmax(logits, 1), wanted), F.kl_div(F.log_softmax(logits, dim=1), F.softmax(wanted, dim=1), reduction="batchmean"))

# %%
print(F.hinge_embedding_loss(logits, torch.sign(wanted)), F.margin_ranking_loss(logits[0], logits[1], torch.ones(3)), F.triplet_margin_loss(logits, wanted, wanted * 2))

# %%
print(F.cosine_embedding_loss(logits, wanted, torch.ones(4)), F.poisson_nll_loss(logits, wanted), F.soft_margin_loss(logits, wanted))

# %%
table = torch.randn(5, 2)
print(F.embedding(classes, table), F.one_hot(classes), F.one_hot(classes, num_classes=4))

# %%
picture = torch.arange(32.0).reshape(1, 2, 4, 4)
print(F.interpolate(picture, scale_factor=2), F.interpolate(picture, size=(2, 2), mode="bilinear", align_corners=False))

# %%
print(F.unfold(picture, kernel_size=2), F.unfold(picture, (2, 2), stride=2).shape)

# %%
print(F.glu(torch.randn(2, 4)), F.normalize(logits), F.normalize(logits, dim=1), F.normalize(logits, p=1, dim=0))

# %%
print(F.pad(logits, (1, 1)), F.pad(logits, (0, 1, 1, 0), value=2.0), F.pad(picture, (1, 1, 1, 1), mode="reflect"), F.pad(logits, (1, 1), "constant", 0))

# %%
print(F.cosine_similarity(logits, wanted), F.cosine_similarity(logits, wanted, dim=0), F.pairwise_distance(logits, wanted))

# %%
print(F.hardtanh(logits), F.relu6(logits), F.elu(logits), F.selu(logits), F.celu(logits), F.leaky_relu(logits, 0.2), F.softplus(logits), F.softsign(logits), F.tanhshrink(logits), F.hardsigmoid(logits), F.hardswish(logits), F.gelu(logits), F.gelu(logits, approximate="tanh"), F.silu(logits), F.mish(logits), F.logsigmoid(logits), F.threshold(logits, 0.1, 0.5), F.softmin(logits, dim=1), F.softshrink(logits), F.hardshrink(logits))

# %%
inplace_of = logits.clone()
print(F.relu(inplace_of, inplace=True), inplace_of, F.relu(logits, inplace=False), F.prelu(logits, torch.tensor([0.2])))

# %%
kernel = torch.randn(3, 2, 2, 2)
print(F.conv2d(picture, kernel), F.conv2d(picture, kernel, stride=2), F.conv2d(picture, kernel, padding=1).shape, F.conv2d(picture, kernel, None, 1, 1).shape, F.conv2d(picture, kernel, bias=torch.ones(3), stride=(1, 2)))

# %%
print(F.conv1d(torch.arange(10.0).reshape(1, 2, 5), torch.ones(2, 2, 2)), F.conv_transpose2d(picture, torch.ones(2, 1, 2, 2)).shape)

# %%
print(F.max_pool2d(picture, 2), F.max_pool2d(picture, kernel_size=2, stride=1).shape, F.avg_pool2d(picture, 2), F.adaptive_avg_pool2d(picture, 1), F.adaptive_avg_pool2d(picture, (1, 1)), F.max_pool1d(torch.arange(8.0).reshape(1, 1, 8), 2))

# %%
print(F.layer_norm(logits, (3,)), F.layer_norm(logits, [3], torch.ones(3), torch.zeros(3)), F.layer_norm(logits, logits.shape[1:]), F.group_norm(picture, 2))

# %%
print(F.linear(logits, torch.ones(2, 3)), F.linear(logits, torch.ones(2, 3), torch.ones(2)), F.bilinear(logits, wanted, torch.ones(1, 3, 3)))

# %%
print(F.pixel_shuffle(torch.arange(16.0).reshape(1, 4, 2, 2), 2), F.cross_entropy(logits, wanted))

# %%
print(torch.argsort(logits, dim=1), torch.count_nonzero(classes, dim=0), torch.argsort(logits, dim=1, descending=True), logits.argsort(dim=1), torch.argsort(logits), torch.argsort(logits, 0))

# %%
z = torch.complex(torch.tensor([1.0, 3.0]), torch.tensor([2.0, -1.0]))
print(z, z.real, z.imag, z.abs(), torch.conj(z), z.angle())

# %%
print(torch.fft.fft(torch.arange(4.0)), torch.fft.ifft(torch.fft.fft(torch.arange(4.0))), torch.fft.rfft(torch.arange(4.0)), torch.fft.fftfreq(4))

# %%
print(torch.tensor([70000.], dtype=torch.float16), torch.tensor([1.5], dtype=torch.bfloat16), torch.tensor(3, dtype=torch.float16))

# %%
print(torch.special.expit(logits), torch.special.erf(logits))

# %%
loss_fn = F.mse_loss
act = F.relu
print(loss_fn(logits, wanted), act(logits))

# %%
def block(x, act=F.relu):
    return act(x) + 1

def trained(model, loss_of):
    return loss_of(model, torch.zeros(4, 3))

print(block(logits), block(logits, torch.tanh), block(logits, act=F.gelu), trained(logits, F.mse_loss), trained(logits, F.l1_loss))

# %%
exponents = torch.exp(torch.zeros(2, 3, requires_grad=True))
with torch.no_grad():
    exponents += 1
try:
    exponents.sum().backward()
except RuntimeError as error:
    print(error)

# %%
retained = 2 * torch.ones(2, requires_grad=True)
retained.retain_grad()
(retained * retained).sum().backward()
print(retained.grad)

# %%
long_complex = torch.ones(2, dtype=torch.complex128)
short_complex = torch.ones(2, dtype=torch.cfloat)
print(long_complex, (long_complex + short_complex).dtype, long_complex.dtype, short_complex.dtype)

# %%
vocab = {"我": 1, "是": 2, "P": 0}
back = {vocab[key]: key for key in vocab}
sentences = [["我 是 P", "I am"], ["是 我\n", "am I"]]
print(back, len(sentences[0][0].split(" ")), [[vocab[n] for n in s[0].split()] for s in sentences])
print(sentences[1][0].strip(), "我是".replace("是", "好"), "我是".startswith("我"), "我我是".count("我"), "是" in "我是", sorted(vocab))
print("  é ".strip(), "a,é".split(","), "xéx".strip("x"))

# %%
def summed(first, second=None):
    if second is None:
        return None
    return first + second

summed(torch.ones(2))

# %%
print(summed(torch.ones(2)), summed(torch.ones(2)) is None, summed(torch.ones(2), torch.ones(2)))

# %%
def if_positive(values):
    if values.sum() > 0:
        return values

print(if_positive(torch.ones(2)), if_positive(-torch.ones(2)))

# %%
def never_called(picture, **options):
    return library.draw(picture, options)

def distance_of(number):
    return abs(number - 3)

print(max([1, 4, 9], key=distance_of), min([1, 4, 9], key=distance_of))

# %%
# lists and dicts that functions change
def collect(values, item):
    values.append(item)
    return len(values)
collected = [1]
print(collect(collected, 2), collected)

# %%
history = []
def log(values, item):
    values.append(item)

# %%
for step in range(3):
    log(history, step / 2)
print(history)

# %%
def double_all(values):
    for i in range(len(values)):
        values[i] = values[i] * 2
doubled = [1, 2, 3]
double_all(doubled)
print(doubled)

# %%
def count_words(words, counts):
    for word in words:
        counts[word] = counts.get(word, 0) + 1
word_counts = {"a": 1}
count_words(["a", "b"], word_counts)
print(word_counts)

# %%
def with_one(values):
    values = values + [1]
    return values
print(with_one(collected), collected)

# %%
# results and parameters that are None or a number in some calls
def distance(x, y=None):
    if y is None:
        return 0
    return (x - y).abs().mean()
far = torch.ones(2)
print(distance(far, far * 2) + distance(far))

# %%
def next_of(n=None):
    if n is not None:
        n += 1
        return n
    return 0
print(next_of(3), next_of())

# %%
# what Python raises
def checked(n):
    if n < 0:
        raise ValueError(f"{n} is negative")
    return n * 2
try:
    checked(-1)
except ValueError as error:
    print("no:", error)

# %%
pairs_of = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.ones(4, 2), torch.arange(4)), batch_size=2)
for batch in pairs_of:
    print(isinstance(batch, list), type(batch), len(batch))

# %%
halves = [0.5, 1.5]
print(sum(each for each in halves if each > 1))

# %%
def worked(values, sink=None):
    total = 0
    for value in values:
        total += value
    while total > 100:
        total = sink.write(total)
    if total > 60:
        sink.flush(total)
    if total > 5:
        print("some")
    elif sink.left > 50:
        sink.close()
    try:
        print(torch.ones(2) + total)
    except RuntimeError as error:
        sink.report(error)
    return total

class NeverMade:
    def __init__(self, sink):
        self.sink = library.open(sink)
    def show(self, *rest, **names):
        return library.show(self, rest)

print(worked([1, 2, 3]))

# %%
def mixed(count, parts, start=None):
    return count * 2 if start is None else start + sum(parts)

print(mixed(2.5, [1, 2]), mixed(2.5, [], 3.5))

# %%
def halved(x, trace=None):
    print("halves", x.size())
    if trace is not None:
        print("trace", trace)
    return x / 2, x.sum()

class Halving(nn.Module):
    def forward(self, x, trace=None):
        half, total = halved(x, trace)
        print("total", total.item())
        return half

print(Halving()(torch.ones(2, 3)), Halving()(torch.ones(2), "on"))

# %%
def raised(values, exponent):
    if exponent == 0:
        return torch.ones_like(values)
    half = raised(values, exponent // 2)
    return half * half * values if exponent % 2 else half * half


raised(torch.tensor([1.0, 2.0, 3.0]), 5)

# %%
class Branching:
    def __init__(self, deepest):
        self.deepest = deepest

    def leaves(self, level):
        if level == self.deepest:
            return 1
        return 2 * self.leaves(level + 1)


print(Branching(4).leaves(0))
