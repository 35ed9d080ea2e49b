"""Lists the public symbols of a module without a comment: check-documentation.py MODULE SYMBOL-GRAPH-FOLDER"""

import json
import pathlib
import sys


def undocumented(module, folder):
    for file in sorted(pathlib.Path(folder).glob("*.symbols.json")):
        for symbol in json.loads(file.read_text())["symbols"]:
            place = symbol.get("location")
            # Skip symbols that the compiler generates, which have no file, and symbols that other modules declare.
            if place is None or f"/Sources/{module}/" not in place["uri"]:
                continue
            if symbol.get("docComment", {}).get("lines", []) == []:
                yield f"{place['uri'].removeprefix('file://')}:{place['position']['line'] + 1}: {'.'.join(symbol['pathComponents'])}"


def main():
    module, folder = sys.argv[1:]
    found = sorted(set(undocumented(module, folder)))
    for line in found:
        print(f"error: public symbol without a comment: {line}", file=sys.stderr)
    sys.exit(1 if found else 0)


main()
