"""What the tests of traces share: they run PROGRAM, which records in C++, and Python with LIBRARY."""
import os
import pathlib
import subprocess
import sys
import tempfile

import reader

ROOT = pathlib.Path(__file__).resolve().parents[4]
MODULE = ROOT / "src/tools/part/trace"
PROGRAM, LIBRARY = sys.argv[1:3]
FOLDER = tempfile.TemporaryDirectory()
sys.path.insert(0, str(MODULE))
os.environ["TORCHBOOK_TRACE_LIBRARY"] = LIBRARY


def path(name):
    return os.path.join(FOLDER.name, name)


def run(case, file, **options):
    """Runs a case of the C++ program. Returns the ended process."""
    return subprocess.run([PROGRAM, case, file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def read_file(file):
    """Returns the records of a file, and its values."""
    return reader.read(pathlib.Path(file).read_bytes())


def in_cpp(case, **options):
    """Returns the records of a case of the C++ program, and their values."""
    file = path(f"{case}.cpp.trace")
    done = run(case, file, **options)
    assert done.returncode == 0, done.stderr
    return read_file(file)


def operations(records):
    """Returns the operations, each with its inputs, its outputs, how deep it is nested, when it ended, and where the
    generator stood before and after all that it drew, itself or by operations that it called."""
    found, open_ones = [], []
    for record in records:
        if record["kind"] == "begin":
            found.append({**record, "depth": len(open_ones), "outputs": None, "drew": None})
            open_ones.append(found[-1])
        elif record["kind"] == "end":
            ended = open_ones.pop()
            ended["outputs"], ended["generator_after"] = record["values"], record["generator"]
            for one in [ended, *open_ones] if record["generator"] else []:
                one["drew"] = (one["drew"][0] if one["drew"] else ended["generator"], record["generator"])
            ended["end"] = sum(one["outputs"] is not None for one in found)
    assert not open_ones
    return found


def names(records):
    return [one["operation"] for one in operations(records)]


def named(records, operation):
    """Returns the only operation of that name."""
    (one,) = [one for one in operations(records) if one["operation"] == operation]
    return one
