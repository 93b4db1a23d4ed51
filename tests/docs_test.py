#!/usr/bin/env python3
"""Runs every sample of the documentation: the commands of each ```console block must print what the block shows. Also
looks that every row of docs/deviations.md names tests that exist: FOLDER/SUITE.NAME, a scenario file, a comparison.

    tests/docs_test.py --quadra PATH [--page README.md]

A line that starts with `$ ` is a command; the lines up to the next one are its standard output and error together, where `…`
stands for what differs from run to run: names, ages, addresses. The commands of a block share one bash, in the repository's
root, with a state directory of their own. Blocks with another language are not run.
"""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
MARK = "\x01next\x01\n"


def commands_of(block):
    """[(command, expected output)]"""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


def outputs_of(commands, environment):
    script = "".join(f"{command}\ncode=$?; printf '{MARK}'; (exit $code)\n" for command, _ in commands)
    done = subprocess.run(["bash", "-c", script], cwd=ROOT, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, timeout=300)
    return done.stdout.split(MARK)[:-1]


def agrees(expected, actual):
    """Whether it is what the block shows; `…` stands for any text within a line, or for whole lines where it is alone."""
    lines = ["(?:.*\n)*?" if line == "…\n" else re.escape(line).replace("…", "[^\n]*")
             for line in expected.splitlines(keepends=True)]
    return re.fullmatch("".join(lines), actual) is not None


def exists(name):
    """Whether a test named in a table is there."""
    unit = re.fullmatch(r"(\w+)/(\w+)\.(\w+)", name)
    if not unit or name.startswith("tests/"):
        return os.path.exists(os.path.join(ROOT, name))
    folder, suite, test = unit.groups()
    sources = glob.glob(os.path.join(ROOT, "src", folder, "**", "*_test.cc"), recursive=True)
    declared = re.compile(r"TEST(_F|_P)?\(\s*%s,\s*%s\)" % (suite, test))
    return any(declared.search(open(source, encoding="utf-8").read()) for source in sources)


def untested_rows():
    """The rows of docs/deviations.md that name no test, or one that does not exist."""
    lines = open(os.path.join(ROOT, "docs", "deviations.md"), encoding="utf-8").read().splitlines()
    rows = [line for line in lines if line.startswith("| ")][1:]
    shown_by = [(row, re.findall(r"`([^`]+/[^`]+)`", row.rstrip(" |").rsplit(" | ", 1)[1])) for row in rows]
    return [row for row, names in shown_by if not names or not all(map(exists, names))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quadra", required=True)
    parser.add_argument("--page", help="this page alone, and no table of deviations")
    arguments = parser.parse_args()
    state = tempfile.TemporaryDirectory()
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "KUBECONFIG": "", "XDG_STATE_HOME": state.name,
                   "PATH": os.path.dirname(os.path.realpath(arguments.quadra)) + ":" + os.environ["PATH"]}
    ran, wrong = 0, 0
    pages = sorted(glob.glob(os.path.join(ROOT, "*.md")) + glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True))
    for page in [os.path.join(ROOT, arguments.page)] if arguments.page else pages:
        for block in BLOCK.findall(open(page, encoding="utf-8").read()):
            commands = commands_of(block)
            outputs = outputs_of(commands, environment)
            for (command, expected), actual in zip(commands, outputs + [""] * len(commands)):
                ran += 1
                if not agrees(expected, actual):
                    wrong += 1
                    print(f"{os.path.relpath(page, ROOT)}\n$ {command}\n--- shown\n{expected}--- printed\n{actual}")
    untested = [] if arguments.page else untested_rows()
    for row in untested:
        print(f"docs/deviations.md: no such test: {row}")
    print(f"{ran} samples, {wrong} wrong; {len(untested)} deviations without a test")
    sys.exit(1 if wrong or untested or not ran else 0)


if __name__ == "__main__":
    main()
