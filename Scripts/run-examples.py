"""Runs the examples of Markdown pages: python3 Scripts/run-examples.py [--update] PAGE...

A comment before a block states its use. The script ignores a block without a comment.

  <!-- ci -->            run each line of the ```sh block; it must exit with 0
  <!-- ci: exit 3 -->    the same, but the last line must exit with 3
  <!-- ci: output -->    the block is the exact output of the last ```sh block, on both streams
  <!-- ci: file NAME --> write the block to the file NAME

All examples of a page run in one shell, so that `cd` and `export` persist. The shell starts in the current folder, and `mktemp` uses a
folder that the script removes at the end. --update writes the outputs into the page instead of comparing them.
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
    """An example that differs from its page."""


class Block:
    """A fenced block and its marker. `first` is the zero-based number of its first line."""

    def __init__(self, marker, language, first, lines):
        self.marker, self.language, self.first, self.lines = marker, language, first, lines


def blocks(lines):
    """The marked blocks. A marker applies only to the next line that is not blank."""
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
                raise Failure(f"{number}: no block follows the marker")
            marker = MARKER.fullmatch(line)
            if not marker and line.startswith("<!-- ci"):
                raise Failure(f"{number + 1}: unknown marker: {line}")


class Shell:
    """A shell that runs one line after another."""

    END = "end of the example"

    def __init__(self, temporary):
        self.process = subprocess.Popen(
            ["bash", "-uo", "pipefail"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, env={**os.environ, "TMPDIR": temporary})

    def run(self, line):
        """Returns the exit code and the output of the line."""
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
        raise Failure(f"the shell exited, or did not finish within {SECONDS_PER_LINE} s, in: {line}")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def run_commands(block, shell):
    """Runs a block of commands and returns its output."""
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
    """The lines without trailing spaces, which editors remove."""
    return [line.rstrip() for line in text.splitlines()]


def run_page(path, temporary, update):
    """Runs the examples of one page, and returns their number."""
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
                    raise Failure(f"{block.first}: no example precedes this output")
                result += lines[copied : block.first] + trimmed(printed)
                copied = block.first + len(block.lines)
                if not update and trimmed(printed) != block.lines:
                    difference = difflib.unified_diff(block.lines, trimmed(printed), "the page", "the output", "", "", 2, "")
                    raise Failure(f"{block.first}: the output differs\n" + "\n".join(difference))
                printed = None
            elif block.language == "sh":
                printed = run_commands(block, shell)
                count += 1
            else:
                raise Failure(f"{block.first}: the language of a command block must be \"sh\", not \"{block.language}\"")
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
