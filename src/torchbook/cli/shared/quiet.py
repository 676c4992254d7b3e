import io
import tokenize


def is_quiet(source):
    """Whether a semicolon ends a cell, so that Jupyter displays nothing."""
    ignored = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER, tokenize.DEDENT, tokenize.INDENT}
    tokens = [each.string for each in tokenize.generate_tokens(io.StringIO(source).readline) if each.type not in ignored]
    return tokens[-1:] == [";"]
