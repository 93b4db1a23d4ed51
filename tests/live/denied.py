#!/usr/bin/env python3
"""What the live commands say where a server denies some or all of what they want to read, or has resource.k8s.io in an
older version only: which permission is missing, in the server's words, and what grants it; 4 without an answer, 5 with
one from partial data.

  denied.py --quadra build/quadra
"""
import argparse
import http.server
import json
import os
import ssl
import subprocess
import sys
import tempfile
import threading

# Of this test alone: a certificate for 127.0.0.1 that vouches for itself.
CERTIFICATE = """-----BEGIN CERTIFICATE-----
MIIBkTCCATagAwIBAgIUX2ko66pE6gRoc3s57zmS12gtzHQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExODIxNDg1MFoYDzIxMjYxMDI1
MjE0ODUwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR9WU1FbYGmC31ZWo4kvA0CnA9nJDVf2qWqHlxXwIHDe3aCgHjoVDug
aG47neIPtsoEKiwE5lTe5UrDGXjH/I+Xo2QwYjAdBgNVHQ4EFgQUU9+avlvXsxjX
Agp0pGU/ZYsfakswHwYDVR0jBBgwFoAUU9+avlvXsxjXAgp0pGU/ZYsfakswDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0kAMEYC
IQCt66cQj7VJkWj8Hu4+avEuPcE57BPgmTIl5bO3KvzUqgIhANfSkrfflqngXkUb
2myiLuniKZLarUteaJMMG0dYWyal
-----END CERTIFICATE-----
"""
KEY = """-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg+Es8gT98BMmPIL+q
HU904uiaYleecLdfpimehrgk+1OhRANCAAR9WU1FbYGmC31ZWo4kvA0CnA9nJDVf
2qWqHlxXwIHDe3aCgHjoVDugaG47neIPtsoEKiwE5lTe5UrDGXjH/I+X
-----END PRIVATE KEY-----
"""

SLICE = {"metadata": {"name": "s"}, "spec": {"driver": "gpu.example.com", "nodeName": "n1", "devices": [{"name": "gpu-0"}],
                                             "pool": {"name": "n1", "generation": 1, "resourceSliceCount": 1}}}
OLD_SLICE = {**SLICE, "spec": {**SLICE["spec"], "devices": [{"name": "gpu-0", "basic": {}}]}}
CLASS = {"metadata": {"name": "gpu"}, "spec": {}}
CLAIM = {"metadata": {"name": "c", "namespace": "team-a"}, "spec": {"devices": {"requests": [
    {"name": "gpu", "exactly": {"deviceClassName": "gpu"}}]}}}
POD = {"metadata": {"name": "p", "namespace": "team-a", "uid": "u"}, "spec": {
    "containers": [{"name": "c", "image": "i", "resources": {"claims": [{"name": "gpu"}]}}],
    "resourceClaims": [{"name": "gpu", "resourceClaimName": "c"}]}}
OBJECTS = {"resourceslices": [SLICE], "deviceclasses": [CLASS], "resourceclaims": [CLAIM], "pods": [POD],
           "nodes": [{"metadata": {"name": "n1"}}], "namespaces": [{"metadata": {"name": "team-a"}}],
           "resourceclaimtemplates": [], "devicetaintrules": []}
KINDS = {"resourceslices": "ResourceSlice", "deviceclasses": "DeviceClass", "resourceclaims": "ResourceClaim",
         "resourceclaimtemplates": "ResourceClaimTemplate", "devicetaintrules": "DeviceTaintRule"}
NAMESPACED = ("resourceclaims", "resourceclaimtemplates", "pods")


class Cluster:
    """What a server has, and which of it nobody may list: plurals, of all namespaces, or "ns/PLURAL" of one."""

    def __init__(self, version="v1", denied=()):
        self.version, self.denied = version, denied

    def answer(self, path):
        parts = path.split("?")[0].strip("/").split("/")
        if parts == ["apis", "resource.k8s.io"]:
            row = {"groupVersion": f"resource.k8s.io/{self.version}", "version": self.version}
            return 200, {"kind": "APIGroup", "apiVersion": "v1", "name": "resource.k8s.io", "versions": [row],
                         "preferredVersion": row}
        if parts == ["apis", "resource.k8s.io", self.version]:
            return 200, {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": f"resource.k8s.io/{self.version}",
                         "resources": [{"name": name, "singularName": "", "namespaced": name in NAMESPACED, "kind": kind,
                                        "verbs": ["get", "list"]} for name, kind in KINDS.items()]}
        plural, in_one = parts[-1], "namespaces" in parts[:-1]
        if (f"ns/{plural}" if in_one else plural) in self.denied:
            where = f'in the namespace "{parts[-2]}"' if in_one else "at the cluster scope"
            return 403, {"kind": "Status", "code": 403, "reason": "Forbidden", "message":
                         f'{plural} is forbidden: User "ann" cannot list resource "{plural}" in API group "" {where}'}
        if plural not in OBJECTS or ("resource.k8s.io" in parts and self.version not in parts):
            return 404, {"kind": "Status", "code": 404, "reason": "NotFound", "message": "not found"}
        items = [OLD_SLICE] if plural == "resourceslices" and self.version == "v1beta1" else OBJECTS[plural]
        return 200, {"kind": "List", "apiVersion": "v1", "metadata": {"resourceVersion": "7"}, "items": items}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        code, body = self.server.cluster.answer(self.path)
        text = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


CASES = [
    ("everything is denied", Cluster(denied=tuple(OBJECTS) + tuple("ns/" + name for name in OBJECTS)), "explain pod/p", 4,
     ["error: pods is forbidden", 'cannot list resource "resourceslices"', "quadra rbac --role viewer"]),
    ("what is only helpful is denied", Cluster(denied=("resourceclaimtemplates", "ns/resourceclaimtemplates")),
     "explain pod/p", 5, ["pod/p in namespace team-a would get its devices",
                          "note: resourceclaimtemplates are not looked at, since"]),
    ("deleting is denied", Cluster(denied=("ns/pods", "pods")), "delete pods --all", 4,
     ["error: pods is forbidden", "; ask who may grant it for a role that allows it"]),
    ("one namespace may be read", Cluster(denied=("pods",)), "get pods -A -o name", 5,
     ["pod/p", "note: only namespace team-a is looked at, since"]),
    ("without pods it is known what is free", Cluster(denied=("pods", "ns/pods")), "get pools -o name", 5,
     ["gpu.example.com/n1", "note: pods are not looked at"]),
    ("what is vital is denied", Cluster(denied=("resourceslices",)), "select true", 4, ["error: resourceslices is forbidden"]),
    ("a server with v1beta1 alone", Cluster(version="v1beta1"), "get devices -o name", 0, ["gpu.example.com/n1/gpu-0"]),
    ("a server with v1beta2 alone", Cluster(version="v1beta2"), "explain pod/p -o name", 0, []),
    ("all may be read", Cluster(), "explain pod/p", 0,
     ["would get its devices", "note: the above is computed from the cluster as it is now; its server cannot say"]),
]


def problem(case, arguments, environment, server):
    title, server.cluster, command, code, texts = case
    done = subprocess.run([arguments.quadra, *command.split()], env=environment, capture_output=True, text=True, timeout=60)
    said = done.stdout + done.stderr
    if done.returncode == code and all(text in said for text in texts):
        return ""
    return f"FAILED {title}: quadra {command}\nexit {done.returncode}, not {code}; expected {texts}\n{said}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quadra", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("certificate", CERTIFICATE), ("key", KEY)):
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write(text)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(os.path.join(folder, "certificate"), os.path.join(folder, "key"))
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        config = os.path.join(folder, "kubeconfig")
        with open(config, "w", encoding="ascii") as file:
            json.dump({"apiVersion": "v1", "kind": "Config", "current-context": "c", "users": [{"name": "ann", "user": {"token": "t"}}],
                       "clusters": [{"name": "c", "cluster": {"server": f"https://127.0.0.1:{server.server_port}",
                                                              "certificate-authority": "certificate"}}],
                       "contexts": [{"name": "c", "context": {"cluster": "c", "user": "ann", "namespace": "team-a"}}]}, file)
        problems = [problem(case, arguments, {**os.environ, "KUBECONFIG": config}, server) for case in CASES]
        server.shutdown()
    problems = [text for text in problems if text]
    print("\n".join(problems))
    print(f"{len(CASES)} cases, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
