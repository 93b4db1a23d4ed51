#!/usr/bin/env python3
"""Pods that get nodes and devices, as their users meet it: the examples of the design documents, a claim that eight pods share, two
pods that want two claims crosswise, two schedulers that give away the same devices, nodes and claims that go while something is
bound, and kill -9 in the middle. No device is ever held by two pods that are bound; what can be placed is placed in the end.

  scheduling.py --quadra build/quadra [--only PART,…] [--pods N] [--seed N] [--steps N]
                [--kubeconfig FILE [--identity ROLE=FILE]…]

The same parts are played on `quadra up`, on two `quadra scheduler` beside `quadra apiserver` and `quadra controller` at the same
time, and, with --kubeconfig, beside the server that this names, which may give controller and scheduler only the rights of identities
in other kubeconfigs. `conformance/cluster` has kube-apiserver played on.
"""
import argparse
import itertools
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import controllers
from changes import Mix
from controllers import CORE, GROUP, Beside, Plane
from hardships import expect, patiently

RESOURCE = f"/apis/{GROUP}/v1"
LOAD = 40        # pods that two schedulers place at the same time
STEPS = 200      # of what happens around pods that are drawn
TURNS = 6        # in which schedulers start again
SEED = 0         # of that; 0: another one each time
ONLY = ()        # parts
IDENTITIES = {}  # kubeconfigs by role; else the test's own
PROCESSES = []
ROLES = []


class Role:
    """`quadra scheduler` or `quadra controller` as a process of its own."""

    def __init__(self, plane, *words):
        self.words, self.log = words, tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([plane.quadra, *words, "--kubeconfig", IDENTITIES.get(words[0], plane.kubeconfig)],
                                        stdout=subprocess.PIPE, stderr=self.log, text=True)
        PROCESSES.append(self.process)
        ROLES.append(self)
        self.ready = threading.Event()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            if line == "ready\n":
                self.ready.set()

    def said(self):
        self.log.seek(0)
        return f"{' '.join(self.words)}: {self.log.read()[-2000:]}"

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        expect(self.process.wait(timeout=30) == 0, f"does not end by itself: {self.said()}")
        expect("forbidden: User" not in self.said(), f"a right is missing: {self.said()}")

    def kill(self):
        self.process.kill()
        self.process.wait()


class Cluster:
    """A plane with schedulers; each part has nodes, a driver and a namespace of its own."""

    def __init__(self, plane, schedulers):
        self.plane, self.schedulers = plane, itertools.cycle(schedulers)
        self.names = schedulers

    def enter(self, what):
        return Part(self, what)


class Part:
    def __init__(self, cluster, what):
        self.cluster, self.plane = cluster, cluster.plane
        self.space = self.plane.enter(what)
        self.name = self.space.name
        self.driver = f"{self.name}.example.com"
        self.device_class(self.driver, f"device.driver == '{self.driver}'")

    def leave(self):
        for collection in (f"{CORE}/nodes", *(f"{RESOURCE}/{kind}" for kind in ("resourceslices", "deviceclasses", "devicetaintrules"))):
            for name in self.plane.names(collection):
                if self.name in name:
                    self.plane.delete(f"{collection}/{name}")
        self.space.leave()

    # --- What there is.

    def device_class(self, name, expression):
        self.plane.make(f"{RESOURCE}/deviceclasses", {"metadata": {"name": name}, "spec": {"selectors": [{"cel": {"expression": expression}}]}})

    def node(self, name, devices=0, cpu="8", **labels):
        full = f"{self.name}-{name}"
        amounts = {"cpu": cpu, "memory": "32Gi", "pods": "110"}
        self.plane.make(f"{CORE}/nodes", {"metadata": {"name": full, "labels": {"part": self.name, "kubernetes.io/hostname": full, **labels}},
                                          "status": {"capacity": amounts, "allocatable": amounts,
                                                     "conditions": [{"type": "Ready", "status": "True"}]}})
        if devices:
            self.slice(full, [{"name": f"dev-{i}"} for i in range(devices)] if isinstance(devices, int) else devices)
        return full

    def slice(self, node, devices, pool=None):
        self.plane.make(f"{RESOURCE}/resourceslices",
                        {"metadata": {"name": f"slice-{pool or node}"},
                         "spec": {"driver": self.driver, "nodeName": node, "devices": devices,
                                  "pool": {"name": pool or node, "generation": 1, "resourceSliceCount": 1}}})

    # --- What is wanted.

    def spec(self, **more):
        return {"devices": {"requests": [{"name": "dev", "exactly": {"deviceClassName": self.driver, **more}}]}}

    def claim(self, name, spec=None):
        return self.plane.make(self.space.claims, {"metadata": {"name": name}, "spec": spec or self.spec()})

    def template(self, name, spec=None):
        self.plane.make(self.space.templates, {"metadata": {"name": name}, "spec": {"spec": spec or self.spec()}})

    def pod(self, name, *claims, template=None, scheduler=None, labels=None, **more):
        wanted = [{"name": f"c{i}", "resourceClaimName": claim} for i, claim in enumerate(claims)]
        wanted += [{"name": "t", "resourceClaimTemplateName": template}] if template else []
        resources = {"claims": [{"name": each["name"]} for each in wanted], **{key: more.pop(key, {}) for key in ("requests", "limits")}}
        container = {"name": "main", "image": "image", "resources": resources, "ports": more.pop("ports", [])}
        spec = {"schedulerName": scheduler or next(self.cluster.schedulers), "nodeSelector": {"part": self.name},
                "tolerations": [{"operator": "Exists"}], "containers": [container], "resourceClaims": wanted, **more}
        return self.plane.make(self.space.pods, {"metadata": {"name": name, "labels": labels or {}}, "spec": spec})

    # --- What came of it.

    def node_of(self, pod):
        found = self.plane.get(f"{self.space.pods}/{pod}")
        return found and found["spec"].get("nodeName", "").removeprefix(self.name + "-")

    def expect_on(self, nodes, *pods, seconds=40):
        for pod in pods:
            expect(patiently(lambda: self.node_of(pod), seconds), f"{pod} gets no node: {self.why(pod)}")
            expect(self.node_of(pod) in nodes, f"{pod} is on {self.node_of(pod)}, not on one of {nodes}")

    def why(self, pod):
        found = self.plane.get(f"{self.space.pods}/{pod}")
        return found and found["status"].get("conditions")

    def expect_waits(self, pod, words):
        def said():
            return any(words in each.get("message", "") for each in self.why(pod) or [] if each["status"] == "False")
        expect(patiently(said), f"{pod} is not told {words!r}: {self.why(pod)}")

    def devices_of(self, claim):
        found = self.plane.get(f"{self.space.claims}/{claim}") or {}
        results = found.get("status", {}).get("allocation", {}).get("devices", {}).get("results", [])
        return [(each["request"], each["pool"][len(self.name) + 1:], each["device"]) for each in results]

    def expect_nothing_twice(self):
        """No device is held for two pods that are bound, and who is bound holds what he wants."""
        pods = {item["metadata"]["uid"]: item for item in self.plane.get(self.space.pods)["items"]}
        holders = {}
        for claim in self.plane.get(self.space.claims)["items"]:
            status = claim.get("status", {})
            bound = [each["uid"] for each in status.get("reservedFor", []) if pods.get(each["uid"], {}).get("spec", {}).get("nodeName")]
            for each in status.get("allocation", {}).get("devices", {}).get("results", []) if bound else []:
                holders.setdefault((each["pool"], each["device"]), []).append(claim["metadata"]["name"])
        twice = {device: claims for device, claims in holders.items() if len(claims) > 1}
        expect(not twice, f"held twice: {twice}")

    def finish(self, pod):
        self.plane.change(f"{self.space.pods}/{pod}/status", {"status": {"phase": "Succeeded"}})
        self.plane.delete(f"{self.space.pods}/{pod}", gracePeriodSeconds=0)


# --- Examples of the design documents.

def one_device(part):
    """Structured parameters as they went GA: a claim, a template, a selector."""
    part.node("small", [{"name": "s", "attributes": {"size": {"string": "small"}}, "capacity": {"memory": {"value": "10Gi"}}}])
    part.node("large", [{"name": "l", "attributes": {"size": {"string": "large"}}, "capacity": {"memory": {"value": "80Gi"}}}])
    large = {"cel": {"expression": f"device.capacity['{part.driver}'].memory.compareTo(quantity('40Gi')) >= 0"}}
    part.claim("large", part.spec(selectors=[large]))
    part.template("any")
    part.pod("trains", "large")
    part.expect_on(["large"], "trains")
    part.pod("serves", template="any")
    part.expect_on(["small"], "serves")
    claim = part.plane.get(f"{part.space.claims}/large")
    expect(claim["metadata"]["finalizers"] == ["resource.kubernetes.io/delete-protection"], f"the claim is not protected: {claim}")
    expect([each["name"] for each in claim["status"]["reservedFor"]] == ["trains"], f"reserved for others: {claim}")
    expect(part.devices_of("large") == [("dev", "large", "l")], f"other devices: {part.devices_of('large')}")
    part.pod("waits", template="any")
    part.expect_waits("waits", "cannot allocate all claims")
    part.finish("serves")
    part.expect_on(["small"], "waits")


def alternatives(part):
    """Prioritized lists: the best alternative first, the next where it is used up."""
    part.node("a", [{"name": f"{size}-{i}", "attributes": {"size": {"string": size}}} for size, count in (("big", 1), ("mid", 1), ("small", 2))
                    for i in range(count)])
    sizes = [("big", 1), ("mid", 1), ("small", 2)]
    part.template("some", {"devices": {"requests": [{"name": "dev", "firstAvailable": [
        {"name": size, "deviceClassName": part.driver, "count": count,
         "selectors": [{"cel": {"expression": f"device.attributes['{part.driver}'].size == '{size}'"}}]} for size, count in sizes]}]}})
    for size, count in sizes:
        part.pod(size, template="some", scheduler=part.cluster.names[0])
        part.expect_on(["a"], size)
        got = part.devices_of(part.space.claim_of(size))
        expect([request for request, _, _ in got] == [f"dev/{size}"] * count, f"{size} got {got}")
    part.pod("late", template="some")
    part.expect_waits("late", "cannot allocate all claims")


def shared(part):
    """Eight pods of one claim: all beside its device, each with a reservation."""
    part.node("a", 1)
    part.node("b", 1)
    part.claim("one")
    names = [f"pod-{i}" for i in range(8)]
    part.plane.at_once(lambda name: part.pod(name, "one"), names)
    expect(patiently(lambda: all(part.node_of(name) for name in names), 60), f"not all are bound: {[part.node_of(name) for name in names]}")
    expect(len({part.node_of(name) for name in names}) == 1, "one device on two nodes")
    expect(part.space.consumers("one") and sorted(part.space.consumers("one")) == names, f"reserved for {part.space.consumers('one')}")


def crosswise(part):
    """Two pods want the same two claims, in different order, and devices of either are on two nodes: neither may keep one alone."""
    for round in range(3):
        for node in ("a", "b"):
            part.node(f"{node}{round}", 2)
        for claim in ("x", "y"):
            part.claim(f"{claim}{round}")
        orders = [(f"x{round}", f"y{round}"), (f"y{round}", f"x{round}")]
        part.plane.at_once(lambda i: part.pod(f"p{i}-{round}", *orders[i]), range(2))
        part.expect_on([f"{node}{r}" for node in "ab" for r in range(round + 1)], f"p0-{round}", f"p1-{round}", seconds=90)
        expect(part.node_of(f"p0-{round}") == part.node_of(f"p1-{round}"), "they hold the same claims on two nodes")


# --- Load and trouble.

def load(part):
    """More pods than devices, of all schedulers: each runs, ends and makes room."""
    for name in "abcd":
        part.node(name, 4)
    part.template("one")
    part.template("two", part.spec(count=2))
    names = [f"pod-{i}" for i in range(LOAD)]
    part.plane.at_once(lambda name: part.pod(name, template="two" if name.endswith("3") else "one"), names)
    part.run_out(names)


def run_out(part, names, each=lambda: None):
    """Pods that are bound end, until all have."""
    left, end = set(names), time.monotonic() + 120
    while left and time.monotonic() < end:
        part.expect_nothing_twice()
        for name in [name for name in left if part.node_of(name)][:8]:
            part.finish(name)
            left.discard(name)
        each()
        time.sleep(0.05)
    expect(not left, f"not bound: {sorted(left)}, e.g. {part.why(min(left)) if left else ''}")


Part.run_out = run_out


def nodes_go(part):
    """Nodes that are deleted and come back while pods are bound to them."""
    part.node("stays", 2)
    part.template("one")
    part.node("goes", 2)
    names = [f"pod-{i}" for i in range(12)]
    part.plane.at_once(lambda name: part.pod(name, template="one"), names)
    full = f"{part.name}-goes"

    def flicker():
        part.plane.delete(f"{CORE}/nodes/{full}")
        part.plane.delete(f"{RESOURCE}/resourceslices/slice-{full}")
        part.node("goes", 2)
    part.run_out(names, flicker)


def claims_go(part):
    """A claim that is deleted and made again while a pod that wants it is bound."""
    part.node("a", 2)
    for i in range(10):
        part.claim(f"c{i}")
        part.pod(f"pod-{i}", f"c{i}")
        part.plane.delete(f"{part.space.claims}/c{i}")
        expect(patiently(lambda: part.gone_or_made(f"c{i}") or part.node_of(f"pod-{i}")), f"c{i} stays")
        if not part.node_of(f"pod-{i}"):
            part.expect_on(["a"], f"pod-{i}")
        part.expect_nothing_twice()
        part.finish(f"pod-{i}")


def gone_or_made(part, claim):
    """Makes the claim again once it has gone."""
    status, _ = part.plane.call("POST", part.space.claims, {"metadata": {"name": claim}, "spec": part.spec()})
    return status == 201


Part.gone_or_made = gone_or_made


def refused(part):
    """What can never run is told why, and who waits for nothing that happens is left alone."""
    part.node("a", 1)
    part.claim("many", part.spec(count=3))
    part.pod("greedy", "many")
    part.expect_waits("greedy", "cannot allocate all claims")
    part.pod("early", "later")
    part.pod("volumes", volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}])
    part.expect_waits("volumes", "NotModelled")
    part.pod("huge", requests={"cpu": "900"})
    part.expect_waits("huge", "Insufficient cpu")
    part.claim("later")
    part.expect_on(["a"], "early")


PARTS = [one_device, alternatives, shared, crosswise, load, nodes_go, claims_go, refused]


def play(cluster, parts):
    for each in parts:
        begun = time.monotonic()
        part = cluster.enter(each.__name__.replace("_", "-"))
        each(part)
        part.leave()
        print(f"passed: {each.__name__} in {time.monotonic() - begun:.1f} s {cluster.plane.way}", flush=True)


def up(plane, parts):
    plane.start()
    cluster = Cluster(plane, ["default-scheduler"])
    play(cluster, parts)

    def die():
        plane.kill()
        plane.start()
    play(cluster, endings(die, die))
    plane.process.terminate()
    expect(plane.process.wait(timeout=30) == 0, "the control plane ends by itself")


def beside(plane, parts):
    plane.start()
    keeper = Role(plane, "controller")
    names = ["one", "two"]
    placers = {name: Role(plane, "scheduler", "--scheduler-name", name) for name in names}
    for role in (keeper, *placers.values()):
        expect(role.ready.wait(60), f"not ready: {role.said()}")
    cluster = Cluster(plane, names)
    play(cluster, parts)
    victims = itertools.cycle(names)

    def die():
        name = next(victims)
        placers[name].kill()
        placers[name] = Role(plane, "scheduler", "--scheduler-name", name)
        expect(placers[name].ready.wait(60), f"not ready: {placers[name].said()}")
    play(cluster, endings(die, lambda: [die() for _ in names]))
    for role in (*placers.values(), keeper):
        role.end()
    plane.kill()


def killed(die):
    """A part in which schedulers end in the middle of whatever they do."""
    def killed(part):
        for name in "ab":
            part.node(name, 4)
        part.template("one")
        names = [f"pod-{i}" for i in range(24)]
        deaths = iter(range(4))
        part.plane.at_once(lambda name: part.pod(name, template="one"), names)
        part.run_out(names, lambda: next(deaths, None) is None or die())
    return killed


def started_again(die):
    """Who waits when nothing happens any more waits for a reason: schedulers that start again, and try everybody, place nobody."""
    def started_again(part):
        seed = SEED or random.randrange(1, 10 ** 6)
        print(f"drawn with --seed {seed} {part.plane.way}", flush=True)
        mix = Mix(part, random.Random(seed))
        for name in part.cluster.names:
            part.node(f"probe-{name}", part="", probe=name)
        for _ in range(STEPS):
            mix.step()
        for turn in range(TURNS):
            for _ in range(turn and mix.chance.randint(1, 3)):  # few, so that one does not wake whom another should have
                mix.change()
            before = mix.rest()
            die()
            for name in part.cluster.names:  # it comes last in the queue, and there is room for nobody else
                part.pod(f"probe-{name}-{turn}", scheduler=name, nodeSelector={"probe": name})
                part.expect_on([f"probe-{name}"], f"probe-{name}-{turn}")
            after = mix.rest(1)
            placed = {pod: after[pod] for pod, node in before.items() if not node and after.get(pod)}
            expect(not placed, f"--seed {seed}, turn {turn}: nothing woke {placed}, who could be placed")
        waiting = [pod for pod, node in before.items() if not node]
        expect(len(waiting) >= 5, f"--seed {seed}: {len(waiting)} of {len(before)} wait: that shows little")
        print(f"{len(waiting)} of {len(before)} pods wait for a reason {part.plane.way}", flush=True)
    return started_again


def endings(die, all_die):
    """Parts in which schedulers end; of those that --only names."""
    return [part for part in (killed(die), started_again(all_die)) if not ONLY or part.__name__ in ONLY]


def main():
    global LOAD, ONLY, SEED, STEPS
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quadra", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--pods", type=int, default=LOAD)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--kubeconfig")
    parser.add_argument("--identity", action="append", default=[])
    arguments = parser.parse_args()
    LOAD = arguments.pods
    IDENTITIES.update(each.split("=", 1) for each in arguments.identity)
    ONLY, SEED, STEPS = arguments.only and arguments.only.split(","), arguments.seed, arguments.steps
    parts = [part for part in PARTS if not ONLY or part.__name__ in ONLY]
    if arguments.kubeconfig:
        return beside(Beside(arguments.quadra, arguments.kubeconfig), parts)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as ways:
        ended = [ways.submit(up, Plane(arguments.quadra, os.path.join(folder, "up"), "up"), parts),
                 ways.submit(beside, Plane(arguments.quadra, os.path.join(folder, "beside"), "apiserver"), parts)]
        for each in ended:
            each.result()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except AssertionError:
        for role in ROLES:
            print(role.said(), file=sys.stderr)
        raise
    finally:
        for process in (*PROCESSES, *controllers.PROCESSES):
            process.kill()
