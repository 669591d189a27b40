#pragma once

// Stands in for nanoflann 1.5 and later: the installed tree, but only the names and calls of the
// later interface. 1.5 renamed SearchParams; from 1.6 on a search ends with sort() of the result
// set; 1.10 turned NANOFLANN_VERSION from 0xMmp into 0xMMmmpp.
#define nanoflann nanoflann_installed
#include_next <nanoflann.hpp>
#undef nanoflann
#undef assert  // nobody may rely on <cassert> from here

#ifndef STAND_IN_NANOFLANN_VERSION
#define STAND_IN_NANOFLANN_VERSION 0x010C01
#endif
#undef NANOFLANN_VERSION
#define NANOFLANN_VERSION STAND_IN_NANOFLANN_VERSION

namespace nanoflann {

struct SearchParameters {
  float eps = 0;
  bool sorted = true;
};

struct KDTreeSingleIndexAdaptorParams {
  explicit KDTreeSingleIndexAdaptorParams(std::size_t leaf = 10, int = 0, unsigned = 1)
      : leaf_max_size(leaf) {}
  std::size_t leaf_max_size;
};

/// Asks the metric with a bound, as later versions do.
template <class Metric>
struct MetricWithBound {
  using ElementType = typename Metric::ElementType;
  using DistanceType = typename Metric::DistanceType;
  template <class Data>
  explicit MetricWithBound(const Data& data) : metric(data) {}

  DistanceType evalMetric(const ElementType* query, std::size_t i, std::size_t d) const {
    return metric.evalMetric(query, i, d, DistanceType(-1));
  }
  template <class A, class B>
  DistanceType accum_dist(A a, B b, std::size_t feature) const {
    return metric.accum_dist(a, b, feature);
  }

  Metric metric;
};

template <class Metric, class Data, std::int32_t dimension = -1, class Index = std::uint32_t>
class KDTreeSingleIndexAdaptor {
 public:
  using ElementType = typename Metric::ElementType;
  using Size = std::size_t;

  KDTreeSingleIndexAdaptor(std::int32_t d, const Data& data,
                           const KDTreeSingleIndexAdaptorParams& params = {})
      : tree_(d, data,
              nanoflann_installed::KDTreeSingleIndexAdaptorParams(params.leaf_max_size)) {}

  template <class ResultSet>
  bool findNeighbors(ResultSet& result, const ElementType* query,
                     const SearchParameters& params = {}) const {
    static_assert(std::is_same_v<typename ResultSet::IndexType, Index>);
    static_assert(std::is_same_v<typename ResultSet::DistanceType, typename Metric::DistanceType>);
    static_cast<void>(tree_.findNeighbors(result, query, nanoflann_installed::SearchParams()));
    if (params.sorted) result.sort();
    return result.full();
  }

  template <class ResultSet>
  [[nodiscard]] Size radiusSearchCustomCallback(const ElementType* query, ResultSet& result,
                                                const SearchParameters& params = {}) const {
    findNeighbors(result, query, params);
    return result.empty() ? 0 : result.size();
  }

 private:
  nanoflann_installed::KDTreeSingleIndexAdaptor<MetricWithBound<Metric>, Data, dimension, Index>
      tree_;
};

}  // namespace nanoflann
