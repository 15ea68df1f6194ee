"""`make run`: everything that a site on one machine needs, started by one command and stopped by Ctrl-C."""

from __future__ import annotations

import argparse
import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from grader.runsite import SiteError
from grader.runsite.prepare import prepare
from grader.runsite.site import Site


def _port(text: str) -> int:
    if text.isdecimal() and int(text) < 65536:
        return int(text)
    raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text!r} (HEED_PORT sets it too)")


class Command(BaseCommand):
    help = "Migrate, publish the shipped course, and run the web server and the worker until Ctrl-C."
    requires_system_checks: list[str] = []  # run while preparing, in a process that ends afterwards

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default %(default)s)")
        port = os.environ.get("HEED_PORT", "8000")
        parser.add_argument("--port", type=_port, default=port, help="port to listen on (default HEED_PORT, else 8000)")
        parser.add_argument("--no-publish", action="store_true", help="serve what is published already")

    def handle(self, *_: Any, **options: Any) -> None:
        site = Site(host=options["host"], port=options["port"], say=self._say)
        try:
            with site.reserved():
                prepare(self._say, publish=not options["no_publish"])
                site.run()
        except SiteError as error:
            raise CommandError(str(error)) from error

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
