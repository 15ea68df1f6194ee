"""`manage.py check_sandbox`: does the jail hold on this machine? A line for each promise; exit status 1 on any miss."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from grader.sandbox import Finding, audit
from grader.sandboxes import LIBRARIES, Sandboxes

NAMES = {"numpy": "NumPy", "torch": "PyTorch"}


class Command(BaseCommand):
    help = "Tries each promise of the sandbox on this machine and says what to do about those that do not hold."
    requires_system_checks = []  # it must run where nothing else of the site does

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one list of findings as JSON")

    def handle(self, *_: Any, **options: Any) -> None:
        with Sandboxes(settings.SANDBOX_SOCKETS) as sandboxes:
            there = [framework for framework in LIBRARIES if not sandboxes.lacks(framework)]
            found = {framework: audit(sandboxes.of(framework)) for framework in there}
        if options["json"]:
            rows = [{"jail": jail, **asdict(finding)} for jail, findings in found.items() for finding in findings]
            self.stdout.write(json.dumps(rows, indent=2))
        else:
            self._print(found)
        if not all(finding.ok for findings in found.values() for finding in findings):
            raise SystemExit(1)

    def _print(self, found: Mapping[str, Sequence[Finding]]) -> None:
        for framework, name in NAMES.items():
            if framework not in found:
                self.stdout.write(f"{name} is not installed: its exercises are not graded here")
                continue
            self.stdout.write(f"The jail with {name}:")
            for finding in found[framework]:
                mark = self.style.SUCCESS("holds") if finding.ok else self.style.ERROR("FAILS")
                self.stdout.write(f"  {mark}  {finding.name} ({finding.detail})")
                if finding.remedy:
                    self.stdout.write(f"         {finding.remedy}")
