"""Reads the reports of --junit with an XML parser, and checks them against the schema that CI servers share.

Usage: junit_test.py BIN: the folder of the programs.
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import programs

BIN = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]

# The relevant part of Jenkins' junit-10.xsd: for each element its attributes (the required ones first) and children.
SCHEMA = {
    "testsuites": ((), ("name", "tests", "failures", "errors", "skipped"), ("testsuite",)),
    "testsuite": (("name",), ("tests", "failures", "errors", "skipped"), ("properties", "testcase")),
    "properties": ((), (), ("property",)),
    "property": (("name", "value"), (), ()),
    "testcase": (("name",), ("classname",), ("skipped", "error", "failure", "system-out")),
    "system-out": ((), (), ()),
    "failure": ((), ("type", "message"), ()),
    "error": ((), ("type", "message"), ()),
    "skipped": ((), ("type", "message"), ()),
}


def report_of(command, folder, golden=None):
    """Runs a program with --junit. Returns the exit code and the report's root."""
    report = pathlib.Path(folder) / "report.xml"
    words = [str(BIN / command[0]), *command[1:], "--junit", str(report)]
    if golden is not None:
        path = pathlib.Path(folder) / "golden.txt"
        path.write_bytes(golden)
        words += ["--golden", str(path)]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, ElementTree.parse(report).getroot()


def golden_of(slug):
    return (ROOT / f"notebooks_ported/{slug}.golden").read_bytes()


class Junit(unittest.TestCase):
    def report_of(self, *command, golden=None):
        with tempfile.TemporaryDirectory(prefix="torchbook-junit-") as folder:
            code, root = report_of(command, folder, golden)
        self.assertEqual(root.tag, "testsuites")
        self.check_schema(root)
        self.check_counts(root)
        return code, root

    def check_schema(self, element):
        required, optional, children = SCHEMA[element.tag]
        self.assertLessEqual(set(required), set(element.attrib), element.tag)
        self.assertLessEqual(set(element.attrib), set(required) | set(optional), element.tag)
        for child in element:
            self.assertIn(child.tag, children, element.tag)
            self.check_schema(child)

    def check_counts(self, root):
        for suites in [root, *root.findall("testsuite")]:
            for attribute, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"),
                                   ("skipped", "skipped")):
                self.assertEqual(int(suites.get(attribute)), len(list(suites.iter(tag))), (suites.attrib, tag))

    def test_everything_passes(self):
        code, root = self.report_of("torchbook", "check")
        self.assertEqual(code, 0)
        notebooks, cells, _ = programs.counts()
        self.assertEqual(len(root.findall("testsuite")), notebooks)
        self.assertEqual(root.attrib, {"name": "torchbook", "tests": str(cells), "failures": "0", "errors": "0",
                                       "skipped": "0"})
        cells = [case.get("name") for case in root.iter("testcase")
                 if case.get("classname") == "torchbook.mathematical_trick"]
        self.assertEqual(len(cells), 14)
        self.assertEqual(cells[10], "@11 In [49]")
        for suite in root.findall("testsuite"):
            names = [entry.get("name") for entry in suite.find("properties")]
            self.assertEqual(names, ["document", "torch", "build", "cpu_capability", "onednn", "blas", "threads",
                                     "compiler", "library"])

    def test_every_byte_is_valid_xml(self):
        """In this order, no bytes form a character of UTF-8 outside of ASCII."""
        every = [byte for byte in range(1, 256) if byte != ord("\n")]  # a golden consists of lines
        pictures = {127: "\u2421"} | {byte: chr(0x2400 + byte) for byte in range(32)}
        shown = "".join(pictures.get(byte, chr(byte)) if byte < 128 else f"<0x{byte:02X}>" for byte in every)
        golden = golden_of("mathematical_trick").replace(b"below c metrix", b"be" + bytes(every) + b"low ]]> <c> &")
        code, root = self.report_of("mathematical_trick", "--cell", "45", golden=golden)
        self.assertEqual(code, 1)
        failure, = root.iter("failure")
        self.assertIn(f"    golden  be{shown}low ]]> <c> & is a cumulative avg", failure.text)


if __name__ == "__main__":
    sys.exit(unittest.main())
