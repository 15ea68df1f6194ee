"""What Lighthouse says of the pages, as a phone with a slow connection sees them: `make lighthouse`.

Needs Node 18 or later (for `npx`, which fetches Lighthouse) and Chromium. Starts a site of its own, and stops it. Exit
status 1 where a score is below its floor.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.support.servers import chromium, whole_site  # noqa: E402

LIGHTHOUSE = "lighthouse@12.2.3"  # the last that runs on Node 18 to 20
PAGES = {
    "course": "/courses/how-language-models-work/",
    "lesson": "/courses/how-language-models-work/attention/",
    "exercise": "/exercises/attention/",
}
FLOORS = {"performance": 95, "accessibility": 100, "best-practices": 100}


def main() -> int:
    npx = shutil.which("npx")
    if npx is None:
        print("npx is missing: install Node 18 or later", file=sys.stderr)
        return 2
    print(f"| page | {' | '.join(FLOORS)} | transferred | moved while loading |\n|---|{'---|' * (len(FLOORS) + 2)}")
    good = True
    with tempfile.TemporaryDirectory(prefix="heed-lighthouse-") as folder:
        print("the site starts, which takes a minute or two", file=sys.stderr)
        with whole_site(Path(folder)) as site:
            for name, path in PAGES.items():
                report = audit(npx, site.url + path, Path(folder) / f"{name}.json")
                scores = {category: round(100 * report["categories"][category]["score"]) for category in FLOORS}
                size = report["audits"]["total-byte-weight"]["numericValue"] / 1000
                moved = report["audits"]["cumulative-layout-shift"]["numericValue"]
                print(f"| {name} | {' | '.join(map(str, scores.values()))} | {size:.0f} KB | {moved:.3f} |", flush=True)
                good = good and all(scores[category] >= floor for category, floor in FLOORS.items())
    return 0 if good else 1


def audit(npx: str, url: str, report: Path) -> dict[str, dict[str, dict[str, float]]]:
    """Lighthouse's report of a page, by its defaults: a mid-range phone on slow 4G. Raises CalledProcessError."""
    command = [npx, "--yes", LIGHTHOUSE, url, "--quiet", "--output=json", f"--output-path={report}"]
    command += [f"--only-categories={','.join(FLOORS)}", f"--chrome-path={chromium()}"]
    command += ["--chrome-flags=--headless=new --no-sandbox"]
    subprocess.run(command, check=True, cwd=report.parent)
    found: dict[str, dict[str, dict[str, float]]] = json.loads(report.read_text())
    return found


if __name__ == "__main__":
    sys.exit(main())
