"""Tests that two builds of pyrepr in different folders make the same package, byte for byte.

Usage: see building.py.
"""
import os
import shutil
import sys
import unittest

import building
from building import ARGUMENTS, CMAKE, ROOT, succeed

# CPack takes the time of its files and of the package from it.
os.environ["SOURCE_DATE_EPOCH"] = "1700000000"


class Reproducible(unittest.TestCase):
    def packed(self, folder):
        """Builds a copy of the tree without the compiler cache, and returns the bytes of its package."""
        shutil.copytree(ROOT / "cmake", folder / "tree/cmake")
        for name in ("CMakeLists.txt", "LICENSE", "NOTICE"):
            shutil.copy(ROOT / name, folder / "tree")
        shutil.copytree(ROOT / "src/torchbook", folder / "tree/src/torchbook")
        succeed(CMAKE, "-S", folder / "tree", "-B", folder / "build", *ARGUMENTS, "-DTORCHBOOK_PYREPR_ONLY=ON",
                "-DTORCHBOOK_BUILD_TESTS=OFF", "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=0",
                env={**os.environ, "CMAKE_CXX_COMPILER_LAUNCHER": "", "CCACHE_DISABLE": "1"})
        succeed(CMAKE, "--build", folder / "build", "--parallel", "2", env={**os.environ, "CCACHE_DISABLE": "1"})
        return building.debian_packages(folder / "build", folder / "deb")["libtorchbook-dev"].read_bytes()

    @unittest.skipUnless(shutil.which("dpkg-deb"), "no dpkg-deb here")
    def test_two_folders_make_the_same_package(self):
        with building.work_folder() as work:
            one = self.packed(work / "one")
            other = self.packed(work / "another/and/deeper")
            self.assertTrue(one == other, f"packages of {len(one)} and {len(other)} bytes differ")


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
