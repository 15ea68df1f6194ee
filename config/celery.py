"""The Celery application. The web process only sends tasks by name; workers import grader.tasks."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.dev")

app = Celery("heed")
app.config_from_object("django.conf:settings", namespace="CELERY")
