#!/usr/bin/python3
"""Writes the trees that translate/tree.py gives for the cells of notebooks, one list a notebook.

Usage: trees_of.py TREE.PY NOTEBOOK.IPYNB... TREES.JSON
"""
import json
import os
import pathlib
import subprocess
import sys

from run_notebook import sources_of


def trees(tree, notebook):
    read, write = os.pipe()
    with os.fdopen(read, encoding="utf-8") as answer:
        command = ["sh", "-c", f'exec "$0" -I "$1" 3>&{write}', sys.executable, tree]
        child = subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[write], text=True)
        os.close(write)
        child.stdin.write(json.dumps(sources_of(notebook)))
        child.stdin.close()
        text = answer.read()
    if child.wait() != 0:
        sys.exit(f"{tree} ended with {child.returncode}")
    return json.loads(text)


script, *notebooks, file = sys.argv[1:]
pathlib.Path(file).write_text(json.dumps([trees(script, notebook) for notebook in notebooks]), encoding="utf-8")
