"""What the cases of compare.py are measured against, one function each.

    rivals.py NAME data.npy out.npy name=value …     prints one line of JSON

Run in a process of its own: loading and importing are not timed, and the peak of memory is that
above the loaded data.
"""
import json
import sys
import time
import warnings

import numpy as np


def pca_randomized(X, o):
    from sklearn.decomposition import PCA
    return lambda: PCA(o["components"], svd_solver="randomized", random_state=0).fit_transform(X)


def pca_full(X, o):
    from sklearn.decomposition import PCA
    return lambda: PCA(o["components"], svd_solver="full").fit_transform(X)


def pca_covariance(X, o):
    def work():
        centred = X - X.mean(0)
        values, vectors = np.linalg.eigh(centred.T @ centred)
        return centred @ vectors[:, ::-1][:, :o["components"]]
    return work


def knn(X, o):
    from sklearn.neighbors import NearestNeighbors
    search = NearestNeighbors(n_neighbors=o["k"], n_jobs=2)
    return lambda: search.fit(X).kneighbors()[0]


def mds_eigsh(X, o):
    from scipy.sparse.linalg import eigsh
    from scipy.spatial.distance import cdist
    D = cdist(X, X)

    def work():
        B = D * D
        B -= B.mean(0)
        B -= B.mean(1)[:, None]
        B *= -0.5
        values, vectors = eigsh(B, k=2)
        return vectors[:, ::-1] * np.sqrt(values[::-1])
    return work


def isomap(X, o):
    from sklearn.manifold import Isomap
    return lambda: Isomap(n_neighbors=o["neighbors"], n_jobs=2).fit_transform(X)


def lle(X, o):
    from sklearn.manifold import LocallyLinearEmbedding
    return lambda: LocallyLinearEmbedding(
        n_neighbors=o["neighbors"], n_jobs=2, random_state=0).fit_transform(X)


def laplacian_eigenmap(X, o):
    from sklearn.manifold import SpectralEmbedding
    return lambda: SpectralEmbedding(
        affinity="nearest_neighbors", n_neighbors=o["neighbors"], n_jobs=2,
        random_state=0).fit_transform(X)


def diffusion_sparse(X, o):
    """A kNN graph with Gaussian weights and ones on its diagonal, shift-inverted by SciPy."""
    from scipy.sparse import diags, identity
    from scipy.sparse.linalg import eigsh
    from sklearn.neighbors import NearestNeighbors

    def work():
        W = NearestNeighbors(n_neighbors=o["neighbors"], n_jobs=2).fit(X).kneighbors_graph(
            mode="distance")
        sigma = np.median(W.data)
        W.data = np.exp(-W.data ** 2 / (2 * sigma ** 2))
        W = W.maximum(W.T) + identity(len(X))
        d = np.asarray(W.sum(1)).ravel()
        S = diags(d ** -0.5) @ W @ diags(d ** -0.5)
        values, vectors = eigsh(S.tocsc(), k=3, sigma=1.0001)
        order = np.argsort(-values)[1:]
        return values[order] * vectors[:, order] / np.sqrt(d)[:, None]
    return work


def diffusion_dense(X, o, solver="eigsh"):
    from scipy.linalg import eigh
    from scipy.sparse.linalg import eigsh
    from scipy.spatial.distance import cdist
    sigma, n = o["bandwidth"], len(X)

    def work():
        K = np.exp(-cdist(X, X, "sqeuclidean") / (2 * sigma ** 2))
        d = K.sum(1)
        K /= np.sqrt(d)[:, None]
        K /= np.sqrt(d)
        values, vectors = (eigsh(K, k=3) if solver == "eigsh" else
                           eigh(K, subset_by_index=(n - 3, n - 1)))
        order = np.argsort(-values)[1:]
        return values[order] * vectors[:, order] / np.sqrt(d)[:, None]
    return work


def diffusion_eigh(X, o):
    return diffusion_dense(X, o, "eigh")


def tsne(X, o):
    from sklearn.manifold import TSNE
    return lambda: TSNE(init="pca", learning_rate="auto", perplexity=o.get("perplexity", 30),
                        n_jobs=2, random_state=0).fit_transform(X)


def megabytes(which):
    for line in open("/proc/self/status"):
        if line.startswith(which + ":"):
            return float(line.split()[1]) / 1024
    return 0.0


def main():
    warnings.simplefilter("ignore")
    name, data, out = sys.argv[1:4]
    options = {}
    for word in sys.argv[4:]:
        key, _, value = word.partition("=")
        try:
            options[key] = json.loads(value)
        except json.JSONDecodeError:
            options[key] = value
    X = np.load(data)[:options.get("n", None)]
    X = np.ascontiguousarray(X, np.float32 if options.get("scalar") == "float" else np.float64)
    work = globals()[name](X, options)
    before = megabytes("VmRSS")
    began = time.perf_counter()
    Y = work()
    seconds = time.perf_counter() - began
    print(json.dumps({"seconds": seconds, "megabytes": max(megabytes("VmHWM") - before, 0)}))
    np.save(out, Y)


if __name__ == "__main__":
    main()
