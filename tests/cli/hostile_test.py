#!/usr/bin/env python3
"""Feeds the quadra binary what nobody should write: nothing read from outside may end the process.

    tests/cli/hostile_test.py PATH-OF-QUADRA

Every run must end by itself with a documented exit status, 3 (something nobody foresaw) excepted, and a stream must
answer every line. What the answers say is no concern of this test: the comparisons with upstream look at that.
"""
import json
import os
import subprocess
import sys
import tempfile

QUADRA = os.path.realpath(sys.argv[1])
DUMP = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", "examples", "dump.yaml"))
DOCUMENTED = {0, 1, 2, 5}
failures = []


def ask(what, arguments, text=b"", lines=None):
    done = subprocess.run([QUADRA, *arguments], input=text, capture_output=True, timeout=300)
    answered = done.stdout.count(b"\n")
    problem = ""
    if done.returncode not in DOCUMENTED:
        problem = f"exit status {done.returncode}"
    elif lines is not None and answered != lines:
        problem = f"{answered} of {lines} lines answered"
    elif b'"unexpected: ' in done.stdout:
        problem = "an exception got through"
    if problem:
        failures.append(f"{what}: {problem}: {(done.stderr or done.stdout)[-300:]!r}")


# --- Expressions.

ZONES = ["", "America", "America/", ".", "..", "/etc", "UTC/x", "tzdata.zi", "zone.tab", "a\0b", "z" * 300, "a/" * 3000,
         "99999999999999999999:00", "-:", ":", "9223372036854775807:-9223372036854775808"]
QUANTITIES = ["1e999999999", "1e-999999999", "1e2147483647", "1e-2147483648", "9" * 5000, "0." + "0" * 5000 + "1", "Ki",
              "1" + "0" * 400 + "Ei", "1e9223372036854775807", "", "\0"]
VERSIONS = ["1.2.3-" + "a." * 3000, "9" * 5000 + ".1.1", "1." * 4000, "", "18446744073709551616.0.0"]
ADDRESSES = [":" * 3000, "1.2.3.4/999999999999", "10.0.0.0/-1", "fe80::1%" + "z" * 3000, "/", "::/129"]
URLS = ["http://[::1", "http://a:99999999999999/", "%", "%zz", "http://" + "a" * 5000, "http://a?" + "%&=" * 1000, "\x7f"]
PATTERNS = ["(" * 3000, "a{1000}{1000}", "(a{1000}){1000}", "[z-a]", "\\", "(?P<", "\\p{Foo}", "((a*)*)*" * 300]
INTEGERS = ["9223372036854775807", "-9223372036854775808", "-1", "0", "4294967296"]
FORMATS = ["%", "%q", "%.", "%99999999999999999999f", "%x", "%e", "%.1000000f", "%.9223372036854775807d"]
OPERANDS = ["1", "-9223372036854775808", "1e308", "0.0/0.0", "[1, [2, {'a': 1}]]", "b'\\xff'", "type(1)", "null"]
NESTED = ["({})", "[{}]", "!{}", "-{}", "{{1: {}}}", "f({})", "[1].map(x, {})", "cel.bind(x, {}, x)", "({}) + 1", "a[{}]"]
ODD = ["", "\0", "\ud83d", '"\\ud800"', "1e400 == 1.0", "0x", "99999999999999999999 == 1", "'''", "has()", "[1].map(1, 1)",
       "timestamp('99999-01-01T00:00:00Z') == timestamp(0)", "duration('" + "9" * 400 + "s') == duration('1s')",
       "lists.range(1000000).all(x, lists.range(1000000).all(y, true))", "double('1e999999999999') == 1.0",
       "timestamp(9223372036854775807).getFullYear() == 1", "kubernetes.DRADevice{}.driver == ''"]


def expressions():
    quoted = json.dumps
    for zone in ZONES:
        yield f"timestamp('2024-05-06T07:08:09Z').getMonth({quoted(zone)}) == 4"
    for text in QUANTITIES:
        yield f"quantity({quoted(text)}).add(quantity('1e-9')).compareTo(quantity('1e100')) == 1"
    for text in VERSIONS:
        yield f"semver({quoted(text)}, true).major() == 1 || isSemver({quoted(text)})"
    for text in ADDRESSES:
        yield f"isIP({quoted(text)}) || isCIDR({quoted(text)}) || cidr({quoted(text)}).masked().ip().family() == 4"
    for text in URLS:
        yield f"isURL({quoted(text)}) && url({quoted(text)}).getQuery().size() == 1"
    for text in PATTERNS:
        yield f"'aaaa'.matches({quoted(text)})"
        yield f"'aaaa'.findAll(dyn({quoted(text)}), -1).size() == 1"
    for n in INTEGERS:
        for call in ("'abc'.substring({0}, {0}) == 'a'", "'abc'.charAt({0}) == 'a'", "'abc'.split('', {0}) == []",
                     "'abc'.replace('', 'x', {0}) == 'a'", "lists.range({0}) == []", "[1, 2].slice({0}, {0}) == []",
                     "[1][{0}] == 1", "[[1]].flatten({0}) == []", "{0} / -1 == {0} % -1", "-({0}) == 1",
                     "timestamp(0) + duration('{0}h') == timestamp({0})", "'abc'.indexOf('c', {0}) == 1"):
            yield call.format(n)
    for text in FORMATS:
        for operand in OPERANDS:
            yield f"{quoted(text)}.format([{operand}]) == 'x'"
    for shape in NESTED:
        for depth in (249, 251, 3000):
            before, after = shape.split("{}") if "{{" not in shape else ("{1: ", "}")
            yield before * depth + "1" + after * depth
            yield before * depth
    for chain in (".b", "[0]", " + 1", " && true", " ? true : false", ".map(x, x)"):
        yield "true" + chain * 3000
    yield from ODD


def lines_of(questions):
    return b"".join(question + b"\n" for question in questions)


asked = [json.dumps({"expression": text, "device": {"driver": "d"}}).encode() for text in expressions()]
ask("expressions", ["select", "--stream"], lines_of(asked), len(asked))

# --- Lines that are no question.

LINES = [b"{}", b"[]", b"null", b'"', b"{", b"\xff\xfe", b"\0", b"[" * 100000, b'{"a":' * 100000, b'{"expression":1}',
         b'{"expression":"true","device":{"attributes":{"a":{"int":1e400}}}}', b'{"operation":"create","object":{}}',
         b'{"expression":"true","device":{"capacity":{"a":{"value":"1e999999999"}}}}',
         b'{"slices":[{"spec":{"pool":{"resourceSliceCount":9223372036854775807,"generation":-9223372036854775808}}}]}']
for verb in ("select", "validate", "allocate"):
    ask(f"{verb} --stream", [verb, "--stream"], lines_of(LINES), len(LINES))

# --- Files.

FILES = {
    "empty": b"", "nul": b"\0" * 1000, "ff": b"\xff" * 1000, "utf16": "kind: Pod".encode("utf-16"), "alias": b"a: &a [*a]\n",
    "bomb": b"a: &a [x,x]\n" + b"".join(b"%c: &%c [*%c,*%c]\n" % (98 + i, 98 + i, 97 + i, 97 + i) for i in range(24)),
    "documents": b"---\n" * 10000, "deep": b"".join(b" " * i + b"a:\n" for i in range(2000)),
    "numbers": b"kind: Pod\napiVersion: v1\nmetadata: {generation: 1e999999, name: 99999999999999999999999}\n",
    "keys": b"{[a]: 1, {b: 1}: 2}\n", "tag": b'!!binary "%%%"\n', "version": b"%YAML 9.9\n---\na\n",
    "lists": b'{"apiVersion":"v1","kind":"List","items":[' * 2000,
    "time": b'kind: Pod\napiVersion: v1\nmetadata: {name: a, creationTimestamp: "99999-99-99T00:00:00Z"}\n',
}
VERBS = [["validate"], ["convert", "--to", "v1"], ["lint"], ["get", "pools"], ["allocate"], ["explain", "pod/a"],
         ["select", "true"]]
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for name, text in FILES.items():
        with open(name, "wb") as file:
            file.write(text)
    everything = [word for name in [*FILES, "/dev/null", "/proc/self/mem", ".", "", "x" * 5000] for word in ("-f", name)]
    for verb in VERBS:
        ask(f"{' '.join(verb)} on broken files", verb + everything)

# --- Flags.

FLAGS = [["-o", "jsonpath={"], ["-o", "jsonpath={.items[99999999999999999999]}"], ["-o", "jsonpath={.items[::0]}"],
         ["-o", "jsonpath={.items[9223372036854775807:-9223372036854775808:-9223372036854775808]}"],
         ["-o", "jsonpath={.items[?(" + "(" * 3000], ["-o", "jsonpath={.." + ".a" * 3000 + "}"], ["-l", "a in (,"],
         ["-l", "," * 1000], ["--now", "99999999999-01-01T00:00:00Z"], ["--now", "9999-12-31T23:59:59Z"],
         ["--feature-gates", "A=maybe,,"], ["-" * 1000], ["-f"]]
for flags in FLAGS:
    ask(f"get devices {flags[-1][:40]}", ["get", "devices", "-f", DUMP, *flags])

for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
