"""`make run`: one machine, nothing to install, everything under var/."""

import os

from config.secrets import read_or_make_secret
from config.settings.base import *  # noqa: F403
from config.settings.base import VAR_DIR

DEBUG = os.environ.get("HEED_DEBUG") == "1"  # off: learners see what production shows
SECRET_KEY = read_or_make_secret(VAR_DIR / "secret_key")
# To be reached from other machines, name this one: HEED_ALLOWED_HOSTS=school.local,192.0.2.7
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *filter(None, os.environ.get("HEED_ALLOWED_HOSTS", "").split(","))]
