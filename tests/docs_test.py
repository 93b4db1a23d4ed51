#!/usr/bin/env python3
"""Runs every sample of the documentation: the commands of each ```console block must print what the block shows.

    tests/docs_test.py --quadra PATH

A line that starts with `$ ` is a command; the lines up to the next one are its standard output and error together. The
commands of a block share one bash, in the repository's root. Blocks with another language are not run.
"""
import argparse
import glob
import os
import re
import subprocess
import sys

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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quadra", required=True)
    arguments = parser.parse_args()
    environment = {**os.environ, "LC_ALL": "C.UTF-8",
                   "PATH": os.path.dirname(os.path.realpath(arguments.quadra)) + ":" + os.environ["PATH"]}
    ran, wrong = 0, 0
    pages = sorted(glob.glob(os.path.join(ROOT, "*.md")) + glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True))
    for page in pages:
        for block in BLOCK.findall(open(page, encoding="utf-8").read()):
            commands = commands_of(block)
            outputs = outputs_of(commands, environment)
            for (command, expected), actual in zip(commands, outputs + [""] * len(commands)):
                ran += 1
                if actual != expected:
                    wrong += 1
                    print(f"{os.path.relpath(page, ROOT)}\n$ {command}\n--- shown\n{expected}--- printed\n{actual}")
    print(f"{ran} samples, {wrong} wrong")
    sys.exit(1 if wrong or not ran else 0)


if __name__ == "__main__":
    main()
