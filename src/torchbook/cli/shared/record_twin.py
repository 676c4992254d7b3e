"""Runs the cells of one twin and records what they print, display and compute. Follows quiet.py in the same text, and
run_twins.py follows it."""
import __future__
import ast
import collections
import dis
import io
import re
import sys
import traceback
import types

LIMIT = 64 << 20  # bytes of one recording; torchbook reads no larger files
SHOWN_OTHERWISE = (dict, frozenset, list, set, tuple, type, types.BuiltinFunctionType, types.FunctionType,
                   collections.Counter, collections.OrderedDict, collections.defaultdict, collections.deque)
SHORT_AS_REPR = (dict, list, tuple)  # of these, Jupyter shows the repr if that fits into a line
IPYTHON = "IPython (python3-ipython)"  # whose package draft.cpp names, too
# As in translate/kinds/picture.cpp, which leaves out what these draw.
PICTURES = {"matplotlib", "mpl_toolkits", "plotly", "pylab", "seaborn", "torchviz"}
FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
NOT_RUN = {"stdout": "", "result": None, "tensors": [], "ran": False}


def bits(torch, tensor):
    """Returns the elements in row-major order, each as the hexadecimal number of its bits."""
    plain = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous().reshape(-1)
    if plain.is_complex():  # an element has two numbers
        plain = torch.view_as_real(plain).reshape(-1)
    size = plain.element_size()
    raw = bytes(plain.view(torch.uint8).tolist()) if plain.numel() else b""
    return " ".join(raw[i : i + size][::-1].hex() for i in range(0, len(raw), size))


class TooLarge(Exception):
    """A cell's outputs do not fit into a recording."""


class Recorder(io.StringIO):
    """Keeps what a cell prints, and a copy of every tensor that it prints or displays."""

    def __init__(self, torch):
        super().__init__()
        self.torch = torch
        self.tensors = []
        self.trace = None  # what the tensors are also told to
        self.position = 0  # of the cell that runs
        self.within = False
        self.left = LIMIT
        for name in ("__repr__", "__format__"):
            setattr(torch.Tensor, name, self.seeing(getattr(torch.Tensor, name)))

    def seeing(self, method):
        def seen(tensor, *args, **options):
            if self.within:
                return method(tensor, *args, **options)
            self.within = True
            try:
                self.record(tensor)
                return method(tensor, *args, **options)
            finally:
                self.within = False

        return seen

    def spend(self, size):
        if size > self.left:
            raise TooLarge(f"the twin's recording would be larger than {LIMIT >> 20} MiB; print or display less")
        self.left -= size

    def record(self, tensor):
        plain = tensor.layout == self.torch.strided and not tensor.is_quantized
        if plain and not tensor.is_nested and not tensor.is_meta:
            self.spend((2 * tensor.element_size() + 1) * tensor.numel())
            self.tensors.append(
                {"dtype": str(tensor.dtype), "shape": list(tensor.shape), "bits": bits(self.torch, tensor)}
            )
            self.trace.shown(f"shown @{self.position}.{len(self.tensors)}", tensor)

    def write(self, text):
        self.spend(len(text.encode()))  # raises for text that cannot be encoded, as writing it would
        return super().write(text)

    def take(self):
        """Returns what was printed and the tensors since the last call."""
        stdout, tensors = self.getvalue(), self.tensors
        self.seek(0)
        self.truncate()
        self.tensors = []
        return stdout, tensors


def names_set_in(source):
    """Returns the names that a cell would define; if it cannot be parsed, all its words."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError):
        return set(re.findall(r"\w+", source))
    named = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    names = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    names |= {node.name for node in nodes if isinstance(node, named)}
    return names | {(node.asname or node.name).split(".")[0] for node in nodes if isinstance(node, ast.alias)}


class Picture:
    """Stands for a library of pictures that is not installed, and for all that it draws. C++ draws nothing, either. Whatever
    takes a value from it fails as the import of the library does."""

    def __init__(self, library):
        vars(self)["library"] = library

    def __repr__(self):
        return "<matplotlib. picture>"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_, **__):
        return self

    def __getitem__(self, _):
        return self

    def __setitem__(self, _, __):
        pass

    def __iter__(self):
        """Yields as many pictures as an assignment such as `figure, axes = plt.subplots()` takes."""
        frame = sys._getframe(1)
        code, at = frame.f_code.co_code, frame.f_lasti
        if dis.opname[code[at]] != "UNPACK_SEQUENCE":
            self.value()
        return iter([self] * code[at + 1])

    def value(self, *_):
        raise ModuleNotFoundError(f"No module named '{self.library}'", name=self.library)

    __len__ = __bool__ = __int__ = __float__ = __index__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = value
    __truediv__ = __rtruediv__ = __neg__ = __abs__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __array__ = value

    def subplots(self, nrows=1, ncols=1, *_, squeeze=True, **__):
        axes = Axes(self.library, [nrows, ncols] if not squeeze else [each for each in (nrows, ncols) if each > 1])
        return self, axes if axes.sizes else self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class Axes(Picture):
    """Replaces the array of pictures that subplots() returns. A loop over it goes round as often as with Matplotlib."""

    def __init__(self, library, sizes):
        super().__init__(library)
        vars(self)["sizes"] = sizes

    def __iter__(self):
        first, *rest = self.sizes
        return iter([Axes(self.library, rest) if rest else Picture(self.library) for _ in range(first)])

    def __len__(self):
        return self.sizes[0]

    def flatten(self, *_):
        count = 1
        for size in self.sizes:
            count *= size
        return Axes(self.library, [count])

    ravel = flatten
    flat = property(flatten)


class Progress(Picture):
    """Replaces tqdm if that is not installed. It yields the items unchanged, and draws to stderr, if at all."""

    write = staticmethod(print)

    def __init__(self, items=(), *_, **__):
        super().__init__("tqdm")
        self.items = items

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)

    def __bool__(self):
        return True

    @classmethod
    def trange(cls, *bounds, **_):
        return cls(range(*bounds))


Progress.tqdm = Progress.auto = Progress.notebook = Progress


def draws(value):
    """Whether a value is a picture, or what a plot returns: a list or tuple with a part of a picture."""
    parts = value if isinstance(value, (list, tuple)) else [value]
    return any(isinstance(each, Picture) or type(each).__module__.split(".")[0] in PICTURES for each in parts)


def imports_in(statement):
    """Returns an import of several names as one of each; any other statement as itself."""
    if not isinstance(statement, ast.Import):
        return [statement]
    return [ast.copy_location(ast.Import([each]), statement) for each in statement.names]


class Twin:
    """A twin that runs."""

    def __init__(self, file, keep_going, recorder, tells_shapes, carrier=None):
        self.file = file
        self.carrier = carrier
        self.tells_shapes = tells_shapes
        self.shapes = []  # of the tensors that the statements of a cell assign
        self.keep_going = keep_going
        self.recorder = recorder
        self.module = types.ModuleType("__main__")
        self.module.display = self.display
        self.futures = 0  # the flags of what cells have imported from __future__
        self.missing = []  # modules that a cell imports and this Python has not
        self.undefined = {}  # the modules that are missing, by the names that they would have defined
        self.raised = []  # of each cell that raised: (where, the names that it would have defined)

    def run(self, cells, answer):
        """Runs the cells. Calls `answer` with the outcome of each cell that ran."""
        sys.modules["__main__"] = self.module
        sys.argv = [self.file]
        sys.stdout = self.recorder
        position = 0
        for cell in cells:
            position += cell["label"] is not None
            where = "the restored state" if cell["label"] is None else f"cell In [{cell['label']}] (@{position})"
            self.recorder.position = position
            self.recorder.trace.mark(f"restored before @{position + 1}" if cell["label"] is None else f"@{position}")
            stops = self.raised and not self.keep_going
            answer(NOT_RUN if stops else self.outcome(cell, where))
            if self.carrier:
                self.carrier.note(self.module.__dict__, position, cell["source"])

    def outcome(self, cell, where):
        result, error = None, {}
        try:
            result = self.result(cell["source"], cell["line"])
        except BaseException as raised:  # SystemExit and KeyboardInterrupt end no notebook
            error = {"error": self.message(raised, cell["line"]), "raised": self.raised_in(raised, cell["line"])}
            self.raised.append((where, names_set_in(cell["source"])))
        stdout, tensors = self.recorder.take()
        shapes = {"shapes": self.shapes} if self.shapes else {}
        missing = {"missing": ", ".join(self.missing)} if self.missing else {}
        self.shapes, self.missing = [], []
        return {"stdout": stdout, "result": result, "tensors": tensors, **shapes, **missing, **error}

    def result(self, source, line):
        """Runs a cell as Jupyter does. Returns what its last expression shows, or None if it displays nothing."""
        tree = ast.parse("\n" * (line - 1) + source, self.file)
        if self.tells_shapes and self.carrier:
            self.carrier.observer.watch(tree, self.recorder.position, line)
        statements = tree.body
        last = None
        if statements and isinstance(statements[-1], ast.Expr):
            last = ast.Expression(statements.pop().value)
        for statement in [one for each in statements for one in imports_in(each)]:
            self.run_statement(statement)
            if self.tells_shapes:
                self.note_shapes(statement, line)
        value = eval(self.compiled(last, "eval"), self.module.__dict__) if last else None
        if value is None or is_quiet(source):
            return None
        text = self.shown(value)
        self.recorder.spend(len(text.encode()))
        return text

    def shown(self, value):
        """Returns what Jupyter shows of a value. If there is no IPython, that is its repr, also of a long container."""
        if draws(value):
            return "<matplotlib. picture>"
        if type(value).__repr__ not in [each.__repr__ for each in SHOWN_OTHERWISE]:
            return repr(value)
        try:
            from IPython.lib.pretty import pretty
        except ImportError:
            text = repr(value)
            fits = type(value) in SHORT_AS_REPR and len(text) < 80 and "\n" not in text
            if not fits and IPYTHON not in self.missing:
                self.missing.append(IPYTHON)
            return text
        return pretty(value)

    def display(self, *values):
        """Shows values as Jupyter's display() does. `torchbook import` takes such texts as printed."""
        for value in values:
            if not draws(value):
                print(self.shown(value))

    def run_statement(self, statement):
        """Runs a statement, as Jupyter runs each by itself. A module that is not installed costs only what uses it."""
        try:
            exec(self.compiled(ast.Module([statement], []), "exec"), self.module.__dict__)
        except ModuleNotFoundError as error:
            if not isinstance(statement, (ast.Import, ast.ImportFrom)):
                raise
            module = error.name or statement.names[0].name
            if module not in self.missing:
                self.missing.append(module)
            for each in statement.names:
                name = (each.asname or each.name).split(".")[0]
                self.undefined[name] = module
                if module.split(".")[0] in PICTURES:
                    setattr(self.module, name, Picture(module))
                if module == "tqdm":
                    setattr(self.module, name, Progress.trange if each.name == "trange" else Progress)

    def note_shapes(self, statement, line):
        """Notes the shapes of the tensors that an assignment has given to names."""
        if not isinstance(statement, (ast.Assign, ast.AnnAssign)):
            return
        torch = self.recorder.torch
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                value = self.module.__dict__.get(node.id)
                if type(value) in (torch.Tensor, torch.nn.Parameter) and not value.is_nested:
                    shape = list(value.shape)
                    self.recorder.spend(len(node.id) + 20 * len(shape))
                    place = {"line": statement.lineno - line + 1, "column": statement.col_offset}
                    self.shapes.append({**place, "name": node.id, "shape": shape})

    def compiled(self, tree, mode):
        """Compiles a part of a cell. PYTHONOPTIMIZE must not take its assertions away. What an earlier part imported from
        __future__ is in force."""
        code = compile(tree, self.file, mode, self.futures, dont_inherit=True, optimize=0)
        self.futures |= code.co_flags & FUTURES
        return code

    def message(self, raised, line):
        """Returns, in one line, where an exception was raised and what it says."""
        trace = raised.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self.file:
                line = trace.tb_lineno
            trace = trace.tb_next
        try:
            what = str(raised)
        except Exception:
            what = ""
        if isinstance(raised, SyntaxError) and raised.filename == self.file:
            line, what = raised.lineno, raised.msg
        what = " ".join(what.encode(errors="backslashreplace").decode().split())
        colon = ": " if what else ""
        return f"{self.file}:{line}: {type(raised).__name__}{colon}{what}{self.cause_of(raised)}"

    def raised_in(self, raised, line):
        """Returns the line of the cell, from 1 on, whose statement raised, be it in a function of another cell; 0 if it
        was not compiled."""
        for frame, at in traceback.walk_tb(raised.__traceback__):
            if frame.f_code.co_filename == self.file:
                return at - line + 1
        return 0

    def cause_of(self, raised):
        """Says which failed cell, or missing module, should have defined the name of a NameError; empty if there is none."""
        if not isinstance(raised, NameError):
            return ""
        name = getattr(raised, "name", None)
        if name in self.undefined:
            return f" (a consequence: this Python does not have {self.undefined[name]})"
        where = next((where for where, names in self.raised if name in names), None)
        return f" (a consequence: {where} failed and did not define it)" if where else ""
