"""Writes a Jupyter notebook. Usage: book.py FILE CELL..., where CELL is `SOURCE`, `SOURCE => WHAT IT PRINTED` or
`SOURCE !> LINE ERROR: WHY`, what it raised at which line; \\n is a newline."""
import json
import sys


def cell(text):
    source, printed, said = text.partition(" => ")
    outputs = [{"output_type": "stream", "name": "stdout", "text": said}] if printed else []
    source, raised, said = source.partition(" !> ")
    if raised:
        line, name, why = said.split(" ", 2)
        outputs = [{"output_type": "error", "ename": name[:-1], "evalue": why, "traceback": [f"----> {line} "]}]
    return {"cell_type": "code", "source": source, "outputs": outputs}


with open(sys.argv[1], "w") as file:
    json.dump({"nbformat": 4, "metadata": {}, "cells": [cell(text.replace("\\n", "\n")) for text in sys.argv[2:]]}, file)
