"""What staff may look at. The package of files is the truth, so nothing of a course is edited here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest

from courses.models import (
    Answer,
    Course,
    CourseRevision,
    Exercise,
    ExerciseRevision,
    Learner,
    LessonRevision,
    ReviewLog,
    SectionDone,
)

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


class ReadOnly(ModelAdmin):
    """Shows rows; adds, changes and deletes none."""

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 Django's signature
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False


@admin.register(Course)
class CourseAdmin(ReadOnly):
    list_display = ["slug", "current", "uuid"]


@admin.register(Exercise)
class ExerciseAdmin(ReadOnly):
    list_display = ["slug", "course", "uuid"]
    list_select_related = ["course"]


@admin.register(CourseRevision)
class CourseRevisionAdmin(ReadOnly):
    list_display = ["course", "number", "created", "digest"]
    list_select_related = ["course"]


@admin.register(LessonRevision)
class LessonRevisionAdmin(ReadOnly):
    list_display = ["slug", "number", "course", "created", "digest"]
    list_filter = ["slug"]
    list_select_related = ["course"]


@admin.register(ExerciseRevision)
class ExerciseRevisionAdmin(ReadOnly):
    list_display = ["exercise", "number", "created", "digest"]
    list_filter = ["exercise"]
    list_select_related = ["exercise"]


@admin.register(Learner)
class LearnerAdmin(ReadOnly):
    list_display = ["uuid", "user", "created"]
    list_select_related = ["user"]
    search_fields = ["uuid", "user__username"]


@admin.register(SectionDone)
class SectionDoneAdmin(ReadOnly):
    list_display = ["learner", "lesson", "section", "created"]
    list_filter = ["lesson"]
    list_select_related = ["learner__user"]


@admin.register(Answer)
class AnswerAdmin(ReadOnly):
    list_display = ["learner", "lesson", "kind", "item", "correct", "confidence", "created"]
    list_filter = ["lesson", "kind", "correct"]
    list_select_related = ["learner__user"]


@admin.register(ReviewLog)
class ReviewLogAdmin(ReadOnly):
    list_display = ["learner", "lesson", "card", "rating", "reviewed"]
    list_filter = ["lesson"]
    list_select_related = ["learner__user"]
