"""What the worked example's steps are called, and what is said about each. Texts are Markdown."""

from __future__ import annotations

from string import ascii_lowercase

from attention_core.worked_example import DETAILED, WORDS, Cell, Step, worked_example
from courses.figures.words import decimal, listed, short, vector

GIVEN = "Given"
STAGES = {"project": "Project", "score": "Score", "scale": "Score", "softmax": "Share", "blend": "Blend"}
ROLES = {"Q": "query", "K": "key", "V": "value"}
ORDINALS = ("first", "second", "third", "fourth")
COUNTED = ("no", "one", "two", "three", "four")
LAST = len(WORDS) - 1  # of the rows that follow the detailed one, the last

Text = tuple[str, str]


def given_text() -> str:
    return (
        f"Four words, {listed([f'*{word}*' for word in WORDS])}, each a row of three numbers in x. Three matrices turn "
        "a row of three numbers into one of two: a query, a key, a value. All that follows is multiplying, adding, "
        "dividing, and the exponential."
    )


def detailed_text(step: Step) -> Text:
    """Title and text of a step that works out a single number."""
    (target,) = step.writes
    title, reason = _title(step), _reason(step, target)
    rounded = (
        " (The sum is taken with all digits of the weights, not just those shown.)" if step.stage == "blend" else ""
    )
    return title, f"{reason}: {step.expression} = **{_result(step)}**.{rounded}"


def product_text(step: Step, pair: int) -> Text:
    """Title and text of one product of a dot product."""
    factors = step.expression.split(" + ")[pair]
    half = len(step.reads) // 2
    product = step.operands[pair] * step.operands[half + pair]
    written = short(product) if step.stage != "blend" else decimal(product)
    start = f"{_reason(step, step.writes[0])}. " if pair == 0 else ""
    letter = ascii_lowercase[pair]
    return f"{_title(step)}: product {letter}", f"{start}The two numbers marked {letter}: {factors} = **{written}**."


def sum_text(step: Step) -> Text:
    """Title and text of the step that adds up the products."""
    half = len(step.reads) // 2
    products = [a * b for a, b in zip(step.operands[:half], step.operands[half:], strict=True)]
    written = " + ".join(map(short if step.stage != "blend" else decimal, products))
    rounded = " (It is taken with all digits, not just those shown.)" if step.stage == "blend" else ""
    return (
        f"{_title(step)}: the sum",
        f"Add the {COUNTED[half]} products: {written} = **{_result(step)}**. This was one dot product, and from now on "
        f"such a one is a single step.{rounded}",
    )


def row_text(step: Step, row: int) -> Text:
    """Title and text of a step that does to the row of another word what was done to that of the detailed one."""
    word, target = WORDS[row], step.writes[-1].matrix
    values = worked_example().matrix(target)[row]
    if target in ROLES:
        role, weight = ROLES[target], f"W{ROLES[target][:1]}"
        whole = f" All at once, this is x times {weight}." if row == LAST else ""
        text = f"The same for *{word}*: its row in x times {weight} is **{vector(values)}**.{whole}"
        return f"The {role} of “{word}”", text
    return {
        "products": _products_text,
        "scores": _scores_text,
        "weights": _weights_text,
        "output": _output_text,
    }[target](word, row, f"**{vector(values)}**")


def _products_text(word: str, row: int, values: str) -> Text:
    whole = " All at once, this is Q times Kᵀ." if row == LAST else ""
    query = vector(worked_example().Q[row])
    return (
        f"“{word}” asks all four",
        f"The query of *{word}*, {query}, meets each key in the same way: {values}.{whole}",
    )


def _scores_text(word: str, _row: int, values: str) -> Text:
    return f"Divide the row of “{word}”", f"Each product over √2: {values}."


def _weights_text(word: str, row: int, values: str) -> Text:
    example = worked_example()
    exponentials, total = vector(example.exponentials[row]), decimal(example.totals[row, 0])
    text = f"The exponentials are {exponentials} and sum to {total}; as shares of that sum they are {values}."
    return f"The weights of “{word}”", text


def _output_text(word: str, row: int, values: str) -> Text:
    whole = " All at once, this is weights times V, and it is the result." if row == LAST else ""
    return f"The output of “{word}”", f"The values, blended in the proportions of the row of *{word}*: {values}.{whole}"


def _title(step: Step) -> str:
    (target,) = step.writes
    word, other, which = WORDS[target.row], WORDS[target.column], ORDINALS[target.column]
    if step.stage == "softmax":
        return {
            "exponentials": f"The exponential: “{word}” and “{other}”",
            "totals": f"The sum for “{word}”",
            "weights": f"The weight that “{word}” gives to “{other}”",
        }[target.matrix]
    return {
        "project": f"The {ROLES.get(target.matrix, '')} of “{word}”, {which} number",
        "score": f"“{word}” asks “{other}”",
        "scale": f"Divide: “{word}” and “{other}”",
        "blend": f"The output of “{word}”, {which} number",
    }[step.stage]


def _reason(step: Step, target: Cell) -> str:
    word, other, which = WORDS[target.row], WORDS[target.column], ORDINALS[target.column]
    if step.stage == "softmax":
        return {
            "exponentials": "Softmax begins with the exponential of the score, positive whatever the score",
            "totals": "Add up the exponentials of the row",
            "weights": "Take its share of the sum",
        }[target.matrix]
    asked = f"{vector(worked_example().Q[DETAILED])} times {vector(worked_example().K[target.column])}"
    weight = f"W{ROLES.get(target.matrix, '')[:1]}"
    return {
        "project": f"Take the row of *{word}* in x and the {which} column of {weight}, and multiply number by number",
        "score": f"How well do they match? The query of *{word}* times the key of *{other}* is {asked}",
        "scale": "The width d is 2, so divide by √2",
        "blend": f"Blend the {which} numbers of the values in the proportions of the weights",
    }[step.stage]


def _result(step: Step) -> str:
    """As the step's matrix shows it."""
    return short(step.results[0]) if step.stage in ("project", "score") else decimal(step.results[0])
