"""Addresses that only take forms, for those who come to them without one."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_http_methods

View = Callable[..., HttpResponse]


def post_or_go(page: Callable[..., str]) -> Callable[[View], View]:
    """A view for POST alone. GET goes to the address that `page` makes of the view's own arguments.

    A refused form's page has the address of the form: from there, signing in or choosing a theme leads back to it.
    """

    def decorate(view: View) -> View:
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def handled(request: HttpRequest, **arguments: str) -> HttpResponse:
            if request.method == "POST":
                return view(request, **arguments)
            return HttpResponseRedirect(page(**arguments))

        return handled

    return decorate
