"""Write a page as a file: ``python -m dpviz.ui.explorable SPEC.toml --out page.html``, behind
``dpviz explorable``, which checks the words before.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path

from dpviz.machine.interrupts import exit_at_once
from dpviz.machine.output_files import write
from dpviz.machine.sandbox import PARENT, end_with_parent
from dpviz.ui.explorable import front_file, html_file, lesson_file, page_file, spec, walk
from dpviz.ui.explorable.spec import Spec
from dpviz.ui.front import answer
from dpviz.views import front_page


def file(request: Spec, again: str) -> str:
    """The HTML of what is asked for.

    Raises:
        DpvizError: where it cannot be had.
    """
    if request.lesson:
        return lesson_file.html(request.lesson, request.server, request.private, again, _progress)
    if request.page == walk.FRONT:
        first_name = request.settings.get(answer.NAME, next(iter(front_page.DATASETS)))
        sets = sorted(front_page.DATASETS, key=lambda name: name != first_name)
        return front_file.html(request.server, sets, again)
    return page_file.build(request, again, _progress)


def _progress(count: int, total: int) -> None:
    end = "\n" if count == total or not sys.stderr.isatty() else "\r"
    print(f"{count} of {total} views", end=end, file=sys.stderr, flush=True)


def main(words: list[str]) -> int:
    """Write the file; with ``--embed`` print what shows it in a page of one's own."""
    parser = argparse.ArgumentParser()
    parser.add_argument("spec", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--embed", action="store_true")
    args = parser.parse_args(words)
    if (parent := os.environ.get(PARENT, "")).isdecimal():
        end_with_parent(int(parent))
    request = spec.read(args.spec)
    command = ["python", "-m", "dpviz", "explorable", args.spec.name, "--out", args.out.name]
    with exit_at_once():  # Streamlit would wait for the thread that computes a view
        content = file(request, shlex.join(command)).encode()
    write(args.out, content)
    print(f"{args.out}: {len(content) / 1000:,.0f} kB", file=sys.stderr)
    if args.embed:
        print(html_file.embedded(args.out.name, request.lesson or request.page))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
