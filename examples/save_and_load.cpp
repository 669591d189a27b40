// Save, load and transform: fit today, place new samples tomorrow, without the training data.
//
// A model file holds what `transform` needs and no more, is the same on every machine, and gives
// the same numbers to the bit. A file that is damaged or holds something else is an error.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "unfurl/core/error.hpp"
#include "unfurl/datasets/blobs.hpp"
#include "unfurl/io/model.hpp"
#include "unfurl/pca.hpp"

int main() {
  unfurl::BlobsOptions wanted;
  wanted.n_features = 20;
  const Eigen::MatrixXd all = unfurl::blobs(1100, wanted).points;
  const Eigen::MatrixXd X = all.topRows(1000), X_new = all.bottomRows(100);
  const std::string file = "blobs.model";

  unfurl::PCA<> pca;
  pca.fit(X);
  unfurl::save_model(file, pca);
  std::cout << file << ": " << std::filesystem::file_size(file) << " bytes, for data of "
            << X.size() * 8 << "\n";

  std::cout << "it holds a " << unfurl::model_kind(file).estimator << "\n";
  const auto loaded = unfurl::load_model<unfurl::PCA<>>(file);
  const bool same = loaded.transform(X_new) == pca.transform(X_new);
  std::cout << "new samples come to lie at the same places: " << (same ? "yes" : "no") << "\n";

  // One wrong byte in the middle is seen by the checksum.
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(200).put('?');
  std::string why;
  try {
    unfurl::load_model<unfurl::PCA<>>(file);
  } catch (const unfurl::FormatError& error) {
    why = error.what();
  }
  std::cout << why << "\n";
  std::filesystem::remove(file);

  const bool right = same && !why.empty();
  std::cout << (right ? "as expected\n" : "not what was expected\n");
  return right ? 0 : 1;
}
