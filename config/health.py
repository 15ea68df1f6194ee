"""Two questions for whoever runs the site: does the process live, and can it serve."""

from __future__ import annotations

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
def livez(_request: HttpRequest) -> HttpResponse:
    """The process answers. Touches nothing else: a database that is away is no reason to restart it."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def readyz(_request: HttpRequest) -> HttpResponse:
    """The database answers too. Without a broker or a worker the site still takes submissions, so neither is asked."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return HttpResponse("the database does not answer\n", content_type="text/plain", status=503)
    return HttpResponse("ok\n", content_type="text/plain")
