"""All that the site keeps of one learner: taken away as a file, or deleted for good.

Both go by what refers to a Learner, of whichever app, and by what refers to that: a model that is added needs no word
here. A model may say what its fields mean (`exported`: field -> sentence) and which it keeps back (`kept_back`: field
-> why); what it says nothing of is exported under its own name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.utils import timezone

from courses.models import Learner

ACCOUNT_FIELDS = {
    "user_name": "The name you sign in with.",
    "email": "Your e-mail address; empty if you gave none.",
    "joined": "When the account was made.",
    "last_signed_in": "When you last signed in.",
}
LEARNER_FIELDS = {
    "id": "What your rows are kept under.",
    "began": "When you did the first thing that was kept.",
}
ABOUT = (
    "Everything this site keeps of what you did. `fields` says what each field means, list by list; the lists follow. "
    "Times are in UTC. Your password is kept only in a form that nobody can read, and is left out."
)


@dataclass(frozen=True, slots=True)
class Kept:
    """A list of the file: a model whose rows are a learner's, by the path from a row to the learner."""

    name: str
    model: type[models.Model]
    path: str

    def fields(self) -> list[models.Field[Any, Any]]:
        """What is exported; not whom it belongs to, which is the same in every row."""
        kept_back = {self.path, *getattr(self.model, "kept_back", {})}
        return [each for each in self.model._meta.concrete_fields if each.name not in kept_back]

    def described(self) -> dict[str, str]:
        told: dict[str, str] = getattr(self.model, "exported", {})
        return {each.name: told.get(each.name, str(each.verbose_name).capitalize()) for each in self.fields()}


def kept_of_learners() -> list[Kept]:
    """Every model whose rows belong to a learner, each once, by the shortest path."""
    found: dict[type[models.Model], Kept] = {Learner: Kept("", Learner, "")}
    waiting = [found[Learner]]
    for kept in waiting:  # grows while it is read: breadth first
        for relation in kept.model._meta.related_objects:
            model = relation.related_model
            if isinstance(model, str) or relation.many_to_many or model in found:
                continue
            path = "__".join(filter(None, (relation.field.name, kept.path)))
            found[model] = Kept(relation.get_accessor_name() or model._meta.model_name or "", model, path)
            waiting.append(found[model])
    return waiting[1:]


def data_export(*, learner: Learner | None, user: AbstractBaseUser | None) -> Iterator[str]:
    """One JSON object, piece by piece: a row at a time, so that its size does not matter."""
    lists = kept_of_learners()
    fields = {"account": ACCOUNT_FIELDS, "learner": LEARNER_FIELDS} | {each.name: each.described() for each in lists}
    head = {
        "about": ABOUT,
        "made": timezone.now(),
        "fields": fields,
        "account": _account(user) if user else None,
        "learner": {"id": learner.pk, "began": learner.created} if learner else None,
    }
    yield _json(head, indent=2).removesuffix("\n}")
    for kept in lists:
        yield f",\n  {_json(kept.name)}: ["
        before = "\n    "
        for row in _rows(kept, learner, {each.model for each in lists}):
            yield before + _json(row)
            before = ",\n    "
        yield "]" if before == "\n    " else "\n  ]"
    yield "\n}\n"


def _json(value: Any, indent: int | None = None) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, indent=indent)


def _account(user: AbstractBaseUser) -> dict[str, Any]:
    return {
        "user_name": user.get_username(),
        "email": getattr(user, "email", ""),
        "joined": getattr(user, "date_joined", None),
        "last_signed_in": user.last_login,
    }


def _rows(kept: Kept, learner: Learner | None, of_learners: set[type[models.Model]]) -> Iterator[dict[str, Any]]:
    """The learner's own rows. What refers to something published is told by its name, not by its number."""
    if learner is None:
        return
    fields = kept.fields()
    named = {each.name: each.related_model for each in fields if each.is_relation}
    names: dict[tuple[str, Any], str] = {}
    rows = kept.model._base_manager.filter(**{kept.path: learner}).order_by("pk")
    for row in rows.values(*(each.name for each in fields)).iterator():
        for field, model in named.items():
            if row[field] is not None and model not in of_learners and isinstance(model, type):
                key = (field, row[field])
                names[key] = names.get(key) or str(model._base_manager.get(pk=row[field]))
                row[field] = names[key]
        yield row


def learner_delete(*, learner: Learner | None, user: AbstractBaseUser | None) -> None:
    """Delete the learner and all their rows, and the user with them. What is published stays; a worker that grades
    something of theirs at the moment finds it gone and records nothing."""
    with transaction.atomic():
        if learner is not None:
            learner.delete()
        if user is not None:
            user.delete()
