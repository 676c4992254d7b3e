"""Observes the types with which functions of a notebook are called, and the branches that run. Precedes carry.py in the
same text.

Observer.watch changes the tree of a cell before it is compiled. Observer.seen returns the observations since its last call, as
a part of the line that a Carrier writes for a cell:

"functions": [{"cell", "line", "column", "name", "parameters": {name: [TYPE, ...]}, "result": [TYPE, ...],
               "locals": {name: [TYPE, ...]}, "attributes": {name: [TYPE, ...]}, "calls"}]
  Each function, method and lambda that was called, by its place; the line is that of the cell, from 1 on, and the name of a
  lambda is "lambda". A parameter, the result and a local have each type once, in the order in which they were seen; `*values`
  is a list. Locals, parameters among them, and the attributes of a method's object are looked at when a function has its
  result, which is None at its end. A generator has neither result nor locals. At most MOST_CALLS calls between two lines are
  seen.
"branches": [[cell, line, column], ...]
  Each block of an `if`, a loop or a `try` that ran for the first time, by the place of its first statement.
"values": [{"cell", "line", "column", "types": [TYPE, ...]}, ...]
  The values that an assignment or a loop gave a name, by the place of the name, the lists and dicts that an expression made,
  as `[]` or a sum of lists, and the results of calls as `x.item()` and `torch.ones(2)`, by the end of the function's name.
  Each type once, if they have changed; those of the first MOST_KEPT lists and dicts, and of their items, are those at the end
  of the cell.

TYPE is {"kind": "none"}, "boolean", "integer", "floating" or "string"; with "large": true for an int of more than 64 bits;
  {"kind": "tensor" or "array", "numbers", "dimensions", "gradient"}, with "parameter": true for an nn.Parameter;
  {"kind": "list", "tuple", "dict", "set", "counter", "deque" or "library", "items": [TYPE, ...]}: each type of a list's items
  once, the types of all items of a tuple, the types of a dict's keys and values as two lists, and those of the parts of an
  nn.Sequential, an nn.ModuleList, a loader or a data set;
  {"kind": "function", "cell", "line", "column", "name"}: one of the notebook;
  {"kind": "class" or "object", "class", "cell", "line", "column"}: a class of the notebook, or an instance;
  {"kind": "class" or "library", "class": "torch.utils.data.dataloader.DataLoader"}: a class of a library, or an instance;
  {"kind": "builtin", "name": "torch.relu"}: a function of a library.
"""
import ast
import builtins
import collections
import functools
import itertools
import sys
import types

MOST_CALLS = 1000  # of a function between two lines
MOST_KEPT = 2  # lists and dicts of a place between two lines, and one that later cells may change
MOST_DEEP = 20  # calls of a function whose lists and dicts are looked at
MOST_TYPES = 20  # of a parameter
MOST_LOOKED_AT = 50  # items of a list, a tuple or a dict; MOST_INSIDE of each of its items
MOST_INSIDE = 5
DEEPEST_TYPE = 6
KINDS = {bool: "boolean", int: "integer", float: "floating", str: "string", type(None): "none"}
COLLECTIONS = {set: "set", collections.Counter: "counter", collections.deque: "deque"}
MAPPINGS = (dict, collections.OrderedDict)
TAKING = {"pop", "popleft", "popitem", "clear", "remove"}  # methods that may leave a container empty
CHANGING = {"append", "appendleft", "add", "extend", "insert", "update", "sort", "reverse", *TAKING}
CONTAINERS = (list, dict, collections.defaultdict, *COLLECTIONS)
# Names, which a number ends:
CALLED, RESULT, RAN, MADE = "_torchbook_called_", "_torchbook_result_", "_torchbook_ran_", "_torchbook_made_"
SAME = "_torchbook_same"  # a function that returns its argument
TAKEN = "_torchbook_taken"  # notes the types in a container from which something is taken, and returns it


def type_of(kind, **more):
    """Returns a TYPE as a hashable key. as_json() converts it to a dict."""
    return ("kind", kind), *more.items()


def as_json(of):
    return {key: as_json_items(value) if key == "items" else value for key, value in of}


def as_json_items(items):
    return [as_json(each) if each and type(each[0][0]) is str else as_json_items(each) for each in items]


def tensor_type(torch, value, kind):
    """Returns the TYPE of a tensor, and of an array of the same numbers."""
    numbers = ("boolean" if value.dtype == torch.bool else "floating" if value.dtype.is_floating_point
               else "unknown" if value.dtype.is_complex else "integer")
    return type_of(kind, numbers=numbers, dimensions=value.dim(), gradient=value.requires_grad)


def path_of(of):
    module = getattr(of, "__module__", None) or ""
    name = getattr(of, "__qualname__", None) or type(of).__name__
    return name if module in ("", "builtins") else f"{module}.{name}"


class Marked(ast.NodeTransformer):
    """Adds to a tree the calls of functions that an Observer puts into Python's builtins."""

    def __init__(self, observer, cell, first):
        self.observer, self.cell, self.first = observer, cell, first
        self.within = []  # the functions and classes around the node: the name, what gets its result, the place of a class

    def place(self, node):
        return self.cell, node.lineno - self.first + 1, node.col_offset

    @staticmethod
    def call(place, name, arguments):
        called = ast.Call(ast.Name(name, ast.Load()), arguments, [])
        return ast.fix_missing_locations(ast.copy_location(called, place))

    def once(self, place, name, arguments):
        """`_torchbook_ran_7 and _torchbook_ran_7()`, which costs little once it is None."""
        call = self.call(place, name, arguments)
        return ast.copy_location(ast.BoolOp(ast.And(), [call.func, call]), place)

    def result(self, name, value):
        """`_torchbook_result_7(value) if _torchbook_result_7 else value`"""
        if any(isinstance(each, ast.Lambda) for each in ast.walk(value)):  # it must not be doubled in each level
            return self.through(value, name)
        call = self.call(value, name, [value])
        return ast.copy_location(ast.IfExp(call.func, call, value), value)

    def ran(self, statements):
        if not statements:
            return statements
        first = statements[0]
        name = self.observer.branch(self.place(first))
        marked = [each for statement in statements for each in self.several(self.visit(statement))]
        return [ast.copy_location(ast.Expr(self.once(first, name, [])), first), *marked]

    def given(self, statement, targets):
        """Returns the statements that report the values of the names among an assignment's targets."""
        names = [each for target in targets for each in ast.walk(target)
                 if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
        reports = []
        for each in names if not (self.within and self.within[-1][2]) else ():
            name = self.observer.value(self.place(each), not self.within)
            test = ast.copy_location(ast.Name(name, ast.Load()), statement)
            report = ast.copy_location(ast.Expr(self.call(statement, name, [ast.Name(each.id, ast.Load())])), statement)
            reports.append(ast.copy_location(ast.If(test, [report], []), statement))
        return reports

    def visit_Assign(self, node):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        reports = self.given(node, targets if node.value else ())
        annotation = getattr(node, "annotation", None)
        self.generic_visit(node)
        if annotation:
            node.annotation = annotation
        return [node, *reports]

    visit_AugAssign = visit_AnnAssign = visit_Assign

    @staticmethod
    def several(visited):
        return visited if isinstance(visited, list) else [visited]

    def visit_branches(self, node):
        for name, value in ast.iter_fields(node):
            if name in ("body", "orelse", "finalbody"):
                setattr(node, name, self.ran(value))
            elif isinstance(value, list):
                setattr(node, name, [each for one in value for each in self.several(self.visit(one))])
            elif isinstance(value, ast.AST):
                setattr(node, name, self.visit(value))
        return node

    visit_If = visit_While = visit_Try = visit_ExceptHandler = visit_branches

    def visit_For(self, node):
        reports = self.given(node, [node.target])
        self.visit_branches(node)
        node.body[1:1] = reports
        return node

    visit_AsyncFor = visit_For

    def visit_ClassDef(self, node):
        self.observer.classes[".".join([*(name for name, *_ in self.within), node.name])] = self.place(node)
        return self.inside(node.name, None, node, self.place(node))

    def inside(self, name, result, node, of_class=None):
        self.within.append((name, result, of_class))
        try:
            return self.generic_visit(node)
        finally:
            self.within.pop()

    def begin(self, node, name):
        """Returns the name in builtins of the receiver of a function's result, and the call that reports its arguments."""
        given = node.args
        names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg) if each]
        rest = given.vararg.arg if given.vararg else None
        number = self.observer.function(self.place(node), name, names, rest, self.within[-1][2] if self.within else None)
        place = node.body if isinstance(node, ast.Lambda) else node.body[0]
        return RESULT + number, self.once(place, CALLED + number, [ast.Name(each, ast.Load()) for each in names])

    def visit_FunctionDef(self, node):
        result, report = self.begin(node, node.name)
        inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
        waiting, yields = list(node.body), isinstance(node, ast.AsyncFunctionDef)
        while waiting and not yields:
            each = waiting.pop()
            yields = isinstance(each, (ast.Yield, ast.YieldFrom))
            waiting += () if isinstance(each, inner) else ast.iter_child_nodes(each)
        begun, returns, node.returns = node.body[0], node.returns, None
        self.inside(f"{node.name}.<locals>", None if yields else result, node)
        node.returns = returns
        documented = isinstance(begun, ast.Expr) and isinstance(begun.value, ast.Constant) and type(begun.value.value) is str
        node.body.insert(int(documented), ast.copy_location(ast.Expr(report), begun))
        last = node.body[-1]
        if not yields and not isinstance(last, (ast.Return, ast.Raise)):
            node.body.append(ast.copy_location(ast.Expr(self.once(last, result, [ast.Constant(None)])), last))
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Return(self, node):
        self.generic_visit(node)
        result = self.within[-1][1] if self.within else None
        if result:
            node.value = self.result(result, node.value or ast.copy_location(ast.Constant(None), node))
        return node

    def made(self, node, place=None):
        """Reports a value, at its own place unless another one is given."""
        name = self.observer.value(place or self.place(node), not (place or self.within))
        return self.through(self.generic_visit(node), name)

    def through(self, node, name):
        """`(_torchbook_made_7 or _torchbook_same)(value)`"""
        call = self.call(node, name, [node])
        call.func = ast.copy_location(ast.BoolOp(ast.Or(), [call.func, ast.Name(SAME, ast.Load())]), node)
        return ast.fix_missing_locations(call)

    def visit_arg(self, node):
        return node  # a program may read its annotations

    visit_ListComp = made

    def visit_List(self, node):
        holds_more = not node.elts or any(isinstance(each, (ast.Name, ast.Call)) for each in ast.walk(node))
        return self.made(node) if isinstance(node.ctx, ast.Load) and holds_more else self.generic_visit(node)

    def visit_Call(self, node):
        """Reports the result of `x.item()` or `torch.ones(2)`, at the end of the function's name."""
        of = node.func
        if not isinstance(of, ast.Attribute) or of.attr in CHANGING:
            self.generic_visit(node)
            if isinstance(of, ast.Attribute) and of.attr in TAKING:
                of.value = self.through(of.value, TAKEN)
            return node
        return self.made(node, (self.cell, of.end_lineno - self.first + 1, of.end_col_offset))

    def visit_Dict(self, node):
        return self.generic_visit(node) if node.keys else self.made(node)

    def visit_BinOp(self, node):
        sums = isinstance(node.op, ast.Add) and any(isinstance(each, (ast.List, ast.ListComp)) for each in (node.left, node.right))
        return self.made(node) if sums else self.generic_visit(node)

    def visit_Lambda(self, node):
        name, report = self.begin(node, "lambda")
        yields = any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(node.body))
        self.inside("<lambda>.<locals>", None, node)
        result = node.body if yields else self.result(name, node.body)
        node.body = ast.copy_location(ast.BoolOp(ast.Or(), [report, result]), node.body)  # the report returns None
        return node


class Function:
    """A function of the notebook, and its observations since the last line."""

    def __init__(self, number, place, name, names, rest, of_class):
        self.number, self.place, self.name, self.names, self.rest, self.of_class = number, place, name, names, rest, of_class

    def forget(self):
        self.calls, self.results, self.parameters, self.result = 0, 0, {name: {} for name in self.names}, {}
        self.locals, self.attributes = {}, {}

    def json(self):
        cell, line, column = self.place
        types = {kind: {name: [as_json(each) for each in seen] for name, seen in getattr(self, kind).items()}
                 for kind in ("parameters", "locals", "attributes")}
        return {"cell": cell, "line": line, "column": column, "name": self.name, **types,
                "result": [as_json(each) for each in self.result], "calls": self.calls}


class Values:
    """Values of a place since the last line. Later cells may change a list or dict that is no function's."""

    def __init__(self, place, lasts):
        self.place, self.lasts, self.kept, self.types, self.count, self.reported = place, lasts, [], {}, 0, 0

    def json(self):
        cell, line, column = self.place
        return {"cell": cell, "line": line, "column": column, "types": [as_json(each) for each in self.types]}


class Observer:
    def __init__(self, torch):
        self.torch = torch
        self.functions = {}  # by the names in builtins of the functions that get their arguments
        self.classes = {}  # places, by their qualified names
        self.places = {}  # by the classes that values had
        self.active = {}  # functions that were called since the last line
        self.branches = []  # places of those that ran since the last line
        self.values = {}  # of places, by the names in builtins of the functions that get them
        self.count = 0  # of functions, branches and expressions
        self.kept = {}  # the places of kept containers, by their ids
        setattr(builtins, SAME, lambda value: value)
        setattr(builtins, TAKEN, self.note_taken)

    def watch(self, tree, cell, first):
        """Instruments the tree of a cell whose first line has this number in the file."""
        Marked(self, cell, first).visit(tree)

    def function(self, place, name, names, rest, of_class):
        """Returns the number of a new function."""
        self.count += 1
        function = self.functions[f"{CALLED}{self.count}"] = Function(str(self.count), place, name, names, rest, of_class)
        self.begin(function)
        return function.number

    def begin(self, function):
        function.forget()
        setattr(builtins, CALLED + function.number, functools.partial(self.note_call, function))
        setattr(builtins, RESULT + function.number, functools.partial(self.note_result, function))

    def branch(self, place):
        """Returns the name in builtins of the function that notes that a branch runs."""
        self.count += 1
        name = f"{RAN}{self.count}"

        def note():
            setattr(builtins, name, None)
            self.branches.append(place)

        setattr(builtins, name, note)
        return name

    def value(self, place, lasts):
        """Returns the name in builtins of the function that gets the values of a place."""
        self.count += 1
        name = f"{MADE}{self.count}"
        self.values[name] = Values(place, lasts)
        setattr(builtins, name, functools.partial(self.note_value, name))
        return name

    def note_value(self, name, value):
        values = self.values[name]
        values.count += 1
        if values.count >= MOST_CALLS or len(values.kept) >= MOST_KEPT:
            setattr(builtins, name, None)
        if type(value) in CONTAINERS:
            values.kept.append(value)
            self.kept[id(value)] = values
        else:
            self.note(values.types, value)
        return value

    def note_taken(self, value):
        """Notes the types in a container before something is taken from it, which may be the last item."""
        values = self.kept.get(id(value))
        if values and len(value) < MOST_LOOKED_AT:
            self.note(values.types, value)
        return value

    def values_seen(self):
        """Returns the places whose values have more types than before."""
        changed = []
        for name, values in self.values.items():
            for each in values.kept:
                self.note(values.types, each)
            if len(values.types) > values.reported:
                changed.append(values.json())
            if values.count:
                values.kept = [each for each in values.kept if values.lasts and self.is_plain(each)][:1]
                setattr(builtins, name, functools.partial(self.note_value, name))
            values.count, values.reported = 0, len(values.types)
        self.kept = {id(each): values for values in self.values.values() for each in values.kept}
        return changed

    @staticmethod
    def is_plain(container):
        """Whether a container holds no memory to speak of, so that later cells may change it."""
        values = container.values() if isinstance(container, dict) else container
        return all(type(each) in KINDS or (type(each) in CONTAINERS and not each)
                   for each in itertools.islice(values, MOST_LOOKED_AT))

    def note_call(self, function, *given):
        function.calls += 1
        self.active[function] = True
        if function.calls == MOST_CALLS:
            setattr(builtins, CALLED + function.number, None)
        for (name, seen), value in zip(function.parameters.items(), given):
            if function.calls <= MOST_DEEP or type(value) not in CONTAINERS:
                self.note(seen, list(value) if name == function.rest else value)

    def note_result(self, function, value):
        function.results += 1
        if function.results == MOST_CALLS:
            setattr(builtins, RESULT + function.number, None)
        self.note(function.result, value)
        frame = sys._getframe(1)  # of the function
        deep = function.results <= MOST_DEEP
        for name, held in frame.f_locals.items():
            if name not in frame.f_code.co_freevars and (deep or type(held) not in CONTAINERS):
                self.note(function.locals.setdefault(name, {}), held)
        if function.of_class and function.names:
            for name, held in self.attributes_of(frame.f_locals.get(function.names[0])):
                if deep or type(held) not in CONTAINERS:
                    self.note(function.attributes.setdefault(name, {}), held)
        return value

    @staticmethod
    def attributes_of(value):
        """Returns the attributes of an object, and the parts of a module, without calling its class."""
        try:
            own = object.__getattribute__(value, "__dict__")
            parts = [part.items() for name in ("_modules", "_parameters", "_buffers") if type(part := own.get(name)) in MAPPINGS]
            return [each for items in (own.items(), *parts) for each in items][:MOST_LOOKED_AT]
        except Exception:  # it has slots
            return []

    def note(self, seen, value):
        try:
            described = self.described(value, DEEPEST_TYPE)
            if described not in seen and len(seen) < MOST_TYPES:
                seen[described] = None
        except Exception:  # such as a RecursionError: observing must not change the run
            pass

    def described(self, value, depth):
        """Returns the TYPE of a value without calling anything of the notebook."""
        of, torch = type(value), self.torch
        if of in KINDS:
            large = {"large": True} if of is int and not -(2 ** 63) <= value < 2 ** 63 else {}
            return type_of(KINDS[of], **large)
        if of is torch.Tensor or of is torch.nn.Parameter:
            parameter = {"parameter": True} if of is torch.nn.Parameter else {}
            return (*tensor_type(torch, value, "tensor"), *parameter.items())
        if of.__module__ == "numpy" and of.__name__ == "ndarray":
            numbers = {"b": "boolean", "i": "integer", "u": "integer", "f": "floating"}.get(value.dtype.kind, "unknown")
            return type_of("array", numbers=numbers, dimensions=value.ndim, gradient=False)
        if of in (list, tuple, dict) and depth > 0:
            return type_of(of.__name__, items=self.items(value, depth - 1))
        if of is collections.defaultdict and depth > 0:
            return type_of("dict", items=self.items(value, depth - 1))
        if of in COLLECTIONS and depth > 0:
            return type_of(COLLECTIONS[of], items=self.items(list(itertools.islice(value, MOST_LOOKED_AT)), depth - 1))
        if of is types.MethodType:
            return self.described(value.__func__, depth)
        if of in (types.FunctionType, types.BuiltinFunctionType):
            return self.of_function(value)
        if issubclass(of, type):
            return self.of_class(value, "class")
        parts = self.parts_of(value, of) if depth > 0 else None
        if parts is not None:
            return (*self.of_class(of, "library"), ("items", tuple(self.described(each, depth - 1) for each in parts)))
        return self.of_class(of, "object" if of.__module__ == "__main__" else "library")

    def parts_of(self, value, of):
        """Returns the parts of an object of PyTorch on which its type in C++ depends; None for others."""
        nn, data = self.torch.nn, self.torch.utils.data
        if of in (nn.Sequential, nn.ModuleList):
            return list(value._modules.values())
        if of in (data.DataLoader, data.Subset):
            return [value.dataset]
        return list(value.tensors) if of is data.TensorDataset else None

    def items(self, value, depth):
        if type(value) is tuple and len(value) <= MOST_LOOKED_AT:
            return tuple(self.described(each, depth) for each in value)
        most = MOST_LOOKED_AT if depth == DEEPEST_TYPE - 1 else MOST_INSIDE
        if isinstance(value, dict):
            pairs = list(itertools.islice(value.items(), most))
            return tuple(tuple(dict.fromkeys(self.described(pair[i], depth) for pair in pairs)) for i in (0, 1))
        return tuple(dict.fromkeys(self.described(each, depth) for each in value[:: 1 + len(value) // most]))

    def of_function(self, value):
        function = self.of_notebook(value)
        if function:
            cell, line, column = function.place
            return type_of("function", cell=cell, line=line, column=column, name=function.name)
        torch, name = self.torch, value.__name__
        return type_of("builtin", name=f"torch.{name}" if getattr(torch, name, None) is value else path_of(value))

    def of_notebook(self, value):
        """Returns the function of the notebook that a value is, or that a decorator has wrapped; None for others."""
        while type(value) is types.FunctionType:
            for each in value.__code__.co_names:
                if each in self.functions:
                    return self.functions[each]
            value = vars(value).get("__wrapped__")
        return None

    def place_of_class(self, of):
        """Returns the place of a class of the notebook. Another one of the same name may be below."""
        if of not in self.places:
            methods = filter(None, map(self.of_notebook, vars(of).values()))
            self.places[of] = next((each.of_class for each in methods if each.of_class), self.classes.get(of.__qualname__))
        return self.places[of]

    def of_class(self, of, kind):
        place = self.place_of_class(of) if of.__module__ == "__main__" else None
        if not place:
            return type_of(kind, **{"class": path_of(of)})
        return type_of(kind, **{"class": of.__name__, "cell": place[0], "line": place[1], "column": place[2]})

    def seen(self):
        """Returns the observations since the last call."""
        noted = {"functions": [each.json() for each in self.active], "branches": self.branches, "values": self.values_seen()}
        for each in self.active:
            self.begin(each)
        self.active, self.branches = {}, []
        return noted
