"""Checks rules that no compiler checks: includes never go up, a notebook needs one line of CMake, the
README is short, docs/building.md has CMake's options."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# From the lowest to the highest.
LAYERS = ["pyrepr", "training", "notebook", "golden", "report", "cli"]
# The tools, and those that they may include.
TOOLS = {"part": [], "import": [], "seed": ["import"], "site": ["part"]}
# The name and the description of a cache variable; a description is a text that ends in a full stop.
CMAKE_OPTION = re.compile(
    r'^ *(?:option|cmake_dependent_option|set|find_program)\((TORCHBOOK_\w+)\s[^()]*?"([^"$]+\.)"', re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]torchbook/(\w+)/', re.MULTILINE)


def sources(*patterns):
    return sorted(path for pattern in patterns for path in ROOT.glob(pattern))


def rising_includes(layer, text):
    """Returns the layers above `layer` that one of its sources includes."""
    return [other for other in INCLUDE.findall(text) if LAYERS.index(other) > LAYERS.index(layer)]


def tools_in(text):
    """Returns the tools of which a source includes files."""
    public = {"runtime": "import", "trace": "part"}
    found = re.findall(r'^\s*#\s*include\s+[<"](tools/\w+|torchbook/(?:runtime|trace))/', text, re.MULTILINE)
    return [public.get(name.partition("/")[2], name.partition("/")[2]) for name in found]


def folders_of_reports(text):
    """Returns the folders of report/ from which a source includes files."""
    return re.findall(r'^\s*#\s*include\s+[<"]torchbook/report/(\w+)/', text, re.MULTILINE)


def declared_in(header):
    """Returns the names of the functions that a header of the translator declares and does not define."""
    text = re.sub(r"//[^\n]*", "", header.read_text())
    text = re.sub(r"(?m)^(?:class|struct|enum) .*?^};", "", text, flags=re.DOTALL)
    return set(re.findall(r"(?m)^(?:\[\[noreturn\]\] )?[A-Za-z][\w:<>,*& ]*?[ &*](\w+)\((?:[^;{}]|\{\})*\);", text))


class Structure(unittest.TestCase):
    def test_an_include_never_goes_up(self):
        checked = 0
        for layer in LAYERS:
            for path in sources(f"src/torchbook/{layer}/**/*.h", f"src/torchbook/{layer}/**/*.cpp"):
                self.assertEqual(rising_includes(layer, path.read_text()), [], path)
                checked += 1
        self.assertGreater(checked, 20)

    def test_the_translators_builder_stays_small(self):
        text = (ROOT / "src/tools/import/translate/core/builder.h").read_text()
        builder = re.search(r"(?ms)^class Builder \{(.*?)^\};", text)[1]
        builder = re.sub(r"//[^\n]*", "", re.sub(r"(?ms)^  cpp::Stmts captured\(.*?^  \}\n", "", builder))
        functions = re.findall(r"(?m)^  [^ \n].*?\((?!\))[^;{]*\)|^  [^ \n].*\(\)", builder)
        fields = re.findall(r"(?m)^  (?!return|using)[\w:<>&*, ]+[ &*]\w+(?:\{\}| = [^;()]*)?;", builder)
        self.assertTrue(20 < len(functions) <= 40, functions)
        self.assertTrue(5 < len(fields) <= 12, fields)

    def test_the_translator_compares_no_text_of_an_expression(self):
        folder = ROOT / "src/tools/import/translate"
        found = [f"{path.name}: {line.strip()}" for path in sorted(folder.rglob("*.cpp")) if path.parent.name != "cpp"
                 for line in path.read_text().splitlines() if re.search(r'\.is\(cpp::Kind::\w+, *"|text\(\) *[!=]= *"', line)]
        self.assertEqual(found, [], "a form that is looked for stands in cpp/forms.h")

    def test_a_header_of_the_translator_declares_what_several_files_use(self):
        words = {path: set(re.findall(r"\w+", path.read_text())) for path in sources(
            "src/tools/import/translate/**/*.cpp", "src/tools/import/**/*.h", "src/tools/import/command/*.cpp",
            "tests/tools/import/**/*.cpp")}
        for header in sources("src/tools/import/translate/*/*.h"):
            own = (header, header.with_suffix(".cpp"))
            for name in declared_in(header):
                users = [path for path, used in words.items() if path not in own and name in used]
                self.assertTrue(users, f"{header} declares {name}, which no other file uses")

    def test_the_core_includes_and_links_no_tool(self):
        core = sources("src/torchbook/**/*.h", "src/torchbook/**/*.cpp", "notebooks_ported/*.cpp")
        self.assertGreater(len(core), 100)
        for path in core:
            self.assertEqual(tools_in(path.read_text()), [], path)
        for path in sources("src/torchbook/CMakeLists.txt", "notebooks_ported/CMakeLists.txt"):
            self.assertNotRegex(path.read_text(), r"tools/|torchbook::(trace|part|site|runtime|importing|translate|seeds|rng)\b", path)

    def test_a_tool_includes_only_the_tools_below_it(self):
        self.assertEqual(sorted(TOOLS), sorted(path.parent.name for path in sources("src/tools/*/CMakeLists.txt")))
        for tool, below in TOOLS.items():
            own = sources(f"src/tools/{tool}/**/*.h", f"src/tools/{tool}/**/*.cpp")
            self.assertGreater(len(own), 5)
            for path in own:
                self.assertLessEqual(set(tools_in(path.read_text())), {tool, *below}, path)

    def test_a_wrong_include_would_be_seen(self):
        text = "#include <tools/part/flow.h>\n#include <torchbook/runtime/modules.h>\n#include <torchbook/trace/trace.h>\n"
        self.assertEqual(tools_in(text), ["part", "import", "part"])
        self.assertEqual(rising_includes("golden", "#include <torchbook/report/json.h>\n"), ["report"])
        self.assertEqual(folders_of_reports("#include <torchbook/report/terminal/text.h>\n"), ["terminal"])

    def test_shared_files_of_the_reports_include_none_of_a_folder(self):
        shared = sources("src/torchbook/report/*.h", "src/torchbook/report/*.cpp")
        self.assertGreater(len(shared), 5)
        for path in shared:
            self.assertEqual(folders_of_reports(path.read_text()), [], path)

    def test_the_command_line_has_layers_too(self):
        folders = ["system", "shared", "commands", "main"]  # from the lowest to the highest
        for rank, folder in enumerate(folders):
            for path in sources(f"src/torchbook/cli/{folder}/**/*.h", f"src/torchbook/cli/{folder}/**/*.cpp"):
                included = re.findall(r"^#include <torchbook/cli/(\w+)/", path.read_text(), re.MULTILINE)
                self.assertEqual([name for name in included if folders.index(name) > rank], [], path)

    def test_pages_include_one_file_of_each_folder(self):
        readers = {"origin": "pictures.h", "computing": "page_program.h", "questions": "questions.h"}
        users = [path for path in sources("src/**/*.h", "src/**/*.cpp") if path.parent.name not in readers]
        for folder, entry in readers.items():
            included = [re.findall(rf"<tools/site/{folder}/([^>]+)>", path.read_text()) for path in users]
            self.assertEqual({name for names in included for name in names}, {entry})

    def test_every_layer_is_known(self):
        folders = [path.name for path in (ROOT / "src/torchbook").iterdir() if path.is_dir()]
        self.assertEqual(sorted(folders), sorted(LAYERS))

    def test_the_documentation_has_every_header_that_a_port_may_include(self):
        table = (ROOT / "docs/import.md").read_text().partition("\n## What a port may call\n")[2].partition("\n## ")[0]
        named = re.findall(r"`(\w+)`", "".join(re.findall(r"(?m)^\| (`.*?) \|", table)))
        self.assertEqual(sorted(named), [path.stem for path in sources("src/tools/import/include/torchbook/runtime/*.h")])

    def test_the_big_header_is_for_notebooks_only(self):
        for path in sources("src/**/*.h", "src/**/*.cpp"):
            self.assertNotRegex(path.read_text(), r"(?m)^#include <torch/torch\.h>", path)

    def test_a_notebook_is_one_line_and_has_all_its_parts(self):
        cmake = (ROOT / "notebooks_ported/CMakeLists.txt").read_text()
        slugs = re.findall(r"^torchbook_add_notebook\((\w+) IN torchbook_ports\)$", cmake, re.MULTILINE)
        self.assertEqual(sorted(slugs), [path.stem for path in sources("notebooks_ported/*.cpp")])
        self.assertEqual(sorted(slugs), [path.stem for path in sources("notebooks_ported/*.py")])
        self.assertEqual(sorted(slugs), [path.stem for path in sources("notebooks_ported/*.golden")])

    def test_the_documentation_explains_every_verdict(self):
        rows = (ROOT / "src/torchbook/golden/verdict.h").read_text().split("VerdictRow{")[1:]
        table = (ROOT / "docs/running.md").read_text().partition("\n## Verdicts\n")[2].partition("\n## ")[0]
        self.assertEqual(sorted(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)),
                         sorted(re.search(r'\.name = "(.*?)"', row)[1] for row in rows))

    def test_the_readme_is_short(self):
        self.assertLessEqual(len((ROOT / "README.md").read_text().splitlines()), 100)

    def test_the_port_that_the_documentation_explains_is_one_of_a_notebook(self):
        shown = re.search(r"^```cpp\n(.*?)^```", (ROOT / "docs/running.md").read_text(), re.MULTILINE | re.DOTALL)[1]
        port = (ROOT / "notebooks_ported/mathematical_trick.cpp").read_text()
        self.assertIn(shown, re.sub("(?m)^  ", "", port))

    def test_the_documentation_has_every_option_of_cmake(self):
        page = (ROOT / "docs/building.md").read_text()
        described = {}
        for path in ("CMakeLists.txt", "cmake/torchbookNotebooks.cmake", "tests/support/tests.cmake"):
            described.update(CMAKE_OPTION.findall((ROOT / path).read_text()))
        listed = re.findall(r"^\| `(TORCHBOOK_\w+)` \| [^|]* \| (.*) \|$", page, re.MULTILINE)
        self.assertEqual(dict(listed), described)
        self.assertGreater(len(described), 3)
        self.assertLessEqual(len(described), 8)

    def test_the_documentation_has_every_debian_package(self):
        table = (ROOT / "docs/building.md").read_text().partition("\n## Dependencies\n")[2].partition("\n## ")[0]
        rows = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
        listed = [name for row in rows for name in re.findall(r"`([^`]+)`", row)]
        needed = set(re.findall(r"^[a-z-]+ (\S+)", (ROOT / "cmake/debian-packages").read_text(), re.MULTILINE))
        self.assertGreater(len(needed), 25)
        self.assertEqual(sorted(listed), sorted([*needed, "libtorch-dev", "ccache", "debootstrap", "debhelper", "dh-python", "lintian", "clang-format", "clang-tidy"]))

    def test_the_debian_packages_are_built_with_every_library(self):
        rows = re.findall(r"^(?:core|part|seed|site) (\S+)", (ROOT / "cmake/debian-packages").read_text(), re.MULTILINE)
        listed = re.search(r"^Build-Depends: (.*)$", (ROOT / "packaging/debian/control").read_text(), re.MULTILINE)[1].split(", ")
        own = ["debhelper-compat (= 13)", "dh-sequence-python3", "help2man", "libtorch-dev"]
        self.assertEqual(sorted(listed), sorted({*rows, *own} - {"g++", "libopenblas0-pthread"}))  # g++ is always there

    def test_the_changelogs_begin_with_the_version(self):
        header = (ROOT / "src/torchbook/pyrepr/version.h").read_text()
        version = ".".join(re.findall(r"_VERSION_[A-Z]+ (\d+)$", header, re.MULTILINE))
        headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
        self.assertEqual([heading for heading in headings if heading != "Unreleased"][0], version)
        self.assertTrue((ROOT / "packaging/debian/changelog").read_text().startswith(f"torchbook ({version}-"))
        for recipe in ("conda/recipe.yaml", "vcpkg/torchbook-pyrepr/vcpkg.json"):
            self.assertRegex((ROOT / "packaging" / recipe).read_text(), rf'version"?: "{version}"')


if __name__ == "__main__":
    sys.exit(unittest.main())
