"""Production: secrets from the environment or from files, and no start without them.

NAME holds a value, NAME_FILE the path of a file that does (Docker and systemd hand secrets over so).
Needed: SECRET_KEY, ALLOWED_HOSTS (comma-separated), DATABASE_URL, REDIS_URL.
Optional: CSRF_TRUSTED_ORIGINS (comma-separated), HEED_BEHIND_PROXY=1 (a proxy ends TLS and always sets
X-Forwarded-Proto and X-Forwarded-For itself), HEED_SSL_REDIRECT=0 (that proxy redirects already), HEED_HSTS_SECONDS,
EMAIL_HOST with EMAIL_PORT, EMAIL_USE_TLS, EMAIL_HOST_USER, EMAIL_HOST_PASSWORD and DEFAULT_FROM_EMAIL (see base.py).
"""

import os

from config.secrets import require
from config.settings.base import *  # noqa: F403

DEBUG = False
SECRET_KEY = require("SECRET_KEY")
require("DATABASE_URL")  # base.py read these two; here its defaults are not enough
require("REDIS_URL")
ALLOWED_HOSTS = [host.strip() for host in require("ALLOWED_HOSTS").split(",") if host.strip()]
CSRF_TRUSTED_ORIGINS = [origin.strip() for origin in os.environ.get("CSRF_TRUSTED_ORIGINS", "").split(",") if origin]

SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
SECURE_SSL_REDIRECT = os.environ.get("HEED_SSL_REDIRECT", "1") != "0"
SECURE_REDIRECT_EXEMPT = [r"^livez$", r"^readyz$"]  # asked from inside, without TLS
SECURE_HSTS_SECONDS = int(os.environ.get("HEED_HSTS_SECONDS", str(60 * 60 * 24 * 365)))
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
if os.environ.get("HEED_BEHIND_PROXY") == "1":
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    # Else all visitors have the proxy's address, and one who guesses passwords locks everyone out.
    ALLAUTH_TRUSTED_PROXY_COUNT = 1
