"""`make run`: one machine, nothing to install, everything under var/."""

from config.secrets import read_or_make_secret
from config.settings.base import *  # noqa: F403
from config.settings.base import VAR_DIR

DEBUG = False  # learners see what production shows; set HEED_DEBUG=1 to work on the pages
SECRET_KEY = read_or_make_secret(VAR_DIR / "secret_key")
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
