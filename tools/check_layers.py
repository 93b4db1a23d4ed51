#!/usr/bin/env python3
"""Fails when the house breaks its own rules (src/LAYERS).

    tools/check_layers.py [--compiler CXX] SRC

Checked: no include upwards or sideways unless LAYERS allows it; no two folders that include each other; from outside a
folder only its doors; third-party headers only where LAYERS names the library; own header first in every source; every
header compiles alone (proved by the source that includes it first, or by compiling it here).
"""
import argparse
import os
import re
import subprocess
import sys

# How a third-party header is recognised. What is not listed (the standard library, gtest, the system) is free.
LIBRARIES = {
    "absl/": "absl", "fmt/": "fmt", "spdlog/": "spdlog", "tl/": "tl", "simdjson": "simdjson", "yaml": "yaml",
    "CLI/": "CLI11", "re2/": "re2", "gmp": "gmpxx",
}
FREE_FOR_ALL = {"tl"}  # base/result.h shows it to everyone
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def read_layers(path):
    """folder -> (doors, neighbours, libraries), in the order of the file."""
    layers = {}
    for line in open(path, encoding="utf-8"):
        if line.strip() and not line.startswith("#"):
            folder, doors, neighbours, libraries = (part.split() for part in line.split("|"))
            layers[folder[0]] = (doors, neighbours, libraries)
    return layers


def check_table(layers):
    """Problems of LAYERS itself: a folder may only see folders listed before it."""
    seen = set()
    for folder, (_, neighbours, _) in layers.items():
        for other in neighbours:
            if other not in seen:
                yield f"LAYERS: {folder} may not see {other}, which is not below it"
        seen.add(folder)


def files_under(src):
    for directory, _, names in os.walk(src):
        for name in sorted(names):
            if name.endswith((".h", ".cc")):
                yield os.path.relpath(os.path.join(directory, name), src)


def library_of(header):
    return next((library for prefix, library in LIBRARIES.items() if header.startswith(prefix)), None)


def check_includes(path, includes, layers):
    folder = path.split("/")[0]
    if folder not in layers:
        yield f"{path}: folder {folder} is not in LAYERS"
        return
    _, neighbours, libraries = layers[folder]
    for _, header in includes:
        other = header.split("/")[0]
        library = library_of(header)
        if library and library not in libraries and library not in FREE_FOR_ALL:
            yield f"{path}: includes <{header}>, but LAYERS does not give {folder} the library {library}"
        if other not in layers or other == folder or "/" not in header:
            continue
        if other not in neighbours:
            yield f"{path}: includes {header}, but {folder} may not see {other}"
        elif header[len(other) + 1:] not in layers[other][0]:
            yield f"{path}: includes {header}, which is not a door of {other}"


def mutual_pairs(uses):
    return sorted({tuple(sorted((a, b))) for a in uses for b in uses[a] if a in uses.get(b, ())})


def compiles_alone(src, header, compiler):
    command = [compiler, "-std=c++20", "-fsyntax-only", "-I", src, "-x", "c++", os.path.join(src, header)]
    done = subprocess.run(command, capture_output=True, text=True)
    return None if done.returncode == 0 else f"{header}: does not compile alone\n{done.stderr}"


def check(src, compiler):
    layers = read_layers(os.path.join(src, "LAYERS"))
    problems = list(check_table(layers))
    uses, proved, headers = {}, set(), []
    for path in files_under(src):
        includes = INCLUDE.findall(open(os.path.join(src, path), encoding="utf-8").read())
        problems += check_includes(path, includes, layers)
        folder = path.split("/")[0]
        uses.setdefault(folder, set()).update(h.split("/")[0] for _, h in includes if h.split("/")[0] != folder)
        if path.endswith(".h"):
            headers.append(path)
            continue
        own = path[:-3] + ".h"
        if os.path.exists(os.path.join(src, own)):
            proved.add(own)
            if not includes or includes[0][1] != own:
                problems.append(f"{path}: its own header is not the first include")
    problems += [f"{a} and {b} include each other" for a, b in mutual_pairs(uses)]
    if compiler:
        problems += filter(None, (compiles_alone(src, h, compiler) for h in headers if h not in proved))
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", help="compile the headers that no source proves")
    parser.add_argument("src")
    arguments = parser.parse_args()
    problems = check(arguments.src, arguments.compiler)
    for problem in problems:
        print(problem)
    print(f"layers: {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
