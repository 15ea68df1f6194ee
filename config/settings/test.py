"""Tests: as `make run`, with a secret and hashes that cost nothing."""

from config.settings.base import *  # noqa: F403

DEBUG = False
SECRET_KEY = "for tests only, never served to anyone outside this machine"
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
