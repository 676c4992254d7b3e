"""Has expressions of each class of modules in Python and C++: those of module_calls.txt, and others with random numbers.

modules.py FILE writes them as C++ for modules.cpp.
"""

import json
import pathlib
import sys
from typing import NamedTuple


class Module(NamedTuple):
    """A class of modules. `draw` has a letter for each number, as in module_trees.py: integers i[0] …, reals r[0] …"""

    draw: str
    python: str
    cpp: str


def fixed(python, cpp):
    return python, Module("", python, cpp)


def default(name):
    return fixed(f"nn.{name}()", f"nn::{name}()")


def calls():
    """Returns the lines `PYTHON = C++` of module_calls.txt."""
    text = pathlib.Path(__file__).with_name("module_calls.txt").read_text()
    return [fixed(*line.split(" = ", 1)) for line in text.splitlines()]


# The classes that need no argument.
DEFAULTS = """
    CELU ELU GELU GLU Hardshrink Hardtanh LeakyReLU LogSigmoid Mish PReLU RReLU ReLU ReLU6 SELU SiLU Sigmoid Softmax2d
    Softplus Softshrink Softsign Tanh Tanhshrink Dropout Dropout3d Flatten Identity ParameterList Upsample
    BCELoss BCEWithLogitsLoss CTCLoss CosineEmbeddingLoss CrossEntropyLoss HingeEmbeddingLoss HuberLoss KLDivLoss L1Loss
    MSELoss MarginRankingLoss MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss PoissonNLLLoss
    SmoothL1Loss SoftMarginLoss TripletMarginLoss TripletMarginWithDistanceLoss CosineSimilarity PairwiseDistance
""".split()


def in_place(name):
    return name, Module("b", f"nn.{name}(bool(i[0]))", f"nn::{name}(nn::{name}Options(i[0]))")


def along(name):
    return name, Module("d", f"nn.{name}(i[0])", f"nn::{name}(nn::{name}Options(i[0]))")


def one_real(name):
    return name, Module("x", f"nn.{name}(r[0])", f"nn::{name}(nn::{name}Options(r[0]))")


def dropout(name):
    options = f"nn::{name}(nn::{name}Options(r[0]).inplace(i[0]))"
    return name, Module("pb", f"nn.{name}(r[0], bool(i[0]))", options)


def convolution(dims, transposed=""):
    name = f"Conv{transposed}{dims}d"
    sizes = ", ".join(("i[2]", "i[3]", "2")[:dims])
    options = f"4 * i[0], 4 * i[1], {{{sizes}}}).stride(i[4]).padding(i[5]).groups(i[6]).bias(i[7]"
    cpp = f"nn::{name}(nn::{name}Options({options}))"
    python = f"nn.{name}(4 * i[0], 4 * i[1], ({sizes},), i[4], i[5], groups=i[6], bias=bool(i[7]))"
    return name, Module("nnnnn0gb", python, cpp)


def batch_norm(name):
    cpp = f"nn::{name}(nn::{name}Options(i[0]).eps(r[0]).momentum(r[1]).affine(i[1]).track_running_stats(i[2]))"
    return name, Module("nxpbb", f"nn.{name}(i[0], r[0], r[1], bool(i[1]), bool(i[2]))", cpp)


def recurrent(name):
    options = ".num_layers(i[2]).bias(i[3]).batch_first(i[4]).dropout(r[0]).bidirectional(i[5])"
    python = f"nn.{name}(i[0], i[1], i[2], bool(i[3]), bool(i[4]), r[0], bool(i[5]))"
    return name, Module("nnlbbpb", python, f"nn::{name}(nn::{name}Options(i[0], i[1]){options})")


def pooling(name):
    """Kernel, stride and padding are numbers: LibTorch does not keep whether they were given as tuples."""
    cpp = f"nn::{name}(nn::{name}Options(2 * i[0]).stride(i[1]).padding(i[2]).ceil_mode(i[3]))"
    return name, Module("nn0b", f"nn.{name}(2 * i[0], i[1], i[2], ceil_mode=bool(i[3]))", cpp)


MODULES = dict([
    *map(default, DEFAULTS),
    *calls(),
    ("Linear", Module("nnb",
        "nn.Linear(i[0], i[1], bool(i[2]))",
        "nn::Linear(nn::LinearOptions(i[0], i[1]).bias(i[2]))")),
    ("Bilinear", Module("nnnb",
        "nn.Bilinear(i[0], i[1], i[2], bool(i[3]))",
        "nn::Bilinear(nn::BilinearOptions(i[0], i[1], i[2]).bias(i[3]))")),
    *(in_place(name) for name in ("ReLU", "ReLU6", "SELU")),
    *(along(name) for name in ("Softmax", "LogSoftmax", "Softmin", "GLU")),
    *(one_real(name) for name in ("Hardshrink", "Softshrink")),
    *(dropout(name) for name in ("Dropout", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout")),
    *(convolution(dims) for dims in (1, 2, 3)),
    *(convolution(dims, "Transpose") for dims in (1, 2, 3)),
    *(batch_norm(f"{kind}Norm{dims}d") for kind in ("Batch", "Instance") for dims in (1, 2, 3)),
    *(recurrent(name) for name in ("LSTM", "GRU")),
    *(pooling(f"{kind}Pool{dims}d") for kind in ("Max", "Avg") for dims in (2, 3)),
    ("ELU", Module("xb", "nn.ELU(r[0], bool(i[0]))", "nn::ELU(nn::ELUOptions().alpha(r[0]).inplace(i[0]))")),
    ("LeakyReLU", Module("xb",
        "nn.LeakyReLU(r[0], bool(i[0]))",
        "nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(r[0]).inplace(i[0]))")),
    ("Threshold", Module("xxb",
        "nn.Threshold(r[0], r[1], bool(i[0]))",
        "nn::Threshold(nn::ThresholdOptions(r[0], r[1]).inplace(i[0]))")),
    ("PReLU", Module("nx", "nn.PReLU(i[0], r[0])", "nn::PReLU(nn::PReLUOptions().num_parameters(i[0]).init(r[0]))")),
    ("LayerNorm", Module("nnxb",
        "nn.LayerNorm((i[0], i[1]), r[0], bool(i[2]))",
        "nn::LayerNorm(nn::LayerNormOptions({i[0], i[1]}).eps(r[0]).elementwise_affine(i[2]))")),
    ("GroupNorm", Module("nnxb",
        "nn.GroupNorm(i[0], i[0] * i[1], r[0], bool(i[2]))",
        "nn::GroupNorm(nn::GroupNormOptions(i[0], i[0] * i[1]).eps(r[0]).affine(i[2]))")),
    ("Embedding", Module("nnn0xbb",
        "nn.Embedding(4 + i[0], i[1], i[3], float(i[2]), r[0], bool(i[4]), bool(i[5]))",
        "nn::Embedding(nn::EmbeddingOptions(4 + i[0], i[1]).padding_idx(i[3]).max_norm(double(i[2])).norm_type(r[0]).scale_grad_by_freq(i[4]).sparse(i[5]))")),
    ("LSTMCell", Module("nnb",
        "nn.LSTMCell(i[0], i[1], bool(i[2]))",
        "nn::LSTMCell(nn::LSTMCellOptions(i[0], i[1]).bias(i[2]))")),
    ("MultiheadAttention", Module("nnpb",
        "nn.MultiheadAttention(i[0] * i[1], i[1], r[0], bool(i[2]))",
        "nn::MultiheadAttention(nn::MultiheadAttentionOptions(i[0] * i[1], i[1]).dropout(r[0]).bias(i[2]))")),
    ("TransformerEncoderLayer", Module("nnnp",
        "nn.TransformerEncoderLayer(i[0] * i[1], i[1], i[2], r[0])",
        "nn::TransformerEncoderLayer(nn::TransformerEncoderLayerOptions(i[0] * i[1], i[1]).dim_feedforward(i[2]).dropout(r[0]))")),
    ("AdaptiveAvgPool2d", Module("nn",
        "nn.AdaptiveAvgPool2d((i[0], i[0] + i[1]))",
        "nn::AdaptiveAvgPool2d(nn::AdaptiveAvgPool2dOptions({i[0], i[0] + i[1]}))")),
    ("Flatten", Module("dd",
        "nn.Flatten(i[0], i[1])",
        "nn::Flatten(nn::FlattenOptions().start_dim(i[0]).end_dim(i[1]))")),
    ("PixelShuffle", Module("n", "nn.PixelShuffle(i[0])", "nn::PixelShuffle(i[0])")),
    ("ZeroPad2d", Module("nn",
        "nn.ZeroPad2d((i[0], i[1], 0, 1))",
        "nn::ZeroPad2d(nn::ZeroPad2dOptions({i[0], i[1], 0, 1}))")),
])  # fmt: skip
STRUCTURES = ("Sequential", "NamedSequential", "ModuleList", "ModuleDict", "Net", "Scaled")

if __name__ == "__main__":
    lines = []
    for name, module in MODULES.items():
        head = "[]([[maybe_unused]] const Integers& i, [[maybe_unused]] const Reals& r) -> Made"
        lines.append(f'{{{json.dumps(name)}, {head} {{ return {module.cpp}.ptr(); }}}},\n')
    pathlib.Path(sys.argv[1]).write_text("".join(lines))
