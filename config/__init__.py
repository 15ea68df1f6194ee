"""The site's settings and entry points. Loading it makes its Celery application the current one."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
