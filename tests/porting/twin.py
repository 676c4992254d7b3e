"""Runs the Python blocks of the guide."""
import ast
import contextlib
import io


def printed_by(preamble, code):
    """Returns what the code prints, followed, as in a notebook, by the repr of its last expression."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    names = {}
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(preamble, "preamble", "exec"), names)
        exec(compile(tree, "block", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "block", "eval"), names)
            if value is not None:
                print(repr(value))
    return out.getvalue()
