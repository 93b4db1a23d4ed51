#!/usr/bin/env python3
"""`quadra explain pod/NAME` of a cluster shows what the scheduler remembers of its last attempt: of `quadra up`, which asks
the scheduler of its own process, and of `quadra apiserver --scheduler-address`, which asks one beside it.

  last_attempt.py --quadra build/quadra
"""
import argparse
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

# A pod that no node has room for.
WORLD = """
apiVersion: v1
kind: Node
metadata: {name: small}
status:
  allocatable: {cpu: "1", memory: 1Gi, pods: "10"}
  capacity: {cpu: "1", memory: 1Gi, pods: "10"}
  conditions: [{type: Ready, status: "True"}]
---
apiVersion: v1
kind: Pod
metadata: {name: waits, namespace: default}
spec:
  serviceAccountName: default
  tolerations: [{operator: Exists}]
  containers: [{name: c, image: i, resources: {requests: {cpu: "4"}}}]
"""
ACCOUNT = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: default, namespace: default}\n"


def patiently(ask, seconds=60):
    """What `ask` returns once it returns something; only a test that fails waits long."""
    end = time.monotonic() + seconds
    while not (answer := ask()) and time.monotonic() < end:
        time.sleep(0.2)
    return answer


@contextlib.contextmanager
def running(*command):
    with open(os.devnull, "w", encoding="ascii") as nowhere:
        process = subprocess.Popen(command, stdout=nowhere, stderr=nowhere)
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=30)


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Cluster:
    def __init__(self, quadra, folder):
        self.quadra, self.kubeconfig = quadra, os.path.join(folder, "kubeconfig")

    def run(self, *words, text=None):
        return subprocess.run([self.quadra, *words, "--kubeconfig", self.kubeconfig], input=text, capture_output=True, text=True,
                              timeout=60)

    def fill(self, text):
        if not patiently(lambda: os.path.exists(self.kubeconfig)):
            sys.exit("the server did not start")
        for document in text:
            done = patiently(lambda: (made := self.run("apply", "-f", "-", text=document)).returncode == 0 and made)
            if not done:
                sys.exit("not applied: " + self.run("apply", "-f", "-", text=document).stderr)

    def shows_the_attempt(self):
        explained = self.run("explain", "pod/waits")
        return "Last attempt of the scheduler (attempt " in explained.stdout and "\n  nodes 1" in explained.stdout


def expect(holds, what, cluster):
    if not holds:
        explained = cluster.run("explain", "pod/waits")
        sys.exit(f"FAILED {what}\n{explained.stdout}{explained.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quadra", required=True)
    quadra = os.path.abspath(parser.parse_args().quadra)
    with tempfile.TemporaryDirectory() as folder, running(quadra, "up", "--data-dir", folder, "--listen", "127.0.0.1:0"):
        cluster = Cluster(quadra, folder)
        cluster.fill([WORLD])
        expect(patiently(cluster.shows_the_attempt), "quadra up asks its own scheduler", cluster)
    address = f"127.0.0.1:{free_port()}"
    with tempfile.TemporaryDirectory() as folder, running(quadra, "apiserver", "--data-dir", folder, "--listen", "127.0.0.1:0",
                                                          "--scheduler-address", address):
        cluster = Cluster(quadra, folder)
        cluster.fill([ACCOUNT, WORLD])
        note = "note: the above is computed from the cluster as it is now; its server cannot say what its scheduler tried last"
        expect(note in cluster.run("explain", "pod/waits").stderr, "a scheduler that is away is said to be silent", cluster)
        with running(quadra, "scheduler", "--kubeconfig", cluster.kubeconfig, "--metrics-address", address):
            expect(patiently(cluster.shows_the_attempt), "the scheduler at --scheduler-address is asked", cluster)
            none = cluster.run("apply", "-f", "-", text=WORLD.split("---")[1].replace("name: waits", "name: bound").replace(
                "spec:\n", "spec:\n  nodeName: small\n"))
            expect(none.returncode == 0, none.stderr, cluster)
            said = cluster.run("explain", "pod/bound").stderr
            expect('the scheduler remembers no attempt on pod "default/bound"' in said, said, cluster)
    print("passed")


if __name__ == "__main__":
    main()
