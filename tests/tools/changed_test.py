"""tools/changed must name what differs from the base, with the folders above it, and refuse a base that there is not."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "changed")
TREE = {
    "src/LAYERS": "base | a.h | |\nleft | l.h | base |\nright | r.h | base |\ntop | t.h | left |\n",
    "src/base/a.h": "", "src/base/a.cc": "", "src/left/l.h": "", "src/left/l.cc": "", "src/right/r.cc": "", "src/top/t.cc": "",
    "README.md": "",
}


class Changed(unittest.TestCase):
    def setUp(self):
        self.top = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.top)
        os.mkdir(os.path.join(self.top, "tools"))
        shutil.copy(TOOL, os.path.join(self.top, "tools", "changed"))
        self.write(TREE)
        self.git("init", "-q")
        self.base = self.commit()

    def write(self, tree):
        for path, text in tree.items():
            os.makedirs(os.path.dirname(os.path.join(self.top, path)), exist_ok=True)
            with open(os.path.join(self.top, path), "w", encoding="utf-8") as file:
                file.write(text)

    def git(self, *arguments):
        person = ["-c", "user.name=test", "-c", "user.email=test@example.com"]
        return subprocess.run(["git", "-C", self.top, *person, *arguments], check=True, capture_output=True, text=True).stdout

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "step")
        return self.git("rev-parse", "HEAD").strip()

    def changed(self, what, base=None):
        environment = {**os.environ, "BASE": base or self.base}
        command = [sys.executable, os.path.join(self.top, "tools", "changed"), what]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout.split()

    def test_what_each_change_means(self):
        rows = [
            ("a page", {"README.md": "x"}, [], [], []),
            ("a source at the top", {"src/top/t.cc": "x"}, ["src/top/t.cc"], [], ["top"]),
            ("a header, its source and who sees it", {"src/left/l.h": "x"}, ["src/left/l.cc"], ["src/left/l.h"], ["left", "top"]),
            ("a new source", {"src/right/n.cc": "x"}, ["src/right/n.cc"], [], ["right"]),
            ("the table", {"src/LAYERS": TREE["src/LAYERS"] + "# x\n"}, [], [], ["base", "left", "right", "top"]),
        ]
        for name, change, sources, headers, folders in rows:
            for committed in (False, True):
                with self.subTest(name, committed=committed):
                    self.git("reset", "-q", "--hard", self.base)
                    self.git("clean", "-qfd", "src")
                    self.write(change)
                    if committed:
                        self.commit()
                    self.assertEqual(self.changed("sources"), sources)
                    self.assertEqual(self.changed("headers"), headers)
                    self.assertEqual(self.changed("folders"), folders)

    def test_each_check_has_its_own_base(self):
        self.write({"src/top/t.cc": "x"})
        later = self.commit()
        self.write({".ci/base": f"lint {later}\nsanitize {self.base}\n"})
        self.assertEqual(self.changed("sources", base=" "), [])
        self.assertEqual(self.changed("folders", base=" "), ["top"])

    def test_everything_where_no_base_is_named(self):
        self.assertEqual(self.changed("folders", base=" "), ["base", "left", "right", "top"])
        self.assertEqual(self.changed("headers", base=" "), ["src/base/a.h", "src/left/l.h"])

    def test_a_base_that_is_not_there_is_an_error(self):
        with self.assertRaises(subprocess.CalledProcessError) as refused:
            self.changed("folders", base="0" * 40)
        self.assertEqual(refused.exception.returncode, 1)
        self.assertIn("this history has no commit " + "0" * 40, refused.exception.stderr)


if __name__ == "__main__":
    unittest.main()
