"""Tests that two builds of pyrepr in different folders make the same files, byte for byte.

Usage: see building.py.
"""
import os
import shutil
import sys
import unittest

import building
from building import ARGUMENTS, CMAKE, ROOT, succeed


class Reproducible(unittest.TestCase):
    def installed(self, folder):
        """Builds a copy of the tree without the compiler cache, and returns the bytes of each file that it installs."""
        shutil.copytree(ROOT / "cmake", folder / "tree/cmake")
        for name in ("CMakeLists.txt", "LICENSE", "NOTICE"):
            shutil.copy(ROOT / name, folder / "tree")
        shutil.copytree(ROOT / "src/torchbook", folder / "tree/src/torchbook")
        succeed(CMAKE, "-S", folder / "tree", "-B", folder / "build", *ARGUMENTS, "-DTORCHBOOK_PYREPR_ONLY=ON",
                "-DTORCHBOOK_BUILD_TESTS=OFF", "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=0",
                env={**os.environ, "CMAKE_CXX_COMPILER_LAUNCHER": "", "CCACHE_DISABLE": "1"})
        succeed(CMAKE, "--build", folder / "build", "--parallel", "2", env={**os.environ, "CCACHE_DISABLE": "1"})
        succeed(CMAKE, "--install", folder / "build", "--prefix", folder / "prefix")
        return {name: (folder / "prefix" / name).read_bytes() for name in building.files_below(folder / "prefix")}

    def test_two_folders_make_the_same_files(self):
        with building.work_folder() as work:
            one = self.installed(work / "one")
            other = self.installed(work / "another/and/deeper")
            self.assertEqual(sorted(one), sorted(other))
            self.assertEqual([name for name in one if one[name] != other[name]], [])
            self.assertGreater(len(one), 20)


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
