#!/usr/bin/env python3
"""`quadra up` in the background, with hollow nodes: status, down, kill -9, and what people do wrong.

    tests/server/background.py --quadra PATH
"""
import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time


class Failed(Exception):
    pass


class Person:
    """Runs commands with a state directory of their own."""

    def __init__(self, quadra, folder):
        self.quadra = quadra
        self.environment = {"PATH": os.environ["PATH"], "HOME": folder, "XDG_STATE_HOME": folder, "LC_ALL": "C.UTF-8",
                            "KUBECONFIG": os.path.join(folder, "quadra-demo", "kubeconfig")}

    def run(self, *words, code=0, without=()):
        environment = {key: value for key, value in self.environment.items() if key not in without}
        done = subprocess.run([self.quadra, *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=60, check=False)
        if done.returncode != code:
            raise Failed(f"{' '.join(words)}: exit {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def up(self, **more):
        return self.run("up", "--demo", "--detach", "--listen", "127.0.0.1:0", **more)

    def process(self):
        return int(re.search(r"process (\d+)", self.run("status", "--demo")).group(1))

    def phases(self):
        """Phase of each pod, by name without its random end."""
        pods = json.loads(self.run("get", "pods", "-A", "-o", "json"))["items"]
        return {pod["metadata"]["name"]: pod["status"].get("phase") for pod in pods}


def check(what, holds):
    if not holds:
        raise Failed(what)


def until(what, holds, seconds=30):
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise Failed(f"not within {seconds} s: {what}")
        time.sleep(0.1)


def runs_and_ends(person):
    check("where nothing runs, that is said", "nothing runs on" in person.run("status", "--demo", code=1))
    check("nothing is ended", "nothing runs on" in person.run("down", "--demo"))
    check("it tells where it is", "serving https://127.0.0.1:" in person.up())
    check("it is seen", "running: https://127.0.0.1:" in person.run("status", "--demo"))
    check("a second one is refused", "is in use by process" in person.up(code=1))
    phases = person.phases()
    waiting = sorted(name for name, phase in phases.items() if phase != "Running")
    check(f"two pods cannot run: {waiting}", waiting == ["stuck-too-large", "stuck-too-many"])
    person.run("explain", "pod/stuck-too-large", "-n", "team-a", "--fix", "1", "--apply", "--yes")
    person.run("explain", "pod/stuck-too-many", "-n", "team-b", "--fix", "1", "--apply", "--yes")
    until("both run", lambda: all(phase in ("Running", "Succeeded") for phase in person.phases().values()))


def goes_on_after_a_crash(person):
    before = {name for name in person.phases() if not name.startswith("batch-")}
    os.kill(person.process(), signal.SIGKILL)
    time.sleep(0.2)
    check("it is gone", "nothing runs" in person.run("status", "--demo", code=1))
    person.up()
    after = person.phases()
    check(f"no pod is lost: {before - set(after)}", before <= set(after))
    until("all run", lambda: all(phase in ("Running", "Succeeded") for phase in person.phases().values()))
    log = open(os.path.join(person.environment["XDG_STATE_HOME"], "quadra-demo", "quadra.log"), encoding="utf-8").read()
    check(f"nothing is complained of: {log}", log == "")


def leaves_owned_pods_alone(person):
    pod = next(name for name in person.phases() if name.startswith("trainer-"))
    told = person.run("explain", f"pod/{pod}", "-n", "team-a", "--fix", "1", code=2)
    check(f"a pod that runs has no fix: {told}", "there is no fix 1: none was found" in told)
    told = person.run("explain", f"pod/{pod}", "-n", "team-a", "--apply", code=2)
    check(f"--apply needs to know what: {told}", "--apply needs --fix NUMBER" in told)
    told = person.run("explain", "pod/nobody", "-n", "team-a", code=2)
    check(f"who is not there: {told}", "nobody" in told)


def ends_and_clears(person):
    told = person.run("down", "--demo")
    check(f"it is ended and deleted: {told}", "ended process" in told and "deleted" in told)
    check("nothing is left", not os.path.exists(os.path.join(person.environment["XDG_STATE_HOME"], "quadra-demo")))


def keeps_what_a_person_named(person):
    folder = os.path.join(person.environment["HOME"], "mine")
    person.run("up", "--demo", "--detach", "--data-dir", folder, "--listen", "127.0.0.1:0")
    person.run("down", "--demo", "--data-dir", folder)
    check("a directory that a person named stays", os.path.exists(os.path.join(folder, "quadra.db")))


def refuses(person):
    told = person.run("up", "--detach", code=2, without=("HOME", "XDG_STATE_HOME"))
    check(f"no home: {told}", "there is no home directory to keep it in" in told)
    told = person.run("up", "--nodes", "100001", "--detach", code=2)
    check(f"too many: {told}", "--nodes: 100001 are too many; at most 100000 can be simulated" in told)
    told = person.run("up", "--nodes", "few", code=2)
    check(f"no number: {told}", "is no whole number" in told)
    told = person.run("simulate", "pod", code=2)
    check(f"what: {told}", "write quadra simulate node" in told)


PARTS = [runs_and_ends, goes_on_after_a_crash, leaves_owned_pods_alone, ends_and_clears, keeps_what_a_person_named, refuses]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quadra", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        person = Person(os.path.realpath(arguments.quadra), folder)
        try:
            for part in PARTS:
                part(person)
                print(f"{part.__name__}: fine")
        except Failed as failed:
            print(f"{part.__name__}: {failed}")
            sys.exit(1)
        finally:
            for more in ([], ["--demo"], ["--data-dir", os.path.join(folder, "mine")]):
                subprocess.run([person.quadra, "down", *more], env=person.environment, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, check=False, timeout=60)


if __name__ == "__main__":
    main()
