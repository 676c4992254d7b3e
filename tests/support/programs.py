"""What the Python tests know of torchbook's programs: the goldens they compare with, and their progress lines."""
import pathlib
import re

GOLDENS = pathlib.Path(__file__).resolve().parents[2] / "notebooks_ported"
PROGRESS = re.compile(r"^\w+: \d+ s, waiting for .+\n", re.MULTILINE)


def without_progress(text):
    """Returns a text without the lines that a program writes while it waits. They depend on how busy the machine is."""
    return PROGRESS.sub("", text)


def counts():
    """Returns the numbers of notebooks, of cells, and of cells with an output, counted in the goldens."""
    texts = [path.read_text() for path in GOLDENS.glob("*.golden")]
    cells = [cell for text in texts for cell in re.split(r"^@", text, flags=re.MULTILINE)[1:]]
    return len(texts), len(cells), sum(bool(re.search(r"^[>=]", cell, re.MULTILINE)) for cell in cells)


def summary_of_equal():
    """Returns the summary of all notebooks if all outputs are equal."""
    notebooks, cells, outputs = counts()
    return f"{notebooks} notebooks, {cells} cells, {outputs} outputs: {outputs} equal\n"
