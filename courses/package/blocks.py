"""The blocks of a lesson in their compiled form (docs/package-format.md), one method a kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from itertools import combinations, count, pairwise
from typing import TYPE_CHECKING, Any

from courses.package.documents import Document
from courses.package.figures import matrices_html, table_html
from courses.package.loading import Lesson, LoadedBlock
from courses.package.markdown import Markdown
from courses.package.problems import Where
from courses.package.registry import Registry
from courses.rounding import fits

if TYPE_CHECKING:  # the package courses.figures loads NumPy
    from courses.figures.model import Table


class BlockCompiler:
    """Compiles the blocks of one lesson; problems go to `markdown.problems`."""

    def __init__(self, lesson: Lesson, markdown: Markdown, registry: Registry) -> None:
        self.lesson = lesson
        self.markdown = markdown
        self.registry = registry

    def compile(self, loaded: LoadedBlock) -> dict[str, Any]:
        block = loaded.block
        own: dict[str, Any] = getattr(self, f"_{block.kind}")(loaded)
        return {"kind": block.kind, "id": block.id, "title": block.title, **own}

    def _block(self, loaded: LoadedBlock, source: str, *path: str | int) -> str:
        """Text of the block's file, as paragraphs."""
        return self.markdown.block(source, _of(loaded).text_at(*path), prefix=loaded.block.id)

    def _line(self, loaded: LoadedBlock, source: str, *path: str | int) -> str:
        """Text of the block's file, a single paragraph."""
        return self.markdown.inline(source, _of(loaded).text_at(*path))

    def _own(self, loaded: LoadedBlock, source: str, key: str) -> str:
        """Text that stands in lesson.yaml itself."""
        where = self.lesson.document.text_at("blocks", loaded.index, key)
        return self.markdown.block(source, where, prefix=loaded.block.id)

    def _prose(self, loaded: LoadedBlock) -> dict[str, Any]:
        assert loaded.markdown is not None  # noqa: S101 loading made it so
        return {"html": self.markdown.block(loaded.markdown.text, loaded.markdown.where, prefix=loaded.block.id)}

    _section = _prose

    def _map(self, loaded: LoadedBlock) -> dict[str, Any]:
        """Every section, with the one that leads to it. Without links each leads to the next."""
        sections = [each.block for each in self.lesson.blocks if each.block.kind == "section"]
        before = dict(pairwise(section.id for section in sections)) if not loaded.block.links else {}
        led = {after: {"from": section, "link_html": ""} for section, after in before.items()}
        for index, link in enumerate(loaded.block.links):
            where = self.lesson.document.text_at("blocks", loaded.index, "links", index, "text")
            led[link.target] = {"from": link.source, "link_html": self.markdown.inline(link.text, where)}
        alone = {"from": None, "link_html": ""}
        return {"entries": [{"id": each.id, "title": each.title, **led.get(each.id, alone)} for each in sections]}

    def _ways(self, loaded: LoadedBlock) -> dict[str, Any]:
        return {
            "everyday_html": self._block(loaded, loaded.content.everyday, "everyday"),
            "formal_html": self._block(loaded, loaded.content.formal, "formal"),
        }

    def _prerequisites(self, loaded: LoadedBlock) -> dict[str, Any]:
        items = [
            {"id": item.id, "title": item.title, "html": self._block(loaded, item.text, index, "text")}
            for index, item in enumerate(loaded.content)
        ]
        return {"items": items}

    def _paper(self, loaded: LoadedBlock) -> dict[str, Any]:
        paper = loaded.content
        texts = {slip.id: self._line(loaded, slip.text, "slips", at, "text") for at, slip in enumerate(paper.slips)}
        close = self._line(loaded, paper.close, "close") if paper.close else ""
        boxes = []
        for index, box in enumerate(paper.boxes):
            expected = self._number(loaded, box.value, "boxes", index, "value")
            boxes.append(
                {
                    "id": box.id,
                    "label_html": self._line(loaded, box.label, "boxes", index, "label"),
                    "expected": expected,
                    "decimals": box.decimals,
                    "slips": self._slips(loaded, index, expected, texts),
                    "close_html": close,
                }
            )
        given = {slip["id"] for box in boxes for slip in box["slips"]}
        for at, slip in enumerate(paper.slips):
            if slip.id not in given:
                where = _of(loaded).where("slips", at, "id")
                self.markdown.problems.add(where, f"no box can show the slip {slip.id!r}: remove it or correct its id")
        return {"intro_html": self._block(loaded, paper.intro, "intro"), "boxes": boxes}

    def _slips(self, loaded: LoadedBlock, index: int, expected: float, texts: dict[str, str]) -> list[dict[str, Any]]:
        """What slips would give in this box, without what is right all the same."""
        box, where = loaded.content.boxes[index], _of(loaded).where("boxes", index, "value")
        found = []
        for slip, values in self._slip_values(box.value, where).items():
            wrong = [value for value in values if not fits(value, expected, box.decimals)]
            if slip not in texts:
                self.markdown.problems.add(where, f"the slip {slip!r} has no text: add it under `slips`")
            elif wrong:
                found.append({"id": slip, "values": wrong, "html": texts[slip]})
        return found

    def _slip_values(self, name: str | float, where: Where) -> Mapping[str, tuple[float, ...]]:
        if not isinstance(name, str) or name not in self.registry.slips:
            return {}
        try:
            return self.registry.slips[name]()
        except Exception as error:  # noqa: BLE001 whatever a figure's code raises is a problem of this package
            message = f"the slips of {name!r} could not be computed: {type(error).__name__}: {error}"
            self.markdown.problems.add(where, message)
            return {}

    def _number(self, loaded: LoadedBlock, value: str | float, *path: str | int) -> float:
        where = _of(loaded).where(*path)
        if not isinstance(value, str):
            return float(value)
        if value not in self.registry.numbers:
            self.markdown.problems.add(where, f"unknown number {value!r}: correct its name or add it to the figures")
            return 0.0
        try:
            return float(self.registry.numbers[value]())
        except Exception as error:  # noqa: BLE001 whatever a figure's code raises is a problem of this package
            message = f"the number {value!r} could not be computed: {type(error).__name__}: {error}"
            self.markdown.problems.add(where, message)
            return 0.0

    def _worked(self, loaded: LoadedBlock) -> dict[str, Any]:
        return {"intro_html": self._block(loaded, loaded.content.intro, "intro"), "steps": self._steps(loaded)}

    def _steps(self, loaded: LoadedBlock) -> list[dict[str, Any]]:
        where = self.lesson.document.where("blocks", loaded.index)
        if self.registry.worked_steps is None:
            self.markdown.problems.add(where, "there are no steps for a worked example: the figures do not define them")
            return []
        try:
            return [
                {
                    "title": step.title,
                    "html": self.markdown.block(step.text, where, prefix=f"{loaded.block.id}-{number}"),
                    "matrices": matrices_html(step.matrices),
                    "stage": step.stage,
                }
                for number, step in enumerate(self.registry.worked_steps(), start=1)
            ]
        except Exception as error:  # noqa: BLE001 whatever a figure's code raises is a problem of this package
            message = f"the steps of the worked example could not be computed: {type(error).__name__}: {error}"
            self.markdown.problems.add(where, message)
            return []

    def _playground(self, loaded: LoadedBlock) -> dict[str, Any]:
        states, presets = {}, []
        for index, preset in enumerate(loaded.content.presets):
            where = _of(loaded).where("presets", index)
            state, table = self._computed(where, "the playground", self.registry.play, preset.model_dump())
            look = self._line(loaded, preset.look, "presets", index, "look")
            states[preset.id] = state
            presets.append({"id": preset.id, "title": preset.title, "look_html": look, "table": table})
        intro = self._block(loaded, loaded.content.intro, "intro")
        return {"intro_html": intro, "presets": presets, "states": states}

    def _cost(self, loaded: LoadedBlock) -> dict[str, Any]:
        where = self.lesson.document.where("blocks", loaded.index)
        start, table = self._computed(where, "the cost explorer", self.registry.costs)
        return {"intro_html": self._block(loaded, loaded.content.intro, "intro"), "start": start, "table": table}

    def _computed(
        self, where: Where, what: str, function: Callable[..., tuple[dict[str, Any], Table]] | None, *arguments: Any
    ) -> tuple[dict[str, Any], str]:
        """What a figure's function gives to begin with, and its table as HTML."""
        if function is None:
            self.markdown.problems.add(where, f"there is nothing for {what}: the figures do not define it")
            return {}, ""
        try:
            start, table = function(*arguments)
            return start, table_html(table)
        except Exception as error:  # noqa: BLE001 whatever a figure's code raises is a problem of this package
            self.markdown.problems.add(where, f"{what} could not be computed: {type(error).__name__}: {error}")
            return {}, ""

    def _myths(self, loaded: LoadedBlock) -> dict[str, Any]:
        items = [
            {
                "id": myth.id,
                "claim_html": self._line(loaded, myth.claim, index, "claim"),
                "truth": myth.truth,
                "reality_html": self._block(loaded, myth.reality, index, "reality"),
                "evidence_html": self._block(loaded, myth.evidence, index, "evidence"),
                "section": myth.section,
            }
            for index, myth in enumerate(loaded.content)
        ]
        return {"items": items}

    def _quizzes(self, loaded: LoadedBlock) -> dict[str, Any]:
        items = [
            {
                "id": quiz.id,
                "kind": quiz.kind,
                "prompt_html": self._block(loaded, quiz.prompt, index, "prompt"),
                **getattr(self, f"_{quiz.kind}_quiz")(loaded, quiz, index),
                "explanation_html": self._block(loaded, quiz.explanation, index, "explanation"),
                "section": quiz.section,
            }
            for index, quiz in enumerate(loaded.content)
        ]
        return {"items": items}

    def _choice_quiz(self, loaded: LoadedBlock, quiz: Any, index: int) -> dict[str, Any]:
        choices = [
            {
                "id": choice.id,
                "html": self._line(loaded, choice.text, index, "choices", number, "text"),
                "correct": choice.correct,
                "explanation_html": self._block(loaded, choice.explanation, index, "choices", number, "explanation"),
            }
            for number, choice in enumerate(quiz.choices)
        ]
        return {"choices": choices}

    def _numeric_quiz(self, loaded: LoadedBlock, quiz: Any, index: int) -> dict[str, Any]:
        expected = self._number(loaded, quiz.value, index, "value")
        wrong = [
            {
                "value": self._number(loaded, each.value, index, "wrong", number, "value"),
                "explanation_html": self._block(loaded, each.explanation, index, "wrong", number, "explanation"),
            }
            for number, each in enumerate(quiz.wrong)
        ]
        named: list[Any] = [expected, *(each["value"] for each in wrong)]
        for (_, one), (at, other) in combinations(enumerate(named), 2):
            if fits(other, one, quiz.decimals):
                where = _of(loaded).where(index, "wrong", at - 1, "value")
                message = f"to {quiz.decimals} decimals {other:g} cannot be told from {one:g}: leave it out"
                self.markdown.problems.add(where, message)
        return {
            "expected": expected,
            "decimals": quiz.decimals,
            "wrong": wrong,
            "otherwise_html": self._block(loaded, quiz.otherwise, index, "otherwise"),
        }

    def _ordering_quiz(self, loaded: LoadedBlock, quiz: Any, index: int) -> dict[str, Any]:
        steps = [
            {
                "id": step.id,
                "html": self._line(loaded, step.text, index, "steps", number, "text"),
                "explanation_html": self._block(loaded, step.explanation, index, "steps", number, "explanation"),
            }
            for number, step in enumerate(quiz.steps)
        ]
        return {"steps": _shuffled(steps), "order": [step.id for step in quiz.steps]}

    def _exercises(self, loaded: LoadedBlock) -> dict[str, Any]:
        return {"slugs": list(loaded.block.slugs)}

    def _cards(self, loaded: LoadedBlock) -> dict[str, Any]:
        items = [
            {
                "id": card.id,
                "front_html": self._block(loaded, card.front, index, "front"),
                "back_html": self._block(loaded, card.back, index, "back"),
                "section": card.section,
            }
            for index, card in enumerate(loaded.content)
        ]
        return {"items": items}

    def _questions(self, loaded: LoadedBlock) -> dict[str, Any]:
        items = [
            {
                "id": question.id,
                "prompt_html": self._block(loaded, question.prompt, index, "prompt"),
                "answer_html": self._block(loaded, question.answer, index, "answer"),
                "rubric": [
                    {"id": point.id, "html": self._line(loaded, point.text, index, "rubric", number, "text")}
                    for number, point in enumerate(question.rubric)
                ],
                "section": question.section,
            }
            for index, question in enumerate(loaded.content)
        ]
        return {"items": items}

    def _resources(self, loaded: LoadedBlock) -> dict[str, Any]:
        return {"items": [resource.model_dump(mode="json") for resource in loaded.content]}

    def _finish(self, loaded: LoadedBlock) -> dict[str, Any]:
        return {"html": self._own(loaded, loaded.block.text, "text")}


def _shuffled(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """In an order that anyone would call random, always the same one, with no step in its place."""
    for salt in count():
        digests = [sha256(f"{salt} {place} {step['id']}".encode()).digest() for place, step in enumerate(steps)]
        order = sorted(range(len(steps)), key=digests.__getitem__)
        if all(place != was for place, was in enumerate(order)):
            return [steps[was] for was in order]
    raise AssertionError("unreachable: some salt leaves no step in its place")


def _of(loaded: LoadedBlock) -> Document:
    assert loaded.document is not None  # noqa: S101 loading made it so
    return loaded.document
