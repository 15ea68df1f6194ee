"""Numbers as people write them when they work on paper: 0.71, 0,71, 3/4, ½, √2/2, 1/sqrt(2).

quotient = product { "/" product }
product  = factor { ["*"] factor }                2√3, 2*3
factor   = ("√" | "sqrt") factor | ( "(" sum ")" | decimal ) ["%"]
sum      = [sign] quotient { sign quotient }
"""

from __future__ import annotations

import math
import re
import unicodedata

from courses.errors import Refused

MAX_LENGTH = 60
TOKEN = re.compile(r"\s*(?:(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))|(?P<root>√|sqrt)|(?P<sign>[-+*/()%]))")
THOUSANDS = re.compile(r"[0-9]{1,3}(,[0-9]{3}){2,}")
VULGAR = re.compile(r"([0-9]*)([¼-¾⅐-⅞])")  # ½, and 1½
LOOKALIKES = str.maketrans({"−": "-", "–": "-", "⁄": "/", "·": "*", "×": "*", "÷": "/"})
EXPECTED = "Write a number, such as 0.71, 3/4 or 1/√2"


def number_parse(text: str) -> float:
    """The number that `text` stands for. Raises Refused where it stands for none."""
    if not text.strip():
        raise Refused(f"{EXPECTED}; the box is empty.")
    if len(text) > MAX_LENGTH:
        raise Refused(f"{EXPECTED}; this is {len(text)} characters long.")
    parser = _Parser(_tokens(text), text)
    value = parser.sum()
    if parser.rest:
        raise parser.unreadable()
    if not math.isfinite(value):
        raise Refused(f"{EXPECTED}; “{text.strip()}” is not finite.")
    return value


def _plain(text: str) -> str:
    """ASCII digits, one decimal point, one sign for each operation; a vulgar fraction in brackets."""
    # NFKC turns ½ into 1⁄2 and full-width digits into plain ones; a superscript would become a digit: refuse it.
    if any("SUPERSCRIPT" in unicodedata.name(character, "") for character in text):
        raise Refused(f"{EXPECTED}; powers are not read.")
    plain = VULGAR.sub(lambda match: f"({match[1]}{'+' if match[1] else ''}{match[2]})", text.strip().lower())
    plain = unicodedata.normalize("NFKC", plain).translate(LOOKALIKES)
    plain = THOUSANDS.sub(lambda match: match[0].replace(",", ""), plain)
    return re.sub(r"(?<=[0-9]),(?=[0-9])", ".", plain)


def _tokens(text: str) -> list[str]:
    plain = _plain(text)
    tokens, at = [], 0
    while at < len(plain):
        match = TOKEN.match(plain, at)
        if match is None:
            raise Refused(f"{EXPECTED}; “{plain[at:].strip()[:20]}” cannot be read as one.")
        tokens.append(match[match.lastgroup or 0])
        at = match.end()
    return tokens


class _Parser:
    """Recursive descent over at most MAX_LENGTH tokens; nothing of the text is ever evaluated as code."""

    def __init__(self, tokens: list[str], text: str) -> None:
        self.rest = tokens
        self.text = text.strip()

    def sum(self) -> float:
        sign = self.take("-", "+")
        value = -self.quotient() if sign == "-" else self.quotient()
        while sign := self.take("-", "+"):
            value += -self.quotient() if sign == "-" else self.quotient()
        return value

    def quotient(self) -> float:
        value = self.product()
        while self.take("/"):
            divisor = self.product()
            if divisor == 0:
                raise Refused(f"“{self.text}” divides by zero.")
            value /= divisor
        return value

    def product(self) -> float:
        value = self.factor()
        while self.take("*") or (self.rest and self.rest[0] in {"√", "sqrt", "("}):
            value *= self.factor()
        return value

    def factor(self) -> float:
        if self.take("√", "sqrt"):
            inside = self.factor()
            if inside < 0:
                raise Refused(f"“{self.text}” takes the root of a negative number.")
            return math.sqrt(inside)
        value = self.bracket() if self.take("(") else self.decimal()
        return value / 100 if self.take("%") else value

    def bracket(self) -> float:
        value = self.sum()
        if not self.take(")"):
            raise self.unreadable()
        return value

    def decimal(self) -> float:
        if not self.rest or self.rest[0][0] not in "0123456789.":
            raise self.unreadable()
        return float(self.rest.pop(0))

    def take(self, *wanted: str) -> str:
        return self.rest.pop(0) if self.rest and self.rest[0] in wanted else ""

    def unreadable(self) -> Refused:
        return Refused(f"{EXPECTED}; “{self.text}” cannot be read as one.")
