#!/usr/bin/python3
"""Imports a notebook with its proof. A cell with a comment `# not ported: WHY` is not ported, because of this; every other
cell is.

Usage: proved_test.py TORCHBOOK NOTEBOOK
"""
import re
import subprocess
import sys
import tempfile

from run_notebook import sources_of


def main():
    """Compares the reasons of all cells."""
    torchbook, notebook = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        report = subprocess.run([torchbook, "import", notebook, "--into", folder, "--python", sys.executable],
                                capture_output=True, text=True, check=True, timeout=600).stdout
    reasons = {}
    for place, why in re.findall(r"^  @(\d+) In \[\d+\](?:, line \d+)?: (.*)$", report, re.M):
        reasons.setdefault(int(place), why)
    failures = 0
    for place, source in enumerate(sources_of(notebook), 1):
        wanted = re.search("^# not ported: (.*)$", source, re.M)
        why = reasons.get(place)
        if (why is None) != (wanted is None) or (wanted and wanted[1] not in why):
            failures += 1
            print(f"@{place}: {why or 'ported'}\n{source}\n")
    if failures or "translated" not in report:
        sys.exit(f"{failures} cells differ\n{report}")


main()
