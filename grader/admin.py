"""For staff: look at submissions and workers, and grade again what was given up. Nothing is edited by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db import models
from django.http import HttpRequest

from grader.models import GpuGrading, Submission, Work, WorkerHeartbeat
from grader.services import submission_publish, submission_requeue

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin  # generic for the type checker only


class ReadOnlyAdmin(ModelAdmin):
    """A verdict that a person could type would be worth nothing."""

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:  # noqa: ARG002
        return False


class WorkAdmin(ReadOnlyAdmin):
    """With the one thing that staff may do: have graded after all what was given up. `on_gpu` as in services."""

    on_gpu = False
    date_hierarchy = "created"
    actions = ["grade_again"]

    def has_regrade_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("grader.change_submission")

    @admin.action(description="Grade again what was given up", permissions=["regrade"])
    def grade_again(self, request: HttpRequest, queryset: models.QuerySet[Work]) -> None:
        """Queue the chosen ones anew; those that are not faulted are left alone."""
        again = [row.pk for row in queryset if submission_requeue(submission_id=row.pk, on_gpu=self.on_gpu)]
        for submission_id in again:
            submission_publish(submission_id=submission_id, on_gpu=self.on_gpu)
        self.message_user(request, f"{len(again)} submissions are graded again.", messages.SUCCESS)


@admin.register(Submission)
class SubmissionAdmin(WorkAdmin):
    list_display = ["id", "exercise_revision", "learner", "state", "verdict", "points", "attempts", "created"]
    list_filter = ["state", "verdict", "precheck", "exercise_revision__exercise"]
    list_select_related = ["exercise_revision__exercise", "learner__user"]
    exclude = ["seed", "origin"]  # whoever knows the first can foresee the hidden cases; the second is for counting

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Any]:  # noqa: ARG002
        return Submission.runs.all()  # one that was given up may be a precheck


@admin.register(GpuGrading)
class GpuGradingAdmin(WorkAdmin):
    on_gpu = True
    list_display = ["submission_id", "state", "verdict", "points", "attempts", "created"]
    list_filter = ["state", "verdict", "submission__exercise_revision__exercise"]


@admin.register(WorkerHeartbeat)
class WorkerHeartbeatAdmin(ReadOnlyAdmin):
    list_display = ["name", "on_gpu", "seen", "grading", "message"]
