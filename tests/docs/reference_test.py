"""Makes the reference of pyrepr and checks what is in it.

Usage: reference_test.py CMAKE BUILD DOXYGEN
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CMAKE, BUILD, DOXYGEN = sys.argv[1:]


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)


def complaints(planted):
    """Returns what Doxygen says of the reference with another header, or nothing if it takes it."""
    with tempfile.TemporaryDirectory(prefix="torchbook-reference-") as folder:
        header = pathlib.Path(folder) / "planted.h"
        header.write_text(f"namespace torchbook::pyrepr::inline v1 {{\n{planted}\n}}\n")
        settings = (pathlib.Path(BUILD) / "Doxyfile.reference").read_text()
        done = run(DOXYGEN, "-", input=f"{settings}\nINPUT += {header}\nOUTPUT_DIRECTORY = {folder}\n")
        return done.stdout if done.returncode != 0 else ""


class Reference(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made = run(CMAKE, "--build", BUILD, "--target", "reference")
        if made.returncode != 0:
            raise AssertionError(made.stdout)
        html = pathlib.Path(BUILD) / "reference/html"
        cls.pages = {path.name: path.read_text() for path in html.glob("*.html")}

    def test_the_names_are_there(self):
        names = self.pages["namespacetorchbook_1_1pyrepr.html"]
        for name in ("repr", "print", "ScopedPrintOptions", "pytorch_release", "ExtraRepr", "Printer&lt; at::Tensor"):
            self.assertIn(name, names)

    def test_nothing_internal_is_there(self):
        for name, page in self.pages.items():
            for word in ("detail::", "SpecFormatter", "inline v1", "FloatFormat", "OrderedDict.html"):
                self.assertFalse(word in page, f"{word} in {name}")

    def test_an_undocumented_name_is_an_error(self):
        self.assertEqual(complaints("/// Returns one.\nint documented();"), "")
        self.assertIn("bare", complaints("int bare();\n/// Has a member.\nstruct Holder { int bare; };"))


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
