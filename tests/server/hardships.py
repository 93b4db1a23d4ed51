#!/usr/bin/env python3
"""What a real server meets in a bad week: a disk that is full, read only or damaged, thousands of connections that
say nothing, too few file descriptors. It answers with the right status or one clear sentence, stays up, loses nothing.

  hardships.py --quadra build/quadra [--connections 500] [--sanitized]

Disks are small tmpfs in a mount namespace of its own: without the right to make one these parts are passed over.
"""
import argparse
import contextlib
import http.client
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time

from kill_rounds import LIST, Server

BIG = {"data": {"filling": "x" * 100_000}}


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


def patiently(ask, seconds=30):
    """What `ask` returns once it returns something; only a test that fails waits long."""
    end = time.monotonic() + seconds
    while not (answer := ask()) and time.monotonic() < end:
        time.sleep(0.1)
    return answer


def text_of(server, target):
    connection = server.connect()
    connection.request("GET", target)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def create(server, connection, name):
    return server.ask(connection, "POST", LIST, {"metadata": {"name": name}, **BIG})


def refused_start(quadra, folder):
    """The one line that a server prints which does not start."""
    ended = subprocess.run([quadra, "apiserver", "--data-dir", folder, "--listen", "127.0.0.1:0"],
                           capture_output=True, text=True, timeout=60)
    expect(ended.returncode == 1, f"exit status {ended.returncode}: {ended.stderr}")
    expect(ended.stderr.startswith("error: ") and ended.stderr.count("\n") == 1, f"one sentence: {ended.stderr}")
    return ended.stderr


@contextlib.contextmanager
def running(quadra, folder):
    """A server that must still be up at the end, and then end by itself when it is told to."""
    server = Server(quadra, folder)
    server.start()
    try:
        yield server
        server.process.terminate()
        expect(server.process.wait(timeout=30) == 0, "the server was up and ended by itself")
    finally:
        server.process.kill()
        server.process.wait()


@contextlib.contextmanager
def small_disk(folder):
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", folder], check=True)
    try:
        yield os.path.join(folder, "state")
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def fill(path):
    """Takes what room there is left, to the last page."""
    with contextlib.suppress(OSError), open(path, "ab", buffering=0) as file:
        while True:
            file.write(bytes(4096))


def full_disk(quadra, folder):
    """Refuses writes with a reason, goes on reading, and writes again when there is room."""
    ballast = os.path.join(folder, "ballast")
    with small_disk(folder) as state:
        with running(quadra, state) as server:
            with open(ballast, "wb") as file:
                file.write(bytes(4 << 20))
            connection, made = server.connect(), []
            for i in range(200):
                status, answer = create(server, connection, f"m{i}")
                if status != 201:
                    break
                made.append(f"m{i}")
            expect(status == 503 and answer["reason"] == "ServiceUnavailable", f"{status} {answer}")
            expect("full" in answer["message"], answer["message"])
            expect(text_of(server, "/livez") == (200, "ok"), "it lives")
            fill(ballast)
            expect(create(server, connection, "never")[0] == 503, "not the least bit of room")
            status, report = text_of(server, "/readyz")
            expect(status == 500 and "[-]store failed" in report, report)
            os.remove(ballast)
            expect(patiently(lambda: create(server, connection, "later")[0] == 201), "written again")
            expect(patiently(lambda: text_of(server, "/readyz")[0] == 200), "ready again")
        with running(quadra, state) as server:
            _, found = server.ask(server.connect(), "GET", LIST)
            names = {item["metadata"]["name"] for item in found["items"]}
            expect(names == {*made, "later"}, f"kept {len(names)} of {len(made) + 1}")
        return f"{len(made)} objects kept"


def read_only_disk(quadra, folder):
    with small_disk(folder) as state:
        with running(quadra, state):
            pass
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        return refused_start(quadra, state).strip()


def damaged_database(quadra, folder):
    """Of a file that ends too early, or whose middle is no longer what it was, nothing is served."""
    with running(quadra, folder) as server:
        connection = server.connect()
        for i in range(20):
            expect(create(server, connection, f"m{i}")[0] == 201, "created")
    database = os.path.join(folder, "quadra.db")
    whole = open(database, "rb").read()
    for damaged in (whole[: len(whole) // 2], whole[:8192] + bytes(len(whole) - 8192)):
        open(database, "wb").write(damaged)
        said = refused_start(quadra, folder)
        expect("damaged" in said and "quadra restore" in said, said)
    open(database, "wb").write(whole)
    with running(quadra, folder) as server:
        _, found = server.ask(server.connect(), "GET", LIST)
        expect(len(found["items"]) == 20, "the whole one is served again")
    return said.strip()


def shake_hands(server, line):
    return server.context.wrap_socket(line, server_hostname="127.0.0.1")


def say_half(server, line):
    line = shake_hands(server, line)
    line.sendall(b"GET /readyz HTTP/1.1\r\nHos")
    return line


def say_nothing(_, line):
    return line


def idle_connections(quadra, folder, count):
    """Connections that are idle, have said half of something, or never shake hands, keep nobody else from an answer."""
    tenths = [shake_hands, say_half, *[say_nothing] * 8]  # what the server waits longest for first
    with running(quadra, folder) as server, contextlib.ExitStack() as open_lines:
        for i in range(count):
            line = socket.create_connection(("127.0.0.1", server.port), timeout=30)
            open_lines.callback(tenths[i * 10 // count](server, line).close)
        still_open = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        expect(text_of(server, "/readyz") == (200, "ok"), "ready")
        expect(create(server, server.connect(), "a")[0] == 201, "created")
        resident = [line for line in open(f"/proc/{server.process.pid}/status") if line.startswith("VmRSS")]
        return f"{count} connections, {still_open} descriptors open at once, {resident[0].split()[1]} kB"


def few_descriptors(quadra, folder):
    """Where no file can be opened any more the server waits, and serves again when others have gone."""
    with running(quadra, folder) as server:
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (64, 64))
        with contextlib.ExitStack() as open_lines:
            for _ in range(100):
                open_lines.callback(socket.create_connection(("127.0.0.1", server.port), timeout=30).close)
        expect(patiently(lambda: asked(server)), "served again")
        expect(create(server, server.connect(), "a")[0] == 201, "created")
    return "64 descriptors, 100 connections"


def asked(server):
    try:
        return text_of(server, "/readyz") == (200, "ok")
    except (OSError, http.client.HTTPException):
        return False


def may_mount():
    """Whether we are in a mount namespace of our own, after trying to be."""
    if os.environ.get("HARDSHIPS_MOUNTS"):
        return True
    if subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True).returncode == 0:
        os.environ["HARDSHIPS_MOUNTS"] = "1"
        os.execvp("unshare", ["unshare", "-m", sys.executable, *sys.argv])
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quadra", required=True)
    parser.add_argument("--connections", type=int, default=500)
    parser.add_argument("--sanitized", action="store_true",
                        help="UBSan opens a pipe to see whether memory can be read: without descriptors it calls good objects bad")
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    parts = {"damaged database": damaged_database, "few descriptors": few_descriptors,
             "idle connections": lambda quadra, folder: idle_connections(quadra, folder, arguments.connections)}
    if arguments.sanitized:
        del parts["few descriptors"]
    if may_mount():
        parts |= {"full disk": full_disk, "read-only disk": read_only_disk}
    failed = 0
    for name, part in parts.items():
        with tempfile.TemporaryDirectory() as folder:
            try:
                print(f"{name}: {part(arguments.quadra, folder)}", flush=True)
            except AssertionError as problem:
                failed += 1
                print(f"{name}: FAILED: {problem}")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
