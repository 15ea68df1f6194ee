"""The shape of every YAML file of a package, as pydantic models. docs/package-format.md tells it in prose."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal, Self, TypeVar
from uuid import UUID

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails

from courses.package.documents import Document
from courses.package.problems import Problems

T = TypeVar("T")

COST = "cost"  # the kind of check whose figures decide nothing: grader/checks/cost.py
PRECISION = "precision"  # the one that may compare some rows: grader/checks/precision_cases.py


Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=50)]
Text = Annotated[str, StringConstraints(pattern=r"\S")]
File = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*)*\.(md|yaml|py)$")]
Points = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,4}(\.[0-9]{1,2})?$")]
Uuid = Annotated[UUID, Field(strict=False)]
RetiredId = Annotated[str, StringConstraints(pattern=r"^[a-z]+:[a-z0-9-]+(/[a-z0-9-]+)?$")]
FileName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]+\.py$")]


class Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Place(Entry):
    slug: Slug
    title: Text
    summary: Text
    published: bool


class CourseFile(Entry):
    version: Literal[1] = Field(alias="schema")
    uuid: Uuid
    slug: Slug
    title: Text
    summary: Text
    lessons: list[Place] = Field(min_length=1)
    retired: list[RetiredId] = []


class Mistake(Entry):
    id: Slug
    title: Text
    meaning: Text
    section: Slug


class LessonFile(Entry):
    uuid: Uuid
    slug: Slug
    title: Text
    lede: Text
    minutes: int = Field(gt=0)
    objectives: list[Text] = Field(min_length=1)
    blocks: list[Any] = Field(min_length=1)  # each validated by itself, so that a bad one does not hide the others


class _Block(Entry):
    id: Slug
    title: Text


class _FileBlock(_Block):
    file: File


class ProseBlock(_FileBlock):
    kind: Literal["prose"]


class SectionBlock(_FileBlock):
    kind: Literal["section"]


class MapLink(Entry):
    """One concept leads to another. `text` says how, such as "what keeps them in range"."""

    source: Slug = Field(alias="from")
    target: Slug = Field(alias="to")
    text: Text


class MapBlock(_Block):
    kind: Literal["map"]
    links: list[MapLink] = []


class WaysBlock(_FileBlock):
    kind: Literal["ways"]


class PrerequisitesBlock(_FileBlock):
    kind: Literal["prerequisites"]


class PaperBlock(_FileBlock):
    kind: Literal["paper"]


class WorkedBlock(_FileBlock):
    kind: Literal["worked"]


class PlaygroundBlock(_FileBlock):
    kind: Literal["playground"]


class CostBlock(_FileBlock):
    kind: Literal["cost"]


class MythsBlock(_FileBlock):
    kind: Literal["myths"]


class QuizzesBlock(_FileBlock):
    kind: Literal["quizzes"]


class ExercisesBlock(_Block):
    kind: Literal["exercises"]
    slugs: list[Slug] = Field(min_length=1)


class CardsBlock(_FileBlock):
    kind: Literal["cards"]


class QuestionsBlock(_FileBlock):
    kind: Literal["questions"]


class ResourcesBlock(_FileBlock):
    kind: Literal["resources"]


class FinishBlock(_Block):
    kind: Literal["finish"]
    text: Text


Block = Annotated[
    ProseBlock
    | SectionBlock
    | MapBlock
    | WaysBlock
    | PrerequisitesBlock
    | PaperBlock
    | WorkedBlock
    | PlaygroundBlock
    | CostBlock
    | MythsBlock
    | QuizzesBlock
    | ExercisesBlock
    | CardsBlock
    | QuestionsBlock
    | ResourcesBlock
    | FinishBlock,
    Field(discriminator="kind"),
]


class FrontMatter(Entry):
    id: Slug
    title: Text


class Ways(Entry):
    everyday: Text
    formal: Text


class Prerequisite(Entry):
    id: Slug
    title: Text
    text: Text


class Box(Entry):
    id: Slug
    label: Text
    value: str | int | float  # a name of NUMBERS, or a number
    decimals: int = Field(ge=0, le=10)


class Slip(Entry):
    """What is said where a number is what this slip would give; which numbers those are, the figures compute."""

    id: Slug
    text: Text


class Paper(Entry):
    intro: Text
    boxes: list[Box] = Field(min_length=1)
    slips: list[Slip] = []
    close: Text | None = None  # said of a number that is off by one in its last decimal


class Worked(Entry):
    intro: Text


Word = Annotated[str, StringConstraints(pattern=r"^\S+$", max_length=30)]
Vectors = list[Annotated[list[Annotated[float, Field(ge=-1000, le=1000)]], Field(min_length=2, max_length=2)]]


class Preset(Entry):
    """What the playground can begin with. Numbers that are not given are made from the words' letters."""

    id: Slug
    title: Text
    look: Text  # what to look for
    example: Slug | None = None  # whose words and numbers to take, instead of `words`
    words: list[Word] | None = Field(default=None, min_length=1, max_length=12)
    Q: Vectors | None = None
    K: Vectors | None = None
    V: Vectors | None = None
    width: Literal[2, 16, 128] = 2
    causal: bool = False
    scale: bool = True
    temperature: float = Field(default=1, ge=0.1, le=3)

    @model_validator(mode="after")
    def _words_and_their_numbers(self) -> Self:
        given = [numbers for numbers in (self.Q, self.K, self.V) if numbers is not None]
        if (self.example is None) == (self.words is None):
            raise ValueError("a preset has either `example` or `words`")
        if given and (self.example or self.width != 2 or len(given) != 3):
            raise ValueError("`Q`, `K` and `V` are given together, with `words`, and at width 2")
        if self.example and self.width != 2:
            raise ValueError("an example has width 2")
        if any(len(numbers) != len(self.words or ()) for numbers in given):
            raise ValueError("`Q`, `K` and `V` have a row for each of the `words`")
        if self.temperature != round(self.temperature, 1):
            raise ValueError("`temperature` is given in tenths")
        return self


class Playground(Entry):
    intro: Text
    presets: list[Preset] = Field(min_length=1)  # it starts with the first

    @field_validator("presets")
    @classmethod
    def _each_once(cls, presets: list[Preset]) -> list[Preset]:
        ids = [preset.id for preset in presets]
        twice = sorted({each for each in ids if ids.count(each) > 1})
        if twice:
            raise ValueError(f"ids of presets are unique, these are here twice: {', '.join(twice)}")
        return presets


class CostExplorer(Entry):
    intro: Text


class Myth(Entry):
    id: Slug
    claim: Text
    truth: bool
    reality: Text
    evidence: Text  # the figure, numbers or experiment that show it
    section: Slug | None = None


class Choice(Entry):
    id: Slug
    text: Text
    correct: bool
    explanation: Text


class _Quiz(Entry):
    id: Slug
    prompt: Text
    explanation: Text
    section: Slug | None = None


class ChoiceQuiz(_Quiz):
    kind: Literal["choice"]
    choices: list[Choice] = Field(min_length=2)


class WrongNumber(Entry):
    value: str | int | float  # a name of NUMBERS, or a number
    explanation: Text


class NumericQuiz(_Quiz):
    kind: Literal["numeric"]
    value: str | int | float  # a name of NUMBERS, or a number
    decimals: int = Field(ge=0, le=10)
    wrong: list[WrongNumber] = Field(min_length=1)
    otherwise: Text  # said of every other wrong number


class OrderedStep(Entry):
    id: Slug
    text: Text
    explanation: Text  # said where this step is the first in a wrong place


class OrderingQuiz(_Quiz):
    kind: Literal["ordering"]
    steps: list[OrderedStep] = Field(min_length=3, max_length=9)  # in the right order


Quiz = Annotated[ChoiceQuiz | NumericQuiz | OrderingQuiz, Field(discriminator="kind")]


class ReviewCard(Entry):
    id: Slug
    front: Text
    back: Text
    section: Slug | None = None


class RubricPoint(Entry):
    id: Slug
    text: Text  # after "I said that": a learner ticks it beside the model answer


class Question(Entry):
    id: Slug
    prompt: Text
    answer: Text
    rubric: list[RubricPoint] = Field(min_length=2, max_length=4)
    section: Slug | None = None


class Resource(Entry):
    type: Literal["documentation", "article"]
    title: Text
    author: Text
    url: Annotated[str, StringConstraints(pattern=r"^https://[^\s<>\"]+$")]
    note: Text


# What the file of a block of each kind holds. Sections and prose are Markdown; map, finish and others have no file.
BLOCK_FILES: dict[str, TypeAdapter[Any]] = {
    "ways": TypeAdapter(Ways),
    "prerequisites": TypeAdapter(list[Prerequisite]),
    "paper": TypeAdapter(Paper),
    "worked": TypeAdapter(Worked),
    "playground": TypeAdapter(Playground),
    "cost": TypeAdapter(CostExplorer),
    "myths": TypeAdapter(list[Myth]),
    "quizzes": TypeAdapter(list[Quiz]),
    "cards": TypeAdapter(list[ReviewCard]),
    "questions": TypeAdapter(list[Question]),
    "resources": TypeAdapter(list[Resource]),
}
MARKDOWN_BLOCKS = {"prose", "section"}


class Limits(Entry):
    wall_seconds: float = Field(default=10, gt=0, le=600)
    memory_mb: int = Field(default=512, gt=0)
    source_kb: int = Field(default=64, gt=0)
    output_kb: int = Field(default=1000, gt=0)


class Tolerance(Entry):
    rtol: float = Field(default=1e-6, ge=0, lt=1)
    atol: float = Field(default=1e-9, ge=0)


class Check(Entry):
    id: Slug
    kind: Slug
    points: Points
    visibility: Literal["shown", "hidden", "shown-after-passing"]
    concept: Slug
    message: Text
    device: Literal["cpu", "cuda"] = "cpu"
    parameters: dict[str, Any] = Field(default={}, alias="with")

    @field_validator("points")
    @classmethod
    def _more_than_none(cls, points: str, info: ValidationInfo) -> str:
        if Decimal(points) <= 0 and info.data.get("kind") != COST:
            raise ValueError(f"points are more than 0, but for the kind {COST}")
        return points

    @model_validator(mode="after")
    def _costs_are_information(self) -> Self:
        """They are what a learner's own process says: nothing may rest on them."""
        if self.kind == COST and (Decimal(self.points) or self.device != "cuda" or self.visibility != "shown"):
            raise ValueError(f'the kind {COST} is for information: it takes points "0", device cuda, visibility shown')
        return self

    @model_validator(mode="after")
    def _rows_are_pairs(self) -> Self:
        """Half of them are in the middle of the output, half at its end."""
        rows = self.parameters.get("rows", 2)
        if "rows" in self.parameters and self.kind != PRECISION:
            raise ValueError(f"`with: rows` is for the kind {PRECISION}, not {self.kind}")
        if type(rows) is not int or rows < 2 or rows % 2:
            raise ValueError(f"`with: rows` must be an even whole number from 2 on, it is {rows!r}")
        return self


class ExerciseFile(Entry):
    uuid: Uuid
    slug: Slug
    title: Text
    entry: Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
    signature: Text
    operation: Slug
    section: Slug
    limits: Limits = Limits()
    tolerance: Tolerance = Tolerance()
    rules: list[Literal["no-fused-attention"]] = []  # names of grader.rules.RULES
    checks: list[Check] = Field(min_length=1)


class Expectation(Entry):
    """What one wrong submission must come to. `mistakes` in the order in which the grader names them."""

    mistakes: list[Slug]
    fails: list[Slug]
    status: Literal["failed", "error", "timeout", "memory", "output", "crashed", "refused"] = "failed"


COURSE: TypeAdapter[CourseFile] = TypeAdapter(CourseFile)
MISTAKES: TypeAdapter[list[Mistake]] = TypeAdapter(list[Mistake])
LESSON: TypeAdapter[LessonFile] = TypeAdapter(LessonFile)
BLOCK: TypeAdapter[Any] = TypeAdapter(Block)
FRONT: TypeAdapter[FrontMatter] = TypeAdapter(FrontMatter)
EXERCISE: TypeAdapter[ExerciseFile] = TypeAdapter(ExerciseFile)
EXPECT: TypeAdapter[dict[FileName, Expectation]] = TypeAdapter(dict[FileName, Expectation])


def validate(
    adapter: TypeAdapter[T], document: Document | None, problems: Problems, at: tuple[str | int, ...] = ()
) -> T | None:
    """The data of `document` (or what stands in it at `at`) as a model, or None with one problem for each fault."""
    if document is None:
        return None
    data = document.data
    for element in at:
        data = data[element]
    try:
        return adapter.validate_python(data)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            _report(detail, document, at, problems)
        return None


def _report(detail: ErrorDetails, document: Document, at: tuple[str | int, ...], problems: Problems) -> None:
    path = document.known((*at, *detail["loc"]))
    last = detail["loc"][-1] if detail["loc"] else ""
    problems.add(document.where(*path), _message(detail, _spelled(path), str(last)))


def _spelled(path: tuple[str | int, ...]) -> str:
    """lessons[2].title"""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


def _message(detail: ErrorDetails, spelled: str, last: str) -> str:
    inside = f" in `{spelled}`" if spelled else ""
    if detail["type"] == "missing":
        return f"`{last}` is missing{inside}: add it"
    if detail["type"] == "extra_forbidden":
        return f"unknown key `{last}`: remove it or correct its spelling"
    got = f"; got {_shortened(detail['input'])}"
    if detail["type"] == "union_tag_not_found":
        return f"`kind` is missing{inside}: say what kind this is"
    if detail["type"] == "union_tag_invalid":
        return f"unknown kind {detail['ctx']['tag']!r}: expected one of {detail['ctx']['expected_tags']}"
    if detail["type"] == "string_type":
        return f"`{spelled}` must be text (in quotes, if it looks like a number){got}"
    return f"`{spelled}`: {_lower_first(detail['msg'])}{got}" if spelled else f"{_lower_first(detail['msg'])}{got}"


def _shortened(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}…"


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
