"""`python -m benchmarks [--quick]`: every figure, beside its floor in the same run."""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
from pathlib import Path

from benchmarks import browser, burst, growth, memory, reference, sandbox, session, session_memory
from benchmarks.timing import as_table, progress
from tests.support.servers import whole_site


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a third of the repeats, and no picture drawn")
    quick = parser.parse_args().quick
    rows = session.measure(8 if quick else 25)
    rows += sandbox.measure(4 if quick else 12)
    rows += burst.measure(100 if quick else 200)
    rows += session_memory.measure(150 if quick else 500)
    rows += growth.measure(5, plot=None) if quick else growth.measure(15)
    rows += reference.measure(8 if quick else 25)
    source = (session.EXERCISE / "solution.py").read_text()
    with tempfile.TemporaryDirectory() as folder:
        progress("starting a site of its own")
        with whole_site(Path(folder)) as site:
            rows += memory.measure(site)
            rows += browser.measure(site, source, 5 if quick else 15)
    print(f"{os.cpu_count()} cores, Linux {platform.release()}, Python {platform.python_version()}; medians (range)\n")
    print(as_table(rows))


if __name__ == "__main__":
    main()
