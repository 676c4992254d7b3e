"""Asks `torchbook part` where two traces part."""
import json
import subprocess


def report(test, program, here, there):
    """Returns the report for programs. The test fails if the exit code is not that of the report."""
    run = subprocess.run([program, "part", here, there, "--format", "json"], capture_output=True, text=True)
    test.assertEqual(run.stderr, "")
    found = json.loads(run.stdout)
    test.assertEqual(run.returncode, 1 if found["differences"] else 0)
    return found
