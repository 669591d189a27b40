// ClassicalMDS: of points, or with distances=1 of the matrix of their distances (not timed).
#include "unfurl/classical_mds.hpp"

#include "../support/measure.hpp"

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](const bench::Arguments& arguments) {
    unfurl::ClassicalMDS<> mds;
    if (!arguments.has("distances")) return bench::fit<double>(arguments, mds);
    const Eigen::MatrixXd X = arguments.data<double>();
    Eigen::MatrixXd D(X.rows(), X.rows());
    for (bench::Index j = 0; j < X.rows(); ++j)
      D.col(j) = (X.rowwise() - X.row(j)).rowwise().norm();
    const bench::Measured fitting([&] { mds.fit_distances(D); });
    arguments.write(mds.embedding());
    std::cout << '{';
    bench::print(fitting);
    bench::print(mds.report());
    std::cout << "}\n";
  });
}
