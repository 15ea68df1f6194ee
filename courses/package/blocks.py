"""The blocks of a lesson in their compiled form (docs/package-format.md), one method a kind."""

from __future__ import annotations

from typing import Any

from courses.package.documents import Document
from courses.package.figures import matrices_html
from courses.package.loading import Lesson, LoadedBlock
from courses.package.markdown import Markdown
from courses.package.registry import Registry


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

    def _map(self, _loaded: LoadedBlock) -> dict[str, Any]:
        sections = [each.block for each in self.lesson.blocks if each.block.kind == "section"]
        return {"entries": [{"id": section.id, "title": section.title} for section in sections]}

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
        boxes = [
            {
                "id": box.id,
                "label_html": self._line(loaded, box.label, "boxes", index, "label"),
                "expected": self._expected(loaded, box.value, index),
                "decimals": box.decimals,
            }
            for index, box in enumerate(loaded.content.boxes)
        ]
        return {"intro_html": self._block(loaded, loaded.content.intro, "intro"), "boxes": boxes}

    def _expected(self, loaded: LoadedBlock, value: str | float, index: int) -> float:
        where = _of(loaded).where("boxes", index, "value")
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
                }
                for number, step in enumerate(self.registry.worked_steps(), start=1)
            ]
        except Exception as error:  # noqa: BLE001 whatever a figure's code raises is a problem of this package
            message = f"the steps of the worked example could not be computed: {type(error).__name__}: {error}"
            self.markdown.problems.add(where, message)
            return []

    def _playground(self, loaded: LoadedBlock) -> dict[str, Any]:
        return {"intro_html": self._own(loaded, loaded.block.intro, "intro"), "defaults": loaded.block.defaults}

    def _myths(self, loaded: LoadedBlock) -> dict[str, Any]:
        items = [
            {
                "id": myth.id,
                "claim_html": self._line(loaded, myth.claim, index, "claim"),
                "truth": myth.truth,
                "reality_html": self._block(loaded, myth.reality, index, "reality"),
                "section": myth.section,
            }
            for index, myth in enumerate(loaded.content)
        ]
        return {"items": items}

    def _quizzes(self, loaded: LoadedBlock) -> dict[str, Any]:
        items = [
            {
                "id": quiz.id,
                "prompt_html": self._block(loaded, quiz.prompt, index, "prompt"),
                "choices": self._choices(loaded, quiz.choices, index),
                "explanation_html": self._block(loaded, quiz.explanation, index, "explanation"),
                "section": quiz.section,
            }
            for index, quiz in enumerate(loaded.content)
        ]
        return {"items": items}

    def _choices(self, loaded: LoadedBlock, choices: list[Any], quiz: int) -> list[dict[str, Any]]:
        return [
            {
                "id": choice.id,
                "html": self._line(loaded, choice.text, quiz, "choices", number, "text"),
                "correct": choice.correct,
                "explanation_html": self._block(loaded, choice.explanation, quiz, "choices", number, "explanation"),
            }
            for number, choice in enumerate(choices)
        ]

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
                "section": question.section,
            }
            for index, question in enumerate(loaded.content)
        ]
        return {"items": items}

    def _resources(self, loaded: LoadedBlock) -> dict[str, Any]:
        return {"items": [resource.model_dump(mode="json") for resource in loaded.content]}

    def _finish(self, loaded: LoadedBlock) -> dict[str, Any]:
        return {"html": self._own(loaded, loaded.block.text, "text")}


def _of(loaded: LoadedBlock) -> Document:
    assert loaded.document is not None  # noqa: S101 loading made it so
    return loaded.document
