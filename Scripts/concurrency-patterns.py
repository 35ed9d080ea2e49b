"""Generates the DocC catalog "Concurrency patterns": fetcher lesson list --json | python3 Scripts/concurrency-patterns.py CATALOG

The catalog has a page for each lesson, with its text, its program, its repair and the failure that its text shows. The course on
standard input states the theme of each lesson. The script replaces the whole catalog, so that the texts are its only source.
"""

import json
import pathlib
import re
import shutil
import sys

LESSONS = pathlib.Path("scenarios/lessons")
# The hints are for learners who try the lesson. The page has separate sections for the other parts.
LEFT_OUT = {"Goal", "Question", "Outcomes", "Input", "Hints", "Pattern", "Commands"}


def sections(text):
    """The title, and the text under each heading."""
    title, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    return title.removeprefix("# ").strip(), {head: body.strip() for head, _, body in (part.partition("\n") for part in parts)}


def failure(commands, lesson):
    """The output of `fetcher lesson break`, up to the listing of the program."""
    shown = re.search(rf"fetcher lesson break {lesson}\n```.*?```text\n(.*?)\nscenarios/lessons/", commands, re.DOTALL)
    if not shown:
        sys.exit(f"{lesson}: its text does not show the output of `fetcher lesson break {lesson}`")
    return shown[1].strip()


def page(folder, lesson):
    """The page of a lesson."""
    # The title of a lesson names the situation only. Here, the pattern is the title.
    _, parts = sections((folder / "lesson.md").read_text())

    def code(variant):
        return f"```swift\n{(folder / f'{lesson}{variant}.swift').read_text().strip()}\n```"

    blocks = [
        f"# {parts['Pattern'].removesuffix('.')}", parts["Goal"],
        "## The program", code("Broken"), "## Question", parts["Question"],
        "## The order that breaks it", f"```text\n{failure(parts['Commands'], lesson)}\n```",
    ]
    for heading, body in parts.items():
        if heading not in LEFT_OUT:
            blocks += [f"## {heading}", body]
    blocks += [
        "## The repair", code("Fixed"),
        "## Try it", f"In a checkout, run `swift run fetcher lesson start {lesson}`. A search over schedules judges your version.",
    ]
    return "\n\n".join(blocks) + "\n"


def main():
    catalog = pathlib.Path(sys.argv[1])
    shutil.rmtree(catalog, ignore_errors=True)
    catalog.mkdir(parents=True)
    themes = {}
    for lesson in json.load(sys.stdin)["lessons"]:
        (folder,) = LESSONS.glob(f"{lesson['id']}-*")
        (catalog / f"{folder.name}.md").write_text(page(folder, lesson["id"]))
        themes.setdefault(lesson["theme"], []).append(f"- <doc:{folder.name}>")
    topics = [line for theme, pages in themes.items() for line in [f"\n### {theme.capitalize()}\n", *pages]]
    (catalog / "ConcurrencyPatterns.md").write_text(
        """# Concurrency patterns

@Metadata {
  @TechnologyRoot
}

Programs that look correct, the order of events that breaks each, and the repair.

## Overview

Each page has a short program that passes in a plain run, the smallest schedule that breaks it, the cause, and a repair that passes the
search. *First in, first out* is the order in which items become ready. A *deviation* runs a later item first. `fetcher lesson` offers
each page as an exercise.

## Topics
"""
        + "\n".join(topics) + "\n")


main()
