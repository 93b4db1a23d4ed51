#!/usr/bin/env python3
"""A control plane in one process, as its users meet it: claims from templates, shared claims, what owns what, namespaces that
are emptied, two controllers of which one works, and kill -9 in the middle. At the end nothing may be left: no claim
without its pod, no finalizer, no reservation of a pod that is gone, no orphan.

  controllers.py --quadra build/quadra [--only PART] [--kubeconfig FILE [--version v1beta1]]

The same parts are played three ways: on the server and controllers of `quadra up`, on `quadra controller` beside `quadra
apiserver`, and, with --kubeconfig, beside the server that this names, which may have claims in another version.
"""
import argparse
import http.client
import json
import os
import re
import signal
import ssl
import subprocess
import sys
import tempfile
import threading

from hardships import expect, patiently
from kill_rounds import Server

CORE, GROUP = "/api/v1", "resource.k8s.io"
PROTECTION = "resource.kubernetes.io/delete-protection"
VERSION = "v1"  # of claims
PROCESSES = []  # that were started; none outlives the test


def one_device():
    """The spec of a claim, in the version of the server."""
    wanted = {"deviceClassName": "gpu.example.com"}
    request = {"name": "gpu", **wanted} if VERSION == "v1beta1" else {"name": "gpu", "exactly": wanted}
    return {"devices": {"requests": [request]}}


class Plane(Server):
    """`quadra up`, or a server alone; answers are (status, object)."""

    def start(self):
        super().start()
        PROCESSES.append(self.process)

    def call(self, method, target, body=None, content="application/json"):
        connection = self.connect()
        connection.request(method, target, json.dumps(body) if body is not None else None, {"Content-Type": content})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())

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

    def enter(self, name):
        """A namespace in which pods can be made."""
        self.make(CORE + "/namespaces", {"metadata": {"name": name}})
        account = f"{CORE}/namespaces/{name}/serviceaccounts/default"
        expect(patiently(lambda: self.get(account)), f"{name} has no account")
        return Space(self, name)

    def leave(self, name):
        self.delete(f"{CORE}/namespaces/{name}")
        expect(patiently(lambda: self.get(f"{CORE}/namespaces/{name}") is None, 60), f"{name} is not gone: {self.get(f'{CORE}/namespaces/{name}')}")


class Beside(Plane):
    """A server that somebody else runs, by its kubeconfig, with controllers of ours."""

    def __init__(self, quadra, kubeconfig):
        self.quadra, self.kubeconfig = quadra, kubeconfig

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
        result = {"request": "gpu", "driver": "gpu.example.com", "pool": "pool", "device": "gpu-0"}
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
    plane.leave("templates")


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
    plane.leave("shared")


def bound_without_scheduler(plane):
    space = plane.enter("bound")
    space.claim("mine")
    space.allocate("mine")
    space.pod("direct", node="node-a", resourceClaimName="mine")
    expect(patiently(lambda: space.consumers("mine") == ["direct"]), f"not reserved: {space.consumers('mine')}")
    plane.delete(f"{space.pods}/direct", gracePeriodSeconds=0)
    plane.delete(f"{space.claims}/mine")
    expect(patiently(lambda: plane.names(space.claims) == []), f"claims are left: {plane.names(space.claims)}")
    plane.leave("bound")


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
    plane.leave("owners")


def many(plane, count=300):
    space = plane.enter("many")
    for i in range(count):
        space.map(f"map-{i}")
    space.template("gpus")
    for i in range(20):
        space.pod(f"pod-{i}", resourceClaimTemplateName="gpus")
    plane.leave("many")


def replicas(plane):
    space = plane.enter("replicas")
    labels = {"app": "web"}
    sets = "/apis/apps/v1/namespaces/replicas/replicasets"
    plane.make(sets, {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "web"}, "spec": {
        "replicas": 3, "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "main", "image": "image"}]}}}})
    expect(patiently(lambda: len(plane.names(space.pods)) == 3), f"pods: {plane.names(space.pods)}")
    plane.delete(f"{space.pods}/{plane.names(space.pods)[0]}", gracePeriodSeconds=0)
    expect(patiently(lambda: plane.get(f"{sets}/web")["status"].get("replicas") == 3 and len(plane.names(space.pods)) == 3),
           "a pod that went is made again")
    plane.delete(f"{sets}/web", propagationPolicy="Background")
    expect(patiently(lambda: plane.names(space.pods) == []), f"left: {plane.names(space.pods)}")
    plane.leave("replicas")


PARTS = [templates, shared, bound_without_scheduler, owners, replicas, many]  # for any server


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
    plane.leave("killed")


class Controller:
    """`quadra controller` as a process of its own."""

    def __init__(self, quadra, plane, *flags):
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([quadra, "controller", "--kubeconfig", plane.kubeconfig, "--metrics-address", "127.0.0.1:0", *flags],
                                        stdout=subprocess.PIPE, stderr=self.log, text=True)
        PROCESSES.append(self.process)
        self.ready = threading.Event()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            if line == "ready\n":
                self.ready.set()

    def tell(self, target):
        """What it says of itself: status and text."""
        def port():
            self.log.seek(0)
            return re.search(r"status at port (\d+)", self.log.read())
        expect(patiently(port), "it says no port")
        context = ssl._create_unverified_context()  # it signs its certificate itself
        connection = http.client.HTTPSConnection("127.0.0.1", int(port().group(1)), context=context, timeout=30)
        connection.request("GET", target)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def end(self, how):
        self.process.send_signal(how)
        self.process.wait(timeout=30)


def elections(quadra, folder):
    """Two controllers beside one server: the second works as soon as the first has gone, told to or killed."""
    plane = Plane(quadra, folder, "apiserver")
    plane.start()
    first = Controller(quadra, plane, "--leader-elect")
    expect(first.ready.wait(60), "the first controller does not work")
    second = Controller(quadra, plane, "--leader-elect")
    templates(plane)
    expect(not second.ready.is_set(), "two work at once")
    expect((first.tell("/readyz"), second.tell("/livez")) == ((200, "ok"), (200, "ok")), "both are alive, the first is ready")
    expect(second.tell("/readyz")[0] == 500, f"the second is ready: {second.tell('/readyz')}")
    expect('dynamic_resource_allocation_resourceclaim_creates_total{' in first.tell("/metrics")[1], "the claims that it made are not counted")
    first.end(signal.SIGTERM)
    expect(second.ready.wait(60), "the second does not take over")
    third = Controller(quadra, plane, "--leader-elect")
    shared(plane)
    second.end(signal.SIGKILL)
    expect(third.ready.wait(90), "the third does not take over from one that was killed")
    owners(plane)
    third.end(signal.SIGTERM)
    expect(third.process.returncode == 0, f"the last ends with {third.process.returncode}")
    plane.kill()


def in_one_process(quadra, folder, only):
    plane = Plane(quadra, folder, "up")
    plane.start()
    play(plane, [*PARTS, killed], only)
    plane.process.terminate()
    expect(plane.process.wait(timeout=30) == 0, "the control plane ends by itself")


def beside(quadra, plane, only):
    plane.start()
    controller = Controller(quadra, plane)
    expect(controller.ready.wait(60), "the controller does not work")
    play(plane, PARTS, only)
    controller.end(signal.SIGTERM)


def play(plane, parts, only):
    for part in parts:
        if only in part.__name__:
            part(plane)
            print("passed:", part.__name__, flush=True)


def main():
    global VERSION
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quadra", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--kubeconfig")
    parser.add_argument("--version", default=VERSION)
    arguments = parser.parse_args()
    VERSION = arguments.version
    quadra, only = arguments.quadra, arguments.only
    if arguments.kubeconfig:
        return beside(quadra, Beside(quadra, arguments.kubeconfig), only)
    with tempfile.TemporaryDirectory() as folder:
        in_one_process(quadra, os.path.join(folder, "up"), only)
        beside(quadra, Plane(quadra, os.path.join(folder, "beside")), only)
        if only in elections.__name__:
            elections(quadra, os.path.join(folder, "elections"))
            print("passed: elections")


if __name__ == "__main__":
    try:
        sys.exit(main())
    finally:
        for process in PROCESSES:
            process.kill()
