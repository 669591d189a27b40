// How wrong the repulsion of Barnes-Hut at theta 0.5 and of the grid is, as the map grows; relative
// to the repulsion, and to the gradient, in which attraction and repulsion nearly cancel.
//
//   bench_tsne_error data.npy -

#include "support/measure.hpp"
#include "unfurl/neighbors/knn.hpp"
#include "unfurl/tsne.hpp"

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](const bench::Arguments& arguments) {
    const unfurl::Matrix<float> X = arguments.data<float>();
    const unfurl::Parallel parallel;
    const auto conditional =
        unfurl::detail::conditional_affinities(unfurl::knn(X, 90), {30.0}, parallel);
    const auto P = unfurl::detail::joint_affinities(conditional.lists, parallel, "error");
    for (const int iterations : {100, 400, 1000}) {
      unfurl::TSNEOptions options;
      options.max_iter = iterations;
      const unfurl::Matrix<float> Y = unfurl::TSNE<float>(options).fit_transform(X).transpose();
      unfurl::Matrix<float> pull;
      unfurl::detail::attraction(P, Y, 1, pull, parallel);
      unfurl::detail::Repulsion<float> exact, tree, grid;
      unfurl::detail::ExactRepulsion{}(Y, exact, parallel);
      unfurl::detail::BarnesHut<float, 2>(0.5)(Y, tree, parallel);
      unfurl::detail::MeshRepulsion<2> mesh(0.5);
      mesh(Y, grid, parallel);
      const unfurl::Matrix<float> push = exact.forces / static_cast<float>(exact.normalizer);
      const auto print = [&](const char* name, const unfurl::detail::Repulsion<float>& found) {
        const float gap = (found.forces / static_cast<float>(found.normalizer) - push).norm();
        std::cout << ", \"" << name << "\": [" << gap / push.norm() << ", "
                  << gap / (pull - push).norm() << "]";
      };
      std::cout << "{\"iterations\": " << iterations;
      print("barnes_hut", tree);
      print(mesh.n_on_grid() > 0 ? "grid" : "too wide for the grid", grid);
      std::cout << "}\n";
    }
  });
}
