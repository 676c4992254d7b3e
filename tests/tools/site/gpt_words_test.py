"""Trains the GPT of the site for a few steps, and compares what is written with the weights of the page: all but the numbers, which
need thousands of steps: gpt_words_test.py PROGRAM WEIGHTS."""
import base64
import json
import pathlib
import subprocess
import sys
import tempfile


def stored_in(path):
    """Returns what a script of weights has, with the number of bytes instead of each weight."""
    stored = json.loads(pathlib.Path(path).read_text().partition(" = ")[2].rstrip(";\n"))
    steps = stored.pop("steps")
    weights = {name: (shape, len(base64.b64decode(text))) for name, (shape, text) in stored.pop("weights").items()}
    return steps, {**stored, "weights": weights}


def main(program, weights):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, f"{folder}/weights.js", "12"], check=True, stdout=subprocess.DEVNULL)
        steps, made = stored_in(f"{folder}/weights.js")
    page = stored_in(weights)[1]
    if steps != 12 or made != page:
        sys.exit(f"{program} writes\n{made}\nand the page has\n{page}\nMake its weights again: gpt_words {weights}")


if __name__ == "__main__":
    main(*sys.argv[1:])
