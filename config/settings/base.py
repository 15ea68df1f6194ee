"""Settings that every way of running Heed shares. See docs/architecture.md for the map."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config.secrets import given

BASE_DIR = Path(__file__).resolve().parent.parent.parent
# Everything that a running site writes: database, broker's files, secrets, collected static files.
VAR_DIR = Path(os.environ.get("HEED_VAR", BASE_DIR / "var")).resolve()

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "courses",
    "grader",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",  # pages; static files are compressed ahead
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "courses.days.learners_time_zone",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "courses.context.site",
            ],
        },
    },
]

SQLITE_OPTIONS = {
    # Six writing processes: deferred transactions gave thousands of "database is locked", immediate ones three.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
}


def database(url: str) -> dict[str, Any]:
    """Django's description of the database at `url`, with SQLite set up for several writing processes."""
    try:
        described: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True))
    except ValueError as error:  # the address is left out: it may hold a password
        raise ImproperlyConfigured(
            "DATABASE_URL cannot be read: write postgres://user:password@host:5432/name or sqlite:////path/to/file"
        ) from error
    if described["ENGINE"] == "django.db.backends.sqlite3":
        described["OPTIONS"] = SQLITE_OPTIONS
        described["CONN_MAX_AGE"] = None
    return described


DATABASE_URL = given("DATABASE_URL") or f"sqlite:///{VAR_DIR / 'heed.sqlite3'}"
DATABASES = {"default": database(DATABASE_URL)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
ACCOUNT_ADAPTER = "courses.accounts.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"  # a school on one machine has no mail server; production may set "mandatory"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"

# Sign-ins, sign-ups and resets are counted (allauth's ACCOUNT_RATE_LIMITS) in the database: every process of the site
# counts in the same place, and nobody can sign in without it anyway.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "site_cache",
        # The default of 300 would let a flood of made-up names push out the counters of real ones.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}

# Without EMAIL_HOST what would be mailed (links that reset a password) is printed where the site runs.
EMAIL_HOST = given("EMAIL_HOST") or ""
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
EMAIL_PORT = int(os.environ.get("EMAIL_PORT", "587"))
EMAIL_USE_TLS = os.environ.get("EMAIL_USE_TLS", "1") != "0"
EMAIL_HOST_USER = given("EMAIL_HOST_USER") or ""
EMAIL_HOST_PASSWORD = given("EMAIL_HOST_PASSWORD") or ""
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = given("DEFAULT_FROM_EMAIL") or "heed@localhost"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.staticfiles.StaticFilesStorage"},
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 180  # a visitor's progress hangs on it
CSRF_COOKIE_SAMESITE = "Lax"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000  # a form with 64 KB of source, percent-encoded, and room to spare

# The broker: Redis where REDIS_URL says so, else files under var/ (grader/filebroker.py).
REDIS_URL = given("REDIS_URL") or ""
BROKER_DIR = VAR_DIR / "broker"

# Seconds. Each must be less than the next, or a submission is graded twice, or a lost one never again:
# asked to stop < killed < anyone may claim it < Redis delivers the message again.
GRADING_SOFT_LIMIT = 90
GRADING_HARD_LIMIT = 100
GRADING_LEASE = 120
BROKER_VISIBILITY_TIMEOUT = 600
GRADING_ATTEMPTS = 3  # claims of one submission, before a fault of ours is final
# One learner cannot hold the queue. What is beyond a limit of the first two is refused; what is beyond the third waits,
# even where a worker has nothing else to do.
GRADING_WAITING = 5  # unfinished submissions that one learner may have
GRADING_PER_MINUTE = 30  # that one learner may hand in, replaced ones included
GRADING_WAITING_BY_ADDRESS = 40  # unfinished ones of visitors that one address may have: a class may sit behind it
DRAFTS_PER_MINUTE = 60  # texts that are saved of one user's while they are written
DRAFTS_PER_MINUTE_BY_ADDRESS = 1200  # and of the visitors of one address
GRADING_RUNNING = 2  # of one learner, that are graded at the same time
SWEEP_SECONDS = 5.0
RESEND_SECONDS = 30.0  # a submission still queued after this long is sent to the broker again
HEARTBEAT_SECONDS = 5
HEARTBEAT_LOST_SECONDS = 20  # a worker not seen for this long is not online

if REDIS_URL:
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
        "visibility_timeout": BROKER_VISIBILITY_TIMEOUT,
        # Without these a stopped (not refused) Redis holds a request for ever.
        "socket_timeout": 2,
        "socket_connect_timeout": 2,
        "max_retries": 0,  # of a publisher's connection; a worker's are counted apart
    }
else:
    CELERY_BROKER_URL = "files://localhost"
    CELERY_BROKER_TRANSPORT = "grader.filebroker:Transport"
    CELERY_BROKER_TRANSPORT_OPTIONS = {"folder": str(BROKER_DIR), "polling_interval": 0.05}
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker as long as it takes
CELERY_TASK_PUBLISH_RETRY = False  # the sweeper does that
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = False  # a task that kills its worker must not start again without end
CELERY_TASK_SOFT_TIME_LIMIT = GRADING_SOFT_LIMIT
CELERY_TASK_TIME_LIMIT = GRADING_HARD_LIMIT
CELERY_TASK_DEFAULT_QUEUE = "grading"
CELERY_TASK_QUEUES: dict[str, dict[str, Any]] = {
    "grading": {},
    "upkeep": {},
}  # a long queue must not hold up the sweeper
# `gpu` is not among the queues above: only a worker that is started for it (-Q gpu) takes from it.
CELERY_TASK_ROUTES = {"grader.sweep": {"queue": "upkeep"}, "grader.grade_on_gpu": {"queue": "gpu"}}
GPU_DEVICE = "cuda"  # where a worker of that queue runs code; what it reports is never called anything else
CELERY_IMPORTS = ["grader.tasks"]  # by the worker and the beat only
CELERY_WORKER_CONCURRENCY = int(os.environ.get("HEED_WORKER_CONCURRENCY", "2"))
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# With it off, a worker that lost a Redis full of unacknowledged messages never consumes again.
CELERY_WORKER_ENABLE_REMOTE_CONTROL = bool(REDIS_URL)
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False  # a lost broker is no reason to grade again
CELERY_WORKER_LOST_WAIT = 1.0  # a killed pool process holds its place in the queue for so long; its row is swept back
CELERY_WORKER_PROC_ALIVE_TIMEOUT = 60  # a pool process starts its sandbox first
CELERY_WORKER_LOG_FORMAT = CELERY_WORKER_TASK_LOG_FORMAT = "%(asctime)s %(levelname)s worker: %(message)s"
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"  # in memory: an interval of seconds needs no file
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "grader.sweep", "schedule": SWEEP_SECONDS, "options": {"expires": SWEEP_SECONDS}}
}

# Where sandbox containers listen (numpy.sock, torch.sock); without it the worker makes its jails itself.
SANDBOX_SOCKETS = Path(os.environ["HEED_SANDBOX_SOCKETS"]) if os.environ.get("HEED_SANDBOX_SOCKETS") else None

# Where a learner stands with exercises: courses knows nothing of submissions, so it is told whom to ask.
EXERCISE_STANDINGS = "grader.selectors.exercise_standings"
# And which mistakes it named to a learner: (learner) -> [(exercise, mistake, first seen, last seen, times)].
EXERCISE_MISTAKES = "grader.selectors.exercise_mistakes"

COURSE_PACKAGE = BASE_DIR / "courses" / "content"

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "INFO"},
}
