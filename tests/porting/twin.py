"""Runs the Python blocks of the guide."""
import ast
import contextlib
import io

from IPython.lib.pretty import pretty


def printed_by(preamble, code):
    """Returns what the code prints, followed by what Jupyter shows of its last expression."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    names = {}
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(preamble, "preamble", "exec"), names)
        exec(compile(tree, "block", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "block", "eval"), names)
            if value is not None:
                print(pretty(value))
    return out.getvalue()
