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

# A noisy sheet for the methods on neighbourhood graphs. The new points of `transform` are the last.
from sklearn.manifold import Isomap, LocallyLinearEmbedding, SpectralEmbedding  # noqa: E402
from sklearn.neighbors import kneighbors_graph  # noqa: E402

rng = np.random.RandomState(7)
t, h = 3 * np.pi * (rng.rand(160) - 0.5), 2 * rng.rand(160)
sheet = np.column_stack([np.sin(t), h, np.sign(t) * (np.cos(t) - 1)]) + 0.02 * rng.randn(160, 3)
write("sheet_X.csv", sheet)
train, new = sheet[:140], sheet[140:]

isomap = Isomap(n_neighbors=8, n_components=3, eigen_solver="dense").fit(train)
write("isomap_sheet.csv", isomap.embedding_)
write("isomap_sheet_new.csv", isomap.transform(new))
write("isomap_sheet_numbers.csv", np.append(isomap.kernel_pca_.eigenvalues_,
                                            isomap.reconstruction_error()))

lle = LocallyLinearEmbedding(n_neighbors=9, n_components=2, eigen_solver="dense").fit(train)
write("lle_sheet.csv", lle.embedding_)
write("lle_sheet_new.csv", lle.transform(new))
write("lle_sheet_error.csv", lle.reconstruction_error_)

# scikit-learn's affinity is given, so that only the decomposition is compared; its columns are
# D^(-1/2) u without any scaling when the eigenvectors are multiplied back.
A = kneighbors_graph(train, 8).toarray()
W = np.maximum(A, A.T)
eigenmap = SpectralEmbedding(n_components=3, affinity="precomputed", eigen_solver="arpack",
                             random_state=0)
write("laplacian_sheet.csv", eigenmap.fit_transform(W))

# Measures of quality of the first two columns of Isomap's embedding of the sheet: a row for each k
# with trustworthiness, continuity and the leave-one-out score of four classes in the data and in
# the embedding; then measures of distances.
from scipy.spatial.distance import pdist  # noqa: E402
from scipy.stats import pearsonr, spearmanr  # noqa: E402
from sklearn.manifold import trustworthiness  # noqa: E402
from sklearn.model_selection import LeaveOneOut, cross_val_score  # noqa: E402
from sklearn.neighbors import KNeighborsClassifier  # noqa: E402

flat = isomap.embedding_[:, :2]
classes = (train[:, 0] > 0) + 2 * (train[:, 1] > 1)


def label_score(points, k):
    classifier = KNeighborsClassifier(n_neighbors=k, algorithm="brute")
    return cross_val_score(classifier, points, classes, cv=LeaveOneOut()).mean()


write("quality_neighbors.csv", [
    [k, trustworthiness(train, flat, n_neighbors=k), trustworthiness(flat, train, n_neighbors=k),
     label_score(train, k), label_score(flat, k)] for k in (1, 2, 5, 12, 30)])
delta, d = pdist(train), pdist(flat)
scale = d @ delta / (d @ d)
write("quality_distances.csv", [
    np.sqrt(((d - delta)**2).sum() / (delta**2).sum()),
    np.sqrt(((scale * d - delta)**2).sum() / (delta**2).sum()),
    spearmanr(delta, d)[0], 1 - pearsonr(delta, d)[0]**2])
