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


class MapBlock(_Block):
    kind: Literal["map"]


class WaysBlock(_FileBlock):
    kind: Literal["ways"]


class PrerequisitesBlock(_FileBlock):
    kind: Literal["prerequisites"]


class PaperBlock(_FileBlock):
    kind: Literal["paper"]


class WorkedBlock(_FileBlock):
    kind: Literal["worked"]


class PlaygroundBlock(_Block):
    kind: Literal["playground"]
    intro: Text
    defaults: dict[str, Any] = {}


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


class Paper(Entry):
    intro: Text
    boxes: list[Box] = Field(min_length=1)


class Worked(Entry):
    intro: Text


class Myth(Entry):
    id: Slug
    claim: Text
    truth: bool
    reality: Text
    section: Slug | None = None


class Choice(Entry):
    id: Slug
    text: Text
    correct: bool
    explanation: Text


class Quiz(Entry):
    id: Slug
    prompt: Text
    choices: list[Choice] = Field(min_length=2)
    explanation: Text
    section: Slug | None = None


class ReviewCard(Entry):
    id: Slug
    front: Text
    back: Text
    section: Slug | None = None


class Question(Entry):
    id: Slug
    prompt: Text
    answer: Text
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
        return f"`kind` is missing{inside}: say what kind of block this is"
    if detail["type"] == "union_tag_invalid":
        return f"unknown kind of block {detail['ctx']['tag']!r}: expected one of {detail['ctx']['expected_tags']}"
    if detail["type"] == "string_type":
        return f"`{spelled}` must be text (in quotes, if it looks like a number){got}"
    return f"`{spelled}`: {_lower_first(detail['msg'])}{got}" if spelled else f"{_lower_first(detail['msg'])}{got}"


def _shortened(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}…"


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
