"""Reads the cells of a notebook as JSON from stdin, and writes the tree of each to descriptor 3."""
import ast
import io
import json
import os
import sys
import tokenize
import warnings

DEPTH = 200  # of the tree; the reader has a limit, too


def constant(value):
    """Returns a constant as the text that Python shows of it, and its type."""
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
    else:
        result.update((name, as_json(value, depth + 1)) for name, value in ast.iter_fields(node))
    for name in ("lineno", "end_lineno", "col_offset"):
        if hasattr(node, name):
            result[name] = getattr(node, name)
    return result


def is_quiet(source):
    """Tells whether the last token is a semicolon. Then Jupyter displays nothing."""
    ignored = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER, tokenize.DEDENT, tokenize.INDENT}
    last = ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in ignored:
            last = token.string
    return last == ";"


def tree_of(source):
    """Returns the tree of a cell, or why there is none."""
    try:
        tree = as_json(ast.parse(source))
        if is_quiet(source):
            tree["quiet"] = True
        tree["lines"] = source.count("\n") + 1
        return tree
    except SyntaxError as error:
        return {"why": f"Python cannot read it: {error.msg}"}
    except (RecursionError, MemoryError, ValueError):
        return {"why": "it is nested too deep"}


def main():
    """Answers with a list that has the tree of each cell."""
    warnings.simplefilter("ignore")
    trees = [tree_of(source) for source in json.load(sys.stdin)]
    with os.fdopen(3, "w", encoding="utf-8") as answer:
        json.dump(trees, answer, allow_nan=False)


main()
