"""What settings demand, and what they make of the environment. Each case in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.secrets import given, read_or_make_secret, require
from tests.support.servers import ROOT

SECRETS = {
    "SECRET_KEY": "of-more-than-fifty-characters-and-of-many-different-ones-0123456789",
    "ALLOWED_HOSTS": "heed.example, www.heed.example",
    "DATABASE_URL": "postgres://heed:secret@db/heed",
    "REDIS_URL": "redis://redis:6379/0",
}


def manage(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name.removesuffix("_FILE") not in SECRETS}
    command = [sys.executable, "-W", "error::UserWarning", "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env={**kept, **environment}, capture_output=True, text=True, check=False)


def production(environment: dict[str, str], expression: str) -> str:
    """What an expression about the production settings comes to."""
    program = f"from django.conf import settings; print(repr({expression}))"
    environment = {**environment, "DJANGO_SETTINGS_MODULE": "config.settings.prod"}
    result = manage(
        {**environment, "DJANGO_SETTINGS_MODULE": "config.settings.prod"}, "shell", "-v", "0", "-c", program
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


@pytest.mark.parametrize("missing", SECRETS)
@pytest.mark.parametrize("blank", [False, True])
def test_production_refuses_to_start_without_its_secrets(missing: str, blank: bool) -> None:
    environment = {**SECRETS, missing: " "} if blank else {name: SECRETS[name] for name in SECRETS if name != missing}
    result = manage(environment, "check", "--settings", "config.settings.prod")
    assert result.returncode != 0
    assert f"ImproperlyConfigured: {missing} is not set" in result.stderr


def test_production_passes_the_deployment_check() -> None:
    result = manage(SECRETS, "check", "--deploy", "--fail-level", "WARNING", "--settings", "config.settings.prod")
    assert result.returncode == 0, result.stderr
    assert "no issues (0 silenced)" in result.stdout


def test_secrets_may_come_from_files(tmp_path: Path) -> None:
    files = {}
    for name, value in SECRETS.items():
        (tmp_path / name).write_text(f"{value}\n")
        files[f"{name}_FILE"] = str(tmp_path / name)
    expression = (
        "(settings.SECRET_KEY, settings.ALLOWED_HOSTS, settings.REDIS_URL, settings.DATABASES['default']['HOST'])"
    )
    assert production(files, expression) == str(
        (SECRETS["SECRET_KEY"], ["heed.example", "www.heed.example"], SECRETS["REDIS_URL"], "db")
    )


def test_a_proxys_word_counts_only_where_told_so() -> None:
    assert production(SECRETS, "settings.SECURE_PROXY_SSL_HEADER") == "None"
    behind = {**SECRETS, "HEED_BEHIND_PROXY": "1"}
    assert "HTTP_X_FORWARDED_PROTO" in production(behind, "settings.SECURE_PROXY_SSL_HEADER")


def test_behind_a_proxy_failed_sign_ins_are_counted_by_the_visitors_address() -> None:
    count = "__import__('allauth.app_settings').app_settings.TRUSTED_PROXY_COUNT"
    assert production(SECRETS, count) == "0"
    assert production({**SECRETS, "HEED_BEHIND_PROXY": "1"}, count) == "1"


def test_without_a_mail_server_mail_is_printed() -> None:
    assert "console.EmailBackend" in production(SECRETS, "settings.EMAIL_BACKEND")
    mail = {"EMAIL_HOST": "mail.example", "EMAIL_HOST_PASSWORD": "p", "DEFAULT_FROM_EMAIL": "heed@heed.example"}
    expression = "(settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_USE_TLS, settings.DEFAULT_FROM_EMAIL)"
    backend = "django.core.mail.backends.smtp.EmailBackend"
    assert production({**SECRETS, **mail}, expression) == str((backend, "mail.example", True, "heed@heed.example"))


def test_a_value_and_a_file_at_once_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://one")
    monkeypatch.setenv("REDIS_URL_FILE", str(tmp_path))
    with pytest.raises(ImproperlyConfigured, match="REDIS_URL and REDIS_URL_FILE are both set"):
        given("REDIS_URL")


def test_a_file_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setenv("REDIS_URL_FILE", str(tmp_path / "absent"))
    with pytest.raises(ImproperlyConfigured, match=r"cannot read .*absent"):
        require("REDIS_URL")


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({"DATABASE_URL": "nonsense"}, "DATABASE_URL cannot be read: write postgres://"),
        ({"DATABASE_URL": "postgres://heed:hunter2@db:port/heed"}, "DATABASE_URL cannot be read: write postgres://"),
        ({"HEED_VAR": "/dev/null/var"}, "/dev/null/var cannot be used for this site's data"),
    ],
)
def test_a_setting_that_is_no_use_is_a_sentence(environment: dict[str, str], told: str) -> None:
    result = manage({"DJANGO_SETTINGS_MODULE": "config.settings.dev", **environment}, "check")
    assert result.returncode == 1
    assert result.stderr.startswith(f"ImproperlyConfigured: {told}")
    assert len(result.stderr.splitlines()) == 1
    assert "hunter2" not in result.stderr


def test_a_secret_is_made_once_and_kept_from_others(tmp_path: Path) -> None:
    path = tmp_path / "var" / "secret_key"
    made = read_or_make_secret(path)
    assert len(made) > 60
    assert read_or_make_secret(path) == made
    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0
    assert [file.name for file in path.parent.iterdir()] == ["secret_key"]


def test_the_times_of_a_submission_stand_in_their_order() -> None:
    from django.conf import settings

    times = (
        settings.CELERY_TASK_SOFT_TIME_LIMIT,
        settings.CELERY_TASK_TIME_LIMIT,
        settings.GRADING_LEASE,
        settings.BROKER_VISIBILITY_TIMEOUT,
    )
    assert list(times) == sorted(set(times))
    assert settings.CELERY_TASK_ACKS_LATE
    assert not settings.CELERY_TASK_REJECT_ON_WORKER_LOST
    assert settings.CELERY_WORKER_PREFETCH_MULTIPLIER == 1
    assert settings.CELERY_ACCEPT_CONTENT == ["json"]


def test_a_redis_url_changes_the_broker_and_turns_remote_control_on() -> None:
    program = (
        "from config import celery_app as app; c = app.conf;"
        "print(app.connection_for_write().transport.driver_type, c.worker_enable_remote_control)"
    )
    for url, expected in (("", "files False"), ("redis://127.0.0.1:1/0", "redis True")):
        environment = {"REDIS_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings.test"}
        assert manage(environment, "shell", "-v", "0", "-c", program).stdout.strip() == expected
