#pragma once

/// Leads to every header but the adapters to optional libraries. Including only what you use, for
/// example <unfurl/pca.hpp>, compiles faster.

// The layers, from which estimators are built.
#include "unfurl/core/random.hpp"
#include "unfurl/graph/bridge.hpp"
#include "unfurl/graph/disconnected.hpp"
#include "unfurl/graph/distance_matrix.hpp"
#include "unfurl/graph/graph_operator.hpp"
#include "unfurl/graph/neighbor_bandwidth.hpp"
#include "unfurl/graph/neighbor_graph.hpp"
#include "unfurl/graph/shortest_paths.hpp"
#include "unfurl/kernels/bandwidth.hpp"
#include "unfurl/kernels/radial.hpp"
#include "unfurl/neighbors/knn.hpp"
#include "unfurl/spectral/auto_solver.hpp"
#include "unfurl/version.hpp"

// The estimators and what they have in common.
#include "unfurl/classical_mds.hpp"
#include "unfurl/diffusion_map.hpp"
#include "unfurl/estimator.hpp"
#include "unfurl/isomap.hpp"
#include "unfurl/isomap_sweep.hpp"
#include "unfurl/laplacian_eigenmap.hpp"
#include "unfurl/lle.hpp"
#include "unfurl/pca.hpp"
#include "unfurl/tsne.hpp"

// Beside the estimators.
#include "unfurl/datasets/blobs.hpp"
#include "unfurl/datasets/circle.hpp"
#include "unfurl/datasets/s_curve.hpp"
#include "unfurl/datasets/sphere.hpp"
#include "unfurl/datasets/spiral.hpp"
#include "unfurl/datasets/swiss_roll.hpp"
#include "unfurl/datasets/torus.hpp"
#include "unfurl/datasets/trefoil.hpp"
#include "unfurl/datasets/two_disks.hpp"
#include "unfurl/plot/html.hpp"
#include "unfurl/plot/scree.hpp"
#include "unfurl/plot/svg.hpp"
#include "unfurl/quality/procrustes.hpp"
#include "unfurl/quality/trustworthiness.hpp"
