"""A drawn mix of pods and of what happens around them, for scheduling.py: pods that want cpu, ports, places beside others and devices
in many ways, come and go while nodes, labels, taints, slices, classes and claims change. Who waits in the end is there for a reason."""
import time

from controllers import CORE, GROUP
from hardships import expect

RESOURCE = f"/apis/{GROUP}/v1"
PATIENT = [{"key": f"node.kubernetes.io/{key}", "operator": "Exists"} for key in ("not-ready", "unreachable")]  # there is no kubelet
OUT = {"key": "example.com/out", "effect": "NoSchedule"}
SIZES = ("big", "mid", "small")


class Mix:
    def __init__(self, part, chance):
        self.part, self.plane, self.chance = part, part.plane, chance
        self.nodes, self.pods, self.rules, self.extra, self.generation = {}, {}, set(), set(), 1
        part.device_class(f"{part.name}-narrow", f"device.driver == '{part.driver}' && {self.size('big')}")
        some = [{"name": size, "deviceClassName": part.driver, "selectors": self.selectors(self.size(size))} for size in SIZES]
        for name, spec in {"one": part.spec(), "pair": part.spec(count=2), "mid": part.spec(selectors=self.selectors(self.size("mid"))),
                           "hardy": part.spec(tolerations=[{"operator": "Exists"}]), "all": part.spec(allocationMode="All"),
                           "narrow": part.spec(deviceClassName=f"{part.name}-narrow"),
                           "some": {"devices": {"requests": [{"name": "dev", "firstAvailable": some}]}}}.items():
            part.template(name, spec)
        for name in "abcde":
            self.add_node(name)
        for name in ("x", "y", "z"):
            part.claim(name)

    def size(self, size):
        return f"device.attributes['{self.part.driver}'].size == '{size}'"

    def selectors(self, expression):
        return [{"cel": {"expression": expression}}]

    def devices(self):
        return [{"name": f"dev-{i}", "attributes": {"size": {"string": self.chance.choice(SIZES)}}}
                for i in range(self.chance.randint(0, 4))]

    # --- Pods.

    def add_pod(self):
        name = f"pod-{len(self.pods)}"
        kind = self.chance.choice([self.plain, self.near, self.apart, self.spread, self.port, self.gated, self.extended] +
                                  5 * [self.templated, self.shared])
        more = kind()
        zone = self.chance.choice(("", "", "a", "b"))
        tolerations = PATIENT + self.chance.choice(([], [{"key": OUT["key"], "operator": "Exists"}]))
        self.pods[name] = self.part.pod(name, *more.pop("claims", ()), tolerations=tolerations, labels={"app": self.app()},
                                        requests={"cpu": self.chance.choice(("100m", "1", "2", "3"))},
                                        nodeSelector={"part": self.part.name, **({"zone": zone} if zone else {})}, **more)

    def app(self):
        return self.chance.choice("uvw")

    def plain(self):
        return {}

    def templated(self):
        return {"template": self.chance.choice(("one", "pair", "mid", "hardy", "all", "narrow", "some"))}

    def shared(self):
        return {"claims": self.chance.sample(("x", "y", "z"), self.chance.randint(1, 2))}

    def term(self, key):
        return {"topologyKey": key, "labelSelector": {"matchLabels": {"app": self.app()}}}

    def near(self):
        teams = self.chance.choice(({}, {"namespaceSelector": {"matchLabels": {"team": self.app()}}}))
        return {"affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{**self.term("zone"), **teams}]}}}

    def apart(self):
        return {"affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [self.term("kubernetes.io/hostname")]}}}

    def spread(self):
        return {"topologySpreadConstraints": [{"maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule", **self.term("zone")}]}

    def port(self):
        return {"ports": [{"containerPort": 80, "hostPort": 8080}]}

    def extended(self):
        """A resource that classes serve."""
        return {"limits": {self.resource(): "1"}}

    def resource(self):
        return f"{self.part.driver}/dev"

    def gated(self):
        return {"schedulingGates": [{"name": "example.com/later"}]}

    # --- What happens to them.

    def some_pod(self):
        left = [item["metadata"]["name"] for item in self.plane.get(self.part.space.pods)["items"]]
        return self.chance.choice(left) if left else None

    def remove_pod(self):
        if name := self.some_pod():
            self.plane.delete(f"{self.part.space.pods}/{name}", gracePeriodSeconds=0)

    def end_pod(self):
        name = self.some_pod()
        if name and self.part.node_of(name):
            self.part.finish(name)

    def label_pod(self):
        if name := self.some_pod():
            self.plane.change(f"{self.part.space.pods}/{name}", {"metadata": {"labels": {"app": self.app()}}})

    def ungate(self):
        for item in self.plane.get(self.part.space.pods)["items"]:
            if item["spec"].get("schedulingGates") and self.chance.random() < 0.5:
                self.plane.change(f"{self.part.space.pods}/{item['metadata']['name']}", {"spec": {"schedulingGates": None}})

    # --- What happens to the cluster.

    def add_node(self, name):
        self.nodes[name] = self.part.node(name, self.devices() or 1, cpu=self.chance.choice("246"), zone=self.chance.choice("ab"))

    def some_node(self):
        return f"{CORE}/nodes/{self.nodes[self.chance.choice(sorted(self.nodes))]}"

    def label_node(self):
        self.plane.change(self.some_node(), {"metadata": {"labels": {"zone": self.chance.choice("ab")}}})

    def taint_node(self):
        target = self.some_node()
        others = [each for each in self.plane.get(target)["spec"].get("taints", []) if each["key"] != OUT["key"]]
        self.plane.change(target, {"spec": {"taints": others + self.chance.choice(([], [OUT]))}})

    def grow_node(self):
        cpu = self.chance.choice("2468")
        self.plane.change(self.some_node() + "/status", {"status": {"allocatable": {"cpu": cpu}}})

    def replace_node(self):
        name = self.chance.choice(sorted(self.nodes))
        self.plane.delete(f"{CORE}/nodes/{self.nodes[name]}")
        self.plane.delete(f"{self.slice_of(name)}")
        self.add_node(name)

    def slice_of(self, name):
        return f"{RESOURCE}/resourceslices/slice-{self.nodes[name]}"

    def change_slice(self):
        self.generation += 1
        name = self.chance.choice(sorted(self.nodes))
        self.plane.change(self.slice_of(name), {"spec": {"devices": self.devices() or None, "pool": {"generation": self.generation}}})

    def change_extra(self):
        """A second pool of a node, which comes and goes."""
        node = self.nodes[self.chance.choice(sorted(self.nodes))]
        if node in self.extra:
            self.extra.discard(node)
            return self.plane.delete(f"{RESOURCE}/resourceslices/slice-extra-{node}")
        self.extra.add(node)
        self.part.slice(node, self.devices()[:2] or None, pool=f"extra-{node}")

    def label_namespace(self):
        self.plane.change(f"{CORE}/namespaces/{self.part.name}", {"metadata": {"labels": {"team": self.app()}}})

    def change_class(self):
        expression = f"device.driver == '{self.part.driver}' && {self.size(self.chance.choice(SIZES))}"
        self.plane.change(f"{RESOURCE}/deviceclasses/{self.part.name}-narrow", {"spec": {"selectors": self.selectors(expression)}})

    def change_served(self):
        """Of two classes for the same extended resource the newest serves it."""
        name, size = f"{self.part.name}-served-{self.chance.choice('ab')}", self.chance.choice(SIZES)
        made = {"metadata": {"name": name}, "spec": {
            "extendedResourceName": self.resource(),
            "selectors": self.selectors(f"device.driver == '{self.part.driver}' && {self.size(size)}")}}
        if self.plane.call("POST", f"{RESOURCE}/deviceclasses", made)[0] == 409:
            self.plane.delete(f"{RESOURCE}/deviceclasses/{name}")

    def cordon(self):
        self.plane.change(self.some_node(), {"spec": {"unschedulable": self.chance.choice((True, None))}})

    def taint_devices(self):
        target = f"{RESOURCE}/devicetaintrules"
        if self.rules:
            return self.plane.delete(f"{target}/{self.rules.pop()}")
        name = f"rule-{self.part.name}"
        self.plane.make(target, {"metadata": {"name": name}, "spec": {
            "deviceSelector": {"driver": self.part.driver, "pool": self.nodes[self.chance.choice(sorted(self.nodes))]},
            "taint": {"key": "example.com/worn", "effect": "NoSchedule"}}})
        self.rules.add(name)

    def renew_claim(self):
        name = self.chance.choice("xyz")
        status, _ = self.plane.call("POST", self.part.space.claims, {"metadata": {"name": name}, "spec": self.part.spec()})
        if status == 409:
            self.plane.delete(f"{self.part.space.claims}/{name}")

    def change(self):
        """Something that may let those in who wait."""
        self.chance.choice([self.label_node, self.taint_node, self.grow_node, self.replace_node, self.change_slice, self.change_extra,
                            self.change_class, self.change_served, self.taint_devices, self.renew_claim, self.label_pod, self.ungate,
                            self.label_namespace, self.cordon, self.remove_pod, self.end_pod])()

    def step(self):
        self.chance.choice([self.add_pod, self.change])()

    # --- What comes of it.

    def bound(self):
        """The nodes of all pods that there are, and of which claims are allocated."""
        pods = {item["metadata"]["name"]: item["spec"].get("nodeName", "") for item in self.plane.get(self.part.space.pods)["items"]}
        claims = self.plane.get(self.part.space.claims)["items"]
        return pods, {item["metadata"]["uid"] for item in claims if item.get("status", {}).get("allocation")}

    def rest(self, seconds=3, longest=90):
        """What there is once nothing has happened for so long."""
        end, since, last = time.monotonic() + longest, time.monotonic(), self.bound()
        while time.monotonic() - since < seconds:
            expect(time.monotonic() < end, "there is no rest")
            time.sleep(0.2)
            if (now := self.bound()) != last:
                since, last = time.monotonic(), now
        return last[0]
