"""How stages of `./tw check` run: commands and shares of pytest with their output shown, and the totals of all."""
import os
import pathlib
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
JOBS = os.cpu_count() or 2


def today():
    """The number of the day, by which parts and turns change."""
    return int(time.time() // 86400)


class Totals:
    """Counts of passed, failed and skipped checks over all stages."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self.broken = []

    def add_junit(self, stage, path):
        """Adds the counts of a JUnit file; a missing or empty one is a failure of the stage."""
        cases = list(ElementTree.parse(path).iter("testcase")) if path.exists() else []
        if not cases:
            self.add_result(stage, False)
            return
        for case in cases:
            if case.find("failure") is not None or case.find("error") is not None:
                self.failed += 1
                self.broken.append(f"{stage}: {case.get('classname', '')} {case.get('name')}")
            elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
                self.skipped += 1
            else:
                self.passed += 1

    def add_result(self, stage, ok):
        """Counts a stage that is one check; None is a skipped one."""
        if ok is None:
            self.skipped += 1
        elif ok:
            self.passed += 1
        else:
            self.failed += 1
            self.broken.append(stage)

    def print(self):
        """Prints what failed, then the closing line."""
        print()
        for name in self.broken:
            print(f"FAILED {name}")
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")


class Runner:
    """One run of the checks of a build folder; `full` asks for the long forms."""

    def __init__(self, build, full):
        self.build, self.full = build, full
        self.results = build / "results"
        self.environment = dict(os.environ, PYTHONPATH=str(build / "python"))
        self.totals = Totals()

    def clear_results(self):
        """Makes the folder of the JUnit files, without those of an earlier run."""
        self.results.mkdir(exist_ok=True)
        for old in self.results.glob("*.xml"):
            old.unlink()

    def succeeds(self, title, *commands):
        """Runs commands at the same time with their output shown; returns whether all succeeded."""
        print(f"\n== {title}" + (f" ({len(commands)} processes)" if len(commands) > 1 else ""), flush=True)
        start = time.monotonic()
        processes = [subprocess.Popen(command, cwd=ROOT, env=self.environment) for command in commands]
        ok = not any([process.wait() for process in processes])
        print(f"-- {title}: {'ok' if ok else 'FAILED'} in {time.monotonic() - start:.1f} s", flush=True)
        return ok

    def check(self, title, command):
        """Runs a command that is one check."""
        self.totals.add_result(title, self.succeeds(title, command))

    def check_junit(self, title, command, junit):
        """Runs a command that writes its checks as a JUnit file."""
        self.succeeds(title, command)
        self.totals.add_junit(title, junit)

    def pytest(self, title, *arguments, part=(0, 1)):
        """Runs a part of the tests that pytest finds, number and how many there are, in a process for each processor."""
        number, parts = part
        name = "".join(character if character.isalnum() else "-" for character in title)
        command = [sys.executable, "-m", "pytest", "-q", f"--build={self.build}", *arguments]
        files = [self.results / f"{name}-{job}.xml" for job in range(JOBS)]
        self.succeeds(title, *([*command, f"--share={number * JOBS + job}/{parts * JOBS}", f"--junitxml={file}"]
                               for job, file in enumerate(files)))
        for file in files:
            self.totals.add_junit(title, file)

    def part_of_day(self, parts):
        """One of so many parts, another one each day; the long form has them all."""
        return (0, 1) if self.full else (today() % parts, parts)

    def short_part(self, parts):
        """The first of so many parts; the long form has them all."""
        return (0, 1 if self.full else parts)
