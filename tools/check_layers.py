#!/usr/bin/env python3
"""Fails when the house breaks its own rules (src/LAYERS).

    tools/check_layers.py [--compiler CXX [--every-header [--memory FILE]]] SRC

Checked: no include upwards or sideways unless LAYERS allows it; no two folders that include each other; from outside a
folder only its doors; third-party headers only where LAYERS names the library; own header first in every source; with
--compiler, that every header compiles alone. Where sources are compiled without precompiled headers, the source that
includes its header first proves that, and only the other headers are compiled here; --every-header compiles all.
--memory keeps in FILE what was proved, so that the next run compiles only what has changed.
"""
import argparse
import concurrent.futures
import hashlib
import json
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


def compile_alone(src, header, compiler):
    """None, or what the compiler says."""
    command = [compiler, "-std=c++20", "-fsyntax-only", "-I", src, "-x", "c++", os.path.join(src, header)]
    done = subprocess.run(command, capture_output=True, text=True)
    return None if done.returncode == 0 else f"{header}: does not compile alone\n{done.stderr}"


def digest(header, texts, compiler):
    """Changes when the header or one of ours that it includes does."""
    reached, todo = set(), [header]
    while todo:
        path = todo.pop()
        if path in texts and path not in reached:
            reached.add(path)
            todo += [included for _, included in INCLUDE.findall(texts[path])]
    content = "\0".join(texts[path] for path in sorted(reached))
    return hashlib.sha256(f"{compiler}\0{header}\0{content}".encode()).hexdigest()


def read_memory(path):
    return json.load(open(path, encoding="utf-8")) if path and os.path.exists(path) else {}


def write_memory(path, proved):
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(proved, file)
    os.replace(path + ".new", path)


def check_alone(src, headers, texts, compiler, memory):
    """Problems of headers that do not compile alone; those that `memory` knows are not compiled again."""
    proved = read_memory(memory)
    digests = {header: digest(header, texts, compiler) for header in headers}
    unproved = [header for header in headers if proved.get(header) != digests[header]]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = dict(zip(unproved, pool.map(lambda header: compile_alone(src, header, compiler), unproved)))
    if memory:
        write_memory(memory, {header: digests[header] for header in headers if not answers.get(header)})
    return [problem for problem in answers.values() if problem]


def check(src, compiler, every_header, memory):
    layers = read_layers(os.path.join(src, "LAYERS"))
    problems = list(check_table(layers))
    uses, proved = {}, set()
    texts = {path: open(os.path.join(src, path), encoding="utf-8").read() for path in files_under(src)}
    for path, text in texts.items():
        includes = INCLUDE.findall(text)
        problems += check_includes(path, includes, layers)
        folder = path.split("/")[0]
        uses.setdefault(folder, set()).update(h.split("/")[0] for _, h in includes if h.split("/")[0] != folder)
        own = path[:-3] + ".h"
        if path.endswith(".cc") and own in texts:
            proved.add(own)
            if not includes or includes[0][1] != own:
                problems.append(f"{path}: its own header is not the first include")
    problems += [f"{a} and {b} include each other" for a, b in mutual_pairs(uses)]
    if compiler:
        headers = [path for path in texts if path.endswith(".h") and (every_header or path not in proved)]
        problems += check_alone(src, headers, texts, compiler, memory)
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", help="compile the headers that no source proves")
    parser.add_argument("--every-header", action="store_true", help="compile the others too")
    parser.add_argument("--memory", help="a file that remembers what compiled")
    parser.add_argument("src")
    arguments = parser.parse_args()
    problems = check(arguments.src, arguments.compiler, arguments.every_header, arguments.memory)
    for problem in problems:
        print(problem)
    print(f"layers: {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
