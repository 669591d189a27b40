"""Puts faults into copies of the headers and runs the tests that should notice. See run."""

import argparse
import configparser
import html
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
headers = pathlib.Path("include/unfurl")
# For a fault that its own tests miss: one estimator's whole contract, and all answers compared.
wider_tests = ["contract_pca_test", "differential/searches_test", "differential/eigensolvers_test"]
time_limit = 150  # seconds a test program may run: a fault may be an endless loop


class Fault:
    def __init__(self, name, section):
        self.name = name
        self.file, self.old, self.new = section["file"], section["old"], section["new"]
        self.tests = section["tests"].split()

    def problem(self):
        path = root / headers / self.file
        if not path.exists():
            return f"there is no {headers / self.file}"
        count = path.read_text().count(self.old)
        if count != 1:
            return f"'{self.old}' occurs {count} times in {headers / self.file}, not once"
        missing = [t for t in self.tests if not (root / "tests" / f"{t}.cpp").exists()]
        return f"there is no test {missing[0]}" if missing else None


class Workshop:
    """A copy of the library and a build folder for programs over it."""

    def __init__(self, folder):
        self.copy, self.build = folder / "copy", folder / "build"
        self.copy.mkdir(parents=True, exist_ok=True)
        for part in ["include", "cmake"]:
            self.bring_up_to_date(part)
        shutil.copy2(root / "CMakeLists.txt", self.copy)
        self.call("cmake", "-S", here, "-B", self.build, f"-Dcopy={self.copy}",
                  "-DCMAKE_BUILD_TYPE=Release")
        self.call("cmake", "--build", self.build, "--target", "main")

    def bring_up_to_date(self, part):
        """Keeps the times of what has not changed, so that it is not compiled again."""
        kept = set()
        for source in (root / part).rglob("*"):
            target = self.copy / source.relative_to(root)
            kept.add(target)
            if source.is_dir():
                target.mkdir(parents=True, exist_ok=True)
            elif not target.exists() or target.read_bytes() != source.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)
        for target in (self.copy / part).rglob("*"):
            if target not in kept and target.is_file():
                target.unlink()

    @staticmethod
    def call(*command):
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stdout[-3000:])

    def first_failure(self, test):
        """The name of a test case that fails, or None."""
        program = test.replace("/", ".")
        self.call("cmake", "--build", self.build, "--target", program)
        try:
            done = subprocess.run([self.build / program, "--abort", "--reporter", "xml"],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.build,
                                  timeout=time_limit, check=False)
        except subprocess.TimeoutExpired:
            return "(does not end)"
        if done.returncode == 0:
            return None
        try:
            for case in xml.etree.ElementTree.fromstring(done.stdout).iter("TestCase"):
                result = case.find("OverallResult")
                if result is None or result.get("success") != "true":
                    return case.get("name")
        except xml.etree.ElementTree.ParseError:  # it did not come to an end
            begun = re.findall(r'<TestCase name="([^"]*)"', done.stdout.decode(errors="replace"))
            if begun:
                return html.unescape(begun[-1])
        return f"(ends with code {done.returncode})"

    def catcher(self, fault):
        """Who notices the fault: (test file, test case), or None."""
        path = self.copy / headers / fault.file
        sound = path.read_text()
        path.write_text(sound.replace(fault.old, fault.new))
        try:
            for test in fault.tests + [test for test in wider_tests if test not in fault.tests]:
                case = self.first_failure(test)
                if case is not None:
                    return test, case
            return None
        finally:
            path.write_text(sound)


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def write_results(faults, results):
    """Also after some faults only: the lines of the others stay as they are."""
    path = here / "RESULTS.md"
    lines = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        lines[line.split(" | ")[0].removeprefix("| ")] = line
    for fault in faults:
        if fault.name in results:
            test, case = results[fault.name] or ("", "**nothing**")
            lines[fault.name] = f"| {fault.name} | {fault.file} | {cell(case)} | {test} |"
    table = [lines[fault.name] for fault in faults if fault.name in lines]
    noticed = sum("**nothing**" not in line for line in table)
    path.write_text("\n".join([
        "# Faults and the tests that notice them", "",
        f"Written by `tests/mutation/run`: {len(faults)} faults, {noticed} noticed. What each "
        "changes stands in `faults.ini`.", "",
        "| fault | header | noticed by | in |", "|---|---|---|---|", *table, ""]))


def run(faults, jobs):
    waiting, results, problems = queue.Queue(), {}, []
    for fault in faults:
        waiting.put(fault)

    def work(number):
        try:
            workshop = Workshop(root / "build" / "mutation" / f"copy{number}")
            while True:
                fault = waiting.get_nowait()
                began = time.monotonic()
                try:
                    result = results[fault.name] = workshop.catcher(fault)
                except RuntimeError as error:
                    problems.append(f"{fault.name}: {error}")
                    continue
                print(f"[{len(results)}/{len(faults)}] {fault.name}: "
                      f"{': '.join(result) if result else 'NOT NOTICED'} "
                      f"({time.monotonic() - began:.0f} s)", flush=True)
        except queue.Empty:
            pass
        except RuntimeError as error:
            problems.append(str(error))

    workers = [threading.Thread(target=work, args=(i,)) for i in range(min(jobs, len(faults)))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return results, problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()

    ini = configparser.RawConfigParser(delimiters=("=",), comment_prefixes=(";",))
    ini.read(here / "faults.ini")
    faults = [Fault(name, ini[name]) for name in ini.sections()]
    problems = [f"{f.name}: {f.problem()}" for f in faults if f.problem()]
    known = {fault.name for fault in faults}
    problems += [f"there is no fault {name}" for name in arguments.only if name not in known]
    if not problems and not arguments.check:
        chosen = [f for f in faults if not arguments.only or f.name in arguments.only]
        results, problems = run(chosen, arguments.jobs)
        problems += [f"{f.name}: no test notices it" for f in chosen if not results.get(f.name)
                     and f.name in results]
        write_results(faults, results)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(faults)} faults" + ("" if problems else ", none without its "
          + ("place" if arguments.check else "test")))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
