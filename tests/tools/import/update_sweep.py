#!/usr/bin/python3
"""Changes, adds, removes and moves single cells of notebooks. An update of an import, there and back, must be the fresh import
to the byte, except for a cell whose C++ its owner has changed.

Usage: update_sweep.py TORCHBOOK [--changes N] [--seed N] NOTEBOOK..., where all changes of a seed are made with N = 0
"""
import argparse
import difflib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

from translate.run_notebook import write

CLIENT = f"""#!{sys.executable} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect(__file__ + ".socket")
    server.sendall(json.dumps(sys.argv[1:]).encode().ljust(1 << 20))
    socket.send_fds(server, [b" "], [0, 3])
    sys.exit(int(server.recv(4)))
"""
NOTE = {"cell_type": "markdown", "metadata": {}, "source": "An added text."}
SOURCES = ["added = 1", "import os\nadded = os.getpid() // os.getpid()", "import torch\nadded = torch.rand(2)\nprint(added)", "1 / 0"]


def run(arguments, request):
    """Runs Python in a child of this process, in which PyTorch is imported already. Returns its exit code and answer."""
    with tempfile.TemporaryFile() as question, tempfile.TemporaryFile() as answer:
        question.write(request)
        question.seek(0)
        if (process := os.fork()) == 0:
            os.setpgid(0, 0)
            os.dup2(question.fileno(), 0)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(answer.fileno(), 3)
            sys.stdin, sys.argv = open(0, encoding="utf-8"), arguments[arguments.index("-c"):]
            del sys.argv[1]
            try:
                exec(arguments[arguments.index("-c") + 1], sys.modules["__main__"].__dict__)
                os._exit(0)
            finally:
                os._exit(1)
        code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        answer.seek(0)
        return code, answer.read()


def serve(server):
    """Answers calls of Python. The answer to a question is kept, with the files that the run wrote: two runs would show other
    times and addresses."""
    import torch  # noqa: F401, pylint: disable=import-outside-toplevel,unused-import
    kept = {}
    while True:
        client, _ = server.accept()
        with client:
            arguments = json.loads(client.recv(1 << 20, socket.MSG_WAITALL))
            descriptors = socket.recv_fds(client, 1, 2)[1]
            with open(descriptors[0], "rb") as file:
                request = file.read()
            question = json.loads(request)
            files = []
            for twin in question["twins"].values() if "twins" in question else []:
                files += twin.pop("carried").values()
                del twin["folder"]
            key = json.dumps([arguments, question])
            if key not in kept:
                kept[key] = *run(arguments, request), [pathlib.Path(file).read_bytes() for file in files]
            code, answer, texts = kept[key]
            for file, text in zip(files, texts):
                pathlib.Path(file).write_bytes(text)
            with open(descriptors[1], "wb") as file:
                file.write(answer)
            client.sendall(str(code % 256).encode())


def changes_of(cells, source):
    """Yields what each change of a notebook does, and its cells after that."""
    for i, cell in enumerate(cells):
        if cell["cell_type"] == "markdown":
            yield "text changed", [*cells[:i], NOTE | {"source": "A changed text."}, *cells[i + 1:]]
            continue
        raw = cell["source"]
        number = re.sub(r"\d+", lambda digits: str(int(digits[0]) + 1), raw, count=1)
        texts = [f"{raw}\nprint('changed')", f"exec({raw!r}, globals())", "changed = 1", number]
        yield f"@{i + 1} changed", [*cells[:i], cell | {"source": source.choice(texts)}, *cells[i + 1:]]
        added = {"cell_type": "code", "outputs": [], "metadata": {}, "execution_count": None, "source": source.choice(SOURCES)}
        yield f"cell added above @{i + 1}", [*cells[:i], *[NOTE] * source.randrange(2), added, *cells[i:]]
        others = [*cells[:i], *cells[i + 1:]]
        yield f"@{i + 1} removed", others
        to = source.randrange(len(cells))
        yield f"@{i + 1} moved to @{to + 1}", [*others[:to], cell, *others[to:]]


class Sweep:
    """Imports notebooks into folders below one."""

    def __init__(self, torchbook, folder):
        self.torchbook, self.folder, self.differ = torchbook, folder, 0

    def imported(self, into, *options):
        """Imports the notebook. Returns the report."""
        command = [self.torchbook, "import", "sweep.ipynb", "--unproved", "--into", into, "--python", self.folder / "python"]
        done = subprocess.run([*command, *options], cwd=self.folder, capture_output=True, text=True, check=False, timeout=600)
        if done.returncode != 0:
            sys.exit(f"{into}: exit code {done.returncode}\n{done.stderr}")
        return done.stdout

    def texts(self, into):
        return {file.name: file.read_bytes() for file in sorted((self.folder / into).iterdir())}

    def compare(self, what, old, fresh, owned):
        """Updates an import to the notebook of a fresh one. Its owner has changed the C++ of a cell, `owned`, its positions in both."""
        shutil.rmtree(self.folder / "updated", ignore_errors=True)
        shutil.copytree(self.folder / old, self.folder / "updated")
        wanted = self.texts(fresh)
        if owned:
            ports = [(self.folder / each / "sweep.cpp").read_text(encoding="utf-8").split("  nb.cell(") for each in (old, fresh)]
            label, body, notes = re.fullmatch(r"(.*?\n)(.*?)((?:\n  nb\.note\(.*)?)", ports[0][owned[0]], re.S).groups()
            body = body.rstrip() + "\n  // Mine.\n" + "\n" * (not notes)
            ports[0][owned[0]] = label + body + notes
            (self.folder / "updated" / "sweep.cpp").write_text("  nb.cell(".join(ports[0]), encoding="utf-8")
            label, notes = re.fullmatch(r"(.*?\n).*?((?:\n  nb\.note\(.*)?)", ports[1][owned[1]], re.S).groups()
            ports[1][owned[1]] = label + body.rstrip() + "\n" + (notes or "\n")
            wanted["sweep.cpp"] = "  nb.cell(".join(ports[1]).encode()
            wanted["sweep.exceptions"] = exceptions_of_owner(self.texts(old), wanted, owned)
            if not wanted["sweep.exceptions"]:
                del wanted["sweep.exceptions"]
        report = self.imported("updated", "--update")
        found = self.texts("updated")
        if owned:
            if b"nb.carried" in wanted["sweep.cpp"]:  # perhaps of the cell that stays
                wanted.setdefault("sweep.carried", found.get("sweep.carried"))
            for texts in (found, wanted):
                texts["sweep.cpp"] = without_needs(texts["sweep.cpp"])
        for name in sorted(wanted.keys() | found.keys()):
            if wanted.get(name) == found.get(name):
                continue
            self.differ += 1
            lines = [texts.get(name, b"").decode(errors="replace").splitlines(keepends=True) for texts in (wanted, found)]
            diff = difflib.unified_diff(*lines, f"fresh {name}", f"updated {name}", n=2)
            print(f"{what}{f', with C++ of @{owned[1]} by hand' if owned else ''}:\n{''.join(list(diff)[:40])}{report}")

    def check(self, what, before, after, owner):
        """Compares the updates from a notebook to a changed one, and back. `owner` is the cell that its owner writes, or None."""
        shutil.rmtree(self.folder / "fresh", ignore_errors=True)
        write(self.folder / "sweep.ipynb", after)
        self.imported("fresh")
        sources = [[cell["source"] for cell in cells if cell["cell_type"] == "code"] for cells in (before, after)]
        owned = None
        own = sources[0][owner - 1] if owner and owner <= len(sources[0]) else None
        if own and all(each[:-1].count(own) == 1 and each[-1] != own for each in sources):
            owned = [each.index(own) + 1 for each in sources]
        self.compare(what, "original", "fresh", owned)
        write(self.folder / "sweep.ipynb", before)
        self.compare(f"{what}, and back", "fresh", "original", owned and owned[::-1])


def without_needs(port):
    """Returns a port without the lines above its function that its C++ needs: the C++ of its owner may need more."""
    head, function, cells = port.partition(b"\nvoid sweep(")
    return b"\n".join(line for line in head.splitlines() if line.startswith(b"//")) + function + cells


def exceptions_of_owner(old, new, owned):
    """Returns the file of exceptions of a fresh import, in which those of a cell are the old ones."""
    cells = {}
    for texts, position, wanted in (old, owned[0], True), (new, owned[1], False):
        for line in texts.get("sweep.exceptions", b"").splitlines(keepends=True):
            number = int(re.match(rb"@(\d+)|", line)[1] or 0)
            if number and (number == position) == wanted:
                cells[owned[1] if wanted else number] = re.sub(rb"^@\d+", b"@%d" % (owned[1] if wanted else number), line)
    return b"exceptions of sweep\n\n" + b"".join(cells[number] for number in sorted(cells)) if cells else b""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("torchbook")
    parser.add_argument("notebooks", nargs="+", type=pathlib.Path)
    parser.add_argument("--changes", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    source, count = random.Random(options.seed), 0
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as server:
        folder = pathlib.Path(folder)
        server.bind(str(folder / "python.socket"))
        server.listen()
        (folder / "python").write_text(CLIENT, encoding="utf-8")
        (folder / "python").chmod(0o700)
        if (python := os.fork()) == 0:
            serve(server)
        sweep = Sweep(options.torchbook, folder)
        try:
            for notebook in options.notebooks:
                words = notebook.parent / "words.txt"
                (folder / "translated").mkdir(exist_ok=True)
                for place in (folder, folder / "translated"):
                    shutil.copy(words, place)
                cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
                cells.insert(len(cells) // 2, NOTE)
                changes = list(changes_of(cells, source))
                most = -(-options.changes // len(options.notebooks))
                write(folder / "sweep.ipynb", cells)
                shutil.rmtree(folder / "original", ignore_errors=True)
                sweep.imported("original")
                for what, changed in source.sample(changes, min(most, len(changes))) if options.changes else changes:
                    owner = source.choice([None, source.randrange(1, len(cells) - 1)])
                    sweep.check(f"{notebook.stem}: {what}", cells, changed, owner)
                    count += 1
        finally:
            os.kill(python, signal.SIGKILL)
            os.waitpid(python, 0)
    print(f"{count} changes, {2 * count} updates, {sweep.differ} files differ")
    sys.exit(sweep.differ > 0)


if __name__ == "__main__":
    main()
