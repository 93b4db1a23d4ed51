#!/usr/bin/env python3
"""Fails when the house breaks its own rules (src/LAYERS).

    tools/check_layers.py [--compiler CXX [--headers HEADER…]] SRC

Checked: no include upwards or sideways unless LAYERS allows it; no two folders that include each other; from outside a
folder only its doors; third-party headers only where LAYERS names the library; own header first in every source; with
--compiler, that every header compiles alone, or those that --headers names.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

# How a third-party header is recognised. What is not listed (the standard library, gtest, the system) is free.
LIBRARIES = {
    "absl/": "absl", "fmt/": "fmt", "tl/": "tl", "simdjson": "simdjson", "yaml": "yaml",
    "CLI/": "CLI11", "re2/": "re2", "gmp": "gmpxx",
}
FREE_FOR_ALL = {"tl"}  # base/result.h shows it to everyone
FOR_TESTS = {"fixtures"}  # every test above it may see these folders, and nothing else may
TEST_FILES = ("_test.cc", "_fuzz.cc", "_for_tests.h")
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
        if other in FOR_TESTS:
            if not path.endswith(TEST_FILES):
                yield f"{path}: includes {header}, which is for tests only"
            elif list(layers).index(other) > list(layers).index(folder):
                yield f"{path}: includes {header}, but {folder} is below it"
        elif other not in neighbours:
            yield f"{path}: includes {header}, but {folder} may not see {other}"
        elif header[len(other) + 1:] not in layers[other][0]:
            yield f"{path}: includes {header}, which is not a door of {other}"


def mutual_pairs(uses):
    return sorted({tuple(sorted((a, b))) for a in uses for b in uses[a] if a in uses.get(b, ())})


def compile_alone(src, header, compiler):
    """None, or what the compiler says."""
    command = [compiler, "-std=c++20", "-fsyntax-only", "-I", src, "-x", "c++", os.path.join(src, header)]
    done = subprocess.run(command, capture_output=True, text=True)
    return None if done.returncode == 0 else f"{header}: does not compile alone\n{done.stderr}"


def check_alone(src, headers, compiler):
    """Problems of headers that do not compile alone."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(lambda header: compile_alone(src, header, compiler), headers))
    return [problem for problem in answers if problem]


def check(src, compiler, headers):
    layers = read_layers(os.path.join(src, "LAYERS"))
    problems = list(check_table(layers))
    uses = {}
    texts = {path: open(os.path.join(src, path), encoding="utf-8").read() for path in files_under(src)}
    for path, text in texts.items():
        includes = INCLUDE.findall(text)
        problems += check_includes(path, includes, layers)
        folder = path.split("/")[0]
        uses.setdefault(folder, set()).update(h.split("/")[0] for _, h in includes if h.split("/")[0] != folder)
        own = path[:-3] + ".h"
        if path.endswith(".cc") and own in texts and (not includes or includes[0][1] != own):
            problems.append(f"{path}: its own header is not the first include")
    problems += [f"{a} and {b} include each other" for a, b in mutual_pairs(uses)]
    if compiler:
        all_headers = [path for path in texts if path.endswith(".h")]
        problems += check_alone(src, all_headers if headers is None else headers, compiler)
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", help="compile headers alone, all of them")
    parser.add_argument("--headers", nargs="*", help="compile only these, named from SRC")
    parser.add_argument("src")
    arguments = parser.parse_args()
    problems = check(arguments.src, arguments.compiler, arguments.headers)
    for problem in problems:
        print(problem)
    print(f"layers: {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
