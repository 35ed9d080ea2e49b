"""Makes the catalogue "Concurrency patterns" of the lessons: fetcher lesson list | python3 Scripts/concurrency-patterns.py CATALOGUE

A page for each lesson, of its text, its program, its repair and the failure that its text shows; the list on standard input
says which lessons there are, by theme. The catalogue is made anew each time, so that the texts are its only source.
"""

import pathlib
import re
import shutil
import sys

LESSONS = pathlib.Path("scenarios/lessons")
# The hints belong to those who try; the rest has its own place on the page.
LEFT_OUT = {"Goal", "Question", "Hints", "Commands"}


def sections(text):
    """The title, and what stands under each heading."""
    title, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    return title.removeprefix("# ").strip(), {head: body.strip() for head, _, body in (part.partition("\n") for part in parts)}


def failure(commands, lesson):
    """What `fetcher lesson break` prints, up to the listing of the program."""
    shown = re.search(rf"fetcher lesson break {lesson}\n```.*?```text\n(.*?)\nscenarios/lessons/", commands, re.DOTALL)
    if not shown:
        sys.exit(f"{lesson}: its text does not show what `fetcher lesson break {lesson}` prints")
    return shown[1].strip()


def page(folder, lesson):
    """The page of a lesson."""
    title, parts = sections((folder / "lesson.md").read_text())

    def code(variant):
        return f"```swift\n{(folder / f'{lesson}{variant}.swift').read_text().strip()}\n```"

    blocks = [
        f"# {title}", parts["Goal"],
        "## The program", code("Broken"), "## Question", parts["Question"],
        "## The order that breaks it", f"```text\n{failure(parts['Commands'], lesson)}\n```",
    ]
    for heading, body in parts.items():
        if heading not in LEFT_OUT:
            blocks += [f"## {heading}", body]
    blocks += [
        "## The repair", code("Fixed"),
        "## Try it", f"In a checkout, `swift run fetcher lesson start {lesson}` begins, and a search over schedules judges your version.",
    ]
    return "\n\n".join(blocks) + "\n"


def main():
    catalogue = pathlib.Path(sys.argv[1])
    shutil.rmtree(catalogue, ignore_errors=True)
    catalogue.mkdir(parents=True)
    topics = []
    for line in sys.stdin:
        lesson = re.match(r"[✓ ] ([LX]\d+)  ", line)
        if lesson:
            (folder,) = LESSONS.glob(f"{lesson[1]}-*")
            (catalogue / f"{folder.name}.md").write_text(page(folder, lesson[1]))
            topics.append(f"- <doc:{folder.name}>")
        elif line.strip() and "solved" not in line:
            topics.append(f"\n### {line.strip().capitalize()}\n")
    (catalogue / "ConcurrencyPatterns.md").write_text(
        """# Concurrency patterns

@Metadata {
  @TechnologyRoot
}

Programs that look right, the order of events that breaks each, and the repair.

## Overview

Each page has a short program that passes when its author tries it, the smallest schedule that breaks it, why it does, and a
repair that survives the search. *First in, first out* is the order in which things become ready;
a *deviation* runs one item past another. `fetcher lesson` makes an exercise of each page.

## Topics
"""
        + "\n".join(topics) + "\n")


main()
