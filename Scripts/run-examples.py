"""Runs the examples of pages in Markdown: python3 Scripts/run-examples.py [--update] PAGE...

A comment before a block says what becomes of the block; a block without one is not looked at.

  <!-- ci -->            each line of the ```sh block is run and must exit with 0
  <!-- ci: exit 3 -->    the same, but the last line must exit with 3
  <!-- ci: output -->    the block is what the last ```sh block printed, on both streams, word for word
  <!-- ci: file NAME --> the block is written to the file NAME

All examples of a page run in one shell, so that `cd` and `export` last. It starts in the current folder; `mktemp` makes
its files in a folder that is removed at the end. --update writes into the page what was printed, instead of comparing.
"""

import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading

SECONDS_PER_LINE = 600
MARKER = re.compile(r"<!-- ci(?:: (?:(?P<output>output)|exit (?P<exit>\d+)|file (?P<file>\S+)))? -->")


class Failure(Exception):
    """An example that is not as its page says."""


class Block:
    """A fenced block with the marker before it; `first` is the number of its first line, counted from zero."""

    def __init__(self, marker, language, first, lines):
        self.marker, self.language, self.first, self.lines = marker, language, first, lines


def blocks(lines):
    """The marked blocks. A marker counts only for the next line that is not blank."""
    marker, start = None, None
    for number, line in enumerate(lines):
        if start is not None:
            if line.startswith("```"):
                if marker:
                    yield Block(marker, lines[start][3:].strip(), start + 1, lines[start + 1 : number])
                marker, start = None, None
        elif line.startswith("```"):
            start = number
        elif line.strip():
            if marker:
                raise Failure(f"{number}: there is no block after the marker")
            marker = MARKER.fullmatch(line)
            if not marker and line.startswith("<!-- ci"):
                raise Failure(f"{number + 1}: unknown marker: {line}")


class Shell:
    """One shell that runs line after line."""

    END = "end of the example"

    def __init__(self, temporary):
        self.process = subprocess.Popen(
            ["bash", "-uo", "pipefail"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, env={**os.environ, "TMPDIR": temporary})

    def run(self, line):
        """The exit code of the line, and what it printed."""
        timer = threading.Timer(SECONDS_PER_LINE, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write(
                f"eval {shlex.quote(line)} </dev/null 2>&1\nprintf '\\n%s %d\\n' '{self.END}' $?\n")
            self.process.stdin.flush()
            printed = []
            for text in self.process.stdout:
                if text.startswith(self.END):
                    return int(text.split()[-1]), "".join(printed)[:-1]
                printed.append(text)
        finally:
            timer.cancel()
        raise Failure(f"the shell ended, or there was no end after {SECONDS_PER_LINE} s, in: {line}")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def run_commands(block, shell):
    """Runs a block of commands and gives what it printed."""
    commands = [line for line in block.lines if line.strip() and not line.lstrip().startswith("#")]
    printed = ""
    for command in commands:
        print(f"$ {command}", flush=True)
        expected = int(block.marker["exit"] or 0) if command is commands[-1] else 0
        code, text = shell.run(command)
        print(text, end="", flush=True)
        printed += text
        if code != expected:
            raise Failure(f"{block.first}: exit {code} instead of {expected} from: {command}")
    return printed


def trimmed(text):
    """The lines without spaces at their ends, which editors remove."""
    return [line.rstrip() for line in text.splitlines()]


def run_page(path, temporary, update):
    """Runs the examples of one page, and gives their number."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    result, copied, count, printed = [], 0, 0, None
    shell = Shell(temporary)
    try:
        for block in blocks(lines):
            if name := block.marker["file"]:
                content = "".join(line + "\n" for line in block.lines)
                code, text = shell.run(f"printf %s {shlex.quote(content)} >{shlex.quote(name)}")
                if code != 0:
                    raise Failure(f"{block.first}: {text}")
            elif block.marker["output"]:
                if printed is None:
                    raise Failure(f"{block.first}: there is no example that printed this")
                result += lines[copied : block.first] + trimmed(printed)
                copied = block.first + len(block.lines)
                if not update and trimmed(printed) != block.lines:
                    difference = difflib.unified_diff(block.lines, trimmed(printed), "the page", "the program", "", "", 2, "")
                    raise Failure(f"{block.first}: the output is another one\n" + "\n".join(difference))
                printed = None
            elif block.language == "sh":
                printed = run_commands(block, shell)
                count += 1
            else:
                raise Failure(f"{block.first}: a block of commands is marked with sh, not with \"{block.language}\"")
    except Failure as failure:
        raise Failure(f"{path}:{failure}") from None
    finally:
        shell.close()
    if not count:
        raise Failure(f"{path}: no example is marked with <!-- ci -->")
    if update:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(result + lines[copied:]) + "\n")
    return count


def main(words):
    update = words[:1] == ["--update"]
    try:
        for path in words[update:]:
            with tempfile.TemporaryDirectory() as temporary:
                print(f"{path}: {run_page(path, temporary, update)} examples ran")
    except Failure as failure:
        sys.exit(str(failure))


main(sys.argv[1:])
