"""Compiles each of the three headers that users include alone, and a program that uses them, with all warnings as errors, with
every g++ and clang++ that is installed.

Usage: headers_test.py COMPILER FOLDERS: the compiler of the build, and the folders of headers, separated by ';'. It prints which
compilers read which headers, because another compiler than that of the build may be unable to read LibTorch's.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD_COMPILER = sys.argv[1]
FOLDERS = sorted({os.path.normpath(folder) for folder in sys.argv[2].split(";") if folder})
HEADERS = [ROOT / f"src/torchbook/pyrepr/{name}.h" for name in ("pyrepr", "ivalue", "module")]  # these include the others
# A warning may also lie in a template that is used.
USES = """
#include <torchbook/pyrepr/pyrepr.h>

#include <iostream>

namespace py = torchbook::pyrepr;

void use(const at::Tensor& t, c10::complex<float> z) {
  const std::map<std::string, std::vector<std::optional<at::Tensor>>> tensors{{"a", {t, std::nullopt}}};
  const std::unordered_set<int> ints{1, 2};
  const std::variant<bool, short, unsigned long> number{true};
  const std::pair<std::array<float, 2>, std::complex<double>> pair{{1, 2}, {3, 4}};
  py::print(py::f("{:>{}} {!r} {}", t, 8, tensors, z), ints, number, pair, 'c', t.sizes(), t.dtype(), t.device(),
            py::tuple(t.strides()), py::sep(", "), py::end(""), py::file(std::cerr));
  std::cout << py::python(tensors) << fmt::format("{:.3f} {} {}", t, py::python(pair), py::shape(t));
  std::cout << py::repr(t, {.precision = 2}) << py::format(std::make_tuple(t, "b", nullptr), "");
}
"""
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
OLDEST = {"g++": 12, "clang++": 14}  # older ones do not know enough of C++20
INCLUDE = re.compile(r"^#include <(.+)>$", re.MULTILINE)


def installed_compilers():
    """Returns the other compilers on PATH by their names, each once."""
    found = {}
    for folder in os.get_exec_path():
        for path in sorted(pathlib.Path(folder).glob("*++*")):
            named = re.fullmatch(r"(g\+\+|clang\+\+)(?:-(\d+))?", path.name)
            if named and int(named[2] or 99) >= OLDEST[named[1]]:
                found.setdefault(path.resolve(), path.name)
    found.pop(pathlib.Path(BUILD_COMPILER).resolve(), None)
    return sorted(found.values())


def complaints(compiler, source, *options):
    """Returns what a compiler says of a source text, or nothing if it takes it."""
    folders = [word for folder in FOLDERS if folder != "/usr/include"
               for word in ("-I" if pathlib.Path(folder).is_relative_to(ROOT) else "-isystem", folder)]
    done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", *options, *WARNINGS, *folders, "-x", "c++", "-"],
                          input=source, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode != 0 else ""


def foreign_includes(path):
    """Returns the headers of other projects that a file includes, also through pyrepr's headers."""
    foreign = set()
    for name in INCLUDE.findall(path.read_text()):
        foreign |= foreign_includes(ROOT / "src" / name) if name.startswith("torchbook/") else {name}
    return foreign


def judge(compiler, path):
    """Returns why a compiler rejects a file, or nothing; and whether the reason lies in headers of other projects."""
    said = complaints(compiler, f'#include "{path}"\n')
    others = "".join(f"#include <{name}>\n" for name in sorted(foreign_includes(path)))
    return said, bool(said) and compiler != BUILD_COMPILER and bool(complaints(compiler, others))


class Headers(unittest.TestCase):
    def test_every_compiler_takes_every_header_alone(self):
        compilers = [BUILD_COMPILER, *installed_compilers()]
        pairs = [(compiler, path) for compiler in compilers for path in HEADERS]
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            judgements = dict(zip(pairs, pool.map(lambda pair: judge(*pair), pairs)))
        for compiler in compilers:
            unread = [path.name for path in HEADERS if judgements[compiler, path][1]]
            print(f"{compiler} reads", f"all but {', '.join(unread)}" if unread else "all headers")
            self.assertLess(len(unread), len(HEADERS), "no header was tested")
        for (compiler, path), (said, foreign) in judgements.items():
            if not foreign:
                with self.subTest(compiler=compiler, header=path.name):
                    self.assertEqual(said, "")

    def test_every_compiler_takes_a_program_that_uses_them(self):
        for compiler in (BUILD_COMPILER, *installed_compilers()):
            for options in ([], ["-fsanitize=address,undefined"]):  # these make fewer expressions constant for g++
                with self.subTest(compiler=compiler, options=options):
                    self.assertEqual(complaints(compiler, USES, *options), "")

    def test_a_warning_would_be_seen(self):
        self.assertIn("conversion", complaints(BUILD_COMPILER, "inline int cut(long value) { return value; }\n"))


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
