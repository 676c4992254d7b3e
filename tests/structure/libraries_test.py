"""Checks that no two static libraries need each other. A linker that reads them one after another would not find what the
first one needs, but does as long as each is compiled as one file.

Usage: libraries_test.py BUILD
"""
import graphlib
import pathlib
import subprocess
import sys


def symbols(archive, *options):
    told = subprocess.run(["nm", "--extern-only", "--format=posix", *options, archive], check=True, stdout=subprocess.PIPE, text=True)
    lines = (line.split() for line in told.stdout.splitlines())
    # W and V are inline functions and the like, which each library has for itself.
    return {words[0] for words in lines if len(words) > 1 and words[1] not in "WVwv"}


def needs(archives):
    """Returns for each library those that define what it does not."""
    defined = {archive: symbols(archive, "--defined-only") for archive in archives}
    undefined = {archive: symbols(archive, "--undefined-only") - defined[archive] for archive in archives}
    return {one: {other for other in archives if undefined[one] & defined[other]} for one in archives}


def main():
    libraries = needs(sorted(pathlib.Path(sys.argv[1], "src").rglob("lib*.a")))
    assert sum(map(len, libraries.values())) > 15, "the libraries of a build need each other in more ways than this"
    try:
        graphlib.TopologicalSorter(libraries).prepare()
    except graphlib.CycleError as error:
        sys.exit("these libraries need each other: " + ", ".join(path.name for path in error.args[1]))


if __name__ == "__main__":
    main()
