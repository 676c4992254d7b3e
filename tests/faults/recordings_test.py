"""Tests what `torchbook compare` records and reads back, and how it reports broken and missing recordings.

Usage: recordings_test.py BIN: the folder of the programs. The Python that runs the test must have PyTorch.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from comparing import PROGRAM, ROOT, TWINS, compare, complaints, planted, programs
import kernels


def released_as(recording):
    """Returns the LibTorch release of a recording, or of the program if there is no recording: `1.13.0`."""
    if recording is None:
        done = subprocess.run([PROGRAM, "doctor", "--format", "json"], capture_output=True, text=True, check=False)
        recording = json.loads(done.stdout)
    return re.search(r"\d+\.\d+\.\d+", recording["fingerprint"]["torch"])[0]


class Recordings(unittest.TestCase):
    """The built-in ones come from one release of PyTorch. Others may differ in last bits, but not in texts."""

    EQUAL_AS_PRINTED = rf"{programs.counts()[2]} outputs: \d+ equal(, \d+ equal as printed)?\n$"

    @classmethod
    def setUpClass(cls):
        cls.kept = {slug: json.loads((ROOT / f"notebooks_ported/{slug}.json").read_text()) for slug in TWINS}
        cls.same_release = {released_as(recording) for recording in cls.kept.values()} == {released_as(None)}

    @kernels.needs_avx2
    def test_of_a_live_pytorch_are_those_built_in(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = str(pathlib.Path(folder, "a", "new", "one"))
            done = compare("--record", folder, **kernels.OF_RECORDINGS)
            self.assertEqual(done.returncode, 0, done.stderr)
            for slug in TWINS:
                live = json.loads(pathlib.Path(folder, f"{slug}.json").read_text())
                if self.same_release:
                    self.assertEqual(live["fingerprint"]["blas"], self.kept[slug]["fingerprint"]["blas"])
                    self.assertEqual(live["cells"], self.kept[slug]["cells"])
                for here, there in zip(live["cells"], self.kept[slug]["cells"], strict=True):
                    self.assertEqual(*({**cell, "tensors": None} for cell in (here, there)))
            again = compare("--reference", folder, **kernels.OF_RECORDINGS)
        self.assertEqual(again.returncode, 0, again.stderr)

    @kernels.needs_avx2
    def test_built_in_are_what_the_ports_compute(self):
        done = compare("--reference", "built-in", **kernels.OF_RECORDINGS)
        if self.same_release:
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(done.stdout.endswith(programs.summary_of_equal()), done.stdout)
        else:
            self.assertRegex(done.stdout, self.EQUAL_AS_PRINTED)

    def test_name_kernels_as_the_ports_do(self):
        for isa, capability in zip(("SSE41", "AVX"), kernels.capabilities()):
            done = compare("attention_as_alignment", "--format", "json", ONEDNN_MAX_CPU_ISA=isa, ATEN_CPU_CAPABILITY=capability)
            report = json.loads(done.stdout)
            for side in (report["fingerprint"], report["notebooks"][0]["compared_with"]):
                self.assertEqual((side["onednn"], side["cpu_capability"]), (isa, capability.upper()))

    def test_tell_the_kernels_that_gave_them(self):
        for recording in self.kept.values():
            self.assertIn(" Haswell ", recording["fingerprint"]["blas"])
            self.assertEqual(recording["fingerprint"]["cpu_capability"], "AVX2")

    def test_count_in_check(self):
        for slug, recording in self.kept.items():
            self.assertEqual(recording.get("depends_on"), ["torch", "build", "cpu_capability", "blas"], slug)

    def test_agree_with_other_kernels_as_printed(self):
        """The kernels of the oldest processor, which run on any other, add in a different order."""
        done = compare("--reference", "built-in", "--accept", "printed", OPENBLAS_CORETYPE="Prescott")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(" Haswell ", done.stdout)
        self.assertIn(" Prescott ", done.stdout)
        self.assertRegex(done.stdout, self.EQUAL_AS_PRINTED)

    def test_torn_or_missing_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "mathematical_trick.json")
            missing = compare("mathematical_trick", "--reference", folder)
            path.write_text((ROOT / "notebooks_ported/mathematical_trick.json").read_text()[:2000])
            torn = compare("mathematical_trick", "--reference", folder)
        for done in (missing, torn):
            self.assertEqual(done.returncode, 2)
            self.assertIn("mathematical_trick", done.stderr)
            self.assertEqual(len(complaints(done)), 1)

    def test_that_cannot_be_written_are_an_error(self):
        done = compare("--record", "/proc/no/folder", python="/no/such/python")  # the error comes before
                                                                                 # anything is started
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot make the folder /proc/no/folder: ", done.stderr)


class FaultsInTwins(unittest.TestCase):
    FAULTS = {  # by slug: what is replaced, what replaces it, and the verdict of a cell then
        "attention_by_hand": ("manual_seed(123)", "manual_seed(124)", "different"),
        "keys_queries_values": ("0.21", "0.22", "different"),
        "self_attention_in_three_steps": ("\ncontext_vectors\n", "\ntorch.nextafter(context_vectors, torch.ones(()))\n",
                                          "equal-as-printed"),
        "attention_as_alignment": ("\nattn_score\n", "\n1 / 0\n", "threw"),
        "mathematical_trick": ("print(", "print()\nprint(", "equal-as-printed"),
    }

    def test_are_found(self):
        done = planted({slug: [(old, new)] for slug, (old, new, _) in self.FAULTS.items()}, "--once", "--format", "json")
        self.assertEqual(done.returncode, 3, done.stderr)
        for notebook in json.loads(done.stdout)["notebooks"]:
            self.assertIn(self.FAULTS[notebook["notebook"]][2], {cell["verdict"] for cell in notebook["cells"]})

    def test_a_python_that_waits_is_announced(self):
        with tempfile.TemporaryDirectory() as folder:
            python, told = pathlib.Path(folder, "python"), pathlib.Path(folder, "told")
            python.write_text(f"#!/bin/sh\nwhile [ ! -e {told} ]; do sleep 0.1; done; exit 1\n")
            python.chmod(0o755)
            with subprocess.Popen([PROGRAM, "compare", "--python", python], stderr=subprocess.PIPE, text=True) as running:
                line = running.stderr.readline()
                told.touch()
            self.assertRegex(line, rf"^torchbook: \d+ s, waiting for {python} to run the twins\n$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
