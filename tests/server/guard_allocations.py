#!/usr/bin/env python3
"""Under `quadra up` no device is given to two claims, however many ask at once; `quadra apiserver` stores what it is sent, as
kube-apiserver does.

  guard_allocations.py --quadra build/quadra
"""
import argparse
import concurrent.futures
import sys
import tempfile

from kill_rounds import Server

CLAIMS = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims"
CLAIMANTS = 8


def allocate(server, name):
    """The status of giving device gpu-0 to a claim of that name, which is made."""
    connection = server.connect()
    request = {"name": "r", "exactly": {"deviceClassName": "gpu"}}
    status, claim = server.ask(connection, "POST", CLAIMS, {"metadata": {"name": name}, "spec": {"devices": {"requests": [request]}}})
    if status != 201:
        sys.exit(f"no claim was made: {claim}")
    result = {"request": "r", "driver": "gpu.example.com", "pool": "node", "device": "gpu-0"}
    claim["status"] = {"allocation": {"devices": {"results": [result]}}}
    return server.ask(connection, "PUT", f"{CLAIMS}/{name}/status", claim)[0]


def statuses(quadra, verb):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(quadra, folder, verb)
        server.start()
        try:
            with concurrent.futures.ThreadPoolExecutor(CLAIMANTS) as pool:
                return sorted(pool.map(lambda i: allocate(server, f"c{i}"), range(CLAIMANTS)))
        finally:
            server.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quadra", required=True)
    quadra = parser.parse_args().quadra
    for verb, expected in (("up", [200] + [409] * (CLAIMANTS - 1)), ("apiserver", [200] * CLAIMANTS)):
        if (got := statuses(quadra, verb)) != expected:
            sys.exit(f"FAILED quadra {verb} answered {got}, not {expected}")
    print("passed")


if __name__ == "__main__":
    main()
