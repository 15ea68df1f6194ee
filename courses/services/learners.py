"""Who is learning: visitors and signed-in users, and how the first becomes the second without losing anything."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import models, transaction
from django.http import HttpRequest

from courses.errors import SignedInMeanwhile
from courses.models import Learner

# Inside the session: signing in changes the session's own key but keeps what is in it.
SESSION_KEY = "learner"


def learner_for(request: HttpRequest) -> Learner | None:
    """The learner behind a request, or None for a visitor who has not written anything yet. Never creates one."""
    if request.user.is_authenticated:
        return Learner.objects.filter(user_id=request.user.pk).select_related("user").first()
    return _visitor(request)


def learner_ensure(request: HttpRequest) -> Learner:
    """The learner behind a request that is about to write; made on the first write."""
    if request.user.is_authenticated:
        return learner_claim(request, request.user)
    visitor = _visitor(request)
    if visitor is None:
        visitor = Learner.objects.create()
        request.session[SESSION_KEY] = str(visitor.uuid)
    return visitor


def learner_claim(request: HttpRequest, user: AbstractBaseUser) -> Learner:
    """Give `user` all that the visitor of this session did; returns the user's learner.

    The result is the union of both, nothing is counted twice, and the visitor is gone afterwards. Doing it again
    changes nothing. Called on signing in and signing up; also before a write, for sign-ins past the adapter (admin).
    """
    with transaction.atomic():
        target, _ = Learner.objects.get_or_create(user_id=user.pk)
        visitor = _visitor(request, lock=True)
        if visitor is not None:
            _merge(visitor, target)
            visitor.delete()
    request.session.pop(SESSION_KEY, None)
    return target


def learner_lock(learner: Learner) -> None:
    """Within a transaction that writes for `learner`: others that do so, or claim this visitor, come after its end.

    Raises SignedInMeanwhile where the visitor was claimed since the request began.
    """
    if Learner.objects.select_for_update().filter(pk=learner.pk).first() is None:
        raise SignedInMeanwhile


def _visitor(request: HttpRequest, *, lock: bool = False) -> Learner | None:
    """The session's visitor. A learner that belongs to a user is never a visitor, whatever the session says."""
    try:
        key = uuid.UUID(request.session.get(SESSION_KEY, ""))
    except (ValueError, TypeError, AttributeError):
        return None
    found = Learner.objects.select_for_update() if lock else Learner.objects.all()
    return found.filter(pk=key, user__isnull=True).first()


def _merge(visitor: Learner, target: Learner) -> None:
    """Move every row that points at `visitor`, of whichever app, to `target`."""
    for relation in Learner._meta.related_objects:
        model, name = relation.related_model, relation.field.name
        if isinstance(model, str):
            raise TypeError(f"the model {model!r} that refers to Learner is not loaded")
        for others in _unique_with(model, name):
            _drop_duplicates(model, name, others, visitor, target)
        model._base_manager.filter(**{name: visitor}).update(**{name: target})


def _unique_with(model: type[models.Model], name: str) -> list[list[str]]:
    """For each uniqueness that includes the field `name`: its other fields (none: one row per learner)."""
    together = [tuple(constraint.fields) for constraint in model._meta.total_unique_constraints]
    together += [tuple(fields) for fields in model._meta.unique_together]
    if model._meta.get_field(name).unique:  # type: ignore[union-attr]
        together.append((name,))
    return [[field for field in fields if field != name] for fields in together if name in fields]


def _drop_duplicates(
    model: type[models.Model], name: str, others: list[str], visitor: Learner, target: Learner
) -> None:
    """Of two rows that cannot both stay, delete the visitor's; or the earlier one by the model's `merged_latest_by`."""
    manager: models.Manager[Any] = model._base_manager
    latest_by: str = getattr(model, "merged_latest_by", "")

    def rows(of: Learner) -> dict[tuple[Any, ...], tuple[Any, Any]]:
        found = manager.filter(**{name: of}).values_list("pk", latest_by or "pk", *others)
        return {row[2:]: row[:2] for row in found}

    targets, visitors = rows(target), rows(visitor)
    twice = [(targets[key], visitors[key]) for key in targets.keys() & visitors.keys()]
    dropped = [old[0] if latest_by and new[1] > old[1] else new[0] for old, new in twice]
    manager.filter(pk__in=dropped).delete()
