"""Packs pyrepr for Conan 2. The LibTorch is that of `user.torchbook:torch_dir`, see ../README.md."""
import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class Pyrepr(ConanFile):
    name = "torchbook-pyrepr"
    description = "Prints LibTorch's tensors and values in C++ byte for byte as PyTorch does"
    license = "MIT"
    topics = ("libtorch", "pytorch", "formatting")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]

    @property
    def tree(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self.tree, "src", "torchbook", "pyrepr", "version.h"))
        numbers = [line.split()[2] for line in header.splitlines()
                   if line.startswith("#define TORCHBOOK_PYREPR_VERSION_") and len(line.split()) == 3]
        self.version = ".".join(numbers[:3])

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "NOTICE", "cmake/*", "src/torchbook/*"):
            copy(self, pattern, self.tree, self.export_sources_folder)

    def requirements(self):
        self.requires("fmt/[>=9 <13]", transitive_headers=True, transitive_libs=True)

    def validate(self):
        check_min_cppstd(self, 20)
        if not self.conf.get("user.torchbook:torch_dir"):
            raise ConanInvalidConfiguration("-c user.torchbook:torch_dir=DIR says where TorchConfig.cmake is")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["TORCHBOOK_PYREPR_ONLY"] = True
        toolchain.cache_variables["TORCHBOOK_BUILD_TESTS"] = False
        toolchain.cache_variables["Torch_DIR"] = self.conf.get("user.torchbook:torch_dir")
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        # The files of CMake that are installed find LibTorch and fmt; Conan's would not know LibTorch.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "torchbook")]
