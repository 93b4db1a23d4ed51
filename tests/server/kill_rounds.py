#!/usr/bin/env python3
"""Kills the real server with SIGKILL, again and again, while clients write and watch: nothing that was
acknowledged may be lost, nothing may be there that nobody sent, and no watcher may have seen what is gone.

  kill_rounds.py --quadra build/quadra [--rounds 20] [--seed 1]
"""
import argparse
import base64
import http.client
import json
import os
import random
import re
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time

LIST = "/api/v1/namespaces/default/configmaps"
WRITERS, WATCHERS = 16, 4


class Server:
    flags = ()  # more of them

    def __init__(self, quadra, folder, verb="apiserver"):
        self.quadra, self.folder, self.verb = quadra, folder, verb
        self.kubeconfig = os.path.join(folder, "kubeconfig")

    def start(self):
        self.process = subprocess.Popen([self.quadra, self.verb, "--data-dir", self.folder, "--listen", "127.0.0.1:0",
                                         *self.flags], stdout=subprocess.PIPE, text=True)
        first = self.process.stdout.readline()
        if not first.startswith("serving https://"):
            sys.exit(f"the server did not start: {first}")
        while self.process.stdout.readline().strip() != "kubectl get namespaces":
            pass
        self.port = int(first.rsplit(":", 1)[1])
        config = open(self.kubeconfig).read()
        data = {name: base64.b64decode(re.search(rf"{name}-data: (\S+)", config).group(1)).decode()
                for name in ("certificate-authority", "client-certificate", "client-key")}
        self.context = ssl.create_default_context(cadata=data["certificate-authority"])
        with tempfile.NamedTemporaryFile("w") as pem:
            pem.write(data["client-certificate"] + data["client-key"])
            pem.flush()
            self.context.load_cert_chain(pem.name)

    def kill(self):
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def connect(self):
        return http.client.HTTPSConnection("127.0.0.1", self.port, context=self.context, timeout=30)

    def ask(self, connection, method, target, body=None):
        connection.request(method, target, json.dumps(body) if body else None, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


def write(server, writer, acknowledged, sent, stop):
    """Creates, one after the other, until the server is gone."""
    connection = server.connect()
    try:
        while not stop.is_set():
            name = f"w{writer}-{len(sent)}"
            sent.append(name)
            status, made = server.ask(connection, "POST", LIST, {"metadata": {"name": name}, "data": {"by": str(writer)}})
            if status == 201:
                acknowledged[name] = int(made["metadata"]["resourceVersion"])
    except (OSError, http.client.HTTPException, ValueError):
        pass


def watch(server, seen):
    try:
        connection = server.connect()
        connection.request("GET", LIST + "?watch=1")
        for line in connection.getresponse():
            event = json.loads(line)["object"]["metadata"]
            seen[event["name"]] = int(event["resourceVersion"])
    except (OSError, http.client.HTTPException, ValueError):
        pass


def run_round(server, chance, known):
    acknowledged, stop = [dict() for _ in range(WRITERS)], threading.Event()
    sent, seen = [[] for _ in range(WRITERS)], [dict() for _ in range(WATCHERS)]
    for writer in range(WRITERS):
        sent[writer] = known["sent"].setdefault(writer, [])
    threads = [threading.Thread(target=watch, args=(server, seen[i])) for i in range(WATCHERS)]
    threads += [threading.Thread(target=write, args=(server, i, acknowledged[i], sent[i], stop)) for i in range(WRITERS)]
    for thread in threads:
        thread.start()
    time.sleep(chance.uniform(0.05, 0.6))
    server.kill()
    stop.set()
    for thread in threads:
        thread.join()
    for part in acknowledged:
        known["acknowledged"].update(part)
    server.start()
    _, found = server.ask(server.connect(), "GET", LIST)
    stored = {item["metadata"]["name"]: int(item["metadata"]["resourceVersion"]) for item in found["items"]}
    everything = {name for names in known["sent"].values() for name in names}
    problems = [f"lost: {name}@{revision}" for name, revision in known["acknowledged"].items() if stored.get(name) != revision]
    problems += [f"seen, then gone: {name}@{revision}" for part in seen for name, revision in part.items()
                 if name in everything and stored.get(name) != revision]
    problems += [f"never sent: {name}" for name in stored if name not in everything]
    problems += ["a revision was given twice"] if len(set(stored.values())) != len(stored) else []
    return problems, len(stored)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quadra", required=True)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance, known = random.Random(arguments.seed), {"acknowledged": {}, "sent": {}}
    with tempfile.TemporaryDirectory() as folder:
        server = Server(arguments.quadra, folder)
        server.start()
        for number in range(arguments.rounds):
            problems, stored = run_round(server, chance, known)
            if problems:
                print(f"round {number}: {len(problems)} problems\n" + "\n".join(problems[:20]))
                server.kill()
                sys.exit(1)
        print(f"{arguments.rounds} rounds, {len(known['acknowledged'])} writes acknowledged, {stored} stored, none lost")
        server.kill()


if __name__ == "__main__":
    main()
