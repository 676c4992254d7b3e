"""Reads the porting guide, docs/porting, and makes C++ of it.

The guide's rows are the second-level headings of its chapters. Each has a python, a cpp and a text block. The text is
what both languages print. A second cpp and text block show a trap: wrong C++ and what it prints.

guide.py FOLDER writes two notebooks with their goldens into FOLDER: porting_guide, with a cell for each cpp block, and
the guide's own example of a notebook.
"""
import dataclasses
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs/porting"


class GuideError(Exception):
    """The guide is not laid out as it should be."""


@dataclasses.dataclass
class Block:
    language: str
    code: str


@dataclasses.dataclass
class Part:
    """A heading and the text below it, up to the next heading."""
    level: int
    title: str
    prose: str = ""
    blocks: list = dataclasses.field(default_factory=list)

    def block(self, language, number=0):
        found = [block.code for block in self.blocks if block.language == language]
        if len(found) <= number:
            raise GuideError(f"'{self.title}' needs {number + 1} {language} blocks, it has {len(found)}")
        return found[number]


@dataclasses.dataclass
class Cell:
    """A block of C++ and what it prints."""
    label: str
    code: str
    text: str

    def displays(self):
        return "nb.display(" in self.code

    def source(self):
        """Returns its text in the notebook. The braces end its names, which would otherwise live on in later cells."""
        body = "".join(f"  {line}" if line.strip() else line for line in self.code.splitlines(keepends=True))
        return f"{{\n{body}}}"


@dataclasses.dataclass
class Row:
    title: str
    prose: str
    python: str
    cell: Cell
    trap: Cell | None

    def cells(self):
        return [self.cell] if self.trap is None else [self.cell, self.trap]


@dataclasses.dataclass
class Guide:
    example: Part  # the chapter that shows a whole notebook
    contents: Part  # the table of contents, and the code that the rows' blocks need before them
    headings: list  # the titles of the chapters and of their rows
    rows: list

    def cells(self):
        return [cell for row in self.rows for cell in row.cells()]

    def slug(self):
        """Returns the name of the example."""
        return re.search(r"^void (\w+)\(", self.example.block("cpp"), re.MULTILINE)[1]


def anchor(title):
    """Returns the anchor of a heading, as links name it."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def read():
    """Returns the text of the guide: the index, then its chapters in the order of its links."""
    index = (FOLDER / "README.md").read_text()
    chapters = dict.fromkeys(re.findall(r"\]\(([\w-]+\.md)#", index))
    listed = {"README.md", *chapters}
    if listed != (found := {path.name for path in FOLDER.iterdir()}):
        raise GuideError(f"the index links to {sorted(listed - found)}, and does not link to {sorted(found - listed)}")
    return "".join([index, *((FOLDER / name).read_text() for name in chapters)])


def parts_of(text):
    """Returns the guide as a list of its headings with their texts."""
    parts = [Part(0, "")]
    fence = None
    for line in text.splitlines(keepends=True):
        if fence is not None:
            if line == "```\n":
                parts[-1].blocks.append(Block(fence, code))
                fence = None
            else:
                code += line
        elif line.startswith("```"):
            fence, code = line[3:].strip(), ""
        elif heading := re.fullmatch(r"(#+) (.*)\n", line):
            parts.append(Part(len(heading[1]), heading[2]))
        else:
            parts[-1].prose += line
    if fence is not None:
        raise GuideError(f"a {fence} block below '{parts[-1].title}' does not end")
    return parts


def row_of(part):
    languages = [block.language for block in part.blocks]
    if languages not in (["python", "cpp", "text"], ["python", "cpp", "text", "cpp", "text"]):
        raise GuideError(f"'{part.title}' must have a python, a cpp and a text block, and perhaps the cpp and text of "
                         f"its trap; it has {languages}")
    label = anchor(part.title)
    cells = [Cell(label, part.block("cpp"), part.block("text"))]
    if len(languages) > 3:
        cells.append(Cell(label + "-trap", part.block("cpp", 1), part.block("text", 1)))
    for cell in cells:
        if cell.displays() and "nb.print(" in cell.code:
            raise GuideError(f"'{cell.label}' both prints and displays: its text does not tell which is which")
    return Row(part.title, part.prose, part.block("python"), cells[0], cells[1] if len(cells) > 1 else None)


def parse(text):
    parts = parts_of(text)
    contents, *chapters = [part for part in parts if part.level == 1]
    example = next(part for part in chapters if part.title == "A notebook of your own")
    rows = [row_of(part) for part in parts if part.level == 2]
    labels = [row.cell.label for row in rows]
    if doubled := {label for label in labels if labels.count(label) > 1}:
        raise GuideError(f"two rows have the same name: {sorted(doubled)}")
    headings = [part.title for part in parts[parts.index(contents) + 1:]]
    return Guide(example, contents, headings, rows)


def notebook_source(guide):
    cells = "\n".join(f'nb.cell("{cell.label}");\n{cell.source()}\n' for cell in guide.cells())
    preamble = guide.contents.block("cpp")
    return (f"// Made by the build from docs/porting. Do not edit.\n{preamble}\n"
            f"void porting_guide(torchbook::Notebook& nb) {{\n{cells}}}\n")


def golden(guide):
    text = "golden of porting_guide, from docs/porting\n"
    for position, cell in enumerate(guide.cells(), 1):
        mark = "=" if cell.displays() else ">"
        text += f"\n@{position} In [{cell.label}]\n"
        text += "".join(f"{mark} {line}\n" for line in cell.text.splitlines())
    return text + f"\nend: {len(guide.cells())} cells, {len(guide.cells())} with output\n"


def main():
    guide = parse(read())
    for name, text in (("porting_guide.cpp", notebook_source(guide)), ("porting_guide.golden", golden(guide)),
                       (f"{guide.slug()}.cpp", guide.example.block("cpp")),
                       (f"{guide.slug()}.golden", guide.example.block("text"))):
        pathlib.Path(sys.argv[1], name).write_text(text)


if __name__ == "__main__":
    try:
        main()
    except GuideError as error:
        sys.exit(f"docs/porting: {error}")
