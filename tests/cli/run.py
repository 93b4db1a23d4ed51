#!/usr/bin/env python3
"""Runs the scenarios of text files against the quadra binary.

    tests/cli/run.py --quadra PATH [--server] [--print | --update] FILE...

A scenario is a title, files, and commands with what they must do:

    === what the scenario shows
    <<< claim.yaml             the lines up to >>> become this file
    kind: ResourceClaim
    >>>
    $ quadra validate -f claim.yaml
    exit 1                     0 when left out
    out| a line of standard output, exactly
    err| a line of standard error, exactly
    out~ a regular expression that matches a whole line

Commands run in bash, in an empty folder where `examples` is this repository's. With --server an API server runs beside each
file, with its state in $STATE, and $KUBECONFIG names it. --print shows what the commands do today
in the same form; --update writes that into the files, in place of what they expect, for reading the difference.
"""
import argparse
import contextlib
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))


class Command:
    def __init__(self, line):
        self.line, self.exit, self.expected = line, 0, {"out": [], "err": []}

    def expect(self, line):
        if line.startswith("exit "):
            self.exit = int(line[5:])
        elif re.match(r"(out|err)[|~]", line):
            self.expected[line[:3]].append((line[3], line[5:]))
        else:
            sys.exit(f"not understood: {line}")


class Scenario:
    def __init__(self, title):
        self.title, self.steps = title, []  # a step is a Command or (file name, text)


def parse(path):
    scenarios, file_name, text = [], None, []
    for line in open(path, encoding="utf-8").read().split("\n"):
        if file_name is not None:
            if line == ">>>":
                scenarios[-1].steps.append((file_name, "".join(part + "\n" for part in text)))
                file_name = None
            else:
                text.append(line)
        elif line.startswith("=== "):
            scenarios.append(Scenario(line[4:]))
        elif line.startswith("<<< "):
            file_name, text = line[4:], []
        elif line.startswith("$ "):
            scenarios[-1].steps.append(Command(line[2:]))
        elif line and not line.startswith("#"):
            scenarios[-1].steps[-1].expect(line)
    return scenarios


def run(command, folder, environment):
    done = subprocess.run(["bash", "-c", command.line], cwd=folder, env=environment, capture_output=True, check=False,
                          timeout=300, stdin=subprocess.DEVNULL)
    return done.returncode, {"out": done.stdout.decode("utf-8", "replace"), "err": done.stderr.decode("utf-8", "replace")}


def lines_of(text):
    return text.split("\n")[:-1] if text.endswith("\n") else text.split("\n") if text else []


def matches(expected, actual):
    return len(expected) == len(actual) and all(
        re.fullmatch(want, line) if mark == "~" else want == line for (mark, want), line in zip(expected, actual))


def shown(code, streams):
    text = f"exit {code}\n" if code else ""
    return text + "".join(f"{name}| {line}\n" for name in ("out", "err") for line in lines_of(streams[name]))


def updated(text, answers):
    """The text of a file with the answers, one a command, in place of what it expects."""
    lines, in_file = [], False
    for line in text.split("\n"):
        if in_file or not re.match(r"exit \d|(out|err)[|~]", line):
            lines.append(line)
        if not in_file and line.startswith("$ "):
            lines += answers.pop(0).split("\n")[:-1]
        in_file = line.startswith("<<< ") or (in_file and line != ">>>")
    return "\n".join(lines)


def play(scenario, environment, answers):
    """The problems of one scenario; where `answers` is a list, only what the commands do, into that."""
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(ROOT, "examples"), os.path.join(folder, "examples"))
        for step in scenario.steps:
            if isinstance(step, tuple):
                with open(os.path.join(folder, step[0]), "w", encoding="utf-8", newline="") as file:
                    file.write(step[1])
                continue
            code, streams = run(step, folder, environment)
            if answers is not None:
                answers.append(shown(code, streams))
            elif code != step.exit or not all(matches(step.expected[s], lines_of(streams[s])) for s in streams):
                problems.append(f"FAILED {scenario.title}\n$ {step.line}\n--- expected\nexit {step.exit}\n" + "".join(
                    f"{s}{mark} {line}\n" for s in streams for mark, line in step.expected[s]) +
                    f"--- but it was\n{shown(code, streams)}")
    return problems


def show(path, environment, update):
    answers = []
    scenarios = parse(path)
    for scenario in scenarios:
        play(scenario, environment, answers)
    if update:
        text = open(path, encoding="utf-8").read()
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(updated(text, answers))
        return
    for scenario in scenarios:
        print(f"=== {scenario.title}")
        for step in scenario.steps:
            if isinstance(step, Command):
                print(f"$ {step.line}\n{answers.pop(0)}", end="")


@contextlib.contextmanager
def serving(quadra, environment):
    """The environment of commands that have a server of their own."""
    with tempfile.TemporaryDirectory() as folder:
        state = os.path.join(folder, "state")
        server = subprocess.Popen([quadra, "apiserver", "--data-dir", state, "--listen", "127.0.0.1:0"],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            while (line := server.stdout.readline()) and line.strip() != "kubectl get namespaces":
                pass
            yield {**environment, "KUBECONFIG": os.path.join(state, "kubeconfig"), "STATE": state}
        finally:
            server.terminate()
            server.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quadra", required=True)
    parser.add_argument("--server", action="store_true")
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    # No kubeconfig of whoever runs this.
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "HOME": "/nonexistent", "KUBECONFIG": "",
                   "PATH": os.path.dirname(os.path.realpath(arguments.quadra)) + ":" + os.environ["PATH"]}
    played, problems = 0, []
    for path in arguments.files:
        with serving(arguments.quadra, environment) if arguments.server else contextlib.nullcontext(environment) as given:
            if arguments.print or arguments.update:
                show(path, given, arguments.update)
                continue
            for scenario in parse(path):
                problems += play(scenario, given, None)
                played += 1
    if arguments.print or arguments.update:
        return
    print("\n".join(problems))
    print(f"{played} scenarios, {len(problems)} problems")
    sys.exit(1 if problems or not played else 0)


if __name__ == "__main__":
    main()
