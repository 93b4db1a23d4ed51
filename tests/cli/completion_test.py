#!/usr/bin/env python3
"""Loads quadra's completion script into a real shell and asks it to complete command lines.

    tests/cli/completion_test.py --quadra PATH bash|zsh|fish

Exits 77 (skipped) where the shell is not installed.
"""
import argparse
import os
import shutil
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))

# What is typed, up to the cursor, and what must be offered among the completions.
ROWS = [
    ("quadra ver", ["version"]),
    ("quadra version -o ", ["json", "yaml"]),
    ("quadra version --outp", ["--output"]),
    ("quadra completion ", ["bash", "fish", "zsh"]),
    ("quadra help comp", ["completion"]),
    ("quadra validate --sub", ["--subresource"]),
    ("quadra validate --subresource ", ["status"]),
    ("quadra validate -f /usr/inclu", ["include"]),
    ("quadra convert -o ", ["json", "yaml"]),
    ("quadra fit --repl", ["--replicas"]),
    ("quadra fit dep", ["deployment/"]),
    (f"quadra explain -f {ROOT}/examples/cluster.yaml pod/t", ["pod/train"]),
    (f"quadra explain --filename={ROOT}/examples/cluster.yaml claim/e", ["claim/eval-gpu"]),
    (f"quadra fit -f {ROOT}/examples/cluster.yaml,{ROOT}/examples/lint.yaml template/", ["template/two-big-gpus", "template/big-gpu"]),
    ("quadra explain pods --state ", ["wouldNot", "has"]),
    ("quadra convert --to ", ["v1", "v1beta1", "v1beta2"]),
]


def bash(line):
    words = line.split(" ")
    array = " ".join(f'"{word}"' for word in words)
    return ["bash", "--norc", "-c", f"""source <(quadra completion bash)
COMP_WORDS=({array}) COMP_CWORD={len(words) - 1}; _quadra; printf '%s\\n' "${{COMPREPLY[@]}}" """]


# zsh completes only for a line editor, so one runs on a pseudo terminal and lists what it would offer.
def zsh(line):
    script = f"""zmodload zsh/zpty
zpty -b z zsh -f -i
zpty -w z 'PROMPT=; autoload -Uz compinit; compinit -D -u; source <(quadra completion zsh)'
zpty -w z 'zstyle ":completion:*" list-prompt ""; LISTMAX=1000; bindkey "^I" list-choices; print READY'
zpty -r z line '*READY*'; zpty -r z line '*READY*'
zpty -w -n z $'{line}\\t'
sleep 1
while zpty -r -t z part; do print -rn -- $part; done"""
    return ["zsh", "-f", "-c", script]


def fish(line):
    return ["fish", "--no-config", "-c", f"quadra completion fish | source; complete -C '{line}'"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quadra", required=True)
    parser.add_argument("shell", choices=["bash", "zsh", "fish"])
    arguments = parser.parse_args()
    if not shutil.which(arguments.shell):
        print(f"{arguments.shell} is not installed")
        sys.exit(77)
    environment = {**os.environ, "TERM": "dumb", "HOME": "/nonexistent",
                   "PATH": os.path.dirname(os.path.realpath(arguments.quadra)) + ":" + os.environ["PATH"]}
    wrong = 0
    for line, offered in ROWS:
        command = globals()[arguments.shell](line)
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60,
                              stdin=subprocess.DEVNULL)
        missing = [word for word in offered if word not in done.stdout]
        if missing:
            wrong += 1
            print(f"{line!r}: {missing} not offered in:\n{done.stdout}\n{done.stderr}")
    print(f"{arguments.shell}: {len(ROWS)} lines, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
