"""Reads the cells of a notebook as JSON from stdin, and writes the tree of each to descriptor 3. Follows quiet.py in the same
text."""
import ast
import io
import json
import os
import re
import sys
import tokenize
import warnings

DEPTH = 200  # of the tree; the reader has a limit, too


def constant(value):
    """Returns the repr of a constant, and its type."""
    if value is Ellipsis:
        return {"type": "ellipsis", "value": "..."}
    text = value if isinstance(value, str) else repr(value)
    return {"type": type(value).__name__, "value": text.encode("utf-8", "replace").decode("utf-8")}


def as_json(node, depth=0):
    """Returns a node of the tree with its fields."""
    if depth > DEPTH:
        raise RecursionError
    if isinstance(node, list):
        return [as_json(item, depth + 1) for item in node]
    if not isinstance(node, ast.AST):
        return node
    result = {"_": type(node).__name__}
    if isinstance(node, ast.Constant):
        result.update(constant(node.value))
        if hasattr(node, "spelled"):
            result["spelled"] = node.spelled
    else:
        result.update((name, as_json(value, depth + 1)) for name, value in ast.iter_fields(node))
    for name in ("lineno", "end_lineno", "col_offset", *(["end_col_offset"] if isinstance(node, ast.Attribute) else [])):
        if hasattr(node, name):
            result[name] = getattr(node, name)
    return result


def is_constant(node):
    """Returns whether an expression is a number, text or the like that is written out."""
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant)


def is_dataclass(node):
    return [ast.unparse(each) for each in node.decorator_list] in (["dataclass"], ["dataclasses.dataclass"])


def constructor_of(fields, with_parameters):
    """Returns an __init__ that assigns attributes: its arguments, or the constants of the class."""
    given, assigned = ["self"], []
    for name, value in fields:
        text = ast.unparse(value) if value else ""
        given.append(f"{name}={text}" if text else name)
        assigned.append(f"    self.{name} = {name if with_parameters else text}")
    head = ", ".join(given if with_parameters else ["self"])
    return ast.parse("\n".join([f"def __init__({head}):"] + assigned)).body[0]


class AttributesOfObjects(ast.NodeTransformer):
    """Makes the attributes of a class those of its objects, which __init__ assigns. A class stays as it is if objects
    may share them, as they do a list."""

    def visit_ClassDef(self, node):
        self.generic_visit(node)
        data = is_dataclass(node)
        kinds = ast.AnnAssign if data else (ast.Assign, ast.AnnAssign)
        assigned = [each for each in node.body if isinstance(each, (ast.Assign, ast.AnnAssign))]
        made = [each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"]
        fields = [((each.targets[0] if isinstance(each, ast.Assign) else each.target), each.value) for each in assigned]
        known = all(isinstance(each, kinds) and isinstance(name, ast.Name) and (is_constant(value) if value else data)
                    for each, (name, value) in zip(assigned, fields))
        plain = not node.bases and not made if data else not node.decorator_list and (made or not node.bases)
        if not assigned or not known or not plain or any("Var" in ast.dump(each) for each in assigned):
            return node
        constructor = constructor_of([(name.id, value) for name, value in fields], with_parameters=data)
        for each in ast.walk(constructor):
            if hasattr(each, "lineno"):
                ast.copy_location(each, assigned[0])
        if made:
            made[0].body[:0] = constructor.body
        node.body = [each for each in node.body if each not in assigned] + ([] if made else [constructor])
        node.decorator_list = []
        return node


def empty_row(node):
    """Returns the target to which a statement assigns an empty nn.Sequential(), as text; None for another statement."""
    value = node.value if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    plain = isinstance(value, ast.Call) and not value.args and not value.keywords
    named = plain and ast.unparse(value.func).split(".")[-1] == "Sequential"
    return ast.unparse(node.targets[0]) if named else None


def added_module(node, row):
    """Returns the name and the module that a statement adds to an nn.Sequential; None for another statement."""
    call = node.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    adds = call and isinstance(call.func, ast.Attribute) and call.func.attr == "add_module"
    fits = adds and ast.unparse(call.func.value) == row and len(call.args) == 2 and not call.keywords
    return ast.Tuple(call.args, ast.Load()) if fits else None


class RowsOfModules(ast.NodeTransformer):
    """Merges an empty nn.Sequential() and the add_module() right below it into one statement."""

    def generic_visit(self, node):
        super().generic_visit(node)
        for field in ("body", "orelse"):
            statements = getattr(node, field, None)
            if isinstance(statements, list):
                setattr(node, field, self.joined(statements))
        return node

    @staticmethod
    def joined(statements):
        result = []
        pairs, row = None, None
        for each in statements:
            pair = added_module(each, row) if row else None
            if pair is None:
                pairs, row = None, empty_row(each)
                result.append(each)
                continue
            if pairs is None:
                pairs = ast.List([], ast.Load())
                result[-1].value.args = [ast.Call(ast.Name("OrderedDict", ast.Load()), [pairs], [])]
            pairs.elts.append(pair)
            result[-1].end_lineno = each.end_lineno
        return result


def is_main(node):
    """Returns whether a statement is `if __name__ == "__main__":`, which always runs in a notebook."""
    return isinstance(node, ast.If) and not node.orelse and ast.unparse(node.test) == "__name__ == '__main__'"


def without_main(tree):
    """Replaces each `if __name__ == "__main__":` by its statements. Returns whether the last statement was one."""
    last = bool(tree.body) and is_main(tree.body[-1])
    tree.body = [part for each in tree.body for part in (each.body if is_main(each) else [each])]
    return last


class WithoutProgress(ast.NodeTransformer):
    """Replaces loops over `tqdm(values)` by loops over the values: it yields them unchanged, and draws to stderr."""

    def __init__(self):
        self.names = {}  # how the notebook names functions of tqdm, and their names there
        self.through = {"enumerate", "list", "zip"}

    def visit_Import(self, node):
        for each in node.names:
            if each.name.split(".")[0] == "tqdm":
                bases = [each.asname] if each.asname else ["tqdm", each.name]
                self.names.update((f"{base}.{name}", name) for base in bases for name in ("tqdm", "trange"))
        return node

    def visit_ImportFrom(self, node):
        if (node.module or "").split(".")[0] == "tqdm":
            self.names.update((each.asname or each.name, each.name) for each in node.names
                              if each.name in ("tqdm", "trange"))
        return node

    def plain(self, node):
        """Returns the values of a loop without its progress bar."""
        if not isinstance(node, ast.Call) or not node.args:
            return node
        called = ast.unparse(node.func)
        if called in self.through:
            node.args = [self.plain(each) for each in node.args]
        if called not in self.names or any(isinstance(each, ast.Starred) for each in node.args):
            return node
        if self.names[called] == "tqdm":
            return self.plain(node.args[0])
        return ast.copy_location(ast.Call(ast.copy_location(ast.Name("range", ast.Load()), node), node.args, []), node)

    def visit_For(self, node):
        node.iter = self.plain(node.iter)
        return self.generic_visit(node)

    def visit_comprehension(self, node):
        node.iter = self.plain(node.iter)
        return self.generic_visit(node)


def comments_of(source):
    """Returns the place and text of each comment, and whether it is alone in its line."""
    found = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            alone = not token.line[:token.start[1]].strip()
            text = token.string.lstrip("#").strip().rstrip("\\ \t")  # a backslash would join the next line of C++
            found.append({"_": "Comment", "lineno": token.start[0], "col_offset": token.start[1], "alone": int(alone),
                          "type": "str", "value": text})
            if token.start[1] == 0 and text.startswith(("axis ", "words ")) and token.string == "# " + text:
                found[-1]["axis"] = True
    return found


def keep_spellings(tree, source):
    """Notes the spelling of floats such as `0.10` and `1e-3`, if it is valid in C++, too."""
    numbers = {token.start: token.string for token in tokenize.generate_tokens(io.StringIO(source).readline)
               if token.type == tokenize.NUMBER}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is float:
            text = numbers.get((node.lineno, node.col_offset), "")
            if re.fullmatch(r"\d+\.\d+([eE][+-]?\d+)?|\d+[eE][+-]?\d+", text) and float(text) == node.value:
                node.spelled = text


def tree_of(source, progress):
    """Returns the tree of a cell, or why there is none."""
    try:
        parsed = ast.parse(source)
        keep_spellings(parsed, source)
        ends_in_block = without_main(parsed)
        tree = as_json(RowsOfModules().visit(AttributesOfObjects().visit(progress.visit(parsed))))
        if ends_in_block or is_quiet(source):
            tree["quiet"] = True
        tree["lines"] = source.count("\n") + 1
        tree["comments"] = comments_of(source)
        return tree
    except SyntaxError as error:
        return {"why": f"Python cannot read it: {error.msg}"}
    except (RecursionError, MemoryError, ValueError):
        return {"why": "it is nested too deep"}


def main():
    """Writes a list with the tree of each cell."""
    warnings.simplefilter("ignore")
    progress = WithoutProgress()
    trees = [tree_of(source, progress) for source in json.load(sys.stdin)]
    with os.fdopen(3, "w", encoding="utf-8") as answer:
        json.dump(trees, answer, allow_nan=False)


main()
