#!/usr/bin/python3
"""Configures torchbook with LibTorch in other places than CMake finds it, and with one of another ABI.

Usage: chosen_torch_test.py SOURCE TORCH_DIR
"""
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import unittest


class ChosenTorch(unittest.TestCase):
    source = torch_dir = None

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()

    def configured(self, *options, **environment):
        """Configures torchbook. Returns CMake's exit code and what it said, in one line."""
        command = ["cmake", "-S", self.source, "-B", self.folder / "build", "-G", "Ninja", "-DTORCHBOOK_BUILD_TESTS=OFF",
                   *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})
        return done.returncode, " ".join(done.stderr.split())

    def package(self, lines=""):
        """Writes a package in a folder of its own that is the installed LibTorch but for some lines."""
        for name, more in (("TorchConfig.cmake", lines), ("TorchConfigVersion.cmake", "")):
            (self.folder / name).write_text(f'include("{self.torch_dir}/{name}")\n{more}\n')
        return f"-DTorch_DIR={self.folder}"

    def test_a_prefix_without_libtorch_is_an_error(self):
        code, said = self.configured(CMAKE_PREFIX_PATH="/opt/libtorch-typo")
        self.assertEqual(code, 1)
        self.assertIn(f"LibTorch was found in {self.torch_dir}, but Torch_DIR or CMAKE_PREFIX_PATH asks for "
                      "/opt/libtorch-typo.", said)

    def test_a_torch_dir_without_libtorch_is_an_error(self):
        code, said = self.configured(f"-DTorch_DIR={self.folder}/typo")
        self.assertEqual(code, 1)
        self.assertIn(f"LibTorch was found in {self.torch_dir}, but Torch_DIR or CMAKE_PREFIX_PATH asks for "
                      f"{self.folder}/typo.", said)

    def test_the_libtorch_that_is_asked_for_is_taken(self):
        code, said = self.configured(self.package())
        self.assertEqual(code, 0, said)

    def test_another_abi_than_that_of_fmt_is_an_error(self):
        code, said = self.configured(self.package('set(TORCH_CXX_FLAGS "-D_GLIBCXX_USE_CXX11_ABI=0")'))
        self.assertEqual(code, 1)
        self.assertIn(f"The LibTorch in {self.folder} was built with _GLIBCXX_USE_CXX11_ABI=0, and fmt in ", said)

    def test_another_processor_is_an_error(self):
        machine = b"\x3e\0" if platform.machine() == "aarch64" else b"\xb7\0"
        library = self.folder / "libtorch.so"
        library.write_bytes(b"\x7fELF\2\1\1".ljust(16, b"\0") + b"\3\0" + machine)
        code, said = self.configured(self.package(f'set(TORCH_LIBRARY "{library}")'))
        self.assertEqual(code, 1)
        self.assertIn(f"The LibTorch in {self.folder} is not for {platform.machine()}, for which is compiled here", said)

    def test_an_older_release_is_an_error(self):
        option = self.package()
        (self.folder / "TorchConfigVersion.cmake").write_text(
            "set(PACKAGE_VERSION 1.12.1)\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n")
        code, said = self.configured(option)
        self.assertEqual(code, 1)
        self.assertIn(f"The LibTorch in {self.folder} is 1.12.1; torchbook needs 1.13 or newer.", said)

    def test_headers_of_another_fmt_in_libtorch_are_compiled_in(self):
        code, said = self.configured(self.package())
        self.assertEqual(code, 0, said)
        build = (self.folder / "build/build.ninja").read_text()
        self.assertNotIn("FMT_HEADER_ONLY", build)
        include = self.folder / "include"
        (include / "fmt").mkdir(parents=True)
        (include / "fmt/format.h").write_text("")
        code, said = self.configured(self.package(f'list(PREPEND TORCH_INCLUDE_DIRS "{include}")'))
        self.assertEqual(code, 0, said)
        build = (self.folder / "build/build.ninja").read_text()
        self.assertIn("FMT_HEADER_ONLY", build)


if __name__ == "__main__":
    ChosenTorch.torch_dir = pathlib.Path(sys.argv.pop()).resolve()
    ChosenTorch.source = sys.argv.pop()
    unittest.main()
