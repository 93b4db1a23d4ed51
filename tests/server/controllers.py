#!/usr/bin/env python3
"""A control plane in one process, as its users meet it: claims from templates, shared claims, deletion in every order, what owns
what, namespaces that are emptied, thousands of pods, two controllers of which one works, and kill -9 in the middle. At the end
nothing may be left: no claim without its pod, no finalizer, no reservation of a pod that is gone, no orphan; and a cluster in
which nothing happens writes nothing.

  controllers.py --quadra build/quadra [--only PART,…] [--pods N] [--rest SECONDS]
                 [--kubeconfig FILE [--identity FILE] [--version v1beta1]]

The same parts are played three ways: on the server and controllers of `quadra up`, on `quadra controller` beside `quadra
apiserver` at the same time, and, with --kubeconfig, beside the server that this names, which may have claims in another version, and may give
the controllers only the rights of the identity in another kubeconfig. `conformance/cluster` has kube-apiserver played on.
"""
import argparse
import http.client
import itertools
import json
import os
import re
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from hardships import expect, patiently
from kill_rounds import Server

CORE, GROUP = "/api/v1", "resource.k8s.io"
PROTECTION = "resource.kubernetes.io/delete-protection"
VERSION = "v1"  # of claims
CROWD = 500     # pods at the same time
REST = 5        # seconds
IDENTITY = ""   # of the controllers, a kubeconfig; empty: the test's own
PROCESSES = []  # that were started; none outlives the test
CONTROLLERS = []


def one_device():
    """The spec of a claim, in the version of the server."""
    wanted = {"deviceClassName": "gpu.example.com"}
    request = {"name": "gpu", **wanted} if VERSION == "v1beta1" else {"name": "gpu", "exactly": wanted}
    return {"devices": {"requests": [request]}}


class Plane(Server):
    """`quadra up`, or a server alone; answers are (status, object)."""

    @property
    def way(self):
        return f"on quadra {self.verb}"

    def start(self):
        super().start()
        PROCESSES.append(self.process)

    def call(self, method, target, body=None, content="application/json"):
        connection = getattr(self.own, "connection", None) or self.connect()
        connection.request(method, target, json.dumps(body) if body is not None else None, {"Content-Type": content})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())

    own = threading.local()  # the connection of a thread that asks for much

    def at_once(self, do, items):
        """Does it with all of them, some at the same time."""
        def connect():
            self.own.connection = self.connect()
        with ThreadPoolExecutor(8, initializer=connect) as threads:
            for _ in threads.map(do, items):
                pass  # but what it raises

    def make(self, target, body):
        status, made = self.call("POST", target, body)
        expect(status == 201, f"POST {target}: {status} {made.get('message')}")
        return made

    def change(self, target, body):
        status, now = self.call("PATCH", target, body, "application/merge-patch+json")
        expect(status == 200, f"PATCH {target}: {status} {now.get('message')}")
        return now

    def get(self, target):
        status, found = self.call("GET", target)
        return found if status == 200 else None

    def names(self, target):
        return sorted(item["metadata"]["name"] for item in self.get(target)["items"])

    def delete(self, target, **options):
        status, answer = self.call("DELETE", target, options or None)
        expect(status in (200, 202, 404), f"DELETE {target}: {status} {answer.get('message')}")

    # --- What the parts have in common.

    def enter(self, what):
        """A namespace in which pods can be made."""
        name = f"{what}-{next(self.numbers)}"
        self.make(CORE + "/namespaces", {"metadata": {"name": name}})
        account = f"{CORE}/namespaces/{name}/serviceaccounts/default"
        expect(patiently(lambda: self.get(account)), f"{name} has no account")
        return Space(self, name)

    numbers = itertools.count(1)

    def everything(self):
        """What the parts make, in all namespaces."""
        kinds = [f"{CORE}/namespaces", f"{CORE}/pods", f"{CORE}/configmaps", "/apis/apps/v1/replicasets",
                 f"/apis/{GROUP}/{VERSION}/resourceclaims", f"/apis/{GROUP}/{VERSION}/resourceclaimtemplates"]
        found = {(kind, item["metadata"].get("namespace"), item["metadata"]["name"]) for kind in kinds for item in self.get(kind)["items"]}
        # What the server and its controllers keep for themselves comes when it likes.
        return {each for each in found if "kube-root-ca.crt" not in each and not (each[1] or each[2]).startswith(("default", "kube-"))}

    def revision(self):
        """Of all that the server keeps: every write makes it one more."""
        return int(self.get(f"{CORE}/configmaps?limit=1")["metadata"]["resourceVersion"])

    def writes(self, seconds):
        """How many there are in this time, those of leases not counted."""
        before, leases = self.revision(), "/apis/coordination.k8s.io/v1/leases"
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.context, timeout=seconds + 30)
        connection.request("GET", f"{leases}?watch=1&resourceVersion={before}&timeoutSeconds={seconds + 2}")
        answer = connection.getresponse()
        expect(answer.status == 200, f"the watch of leases: {answer.status}")
        time.sleep(seconds)
        after = self.revision()
        renewed = [int(json.loads(line)["object"]["metadata"]["resourceVersion"]) for line in answer]
        return after - before - len([each for each in renewed if each <= after])


class Beside(Plane):
    """A server that somebody else runs, by its kubeconfig, with controllers of ours."""

    way = "on the server of the kubeconfig"

    def __init__(self, quadra, kubeconfig):
        self.quadra, self.kubeconfig = quadra, kubeconfig

    def kill(self):
        """Not ours to end."""

    def start(self):
        config = open(self.kubeconfig).read()
        here = os.path.dirname(self.kubeconfig)
        said = {name: os.path.join(here, re.search(rf"{name}: ([^\s,}}]+)", config).group(1))
                for name in ("certificate-authority", "client-certificate", "client-key")}
        self.port = int(re.search(r'server: "?https://[^:]+:(\d+)', config).group(1))
        self.context = ssl.create_default_context(cafile=said["certificate-authority"])
        self.context.load_cert_chain(said["client-certificate"], said["client-key"])


class Space:
    """One namespace of a plane."""

    def __init__(self, plane, name):
        self.plane, self.name = plane, name
        self.pods = f"{CORE}/namespaces/{name}/pods"
        self.maps = f"{CORE}/namespaces/{name}/configmaps"
        self.claims = f"/apis/{GROUP}/{VERSION}/namespaces/{name}/resourceclaims"
        self.templates = f"/apis/{GROUP}/{VERSION}/namespaces/{name}/resourceclaimtemplates"

    def leave(self):
        """Has it deleted; that it is gone at the end is seen there."""
        self.plane.delete(f"{CORE}/namespaces/{self.name}")

    def template(self, name):
        self.plane.make(self.templates, {"apiVersion": f"{GROUP}/{VERSION}", "kind": "ResourceClaimTemplate", "metadata": {"name": name},
                                         "spec": {"spec": one_device()}})

    def pod(self, name, node=None, **reference):
        spec = {"containers": [{"name": "main", "image": "image"}]}
        if reference:
            spec["resourceClaims"] = [{"name": "gpu", **reference}]
            spec["containers"][0]["resources"] = {"claims": [{"name": "gpu"}]}
        if node:
            spec["nodeName"] = node
        return self.plane.make(self.pods, {"metadata": {"name": name}, "spec": spec})

    def claim(self, name):
        return self.plane.make(self.claims, {"apiVersion": f"{GROUP}/{VERSION}", "kind": "ResourceClaim", "metadata": {"name": name},
                                             "spec": one_device()})

    def map(self, name, *owners, finalizers=()):
        references = [{"apiVersion": "v1", "kind": "ConfigMap", "name": of["metadata"]["name"], "uid": of["metadata"]["uid"],
                       "blockOwnerDeletion": True} for of in owners]
        return self.plane.make(self.maps, {"metadata": {"name": name, "ownerReferences": references, "finalizers": list(finalizers)}})

    def own_maps(self):
        return [name for name in self.plane.names(self.maps) if name != "kube-root-ca.crt"]

    def claim_of(self, pod):
        """The claim that was made for the pod, once its status says so."""
        def said():
            statuses = self.plane.get(f"{self.pods}/{pod}")["status"].get("resourceClaimStatuses", [])
            return statuses and statuses[0].get("resourceClaimName")
        expect(patiently(said), f"{pod} gets no claim")
        return said()

    def allocate(self, claim, *pods):
        """What the scheduler writes."""
        target = f"{self.claims}/{claim}"
        self.plane.change(target, {"metadata": {"finalizers": [PROTECTION]}})
        result = {"request": "gpu", "driver": "gpu.example.com", "pool": self.name, "device": claim}  # one of its own
        consumers = [{"resource": "pods", "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]} for pod in pods]
        self.plane.change(target + "/status", {"status": {"allocation": {"devices": {"results": [result]}}, "reservedFor": consumers}})

    def consumers(self, claim):
        return [each["name"] for each in self.plane.get(f"{self.claims}/{claim}").get("status", {}).get("reservedFor", [])]


def templates(plane):
    space = plane.enter("templates")
    space.pod("early", resourceClaimTemplateName="gpus")
    space.template("gpus")
    claim = plane.get(f"{space.claims}/{space.claim_of('early')}")
    expect(claim["metadata"]["annotations"]["resource.kubernetes.io/pod-claim-name"] == "gpu", f"the annotation: {claim}")
    owner = claim["metadata"]["ownerReferences"][0]
    expect((owner["kind"], owner["name"], owner["controller"]) == ("Pod", "early", True), f"the owner: {owner}")
    plane.delete(f"{space.claims}/{claim['metadata']['name']}")
    expect(patiently(lambda: any(item["metadata"]["uid"] != claim["metadata"]["uid"] for item in plane.get(space.claims)["items"])),
           "a claim that was taken away is made again")
    plane.delete(f"{space.pods}/early")
    expect(patiently(lambda: plane.names(space.claims) == []), f"claims are left: {plane.names(space.claims)}")
    space.leave()


def shared(plane):
    """Two pods share a claim; it is freed when the last is gone, and goes then, since it was deleted meanwhile."""
    space = plane.enter("shared")
    space.claim("shared")
    pods = [space.pod(name, node="node-a", resourceClaimName="shared") for name in ("one", "two")]
    space.allocate("shared", *pods)
    plane.change(f"{space.pods}/one/status", {"status": {"phase": "Succeeded"}})
    plane.delete(f"{space.claims}/shared")
    expect(patiently(lambda: space.consumers("shared") == ["two"]), f"who is done keeps its reservation: {space.consumers('shared')}")
    expect(plane.get(f"{space.claims}/shared")["status"]["allocation"], "what is in use stays")
    plane.delete(f"{space.pods}/two", gracePeriodSeconds=0)
    expect(patiently(lambda: plane.names(space.claims) == []), f"claims are left: {plane.names(space.claims)}")
    plane.delete(f"{space.pods}/one", gracePeriodSeconds=0)
    space.leave()


def bound_without_scheduler(plane):
    space = plane.enter("bound")
    space.claim("mine")
    space.allocate("mine")
    space.pod("direct", node="node-a", resourceClaimName="mine")
    expect(patiently(lambda: space.consumers("mine") == ["direct"]), f"not reserved: {space.consumers('mine')}")
    plane.delete(f"{space.pods}/direct", gracePeriodSeconds=0)
    plane.delete(f"{space.claims}/mine")
    expect(patiently(lambda: plane.names(space.claims) == []), f"claims are left: {plane.names(space.claims)}")
    space.leave()


def orders(plane):
    """A pod, its claim that is in use, and its template are deleted one after the other, in every order and by every policy."""
    space = plane.enter("orders")
    policies = itertools.cycle(("Background", "Foreground"))
    for number, order in enumerate(itertools.permutations(("pod", "claim", "template"))):
        space.template(f"gpus-{number}")
        pod = space.pod(f"pod-{number}", node="node-a", resourceClaimTemplateName=f"gpus-{number}")
        claim = space.claim_of(f"pod-{number}")
        space.allocate(claim, pod)
        targets = {"pod": f"{space.pods}/pod-{number}", "claim": f"{space.claims}/{claim}", "template": f"{space.templates}/gpus-{number}"}
        for each in order:
            plane.delete(targets[each], gracePeriodSeconds=0, propagationPolicy=next(policies))
        expect(patiently(lambda: plane.names(space.claims) == []), f"{order}: {plane.get(space.claims)['items']}")
    # Who orphans a claim has it to himself: nobody holds it, nothing keeps it.
    space.template("gpus")
    pod = space.pod("pod", node="node-a", resourceClaimTemplateName="gpus")
    claim = space.claim_of("pod")
    space.allocate(claim, pod)
    plane.delete(f"{space.pods}/pod", gracePeriodSeconds=0, propagationPolicy="Orphan")

    def free():
        orphan = plane.get(f"{space.claims}/{claim}")
        return not orphan["status"].get("allocation") and not {"finalizers", "ownerReferences"} & orphan["metadata"].keys()
    expect(patiently(free), f"the orphan is not free: {plane.get(space.claims)['items']}")
    space.leave()


def owners(plane):
    space = plane.enter("owners")
    left = {"Background": [], "Foreground": [], "Orphan": ["child", "grandchild"]}
    for policy, expected in left.items():
        top = space.map("top")
        space.map("grandchild", space.map("child", top))
        plane.delete(f"{space.maps}/top", propagationPolicy=policy)
        expect(patiently(lambda: space.own_maps() == expected), f"{policy}: {space.own_maps()}")
        plane.delete(f"{space.maps}/child")
        expect(patiently(lambda: space.own_maps() == []), f"after {policy}: {space.own_maps()}")
    # In the foreground an owner waits for those that it blocks on.
    top = space.map("top")
    space.map("held", top, finalizers=["example.com/hold"])
    plane.delete(f"{space.maps}/top", propagationPolicy="Foreground")
    expect(patiently(lambda: plane.get(f"{space.maps}/held")["metadata"].get("deletionTimestamp")), "the dependent is not deleted")
    expect(space.own_maps() == ["held", "top"], f"the owner did not wait: {space.own_maps()}")
    plane.change(f"{space.maps}/held", {"metadata": {"finalizers": None}})
    expect(patiently(lambda: space.own_maps() == []), f"left: {space.own_maps()}")
    space.leave()


def many(plane, count=1000):
    """A namespace that is emptied of a thousand objects, some of them claims in use."""
    space = plane.enter("many")
    space.template("gpus")
    plane.at_once(lambda i: space.map(f"map-{i}"), range(count - 40))
    for i in range(20):
        pod = space.pod(f"pod-{i}", resourceClaimTemplateName="gpus")
        if i % 4 == 0:
            space.allocate(space.claim_of(f"pod-{i}"), pod)
    space.leave()


def crowd(plane):
    """As many pods as there may be, each with a claim of its own, come and go."""
    space = plane.enter("crowd")
    space.template("gpus")
    names = [f"pod-{i}" for i in range(CROWD)]
    plane.at_once(lambda name: space.pod(name, resourceClaimTemplateName="gpus"), names)

    def settled():
        time.sleep(CROWD / 5000)  # to look is not for nothing either
        made = {item["metadata"]["name"]: item["metadata"]["ownerReferences"][0]["name"] for item in plane.get(space.claims)["items"]}
        said = {status["resourceClaimName"]: item["metadata"]["name"] for item in plane.get(space.pods)["items"]
                for status in item["status"].get("resourceClaimStatuses", [])}
        return made == said and len(made) == CROWD
    expect(patiently(settled, 240), f"{len(plane.names(space.claims))} claims for {CROWD} pods")
    plane.at_once(lambda name: plane.delete(f"{space.pods}/{name}"), names)
    expect(patiently(lambda: time.sleep(CROWD / 5000) or plane.names(space.claims) == [], 240), f"claims are left: {plane.names(space.claims)[:20]}")
    space.leave()


def replicas(plane):
    space = plane.enter("replicas")
    labels = {"app": "web"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "main", "image": "image"}]}}
    sets = f"/apis/apps/v1/namespaces/{space.name}/replicasets"
    plane.make(space.pods, {**template, "metadata": {"name": "stray", "labels": labels}})
    plane.make(sets, {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "web"},
                      "spec": {"replicas": 3, "selector": {"matchLabels": labels}, "template": template}})
    expect(patiently(lambda: len(plane.names(space.pods)) == 3), f"pods: {plane.names(space.pods)}")
    expect(patiently(lambda: plane.get(f"{space.pods}/stray")["metadata"].get("ownerReferences")), "a pod that matches is not taken on")
    plane.delete(f"{space.pods}/stray", gracePeriodSeconds=0)
    expect(patiently(lambda: plane.get(f"{sets}/web")["status"].get("replicas") == 3 and len(plane.names(space.pods)) == 3),
           "a pod that went is made again")
    plane.delete(f"{sets}/web", propagationPolicy="Background")
    expect(patiently(lambda: plane.names(space.pods) == []), f"left: {plane.names(space.pods)}")
    space.leave()


PARTS = [templates, shared, bound_without_scheduler, orders, owners, replicas, many, crowd]  # for any server


def rest(plane):
    """Where nothing happens nothing is written."""
    expect(patiently(lambda: plane.writes(1) == 0, 60), "what was begun comes to no end")
    written = plane.writes(REST)
    expect(written == 0, f"{written} writes in {REST} s at rest")


def killed(plane, rounds=3):
    """Everything is made and deleted while the process is killed; whatever was on its way comes to its end."""
    space = plane.enter("killed")
    space.template("gpus")
    for i in range(rounds):
        threading.Timer(0.05 * (i + 1), plane.kill).start()
        try:
            for n in range(1000):
                space.pod(f"pod-{i}-{n}", resourceClaimTemplateName="gpus")
                if n % 2:
                    plane.delete(f"{space.pods}/pod-{i}-{n}")
        except (OSError, http.client.HTTPException, ValueError):
            pass  # the process is gone
        plane.process.wait()
        plane.start()
    pods = plane.names(space.pods)

    def right():
        items = plane.get(space.claims)["items"]
        owned = sorted(item["metadata"]["ownerReferences"][0]["name"] for item in items)
        return owned == plane.names(space.pods)
    expect(patiently(right, 60), f"{len(pods)} pods, {len(plane.names(space.claims))} claims")
    for name in pods:
        plane.delete(f"{space.pods}/{name}")
    expect(patiently(lambda: plane.names(space.claims) == [], 60), f"claims are left: {plane.names(space.claims)}")
    space.leave()


class Controller:
    """`quadra controller` as a process of its own."""

    def __init__(self, plane):
        self.log = tempfile.TemporaryFile("w+")
        identity = IDENTITY or plane.kubeconfig
        self.process = subprocess.Popen([plane.quadra, "controller", "--kubeconfig", identity, "--leader-elect", "--metrics-address", "127.0.0.1:0"],
                                        stdout=subprocess.PIPE, stderr=self.log, text=True)
        PROCESSES.append(self.process)
        CONTROLLERS.append(self)
        self.ready = threading.Event()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            if line == "ready\n":
                self.ready.set()

    def tell(self, target):
        """What it says of itself: status and text."""
        def port():
            return re.search(r"status at port (\d+)", self.said())
        expect(patiently(port), "it says no port")
        context = ssl._create_unverified_context()  # it signs its certificate itself
        connection = http.client.HTTPSConnection("127.0.0.1", int(port().group(1)), context=context, timeout=30)
        connection.request("GET", target)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def said(self):
        self.log.seek(0)
        return self.log.read()

    def end(self, how):
        self.process.send_signal(how)
        self.process.wait(timeout=30)
        expect("forbidden: User" not in self.said(), f"a right is missing: {self.said()[-2000:]}")


def in_one_process(plane, only):
    plane.start()
    before = plane.everything()
    play(plane, [part for part in [*PARTS, killed] if not only or part.__name__ in only])
    play(plane, [undone(before), rest])
    plane.process.terminate()
    expect(plane.process.wait(timeout=30) == 0, "the control plane ends by itself")


def beside(plane, only):
    """Of two controllers one works, the other as soon as it has gone: told to, or killed while nothing happens."""
    plane.start()
    before = plane.everything()
    first = Controller(plane)
    expect(first.ready.wait(60), "the first controller does not work")
    second = Controller(plane)
    play(plane, [part for part in PARTS if not only or part.__name__ in only])
    one_works(first, second)
    first.end(signal.SIGTERM)
    expect(second.ready.wait(60), "the second does not take over")
    third = Controller(plane)
    play(plane, [templates, undone(before)])
    expect("dynamic_resource_allocation_resourceclaim_creates_total{" in second.tell("/metrics")[1], "the claims that it made are not counted")
    second.end(signal.SIGKILL)
    play(plane, [rest])
    expect(third.ready.wait(90), "the third does not take over from one that was killed")
    play(plane, [shared, undone(before)])
    third.end(signal.SIGTERM)
    expect(third.process.returncode == 0, f"the last ends with {third.process.returncode}")
    plane.kill()


def one_works(first, second):
    expect(not second.ready.is_set(), "two work at once")
    expect((first.tell("/readyz"), second.tell("/livez")) == ((200, "ok"), (200, "ok")), "both are alive, the first is ready")
    expect(second.tell("/readyz")[0] == 500, f"the second is ready: {second.tell('/readyz')}")


def undone(before):
    """A part that ends when everything is as it was before."""
    def undone(plane):
        expect(patiently(lambda: plane.everything() == before, 120), f"left: {plane.everything() - before}, lacking: {before - plane.everything()}")
    return undone


def play(plane, parts):
    for part in parts:
        begun = time.monotonic()
        part(plane)
        print(f"passed: {part.__name__} in {time.monotonic() - begun:.1f} s {plane.way}", flush=True)


def main():
    global VERSION, CROWD, REST, IDENTITY
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quadra", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--pods", type=int, default=CROWD)
    parser.add_argument("--rest", type=int, default=REST)
    parser.add_argument("--kubeconfig")
    parser.add_argument("--identity", default=IDENTITY)
    parser.add_argument("--version", default=VERSION)
    arguments = parser.parse_args()
    VERSION, CROWD, REST, IDENTITY = arguments.version, arguments.pods, arguments.rest, arguments.identity
    quadra, only = arguments.quadra, arguments.only and arguments.only.split(",")
    if arguments.kubeconfig:
        return beside(Beside(quadra, arguments.kubeconfig), only)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as ways:
        ended = [ways.submit(in_one_process, Plane(quadra, os.path.join(folder, "up"), "up"), only),
                 ways.submit(beside, Plane(quadra, os.path.join(folder, "beside"), "apiserver"), only)]
        for each in ended:
            each.result()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except AssertionError:
        for controller in CONTROLLERS:
            print(f"a controller said:\n{controller.said()[-2000:]}", file=sys.stderr)
        raise
    finally:
        for process in PROCESSES:
            process.kill()
