"""From a press of the button in Chromium to a verdict on the page, stage by stage."""

from __future__ import annotations

import json
import statistics

from playwright.sync_api import Page, sync_playwright

from benchmarks.timing import Row, progress, spread
from tests.browser.conftest import FLAGS
from tests.support.servers import Site, chromium

# The page's own clock: from the press until the new submission's verdict is there, and of that, the POST.
WATCH = """() => new Promise(resolve => {
  const before = document.querySelector('[data-submission]')?.dataset.submission;
  const start = performance.now();
  const seen = new MutationObserver(() => {
    const verdict = document.querySelector('[data-verdict-state="finished"]');
    if (!verdict || verdict.dataset.submission === before) return;
    seen.disconnect();
    const total = performance.now() - start;
    const posts = performance.getEntriesByType('resource').filter(entry => entry.name.endsWith('/submit/'));
    resolve({total, request: posts.at(-1).duration});
  });
  seen.observe(document.body, {subtree: true, childList: true, attributes: true});
  document.querySelector('form[data-submit] button[type=submit]').click();
})"""

# What the database says of the newest submission, in milliseconds.
STAGES = """
import json
from grader.models import Submission
s = Submission.objects.order_by("-created").first()
ms = lambda a, b: (b - a).total_seconds() * 1000
queue, worker = ms(s.created, s.claimed), ms(s.claimed, s.finished)
print(json.dumps({"queue": queue, "session": s.report["session_ms"], "worker": worker}))
"""


def submit_once(page: Page, site: Site) -> dict[str, float]:
    page.goto(f"{site.url}/exercises/attention/")
    page.wait_for_selector(".cm-content")
    pressed: dict[str, float] = page.evaluate(WATCH)
    stages: dict[str, float] = json.loads(site.manage("shell", "--no-imports", "-c", STAGES).stdout)
    return stages | pressed


def measure(site: Site, source: str, repeats: int = 15) -> list[Row]:
    samples: list[dict[str, float]] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page()
        page.goto(f"{site.url}/exercises/attention/")
        page.wait_for_selector(".cm-content")
        page.locator(".cm-content").fill(source)
        for turn in range(repeats + 1):
            progress(f"browser, submission {turn} of {repeats}")
            sample = submit_once(page, site)
            if turn:  # the first one warms caches and connections
                samples.append(sample)
        browser.close()

    def stage(name: str) -> list[float]:
        return [sample[name] for sample in samples]

    record = [sample["worker"] - sample["session"] for sample in samples]
    page_part = [sample["total"] - sample["request"] - sample["queue"] - sample["worker"] for sample in samples]
    return [
        Row("press of the button to verdict on the page", spread(stage("total")), "limit: 500 ms median"),
        Row("· request (until the answer is read)", spread(stage("request"))),
        Row("· queue (row written until claimed)", spread(stage("queue"))),
        Row("· session", spread(stage("session"))),
        Row("· references, comparison, record", spread(record)),
        Row("· poll and page (the rest)", f"{statistics.median(page_part):.0f} ms"),
    ]
