#!/usr/bin/env python3
"""Fails when the house breaks its own rules (src/LAYERS).

    tools/check_layers.py [--compiler CXX [--headers HEADER…]] SRC

Checked: no include upwards or sideways unless LAYERS allows it, and nothing allowed that no file uses; no two folders that
include each other; from outside a folder only its doors, of which it has at most three; a door shows of its own folder only
doors and the parts that LAYERS lists under a door; third-party headers only where LAYERS names the library; own header first
in every source; with --compiler, that every header compiles alone, or those that --headers names.
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
    "CLI/": "CLI11", "re2/": "re2", "gmp": "gmpxx", "boost/": "boost", "nghttp2/": "nghttp2", "openssl/": "openssl",
    "sqlite3": "sqlite", "zlib": "zlib",
}
FREE_FOR_ALL = {"tl"}  # base/result.h shows it to everyone
LINKED_ONLY = {"mimalloc"}  # stands in for the C library's allocator
FOR_TESTS = {"fixtures"}  # every test above it may see these folders, and nothing else may
TEST_FILES = ("_test.cc", "_fuzz.cc", "_for_tests.h")
MOST_DOORS = 3
MANY_DOORS = {"base"}  # small headers with nothing in common
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def read_layers(path):
    """folder -> (doors with their parts, neighbours, libraries), in the order of the file."""
    layers = {}
    for line in open(path, encoding="utf-8"):
        if line.startswith(" ") and line.strip():
            door, parts = line.split("=")
            list(layers.values())[-1][0][door.strip()] = parts.split()
        elif line.strip() and not line.startswith("#"):
            folder, doors, neighbours, libraries = (part.split() for part in line.split("|"))
            layers[folder[0]] = ({door: [] for door in doors}, neighbours, libraries)
    return layers


def check_table(layers):
    """Problems of LAYERS itself: a folder may only see folders listed before it."""
    seen = set()
    for folder, (doors, neighbours, _) in layers.items():
        if len(doors) > MOST_DOORS and folder not in MANY_DOORS:
            yield f"LAYERS: {folder} has {len(doors)} doors, {MOST_DOORS} is the most"
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


def is_open(path, header, doors):
    """From another folder: doors; for tests, what is for tests."""
    for_tests = header.endswith("_for_tests.h") and path.endswith(("_test.cc", "_fuzz.cc", "_for_tests.h"))
    return for_tests or header.split("/", 1)[1] in doors


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
        elif not is_open(path, header, layers[other][0]):
            yield f"{path}: includes {header}, which is not a door of {other}"


def check_grants(layers, uses, used_libraries):
    """What LAYERS allows and no file uses."""
    for folder, (_, neighbours, libraries) in layers.items():
        for other in neighbours:
            if other not in uses.get(folder, ()):
                yield f"LAYERS: {folder} may see {other}, but includes nothing of it"
        for library in libraries:
            if library not in used_libraries.get(folder, ()) and library not in LINKED_ONLY:
                yield f"LAYERS: {folder} has the library {library}, but includes nothing of it"


def shown_by(folder, door, doors, texts):
    """The headers of its own folder that a door includes, directly or through others that are no doors."""
    shown, todo = set(), [door]
    while todo:
        text = texts.get(f"{folder}/{todo.pop()}", "")
        for _, header in INCLUDE.findall(text):
            name = header.removeprefix(f"{folder}/")
            if name != header and name not in doors and name not in shown:
                shown.add(name)
                todo.append(name)
    return shown


def check_doors(layers, texts):
    """A door shows of its folder only doors and parts of doors, and all its own parts."""
    for folder, (doors, _, _) in layers.items():
        listed = {name for parts in doors.values() for name in parts}
        for door, parts in doors.items():
            if f"{folder}/{door}" not in texts:
                yield f"LAYERS: {folder} has no {door}"
            shown = shown_by(folder, door, doors, texts)
            for name in sorted(shown - listed):
                yield f"{folder}/{door}: shows {folder}/{name}, which is neither a door nor a part of one"
            for name in sorted(set(parts) - shown):
                yield f"LAYERS: {name} is called a part of {folder}/{door}, which does not include it"


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
    uses, used_libraries = {}, {}
    texts = {path: open(os.path.join(src, path), encoding="utf-8").read() for path in files_under(src)}
    for path, text in texts.items():
        includes = INCLUDE.findall(text)
        problems += check_includes(path, includes, layers)
        folder = path.split("/")[0]
        uses.setdefault(folder, set()).update(h.split("/")[0] for _, h in includes if h.split("/")[0] != folder)
        used_libraries.setdefault(folder, set()).update(library_of(h) for _, h in includes)
        own = path[:-3] + ".h"
        if path.endswith(".cc") and own in texts and (not includes or includes[0][1] != own):
            problems.append(f"{path}: its own header is not the first include")
    problems += [f"{a} and {b} include each other" for a, b in mutual_pairs(uses)]
    problems += check_grants(layers, uses, used_libraries)
    problems += check_doors(layers, texts)
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
