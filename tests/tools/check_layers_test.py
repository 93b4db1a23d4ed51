"""tools/check_layers.py must refuse every way of breaking the house, and accept a house that keeps its rules."""
import os
import subprocess
import sys
import tempfile
import unittest

TOOL = os.path.join(os.path.dirname(__file__), "..", "..", "tools", "check_layers.py")
COMPILER = os.environ.get("CXX", "g++")

SOUND = {
    "LAYERS": "base | door.h |      |\ntop  | top.h  | base |\n  top.h = part.h deep.h\n",
    "base/door.h": "#pragma once\n#include <string>\ninline std::string Door() { return {}; }\n",
    "base/inner.h": "#pragma once\n",
    "top/top.h": '#pragma once\n#include "base/door.h"\n#include "top/part.h"\n',
    "top/part.h": '#pragma once\n#include "top/deep.h"\n',
    "top/deep.h": "#pragma once\n",
    "top/private.h": "#pragma once\n",
    "base/doors_for_tests.h": "#pragma once\n",
    "top/top_test.cc": '#include "base/doors_for_tests.h"\n',
    "top/top.cc": '#include "top/top.h"\n',
}

# What each planted change breaks, and a word the report must contain. None removes a file's planted content.
BROKEN = [
    ("an upward include", {"base/door.h": '#pragma once\n#include "top/top.h"\n'}, "base may not see top"),
    ("two folders that include each other", {"base/inner.h": '#pragma once\n#include "top/top.h"\n'},
     "base and top include each other"),
    ("a table that allows an upward include", {"LAYERS": "base | door.h | top |\ntop | top.h | base |\n"},
     "LAYERS: base may not see top"),
    ("a header that is no door", {"top/top.h": '#pragma once\n#include "base/inner.h"\n'}, "not a door of base"),
    ("a header for tests where users are served", {"top/top.h": '#pragma once\n#include "base/doors_for_tests.h"\n'},
     "not a door of base"),
    ("a foreign library", {"top/top.h": "#pragma once\n#include <fmt/format.h>\n"}, "library fmt"),
    ("a header that does not compile alone", {"base/inner.h": "#pragma once\nstd::string Inner();\n"},
     "base/inner.h: does not compile alone"),
    ("a header that only precompiled ones complete", {"top/top.h": "#pragma once\nstd::vector<int> Top();\n"},
     "top/top.h: does not compile alone"),
    ("a source whose own header is not first", {"top/top.cc": '#include <vector>\n#include "top/top.h"\n'},
     "own header is not the first include"),
    ("a folder that is allowed and not used", {"top/top.h": '#pragma once\n#include "top/part.h"\n', "top/top_test.cc": ""},
     "top may see base, but includes nothing of it"),
    ("a library that is allowed and not used", {"LAYERS": "base | door.h | | fmt\ntop | top.h | base |\n"},
     "base has the library fmt, but includes nothing of it"),
    ("a fourth door", {"LAYERS": "base | door.h | |\ntop | top.h part.h deep.h private.h | base |\n"},
     "top has 4 doors, 3 is the most"),
    ("a door that is not there", {"LAYERS": "base | door.h | |\ntop | top.h part.h deep.h gone.h | base |\n"},
     "top has no gone.h"),
    ("a door that shows a private header", {"top/deep.h": '#pragma once\n#include "top/private.h"\n'},
     "top/top.h: shows top/private.h"),
    ("a part that its door does not show", {"top/part.h": "#pragma once\n"},
     "deep.h is called a part of top/top.h, which does not include it"),
    ("a folder missing from the table", {"attic/box.h": "#pragma once\n"}, "attic is not in LAYERS"),
]


def write(src, tree):
    for path, text in tree.items():
        os.makedirs(os.path.dirname(os.path.join(src, path)) or src, exist_ok=True)
        with open(os.path.join(src, path), "w", encoding="utf-8") as file:
            file.write(text)


def check(src, *options):
    command = [sys.executable, TOOL, src, "--compiler", COMPILER, *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def run_on(tree):
    with tempfile.TemporaryDirectory() as src:
        write(src, tree)
        return check(src)


class CheckLayers(unittest.TestCase):
    def test_sound_house_passes(self):
        done = run_on(SOUND)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_broken_houses_are_refused(self):
        for what, change, report in BROKEN:
            with self.subTest(what):
                done = run_on({**SOUND, **change})
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn(report, done.stdout)

    def test_only_named_headers_are_compiled(self):
        broken = {**SOUND, "base/inner.h": "#pragma once\nstd::string Inner();\n"}
        with tempfile.TemporaryDirectory() as src:
            write(src, broken)
            self.assertEqual(check(src, "--headers", "top/top.h").returncode, 0)
            self.assertEqual(check(src, "--headers", "base/inner.h").returncode, 1)
            self.assertEqual(check(src, "--headers").returncode, 0)


if __name__ == "__main__":
    unittest.main()
