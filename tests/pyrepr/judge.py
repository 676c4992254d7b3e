"""Confirms the expectations of C++ tests with PyTorch: judge.py TEST_EXECUTABLE...

Each executable writes the expectations of its EXPECT_PYTHON lines, as JSON, to the file that TORCHBOOK_JUDGE_OUT names.
An expected text thus comes from PyTorch and never from the code under test.
Exit status: 0 if all agree; 1 if one disagrees, a test fails or there is no expectation; 2 if PyTorch is missing.
"""

import collections
import enum
import io
import json
import math
import os
import subprocess
import sys
import tempfile

try:
    import torch
except ImportError as error:
    print(f"judge: PyTorch is missing: {error}", file=sys.stderr)
    sys.exit(2)


def pretty(value):
    """Returns what Jupyter shows of a value."""
    from IPython.lib.pretty import pretty as shown  # only here: the other texts need no Jupyter

    return shown(value)


def repr_with(value, **options):
    """Returns repr(value) under torch.set_printoptions(**options)."""
    torch.set_printoptions(**options)
    try:
        return repr(value)
    finally:
        torch.set_printoptions(profile="default")


def repr_with_default(dtype, make):
    """Returns repr(make()) while dtype is the default dtype."""
    torch.set_default_dtype(dtype)
    try:
        return repr(make())
    finally:
        torch.set_default_dtype(torch.float32)


def repr_dual(primal, tangent):
    """Returns the repr of a dual number of forward-mode autograd."""
    with torch.autograd.forward_ad.dual_level():
        return repr(torch.autograd.forward_ad.make_dual(primal, tangent))


def repr_in(transform, value):
    """Returns the repr that a tensor has inside of torch.func.vmap or grad."""
    try:
        import torch.func as func
    except ImportError:
        import functorch as func  # PyTorch 1.13
    texts = []
    getattr(func, transform)(lambda inner: (texts.append(repr(inner)), inner.sum())[1])(value)
    return texts[0]


def summary(t):
    """Returns what pyrepr's summary says of a dense tensor, by the functions of PyTorch."""
    t = t.detach()
    parts = [f"{tuple(t.shape)} {str(t.dtype).replace('torch.', '')}"]
    of_all = t.abs() if t.is_complex() else t
    finite = of_all[of_all.isfinite()]
    if t.dtype == torch.bool:
        parts.append(f"{t.sum()} of {t.numel()} True")
    elif len(finite):
        spec = ".4g" if t.is_floating_point() or t.is_complex() else ""
        ends = [format(end.item(), spec) for end in (finite.min(), finite.max())]
        alone = "" if t.numel() == 1 else "all "
        shown = alone + ends[0] if ends[0] == ends[1] else " … ".join(ends)
        parts.append("abs " * t.is_complex() + shown)
        if ends[0] != ends[1]:
            parts += [f"mean {finite.double().mean():.4g}", f"std {finite.double().std():.4g}"]
    parts += [f"{count} {kind}" for kind, count in (("nan", t.isnan().sum()), ("inf", t.isinf().sum())) if count]
    return ", ".join(parts + [f"strides {t.stride()}"] * (not t.is_contiguous()))


def module(name, children=(), extra=""):
    """Returns a module of a class with this name, with named children and this extra_repr."""
    made = type(name, (torch.nn.Module,), {"extra_repr": lambda self: extra})()
    for child in children:
        made.add_module(child, children[child])
    return made


def message_of(refused):
    """Returns the message of the exception that refused() raises."""
    try:
        refused()
    except Exception as error:
        return str(error)
    raise AssertionError("nothing was raised")


def takes(value, spec):
    """Returns whether format(value, spec) raises nothing."""
    try:
        format(value, spec)
    except (TypeError, ValueError):
        return False
    return True


def printed(*values, **options):
    """Returns what print writes."""
    out = io.StringIO()
    print(*values, **options, file=out)
    return out.getvalue()


NAMESPACE = {
    "collections": collections,
    "enum": enum,
    "inf": math.inf,
    "OrderedDict": collections.OrderedDict,
    "math": math,
    "message_of": message_of,
    "module": module,
    "nan": math.nan,
    "nn": torch.nn,
    "pretty": pretty,
    "printed": printed,
    "repr_dual": repr_dual,
    "repr_in": repr_in,
    "repr_with": repr_with,
    "repr_with_default": repr_with_default,
    "summary": summary,
    "takes": takes,
    "torch": torch,
}


def outcome(python):
    """Evaluates the expression: ("text", its value) or ("raises", the name of the exception)."""
    try:
        return "text", eval(python, dict(NAMESPACE))
    except Exception as error:
        return "raises", type(error).__name__


def recorded(executable):
    """Runs a test executable. Returns its expectations and whether it passed."""
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as out:
        environment = dict(os.environ, TORCHBOOK_JUDGE_OUT=out.name)
        status = subprocess.run([executable, "--gtest_brief=1"], env=environment).returncode
        lines = [json.loads(line) for line in out.read().decode().splitlines()]
    if status != 0:
        print(f"{executable} ended with status {status}")
    elif not lines:
        print(f"{executable} recorded no expectation")
    return lines, status == 0 and bool(lines)


def main(executables):
    expectations = []
    good = bool(executables)
    for executable in executables:
        lines, passed = recorded(executable)
        expectations += lines
        good = good and passed

    disagreements = 0
    for line in expectations:
        kind = "text" if "text" in line else "raises"
        actual = outcome(line["python"])
        if actual != (kind, line[kind]):
            disagreements += 1
            print(f"DISAGREEMENT in {line['python']}")
            print(f"  test expects {kind} {line[kind]!r}")
            print(f"  PyTorch gives {actual[0]} {actual[1]!r}")

    verdict = "all agree" if expectations else "nothing to judge"
    if disagreements:
        verdict = f"{disagreements} disagree"
    print(f"{len(expectations)} expectations judged by PyTorch {torch.__version__}: {verdict}")
    return 0 if good and not disagreements else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
