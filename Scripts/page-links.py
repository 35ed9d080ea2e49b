"""Resolves the links of the Markdown pages: python3 Scripts/page-links.py check
Copies a DocC catalog with links that DocC follows: python3 Scripts/page-links.py docc CATALOG FOLDER

The sources contain relative links that a git host follows: [title](Page.md#heading). In the copy, a link to a page of the same
catalog becomes <doc:Page#Heading>, because DocC ignores the file name. A link to another page becomes plain text, because each
catalog is a separate archive. `check` verifies that each link resolves by the rules of a git host, and by those of DocC.
"""

import functools
import pathlib
import re
import shutil
import subprocess
import sys

# Code in backticks comes first, because brackets in code are not a link.
LINK = re.compile(r"`[^`]*`|``.*?``|(!?)\[((?:[^\[\]`]|`[^`]*`)*)\]\(([^()\s]+)\)")
CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
# A symbol that is told apart from others by its types or by a hash. On a git host, it is unreadable.
TOLD_APART = re.compile(r"``[^`\n]*\)-[^`\n]*``")


def headings(path):
    """The texts of the headings of a page."""
    text = CODE.sub("", path.read_text())
    return [re.sub(r"[`*]|\]\([^)]*\)|\[", "", line) for line in re.findall(r"^#{1,6} +(.+?) *$", text, re.MULTILINE)]


@functools.cache
def anchors(path):
    """The headings of a page by their anchors on a git host."""
    found = {}
    for heading in headings(path):
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number = 0
        while (anchor if number == 0 else f"{anchor}-{number}") in found:
            number += 1
        found[anchor if number == 0 else f"{anchor}-{number}"] = heading
    return found


def problem(page, link):
    """The reason why a git host cannot follow a link of a page, or None."""
    path, _, anchor = link.partition("#")
    target = page if path == "" else (page.parent / path)
    if not target.exists():
        return "no such file"
    if anchor and target.suffix == ".md" and anchor not in anchors(target.resolve()):
        return "no such heading"
    return None


def rewritten(page, catalog):
    """The text of a page of a catalog, with links that DocC follows."""

    def link(match):
        mark, title, target = match.groups()
        if target is None:
            return match[0]
        path, _, anchor = target.partition("#")
        if mark or re.match(r"[a-z]+:", target):
            return match[0]
        file = page if path == "" else (page.parent / path)
        if file.resolve().parent != catalog.resolve() or file.suffix != ".md":
            return title
        heading = anchors(file.resolve()).get(anchor, "") if anchor else ""
        # DocC keeps the case and the letters, and replaces spaces.
        suffix = "#" + re.sub(r"[^\w\-]+", "-", heading).strip("-") if heading else ""
        return f"<doc:{file.stem}{suffix}>"

    parts = re.split(r"(^```.*?^```$)", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in parts)


def copy(catalog, folder):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(catalog, folder)
    for page in catalog.glob("*.md"):
        (folder / page.name).write_text(rewritten(page, catalog))


def check():
    found = []
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], check=True, capture_output=True, text=True).stdout
    pages = [pathlib.Path(name) for name in names.split("\n") if name and pathlib.Path(name).exists()]
    for page in pages:
        text = CODE.sub(lambda match: "\n" * match[0].count("\n"), page.read_text())
        links = [(match.start(), match[3]) for match in LINK.finditer(text) if match[3]]
        links += [(match.start(), match[1]) for match in re.finditer(r'(?:src|srcset|href)="([^"]+)"', text)]
        for start, link in links:
            if not re.match(r"[a-z]+:", link) and (reason := problem(page, link)):
                found.append(f"{page}:{text.count(chr(10), 0, start) + 1}: {link}: {reason}")
        for number, line in enumerate(text.split("\n"), 1):
            if "<doc:" in line:
                found.append(f"{page}:{number}: write [title](Page.md) instead of <doc:Page>")
            # A list of topics needs the symbol, and is not read on a git host.
            for match in TOLD_APART.findall(line):
                if not line.startswith("- "):
                    found.append(f"{page}:{number}: name the method without the types of its arguments: {match}")
        if page.parent.suffix == ".docc":
            names = {other.stem for other in page.parent.glob("*.md")}
            for target in re.findall(r"<doc:([^>#]+)", CODE.sub("", rewritten(page, page.parent))):
                if target not in names:
                    found.append(f"{page}: DocC finds no page {target}")
    print("\n".join(found) if found else f"the links of {len(pages)} pages resolve")
    sys.exit(1 if found else 0)


def main():
    match sys.argv[1:]:
        case ["check"]:
            check()
        case ["docc", catalog, folder]:
            copy(pathlib.Path(catalog), pathlib.Path(folder))
        case _:
            sys.exit(__doc__)


main()
