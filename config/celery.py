"""The Celery application. The web process only sends tasks by name; workers import grader.tasks."""

from __future__ import annotations

import os
import warnings

from celery import Celery
from celery.platforms import SecurityWarning

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.dev")
# NumPy's BLAS starts a thread a core otherwise, in processes that fork and judge small arrays.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Celery warns root because of pickle, which is not accepted here (CELERY_ACCEPT_CONTENT); the sandbox is never root.
warnings.filterwarnings("ignore", category=SecurityWarning)

app = Celery("heed")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.set_default()  # also in the threads of the web process
