"""Prints a Markdown table of a dozen tensors as Python, LibTorch's << and pyrepr print them.

Usage: printing_table.py BIN, the folder of the program printing_table. docs/printing.md holds the table.
"""
import html
import subprocess
import sys

import torch
from torch import inf, nan  # used by the expressions below

# printing_table.cpp has the same tensors in the same order.
EXPRESSIONS = [
    "torch.ones(2)",
    "torch.tensor([0.5, 100.])",
    "torch.tensor([1., 1001.])",
    "torch.tensor(0.1)",
    "torch.tensor([0., -inf, nan])",
    "torch.arange(4).view(2, 2)",
    "torch.tensor([9007199254740993])",
    "torch.tensor([True, False])",
    "torch.tensor([1-2.5j, 3j])",
    "torch.arange(2000)",
    "torch.zeros(2, 0)",
    "torch.ones(2, dtype=torch.half, requires_grad=True)",
]
LINES_SHOWN = 4  # the lines shown of a longer text


def cell(text):
    """Returns a text as one cell of a table, with its spaces and line breaks."""
    lines = text.split("\n")
    if len(lines) > LINES_SHOWN:
        lines = lines[:LINES_SHOWN] + [f"… {len(lines) - LINES_SHOWN} more lines"]
    return "<pre>" + "<br>".join(html.escape(line).replace("|", "&#124;") for line in lines) + "</pre>"


def main():
    printed = subprocess.run([f"{sys.argv[1]}/printing_table"], check=True, stdout=subprocess.PIPE, text=True).stdout
    texts = printed.split("\n.\n")
    print("| tensor | Python | LibTorch's `<<` | pyrepr |\n| --- | --- | --- | --- |")
    for number, expression in enumerate(EXPRESSIONS):
        stream, pyrepr = texts[2 * number:2 * number + 2]
        print(f"| `{expression}` | {cell(repr(eval(expression)))} | {cell(stream)} | {cell(pyrepr)} |")


if __name__ == "__main__":
    main()
