"""Tests: as `make run`, with a secret and hashes that cost nothing."""

import os

from config.settings.base import *  # noqa: F403
from config.settings.base import CELERY_BEAT_SCHEDULE

DEBUG = False
SECRET_KEY = "for tests only, never served to anyone outside this machine"  # noqa: S105  no secret
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True  # no collected files are needed

# Without a GPU the way of its checks, from the queue to the page, is tested with tensors on the CPU.
GPU_DEVICE = os.environ.get("HEED_TEST_GPU_DEVICE", "cuda")

# A test of real workers would rather not wait for minutes.
SWEEP_SECONDS = float(os.environ.get("HEED_TEST_SWEEP_SECONDS", "5"))
RESEND_SECONDS = float(os.environ.get("HEED_TEST_RESEND_SECONDS", "30"))
CELERY_BEAT_SCHEDULE["sweep"].update(schedule=SWEEP_SECONDS, options={"expires": SWEEP_SECONDS})
