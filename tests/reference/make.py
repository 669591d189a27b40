#!/usr/bin/python3
"""Makes the tables of this folder with scikit-learn (Debian 12: 1.2.1) and numpy.

    apt-get install python3-sklearn && /usr/bin/python3 tests/reference/make.py
"""
import pathlib

import numpy as np
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA, KernelPCA

here = pathlib.Path(__file__).parent


def write(name, table):
    np.savetxt(here / name, np.atleast_2d(table), delimiter=",", fmt="%.17g")


X = load_iris().data
write("iris_X.csv", X)

pca = PCA(n_components=3, svd_solver="full").fit(X)
write("pca_iris_components.csv", pca.components_)
write("pca_iris_scores.csv", pca.transform(X))
write("pca_iris_variances.csv", np.column_stack([
    pca.explained_variance_, pca.explained_variance_ratio_, pca.singular_values_,
    np.full(3, pca.noise_variance_)]))

# Classical MDS of city-block distances, which are not Euclidean: scikit-learn's KernelPCA centres
# the kernel -D^2 / 2, which is the same decomposition.
D = np.abs(X[:60, None, :] - X[None, :60, :]).sum(-1)
write("mds_iris_distances.csv", D)
kpca = KernelPCA(n_components=3, kernel="precomputed", eigen_solver="dense")
write("mds_iris_scores.csv", kpca.fit_transform(-0.5 * D**2))
B = -0.5 * (lambda J: J @ D**2 @ J)(np.eye(60) - 1 / 60)
write("mds_iris_eigenvalues.csv", np.sort(np.linalg.eigvalsh(B))[::-1])
