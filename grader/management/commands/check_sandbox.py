"""`manage.py check_sandbox`: does the jail hold on this machine? A line for each promise; exit status 1 on any miss."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from grader.sandbox import Finding, audit


class Command(BaseCommand):
    help = "Tries each promise of the sandbox on this machine and says what to do about those that do not hold."
    requires_system_checks = []  # it must run where nothing else of the site does

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one list of findings as JSON")

    def handle(self, *_: Any, **options: Any) -> None:
        findings = audit()
        if options["json"]:
            self.stdout.write(json.dumps([asdict(finding) for finding in findings], indent=2))
        else:
            for finding in findings:
                self._print(finding)
        if not all(finding.ok for finding in findings):
            raise SystemExit(1)

    def _print(self, finding: Finding) -> None:
        mark = self.style.SUCCESS("holds") if finding.ok else self.style.ERROR("FAILS")
        self.stdout.write(f"{mark}  {finding.name} ({finding.detail})")
        if finding.remedy:
            self.stdout.write(f"       {finding.remedy}")
