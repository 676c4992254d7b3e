"""Draws random strings and format specs."""

import re
import unicodedata

# pyrepr has the tables of Unicode 14. With another Python, only characters that both know are drawn.
KNOWN = unicodedata if unicodedata.unidata_version == "14.0.0" else unicodedata.ucd_3_2_0
ANY_CHARACTER = KNOWN is unicodedata
BORDER_CHARACTERS = "'\"\\\n\r\t\0\x1b\x1f\x7f\x80\xa0\xad\xff\u0378\u200b\u2028\u3000"
BORDER_CHARACTERS += "\ud7ff\ue000\ufeff\uffff\U00010000\U0010ffff"
NOT_UTF8 = [b"\x80", b"\xbf", b"\xc0\x80", b"\xc1\xbf", b"\xc3", b"\xe0\x9f\xbf", b"\xe2\x82"]
NOT_UTF8 += [b"\xed\xa0\x80", b"\xed\xbf\xbf"]
NOT_UTF8 += [b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf0\x9f\x98", b"\xf5", b"\xff", b"\xfe"]


def random_character(rng):
    """Draws UTF-8, and sometimes bytes that are not UTF-8."""
    draw = rng.random()
    if draw < 0.06:
        return rng.choice(NOT_UTF8)
    if draw < 0.2:
        return rng.choice(BORDER_CHARACTERS).encode()
    if draw < 0.5:
        return bytes([rng.randrange(128)])
    code = rng.randrange(rng.choice((0x100, 0x3000, 0x10000, 0x20000, 0x110000)))
    known = ANY_CHARACTER or KNOWN.category(chr(code)) != "Cn"
    return chr(code if known and not 0xD800 <= code < 0xE000 else 0xE9).encode()


def random_text(rng):
    if rng.random() < 0.1:
        return rng.randbytes(rng.randrange(8))
    return b"".join(random_character(rng) for _ in range(rng.randrange(10)))


def random_spec(rng):
    """Draws a format spec, mostly a valid one.

    It has no separator after the point, which only Python 3.14 and later accept.
    """
    return re.sub(r"\.(\d*)[,_]+", r".\1", any_spec(rng)).encode()


def any_spec(rng):

    def sometimes(chance, *choices):
        return rng.choice(choices) if rng.random() < chance else ""

    if rng.random() < 0.05:
        return "".join(rng.choice("0123456789.,_+-<>^=#zefgdxn% é中") for _ in range(rng.randrange(6)))
    align = sometimes(0.4, *"<>^=")
    fill = sometimes(0.5, "*", "0", " ", "é", "x", "😀") if align else ""
    sign = sometimes(0.3, *"+- ")
    flags = sometimes(0.05, "z") + sometimes(0.1, "#") + sometimes(0.2, "0")
    width = sometimes(0.5, str(rng.randrange(1, 40)), "8", "12")
    grouping = sometimes(0.2, *",_")
    precision = sometimes(0.6, ".0", ".1", ".2", ".3", ".6", ".%d" % rng.randrange(30))
    kind = sometimes(0.7, *"eEfFgG%dnfffeg")
    if rng.random() < 0.2:
        precision, kind = "", sometimes(0.8, *"bcdoxXns")
    return fill + align + sign + flags + width + grouping + precision + kind
