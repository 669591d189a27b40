#pragma once

#include <Eigen/SparseCore>
#include <cmath>
#include <vector>

#include "unfurl/core/types.hpp"

// Adjacency matrices of graphs whose spectra are known in closed form.
namespace test {

using unfurl::Index;
using unfurl::SparseMatrix;

using Edges = std::vector<std::pair<Index, Index>>;

inline SparseMatrix<double> adjacency(Index n, const Edges& edges) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& [i, j] : edges) {
    entries.emplace_back(i, j, 1.0);
    entries.emplace_back(j, i, 1.0);
  }
  SparseMatrix<double> W(n, n);
  W.setFromTriplets(entries.begin(), entries.end());
  return W;
}

inline SparseMatrix<double> path(Index n) {
  Edges edges;
  for (Index i = 0; i + 1 < n; ++i) edges.emplace_back(i, i + 1);
  return adjacency(n, edges);
}

inline SparseMatrix<double> cycle(Index n) {
  Edges edges;
  for (Index i = 0; i < n; ++i) edges.emplace_back(i, (i + 1) % n);
  return adjacency(n, edges);
}

inline SparseMatrix<double> complete(Index n) {
  Edges edges;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j) edges.emplace_back(i, j);
  return adjacency(n, edges);
}

inline SparseMatrix<double> star(Index n) {
  Edges edges;
  for (Index i = 1; i < n; ++i) edges.emplace_back(0, i);
  return adjacency(n, edges);
}

/// Rows x columns of a grid, its opposite sides joined if `wrapped`.
inline SparseMatrix<double> lattice(Index rows, Index cols, bool wrapped) {
  Edges edges;
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) {
      if (wrapped || i + 1 < rows) edges.emplace_back(i * cols + j, (i + 1) % rows * cols + j);
      if (wrapped || j + 1 < cols) edges.emplace_back(i * cols + j, i * cols + (j + 1) % cols);
    }
  return adjacency(rows * cols, edges);
}

inline SparseMatrix<double> grid(Index rows, Index cols) { return lattice(rows, cols, false); }
inline SparseMatrix<double> torus(Index rows, Index cols) { return lattice(rows, cols, true); }

/// Several disjoint copies.
inline SparseMatrix<double> copies(const SparseMatrix<double>& W, Index count) {
  std::vector<Eigen::Triplet<double>> entries;
  const Index n = W.rows();
  for (Index c = 0; c < count; ++c)
    for (Index j = 0; j < n; ++j)
      for (SparseMatrix<double>::InnerIterator it(W, j); it; ++it)
        entries.emplace_back(c * n + it.row(), c * n + it.col(), it.value());
  SparseMatrix<double> all(n * count, n * count);
  all.setFromTriplets(entries.begin(), entries.end());
  return all;
}

/// I - D^(-1/2) W D^(-1/2)
inline SparseMatrix<double> normalized_laplacian(const SparseMatrix<double>& W) {
  const Eigen::VectorXd root = (W * Eigen::VectorXd::Ones(W.cols())).cwiseSqrt().cwiseInverse();
  SparseMatrix<double> identity(W.rows(), W.cols());
  identity.setIdentity();
  return identity - SparseMatrix<double>(root.asDiagonal() * W * root.asDiagonal());
}

}  // namespace test
