#!/usr/bin/env python3
"""The examples of the design documents (structured parameters, prioritized lists, node allocatable resources), from what is applied to
what comes of it. Each is a file in tests/server/examples: a comment that says what it shows, objects, and what is expected of them.

  examples.py --quadra build/quadra [--only NAME,…] [--foreign]
              [--kubeconfig FILE [--feature-gates A=true] [--identity ROLE=FILE]…]

They are played on `quadra up`, on `quadra scheduler` beside `quadra apiserver` and `quadra controller` at the same time, and, with
--kubeconfig, beside the server that this names, which must have these feature gates: only the examples that need just them are
played. With --foreign nobody of ours places pods there. `conformance/cluster` has kube-apiserver played on.

A file is YAML documents. `# needs: A=true` names feature gates that are off by default. A document is an object, which is made, or
replaced where it is there; its status is written too. `# refused: words` above an object says that it must not be made, `# warned:
words` that there must be a warning. What is so on one server alone begins with `quadra:` or `kubernetes:`, what one scheduler does with
`ours:` or `foreign:`. Or it is a list:

  expect:                                           within half a minute
  - POD on NODE|NODE: REQUEST=DEVICE, …             bound, holding these devices, in the order of its claims
  - POD waits: WORDS                                without a node, and told so
  - POD is gone
  - RESOURCE/NAME PATH is JSON                      a field; objects are compared by the fields that JSON has
  - claim of POD PATH is JSON                       the same of the first of its claims
  do:
  - end POD                                         it has succeeded, and stays
  - delete RESOURCE/NAME
  - report RESOURCE/NAME JSON                       fields of its status
  - resize POD JSON, cannot-resize POD JSON         fields of its spec, by pods/resize
  - scheduler with|without                          starts again, with or without the feature gates, where it is a process of its own
"""
import argparse
import json
import os
import re
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import controllers
import scheduling
from controllers import CORE, GROUP, Beside, Plane
from hardships import expect, patiently
from scheduling import IDENTITIES, RESOURCE, Part, Role

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "examples")
CLUSTER_WIDE = {"Node": f"{CORE}/nodes", "ResourceSlice": f"{RESOURCE}/resourceslices", "DeviceClass": f"{RESOURCE}/deviceclasses",
                "DeviceTaintRule": f"{RESOURCE}/devicetaintrules", "Namespace": f"{CORE}/namespaces"}
PARTIES = {"quadra", "kubernetes", "ours", "foreign"}  # whose the server is, whose the scheduler
MERGE_PATCH = "application/merge-patch+json"
QUIET = "--node-monitor-grace-period=3600"  # no kubelet gives signs of life


class Example:
    """A file, cut into documents."""

    def __init__(self, path):
        self.name = os.path.relpath(path, FOLDER).removesuffix(".yaml")
        text = open(path).read()
        self.gates = ",".join(re.findall(r"^# needs: (\S+)$", text, re.M))
        self.starts_schedulers = "\n- scheduler " in text
        self.documents = [each.strip("\n") for each in re.split(r"^---$", text, flags=re.M)]


def bare(document):
    """Without comments that stand alone."""
    return "\n".join(line for line in document.splitlines() if not line.startswith("#"))


class Stage(Part):
    """A namespace in which one example is played, and all that it makes outside of it."""

    def __init__(self, plane, example, parties, start_scheduler):
        self.plane, self.parties, self.start_scheduler = plane, parties, start_scheduler
        self.space = plane.enter(re.sub(r"\W|_", "-", example.name))
        self.name = self.space.name
        self.made = []

    def leave(self):
        """No kubelet ends the pods. The next example may want the same devices."""
        for collection in (self.space.pods, self.space.claims):
            for name in self.plane.names(collection):
                self.plane.delete(f"{collection}/{name}", gracePeriodSeconds=0)
        expect(patiently(lambda: not self.plane.names(self.space.claims), 60), f"claims of {self.name} stay")
        self.space.leave()
        for target in reversed(self.made):
            self.plane.delete(target)

    def play(self, document):
        kind = re.match(r"(expect|do):$", bare(document), re.M)
        if not kind:
            return self.apply(document) if bare(document).strip() else None
        for line in re.findall(r"^- (.*)$", document, re.M):
            if (line := self.concerning(line)):
                getattr(self, kind.group(1))(line)

    def concerning(self, line):
        """The line, or nothing where it is about others."""
        about, _, rest = line.partition(": ")
        return line if about not in PARTIES else rest if about in self.parties else None

    # --- Objects.

    def collection(self, document):
        kind = re.search(r"^kind: (\w+)$", document, re.M).group(1)
        version = re.search(r"^apiVersion: (\S+)$", document, re.M).group(1)
        base = f"/apis/{version}" if "/" in version else f"/api/{version}"
        if kind in CLUSTER_WIDE:
            return f"{base}/{CLUSTER_WIDE[kind].rsplit('/', 1)[1]}", True
        return f"{base}/namespaces/{self.name}/{kind.lower()}s", False

    def notes(self, document, what):
        """The words that the comments above the object have about it."""
        lines = filter(None, map(self.concerning, re.findall(r"^# (.*)$", document, re.M)))
        return [line.removeprefix(what + ": ") for line in lines if line.startswith(what + ": ")]

    def apply(self, document):
        document = document.replace("$NAMESPACE", self.name)
        collection, is_wide = self.collection(document)
        name = re.search(r"^metadata: *\{?\s*name: ([\w.-]+)", document, re.M).group(1)
        body, refused, warned = bare(document), self.notes(document, "refused"), self.notes(document, "warned")
        status, answer, warnings = self.write("POST", collection, body)
        if status == 409:
            status, answer, warnings = self.replace(f"{collection}/{name}", body)
        elif is_wide and status == 201:
            self.made.append(f"{collection}/{name}")
        expect((status in (200, 201)) != bool(refused), f"{collection}/{name}: {status} {answer.get('message')}")
        for words in refused:
            expect(words in answer["message"], f"{collection}/{name} is not refused for {words!r}: {answer['message']}")
        for words in warned:
            expect(words in warnings, f"{collection}/{name}: no warning of {words!r}: {warnings}")
        if "\nstatus:" in body and not refused:
            status, answer, _ = self.replace(f"{collection}/{name}", body, "/status")
            expect(status == 200, f"{collection}/{name}/status: {status} {answer.get('message')}")

    def replace(self, target, body, part=""):
        """Whatever it was before."""
        def at(version):
            return lambda found: f'metadata:{found[1]}resourceVersion: "{version}"' + (", " if "{" in found[1] else "\n  ")

        def attempt():
            version = self.plane.get(target)["metadata"]["resourceVersion"]
            answer = self.write("PUT", target + part, re.sub(r"^metadata:( \{|\n  )", at(version), body, flags=re.M))
            return answer[0] != 409 and answer
        return patiently(attempt)

    def write(self, method, target, body):
        connection = self.plane.connect()
        connection.request(method, target, body, {"Content-Type": "application/yaml"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read()), " ".join(answer.headers.get_all("Warning", [])).replace("\\", "")

    # --- What is done, and what comes of it.

    def do(self, line):
        verb, what, *more = line.split(maxsplit=2)
        if verb == "end":
            return self.plane.change(f"{self.space.pods}/{what}/status", {"status": {"phase": "Succeeded"}})
        if verb in ("resize", "cannot-resize"):
            status, answer = self.plane.call("PATCH", f"{self.space.pods}/{what}/resize", {"spec": json.loads(*more)}, MERGE_PATCH)
            return expect((status == 200) == (verb == "resize"), f"{line}: {status} {answer.get('message')}")
        if verb == "scheduler":
            return self.start_scheduler(what == "with")
        if verb == "report":
            return self.plane.change(f"{self.target(what)}/status", {"status": json.loads(*more)})
        self.plane.delete(self.target(what), gracePeriodSeconds=0)

    def target(self, what):
        resource, name = what.split("/")
        wide = [each for each in CLUSTER_WIDE.values() if each.endswith("/" + resource)]
        return f"{wide[0]}/{name}" if wide else f"{CORE if resource == 'pods' else RESOURCE}/namespaces/{self.name}/{resource}/{name}"

    def expect(self, line):
        if each := re.fullmatch(r"(\S+) on ([^\s:]+)(?:: (.*))?", line):
            pod, nodes, devices = each.groups()
            self.expect_on(nodes.split("|"), pod)
            expect(devices is None or self.held_by(pod) == devices, f"{pod} holds {self.held_by(pod)}, not {devices}")
        elif each := re.fullmatch(r"(\S+) waits(?:: (.*))?", line):
            self.expect_waiting(*each.groups())
        elif each := re.fullmatch(r"(\S+) is gone", line):
            expect(patiently(lambda: not self.plane.get(f"{self.space.pods}/{each.group(1)}"), 60), line)
        else:
            what, path, value = re.fullmatch(r"(claim of \S+|\S+/\S+) (\S+) is (.*)", line).groups()
            expect(patiently(lambda: fits(self.field(what, path), json.loads(value))),
                   f"{what} {path} is {json.dumps(self.field(what, path))}, not {value}")

    def expect_waiting(self, pod, words):
        if words:
            self.expect_waits(pod, words)
        time.sleep(1)
        expect(self.node_of(pod) == "", f"{pod} does not wait: {self.node_of(pod)!r}")

    def claims(self, pod):
        found = self.plane.get(f"{self.space.pods}/{pod}")
        made = {each["name"]: each.get("resourceClaimName") for each in found["status"].get("resourceClaimStatuses", [])}
        return [each.get("resourceClaimName") or made.get(each["name"]) for each in found["spec"].get("resourceClaims", [])]

    def held_by(self, pod):
        return ", ".join(f"{request}={device}" for claim in self.claims(pod) for request, _, device in self.devices_of(claim))

    def field(self, what, path):
        target = f"{self.space.claims}/{self.claims(what.split()[-1])[0]}" if what.startswith("claim of ") else self.target(what)
        value = self.plane.get(target)
        for step in path.split("."):
            value = value[int(step)] if isinstance(value, list) and len(value) > int(step) else (value or {}).get(step)
        return value


def fits(value, wanted):
    """Equal, where objects may have fields that are not spoken of."""
    if isinstance(wanted, dict):
        return isinstance(value, dict) and all(fits(value.get(key), each) for key, each in wanted.items())
    if isinstance(wanted, list):
        return isinstance(value, list) and len(value) == len(wanted) and all(map(fits, value, wanted))
    return value == wanted


def play(plane, examples, parties=("quadra", "ours"), start_scheduler=None):
    """All of them, also after one that fails."""
    problems = []
    for example in examples:
        if example.starts_schedulers and not start_scheduler:
            continue
        begun = time.monotonic()
        stage = Stage(plane, example, parties, start_scheduler)
        try:
            for document in example.documents:
                stage.play(document)
            print(f"passed: {example.name} in {time.monotonic() - begun:.1f} s {plane.way}", flush=True)
        except AssertionError as problem:
            problems.append(f"{example.name} {plane.way}: {problem}")
        stage.leave()
    expect(not problems, "\n".join(problems))


def up(plane, gates, examples):
    plane.flags = (QUIET, *gates)
    plane.start()
    play(plane, examples)
    plane.kill()


def beside(plane, gates, examples, parties=("quadra", "ours")):
    plane.flags = gates
    plane.start()
    keeper, placer = started(Role(plane, "controller", QUIET, *gates)), started(Role(plane, "scheduler", *gates))

    def start_scheduler(has_gates):
        nonlocal placer
        placer.end()
        placer = started(Role(plane, "scheduler", *(gates if has_gates else ())))
    play(plane, examples, parties, start_scheduler)
    for role in (placer, keeper):
        role.end()
    plane.kill()


def started(role):
    expect(role.ready.wait(60), f"not ready: {role.said()}")
    return role


def all_examples():
    paths = [os.path.join(folder, file) for folder, _, files in os.walk(FOLDER) for file in files if file.endswith(".yaml")]
    return [Example(path) for path in sorted(paths)]


def flags_for(gates):
    return (f"--feature-gates={gates}",) if gates else ()


def here(quadra, examples):
    """On servers of our own, those of the same gates together."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as ways:
        for gates in sorted({each.gates for each in examples}):
            part = [each for each in examples if each.gates == gates]
            ended = [ways.submit(way, Plane(quadra, os.path.join(folder, verb + gates), verb), flags_for(gates), part)
                     for way, verb in ((up, "up"), (beside, "apiserver"))]
            for each in ended:
                each.result()


def there(arguments, examples):
    plane = Beside(arguments.quadra, arguments.kubeconfig)
    part = [each for each in examples if each.gates == arguments.feature_gates]
    if not arguments.foreign:
        return beside(plane, flags_for(arguments.feature_gates), part, ("kubernetes", "ours"))
    plane.start()
    play(plane, part, ("kubernetes", "foreign"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quadra", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--kubeconfig")
    parser.add_argument("--feature-gates", default="")
    parser.add_argument("--identity", action="append", default=[])
    parser.add_argument("--foreign", action="store_true")
    arguments = parser.parse_args()
    IDENTITIES.update(each.split("=", 1) for each in arguments.identity)
    only = arguments.only and arguments.only.split(",")
    examples = [each for each in all_examples() if not only or any(name in each.name for name in only)]
    return there(arguments, examples) if arguments.kubeconfig else here(arguments.quadra, examples)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except AssertionError:
        for role in scheduling.ROLES:
            print(role.said(), file=sys.stderr)
        raise
    finally:
        for process in (*scheduling.PROCESSES, *controllers.PROCESSES):
            process.kill()
