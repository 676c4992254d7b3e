"""Writes the partial recording NAME.RELEASE.json beside this file, for each recording FOLDER/NAME.json of that release: the
cells that differ from those of NAME.json.

Usage: partial_recordings.py RELEASE FOLDER, such as 2.6 recorded, after `torchbook regression compare --record recorded`
"""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent


def text_of(value, indent=0):
    """Returns JSON as `compare --record` writes it: lists and objects of at most 100 bytes are on one line."""
    if not isinstance(value, (dict, list)) or not value:
        return json.dumps(value, ensure_ascii=False)
    parts = [text_of(each, indent + 1) for each in (value.values() if isinstance(value, dict) else value)]
    if isinstance(value, dict):
        parts = [f"{json.dumps(name, ensure_ascii=False)}: {part}" for name, part in zip(value, parts)]
    start, end = "{}" if isinstance(value, dict) else "[]"
    line = start + ", ".join(parts) + end
    if len(line.encode()) <= 100 and "\n" not in line:
        return line
    inner = "\n" + " " * (indent + 1)
    return start + inner + f",{inner}".join(parts) + "\n" + " " * indent + end


def partial(recording, base):
    """Returns the partial recording of what differs from `base`, in the form of golden/recording.h."""
    cells = [{"position": position, **cell}
             for position, (known, cell) in enumerate(zip(base["cells"], recording["cells"], strict=True), 1) if cell != known]
    name = base["notebook"] + ".json"
    return {"notebook": recording["notebook"], "differs_from": name, **recording, "cells": cells}


def main():
    release, folder = sys.argv[1:]
    for file in sorted(pathlib.Path(folder).glob("*.json")):
        base, recording = (json.loads(path.read_text(encoding="utf-8")) for path in (HERE / file.name, file))
        text = text_of(partial(recording, base)) + "\n"
        (HERE / f"{file.stem}.{release}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
