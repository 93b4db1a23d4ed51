#!/usr/bin/env python3
"""Prints the dump of a large cluster, for timing `quadra explain`, `allocate`, `get` and `fit` on it.

    bench/dump.py --nodes 5000 --claims 12050 > big.json
    bench/dump.py --nodes 3000 --waiting 3000 > waiting.json
    time quadra explain pod/wait-0 -f big.json

Each node has one pool of devices of three models, of which the claims hold the first ones, node after node, each reserved for
its pod. `wait-0`, `wait-1`, … want two devices of a model; what is left decides who gets them. As kubectl prints it: one List
of JSON, objects with uids. The same arguments give the same bytes.
"""
import argparse
import json

DRIVER = "gpu.example.com"
MODELS = ["a100", "h100", "l40s"]


def meta(name, namespace=None):
    named = {"name": name, "uid": f"00000000-0000-0000-0000-{hash_of(name):012x}", "resourceVersion": "1"}
    return {**named, "namespace": namespace} if namespace else named


def hash_of(text):
    value = 0
    for byte in text.encode():
        value = (value * 131 + byte) % 2**48
    return value


def node(name):
    return {"apiVersion": "v1", "kind": "Node",
            "metadata": {**meta(name), "labels": {"kubernetes.io/hostname": name}}, "spec": {}}


def resource_slice(name, number, devices):
    def device(i):
        return {"name": f"gpu-{i}", "attributes": {"model": {"string": MODELS[number % 3]}, "index": {"int": i},
                                                   "uuid": {"string": f"GPU-{number}-{i}"}},
                "capacity": {"memory": {"value": f"{40 * (number % 3 + 1)}Gi"}}}
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": meta(f"{name}-gpu"),
            "spec": {"driver": DRIVER, "nodeName": name, "devices": [device(i) for i in range(devices)],
                     "pool": {"name": name, "generation": 1, "resourceSliceCount": 1}}}


def request(count, model=None):
    exactly = {"deviceClassName": DRIVER, "allocationMode": "ExactCount", "count": count}
    if model:
        exactly["selectors"] = [{"cel": {"expression": f'device.attributes["{DRIVER}"].model == "{model}"'}}]
    return {"devices": {"requests": [{"name": "gpu", "exactly": exactly}]}}


def held_claim(number, holder, device):
    selector = {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": [holder]}]}]}
    result = {"request": "gpu", "driver": DRIVER, "pool": holder, "device": f"gpu-{device}"}
    user = {"resource": "pods", "name": f"run-{number}", "uid": meta(f"run-{number}")["uid"]}
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": meta(f"held-{number}", "team"),
            "spec": request(1), "status": {"allocation": {"devices": {"results": [result]}, "nodeSelector": selector},
                                           "reservedFor": [user]}}


def pod(name, claim, phase, **where):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta(name, "team"), "status": {"phase": phase},
            "spec": {"containers": [{"name": "main", "image": "main", "resources": {"claims": [{"name": "gpu"}]}}],
                     "resourceClaims": [{"name": "gpu", **claim}], **where}}


def objects(nodes, devices, claims, waiting):
    yield {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": meta(DRIVER),
           "spec": {"selectors": [{"cel": {"expression": f'device.driver == "{DRIVER}"'}}]}}
    for model in MODELS:
        yield {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate", "metadata": meta(f"two-{model}", "team"),
               "spec": {"spec": request(2, model)}}
    for number in range(nodes):
        yield node(f"node-{number:05}")
        yield resource_slice(f"node-{number:05}", number, devices)
    for number in range(claims):
        holder = f"node-{number // devices:05}"
        yield held_claim(number, holder, number % devices)
        yield pod(f"run-{number}", {"resourceClaimName": f"held-{number}"}, "Running", nodeName=holder)
    for number in range(waiting):
        yield pod(f"wait-{number}", {"resourceClaimTemplateName": f"two-{MODELS[number % 3]}"}, "Pending")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--devices", type=int, default=8, help="of each node")
    parser.add_argument("--claims", type=int, default=0, help="that hold one device each")
    parser.add_argument("--waiting", type=int, default=3, help="pods that wait")
    asked = parser.parse_args()
    items = ",\n".join(json.dumps(each, separators=(",", ":")) for each in objects(asked.nodes, asked.devices, asked.claims, asked.waiting))
    print('{"apiVersion":"v1","kind":"List","items":[\n' + items + "\n]}")


if __name__ == "__main__":
    main()
