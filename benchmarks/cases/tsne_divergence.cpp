// The divergence of a t-SNE map, whoever made it, by the definition: data.npy map.npy perplexity=30
#include "../support/measure.hpp"
#include "unfurl/neighbors/knn.hpp"
#include "unfurl/tsne/affinities.hpp"
#include "unfurl/tsne/attraction.hpp"
#include "unfurl/tsne/repulsion.hpp"

int main(int argc, char** argv) {
  return bench::run(argc, argv, [&](const bench::Arguments& arguments) {
    const unfurl::Matrix<double> Y = unfurl::read_npy<double>(argv[2]).transpose();
    const unfurl::Matrix<double> X = arguments.data<double>().topRows(Y.cols());
    const double perplexity = std::stod(arguments.text("perplexity", "30"));
    const unfurl::Parallel parallel;
    const auto conditional = unfurl::detail::conditional_affinities(
        unfurl::knn(X, static_cast<bench::Index>(3 * perplexity)), {perplexity}, parallel);
    const auto P = unfurl::detail::joint_affinities(conditional.lists, parallel, "tsne_divergence");
    unfurl::detail::Repulsion<double> push;
    unfurl::detail::ExactRepulsion{}(Y, push, parallel);
    std::cout << "{\"divergence\": "
              << unfurl::detail::divergence(P, Y, 1, push.normalizer, parallel) << "}\n";
  });
}
